"""UNDO takes the last key alone back, and with it all that the key did: the holds that it ended stand again."""

import pytest

from bench.decided import only
from dealerbox.model import events
from dealerbox.model.commands import Hold, Permit, Refuse
from dealerbox.model.keys import Key
from dealerbox.model.setup import Dispense, House
from dealerbox.model.zones import BOARD, BURN, MUCK, seat


def refused(commands):
    return [command.asked for command in commands if isinstance(command, Refuse)]


# The holds that the key ended stand again.


@pytest.mark.parametrize("key", [Key.EXPOSED, Key.OFF_TABLE, Key.FACED])
def test_a_card_that_lies_wrong_is_held_again_when_a_call_that_it_is_dead_is_taken_back_1804A_3(table, key) -> None:
    table.begun()
    table.deal()
    table.see(seat(1), table.let_out())
    before = table.state
    table.press(key)
    assert table.reasons == []
    assert [told.reason for told in only(table.press(Key.UNDO), Hold)] == ["wrong_seat"]
    assert (table.state.holds, table.state.plan, table.state.released) == (
        before.holds,
        before.plan,
        before.released,
    )
    assert only(table.wait(9000), Permit) == []


def test_a_device_that_came_back_since_a_call_is_not_held_again_with_what_the_call_ended(table) -> None:
    table.begun()
    table.deal()
    table.see(seat(1), table.let_out())
    table.tell(lambda at: events.DeviceLost(at, "feig-1", "cable"))
    table.press(Key.EXPOSED)
    table.tell(lambda at: events.DeviceBack(at, "feig-1"))
    table.press(Key.UNDO)
    assert table.reasons == ["wrong_seat"]


@pytest.mark.parametrize("key", [Key.AWARD, Key.MISDEAL])
@pytest.mark.parametrize("zone", [BURN, BOARD])
def test_a_card_dealt_in_an_open_round_is_asked_about_again_when_the_hand_is_open_again_1804A_4(
    make_table, given, key, zone
) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = given(table)
    dealt.holes()
    dealt.lay(zone)
    assert table.reasons == ["round_open"]
    before = table.state
    table.press(key)
    table.press(Key.UNDO)
    assert (table.state.holds, table.state.plan, table.state.released, table.state.phase) == (
        before.holds,
        before.plan,
        before.released,
        before.phase,
    )


# The last key alone.


def retrieved(table, folded) -> None:
    table.press(Key.RETRIEVE, 2)


def said_dead(table, folded) -> None:
    table.see(seat(2), folded[1])
    table.press(Key.RETRIEVE, 2)
    table.see(MUCK, folded[0])
    table.press(Key.ACK)


def doubted(table, folded) -> None:
    table.press(Key.SUSPECT)


@pytest.mark.parametrize("said", [retrieved, said_dead, doubted])
@pytest.mark.parametrize("before", [Key.ACTION, Key.NEXT])
def test_the_key_before_one_that_cannot_be_taken_back_is_not_taken_back_in_its_place(table, before, said) -> None:
    folded = table.holes()[::3]
    table.lose(seat(2), *folded)
    table.see(MUCK, *folded)
    table.press(before)
    assert Key.UNDO in table.view.lit
    said(table, folded)
    assert Key.UNDO not in table.view.lit
    as_it_was = table.view
    assert refused(table.press(Key.UNDO)) == ["undo"]
    assert (table.view.phase, table.view.folded) == (as_it_was.phase, as_it_was.folded)
    assert table.state.acted


def test_a_key_that_was_refused_or_says_the_same_again_leaves_the_one_before_it_to_be_taken_back(table) -> None:
    table.holes()
    table.press(Key.ACTION)
    table.press(Key.MISDEAL)
    table.press(Key.ACTION)
    assert refused(table.press(Key.UNDO)) == []
    assert not table.state.acted


def test_an_award_is_taken_back_for_a_claim_though_cards_were_looked_for_since_1817(table) -> None:
    table.holes()
    table.press(Key.AWARD)
    table.press(Key.FIND)
    assert table.view.prompt_code == "find"
    assert refused(table.press(Key.UNDO)) == []
    assert table.view.phase == "betting"
