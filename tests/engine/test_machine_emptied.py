"""When the machine is told that it is empty, and what makes an opened deck whole (S2, T1)."""

import pytest
from msgspec.structs import replace

from dealerbox.engine.between import emptied, start_fault, whole
from dealerbox.engine.state import Condition, DeckStatus, Standing
from dealerbox.law.custody import NEVER_NS, Since
from dealerbox.model.cards import DECK_SIZE
from dealerbox.model.reasons import Reason


@pytest.fixture
def agreed(table):
    """A machine that answers, agrees, and says itself that nothing is in it or at its exit."""
    table.ready()
    state = table.state
    state.memory = replace(state.memory, machine=0, exit_id=0, pending=0, pending_kind="")
    assert (state.up, state.disagrees, state.holds) == (True, False, ())
    return state


def away(state) -> None:
    state.up = False


def at_odds(state) -> None:
    state.disagrees = True


def cards_inside(state) -> None:
    state.memory = replace(state.memory, machine=3)


def card_at_the_exit(state) -> None:
    state.memory = replace(state.memory, exit_id=9)


def held(state) -> None:
    state.holds = (Standing(Reason.RECOUNT, "1804A(1)", Condition.DECK),)


@pytest.mark.parametrize("why", [away, at_odds, cards_inside, card_at_the_exit, held])
def test_each_thing_that_speaks_against_it_has_the_machine_told_that_it_is_empty(agreed, why) -> None:
    why(agreed)
    assert emptied(agreed, 1).memory.pending_kind == "Places"


def test_a_machine_that_says_so_itself_is_not_told(agreed) -> None:
    state = emptied(agreed, 1)
    assert (state.memory.pending, state.empty_owed, len(state.out)) == (0, False, DECK_SIZE)


@pytest.fixture
def filled(table):
    """A new deck, read and counted whole."""
    table.started()
    table.meet()
    state = table.state
    state.memory = replace(state.memory, machine=DECK_SIZE, pending=0, pending_kind="")
    state.out = {}
    assert whole(state)
    return state


@pytest.mark.parametrize(("up", "machine"), [(True, DECK_SIZE - 1), (False, DECK_SIZE), (False, 0)])
def test_a_deck_is_whole_when_the_machine_answers_and_counts_52_T1(filled, up, machine) -> None:
    filled.up, filled.memory = up, replace(filled.memory, machine=machine)
    assert not whole(filled)


@pytest.mark.parametrize(("clock", "fault"), [("counted", Reason.CLOCK_UNSURE), ("changed", Reason.NEW_SET_REQUIRED)])
def test_with_both_decks_used_an_unsure_change_needs_a_new_set_and_an_unsure_count_a_count_C12(
    table, clock, fault
) -> None:
    table.ready()
    state = table.state
    state.decks = tuple(
        replace(deck, status=DeckStatus.USED) if deck.slot != state.deck else deck for deck in state.decks
    )
    known = getattr(state, clock)
    setattr(state, clock, Since(NEVER_NS, known.latest_ns, here=False))
    found = start_fault(state)
    assert found is not None
    assert found[0] is fault
