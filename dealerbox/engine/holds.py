"""Raising and ending holds, asking for time, telling notices: the small verbs of the engine."""

from bisect import insort
from collections.abc import Callable

from msgspec.structs import replace

from dealerbox.engine.state import NO_CARD, NOWHERE, Condition, Standing, State, Turn, change
from dealerbox.law.custody import SECOND_NS
from dealerbox.law.irregularities import IRREGULARITIES
from dealerbox.model.cards import Token
from dealerbox.model.commands import Clear, Command, Hold, Notice, Refuse, WakeAt
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import Zone


def tell(state: State, *commands: Command) -> State:
    """Add commands to the answer."""
    state.out_commands += commands
    return state


def hold(
    state: State,
    reason: Reason,
    needs: Condition,
    *,
    clause: str = "",
    zone: Zone = NOWHERE,
    to: Zone = NOWHERE,
    token: Token = NO_CARD,
    device: str = "",
) -> State:
    """Raise a hold, unless one of this reason, token and device stands already; of neither: of this zone."""
    for standing in state.holds:
        same = standing.reason is reason and standing.token == token and standing.device == device
        if same and (token or device or standing.zone == zone):
            return state
    clause = clause or IRREGULARITIES[reason].clause
    key = state.memory.hold_key + 1
    state.memory = replace(state.memory, hold_key=key)
    state.holds += (Standing(reason, clause, needs, zone, to, token, device),)
    state.out_commands += (Hold(key=key, reason=reason, clause=clause, zone=zone, to=to),)
    return state


def held_on(state: State, standing: Standing, reason: Reason, clause: str, zone: Zone, to: Zone | None = None) -> State:
    """Let a standing hold say what has become of its card since, under a new key: it ends no earlier for that.

    `to` None: the card belongs where it did.
    """
    now = replace(standing, reason=reason, clause=clause, zone=zone, to=standing.to if to is None else to)
    key = state.memory.hold_key + 1
    state.memory = replace(state.memory, hold_key=key)
    state.holds = tuple(now if one is standing else one for one in state.holds)
    return tell(state, Hold(key=key, reason=reason, clause=clause, zone=zone, to=now.to))


def end_holds(state: State, ends: Callable[[Standing], bool], person: int = 0) -> State:
    """End the holds for which `ends` is true; when none is left the shuffler's latch may be cleared.

    `person` 0: the readers saw the remedy (PROTOCOL.md, CLEAR_HOLD).
    """
    if not state.holds:
        return state
    left = tuple(standing for standing in state.holds if not ends(standing))
    if len(left) == len(state.holds):
        return state
    state = change(state, holds=left)
    if left:
        return state
    if state.turn is not None:
        state = turn_begins(state)
    return tell(state, Clear(0, state.memory.hold_key, person))


def holds_again(state: State) -> State:
    """Tell the devices of standing holds once more, under a new key (a device that came back lacks them)."""
    if not state.holds:
        return state
    first = state.holds[0]
    key = state.memory.hold_key + 1
    state = change(state, memory=replace(state.memory, hold_key=key))
    return tell(state, Hold(key=key, reason=first.reason, clause=first.clause, zone=first.zone, to=first.to))


def has_hold(state: State, *reasons: Reason) -> bool:
    """Tell whether a hold of one of these reasons stands."""
    return any(standing.reason in reasons for standing in state.holds)


def notice(state: State, reason: Reason, zone: Zone = NOWHERE) -> State:
    """Tell a notice."""
    return tell(state, Notice(reason, IRREGULARITIES[reason].clause, zone))


def refuse(state: State, reason: Reason, asked: str, zone: Zone = NOWHERE) -> State:
    """Answer that what was asked is not done."""
    state = change(state, refused=(reason, zone))
    return tell(state, Refuse(reason, IRREGULARITIES[reason].clause, asked, zone))


def turn_begins(state: State) -> State:
    """A player's time to act begins, or begins anew, where the house has an action clock (1821)."""
    house = state.setup.house
    if not house.action_clock_s:
        return state
    state.turn = Turn(state.now_ns)
    return wake(state, state.now_ns + (house.action_clock_s - house.action_warning_s) * SECOND_NS)


def wake(state: State, at_ns: int) -> State:
    """Ask for a Tick at `at_ns`, once."""
    if at_ns <= state.now_ns or at_ns in state.wakes:
        return state
    wakes = list(state.wakes)
    insort(wakes, at_ns)
    state.wakes = tuple(wakes)
    state.out_commands += (WakeAt(at_ns),)
    return state
