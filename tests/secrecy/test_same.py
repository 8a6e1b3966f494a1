"""Non-interference: whatever lies on the cards, what leaves the station is the same, byte for byte (P4)."""

from typing import Any

import pytest

from bench.secrecy import quick, same
from bench.secrecy.channels import Said, Taps


def test_two_orders_of_the_faces_change_no_byte_on_any_channel_p4() -> None:
    told = same.other_faces("suite", 3, quick.evenings)
    assert told.differences == ()
    assert (told.hands, told.channels) == (3, 11)


def test_other_cards_change_nothing_that_is_read_while_a_hand_is_open_p4() -> None:
    told = same.other_cards("suite", 3, quick.evenings)
    assert (told.differences, told.hands, told.channels) == ((), 3, 8)


def test_other_cards_change_nothing_on_serial_lines_lamps_and_display_p4(wired_night: list[Said]) -> None:
    other: list[Said] = []
    hands = same.over_wires("suite", 1, Taps(other.append), tags=same.other_tags(same.pack_tags(), "suite"))
    told = same.cards_compared(hands, [wired_night, other])
    assert (told.differences, told.hands, told.channels) == ((), 1, 17)


def test_a_view_that_says_a_little_of_a_card_is_noticed(leaky: Any) -> None:
    assert same.other_cards("suite", 5, quick.evenings, engine=leaky).differences


def test_an_evening_in_which_nothing_was_changed_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(same, "other_tags", lambda tags, seed: tags)
    (found,) = same.other_cards("suite", 1, quick.evenings).differences
    assert found == "the readers and journals are the same: nothing was changed"


def test_a_thing_that_is_said_a_moment_later_is_a_difference() -> None:
    one, late = Said("lamp red", 5, True, b"1"), Said("lamp red", 6, True, b"1")
    assert same.differences([one], [one]) == []
    assert len(same.differences([one], [late])) == 1
    assert len(same.differences([one], [one, one])) == 1


def test_logs_are_the_same_but_for_the_numbers_of_their_tokens() -> None:
    def log(*tokens: int) -> list[bytes]:
        return [b'{"event":{"event":"CardsSeen","tokens":[%d]}}' % token for token in tokens]

    assert same.canonical(log(1001, 1002, 1001)) == same.canonical(log(1040, 1003, 1040))
    assert same.canonical(log(1001, 1002, 1001)) != same.canonical(log(1040, 1003, 1003))
