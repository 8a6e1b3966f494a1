"""The released card, seen where its step wants it or elsewhere (C10), and what a step done leads to."""

from typing import Final

from msgspec.structs import replace

from dealerbox.engine.facts import held_cards, live_seats, read_besides, settling_ns
from dealerbox.engine.holds import end_holds, held_on, hold, turn_begins, wake
from dealerbox.engine.phases import DEALING, Trigger, move
from dealerbox.engine.state import NO_CARD, NOWHERE, SIGHT, Card, Condition, Released, State, arrived, change
from dealerbox.law.plan import Street
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import ASIDE, BOARD, BURN, EXIT, INFEED, SEATS, Zone, seat

PLACEMENT = frozenset({Reason.WRONG_SEAT, Reason.WRONG_ZONE, Reason.BURN_MISSING, Reason.BURN_EXTRA})
"""Holds about the released card in the wrong place (C10)."""
NOT_TWO = frozenset({Reason.TOO_MANY_CARDS, Reason.TOO_FEW_CARDS})
"""Holds about a seat that was not dealt two cards (1815(1))."""


def judged(state: State, zone: Zone, released: Released) -> State:
    """Judge a card on its way where it was seen."""
    step, card = released.step, released.token
    if zone == EXIT:
        return state
    if zone == step.zone:
        if not state.setup.house.correct_misplaced and any(h.token == card for h in state.holds):
            state.out = {**state.out, card: Card(zone, step.zone)}
            return state
        return landed(state, released)
    if released.unseen and state.released is released:
        state.released = replace(released, unseen=False)
    state.out = state.out.copy()
    state.out[card] = Card(zone, step.zone)
    if state.holds and any(h.token == card and h.reason in PLACEMENT for h in state.holds):
        return state
    return hold(
        state,
        _MISPLACED.get((step.zone, zone), _WRONG_ZONE),
        SIGHT,
        clause="1804B(10)" if zone == INFEED else step.clause,
        zone=zone,
        to=step.zone,
        token=card,
    )


def unjudged(state: State, zone: Zone, released: Released) -> State | None:
    """No sight answers for the dealer, whom the panel asks if the round was complete when this card came.

    Where it lies is judged once that is said. None: nobody is asked about this card.
    """
    asked = next((h for h in state.holds if h.reason is Reason.ROUND_OPEN and h.token == released.token), None)
    if asked is None or zone == EXIT:
        return None
    state.out = {**state.out, asked.token: Card(zone)}
    if zone == asked.zone:
        return state
    to = NOWHERE if zone == released.step.zone else released.step.zone
    return held_on(state, asked, asked.reason, asked.clause, zone, to)


def landed(state: State, released: Released) -> State:
    """A card on its way lies where its step wants it; after UNBURN no other card may be burned (1812)."""
    if state.unburned and released.step.zone == BURN and released.token != state.unburned:
        return _other_burned(state, released)
    return step_done(state, released)


def _other_burned(state: State, released: Released) -> State:
    """Another card was burned than the one on top: it goes back on top of that, and the first is burned (H4)."""
    card = released.token
    state.released = released
    state.out = {**state.out, card: Card(BURN, BURN)}
    state = end_holds(state, lambda h: h.token == card)
    return hold(state, Reason.UNBURN_OTHER, SIGHT, zone=BURN, token=card)


_WRONG_ZONE: Final = Reason.WRONG_ZONE
_MISPLACED: Final = {
    (BURN, BOARD): Reason.BURN_MISSING,
    (BOARD, BURN): Reason.BURN_EXTRA,
    **{(wanted, INFEED): Reason.CARD_STRAYED for wanted in (BOARD, BURN, ASIDE, *SEATS)},
    **{(wanted, other): Reason.WRONG_SEAT for wanted in SEATS for other in SEATS},
}
"""By the zone that a step names and the one where its card lies: the first row of the page that fits."""


def step_done(state: State, released: Released, inferred: bool = False) -> State:
    """A card on its way lies at its step's zone: the step is done."""
    zone, card = released.step.zone, released.token
    state.out = state.out.copy()
    state.out[card] = Card(zone, zone, zone, inferred)
    state.plan = state.plan[1:]  # what is on its way is for the first step; the cards of a group have equal ones
    state.last_out = card
    if card == state.unburned:
        state.unburned = NO_CARD
    if not state.along:
        state.released = None
    else:
        state = arrived(state, card)
        state = wake(state, state.now_ns + settling_ns(state))
    if state.holds:
        state = end_holds(state, lambda h: h.token == card)
        if read_besides(state, card, zone) is not None:  # where it was seen first it is read still (S5)
            state.strays = (*state.strays, card)
    return street_done(state)


def not_let_out(state: State) -> State:
    """The card that had its permit has not passed the gate: its step is owed."""
    released = state.released
    if released is None or released.passed_ns:
        return state
    state = arrived(state, released.token)
    return wake(state, state.now_ns + settling_ns(state)) if state.released is not None else state


def given_unasked(state: State) -> State:
    """The card that the machine gave unasked is the released card, where it lies in its step's zone (1804A(3))."""
    held = next((h for h in state.holds if h.reason is Reason.UNACCOUNTED_DISPENSE and not h.zone), None)
    if held is None or state.released is not None or state.phase is not DEALING or not state.plan:
        return state
    step = state.plan[0]
    for card, record in state.out.items():
        if record.at == step.zone and not record.home and card in state.seen.get(step.zone, {}):
            told = replace(held, zone=step.zone)
            state.holds = tuple(told if h is held else h for h in state.holds)
            state.strays = tuple(stray for stray in state.strays if stray != card)
            return step_done(state, Released(card, step))
    return state


def street_done(state: State) -> State:
    """Move on when the street has no step left."""
    if state.phase is not DEALING:
        return state
    if not state.plan:
        return turn_begins(change(state, phase=move(state.phase, Trigger.LAST_DEALT), nexted=False))
    if state.plan[0].street is not state.street:
        holes = state.street is Street.PREFLOP
        state = turn_begins(change(state, phase=move(state.phase, Trigger.DEALT)))
        return _two_each(state) if holes else state
    return state


def _two_each(state: State) -> State:
    """Each seat was dealt two cards, replacements counted (H5, 1815(1))."""
    for number in live_seats(state):
        cards = held_cards(state, number)
        if len(cards) > 2:
            state = hold(state, Reason.TOO_MANY_CARDS, Condition.DIRECTOR, zone=seat(number), token=cards[0])
        elif len(cards) < 2:
            state = hold(state, Reason.TOO_FEW_CARDS, Condition.DIRECTOR, zone=seat(number), token=(*cards, NO_CARD)[0])
    return state
