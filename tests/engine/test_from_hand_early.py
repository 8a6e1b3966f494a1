"""Dispensing by `hand` (C4), and cards of a street come while its round is open (1811(2), 1812, C6)."""

import pytest

from dealerbox.engine.state import Card, Condition
from dealerbox.model.commands import Refuse
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import Dispense, House
from dealerbox.model.zones import ASIDE, BOARD, BURN, MUCK, seat


@pytest.fixture
def table(make_table):
    return make_table(house=House(dispense=Dispense.HAND))


def test_a_burn_while_the_round_is_open_asks_and_NEXT_goes_on_under_1804A4(table, flop) -> None:
    dealt = flop(table)
    dealt.lay(BURN)
    assert table.reasons == ["round_open"]
    table.press(Key.NEXT)
    assert (table.view.expect, table.view.street, table.reasons) == (BOARD, "turn", [])


def test_burn_and_turn_within_one_scan_while_the_round_is_open_are_one_question(table, flop) -> None:
    dealt = flop(table)
    dealt.lay(BURN)
    dealt.lay(BOARD)
    assert table.reasons == ["round_open"]
    table.press(Key.NEXT)
    assert (table.view.phase, table.view.street, table.reasons) == ("betting", "turn", [])


def test_a_third_card_at_a_seat_is_held_under_1815_1_and_ends_with_a_misdeal(table, given) -> None:
    dealt = given(table)
    dealt.holes()
    dealt.lay(seat(3))
    assert table.reasons == ["too_many_cards"]
    table.press(Key.MISDEAL)
    assert (table.reasons, table.view.phase) == ([], "gathering")


def test_a_third_card_at_a_seat_after_action_costs_that_hand_under_1815_1(table, given) -> None:
    dealt = given(table)
    dealt.holes()
    table.press(Key.ACTION)
    dealt.lay(seat(3))
    table.rule(Ruling.HAND_DEAD, seat=2)
    assert table.reasons == ["too_many_cards"]
    table.rule(Ruling.HAND_DEAD, seat=3)
    assert (table.reasons, table.view.folded) == ([], (2, 3))


def test_a_fourth_card_with_the_flop_takes_the_flop_back_under_1811_2(table, flop) -> None:
    dealt = flop(table)
    dealt.lay(BOARD)
    assert table.reasons == ["too_many_flop"]


def test_a_card_dealt_while_the_flop_goes_back_is_held_under_1804B7(table, flop) -> None:
    dealt = flop(table)
    dealt.lay(BOARD)
    dealt.lay(seat(1))
    assert table.reasons == ["too_many_flop", "not_released"]


def test_PREMATURE_about_a_burn_alone_leaves_it_and_the_round_open_under_1812(table, flop) -> None:
    dealt = flop(table)
    dealt.lay(BURN)
    table.press(Key.PREMATURE)
    assert (table.view.street, table.view.phase, table.reasons) == ("flop", "betting", [])
    table.press(Key.NEXT)
    dealt.lay(BOARD)
    assert (table.view.street, table.view.phase, table.reasons) == ("turn", "betting", [])


def test_PREMATURE_about_the_burn_before_the_flop_leaves_it_too(table, given) -> None:
    dealt = given(table)
    dealt.holes()
    dealt.lay(BURN)
    table.press(Key.PREMATURE)
    table.press(Key.NEXT)
    dealt.lay(BOARD, 3)
    assert (table.view.counts["burn"], table.view.phase, table.reasons) == (1, "betting", [])


def test_burn_and_turn_seen_while_the_round_is_open_are_a_premature_turn_under_1811_2(table, flop) -> None:
    dealt = flop(table)
    dealt.lay(BURN)
    table.wait(1000)
    (turn,) = dealt.lay(BOARD)
    assert table.reasons == ["premature_turn"]
    table.see(ASIDE, turn)
    assert (table.view.street, table.view.phase, table.reasons) == ("flop", "betting", [])
    dealt.street(1)
    assert table.view.counts["board"] == 4


def test_NEXT_is_as_PREMATURE_while_a_premature_card_still_waits_aside_C6(table, flop) -> None:
    dealt = flop(table)
    dealt.lay(BURN)
    table.wait(1000)
    (early,) = dealt.lay(BOARD)
    table.see(ASIDE, early)
    dealt.street(1)
    dealt.lay(BURN)
    assert table.reasons == ["round_open"]
    table.press(Key.NEXT)
    assert (table.view.street, table.view.phase, table.reasons) == ("turn", "betting", [])


def test_what_is_held_while_the_round_is_open_names_card_zone_clause_and_what_ends_it(table, flop) -> None:
    dealt = flop(table)
    (card,) = dealt.lay(BURN)
    (held,) = table.state.holds
    assert (held.reason, held.clause, held.needs, held.zone, held.token) == (
        Reason.ROUND_OPEN,
        "1804A(6)",
        Condition.ACK,
        BURN,
        card,
    )
    assert (table.state.released.token, table.state.out[card].at) == (card, BURN)


def test_a_third_card_is_recorded_where_it_lies_and_waits_for_the_director(table, given) -> None:
    dealt = given(table)
    dealt.holes()
    (card,) = dealt.lay(seat(3))
    (held,) = table.state.holds
    assert (held.reason, held.needs, held.zone, held.token) == (
        Reason.TOO_MANY_CARDS,
        Condition.DIRECTOR,
        seat(3),
        card,
    )
    assert table.state.out[card] == Card(seat(3), seat(3), seat(3))


def test_PREMATURE_about_a_burn_that_was_lifted_again_is_refused(table, flop) -> None:
    dealt = flop(table)
    (card,) = dealt.lay(BURN)
    table.state.out = {**table.state.out, card: Card(MUCK)}
    assert table.press(Key.PREMATURE)[-1] == Refuse(Reason.NOT_NOW, "house", "premature", "")
