"""What a card seen means by what it is: let out or not, dealt, folded, when nothing is to come (H6, H8, C5, T6)."""

import pytest

from dealerbox.model import events as ev
from dealerbox.model.cards import Token, joker, token
from dealerbox.model.keys import Key
from dealerbox.model.zones import BOARD, BURN, EXIT, INFEED, MUCK, seat

STUB = token(1, 50)


def held(table):
    return [(h.reason.value, h.zone, h.to, h.token) for h in table.state.holds]


# Never let out (C5).


@pytest.mark.parametrize("zone", [BOARD, seat(2), MUCK])
def test_a_card_of_the_stub_outside_is_astray_until_it_is_at_the_exit_or_in_the_machine(table, zone) -> None:
    table.holes()
    table.see(zone, STUB)
    assert (held(table), table.state.strays) == ([("not_released", zone, EXIT, STUB)], (STUB,))
    table.see(zone, token(1, 51))
    table.lose(zone, STUB)
    table.see(EXIT, STUB)
    assert (held(table), STUB in table.state.out) == ([("not_released", zone, EXIT, token(1, 51))], False)
    assert (table.state.strays, table.state.order_lost) == ((token(1, 51),), False)


def test_fed_in_it_is_the_stubs_again_which_is_shuffled(table) -> None:
    table.holes()
    table.see(BOARD, STUB)
    table.see(INFEED, STUB)
    assert (held(table), STUB in table.state.out, table.state.order_lost) == ([], False, True)


def test_moved_about_it_is_held_once_and_where_it_was_seen_last(table) -> None:
    table.holes()
    table.see(BOARD, STUB)
    table.see(seat(2), STUB)
    assert (len(held(table)), table.state.out[STUB].at) == (1, seat(2))


# Folded (H6).


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
    assert [row[3] for row in held(table)] == [cards[0], cards[1]]
    table.lose(seat(3), cards[0])
    table.see(MUCK, cards[0])
    assert ([row[3] for row in held(table)], table.state.strays) == ([cards[1]], (cards[1],))


def test_a_hand_that_is_still_to_get_its_second_card_is_not_folded_by_its_first_in_the_muck(table) -> None:
    table.begun()
    first = table.deal()
    table.see(MUCK, first)
    assert table.state.dead == frozenset()


# When nothing remains to be dealt (H8).


@pytest.fixture
def showdown(table, brought_to):
    brought_to(table, "showdown")
    return table


@pytest.mark.parametrize("zone", [BOARD, seat(2), MUCK])
def test_at_the_showdown_sightings_are_records(showdown, zone) -> None:
    showdown.see(zone, STUB)
    assert (held(showdown), showdown.state.out[STUB].at, showdown.state.strays) == ([], zone, ())
    board = next(card for card, record in showdown.state.out.items() if record.home == BOARD)
    showdown.lose(BOARD, board)
    assert showdown.see(seat(1), board) == ()
    assert (showdown.state.out[board].at, showdown.state.strays, held(showdown)) == (seat(1), (), [])


@pytest.mark.parametrize("stranger", [Token(17), joker(1, 1), token(2, 3)])
def test_strangers_too(showdown, stranger) -> None:
    showdown.see(BOARD, stranger)
    showdown.wait(3000)
    assert (held(showdown), showdown.state.suspects) == ([], ())


# Seen again, after it was said to lie somewhere.


def test_what_a_reader_reads_is_no_persons_word_any_more(table) -> None:
    table.begun()
    card = table.let_out()
    table.wait(2000)
    table.press(Key.ACK)
    assert table.state.out[card].inferred
    table.see(seat(3), card)
    assert (table.state.out[card].at, table.state.out[card].inferred) == (seat(3), False)


def test_a_card_read_at_the_exit_before_it_is_let_out_ends_that_it_was_not_read_and_nothing_else(table) -> None:
    table.begun()
    number = table.state.memory.pending
    table.tell(lambda at: ev.CardUp(at, number))
    table.button(3)
    table.wait(3000)
    assert sorted(table.reasons) == ["button_moved", "card_unread"]
    table.see(EXIT, token(1, 1))
    assert table.reasons == ["button_moved"]


# Between hands (T6).


def test_a_stranger_fed_in_with_the_deck_costs_its_shuffle_and_is_named_once_1804A1(table) -> None:
    table.ready()
    table.see(INFEED, token(2, 3))
    assert (table.state.shuffled, table.state.intruders) == (0, (token(2, 3),))
    assert [(h.reason, h.clause, h.zone) for h in table.state.holds][0] == ("recount", "1804A(1)", INFEED)
    before = table.state.holds
    table.see(INFEED, token(2, 3))
    assert (table.state.intruders, table.state.holds) == ((token(2, 3),), before)


def test_a_card_of_the_deck_seen_between_hands_is_out_and_the_shuffle_is_worth_nothing_S1(table) -> None:
    table.ready()
    table.see(BURN, token(1, 4))
    assert (table.state.shuffled, table.state.out[token(1, 4)].at) == (0, BURN)
    assert table.reasons == []
