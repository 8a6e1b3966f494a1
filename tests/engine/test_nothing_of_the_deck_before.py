"""A deck that is opened begins with nothing of the one before: no read, no count, no shuffle, no key (1804A(1), S1)."""

import pytest

from dealerbox.engine.decks import change_deck, open_next, opening
from dealerbox.engine.state import DeckStatus, Reading, Undo, kept
from dealerbox.model.cards import token
from dealerbox.model.keys import Key

SECOND_DECK = {token(2, number) for number in range(1, 53)}


@pytest.fixture
def played(table):
    """The first deck was shuffled, counted, read in part, with a tag read twice; a key may be taken back."""
    table.ready()
    state = table.state
    state.shuffled, state.sealed, state.count_read, state.empty_owed, state.whole_read = 7, True, True, False, False
    state.reading = Reading(frozenset({token(1, 5)}), frozenset(), 51)
    state.twice = frozenset({token(1, 5)})
    state.undo = Undo(Key.AWARD, kept(state))
    return state


def worth(state) -> tuple[object, ...]:
    return state.shuffled, state.sealed, state.count_read, state.undo, state.reading, state.twice


NOTHING = (0, False, False, None, None, frozenset())


@pytest.mark.parametrize("status", [DeckStatus.USED, DeckStatus.QUARANTINED])
def test_the_next_deck_is_read_whole_from_its_first_card(played, status) -> None:
    state = change_deck(played, status)
    assert worth(state) == NOTHING
    assert (state.deck, set(state.out), state.whole_read, state.empty_owed) == (2, SECOND_DECK, True, True)


def test_where_there_is_no_next_deck_the_one_before_is_worth_as_little(played) -> None:
    played.decks = tuple(deck for deck in played.decks if deck.slot == played.deck)
    state = open_next(played)
    assert worth(state) == NOTHING
    assert (state.deck, state.out, state.empty_owed) == (0, {}, True)


def test_the_other_new_deck_put_in_instead_is_read_whole_too(played) -> None:
    state = opening(played, 2)
    assert (state.deck, set(state.out), state.whole_read) == (2, SECOND_DECK, True)
