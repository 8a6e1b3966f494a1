"""Between hands: a card seen is out and costs the shuffle; one that moves leaves AWARD to be taken back (T6, S1)."""

import pytest

from bench.decided import only, refused
from dealerbox.model.cards import Token, token
from dealerbox.model.commands import Hold
from dealerbox.model.keys import Key
from dealerbox.model.zones import BOARD, BURN, INFEED, MUCK, seat


@pytest.mark.parametrize("stranger", [token(2, 3), Token(17)])
def test_a_stranger_fed_in_with_the_deck_costs_its_shuffle_and_is_named_once_1804A1(table, stranger) -> None:
    table.ready()
    first = only(table.see(INFEED, stranger), Hold)[0]
    assert (first.reason, first.clause, first.zone) == ("recount", "1804A(1)", INFEED)
    assert (table.state.shuffled, table.state.intruders) == (0, (stranger,))
    assert [(h.reason, h.clause, h.zone) for h in table.state.holds][0] == ("recount", "1804A(1)", INFEED)
    before = table.state.holds
    table.see(INFEED, stranger)
    assert (table.state.intruders, table.state.holds) == ((stranger,), before)


@pytest.mark.parametrize("zone", [BURN, BOARD])
def test_a_card_of_the_deck_seen_between_hands_is_out_and_the_shuffle_is_worth_nothing_S1(table, zone) -> None:
    table.ready()
    assert table.state.shuffled
    table.see(zone, token(1, 4))
    assert (table.state.shuffled, table.state.out[token(1, 4)].at) == (0, zone)
    assert table.reasons == []


@pytest.mark.parametrize("key", [Key.AWARD, Key.MISDEAL])
def test_a_card_that_moves_on_the_table_leaves_AWARD_to_be_taken_back_and_no_MISDEAL(table, key) -> None:
    cards = table.holes()
    table.press(key)
    table.lose(seat(2), cards[0])
    table.see(MUCK, cards[0])
    taken_back = not refused(table.press(Key.UNDO))
    assert taken_back is (key is Key.AWARD)
    assert (table.view.phase == "betting") is taken_back


@pytest.mark.parametrize("key", [Key.AWARD, Key.MISDEAL])
def test_one_that_is_read_again_where_it_lay_leaves_either_to_be_taken_back(table, key) -> None:
    cards = table.holes()
    table.press(key)
    table.lose(seat(2), cards[0])
    table.see(seat(2), cards[0])
    assert not refused(table.press(Key.UNDO))


def test_a_card_that_moved_between_AWARD_and_UNDO_is_the_card_that_was_dealt_and_has_strayed(table) -> None:
    cards = table.holes()
    table.press(Key.AWARD)
    table.lose(seat(2), cards[0])
    table.see(seat(3), cards[0])
    table.press(Key.UNDO)
    record = table.state.out[cards[0]]
    assert (record.at, record.home, record.dealt, table.state.strays) == (seat(3), seat(2), seat(2), (cards[0],))
