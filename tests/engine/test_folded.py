"""A card in the muck is at home there, and with its fellow a folded hand (H6)."""

import pytest

from bench.decided import only
from dealerbox.model.commands import Hold
from dealerbox.model.keys import Key
from dealerbox.model.zones import MUCK, seat


def astray(table):
    return [hold.token for hold in table.state.holds]


@pytest.mark.parametrize("how", ["read", "said"])
def test_a_card_in_the_muck_is_at_home_there_and_both_are_a_folded_hand(table, how) -> None:
    table.begun()
    if how == "said":
        table.let_out()
        table.wait(2000)
        table.press(Key.ACK)
    first = table.state.last_out if how == "said" else table.deal()
    holes = [first, *table.deal_street()]
    table.lose(seat(2), first)
    table.see(MUCK, first)
    record = table.state.out[first]
    assert (record.at, record.home, record.inferred, table.view.folded) == (MUCK, MUCK, False, ())
    table.see(MUCK, holes[3])
    assert (table.view.folded, table.state.strays, table.reasons) == ((2,), (), [])


def test_a_hand_folded_across_the_board_is_no_stray_any_more_and_ends_its_own_holds_alone(make_table) -> None:
    table = make_table(seats=(1, 2, 3, 4))
    cards = table.flop()
    for card, zone, to in ((cards[0], seat(2), seat(3)), (cards[1], seat(3), seat(4))):
        table.lose(zone, card)
        table.see(to, card)
    table.wait(2000)
    table.press(Key.NEXT)
    table.let_up()
    assert astray(table) == [cards[0], cards[1]]
    table.lose(seat(3), cards[0])
    table.see(MUCK, cards[0])
    assert (astray(table), table.state.strays) == ([cards[1]], (cards[1],))


def test_a_hand_that_is_folded_holds_nothing_anew_about_another_card_astray(make_table) -> None:
    table = make_table(seats=(1, 2, 3, 4))
    cards = table.flop()
    table.lose(seat(3), cards[1])
    table.see(seat(4), cards[1])
    table.wait(2000)
    table.press(Key.NEXT)
    table.let_up()
    assert astray(table) == [cards[1]]
    table.lose(seat(2), cards[0])
    assert only(table.see(MUCK, cards[0]), Hold) == []


def test_a_hand_that_is_still_to_get_its_second_card_is_not_folded_by_its_first_in_the_muck(table) -> None:
    table.begun()
    first = table.deal()
    table.see(MUCK, first)
    assert table.state.dead == frozenset()
