"""A log in short: its hands and its certified counts."""

import io
from itertools import pairwise

import msgspec
import pytest

from dealerbox.journal.evidence import closing, line
from dealerbox.journal.record import Record, RecordKind, Stamp
from dealerbox.journal.recover import Head, Recovery, Verdict
from dealerbox.model.events import Ruled, Started
from dealerbox.model.keys import Ruling
from dealerbox.simulate.run import simulate
from dealerbox.station.entry import decode
from dealerbox.station.past import Past, base
from dealerbox.station.replay import LogError, play
from dealerbox.station.views import counts, hands


def evening(**more) -> list[bytes]:
    log = io.StringIO()
    simulate(3, "4", seed=5, log=log, **more)
    return log.getvalue().encode().splitlines(keepends=True)


@pytest.fixture(scope="module")
def lines() -> list[bytes]:
    return evening()


def test_each_hand_is_told_with_what_it_was_and_how_it_ended(lines) -> None:
    told = list(hands(lines, "night"))
    assert [hand.hand for hand in told] == [1, 2, 3]
    assert {hand.ended for hand in told} == {"award"}
    assert all(len(hand.seats) == 4 and hand.deck and hand.lasted_s > 0 for hand in told)
    assert all(before.last < after.first for before, after in pairwise(told))
    assert b"token" not in msgspec.json.encode(told)


def test_a_hand_that_the_log_ends_in_is_told_as_open(lines) -> None:
    last = list(hands(lines, "night"))[-1]
    *_, open_one = hands(lines[: last.first + 5], "night")
    assert (open_one.hand, open_one.ended) == (3, "")


def test_a_ruling_is_told_with_who_gave_it_and_why(lines) -> None:
    second = list(hands(lines, "night"))[1]
    told = lines[: second.first + 3]
    at_ns = decode(told[-1]).event.at_ns + 1
    ruled = Ruled(at_ns, ruling=Ruling.VOID_HAND, by="ann (1000)", reason="a fight")
    told.append(b'{"seq":99999,"event":%s,"commands":[]}\n' % msgspec.json.encode(ruled))
    *_, hand = hands(told, "night")
    assert hand.ended == "void"
    assert [(one.ruling, one.by, one.reason) for one in hand.rulings] == [("void_hand", "ann (1000)", "a fight")]


def test_the_holds_of_a_hand_are_told_with_their_clauses() -> None:
    told = list(hands(evening(faults=["wrong_seat"]), "night"))
    assert all(len(hand.holds) == len(set(hand.holds)) for hand in told)
    assert ("wrong_seat", "1804A(3)") in {(held.reason, held.clause) for hand in told for held in hand.holds}


def test_a_count_is_certified_with_who_and_when_under_1804B8(lines) -> None:
    (first, *_) = counts(lines, "night")
    assert (first.result, first.verification) == (52, True)
    assert first.deck


def test_an_exported_journal_is_played_record_for_record_and_a_pruned_one_from_its_base(lines) -> None:
    """The lines beside the events, of a run's head, a base, a signature and the end, are no events."""
    entries = [decode(text) for text in lines]
    half = len(entries) // 2
    *_, middle = play(lines[:half], "night")
    recovery = Recovery(verdict=Verdict.CLEAN, head=Head(half, bytes(32)), segment=1, offset=0)
    past = Past(middle.state, recovery, {})
    record = Record(half, half, RecordKind.BASE, Stamp(1), bytes(16), bytes(32), base(past))
    pruned = [line(record), *(text for text in lines[half:]), closing(1, Head(1, bytes(32)))]
    *_, whole_end = play(lines, "night")
    *_, pruned_end = play(pruned, "night")
    assert pruned_end.state == whole_end.state


def test_a_log_that_begins_with_neither_is_told(lines) -> None:
    with pytest.raises(LogError, match="line 1: a log begins with Started, not "):
        list(play(lines[3:], "night"))
    with pytest.raises(LogError, match="line 1: no event"):
        list(play([b'{"seq":1}\n'], "night"))
    assert isinstance(decode(lines[0]).event, Started)
