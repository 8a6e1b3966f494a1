"""Dispensing by `hand` (C4), and the shuffler is lost, opened, jammed or started anew meanwhile (S2, C15)."""

import pytest

from bench.decided import refused
from bench.narrator import CAPS, deck
from dealerbox.model import events as ev
from dealerbox.model.cards import token
from dealerbox.model.commands import Places
from dealerbox.model.keys import Key
from dealerbox.model.setup import Dispense, House
from dealerbox.model.shuffler import Cap
from dealerbox.model.zones import BURN, MUCK


@pytest.fixture
def table(make_table):
    return make_table(house=House(dispense=Dispense.HAND))


def lost(table) -> None:
    table.tell(lambda at: ev.DeviceLost(at, "shuffler", "silent"))


def test_a_restart_in_mid_hand_asks_once_and_the_hand_goes_on(table, flop) -> None:
    dealt = flop(table)
    table.started()
    table.meet()
    assert table.reasons == ["restarted"]
    table.press(Key.ACK)
    dealt.street(1)
    assert table.reasons == []


def test_a_shuffler_lost_in_mid_hand_is_held_until_it_is_back_and_agrees_S2(table, flop) -> None:
    dealt = flop(table)
    lost(table)
    assert (table.reasons, table.view.lamp) == (["device_lost"], "red")
    table.meet(machine=0)
    assert table.reasons == []
    dealt.street(1)
    assert table.reasons == []


def test_one_that_is_back_and_does_not_know_what_is_in_it_is_looked_into_S2(table, flop) -> None:
    flop(table)
    lost(table)
    table.meet(machine=-1, agreed=False, why="content")
    assert (table.reasons, table.view.prompt_code, Key.ACK in table.view.lit) == (["device_lost"], "looked", True)
    (places,) = [command for command in table.press(Key.ACK) if isinstance(command, Places)]
    assert (places.machine, places.exit_id) == (0, 0)
    pending = table.state.memory.pending
    table.tell(lambda at: ev.PlacesSet(at, pending))
    table.meet(machine=0)
    assert table.reasons == []


def test_without_it_the_hand_goes_on_by_hand_and_the_next_one_too_C15(table, flop) -> None:
    dealt = flop(table)
    lost(table)
    table.press(Key.MANUAL)
    assert table.reasons == []
    dealt.street(1)
    assert table.reasons == []
    table.press(Key.AWARD)
    table.show(*deck(1))
    assert table.view.prompt_code == "manual_shuffled"


def test_one_that_is_still_lost_when_the_hand_is_over_starts_no_other_C14(table, flop) -> None:
    flop(table)
    lost(table)
    table.press(Key.AWARD)
    assert refused(table.press(Key.START)) == ["device_lost"]
    table.press(Key.MANUAL)
    assert (table.reasons, table.view.prompt_code) == ([], "manual_empty")


def test_a_shuffler_lost_with_the_deck_in_it_gives_nothing_out_before_it_is_back(table) -> None:
    table.begun()
    lost(table)
    assert (table.reasons, refused(table.press(Key.ACK))) == (["device_lost"], ["not_now"])
    table.press(Key.MANUAL)
    assert (table.reasons, table.view.prompt_code) == ([], "manual_empty")


@pytest.mark.parametrize(("why", "reason"), [("door", "door_open"), ("error", "jam")])
def test_a_shuffler_opened_or_jammed_in_mid_hand_is_held_and_looked_into_S2(table, flop, why, reason) -> None:
    dealt = flop(table)
    table.tell(lambda at: ev.ShufflerLocked(at, why))
    table.meet(machine=-1, agreed=False, why="content")
    assert (table.reasons, table.view.prompt_code) == ([reason], "looked")
    table.press(Key.ACK)
    pending = table.state.memory.pending
    table.tell(lambda at: ev.PlacesSet(at, pending))
    table.meet(machine=0)
    dealt.street(1)
    assert table.reasons == []


def test_a_restart_with_the_shuffler_silent_is_confirmed_once_it_answers_or_by_hand(table, flop) -> None:
    flop(table)
    table.started()
    assert refused(table.press(Key.ACK)) == ["not_now"]
    lost(table)
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    assert table.reasons == []


def test_a_shuffler_opened_in_mid_hand_is_proved_empty_after_it_by_S2(table, flop) -> None:
    flop(table)
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    table.meet(agreed=False, why="content")
    table.press(Key.AWARD)
    assert table.view.prompt_code == "empty"


def test_MANUAL_in_the_hand_shows_the_stub_again_and_goes_on(table, flop) -> None:
    dealt = flop(table)
    table.press(Key.MANUAL)
    table.show(*dealt.stub)
    table.press(Key.ACK)
    dealt.street(1)
    assert table.reasons == []
    table.press(Key.AWARD)
    assert table.state.memory.pending_kind == "Return"


def test_a_shuffler_that_could_not_say_that_it_was_opened_is_taken_at_the_dealers_word(table) -> None:
    table.begun()
    assert Key.ACK not in table.view.lit
    table.meet(caps=CAPS & ~Cap.DOOR_SENSOR)
    assert Key.ACK in table.view.lit
    (places,) = (command for command in table.press(Key.ACK) if isinstance(command, Places))
    assert (places.machine, places.exit_id) == (0, 0)


def test_after_a_restart_a_shuffler_that_does_not_know_what_is_in_it_is_looked_into_S2(table, flop) -> None:
    flop(table)
    table.started()
    table.meet(machine=-1, agreed=False, why="content")
    assert (table.reasons, table.view.prompt_code) == (["restarted"], "looked")


def test_it_is_told_once_that_nothing_is_left_in_it_however_often_ACK_is_pressed(table, flop) -> None:
    flop(table)
    lost(table)
    table.meet(machine=-1, agreed=False, why="content")
    told = [*table.press(Key.ACK), *table.press(Key.ACK)]
    assert len([command for command in told if isinstance(command, Places)]) == 1


def test_a_hand_that_is_over_before_the_shuffler_answered_the_restart_leaves_the_deck_in_the_hand_C15(
    table, flop
) -> None:
    flop(table)
    table.started()
    table.press(Key.AWARD)
    assert table.view.prompt_code == "gather"
    assert "Show each card singly" in table.view.prompt


@pytest.mark.parametrize(("looked", "zone", "counts"), [(False, BURN, False), (True, MUCK, False), (True, BURN, True)])
def test_a_card_of_the_stub_is_shown_at_the_burns_once_the_shuffler_was_looked_into_C15(
    make_table, looked, zone, counts
) -> None:
    table = make_table()
    table.flop()
    lost(table)
    table.press(Key.MANUAL)
    if looked:
        table.press(Key.ACK)
    table.see(zone, token(1, 40))
    assert (token(1, 40) in table.state.manual.shown, table.reasons) == (counts, [] if counts else ["not_released"])
