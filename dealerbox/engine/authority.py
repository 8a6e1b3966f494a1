"""Who may take the table, and how many must agree: a technician between hands, two persons for a ruling."""

from typing import Final

from msgspec.structs import replace

from dealerbox.engine.between import shown_anew
from dealerbox.engine.facts import by_hand, in_hand
from dealerbox.engine.holds import end_holds, has_hold, hold, refuse
from dealerbox.engine.phases import Phase
from dealerbox.engine.state import Condition, FirstWord, State, change
from dealerbox.model.events import DeviceLent, Ruled, ServiceBegan, ServiceEnded
from dealerbox.model.keys import Ruling
from dealerbox.model.reasons import Reason

SECOND_NS: Final = 120_000_000_000
"""How long a ruling waits for the second person."""
ENDING: Final = frozenset({Ruling.STAND, Ruling.TO_STUB, Ruling.HAND_DEAD, Ruling.RETRIEVE, Ruling.VOID_HAND})
"""Rulings that may end a hold."""


def service_began(state: State, event: ServiceBegan) -> State:
    """Hold the table for a technician; refused in mid-hand. What is in the machine then is not known any more (S2)."""
    state = change(state, refused=None)
    if in_hand(state):
        return refuse(state, Reason.SERVICE, "service")
    state = hold(change(state, undo=None), Reason.SERVICE, Condition.DEVICE)
    return _unknown(state)


def service_ended(state: State, event: ServiceEnded) -> State:
    """Give the table back: every card out of the machine, then a full count; by hand each card shown anew (S2, C15)."""
    state = change(state, refused=None)
    if not has_hold(state, Reason.SERVICE):
        return _not_in_service(state, "service")
    state = _unknown(state)
    if state.phase is not Phase.CLOSED and state.deck:
        if by_hand(state):
            state = shown_anew(state)
        state = hold(state, Reason.RECOUNT, Condition.DECK, device=state.setup.shuffler)
    return end_holds(state, lambda h: h.reason is Reason.SERVICE, person=1)


def device_lent(state: State, event: DeviceLent) -> State:
    """Leave a device to a technician who has the table; refused to one who has not. Its loss is told besides."""
    state = change(state, refused=None)
    return state if has_hold(state, Reason.SERVICE) else _not_in_service(state, "lend")


def _not_in_service(state: State, asked: str) -> State:
    """Refuse what needs the table; in mid-hand by the name of what is none of the dealer's (`station.show`)."""
    return refuse(state, Reason.SERVICE if in_hand(state) else Reason.NOT_NOW, asked)


def _unknown(state: State) -> State:
    return change(state, shuffled=0, count_read=False, empty_owed=state.phase is not Phase.CLOSED)


def waits_for_another(state: State, event: Ruled) -> bool:
    """Tell whether a ruling is the word of one where the house asks for two."""
    if not state.setup.house.two_persons or not state.holds or event.ruling not in ENDING:
        return False
    first = state.first_word
    return (
        first is None
        or first.ruled.by == event.by
        or first.hold_key != state.memory.hold_key
        or state.now_ns - first.ruled.at_ns > SECOND_NS
        or replace(first.ruled, at_ns=event.at_ns, by=event.by, reason=event.reason) != event
    )


def first_word(state: State, event: Ruled) -> State:
    """Keep a ruling until another person gives it too."""
    kept = FirstWord(replace(event, at_ns=state.now_ns), state.memory.hold_key)
    return refuse(change(state, first_word=kept), Reason.SECOND_PERSON, event.ruling)
