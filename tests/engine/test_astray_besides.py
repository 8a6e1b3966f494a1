"""Cards astray with two hands left, beside another fed in or laid aside (H11); what is held or comes besides."""

import pytest

from bench.decided import only
from dealerbox.model.cards import Token, token
from dealerbox.model.commands import Release, Return
from dealerbox.model.keys import Key
from dealerbox.model.setup import Dispense, House
from dealerbox.model.zones import BOARD, BURN, EXIT, INFEED, MUCK, seat


def moved(table, card, zone, to) -> None:
    table.lose(zone, card)
    table.see(to, card)


def test_with_two_hands_left_a_card_that_was_just_moved_keeps_the_next_one_until_it_has_settled_H11(make_table) -> None:
    table = make_table(seats=(1, 2))
    cards = table.holes()
    table.press(Key.NEXT)
    moved(table, cards[0], table.state.out[cards[0]].at, BOARD)
    table.card_up()
    table.see(EXIT, token(1, 5))
    assert only(table.wait(800), Release) == []
    table.wait(3000)
    assert table.reasons == ["card_strayed"]


def test_a_card_fed_in_takes_no_hold_from_another_that_lies_astray(table) -> None:
    cards = table.holes()
    moved(table, cards[0], seat(2), seat(1))
    table.wait(3000)
    table.press(Key.NEXT)
    table.let_up()
    assert [(held.token, held.zone) for held in table.state.holds] == [(cards[0], seat(1))]
    moved(table, cards[1], seat(3), INFEED)
    assert (cards[0], seat(1)) in [(held.token, held.zone) for held in table.state.holds]


def test_a_card_of_the_stub_read_at_the_infeed_shows_that_cards_come_H7(table) -> None:
    table.holes()
    table.press(Key.AWARD)
    assert Key.UNDO in table.view.lit
    table.returned(0)
    assert table.view.prompt_code == "feed"
    asked = table.see(INFEED, token(1, 40))
    assert (len(only(asked, Return)), table.view.prompt_code, Key.UNDO in table.view.lit) == (1, "gather", False)


def test_by_hand_a_card_astray_is_held_though_another_is_to_be_laid_aside_C15(make_table, given) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = given(table)
    cards = [dealt.lay(seat(number))[0] for number in (2, 3, 1)]
    table.press(Key.EXPOSED, 2)
    moved(table, cards[1], seat(3), seat(1))
    table.wait(3000)
    assert table.reasons == ["exposed_card", "card_strayed"]


def test_what_another_hold_is_about_stays_as_it_was_when_the_turn_is_called_premature_1811_2(table) -> None:
    cards = table.flop()
    table.press(Key.NEXT)
    turn = table.deal_street()[-1]
    table.see(MUCK, Token(2009))
    table.wait(1000)
    table.press(Key.PREMATURE)
    assert {held.reason.value: held.token for held in table.state.holds} == {
        "other_deck": Token(2009),
        "premature_turn": turn,
    }
    assert turn not in cards


@pytest.mark.parametrize("dispense", [Dispense.SINGLE, Dispense.HAND])
def test_one_hold_about_a_card_says_where_it_lies_now_and_ends_where_it_belongs_1812(
    make_table, flop, dispense
) -> None:
    table = make_table(house=House(dispense=dispense))
    if dispense is Dispense.HAND:
        flop(table)
    else:
        table.flop()
    burn = next(card for card, record in table.state.out.items() if record.at == BURN)
    table.see(MUCK, burn)
    table.lose(BURN, burn)
    table.press(Key.NEXT)
    if dispense is Dispense.HAND:
        table.wait(2000)
    else:
        table.asked_for()
    said = [(MUCK, "burn_in_muck"), (seat(2), "card_strayed"), (MUCK, "burn_in_muck"), (BOARD, "card_strayed")]
    lay = MUCK
    for zone, reason in said:
        if zone != lay:
            table.lose(lay, burn)
            table.see(zone, burn)
            table.wait(2000)
        lay = zone
        assert [(held.reason.value, held.zone) for held in table.view.holds] == [(reason, zone)]
    table.see(BURN, burn)
    assert table.reasons == []
