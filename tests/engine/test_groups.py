"""Dispensing by `group` (1809, C4): so many releases in a row, and the group judged where its cards are seen."""

import pytest

from bench.narrator import deck
from dealerbox.model import events as ev
from dealerbox.model.cards import token
from dealerbox.model.commands import WakeAt
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Dispense, House
from dealerbox.model.shuffler import Cap, Cycle
from dealerbox.model.zones import BOARD, BURN, EXIT, seat

GROUP = House(dispense=Dispense.GROUP)


@pytest.fixture
def table(make_table):
    return make_table(house=GROUP)


def let_out(table, cards):
    return [table.let_out() for _ in range(cards)]


def brought_up(table, *cards):
    """The machine brings a card up; the exit reader names these."""
    assert table.state.memory.pending_kind == "Dispense"
    table.card_up()
    table.see(EXIT, *cards)
    table.wait(200)


def passed(table):
    release, exit_id = table.state.memory.pending, table.state.memory.exit_id
    assert table.state.memory.pending_kind == "Release"
    table.tell(lambda at: ev.CardPassed(at, release, exit_id))


def test_both_cards_of_a_seat_come_before_either_is_seen_there(table) -> None:
    table.begun()
    first, second = let_out(table, 2)
    assert (table.view.expect, table.view.prompt) == (seat(2), "Deal both cards together to seat 2.")
    table.see(seat(2), first, second)
    assert (table.view.expect, table.reasons) == (seat(3), [])


def test_order_inside_the_group_is_free(table) -> None:
    table.begun()
    first, second = let_out(table, 2)
    table.see(seat(2), second)
    assert table.view.expect == seat(2)
    table.see(seat(2), first)
    assert (table.view.expect, table.reasons) == (seat(3), [])


def test_no_card_of_the_next_group_goes_before_the_last_of_this_one_is_seen(table) -> None:
    table.begun()
    first, _ = let_out(table, 2)
    table.see(seat(2), first)
    brought_up(table, token(1, 3))
    table.wait(1000)
    assert table.state.memory.pending_kind == ""


def test_the_next_one_goes_while_the_first_still_lies_in_the_outlet(table) -> None:
    table.begun()
    brought_up(table, token(1, 1))
    passed(table)
    brought_up(table, token(1, 2))
    passed(table)
    assert table.state.memory.pending_kind == "Dispense"


def test_two_new_cards_for_one_dispense_inside_a_group_are_held_under_1804A3(table) -> None:
    table.begun()
    brought_up(table, token(1, 1))
    passed(table)
    brought_up(table, token(1, 2), token(1, 3))
    assert table.reasons == ["double_feed"]


def test_without_present_ahead_the_next_of_a_group_comes_up_when_the_outlet_is_empty(table) -> None:
    table.ready()
    table.meet(machine=52, caps=int(~Cap.PRESENT_AHEAD), token_id=table.state.shuffled)
    table.press(Key.START)
    brought_up(table, token(1, 1))
    passed(table)
    assert table.state.memory.pending_kind == ""
    table.lose(EXIT, token(1, 1))
    brought_up(table, token(1, 2))
    passed(table)
    assert len(table.state.out) == 2


def test_a_group_divided_between_two_seats_is_held_under_1804A3_and_put_right(table) -> None:
    table.begun()
    first, second = let_out(table, 2)
    table.see(seat(2), first)
    table.see(seat(3), second)
    assert table.reasons == ["wrong_seat"]
    table.see(seat(2), second)
    assert (table.view.expect, table.reasons) == (seat(3), [])


def test_a_card_of_the_group_gone_astray_stops_the_rest_of_it(table) -> None:
    table.begun()
    first = table.let_out()
    table.see(seat(3), first)
    assert table.reasons == ["wrong_seat"]
    number = table.state.memory.pending
    table.tell(lambda at: ev.CommandVoid(at, number, "held"))
    table.wait(2000)
    assert table.state.memory.pending_kind == ""
    table.see(seat(2), first)
    table.see(seat(2), table.let_out())
    assert (table.view.expect, table.reasons) == (seat(3), [])


def test_the_flop_comes_as_three_behind_a_burn_alone(table) -> None:
    table.holes()
    table.press(Key.NEXT)
    burn = table.let_out()
    assert table.state.memory.pending_kind == "Dispense"
    table.wait(1000)
    table.see(BURN, burn)
    table.see(BOARD, *let_out(table, 3))
    assert (table.view.phase, table.view.counts["board"], table.reasons) == ("betting", 3, [])


def test_a_whole_hand_in_groups_is_played_without_a_hold(table) -> None:
    table.flop()
    for _ in range(2):
        table.press(Key.NEXT)
        table.deal_street()
    assert table.view.counts == {"board": 5, "burn": 3, "seat:1": 2, "seat:2": 2, "seat:3": 2, "stub": 38}
    table.press(Key.AWARD)
    table.home()
    table.button(2)
    table.press(Key.START)
    assert table.view.phase == "dealing"


def test_a_group_not_seen_in_time_is_asked_for_card_by_card(table) -> None:
    table.begun()
    let_out(table, 2)
    table.wait(1600)
    assert table.view.prompt_code == "unseen"
    table.press(Key.ACK)
    table.wait(1600)
    assert table.view.prompt_code == "unseen"
    table.press(Key.ACK)
    assert (table.view.expect, table.view.counts["seat:2"]) == (seat(3), 2)


def test_a_group_is_not_asked_for_before_its_last_card_was_let_out(table) -> None:
    table.begun()
    table.let_out()
    table.wait(4000)
    assert table.view.prompt_code == "deal"


def test_a_release_that_comes_to_nothing_leaves_the_card_before_it_on_its_way(table) -> None:
    table.begun()
    first = table.let_out()
    brought_up(table, token(1, 2))
    release, exit_id = table.state.memory.pending, table.state.memory.exit_id
    table.tell(lambda at: ev.CardNotTaken(at, release, exit_id))
    table.see(seat(2), first)
    assert (table.view.expect, table.reasons) == (seat(2), [])
    table.wait(200)
    passed(table)
    table.see(seat(2), token(1, 2))
    assert (table.view.expect, table.reasons) == (seat(3), [])


def test_award_taken_back_finds_both_cards_of_the_group_on_their_way(table) -> None:
    table.begun()
    first, second = let_out(table, 2)
    table.press(Key.AWARD)
    table.see(seat(2), first)
    table.press(Key.UNDO)
    table.see(seat(2), second)
    assert (table.view.expect, table.reasons) == (seat(3), [])


def test_manual_in_the_middle_of_a_group_waits_for_its_card_and_goes_on_by_hand_under_1809(table) -> None:
    table.begun()
    first = table.let_out()
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    table.show(*deck(1)[1:])
    table.press(Key.ACK)
    table.wait(2000)
    assert table.view.prompt_code == "unseen"
    table.see(seat(2), first)
    table.see(seat(2), token(1, 2))
    assert (table.view.expect, table.reasons) == (seat(3), [])


def test_STAND_takes_the_card_of_a_group_where_it_lies_and_the_other_still_goes_its_way(table) -> None:
    table.begun()
    first, second = let_out(table, 2)
    table.see(seat(3), first)
    table.rule(Ruling.STAND)
    table.see(seat(2), second)
    assert (table.reasons, table.view.expect) == ([], seat(2))


def test_a_stub_whose_order_was_lost_is_shuffled_though_a_card_of_the_group_is_on_its_way_S2(table) -> None:
    table.begun()
    table.let_out()
    number = table.state.memory.pending
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    table.tell(lambda at: ev.CommandVoid(at, number, "fenced"))
    table.meet(machine=51)
    table.cycle(Cycle.COUNT, 51)
    table.press(Key.ACK)
    assert table.reasons == []
    assert table.state.memory.pending_kind == "Shuffle"


def test_the_card_before_one_that_was_not_taken_is_asked_for_once_it_settled_and_no_moment_sooner(table) -> None:
    table.begun()
    table.let_out()
    brought_up(table, token(1, 2))
    release, exit_id = table.state.memory.pending, table.state.memory.exit_id
    table.wait(1000)
    table.button(3)
    table.wait(2000)
    told = table.tell(lambda at: ev.CardNotTaken(at, release, exit_id))
    assert [command.at_ns - table.now_ns for command in told if isinstance(command, WakeAt)] == [1_500_000_000]


def test_no_card_is_waited_for_behind_one_that_was_not_taken_and_was_the_only_one(make_table) -> None:
    table = make_table()
    table.begun()
    table.let_up()
    table.button(3)
    table.wait(2000)
    release, exit_id = table.state.memory.pending, table.state.memory.exit_id
    told = table.tell(lambda at: ev.CardNotTaken(at, release, exit_id))
    assert [command for command in told if isinstance(command, WakeAt)] == []
