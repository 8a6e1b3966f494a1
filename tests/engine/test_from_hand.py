"""Dispensing by `hand` (C4): the whole deck out of the shuffler, every card judged where it is first seen."""

import pytest
from msgspec.structs import replace

from bench.decided import refused
from dealerbox.engine.state import SIGHT
from dealerbox.model import events as ev
from dealerbox.model.cards import Token, token
from dealerbox.model.commands import Hold, Places
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import Dispense, House
from dealerbox.model.zones import ASIDE, BOARD, BURN, EXIT, INFEED, MUCK, seat

SCAN_MS, SETTLING_MS = 150, 1500


@pytest.fixture
def table(make_table):
    return make_table(house=House(dispense=Dispense.HAND))


def test_after_START_the_dealer_takes_the_whole_deck_out_and_nobody_is_held(table, opened) -> None:
    opened(table)
    assert (table.view.prompt_code, table.reasons, Key.ACK in table.view.lit) == ("given", [], True)


def test_the_shuffler_lets_no_card_out_by_itself(table) -> None:
    table.begun()
    table.wait(5000)
    assert (table.view.prompt_code, table.state.memory.pending) == ("given", 0)


def test_nothing_can_be_confirmed_before_the_shuffler_was_opened(table) -> None:
    table.begun()
    assert Key.ACK not in table.view.lit
    assert refused(table.press(Key.ACK)) == ["not_now"]


def test_the_shuffler_is_told_that_it_is_empty(table, opened) -> None:
    opened(table)
    (places,) = [command for command in table.press(Key.ACK) if isinstance(command, Places)]
    assert (places.machine, places.exit_id) == (0, 0)


def test_a_card_dealt_before_the_shuffler_was_looked_into_is_held_under_1804B7(table, opened) -> None:
    opened(table)
    table.see(seat(2), token(1, 1))
    assert table.reasons == ["not_released"]


def test_a_whole_hand_from_the_hand_is_played_without_a_hold_and_goes_back_into_the_shuffler(table, flop) -> None:
    dealt = flop(table)
    dealt.street(1)
    dealt.street(1)
    assert table.view.counts == {"board": 5, "burn": 3, "seat:1": 2, "seat:2": 2, "seat:3": 2, "stub": 38}
    table.press(Key.AWARD)
    assert (table.state.memory.pending_kind, table.view.counts["stub"]) == ("Return", 38)
    table.home()
    assert table.view.counts == {"stub": 52}
    table.button(2)
    table.press(Key.START)
    assert (table.view.prompt_code, table.reasons) == ("given", [])


def test_a_card_to_the_wrong_seat_is_held_under_1804A3_and_put_right(table, given) -> None:
    dealt = given(table)
    (card,) = dealt.lay(seat(3))
    table.wait(SCAN_MS)
    assert table.reasons == ["wrong_seat"]
    table.see(seat(2), card)
    assert (table.view.expect, table.reasons) == (seat(3), [])


def test_the_next_card_while_one_lies_wrong_is_held_under_1804B7(table, given) -> None:
    dealt = given(table)
    dealt.lay(BOARD)
    table.wait(2 * SCAN_MS)
    dealt.lay(seat(2))
    assert table.reasons == ["wrong_zone", "not_released"]


def test_two_cards_read_out_of_order_within_one_scan_are_judged_as_a_set(table, given) -> None:
    dealt = given(table)
    second, first = dealt.stub[1], dealt.stub[0]
    table.see(seat(3), second)
    table.see(seat(2), first)
    table.wait(1000)
    assert (table.view.expect, table.reasons) == (seat(1), [])


def test_the_flop_read_before_its_burn_within_one_scan_is_lawful(table, given) -> None:
    dealt = given(table)
    dealt.holes()
    table.press(Key.NEXT)
    burn = dealt.stub.pop(0)
    dealt.lay(BOARD, 3)
    table.see(BURN, burn)
    table.wait(1000)
    assert (table.view.phase, table.view.counts["board"], table.reasons) == ("betting", 3, [])


def test_the_flop_without_a_burn_is_held_a_scan_later_and_one_of_it_burned_ends_that_under_1804A4(table, given) -> None:
    dealt = given(table)
    dealt.holes()
    table.press(Key.NEXT)
    cards = dealt.lay(BOARD, 3)
    table.wait(SCAN_MS)
    assert table.reasons == ["burn_missing"]
    table.see(BURN, cards[2])
    assert (table.view.expect, table.reasons) == (BOARD, [])
    dealt.lay(BOARD)
    assert (table.view.phase, table.reasons) == ("betting", [])


def test_before_action_no_ruling_about_that_hand_takes_the_misdeal_away(table, given) -> None:
    dealt = given(table)
    dealt.holes()
    dealt.lay(seat(3))
    table.rule(Ruling.HAND_DEAD, seat=3)
    assert table.reasons == ["too_many_cards"]


def test_a_card_left_standing_at_another_seat_makes_two_hands_wrong_under_1815_1(table, given) -> None:
    dealt = given(table)
    for number in (2, 3, 1, 2, 3):
        dealt.lay(seat(number))
    dealt.lay(seat(3))
    table.wait(SCAN_MS)
    table.rule(Ruling.STAND)
    dealt.lay(seat(1))
    assert table.reasons == ["too_many_cards"]


def test_a_stranger_at_the_zone_of_the_wanted_step_was_in_the_deck_1819(table, given) -> None:
    given(table)
    table.see(seat(2), Token(2009))
    assert table.reasons == ["defective_deck"]


def test_a_stranger_elsewhere_was_brought_to_the_table_1824(table, given) -> None:
    given(table)
    table.see(MUCK, Token(2009))
    assert table.reasons == ["other_deck"]


def test_a_burn_steadily_in_the_muck_is_held_when_the_next_card_is_asked_for_1812(table, flop) -> None:
    dealt = flop(table)
    burn = token(1, 7)
    table.lose(BURN, burn)
    table.see(MUCK, burn)
    table.wait(2000)
    assert table.reasons == []
    table.press(Key.NEXT)
    assert table.reasons == ["burn_in_muck"]
    table.see(BURN, burn)
    dealt.lay(BURN)
    assert (table.view.expect, table.reasons) == (BOARD, [])


def test_a_stub_card_fed_into_the_shuffler_is_held_under_1804B7(table, flop) -> None:
    dealt = flop(table)
    dealt.lay(INFEED)
    assert table.reasons == ["not_released"]


def test_START_is_taken_back_before_the_shuffler_was_opened(table) -> None:
    table.begun()
    table.press(Key.UNDO)
    assert (table.view.phase, Key.START in table.view.lit) == ("between", True)
    table.press(Key.START)
    assert table.view.prompt_code == "given"


def test_START_taken_back_with_the_shuffler_open_asks_for_it_empty_and_all_52(table, opened) -> None:
    opened(table)
    table.press(Key.UNDO)
    assert table.view.prompt_code == "empty"
    table.press(Key.ACK)
    pending = table.state.memory.pending
    table.tell(lambda at: ev.PlacesSet(at, pending))
    table.meet()
    table.home()
    assert Key.START in table.view.lit


def test_START_is_not_taken_back_once_the_deck_is_in_the_hand(table, given) -> None:
    given(table)
    assert refused(table.press(Key.UNDO)) == ["not_now"]


def test_award_is_taken_back_with_the_stub_in_the_hand(table, flop) -> None:
    dealt = flop(table)
    out = table.state.out
    table.press(Key.AWARD)
    table.press(Key.UNDO)
    assert (table.state.out, table.view.phase) == (out, "betting")
    dealt.street(1)
    assert table.reasons == []


def test_a_hand_misdealt_before_the_deck_was_out_leaves_it_in_the_shuffler(table) -> None:
    table.begun()
    table.press(Key.MISDEAL)
    assert table.state.memory.pending_kind == "Shuffle"


def test_the_red_lamp_is_on_before_the_next_card_is_seen_P1(table, given) -> None:
    dealt = given(table)
    dealt.lay(seat(3))
    commands = table.wait(SCAN_MS)
    assert [command.reason.value for command in commands if isinstance(command, Hold)] == ["wrong_seat"]
    assert table.view.lamp == "red"


def test_a_seat_of_which_no_card_is_owed_any_more_and_one_was_dealt_is_too_few_cards_under_1815_1(table, given) -> None:
    """Whatever took the step out of the plan: before the first bet each seat has two."""
    dealt = given(table)
    for number in (2, 3, 1, 2):
        dealt.lay(seat(number))
    table.state = replace(table.state, plan=table.state.plan[:1] + table.state.plan[2:])
    dealt.lay(seat(3))
    assert (table.reasons, table.view.holds[0].zone) == (["too_few_cards"], seat(1))


def test_a_strange_card_dealt_in_one_scan_with_the_card_before_it_was_in_the_deck_1819(table, given) -> None:
    dealt = given(table)
    table.see(seat(3), Token(2009))
    dealt.lay(seat(2))
    table.wait(SCAN_MS)
    assert table.reasons == ["defective_deck"]


def test_the_card_dealt_in_one_scan_behind_a_strange_one_is_not_called_wrong(table, given) -> None:
    dealt = given(table)
    dealt.lay(seat(3))
    table.see(seat(2), Token(9))
    table.wait(2 * SCAN_MS)
    assert table.reasons == ["defective_deck"]


def test_a_card_brought_to_the_table_and_taken_away_is_proved_by_the_stub_shown_anew_1824(table, flop) -> None:
    dealt = flop(table)
    table.see(MUCK, Token(2009))
    table.lose(MUCK, Token(2009))
    assert table.view.prompt_code == "manual_show"
    table.show(*dealt.stub)
    table.press(Key.ACK)
    table.rule(Ruling.STAND)
    dealt.street(1)
    assert table.reasons == []


def test_a_stub_dropped_on_the_muck_is_held_card_by_card_under_1804B7(table, flop) -> None:
    dealt = flop(table)
    dealt.lay(MUCK, 3)
    assert table.reasons == ["round_open", "not_released", "not_released"]


def test_a_strange_card_on_the_burns_in_a_betting_round_was_brought_1824(table, flop) -> None:
    flop(table)
    table.see(BURN, Token(2009))
    assert table.reasons == ["other_deck"]


def test_where_the_house_wants_a_ruling_no_other_card_of_the_scan_ends_the_hold_C10(make_table, given) -> None:
    table = make_table(house=House(dispense=Dispense.HAND, correct_misplaced=False))
    dealt = given(table)
    dealt.holes()
    table.press(Key.NEXT)
    cards = dealt.lay(BOARD, 3)
    table.wait(SCAN_MS)
    table.see(BURN, cards[2])
    assert table.reasons == ["burn_missing"]


def test_a_shuffle_is_spent_once_the_shuffler_was_opened_for_the_hand_S1(table, opened) -> None:
    opened(table)
    table.press(Key.UNDO)
    assert table.state.shuffled == 0


def test_a_card_out_of_turn_is_astray_where_it_lies_and_belongs_into_the_shuffler(table, flop) -> None:
    dealt = flop(table)
    dealt.lay(MUCK)
    (card,) = dealt.lay(MUCK)
    held = table.state.holds[-1]
    assert (held.reason, held.needs, held.zone, held.to, held.token) == (Reason.NOT_RELEASED, SIGHT, MUCK, EXIT, card)
    assert card in table.state.strays


@pytest.mark.parametrize("ruled", [False, True])
def test_a_card_put_right_and_then_called_faced_is_held_once_1820(table, flop, ruled) -> None:
    """The burns read it a moment longer: it lies where it was put, and belongs aside since the key."""
    flop(table)
    table.press(Key.NEXT)
    burn, turn = token(1, 40), token(1, 41)
    table.see(BURN, burn)
    table.see(BURN, turn)
    assert table.reasons == ["burn_extra"]
    table.see(BOARD, turn)
    table.press(Key.FACED)
    table.lose(BURN, turn)
    if ruled:
        table.rule(Ruling.HAND_DEAD, seat=3)
    table.wait(4 * SETTLING_MS)
    assert (table.reasons, table.state.out[turn].home) == (["faced_card"], ASIDE)
    table.lose(BOARD, turn)
    table.see(ASIDE, turn)
    assert table.reasons == []
