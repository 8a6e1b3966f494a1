"""The command line as a person meets it: arguments in; exit code, standard output and errors out."""

import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
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


@pytest.fixture
def station(tmp_path: Path) -> Iterator[Callable[..., str]]:
    """A socket that answers so many callers, so many lines of each, with what a function makes of it."""
    path = str(tmp_path / "control.sock")
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    threads: list[threading.Thread] = []

    def serve(answer: Callable[[bytes], bytes], callers: int = 1, lines: int = 1) -> str:
        def serving() -> None:
            for _ in range(callers):
                caller, _ = listening.accept()
                with caller:
                    for _ in range(lines):
                        caller.sendall(answer(caller.recv(4096)))

        listening.bind(path)
        listening.listen(1)
        threads.append(threading.Thread(target=serving))
        threads[0].start()
        return path

    yield serve
    for thread in threads:
        thread.join(5)
    listening.close()
