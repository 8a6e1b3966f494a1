"""Cards that are dead as they are dealt: flashed, off the table, face up in the deck (1811(1), 1820, C9)."""

from enum import Enum, auto
from functools import partial
from operator import is_
from typing import Final

from msgspec.structs import replace

from dealerbox.engine.facts import in_hand, settling_ns, travelling
from dealerbox.engine.holds import end_holds, has_hold, hold, notice, refuse, wake
from dealerbox.engine.phases import Phase, Trigger, move
from dealerbox.engine.state import NO_CARD, SIGHT, Card, Condition, Released, Standing, State, arrived, kept, remember
from dealerbox.law.plan import Step, Street
from dealerbox.model.cards import Token, is_unidentified
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import Replacement
from dealerbox.model.zones import ASIDE, BOARD, BURN, SEATS, Zone, seat, seat_number

SET_ASIDE: Final = frozenset(
    {Reason.EXPOSED_CARD, Reason.OFF_TABLE, Reason.FACED_CARD, Reason.PREMATURE_TURN, Reason.PREMATURE_RIVER}
)
"""Holds that end when the card they are about is seen aside."""


class _Way(Enum):
    """Which card a key means, and so what becomes of it."""

    FREE = auto()
    """The one on its way, which costs nothing."""
    IN_THE_AIR = auto()
    """The one on its way."""
    OF_GROUP = auto()
    """One of the group on its way."""
    LIES = auto()
    """The one let out last, where it lies."""
    OF_SEAT = auto()
    """One that was dealt there: the one next seen aside."""
    AT_EXIT = auto()
    """The one at the exit."""


def is_meant(state: State, key: Key, number: int) -> bool:
    """Tell whether EXPOSED, OFF_TABLE or FACED about seat `number` (0: none named) can mean a card now.

    None does while the panel asks if the round was complete: a card more would be owed in front of the one asked about.
    """
    match key:
        case Key.EXPOSED:
            return _exposed(state, number) is not None
        case Key.OFF_TABLE:
            return _off_table(state, number) is not None
    return _faced(state) is not None


def exposed(state: State, number: int) -> State:
    """EXPOSED [seat]: a card meant face down was flashed as it was dealt (C9); without a seat, the one let out last."""
    way = _exposed(state, number)
    if way is None:
        return refuse(state, Reason.NOT_NOW, Key.EXPOSED)
    if way is _Way.FREE and state.released is not None:
        return notice(state, Reason.EXPOSED_CARD, state.released.step.zone)
    house = state.setup.house
    before = kept(state)
    coming = way is _Way.IN_THE_AIR
    first = not any(record.dealt for record in state.out.values()) or (not coming and len(state.out) == 1)
    state = _spoiled(state, way, Reason.EXPOSED_CARD, number)
    if state.street is Street.PREFLOP:
        state.exposed += 1
        many = 0 < house.exposed_is_misdeal_from <= state.exposed
        if many or (first and house.first_card_exposed_is_misdeal):
            state = hold(state, Reason.MISDEAL, Condition.DIRECTOR)
    return remember(before, state, Key.EXPOSED)


def off_table(state: State, number: int) -> State:
    """OFF_TABLE [seat]: it left the table as it was dealt; after ACTION it is the player's and stays live."""
    way = _off_table(state, number)
    if way is None:
        return refuse(state, Reason.NOT_NOW, Key.OFF_TABLE)
    return remember(kept(state), _spoiled(state, way, Reason.OFF_TABLE, number), Key.OFF_TABLE)


def faced(state: State) -> State:
    """FACED: the card at the exit, or the released one, lay face up in the deck; the next card takes its step.

    Until the next release or ACTION the released one is meant also where it lies already. Of a group on its way nobody
    can tell which: the card next seen aside is the one.
    """
    before = kept(state)
    match _faced(state):
        case None:
            return refuse(state, Reason.NOT_NOW, Key.FACED)
        case _Way.IN_THE_AIR:
            state = _dead_in_the_air(state, Reason.FACED_CARD, at_once=True)
        case _Way.OF_GROUP:
            state = _one_of_group(state, Reason.FACED_CARD, at_once=True)
        case _Way.LIES:
            state = _dead_where_it_lies(state, Reason.FACED_CARD, at_once=True)
        case _:
            state = notice(state, Reason.FACED_CARD)
            state.plan = (Step(state.street, ASIDE), *state.plan)
    return remember(before, state, Key.FACED)


def _exposed(state: State, number: int) -> _Way | None:
    if has_hold(state, Reason.ROUND_OPEN):
        return None
    released = state.released
    if in_hand(state) and released is not None and _is_meant(state, number) and _costs_nothing(state, released.step):
        return _Way.FREE
    return _way(state, number)


def _off_table(state: State, number: int) -> _Way | None:
    acted = state.acted if state.street is Street.PREFLOP else state.street_acted
    return None if acted or has_hold(state, Reason.ROUND_OPEN) else _way(state, number)


def _faced(state: State) -> _Way | None:
    dealing = state.phase is Phase.DEALING
    if _is_dead(state, 0) or has_hold(state, Reason.ROUND_OPEN):
        return None
    if dealing and _is_meant(state, 0):
        return _Way.IN_THE_AIR
    if dealing and _group_is_meant(state, 0) and not _asks_aside(state, state.released):
        return _Way.OF_GROUP
    if in_hand(state) and state.released is None and not state.memory.exit_id and _lies_as_dealt(state):
        return _Way.LIES
    waits = dealing and state.memory.exit_id and state.released is None
    return _Way.AT_EXIT if waits and state.plan[0].zone != ASIDE else None


def _is_meant(state: State, number: int) -> bool:
    """Tell whether a key about seat `number` (0: none named) means the released card; of a group nobody can tell."""
    released = state.released
    return released is not None and not state.along and number in (0, seat_number(released.step.zone))


def _is_dead(state: State, number: int) -> bool:
    """Tell whether a key means the released card, and that is on its way aside already: it cannot die twice."""
    return state.released is not None and state.released.step.zone == ASIDE and _is_meant(state, number)


def _group_is_meant(state: State, number: int) -> bool:
    """Tell whether a key about seat `number` (0: none named) means a card of the group on its way (1809)."""
    released = state.released
    return released is not None and bool(state.along) and number in (0, seat_number(released.step.zone))


def _asks_aside(state: State, released: Released | None) -> bool:
    """Tell whether a card of that zone is to be laid aside already."""
    return released is not None and any(h.reason in SET_ASIDE and h.zone == released.step.zone for h in state.holds)


def _one_of_group(state: State, reason: Reason, at_once: bool) -> State:
    """One of the group on its way is dead, whichever is seen aside next; its step is owed again."""
    assert state.released is not None
    zone = state.released.step.zone
    return owed(hold(state, reason, SIGHT, zone=zone, to=ASIDE), zone, at_once)


def _lies_as_dealt(state: State) -> bool:
    """Tell whether the card let out last lies where its step wanted it, and nobody has acted since."""
    record = state.out.get(state.last_out)
    acted = state.acted if state.street is Street.PREFLOP else state.street_acted
    if record is None or acted or record.home != record.dealt:
        return False
    return record.home in SEATS or record.home in (BURN, BOARD)


def _dead_where_it_lies(state: State, reason: Reason, at_once: bool) -> State:
    """The card let out last is dead: it goes aside, and another card takes the step that it had done."""
    card, zone = state.last_out, state.out[state.last_out].dealt
    state = dead(hold(state, reason, SIGHT, zone=zone, to=ASIDE, token=card), card)
    return owed(state, zone, at_once)


def aside_of_group(state: State, released: Released) -> State | None:
    """A card of a group on its way is seen aside, and a key had said that one of it is dead; None: none had."""
    zone = released.step.zone
    said = next((h for h in state.holds if h.reason in SET_ASIDE and h.zone == zone and h.token == NO_CARD), None)
    if said is None:
        return None
    state.out = {**state.out, released.token: Card(ASIDE, ASIDE, ASIDE)}
    state.plan = state.plan[1:]
    state = wake(arrived(state, released.token), state.now_ns + settling_ns(state))
    return end_holds(state, partial(is_, said))


def silent_aside(state: State) -> Token:
    """Return a card that no reader can read and that may be the one to lie aside; NO_CARD: none is (H10)."""
    for held in state.holds:
        if held.reason in SET_ASIDE:
            for card, record in state.out.items():
                meant = held.token == card or (_any_of_zone(held) and record.dealt in (held.zone, ASIDE))
                if meant and is_unidentified(card) and record.at != ASIDE:
                    return card
    return NO_CARD


def _any_of_zone(held: Standing) -> bool:
    """Tell whether any card of a zone may be the one that is to lie aside; a premature one is known, or on its way."""
    return held.token == NO_CARD and held.reason not in (Reason.PREMATURE_TURN, Reason.PREMATURE_RIVER)


def said_aside(state: State, person: int) -> State:
    """The dealer says that the card no reader can read lies aside: that stands for the sight (H10)."""
    card = silent_aside(state)
    state = lies_aside(state, card)
    state.out = {**state.out, card: replace(state.out[card], at=ASIDE, inferred=True)}
    return state


def _costs_nothing(state: State, step: Step) -> bool:
    """A burn will never be seen, a turn, river or last flop card was to be seen: flashed, it costs nothing (C9)."""
    if step.street is Street.PREFLOP:
        return False
    return step.zone != BOARD or step.street is not Street.FLOP or state.plan[1:2] != (step,)


def _way(state: State, number: int) -> _Way | None:
    """Return which card a key about seat `number` (0: none named) means; None when it can mean none."""
    if not in_hand(state) or _is_dead(state, number):
        return None
    if _is_meant(state, number):
        return _Way.IN_THE_AIR
    if _group_is_meant(state, number):
        return None if _asks_aside(state, state.released) else _Way.OF_GROUP
    holes = state.street is Street.PREFLOP
    if holes and not number and _lies_as_dealt(state):
        return _Way.LIES
    in_time = (holes and not state.acted) if number else state.street is Street.FLOP and state.phase is Phase.DEALING
    zone = _spoiled_zone(state, number)
    if not in_time or any(h.reason in SET_ASIDE and h.zone == zone for h in state.holds):
        return None
    return _Way.OF_SEAT if any(record.dealt == record.home == zone for record in state.out.values()) else None


def _spoiled_zone(state: State, number: int) -> Zone:
    return seat(number) if number in state.seats else BOARD


def _spoiled(state: State, way: _Way, reason: Reason, number: int) -> State:
    """That card is dead, and its step is owed again (C9)."""
    at_once = state.street is not Street.PREFLOP or state.setup.house.exposed_replacement is Replacement.AT_ONCE
    match way:
        case _Way.IN_THE_AIR:
            return _dead_in_the_air(state, reason, at_once)
        case _Way.OF_GROUP:
            return _one_of_group(state, reason, at_once)
        case _Way.LIES:
            return _dead_where_it_lies(state, reason, at_once)
    zone = _spoiled_zone(state, number)
    return owed(hold(state, reason, SIGHT, zone=zone, to=ASIDE), zone, at_once)


def _dead_in_the_air(state: State, reason: Reason, at_once: bool) -> State:
    """The card on its way is dead: its step is to lie aside, and another card takes the step it had."""
    released = state.released
    assert released is not None
    aside = Step(released.step.street, ASIDE)
    zone = released.step.zone
    state = notice(state, reason, zone)
    state.plan = state.plan[1:]
    state.released = None
    state = owed(state, zone, at_once)
    state.released = replace(released, step=aside, unseen=False)
    state.plan = (aside, *state.plan)
    if released.token in state.out:
        state.out = {**state.out, released.token: replace(state.out[released.token], home=ASIDE)}
    return end_holds(state, lambda h: h.token == released.token)


def owed(state: State, zone: Zone, at_once: bool) -> State:
    """A card is owed again to `zone` on the open street: as the next one, or as the street's last."""
    step = Step(state.street, zone)
    ahead = travelling(state)
    last = sum(1 for other in state.plan if other.street is state.street)
    place = ahead if at_once else last
    state.plan = (*state.plan[:place], step, *state.plan[place:])
    if state.phase is not Phase.DEALING:
        state.phase = move(state.phase, Trigger.OWED)
    return state


def dead(state: State, card: Token) -> State:
    """A dealt card is dead, or waits: its place is aside."""
    state.out = {**state.out, card: replace(state.out[card], home=ASIDE, dealt=ASIDE)}
    return state


def lies_aside(state: State, card: Token) -> State:
    """A card is seen aside: it may be the one that a hold asks for."""
    dealt = state.out[card].dealt
    for standing in state.holds:
        if standing.reason not in SET_ASIDE:
            continue
        if standing.token == card or (
            _any_of_zone(standing) and dealt in (standing.zone, ASIDE) and standing.needs is SIGHT
        ):
            state = dead(state, card)
            return end_holds(state, partial(is_, standing))
    return state
