"""A log shows its shuffles to whoever has the token key, between hands, many together; to nobody else (P4)."""

from typing import Any

import msgspec
import pytest

from bench.shuffled import MARKS, nights, of_nights
from dealerbox.diagnostics.shuffles.cycle import Cycle
from dealerbox.diagnostics.shuffles.judging import judged
from dealerbox.diagnostics.shuffles.linked import Key, shuffles_of
from dealerbox.diagnostics.shuffles.report import LEAST_OF_PLAY, audit
from dealerbox.ports import NotAllowed


@pytest.fixture(scope="module")
def evening() -> list[tuple[Key, list[bytes]]]:
    """Logs of a machine that shuffles in one pass over ten shelves, with their keys."""
    return nights("suite", 33, 10, 10)


@pytest.fixture(scope="module")
def cycles(evening: list[tuple[Key, list[bytes]]]) -> list[Cycle]:
    """What they show."""
    return of_nights(evening)


def test_one_pass_over_shelves_is_found_in_an_evenings_log(cycles: list[Cycle]) -> None:
    """arXiv 1107.2961."""
    assert len(cycles) >= LEAST_OF_PLAY
    assert [one.fault() for one in cycles if one.fault()] == []
    assert "runs" in {one.name for one in judged(cycles) if one.tells}


def test_who_has_another_key_sees_nothing_of_it(evening: list[tuple[Key, list[bytes]]]) -> None:
    """Without the token key a log says nothing of which card is which in the next hand (docs/decisions/0006)."""
    others = [(Key(key._decks.values(), bytes(32)), lines) for key, lines in evening]
    assert [one.name for one in judged(of_nights(others)) if one.tells] == []


def test_a_deck_that_the_log_does_not_name_is_not_counted(evening: list[tuple[Key, list[bytes]]]) -> None:
    key, lines = evening[0]
    other = dict.fromkeys(MARKS, "another deck")
    assert list(shuffles_of(lines, "evening", key, other)) == []


def test_what_is_told_of_play_is_six_sums_and_no_place_of_a_card(cycles: list[Cycle]) -> None:
    found = audit(cycles, "night", of_play=True)
    said: dict[str, Any] = msgspec.to_builtins(found)
    assert said["counts"] == ()
    assert set(said) == {
        "source", "of_play", "shuffles", "cards_in", "cards_out", "seen_twice", "outcomes", "counts",
    }  # fmt: skip
    assert {key for one in said["outcomes"] for key in one} == {
        "name", "asks", "statistic", "expected", "p", "needed", "tells",
    }  # fmt: skip


def test_a_few_hands_are_not_told_of(cycles: list[Cycle]) -> None:
    with pytest.raises(NotAllowed, match="night: 29 shuffles of play; 30 at the least are told of together"):
        audit(cycles[: LEAST_OF_PLAY - 1], "night", of_play=True)


def test_a_bench_run_has_its_table(cycles: list[Cycle]) -> None:
    found = audit([Cycle(52, tuple(range(52)))] * 4, "bench", of_play=False)
    assert [row[at] for at, row in enumerate(found.counts)] == [16] * 13
    assert found.tells
