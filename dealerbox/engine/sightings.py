"""What a card seen, or no longer seen, means now."""

from msgspec.structs import replace

from dealerbox.engine.dead import aside_of_group, lies_aside
from dealerbox.engine.decks import put_down
from dealerbox.engine.facts import (
    bookkeeping,
    by_hand,
    held_cards,
    in_hand,
    is_ours,
    on_its_way,
    read_besides,
    scan_ns,
    settling_ns,
)
from dealerbox.engine.find import answered, is_shown
from dealerbox.engine.hand import early_moved, from_hand, is_due_soon, is_early
from dealerbox.engine.holds import end_holds, held_on, hold, notice, wake
from dealerbox.engine.phases import Phase
from dealerbox.engine.placing import given_unasked, judged, unjudged
from dealerbox.engine.procedures import CALLED, is_back, laid_aside, shown_to_go_back
from dealerbox.engine.state import NO_CARD, Card, Condition, State, change
from dealerbox.engine.witnesses import BROUGHT, read_again, stranger_lies
from dealerbox.model.cards import DECK_SIZE, Kind, Token, is_card_of, is_unidentified, kind_of
from dealerbox.model.events import CardsGone, CardsSeen
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import ASIDE, BOARD, BURN, EXIT, INFEED, MUCK, Zone, seat_number

STRAYING = frozenset({Reason.CARD_STRAYED, Reason.BURN_IN_MUCK, Reason.DEAD_CARD_BACK})
"""Holds about a card that was dealt and does not lie where it belongs (H11)."""
STRANGE = {
    Kind.FOREIGN: Reason.FOREIGN_CARD,
    Kind.JOKER: Reason.JOKER_PRESENT,
    Kind.CUT: Reason.FOREIGN_CARD,
    Kind.CARD: Reason.OTHER_DECK,
}


def seen(state: State, event: CardsSeen) -> State:
    """Answer CardsSeen: the tokens of one scan, judged as a set."""
    zone, tokens = event.zone, event.tokens
    before = state.seen.get(zone)
    there = before.copy() if before else {}
    for card in tokens:
        if card not in there:
            there[card] = state.now_ns
    state.seen = state.seen.copy()
    state.seen[zone] = there
    if zone == EXIT:
        state.read_up = True
    playing = in_hand(state)
    for card in tokens:
        if not is_card_of(card, state.deck):
            state = _stranger(state, zone, card)
        elif playing:
            state = _in_play(state, zone, card)
        else:
            state = _between(state, zone, card)
    return answered(state, tokens) if zone == BURN and state.search is not None else state


def gone(state: State, event: CardsGone) -> State:
    """Answer CardsGone: nothing has moved, but it is no longer read here."""
    zone, tokens = event.zone, event.tokens
    before = state.seen.get(zone)
    there = before.copy() if before else {}
    for card in tokens:
        there.pop(card, None)
    state.seen = state.seen.copy()
    state.seen[zone] = there
    if state.suspects:
        state.suspects = tuple(pair for pair in state.suspects if pair[0] != zone or pair[1] not in tokens)
    if state.strays and zone != INFEED:  # what passed there is in the machine
        state = _settled(state, zone, tokens)
    if not state.holds:
        return state
    return end_holds(state, lambda h: h.reason is Reason.RECOUNT and h.needs is Condition.SIGHT and h.token in tokens)


def _settled(state: State, zone: Zone, tokens: tuple[Token, ...]) -> State:
    """A card that two zones have read and one of them has lost is in the other (S5).

    In its own at once. In any other only when that one still reads it once it settles: a hand may just lift it, and
    the reader that saw it first be the slower to miss it.
    """
    for card in tokens:
        record = state.out.get(card)
        if record is None or card not in state.strays:
            continue
        other = read_besides(state, card, zone)
        if record.at == zone and other is not None:
            if other == record.home:
                state = _moved(state, other, card, record)
                continue
            state.seen = state.seen | {other: {**state.seen[other], card: state.now_ns}}
            state = wake(state, state.now_ns + settling_ns(state) + 1)
        elif record.at == record.home and read_besides(state, card, record.home) is None:
            state.strays = tuple(stray for stray in state.strays if stray != card)
    return state


def between_zones(state: State, card: Token) -> Zone | None:
    """Return the zone that still reads a stray which the one that saw it last has lost (S5); None: there is none."""
    at = state.out[card].at
    if at == INFEED or card in state.seen.get(at, {}):
        return None
    return read_besides(state, card, at)


def settle_strays(state: State) -> State:
    """A stray that only another zone reads lies there, once it has done so for the settling time (S5)."""
    for card in state.strays:
        other = between_zones(state, card)
        if other is not None and state.seen[other][card] + settling_ns(state) < state.now_ns:
            state = _moved(state, other, card, state.out[card])
    return state


def confirm_suspects(state: State) -> State:
    """Name the foreign tags that were still read one scan after they were first read (S5)."""
    for zone, card in state.suspects:
        if state.seen.get(zone, {}).get(card, state.now_ns) + scan_ns(state) <= state.now_ns:
            state = change(state, suspects=tuple(pair for pair in state.suspects if pair != (zone, card)))
            state = name_stranger(state, zone, card)
    return state


def _between(state: State, zone: Zone, card: Token) -> State:
    """Between hands sightings are bookkeeping (T6): what enters the shuffler is back."""
    if zone == INFEED or _enters(state, zone):
        out = state.out.copy()
        if out.pop(card, None) is None:
            return read_again(change(state, idle=False, undo=None), card)
        state.out, state.idle, state.undo = out, False, None
        return state
    if zone == EXIT and card not in state.out:
        return state
    record = state.out.get(card)
    moved = record is None or record.at != zone
    undo = None if moved and state.undo and state.undo.key is Key.MISDEAL else state.undo
    out = {**state.out, card: replace(record, at=zone) if record else Card(zone)}
    return change(state, undo=undo, shuffled=0, out=out)  # the machine no longer holds what it shuffled (S1)


def _enters(state: State, zone: Zone) -> bool:
    """Tell whether what is seen here between hands is back: fed in, or by hand shown at the burns (C15)."""
    return zone == INFEED or (zone == BURN and by_hand(state))


def _in_play(state: State, zone: Zone, card: Token) -> State:
    """In an open hand: the released card is judged, one dealt before has moved, one never let out is held (C5)."""
    if state.undo is not None and state.undo.key in CALLED:
        state.undo = None
    if card not in state.out and zone != EXIT and zone != INFEED:
        state = identified(state, card)
    if state.returning and shown_to_go_back(state, zone, card):
        return is_back(state, card)
    released = state.released
    if released is not None and released.token != card:
        released = on_its_way(state, card) if state.along else None
    if released is not None:
        if state.holds:
            held = unjudged(state, zone, released)
            if held is None and zone == ASIDE:
                held = laid_aside(state, released) or aside_of_group(state, released)
            if held is not None:
                return held
        return judged(state, zone, released)
    if state.early and is_early(state, card):
        return early_moved(state, zone, card)
    record = state.out.get(card)
    if record is not None:
        return _moved(state, zone, card, record)
    if state.manual is not None:
        return from_hand(state, state.manual, zone, card)
    if zone == EXIT:
        return end_holds(state, lambda h: h.reason is Reason.CARD_UNREAD) if state.holds else state
    if zone == INFEED and state.memory.pending_kind == "Return":
        return state  # one of those that go back, read once more on its way in
    if bookkeeping(state):
        return change(state, out={**state.out, card: Card(zone)})
    state = given_unasked(change(state, out={**state.out, card: Card(zone)}, strays=(*state.strays, card)))
    if state.out[card].home:
        return state
    return hold(state, Reason.NOT_RELEASED, Condition.SIGHT, zone=zone, to=EXIT, token=card)


def identified(state: State, card: Token) -> State:
    """A token never released that is seen outside is the card that was let out unread, if one was (H10)."""
    unread = next((other for other in state.out if is_unidentified(other)), None)
    if unread is None:
        return state
    state.out = {card if other == unread else other: record for other, record in state.out.items()}
    if state.last_out == unread:
        state.last_out = card
    if state.released is not None and state.released.token == unread:
        state.released = replace(state.released, token=card)
    state.along = tuple(replace(one, token=card) if one.token == unread else one for one in state.along)
    return state


def _moved(state: State, zone: Zone, card: Token, record: Card) -> State:
    """A card that was dealt before is seen arriving somewhere (H6, H11)."""
    if zone == BURN and state.search is not None and is_shown(state, card):
        return state
    number = seat_number(record.home)
    if zone == MUCK and number:
        if record.at == MUCK and zone in state.blind:  # what lay there is told anew: a hand that was retrieved lives
            return state
        return _mucked(state, card, record, number)
    if zone == ASIDE and state.holds:
        state = lies_aside(state, card)
        record = state.out[card]
    if zone == record.twice and card in state.seen.get(record.home, {}):
        return state  # the dealer has said where it lies (S5)
    strays = tuple(other for other in state.strays if other != card)
    out = {**state.out, card: replace(record, at=zone, inferred=False)}
    if zone == record.home:
        state = change(state, out=out, strays=strays)
        return end_holds(state, lambda h: h.token == card and h.reason in STRAYING)
    if not record.home and zone in (EXIT, INFEED):
        out.pop(card)
        state = change(state, out=out, strays=strays, order_lost=state.order_lost or zone == INFEED)
        inside = state.memory.machine + bool(state.memory.exit_id)
        if inside < DECK_SIZE - len(out):  # the machine was counted while it lay outside
            state.memory = replace(state.memory, machine=state.memory.machine + 1)
        return end_holds(state, lambda h: h.token == card and h.reason is Reason.NOT_RELEASED)
    held = next((h for h in state.holds if h.token == card and h.reason in STRAYING), None)
    if held is not None and zone != held.zone:  # it is laid elsewhere, went in since, or was got out again
        reason, clause = straying(record.home, zone)
        return held_on(change(state, out=out, strays=(*strays, card)), held, reason, clause, zone)
    if bookkeeping(state):
        state.out = out
        if zone == INFEED and card not in state.strays:  # matters if another card is asked for after all
            state.strays = (*state.strays, card)
        return state
    return notice(change(state, out=out, strays=(*strays, card)), Reason.CARD_STRAYED, zone)


def straying(home: Zone, at: Zone | None) -> tuple[Reason, str]:
    """Return the first row of the page that fits a card of `home` lying at `at`, and its clause (H11)."""
    if home == BURN and at == MUCK:
        return Reason.BURN_IN_MUCK, "1812"
    if home == MUCK and at != INFEED:
        return Reason.DEAD_CARD_BACK, "1815(3)"
    return Reason.CARD_STRAYED, "1804B(10)" if seat_number(home) or home == BOARD else "1812"


def _mucked(state: State, card: Token, record: Card, number: int) -> State:
    """A hand seen in the muck is recorded as folded, when both its cards lie there (H6)."""
    out = {**state.out, card: replace(record, at=MUCK, home=MUCK, inferred=False)}
    state = change(state, out=out, strays=tuple(other for other in state.strays if other != card))
    owed = any(step.zone == record.home for step in state.plan)
    if not owed and all(state.out[other].home == MUCK for other in held_cards(state, number)):
        state = change(state, dead=state.dead | {number})
    return end_holds(state, lambda h: h.token == card and h.reason in STRAYING)


def suspected(state: State, zone: Zone, card: Token) -> State:
    """An unknown tag is read once: it is to be read twice before it is foreign (S5)."""
    return wake(change(state, suspects=(*state.suspects, (zone, card))), state.now_ns + scan_ns(state))


def _stranger(state: State, zone: Zone, card: Token) -> State:
    """A tag that is not of the deck in play."""
    if not in_hand(state):
        if _enters(state, zone):
            state = put_down(state, card)
            if is_ours(state, card):
                return _between(state, zone, card)
        if _enters(state, zone) and card not in state.intruders:
            state = change(state, intruders=(*state.intruders, card), shuffled=0, undo=None)
            state = hold(state, Reason.RECOUNT, Condition.DECK, clause="1804A(1)", zone=zone)
        elif zone != INFEED and kind_of(card) is Kind.FOREIGN:
            state = suspected(state, zone, card)
        return state
    if bookkeeping(state):
        return state
    if kind_of(card) is Kind.FOREIGN or is_due_soon(state, zone):
        return suspected(state, zone, card)
    return name_stranger(state, zone, card)


def name_stranger(state: State, zone: Zone, card: Token) -> State:
    """In an open hand: at the exit it was in the deck (1819), elsewhere it was brought to the table (1824)."""
    if not in_hand(state):
        told = state.phase is Phase.CLOSED or any(h.token == card and h.clause != BROUGHT for h in state.holds)
        return state if told else stranger_lies(state, zone, card)
    if bookkeeping(state):
        return state
    reason = STRANGE[kind_of(card)]
    known = card != NO_CARD and any(h.token == card for h in state.holds)
    by_hand = state.manual is not None and state.phase is Phase.DEALING
    dealt = by_hand and state.plan and zone == state.plan[0].zone
    if (zone == EXIT or dealt) and not known:
        state = notice(state, reason, zone)
        return hold(state, Reason.DEFECTIVE_DECK, Condition.DECK, zone=zone, token=card)
    return state if known else hold(state, reason, Condition.DIRECTOR, clause=BROUGHT, zone=zone, token=card)


def recount_strays(state: State) -> State:
    """Work out anew which cards do not lie where they belong (after a ruling or an UNDO)."""
    if not in_hand(state):
        return state
    astray = (
        card
        for card, record in state.out.items()
        if record.at != record.home or read_besides(state, card, record.home) is not None
    )
    state.strays = tuple(card for card in astray if state.released is None or on_its_way(state, card) is None)
    return state
