"""Limits and names at their edge: a card too many or too few, a button just settled, a name that is none."""

import pytest
from msgspec.structs import replace

from bench.decided import only
from dealerbox.engine.state import NO_CARD, DeckStatus
from dealerbox.model import events as ev
from dealerbox.model.commands import Refuse
from dealerbox.model.reasons import Reason
from dealerbox.model.shuffler import Memory
from dealerbox.model.zones import seat


def all_but_one(table):
    """Each seat but the last has its two cards."""
    table.begun()
    return [table.deal() for _ in range(5)]


def dealt_to(table, card, number: int) -> None:
    state = table.state
    state.out = {**state.out, card: replace(state.out[card], dealt=seat(number), home=seat(number), at=seat(number))}


def test_a_seat_with_three_cards_and_one_with_one_are_held_each_about_its_first_card_1815_1(table) -> None:
    cards = all_but_one(table)
    dealt_to(table, cards[1], 2)
    table.deal()
    held = {(told.reason, told.zone, told.token) for told in table.state.holds}
    assert held == {
        (Reason.TOO_MANY_CARDS, seat(2), cards[0]),
        (Reason.TOO_FEW_CARDS, seat(3), cards[4]),
    }


def test_a_seat_without_any_card_is_held_about_none_1815_1(table) -> None:
    cards = all_but_one(table)
    for card in (cards[1], cards[4]):
        dealt_to(table, card, 1)
    table.deal()
    assert (Reason.TOO_FEW_CARDS, seat(3), NO_CARD) in {
        (told.reason, told.zone, told.token) for told in table.state.holds
    }


@pytest.mark.parametrize(("late_ns", "reasons"), [(0, []), (1, ["button_moved"])])
def test_the_button_has_moved_once_it_lay_there_longer_than_the_settling_time_1804A3(table, late_ns, reasons) -> None:
    table.holes()
    table.button(2)
    table.now_ns = table.state.button_since_ns + table.setup.house.settling_ms * 1_000_000 + late_ns
    table.tell(ev.Tick, 0)
    assert table.reasons == reasons


def test_a_dealer_named_by_nobody_is_refused_as_such_1830_2(table) -> None:
    table.ready()
    (refusal,) = only(table.tell(lambda at: ev.DealerNamed(at, "D-4", " ")), Refuse)
    assert (refusal.reason, refusal.asked) == (Reason.NO_AUTHORITY, "dealer")


def test_a_table_that_lost_its_last_deck_opens_with_a_new_one_at_the_next_start_T1(table) -> None:
    table.ready()
    state = table.state
    state.deck, state.out, state.set_used = 0, {}, 0
    state.decks = tuple(replace(deck, status=DeckStatus.NEW) for deck in state.decks)
    table.tell(lambda at: ev.Started(at, setup=table.setup, memory=Memory(session=2), boot_id=""))
    assert (table.view.phase, table.state.deck, len(table.state.out)) == ("opening", 1, 52)
