"""Every capture in tests/captures plays into its driver as it was taken: a new one becomes a test by lying there."""

from pathlib import Path

import pytest

from dealerbox.diagnostics.captures.file import read
from dealerbox.diagnostics.captures.played import played
from dealerbox.diagnostics.captures.words import CODECS

CAPTURES = sorted((Path(__file__).parents[2] / "captures").glob("*.capture"))


@pytest.mark.parametrize("file", CAPTURES, ids=lambda file: file.stem)
def test_the_driver_asks_and_tells_what_it_did(file: Path) -> None:
    assert played(read(file)).difference == ""


@pytest.mark.parametrize("file", CAPTURES, ids=lambda file: file.stem)
def test_it_was_taken_by_pseudonyms(file: Path) -> None:
    assert read(file).header.is_masked


def test_each_wire_has_one() -> None:
    assert {read(file).header.driver for file in CAPTURES} >= set(CODECS)
