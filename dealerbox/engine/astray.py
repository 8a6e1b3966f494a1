"""Cards that lie where they do not belong when the next one is asked for (H11, S5)."""

from dealerbox.engine.dead import SET_ASIDE
from dealerbox.engine.facts import live_seats, read_besides, settling_ns
from dealerbox.engine.holds import hold, wake
from dealerbox.engine.sightings import between_zones, straying
from dealerbox.engine.state import SIGHT, Card, State
from dealerbox.model.cards import Token
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import ASIDE, INFEED, MUCK, Zone


def astray(state: State) -> State:
    """Hold for every dealt card fed in or steadily astray, now that the next card is asked for (H11).

    With one live hand only those that were fed in matter: they are among those that are still to be dealt.
    """
    if not state.strays:
        return state
    rests = len(live_seats(state)) <= 1
    for card in state.strays:
        record = state.out[card]
        since_ns = state.seen.get(record.at, {}).get(card)
        fed_in = record.at == INFEED
        if not fed_in and (since_ns is None or rests):
            continue
        if since_ns is not None and not fed_in and state.now_ns - since_ns <= settling_ns(state):
            state = wake(state, since_ns + settling_ns(state) + 1)
            continue
        if not record.home or (record.home == MUCK and record.at == ASIDE) or _is_called_aside(state, card):
            continue
        twice = _read_twice(state, card, record) if not fed_in else None
        if twice is not None:
            state = hold(state, Reason.RECOUNT, SIGHT, clause="1804B(10)", zone=twice, to=record.home, token=card)
        if twice is not None or record.at == record.home:
            continue
        reason, clause = straying(record.home, record.at)
        state = hold(state, reason, SIGHT, clause=clause, zone=record.at, to=record.home, token=card)
    return state


def _is_called_aside(state: State, card: Token) -> bool:
    """Tell whether a hold says already that this card is to lie aside."""
    return any(held.token == card and held.reason in SET_ASIDE for held in state.holds)


def is_settling(state: State) -> bool:
    """Tell whether a dealt card may lie where it does not belong: the settling time will say."""
    return any(_settles(state, card) for card in state.strays)


def _settles(state: State, card: Token) -> bool:
    record = state.out[card]
    since_ns = state.seen.get(record.at, {}).get(card)
    if since_ns is None or record.at in (record.home, INFEED) or len(live_seats(state)) <= 1:
        return between_zones(state, card) is not None
    return state.now_ns - since_ns <= settling_ns(state)


def _read_twice(state: State, card: Token, record: Card) -> Zone | None:
    """Return where a card is read that its own zone reads as well: both keep it, and it cannot be in both (S5)."""
    if card not in state.seen.get(record.home, {}):
        return None
    return record.at if record.at != record.home else read_besides(state, card, record.home)
