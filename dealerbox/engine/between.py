"""Between hands: every card back, the machine proved, the deck verified and shuffled (T1, H7, S1, S2)."""

from typing import Final

from dealerbox.engine import clocks, decks
from dealerbox.engine.facts import by_hand, deck_tokens, recount_zone, settling_ns, stub_in_hand
from dealerbox.engine.find import no_more
from dealerbox.engine.holds import end_holds, has_hold, refuse, wake
from dealerbox.engine.machine import order, place
from dealerbox.engine.phases import CLOSED, Phase, Trigger, move
from dealerbox.engine.state import NOWHERE, Card, State, change
from dealerbox.engine.witnesses import begin_reading, does_not_add_up
from dealerbox.law.plan import button_seats
from dealerbox.model.cards import DECK_SIZE, Kind, kind_of
from dealerbox.model.commands import Retract, Return, Shuffle
from dealerbox.model.events import Space
from dealerbox.model.reasons import Reason
from dealerbox.model.shuffler import Cap, Scope
from dealerbox.model.zones import ASIDE, EXIT, INFEED, Zone, seat


def tend(state: State) -> State:
    """Do the next thing that is owed between hands, if anything may be done."""
    if state.phase is CLOSED or not state.deck:
        return state
    if state.search is not None:
        state = no_more(state)
    if decks.in_play(state) is None:  # it is no longer listed: its tags are strange now
        return decks.open_next(state)
    if by_hand(state):
        return _gathered(state)
    if not state.up or state.memory.pending or must_be_emptied(state):
        return state
    inside = state.memory.machine
    if state.memory.exit_id:
        exit_id = state.memory.exit_id
        return order(state, lambda number: Retract(number, exit_id))
    if inside < DECK_SIZE:
        if state.out or not state.idle:
            if state.idle:
                return state
            if not state.caps & Cap.RETURN:
                return _filled(state)
            return order(state, lambda number: Return(number, DECK_SIZE - inside))
        return does_not_add_up(state)
    if inside > DECK_SIZE or state.intruders:
        return does_not_add_up(state)
    if state.out:
        return _unread(state)
    state = change(state, manual=None, empty_owed=False, reading=None, whole_read=False)
    state = end_holds(state, lambda h: h.reason is Reason.RECOUNT)
    state = _gathered(state)
    if state.phase is Phase.BETWEEN and not state.shuffled:
        return order(state, lambda number: Shuffle(number, DECK_SIZE, Scope.DECK))
    return state


def _filled(state: State) -> State:
    """A machine that takes in nothing itself is filled by hand, past the infeed reader: its tags are the count."""
    return state if state.out else place(state, DECK_SIZE, 0, 0)


def read_singly(state: State) -> State:
    """A machine that cannot count was filled past the infeed reader, tag by tag, and has dealt none since."""
    return refuse(state, Reason.NOT_NOW, "count") if state.out else change(state, count_read=True)


def _gathered(state: State) -> State:
    """Every card is back, and the next hand may come."""
    if state.out or state.phase is not Phase.GATHERING:
        return state
    return change(state, phase=move(state.phase, Trigger.GATHERED))


def _unread(state: State) -> State:
    """The count says 52, the tags say fewer (S3): after a hand, once the last read has had its time, a recount."""
    if state.phase is Phase.BETWEEN and not has_hold(state, Reason.RECOUNT):
        return state
    due_ns = state.cycle_ns + settling_ns(state)
    return wake(state, due_ns) if state.now_ns < due_ns else does_not_add_up(state)


def must_be_emptied(state: State) -> bool:
    """Tell whether the machine must be proved empty first (S2); not while the cards are in the dealer's hand (C15)."""
    return state.empty_owed and state.manual is None


def may_be_emptied(state: State) -> bool:
    """Tell whether the machine can be told that it is empty: it is at nothing else."""
    return not state.memory.pending


def emptied(state: State, person: int) -> State:
    """The dealer has taken every card out and looked: the machine is told that it is empty."""
    out = {card: state.out.get(card, Card(NOWHERE)) for card in deck_tokens(state.deck)}
    state = begin_reading(state, out)
    state = change(state, empty_owed=False, idle=False, shuffled=0, count_read=False, undo=None)
    if not state.up or state.disagrees or state.memory.machine or state.memory.exit_id or state.holds:
        return place(state, 0, 0, person)
    return state


def shown_anew(state: State) -> State:
    """By hand: each of the 52 is to be shown singly at the burn reader (C15)."""
    return change(begin_reading(state, stub_in_hand(state)), shuffled=0, count_read=False, undo=None)


def whole(state: State) -> bool:
    """Tell whether the deck being opened is all in the machine, read and counted, and nothing else with it."""
    return (
        state.phase is Phase.OPENING
        and not state.out
        and not state.intruders
        and (by_hand(state) or (state.up and state.memory.machine == DECK_SIZE))
        and not state.memory.pending
    )


def verified(state: State, person: int) -> State:
    """The dealer confirms seal, backs and condition: the deck is in play (T1)."""
    if decks.alike(state):
        return refuse(state, Reason.DECKS_ALIKE, "verify")
    state = decks.came_into_play(change(state, phase=move(state.phase, Trigger.VERIFIED)))
    state = counted(clocks.came_into_play(state), person)
    return end_holds(state, lambda h: h.reason in _OF_DECK)


_OF_DECK: Final = (Reason.DEFECTIVE_DECK, Reason.CARD_MISSING, Reason.DUPLICATE_TAG, Reason.RECOUNT)


def counted(state: State, person: int) -> State:
    """The dealer confirms a complete count by name: the count clock begins anew (C1, C2)."""
    return clocks.counted(change(state, count_read=False))


def button_due(state: State) -> tuple[int, ...]:
    """Return the seats where the button may lie for the next hand; () when the director must set it (C11)."""
    if state.button_set:
        return (state.button_set,)
    if not state.button or not state.seats:
        return ()
    house = state.setup.house
    return button_seats(state.seats, state.button, house.button_rule, house.max_seats)


def start_fault(state: State) -> tuple[Reason, Zone] | None:
    """Return why the hand may not start, and where (H1); None when it may."""
    if state.phase is Phase.CLOSED:
        return Reason.TABLE_CLOSED, NOWHERE
    if state.holds:
        return state.holds[0].reason, state.holds[0].zone
    if state.space in (Space.LAST_HAND, Space.FULL):
        return Reason.JOURNAL_FULL, NOWHERE
    if state.blind:
        return Reason.DEVICE_LOST, min(state.blind)
    if not state.up and state.manual is None:
        return (Reason.NOT_EMPTY, NOWHERE) if state.empty_owed else (Reason.DEVICE_LOST, EXIT)
    if len(state.seats) < 2:
        return Reason.TOO_FEW_SEATS, NOWHERE
    if len(state.seats) > state.setup.house.max_seats:
        return Reason.TOO_MANY_SEATS, NOWHERE
    return (
        clocks.over_fault(state)
        or _deck_fault(state)
        or _clock_fault(state)
        or _stranger_fault(state)
        or _button_fault(state)
        or clocks.hour_fault(state)
    )


def _clock_fault(state: State) -> tuple[Reason, Zone] | None:
    """Return which clock of the deck keeps the hand from starting; both decks used, the set is to be replaced."""
    fault = clocks.deck_clock_fault(state)
    if fault is None or decks.next_deck(state) is not None:
        return fault
    unsure = fault[0] is Reason.CLOCK_UNSURE and clocks.unsure(state) is Reason.DECK_CHANGE_OVERDUE
    return (Reason.NEW_SET_REQUIRED, NOWHERE) if unsure or fault[0] is Reason.DECK_CHANGE_OVERDUE else fault


def _deck_fault(state: State) -> tuple[Reason, Zone] | None:
    fault = decks.deck_fault(state)
    if fault is not None:
        return fault
    if must_be_emptied(state):
        return Reason.NOT_EMPTY, NOWHERE
    if state.out:
        return Reason.CARDS_OUT, recount_zone(state)
    if state.phase is not Phase.BETWEEN:
        return Reason.CARDS_OUT, INFEED
    if not state.shuffled:
        return Reason.NOT_SHUFFLED, NOWHERE
    return (Reason.NOT_NOW, NOWHERE) if state.memory.pending and not by_hand(state) else None


def _stranger_fault(state: State) -> tuple[Reason, Zone] | None:
    """No foreign tag anywhere on the table, no joker or other deck in the shuffler or a zone of play (H1)."""
    for zone, there in state.seen.items():
        for card in there:
            kind = kind_of(card)
            if kind is Kind.FOREIGN:
                return Reason.FOREIGN_CARD, zone
            if zone == ASIDE:
                continue
            if kind is Kind.JOKER:
                return Reason.JOKER_PRESENT, zone
            if kind is Kind.CARD and card // 1000 != state.deck:
                return Reason.OTHER_DECK, zone
    return None


def _button_fault(state: State) -> tuple[Reason, Zone] | None:
    due = button_due(state)
    if len(state.button_seen) != 1:
        return Reason.BUTTON_MISSING, seat(due[0]) if due else NOWHERE
    if state.button_seen[0] not in due:
        return Reason.BUTTON_WRONG, seat(state.button_seen[0])
    return None
