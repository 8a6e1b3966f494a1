"""Cards from the dealer's hand (C4 `hand`, C15): the stub token first seen outside is the released card."""

from msgspec.structs import replace

from dealerbox.engine.facts import bookkeeping, scan_ns
from dealerbox.engine.holds import end_holds, has_hold, hold, refuse, wake
from dealerbox.engine.machine import place
from dealerbox.engine.phases import Phase, Trigger, move
from dealerbox.engine.placing import PLACEMENT, judged, landed, step_done
from dealerbox.engine.procedures import may_be_premature, premature, too_many
from dealerbox.engine.state import (
    NO_CARD,
    NOWHERE,
    SIGHT,
    Card,
    Condition,
    Early,
    Manual,
    Released,
    State,
    change,
    said_just_now,
)
from dealerbox.engine.unburn import burned_again, is_burned_again, may_go_back, unburn
from dealerbox.law.plan import FOLLOWING, Street
from dealerbox.model.cards import Token
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import Dispense
from dealerbox.model.shuffler import Cap
from dealerbox.model.zones import BOARD, BURN, EXIT, INFEED, SEATS, Zone

# The deck into the hand.


def given(state: State) -> Manual | None:
    """Return how a hand begins that is dealt by `hand`: the shuffler is to give the whole deck out (C4)."""
    by_hand = state.setup.house.dispense is Dispense.HAND and state.manual is None
    return Manual(given=True) if by_hand else state.manual


def is_out(state: State) -> bool:
    """Tell whether the shuffler says that it was opened, or could not say: the deck may be out."""
    told = not state.up or not state.caps & Cap.DOOR_SENSOR
    return told and not has_hold(state, Reason.DEVICE_LOST)


def to_look_into(state: State) -> bool:
    """Tell whether the shuffler that gave the deck out answers, and does not know that nothing is left in it."""
    manual = state.manual
    given = manual is not None and manual.given and manual.proved and state.disagrees
    return given and has_hold(state, Reason.DEVICE_LOST, Reason.JAM, Reason.DOOR_OPEN, Reason.RESTARTED)


def looked_into(state: State, person: int) -> State:
    """The dealer has looked: nothing is left in it, and it is told so."""
    return state if state.memory.pending else place(state, 0, 0, person)


def taken_out(state: State, person: int) -> State:
    """The dealer has the whole deck and has looked: nothing is left in the shuffler, which is told so."""
    state = change(state, undo=None, manual=Manual(emptied=True, proved=True, given=True))
    return place(state, 0, 0, person)


def given_back(state: State) -> Manual | None:
    """Return how it goes on when the hand is over: a deck that the shuffler gave goes back into it, if it is there."""
    manual = state.manual
    if manual is None or not manual.given:
        return manual
    back = state.up or state.disagrees or has_hold(state, Reason.DEVICE_LOST)
    return None if back else Manual(emptied=manual.emptied)


def to_be_shown(manual: Manual) -> Manual:
    """Return the way by hand with nothing proved: each card of the stub is to be shown again."""
    return replace(manual, shown=frozenset(), proved=False)


# The cards out of it.


def from_hand(state: State, manual: Manual, zone: Zone, card: Token) -> State:
    """A token of the stub is seen outside."""
    if zone == EXIT:
        return state
    if not manual.proved:
        if zone == BURN and manual.emptied:
            return change(state, manual=replace(manual, shown=manual.shown | {card}))
        return _out_of_turn(state, zone, card)
    if zone == BURN and zone in state.blind and (card == state.unburned or state.returning or state.cut_owed):
        return state  # a reader that looks anew tells what lay there: on its way back into the stub, no burn
    state.undo = None
    if bookkeeping(state):
        state.out = {**state.out, card: Card(zone)}
        return state
    if _is_fourth(state, zone) and not _of_its_set(state, zone):
        state.out = {**state.out, card: Card(zone)}
        state.early = (Early(card, state.now_ns),)
        return too_early(state)
    if zone == BURN and is_burned_again(state, card):
        return burned_again(state, card)
    busy = state.returning or state.cut_owed or state.search is not None
    if busy or zone == INFEED or not state.plan or (state.released is not None and not _of_its_set(state, zone)):
        return _out_of_turn(state, zone, card)
    state.out = {**state.out, card: Card(zone)}
    state.early = (*state.early, Early(card, state.now_ns))
    return weighed(state)


def _of_its_set(state: State, zone: Zone) -> bool:
    """Tell whether a card seen here now is of one scan with the held one, and a later step of its street wants it."""
    released = state.released
    if released is None or state.now_ns - released.passed_ns > scan_ns(state):
        return False
    wanting = sum(1 for step in state.plan[1:] if step.zone == zone and step.street is released.step.street)
    return wanting > sum(1 for one in state.early if state.out[one.token].at == zone)


def weighed(state: State) -> State:
    """Judge the cards of one scan as a set: each step takes one that lies where it wants it, in whatever order.

    One that no step takes yet may have been read before the card that it follows: it is judged a scan later.
    """
    while state.early and state.plan and state.released is None and state.phase is Phase.DEALING:
        step = state.plan[0]
        lying = [one.token for one in state.early if state.out[one.token].at == step.zone]
        first = step.zone == BURN and state.unburned
        if not lying or (first and first not in lying):
            break
        card = first or lying[0]
        state = _taken(state, card)
        state = landed(state, Released(card, step))
    if not state.early or state.released is not None:
        return state
    card = state.early[0].token
    zone = state.out[card].at
    if bookkeeping(state):
        return change(state, early=())
    if state.phase is Phase.BETTING:
        return _rest_of_set(_while_round_is_open(_taken(state, card), zone, card))
    due_ns = state.early[0].seen_ns + scan_ns(state)
    if (is_due_soon(state, zone) or state.unburned) and state.now_ns < due_ns:
        return wake(state, due_ns)
    if _stranger_came_first(state):
        return state
    state = _taken(state, card)
    state.released = Released(card, state.plan[0], state.now_ns)
    return _rest_of_set(judged(state, zone, state.released))


def _stranger_came_first(state: State) -> bool:
    """Tell whether what came out of the stub before was no card of it: the deck is, or will be called, defective."""
    wanted = state.plan[0].zone
    return has_hold(state, Reason.DEFECTIVE_DECK) or any(zone == wanted for zone, _ in state.suspects)


def is_due_soon(state: State, zone: Zone) -> bool:
    """Tell whether by hand a card seen here may be of one scan with the card that is due before it."""
    if state.manual is None or not state.plan or state.plan[0].zone == zone:
        return False
    return any(step.zone == zone and step.street is state.street for step in state.plan)


def _rest_of_set(state: State) -> State:
    """One card of a set is held: the others wait for it where a later step wants them, or were never let out."""
    rest, state.early = state.early, ()
    for one in rest:
        zone = state.out[one.token].at
        if _of_its_set(state, zone):
            state.early = (*state.early, one)
        else:
            state = _out_of_turn(state, zone, one.token)
    return state


def _taken(state: State, card: Token) -> State:
    state.early = tuple(one for one in state.early if one.token != card)
    return state


def _while_round_is_open(state: State, zone: Zone, card: Token) -> State:
    """A card of the stub is seen although the betting round is not closed."""
    if zone in SEATS:
        state.out, state.last_out = {**state.out, card: Card(zone, zone, zone)}, card
        return hold(state, Reason.TOO_MANY_CARDS, Condition.DIRECTOR, zone=zone, token=card)
    if zone == BOARD and state.street is Street.FLOP:
        return too_many(state, card)
    step = state.plan[0]
    state.released = Released(card, step, state.now_ns)
    to = NOWHERE if zone == step.zone else step.zone
    return hold(state, Reason.ROUND_OPEN, Condition.ACK, clause=step.clause, zone=zone, to=to, token=card)


def too_early(state: State) -> State:
    """The round was not complete when that burn came, or the board card behind it: PREMATURE, or seen (1811(2), 1812).

    The street is dealt as far as its cards lie there, and taken back as every premature one.
    """
    released = state.released
    if released is None or not may_be_too_early(state):
        return refuse(state, Reason.NOT_NOW, Key.PREMATURE)
    state.street, state.phase, state.street_acted = FOLLOWING[state.street], move(state.phase, Trigger.NEXT), False
    state = premature(weighed(step_done(state, released)))
    return change(state, undo=None)


def may_be_too_early(state: State) -> bool:
    """Tell whether PREMATURE can mean a street, or the card about which the panel asks if the round was complete."""
    if not has_hold(state, Reason.ROUND_OPEN):
        return may_be_premature(state)
    released = state.released
    return state.phase is Phase.BETTING and released is not None and state.out[released.token].at == released.step.zone


def may_be_complete(state: State) -> bool:
    """Tell whether NEXT means anything now.

    With a premature card aside it is PREMATURE where the panel asks. Said of a card that lay there already, it is not
    said of the street behind that by a finger that came down twice.
    """
    if said_just_now(state, Key.NEXT):
        return False
    if state.phase is Phase.SHOWDOWN:
        return not state.nexted
    asked = state.waiting and has_hold(state, Reason.ROUND_OPEN)
    return state.phase is Phase.BETTING and (not asked or may_be_too_early(state))


def taken_up(state: State) -> State:
    """UNBURN: the burn goes back on top, also where the panel still asks if the round was complete (it was not)."""
    if not may_be_taken_up(state):
        return refuse(state, Reason.NOT_NOW, Key.UNBURN)
    return unburn(too_early(state) if has_hold(state, Reason.ROUND_OPEN) else state)


def may_be_taken_up(state: State) -> bool:
    """Tell whether UNBURN means a burn; one about which the panel asks, if nothing else is held."""
    if not has_hold(state, Reason.ROUND_OPEN):
        return may_go_back(state) != NO_CARD
    if not may_be_too_early(state) or state.manual is None or not state.manual.proved:
        return False
    if state.returning or state.cut_owed:
        return False
    released = state.released
    burned = released is not None and released.step.zone == state.out[released.token].at == BURN
    return burned and not state.early and all(held.reason is Reason.ROUND_OPEN for held in state.holds)


def _is_fourth(state: State, zone: Zone) -> bool:
    """Tell whether a board card comes behind a burn about which the panel asks: the turn, or the river."""
    flop_lies = state.street in (Street.FLOP, Street.TURN) and has_hold(state, Reason.ROUND_OPEN)
    released = state.released
    return zone == BOARD and flop_lies and released is not None and state.out[released.token].at == BURN


def is_early(state: State, card: Token) -> bool:
    """Tell whether a card was seen before the one due in front of it, and waits to be judged."""
    return any(one.token == card for one in state.early)


def early_moved(state: State, zone: Zone, card: Token) -> State:
    """A card of a set is laid elsewhere: where the held one of the set belongs, the two have changed places (C10)."""
    state.out = {**state.out, card: Card(zone)}
    released = state.released
    if released is None:
        return weighed(state)
    misplaced = any(h.token == released.token and h.reason in PLACEMENT for h in state.holds)
    if zone != released.step.zone or not misplaced or not state.setup.house.correct_misplaced:
        return state
    state = _taken(state, card)
    state.early = (Early(released.token, released.passed_ns), *state.early)
    state.released = other = replace(released, token=card)
    state = end_holds(state, lambda h: h.token == released.token)
    return weighed(landed(state, other))


def _out_of_turn(state: State, zone: Zone, card: Token) -> State:
    state = change(state, out={**state.out, card: Card(zone)}, strays=(*state.strays, card))
    return hold(state, Reason.NOT_RELEASED, SIGHT, zone=zone, to=EXIT, token=card)
