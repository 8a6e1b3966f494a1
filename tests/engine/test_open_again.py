"""What a key that is taken back leaves to be judged: what came to the table meanwhile, and a card on its way."""

import pytest

from dealerbox.model.cards import Token
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.zones import ASIDE, BOARD, EXIT, INFEED, MUCK, seat


def comes_to_lie(table) -> str:
    table.see(BOARD, Token(2009))
    return "other_deck"


def joker_comes_to_lie(table) -> str:
    table.see(MUCK, Token(1061))
    return "joker_present"


def button_strays(table) -> str:
    table.button(3)
    table.wait(3000)
    return "button_moved"


@pytest.mark.parametrize("happens", [comes_to_lie, joker_comes_to_lie, button_strays])
@pytest.mark.parametrize("key", [Key.AWARD, Key.MISDEAL])
def test_what_meant_nothing_while_the_hand_was_over_is_held_when_it_is_open_again_1824_1804A3(
    table, key, happens
) -> None:
    table.holes()
    table.press(key)
    reason = happens(table)
    assert table.reasons == []
    table.press(Key.UNDO)
    table.wait(2000)
    assert (table.view.phase, table.reasons) == ("betting", [reason])


@pytest.mark.parametrize("zone", [ASIDE, EXIT])
def test_what_may_have_lain_there_before_is_not_held_when_the_hand_is_open_again_H1(table, zone) -> None:
    table.holes()
    table.press(Key.AWARD)
    table.see(zone, Token(2009))
    table.press(Key.UNDO)
    table.wait(2000)
    assert table.reasons == []


def test_at_a_showdown_that_is_open_again_strangers_are_records_H8(table, brought_to) -> None:
    brought_to(table, "showdown")
    table.press(Key.AWARD)
    table.see(BOARD, Token(2009))
    table.press(Key.UNDO)
    table.wait(2000)
    assert (table.view.phase, table.reasons) == ("showdown", [])


def test_an_award_is_taken_back_no_more_once_a_strange_card_has_gone_into_the_shuffler_1817(table) -> None:
    table.holes()
    table.press(Key.AWARD)
    table.see(INFEED, Token(2009))
    assert Key.UNDO not in table.view.lit
    table.press(Key.UNDO)
    assert table.view.phase == "gathering"


def test_a_card_that_nobody_saw_is_asked_for_when_what_was_called_of_it_is_taken_back_H10(table) -> None:
    table.begun()
    table.let_out()
    table.press(Key.EXPOSED)
    table.wait(2000)
    assert table.view.prompt_code == "unseen"
    table.press(Key.UNDO)
    assert (table.view.expect, table.view.prompt_code) == (seat(2), "unseen")


def test_no_card_is_astray_once_a_call_is_taken_back_though_the_director_has_ruled_on_another_hand_H11(table) -> None:
    table.flop()
    table.press(Key.NEXT)
    (*_, card) = table.deal_street()
    table.press(Key.PREMATURE)
    table.rule(Ruling.HAND_DEAD, seat=3)
    assert table.state.strays == (card,)
    table.press(Key.UNDO)
    assert (table.reasons, table.state.strays) == ([], ())
