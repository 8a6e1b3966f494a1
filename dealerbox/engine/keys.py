"""What a key means now."""

from typing import Final

from msgspec.structs import replace

from dealerbox.engine import between, clocks, dead, procedures
from dealerbox.engine.decks import change_deck, in_play, next_deck
from dealerbox.engine.ending import over
from dealerbox.engine.facts import by_hand, grouped, half_mucked, held_cards, in_hand, is_ours, live_seats, settling_ns
from dealerbox.engine.find import find
from dealerbox.engine.hand import given, may_be_complete, taken_up, to_be_shown, too_early
from dealerbox.engine.holds import end_holds, has_hold, notice, refuse, wake
from dealerbox.engine.machine import order
from dealerbox.engine.notices import turn_after
from dealerbox.engine.phases import Phase, Trigger, move
from dealerbox.engine.placing import judged, not_let_out
from dealerbox.engine.questions import Question, acknowledged, denied, question
from dealerbox.engine.sightings import recount_strays
from dealerbox.engine.state import NO_CARD, DeckStatus, Manual, State, change, kept, noted, remember, said_just_now
from dealerbox.engine.undo import last_key, still_undone, undone
from dealerbox.law.custody import SECOND_NS
from dealerbox.law.plan import FOLLOWING, Street, plan
from dealerbox.model.cards import DECK_SIZE
from dealerbox.model.commands import Count
from dealerbox.model.events import KeyPressed
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.shuffler import Cap, Scope
from dealerbox.model.zones import BOARD, MUCK, seat, seat_number

PERSON_BY_HAND = 1
"""Number given to the shuffler for a dealer without a badge."""


_SAME_LEFT: Final = frozenset({Key.ACTION, Key.UNDO})
"""Keys that leave the last key the one to be taken back: said once more, and what takes back itself."""


def pressed(state: State, event: KeyPressed) -> State:
    """Answer a key."""
    undo, out = state.undo, state.out
    state = still_undone(_pressed(change(state, refused=None), event), undo, out)
    if state.refused is not None:
        return state
    if event.key not in _SAME_LEFT:
        state = last_key(state, undo)
    if state.pots and in_hand(state):  # a hand is open, or open again
        state = change(state, pots=())
    return turn_after(state, event.key)


def _pressed(state: State, event: KeyPressed) -> State:
    match event.key:
        case Key.ACK:
            return acknowledged(state, _person(event), event.badge)
        case Key.NO:
            return denied(state, _person(event))
        case Key.UNDO:
            return undone(state)
        case Key.START:
            return _start(state)
        case Key.ACTION:
            return _action(state)
        case Key.NEXT:
            return _next(state)
        case Key.AWARD:
            return _award(state)
        case Key.MISDEAL:
            return _misdeal(state)
        case Key.RETRIEVE:
            return _retrieve(state, event.seat)
        case Key.PREMATURE:
            return _premature(state)
        case Key.UNBURN:
            return taken_up(state)
        case Key.FIND:
            return find(state)
        case Key.EXPOSED:
            return dead.exposed(state, event.seat)
        case Key.OFF_TABLE:
            return dead.off_table(state, event.seat)
        case Key.FACED:
            return dead.faced(state)
        case Key.CUT:
            return procedures.cut(state, _person(event))
        case Key.MANUAL:
            return _manual(state, _person(event))
        case Key.SUSPECT:
            return _suspect(state)
        case Key.COUNT:
            return _count(state)
        case Key.DECK:
            return _change(state)


def _person(event: KeyPressed) -> int:
    return int(event.badge) if event.badge.isdecimal() and len(event.badge) < 10 else PERSON_BY_HAND


def _start(state: State) -> State:
    """A hand begins: what belongs to one hand is as the end of the one before left it (`ending.over`), or set anew."""
    if in_hand(state):
        return refuse(state, Reason.NOT_NOW, "start")
    fault = between.start_fault(state)
    if fault is not None:
        return refuse(state, fault[0], "start", fault[1])
    button = state.button_seen[0]
    before = kept(state)
    begun = change(
        state,
        phase=move(state.phase, Trigger.START),
        hand=state.hand + 1,
        button=button,
        button_set=0,
        button_stands=(),
        plan=plan(state.seats, button, grouped(state)),
        street=Street.PREFLOP,
        memory=replace(state.memory, deal_id=max(state.shuffled, 0)),
        shuffled=0,
        opened=False,
        order_lost=False,
        redeal=False,
        count_read=False,
        acted=False,
        street_acted=False,
        exposed=0,
        released=None,
        manual=given(state),
        unseen=0,
        twice=frozenset(),
        dead=frozenset(),
        seen={zone: {c: t for c, t in there.items() if not is_ours(state, c)} for zone, there in state.seen.items()},
    )
    return remember(before, clocks.begun(begun), Key.START)


def _action(state: State) -> State:
    dealing_holes = state.phase is Phase.DEALING and state.street is Street.PREFLOP
    if not in_hand(state) or dealing_holes:
        return refuse(state, Reason.NOT_NOW, "action")
    if state.acted and state.street_acted and not state.setup.house.action_clock_s:
        return state
    return remember(kept(state), change(state, acted=True, street_acted=True), Key.ACTION)


def _next(state: State) -> State:
    if not may_be_complete(state):
        return refuse(state, Reason.NOT_NOW, "next")
    if state.phase is Phase.SHOWDOWN:
        return remember(kept(state), change(state, acted=True, nexted=True), Key.NEXT)
    before = kept(state)
    if state.waiting and has_hold(state, Reason.ROUND_OPEN):  # a premature card goes back before the river is burned
        return _said_once(before, too_early(state), Key.NEXT)
    after = change(
        state,
        acted=True,
        street_acted=False,
        last_out=state.last_out
        if state.plan and state.plan[0].zone == BOARD
        else NO_CARD,  # a burn that came before NEXT
        street=FOLLOWING[state.street],
        phase=move(state.phase, Trigger.NEXT),
    )
    if after.waiting and after.street is Street.RIVER:
        after = procedures.send_back(after, list(after.waiting))
    released = state.released
    if has_hold(state, Reason.ROUND_OPEN) and released is not None:
        after = end_holds(after, lambda h: h.reason is Reason.ROUND_OPEN)
        return _said_once(before, judged(after, after.out[released.token].at, released), Key.NEXT)
    return remember(before, after, Key.NEXT)


def _said_once(before: State, after: State, key: Key) -> State:
    """Let a key that cannot be taken back mean nothing more for a second; the panel is then shown anew."""
    return wake(noted(before, after, key), after.now_ns + SECOND_NS)


def _award(state: State) -> State:
    if not in_hand(state):
        return refuse(state, Reason.NOT_NOW, "award")
    before = kept(state)
    early = state.plan and len(live_seats(state)) > 1
    after = over(notice(state, Reason.AWARD_EARLY) if early else state, None)
    return remember(before, after, Key.AWARD)


def _misdeal(state: State) -> State:
    """A hand dealt incorrectly (1802(22)) goes back whole, unless a player has acted (1811(3))."""
    if not in_hand(state):
        return refuse(state, Reason.NOT_NOW, "misdeal")
    if state.acted:
        return refuse(state, Reason.MISDEAL_TOO_LATE, "misdeal")
    if any(record.home == MUCK for record in state.out.values()):
        return change(state, doubtful=Key.MISDEAL)
    return remember(kept(state), over(state, Reason.MISDEAL), Key.MISDEAL)


def _premature(state: State) -> State:
    """PREMATURE: the street came too early, or the card about which the panel asks if the round was complete."""
    if not has_hold(state, Reason.ROUND_OPEN):
        return procedures.premature(state)
    before = kept(state)
    after = too_early(state)
    return after if after.refused is not None else remember(before, after, Key.PREMATURE)


def _retrieve(state: State, number: int) -> State:
    """RETRIEVE: no seat named twice, and no card moved since, it means no second hand that nobody asks about."""
    asked = question(state) is Question.HALF_MUCK or has_hold(state, Reason.DEAD_CARD_BACK)
    if not (number or asked) and state.undo is not None and state.undo.key is Key.RETRIEVE:
        return refuse(state, Reason.NOT_NOW, Key.RETRIEVE)
    before = kept(state)
    after = retrieve(state, number, Key.RETRIEVE)
    return after if number or after.refused is not None else noted(before, after, Key.RETRIEVE)


def retrieve(state: State, number: int, asked: str) -> State:
    """A mucked hand lives again, by the dealer (1813) or through no fault of the player (1810): H6.

    0: the seat is not named; it is the one that is asked about, or the only one that it can be.
    """
    number = number or _meant(state)
    cards = held_cards(state, number) if in_hand(state) and number in state.seats else ()
    mucked = [card for card in cards if state.out[card].home == MUCK]
    if not mucked:
        return refuse(state, Reason.NOT_NOW, asked)
    out = dict(state.out)
    for card in mucked:
        out[card] = replace(out[card], home=seat(number))
    state = recount_strays(change(state, out=out, dead=state.dead - {number}))
    return end_holds(state, lambda h: h.reason is Reason.DEAD_CARD_BACK and h.token in mucked)


def _meant(state: State) -> int:
    """Return the seat whose mucked hand is meant where none is named; 0: nobody can tell."""
    back = [h.token for h in state.holds if h.reason is Reason.DEAD_CARD_BACK and h.token in state.out]
    cards = back or [card for card, record in state.out.items() if record.home == MUCK]
    seats = {seat_number(state.out[card].dealt) for card in cards}
    return half_mucked(state) or (seats.pop() if len(seats) == 1 else 0)


def _manual(state: State, person: int) -> State:
    """The machine cannot go on: cards by hand (C15).

    Pressed again in a hand, the stub is shown again; between hands the machine, which answers, is empty. Where the
    deck was given out for this hand and its shuffler fails, the hand goes on without it.
    """
    manual = state.manual
    if not may_go_by_hand(state):
        return refuse(state, Reason.NOT_NOW, "manual")
    if manual is None:
        return _without(state, Manual())
    if not in_hand(state):
        return between.emptied(state, person)
    if _fails(state, manual):
        before = kept(state)
        return _said_once(before, _without(state, replace(manual, given=False)), Key.MANUAL)
    return change(state, manual=to_be_shown(manual))


def may_go_by_hand(state: State) -> bool:
    """Tell whether MANUAL means anything now."""
    manual = state.manual
    if manual is None:
        return state.phase is not Phase.CLOSED
    if in_hand(state):
        return (manual.proved and not said_just_now(state, Key.MANUAL)) or _fails(state, manual)
    return manual.emptied and state.disagrees and between.may_be_emptied(state)


def _fails(state: State, manual: Manual) -> bool:
    """Tell whether the deck was given out for this hand, and its shuffler fails."""
    return manual.given and any(h.device == state.setup.shuffler for h in state.holds)


def _without(state: State, manual: Manual) -> State:
    """The machine is not asked for any more: what it was told is void, and its holds end."""
    shuffler = state.setup.shuffler
    pending = replace(state.memory, pending=0, pending_kind="", exit_id=0, machine=0)
    state = change(state, undo=None, manual=manual, proof=None, memory=pending, up=False, empty_owed=False, idle=False)
    state = not_let_out(state)
    if state.released is not None:  # no other of its group will come from the machine
        state = wake(state, state.now_ns + settling_ns(state))
    return end_holds(state, lambda h: h.device == shuffler and h.reason is not Reason.CARD_MISSING)


def _suspect(state: State) -> State:
    if not may_be_suspect(state):
        return refuse(state, Reason.NOT_NOW, "suspect")
    decks = tuple(replace(deck, suspect=True) if deck.slot == state.deck else deck for deck in state.decks)
    state = notice(change(state, decks=decks), Reason.DECK_SUSPECT)
    return state if in_hand(state) else change_deck(state, DeckStatus.QUARANTINED)


def may_be_suspect(state: State) -> bool:
    """Tell whether there is a deck to doubt; where the one before is still to come out, that is out already."""
    waits = state.phase is Phase.OPENING and state.empty_owed
    return bool(state.deck) and state.phase is not Phase.CLOSED and not waits


def _count(state: State) -> State:
    if by_hand(state) and state.deck and not in_hand(state):
        return between.shown_anew(state)
    busy = state.memory.pending or not state.up or state.memory.machine != DECK_SIZE
    if state.phase is not Phase.BETWEEN or busy:
        return refuse(state, Reason.NOT_NOW, "count")
    if not state.caps & Cap.OWN_COUNT:
        return between.read_singly(state)
    return order(state, lambda number: Count(number, Scope.DECK))


def _change(state: State) -> State:
    if in_hand(state) or state.phase is Phase.CLOSED or state.memory.pending or _is_new(state):
        return refuse(state, Reason.NOT_NOW, "deck")
    if next_deck(state) is None:
        return refuse(state, Reason.NEW_SET_REQUIRED, "deck")
    return change_deck(state, DeckStatus.USED)


def _is_new(state: State) -> bool:
    """Tell whether the deck being opened was never in play: a DECK more is one too many, and would wear that out."""
    deck = in_play(state)
    return deck is not None and deck.status is DeckStatus.NEW
