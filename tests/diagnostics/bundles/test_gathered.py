"""Of a log the last evening goes into a bundle, to be played again, without a word that names a face."""

import json

import msgspec
import pytest

from bench.narrator import Narrator, deck
from dealerbox.diagnostics.bundles.examined import names_a_face
from dealerbox.diagnostics.bundles.gathered import Evening, counters, evening
from dealerbox.journal.export import line
from dealerbox.model.events import KeyPressed, Ruled
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import DeckInfo, Setup
from dealerbox.model.shuffler import Cycle
from dealerbox.station.entry import encode
from dealerbox.station.replay import play

DECKS = (DeckInfo(slot=1, name="a", back="red"), DeckInfo(slot=2, name="b", back="blue"))


def a_hand(table: Narrator, why: str) -> None:
    """A hand that the director ends."""
    table.rule(Ruling.SET_BUTTON, seat=1)
    table.button(1)
    table.tell(lambda at: KeyPressed(at, Key.START))
    table.tell(lambda at: Ruled(at, ruling=Ruling.VOID_HAND, by="director", reason=why))


@pytest.fixture(scope="module")
def log() -> list[bytes]:
    """Event lines of two evenings with a hand each."""
    table = Narrator(Setup(table="7", seats=(1, 2), decks=DECKS))
    table.started()
    table.clock()
    table.meet()
    table.feed(*deck(1))
    table.cycle(Cycle.RETURN, 52)
    table.tell(lambda at: KeyPressed(at, Key.ACK))
    table.cycle(Cycle.SHUFFLE, 52)
    a_hand(table, "the first")
    table.rule(Ruling.CLOSE)
    table.started()
    table.clock()
    table.meet(52)
    a_hand(table, "the ace of spades lay open")
    return [line(seq, encode(*entry)) for seq, entry in enumerate(table.log, 2)]


@pytest.fixture(scope="module")
def last(log: list[bytes]) -> Evening:
    """What of them goes into a bundle."""
    return evening(log, "journal", names_a_face)


def test_it_begins_with_the_state_that_the_evening_before_left(log: list[bytes], last: Evening) -> None:
    assert json.loads(last.lines[0])["state"]["hand"] == 1
    assert b'"event":"Started"' in last.lines[1]
    assert 3 < len(last.lines) < len(log)


def test_it_plays_to_the_same_decisions(last: Evening) -> None:
    assert all(decision.commands == decision.expected for decision in play(last.lines, "evening"))


def test_a_reason_that_names_a_face_is_left_out(last: Evening) -> None:
    text = b"".join(last.lines)
    assert b"ace of spades" not in text
    assert b'"reason":"(words that name a face)"' in text


def test_it_is_told_in_numbers(last: Evening) -> None:
    said = json.loads(counters(last))
    assert said["events"] == len(last.lines)
    assert said["hands"] == len(last.hands)


def test_a_log_that_cannot_be_played_to_its_end_goes_in_as_far_as_it_can(log: list[bytes]) -> None:
    found = evening([*log[:5], b"rubbish\n"], "journal", names_a_face)
    assert found.why.startswith("journal: line 6: no event: ")
    assert found.lines[:5] == log[:5]


def test_counters_of_nothing_are_none() -> None:
    assert msgspec.json.decode(counters(Evening([], [], "")))["hands"] == 0
