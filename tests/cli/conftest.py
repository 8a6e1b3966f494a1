"""The command line as a person meets it: arguments in; exit code, standard output and errors out."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from dealerbox.cli.main import run


class Answer(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture
def dealerbox(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Run `dealerbox` with these arguments."""

    def call(*arguments: str) -> Answer:
        capsys.readouterr()
        code = run(arguments)
        return Answer(code, *capsys.readouterr())

    return call
