"""What the tournament director rules (1830(2)), and where his ruling ends (C14)."""

from functools import partial
from operator import is_
from typing import Final

from msgspec.structs import replace

from dealerbox.engine import clocks
from dealerbox.engine.authority import first_word, waits_for_another
from dealerbox.engine.dead import owed
from dealerbox.engine.ending import void
from dealerbox.engine.facts import held_cards, in_hand, is_ours, on_its_way, travelling
from dealerbox.engine.holds import end_holds, has_hold, refuse
from dealerbox.engine.keys import retrieve
from dealerbox.engine.phases import Phase, Trigger, move
from dealerbox.engine.placing import NOT_TWO, PLACEMENT, step_done, street_done
from dealerbox.engine.procedures import SAID, fed_in, send_back
from dealerbox.engine.sightings import STRAYING, recount_strays
from dealerbox.engine.state import NO_CARD, Card, Condition, Standing, State, arrived, change
from dealerbox.engine.undo import still_undone
from dealerbox.engine.witnesses import BROUGHT
from dealerbox.law.plan import BOARD_CARDS
from dealerbox.model.cards import Token
from dealerbox.model.events import Ruled
from dealerbox.model.keys import Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import BOARD, BURN, EXIT, INFEED, MUCK, Zone, seat, seat_number

_STANDING: Final = frozenset({Reason.BUTTON_MOVED, Reason.ROUND_OPEN, Reason.NOT_RELEASED, Reason.UNBURN_OTHER})
"""Beside cards that lie wrong or strayed: what STAND can end."""


def ruled(state: State, event: Ruled) -> State:
    """Answer a ruling; one that does not fit, or goes beyond the director's bounds, is refused and recorded."""
    state = change(state, refused=None)
    if not event.by.strip() or not event.reason.strip():  # nobody's word, or no reason: no ruling (1830(2))
        return refuse(state, Reason.NO_AUTHORITY, event.ruling)
    if waits_for_another(state, event):
        return first_word(state, event)
    state.first_word = None
    undo, out = state.undo, state.out
    return still_undone(_ruled(state, event), undo, out)


def _ruled(state: State, event: Ruled) -> State:
    match event.ruling:
        case Ruling.STAND:
            return _stand(state, event)
        case Ruling.TO_STUB if in_hand(state):
            return _to_stub(state, event)
        case Ruling.VOID_HAND if in_hand(state):
            return void(state)
        case Ruling.RETRIEVE:
            return retrieve(state, event.seat, event.ruling)
        case Ruling.HAND_DEAD if in_hand(state) and event.seat in state.seats:
            return _dead(state, event.seat)
        case Ruling.SET_BUTTON if not in_hand(state) and _button(state, event) in range(
            1, state.setup.house.max_seats + 1
        ):
            return change(state, undo=None, button_set=_button(state, event))  # UNDO would take the ruling back
        case Ruling.SEATS if not in_hand(state):
            return _seats(state, event)
        case Ruling.CLOSE if state.phase in (Phase.OPENING, Phase.BETWEEN, Phase.GATHERING):
            return clocks.closed(change(state, phase=move(state.phase, Trigger.CLOSE), undo=None))
        case Ruling.BEGAN:
            return clocks.said_began(state, event.value)
        case Ruling.HOUR:
            return clocks.said_hour(state, event.value)
        case Ruling.PAUSE | Ruling.RESUME:
            return clocks.paused(state, event.ruling is Ruling.PAUSE)
        case _:
            return refuse(state, Reason.NO_AUTHORITY, event.ruling)


def _button(state: State, event: Ruled) -> int:
    """Return the seat that is ruled; none named (the key switch can name none): the one where the button lies."""
    return event.seat or (state.button_seen[0] if len(state.button_seen) == 1 else 0)


def _seats(state: State, event: Ruled) -> State:
    """Seats change between hands only, told and recorded (H9).

    `value` 1: they were drawn anew, or tables merged: the director sets the button (C11). So he does when none of those
    who sat here still does.
    """
    seats = tuple(sorted(set(event.seats)))
    if any(not 1 <= number <= state.setup.house.max_seats for number in seats):
        return refuse(state, Reason.NO_AUTHORITY, event.ruling)
    if len(seats) > state.setup.house.max_seats:
        return refuse(state, Reason.TOO_MANY_SEATS, event.ruling)
    drawn = event.value == 1 or not set(seats) & set(state.seats)
    return change(
        state,
        seats=seats,
        undo=None,
        button=0 if drawn else state.button,
        button_set=0 if drawn else state.button_set,
    )


def _dead(state: State, number: int) -> State:
    out = dict(state.out)
    for card in held_cards(state, number):
        out[card] = replace(out[card], home=MUCK if out[card].at == MUCK else out[card].home)
    lost = [h for h in state.holds if h.reason is Reason.CARD_STRAYED and h.zone == INFEED and h.token in out]
    lost = [h for h in lost if out[h.token].dealt == seat(number)]
    state = recount_strays(change(state, out=out, dead=state.dead | {number}))
    for held in lost:
        state = end_holds(fed_in(state, held.token), partial(is_, held), person=1)
    if not state.acted:  # before action it is a misdeal (1815(1))
        return state
    return end_holds(state, lambda h: h.reason in NOT_TWO and h.zone == seat(number), person=1)


def _to_stub(state: State, event: Ruled) -> State:
    """These cards go back, reshuffle, cut; the steps that they had done are owed again, in their order.

    None named: the cards that the holds are about; of a street that came too early, its board cards. One named that
    does not lie there: none goes back.
    """
    pointed_at = [_lying(state, words) for words in event.cards]
    if None in pointed_at:
        return refuse(state, Reason.NO_AUTHORITY, event.ruling)
    named = {*event.tokens, *pointed_at} or {h.token for h in state.holds if h.token}
    late = has_hold(state, Reason.PREMATURE_LATE)
    if not named and late:
        board = [card for card, record in state.out.items() if record.dealt == BOARD]
        named = set(board[-BOARD_CARDS[state.street] :])
    cards = [card for card in state.out if card in named]
    if not cards:
        return refuse(state, Reason.NO_AUTHORITY, event.ruling)
    if any(h.reason is Reason.ROUND_OPEN and h.token not in cards for h in state.holds):
        return refuse(state, Reason.NOT_NOW, event.ruling)  # the dealer says first if the round was complete
    for card in cards:
        if on_its_way(state, card) is not None:
            state = arrived(state, card)
    for card in reversed(cards):
        record = state.out[card]
        if record.home != MUCK and (seat_number(record.dealt) or record.dealt in (BURN, BOARD)):
            state = owed(state, record.dealt, at_once=True)
    state.undo = None
    state = send_back(state, cards)
    return end_holds(state, lambda h: h.reason is Reason.PREMATURE_LATE, person=1)


def _lying(state: State, words: str) -> Token | None:
    """Return the card that `ZONE:N` means, the N-th in the order of the deal of those that lie in a zone; or None."""
    zone, _, number = words.rpartition(":")
    there = [card for card, record in state.out.items() if record.at == zone]
    place = int(number) if number.isascii() and number.isdecimal() and len(number) < 3 else 0
    return there[place - 1] if 0 < place <= len(there) else None


def _may_stand(state: State, standing: Standing) -> bool:
    """Tell whether STAND can end a hold: disputes of this hand, not the deck, clocks or devices (C14)."""
    if standing.reason is Reason.PREMATURE_LATE:
        return True
    if standing.reason in PLACEMENT | STRAYING | _STANDING:
        return standing.token not in state.out or state.out[standing.token].at != EXIT
    if standing.needs is Condition.DIRECTOR and standing.clause == BROUGHT:
        proved = standing.proved or (state.phase is Phase.BETWEEN and not state.out)
        looking = standing.zone not in state.blind
        return proved and looking and not any(standing.token in there for there in state.seen.values())
    return False


def _stand(state: State, event: Ruled) -> State:
    """The cards count for the zones where they lie."""
    standing = [h for h in state.holds if _may_stand(state, h)]
    released = state.released
    if released and released.unseen and not standing:
        return step_done(state, released, inferred=True)
    if not standing:
        return refuse(state, Reason.NO_AUTHORITY, event.ruling)
    for one in standing:
        if one.reason is Reason.BUTTON_MOVED:
            state = change(state, button_stands=state.button_seen)
        if one.reason in SAID:  # the director has answered that key: it is taken back no more, and may be said again
            state.undo = None
        if one.reason is Reason.UNBURN_OTHER:
            state.unburned = NO_CARD
        state = _counts_where_it_lies(state, one.token)
        state = end_holds(state, partial(is_, one), person=1)
    return street_done(recount_strays(state))


def _counts_where_it_lies(state: State, card: Token) -> State:
    """A burn step is done; a seat or board step stays owed unless a card lies there."""
    record = state.out.get(card)
    if record is None or not is_ours(state, card):
        return state
    if record.at == INFEED:
        return fed_in(state, card)
    zone = record.at
    released = on_its_way(state, card)
    fresh = released is not None or not record.home
    state = change(state, out={**state.out, card: Card(zone, zone, zone if fresh else record.dealt)})
    if not fresh:
        return state
    if released is not None:
        state.last_out = card
        state = arrived(state, card)
        if released.step.zone == BURN and state.plan[:1] == (released.step,):
            state = change(state, plan=state.plan[1:])
    return _step_met(state, zone)


def _step_met(state: State, zone: Zone) -> State:
    """Take one step for `zone` out of the open street's plan, but for the released card's own: a card lies there."""
    for index, step in enumerate(state.plan):
        own = index < travelling(state)
        if step.street is state.street and step.zone == zone and not own:
            return change(state, plan=state.plan[:index] + state.plan[index + 1 :])
    return state
