"""A card that the machine gave unasked: the one that lies where the next is wanted, and no other (1804A(3))."""

import pytest

from dealerbox.engine.state import NO_CARD
from dealerbox.model.cards import token
from dealerbox.model.zones import BURN, MUCK, seat


def unasked(table) -> None:
    table.meet(agreed=False, why="ahead", last_id=table.state.memory.next_id + 3, machine=-1)
    assert "unaccounted_dispense" in table.reasons


@pytest.mark.parametrize("seen_first", [True, False])
def test_a_card_given_unasked_that_lies_where_the_next_one_goes_is_the_released_one(table, seen_first) -> None:
    """1804A(3), unaccounted_dispense: seen in its step's zone."""
    table.begun()
    table.deal()
    card, other = token(1, 30), token(1, 31)
    if seen_first:
        table.see(seat(3), card)
        assert table.reasons == ["not_released"]
    unasked(table)
    if not seen_first:
        table.see(seat(3), card)
    assert table.reasons == ["unaccounted_dispense"]
    assert (table.state.out[card].home, table.state.plan[0].zone) == (seat(3), seat(1))
    table.see(seat(1), other)
    assert table.reasons == ["unaccounted_dispense", "not_released"]
    assert table.state.last_out == card != NO_CARD


def test_it_is_the_cards_that_no_permit_was_given_for_and_no_stray_any_more(table) -> None:
    """1804A(3)."""
    table.begun()
    table.deal()
    table.see(seat(3), token(1, 30))
    unasked(table)
    assert (table.view.holds[0].zone, table.state.strays) == (seat(3), ())


def test_a_card_given_unasked_that_lies_elsewhere_is_no_reason_to_take_another_of_that_seat_for_it(table) -> None:
    """1804A(3): a seat that has its first card, and waits for the second."""
    table.begun()
    for _ in range(3):
        table.deal()
    table.see(MUCK, token(1, 30))
    unasked(table)
    assert (table.view.expect, [record.zone for record in table.state.plan[:3]]) == (
        seat(2),
        [seat(2), seat(3), seat(1)],
    )


def test_nor_is_one_that_was_lifted_again(table) -> None:
    """1804A(3): what no reader reads where the next card goes does not lie there."""
    table.begun()
    table.see(seat(2), token(1, 30))
    table.lose(seat(2), token(1, 30))
    unasked(table)
    assert (table.view.expect, table.state.out[token(1, 30)].home) == (seat(2), "")


def test_nor_does_it_burn_for_a_street_whose_round_is_open(table) -> None:
    """1804A(4): the round is not complete."""
    table.flop()
    table.see(BURN, token(1, 30))
    unasked(table)
    assert (table.view.street, table.view.burns) == ("flop", 1)
