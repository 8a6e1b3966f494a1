"""UNBURN: a burn that came when no card could follow goes back on top of the stub, and is the next to be burned (1812).

Only where the stub is in the dealer's hand: no shuffler of the wire's first version takes a card back on top.
"""

from itertools import takewhile

from dealerbox.engine.facts import in_hand
from dealerbox.engine.holds import end_holds, has_hold, refuse
from dealerbox.engine.placing import step_done
from dealerbox.engine.state import NO_CARD, Card, Released, State
from dealerbox.law.plan import BOARD_CARDS, Step
from dealerbox.model.cards import Token
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import BOARD, BURN


def may_go_back(state: State) -> Token:
    """Return the burn that may go back on top of the stub, nothing having been dealt behind it; NO_CARD: none."""
    manual = state.manual
    if manual is None or not manual.proved or not in_hand(state) or state.released is not None or state.holds:
        return NO_CARD
    if state.early or state.returning or state.cut_owed or not state.plan:
        return NO_CARD
    first = state.plan[0]
    owed = sum(1 for _ in takewhile(first.__eq__, state.plan))
    if first.zone != BOARD or owed != BOARD_CARDS[first.street]:
        return NO_CARD
    burn = state.out.get(state.last_out)
    return state.last_out if burn is not None and burn.home == burn.dealt == BURN else NO_CARD


def unburn(state: State) -> State:
    """The burn let out last goes back on top: its step is owed again, and no other card will do (H4)."""
    card = may_go_back(state)
    if not card:
        return refuse(state, Reason.NOT_NOW, Key.UNBURN)
    state.plan = (Step(state.plan[0].street, BURN), *state.plan)
    state.out = {other: record for other, record in state.out.items() if other != card}
    state.strays = tuple(other for other in state.strays if other != card)
    state.unburned, state.last_out, state.undo = card, NO_CARD, None
    return state


def is_burned_again(state: State, card: Token) -> bool:
    """Tell whether this is the card that is to be burned, while another one was."""
    return card == state.unburned != NO_CARD and has_hold(state, Reason.UNBURN_OTHER)


def burned_again(state: State, card: Token) -> State:
    """The right card is burned; the other one is on top of the stub again, unless the burns' reader still reads it."""
    other = state.released
    assert other is not None
    state.released = None
    state = step_done(state, Released(card, other.step))
    if other.token in state.seen.get(BURN, {}):
        state.out = {**state.out, other.token: Card(BURN)}
        return state
    return _on_top(state, other.token)


def lies_on_top(state: State) -> bool:
    """Tell whether only a person can say that the other card is on top again: it is read no more, perhaps covered."""
    held = next((h for h in state.holds if h.reason is Reason.UNBURN_OTHER), None)
    return held is not None and not state.unburned and held.token not in state.seen.get(BURN, {})


def said_on_top(state: State, person: int) -> State:
    """The dealer has put the other card back on top."""
    for held in state.holds:
        if held.reason is Reason.UNBURN_OTHER:
            state = _on_top(state, held.token, person)
    return state


def _on_top(state: State, card: Token, person: int = 0) -> State:
    state.out = {other: record for other, record in state.out.items() if other != card}
    state.strays = tuple(other for other in state.strays if other != card)
    return end_holds(state, lambda h: h.token == card, person)
