"""The shuffler as the engine sees it: commands given one at a time by id, and what came of them."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from dealerbox.engine.facts import by_hand, in_hand, settling_ns
from dealerbox.engine.holds import end_holds, hold, refuse, tell, wake
from dealerbox.engine.phases import Phase
from dealerbox.engine.placing import given_unasked, not_let_out
from dealerbox.engine.state import Card, Condition, Proof, Released, State, change
from dealerbox.model.cards import DECK_SIZE
from dealerbox.model.commands import Permit, Places
from dealerbox.model.events import (
    CardNotTaken,
    CardPassed,
    CardRetracted,
    CardUp,
    CommandVoid,
    CycleEnded,
    Event,
    Misfed,
    PlacesSet,
    ShufflerLocked,
    ShufflerMet,
)
from dealerbox.model.reasons import Reason
from dealerbox.model.shuffler import Cap, Cycle, Memory, Result
from dealerbox.model.zones import EXIT

ASKED: Final = "shuffler"
"""What a refusal of what the machine tells is about."""
PROOF: Final = Condition.PROOF
_STOPPED: Final = ("Dispense", "Release")
"""Commands that a hold makes come to nothing: no fault of the machine's."""
_ANSWERED: Final = (Reason.DEVICE_LOST, Reason.NOT_EMPTY, Reason.JAM, Reason.DOOR_OPEN)
"""Holds that end when the machine answers and agrees, unless the mid-hand proof is owed."""
MOST: Final = 2 * DECK_SIZE
"""Cards of a table: no machine holds more, whatever it says."""
PATIENCE: Final = 5
"""Commands in a row that come to nothing before the machine is called jammed."""


def order(state: State, make: Callable[[int], Permit]) -> State:
    """Give the shuffler a command under the next id; it is pending until the shuffler says what came of it."""
    number = state.memory.next_id
    command = make(number)
    memory = replace(state.memory, next_id=number + 1, pending=number, pending_kind=command.__class__.__name__)
    state.memory = memory
    return tell(state, command)


def _settled(
    state: State, number: int, moved: bool = True, *, exit_id: int | None = None, machine: int | None = None
) -> State:
    """The command `number` is final; where it has moved a card, what lies at the exit and in the machine now."""
    memory = state.memory
    is_pending = number == memory.pending
    state.memory = replace(
        memory,
        settled=number if memory.settled < number < memory.next_id else memory.settled,
        pending=0 if is_pending else memory.pending,
        pending_kind="" if is_pending else memory.pending_kind,
        exit_id=memory.exit_id if exit_id is None else exit_id,
        machine=memory.machine if machine is None else machine,
    )
    if moved:
        state.voids = 0
        return state
    state.voids += 1
    return _patience(state)


def _stopped(state: State, number: int) -> State:
    """A hold has shut the gate on this command: no fault of the machine's."""
    voids = state.voids
    state = _settled(state, number)
    state.voids = voids
    return state


def _patience(state: State) -> State:
    """Call the machine jammed when too many commands in a row have come to nothing, whatever else is held."""
    if state.voids <= PATIENCE:
        return state
    return _trouble(change(state, voids=0), Reason.JAM, places=not state.up or bool(state.holds))


def done(state: State, event: CardUp | CardRetracted | CycleEnded | PlacesSet) -> State:
    """The machine has done what it was told; what it was not told, it has moved unasked."""
    answer, unasked = _DONE[event.__class__]
    return answer(state, event) if event.id == state.memory.pending != 0 else _moved_unasked(state, unasked)


def _moved_unasked(state: State, reason: Reason) -> State:
    """The machine tells of a command that is not pending.

    A machine that the hand goes on without tells what it was at when it was given up (C15).
    """
    if state.manual is not None:
        return state
    return _trouble(refuse(state, reason, ASKED, EXIT), reason, places=not state.up)


def _nothing_moved(state: State, number: int) -> State:
    """The machine says late that a command moved nothing; of one that was never given, it cannot know what it says."""
    return state if 0 < number < state.memory.next_id else _moved_unasked(state, Reason.JAM)


def _card_up(state: State, event: CardUp) -> State:
    """A card waits behind the gate."""
    state = _settled(state, event.id, exit_id=event.id, machine=state.memory.machine - 1)
    state.up_ns, state.opened = state.now_ns, True
    return state


def card_passed(state: State, event: CardPassed) -> State:
    """The released card is out; nothing about cards can be undone past this."""
    memory = state.memory
    if (event.id != memory.pending or event.card_id != memory.exit_id or not event.id) and state.manual is None:
        return _moved_unasked(state, Reason.UNACCOUNTED_DISPENSE)
    state = _settled(state, event.id, exit_id=0)
    state.undo = None
    released = state.released
    if released is None or released.passed_ns:
        return state
    card = released.token
    if card not in state.out:
        state.out = state.out.copy()
        state.out[card] = Card(EXIT, released.step.zone)
    if not in_hand(state):
        state.released = None
        return state
    state.released = Released(card, released.step, state.now_ns, released.unseen)
    return wake(state, state.now_ns + settling_ns(state))


def card_not_taken(state: State, event: CardNotTaken) -> State:
    """The card is still behind the gate; its step is still owed."""
    if event.id != state.memory.pending or not event.id:
        return _nothing_moved(state, event.id)
    state = _settled(state, event.id, moved=False) if not state.holds else _stopped(state, event.id)
    return not_let_out(state)


def _card_retracted(state: State, event: CardRetracted) -> State:
    """The card is back in the machine, and the order of the stub is lost."""
    state = _settled(state, event.id, exit_id=0, machine=state.memory.machine + 1)
    state = end_holds(state, lambda h: h.reason is Reason.CARD_UNREAD)
    return change(state, order_lost=True, shuffled=0)


def _cycle_ended(state: State, event: CycleEnded) -> State:
    """A cycle of the whole machine ended; one that nobody asked for earns nothing (S1)."""
    state = _settled(state, event.id, moved=event.result is not Result.REFUSED)
    if by_hand(state):
        return state
    if not 0 <= event.number <= MOST:
        return _trouble(state, Reason.JAM)
    if event.result in (Result.DONE, Result.WRONG_NUMBER):
        entered = event.number if event.cycle is Cycle.RETURN else event.number - state.memory.machine
        state = change(state, memory=replace(state.memory, machine=state.memory.machine + entered))
    state = change(state, cycle_ns=state.now_ns)
    match event.cycle:
        case Cycle.RETURN:
            return change(state, shuffled=0, idle=event.number == 0 or event.result is not Result.DONE)
        case Cycle.COUNT:
            return _counted(state, event)
        case Cycle.SHUFFLE:
            return _shuffled(state, event)


def _counted(state: State, event: CycleEnded) -> State:
    if event.result is not Result.DONE:
        return state
    if state.proof is not None:
        return change(state, proof=replace(state.proof, counted=event.number))
    if state.phase is not Phase.BETWEEN:
        return state
    if state.out and event.number == DECK_SIZE:  # two witnesses that disagree (S3)
        state.empty_owed = True
    if state.out or event.number != DECK_SIZE:
        return hold(state, Reason.RECOUNT, Condition.DECK, device=state.setup.shuffler)
    kept = state.caps & Cap.COUNT_KEEPS_ORDER
    return change(state, count_read=True, shuffled=state.shuffled if kept else 0)


def _shuffled(state: State, event: CycleEnded) -> State:
    """A completed shuffle earns one token (S1); in mid-hand it is good for the rest of this hand only."""
    if event.result is Result.WRONG_NUMBER:
        return hold(state, Reason.RECOUNT, Condition.DECK, device=state.setup.shuffler)
    if event.result is not Result.DONE:
        return state
    if in_hand(state):
        memory = replace(state.memory, deal_id=event.id)
        return change(state, memory=memory, order_lost=False, opened=False, cut_owed=True)
    whole = state.phase is Phase.BETWEEN and event.number == DECK_SIZE
    return change(state, shuffled=event.id if whole else 0)


def _places_set(state: State, event: PlacesSet) -> State:
    """The machine has taken a person's word for where its cards are."""
    state = _settled(state, event.id)
    machine, exit_id = state.placed
    return change(state, memory=replace(state.memory, machine=machine, exit_id=exit_id))


def place(state: State, machine: int, exit_id: int | None, person: int) -> State:
    """Tell the machine a person's word: so many inside; at the exit none (0), a card by its id, or one unknown."""
    number = state.memory.next_id
    state = change(state, placed=(machine, number if exit_id is None else exit_id))
    return order(state, lambda number: Places(number, *state.placed, True, person))


def command_void(state: State, event: CommandVoid) -> State:
    """A command will never move anything; what it was for is still owed."""
    if event.id != state.memory.pending or not event.id:
        return _nothing_moved(state, event.id)
    kind = state.memory.pending_kind
    state = change(
        state,
        memory=replace(state.memory, pending=0, pending_kind=""),
        voids=state.voids + (0 if state.holds and kind in _STOPPED else 1),
    )
    if kind == "Places":
        return _not_placed(state)
    return _patience(not_let_out(state))


def _not_placed(state: State) -> State:
    """The machine has not taken the person's word: unless it agrees by now, it is asked for again."""
    if state.up:
        return state
    state.disagrees = True
    return state if in_hand(state) else change(state, empty_owed=True)


def misfed(state: State, event: Misfed) -> State:
    """A command went wrong in the machine."""
    kind = state.memory.pending_kind if event.id == state.memory.pending else None
    of_another = not kind and state.memory.pending_kind == "Release"
    if not kind and event.result is Result.NO_FEED:
        return _nothing_moved(state, event.id)
    state = _settled(state, event.id, moved=False)
    if kind == "Places":
        return _not_placed(state)
    if kind == "Dispense":
        state = change(state, opened=True)
    if not of_another:  # the card that has its permit keeps it
        state = not_let_out(state)
    if event.result is Result.NO_FEED:
        return state
    return _trouble(state, Reason.DOUBLE_FEED if event.result is Result.DOUBLE_FEED else Reason.JAM)


def locked(state: State, event: ShufflerLocked) -> State:
    """The machine restricted itself unasked."""
    return _trouble(state, Reason.DOOR_OPEN if event.why == "door" else Reason.JAM)


def _trouble(state: State, reason: Reason, places: bool = True) -> State:
    """The machine's content may have changed (S2): the mid-hand proof, or empty and a full count.

    `places`: the machine has yet to say whether it knows what it holds.
    """
    if by_hand(state):
        manual = state.manual
        watched = manual is not None and manual.given and manual.emptied and in_hand(state)
        return hold(state, reason, Condition.DEVICE, device=state.setup.shuffler) if watched else state
    state = change(state, shuffled=0)
    if not in_hand(state):
        return change(state, empty_owed=state.phase is not Phase.CLOSED, up=state.up and not places)
    if state.manual is not None:
        return state
    state = change(state, proof=Proof(places=places), order_lost=True)
    return hold(state, reason, Condition.PROOF, device=state.setup.shuffler)


def _agreed(memory: Memory, event: ShufflerMet) -> Memory:
    """Which machine this is, and what it holds, is remembered only once both records agree.

    A machine swapped for another whose numbers happen to fit must still be strange after a restart.
    """
    known = memory.epoch in (0, event.epoch)
    return replace(
        memory,
        serial=event.serial,
        epoch=event.epoch,
        retired=memory.retired if known else (*memory.retired, memory.epoch),
        machine=event.machine,
        exit_id=event.exit_id,
        settled=max(memory.settled, event.last_id),
    )


def _not_as_left(state: State, event: ShufflerMet) -> State:
    """A shuffle that the machine does not know any more is worth nothing (S1)."""
    if in_hand(state):
        known = event.deal_id if state.opened else event.token_id
        kept = state.manual is not None or known == state.memory.deal_id
        return state if kept else change(state, order_lost=True)
    stale = state.shuffled > 0 and event.token_id != state.shuffled
    return change(state, shuffled=0) if stale else state


def _unpowered(state: State) -> State:
    """It was without power: what is in it is unknown, whatever its record says (S2)."""
    if state.manual is not None:
        return state
    if not in_hand(state):
        return change(state, shuffled=0, empty_owed=state.empty_owed or state.phase is not Phase.CLOSED)
    lost, shuffler = Reason.DEVICE_LOST, state.setup.shuffler
    holds = tuple(replace(h, needs=PROOF) if (h.reason, h.device) == (lost, shuffler) else h for h in state.holds)
    state = change(state, proof=Proof(), order_lost=True, holds=holds)
    return hold(state, lost, PROOF, device=shuffler)


def _ended_untold(state: State, event: ShufflerMet) -> State:
    """A card's command of which nothing was told before the machine is met: its record says where the card is."""
    memory = state.memory
    number, kind, card_id, at_ns = memory.pending, memory.pending_kind, memory.exit_id, event.at_ns
    if number > event.last_id or kind not in ("Release", "Retract"):
        return state
    if kind == "Retract":
        return state if event.exit_id else _card_retracted(state, CardRetracted(at_ns, number))
    if event.exit_id or event.machine > memory.machine:
        return card_not_taken(state, CardNotTaken(at_ns, number, card_id))
    return card_passed(state, CardPassed(at_ns, number, card_id))


def met(state: State, event: ShufflerMet) -> State:
    """The shuffler answers; whether it agrees decides what is owed. One that cannot say what it holds does not."""
    agreed = event.agreed and min(event.machine, event.exit_id) >= 0 and event.machine <= MOST
    if agreed:
        state = _ended_untold(state, event)
    memory = state.memory
    ahead = memory.epoch and event.last_id >= memory.next_id
    memory = replace(
        memory,
        session=max(memory.session, event.session),
        next_id=max(memory.next_id, event.last_id + 1),
    )
    state.caps, state.up, state.disagrees = event.caps, agreed, not agreed
    if agreed:
        memory = _agreed(memory, event)
        proof = replace(state.proof, places=False) if state.proof else None
        opened = state.opened
        if memory.pending <= event.last_id:
            opened = opened or memory.pending_kind == "Dispense"
            memory = replace(memory, pending=0, pending_kind="")
        state = _not_as_left(change(state, memory=memory, proof=proof, opened=opened), event)
        if event.unpowered:
            state = _unpowered(state)
        shuffler = state.setup.shuffler
        return end_holds(state, lambda h: h.reason in _ANSWERED and h.device == shuffler and h.needs is not PROOF)
    state = change(state, memory=memory)
    if state.manual is not None:  # the cards are in the dealer's hand: the machine is not asked for (C15)
        return state
    if not in_hand(state):
        state = change(state, empty_owed=True, shuffled=0)
        return hold(state, Reason.NOT_EMPTY, Condition.ACK, device=state.setup.shuffler)
    state.proof = Proof()
    reason = Reason.UNACCOUNTED_DISPENSE if ahead else Reason.JAM
    if any(h.needs is Condition.PROOF for h in state.holds):
        return state
    return given_unasked(hold(state, reason, Condition.PROOF, device=state.setup.shuffler))


_DONE: Final[dict[type[Event], tuple[Callable[[State, Any], State], Reason]]] = {
    CardUp: (_card_up, Reason.UNACCOUNTED_DISPENSE),
    CardRetracted: (_card_retracted, Reason.JAM),
    CycleEnded: (_cycle_ended, Reason.JAM),
    PlacesSet: (_places_set, Reason.JAM),
}
"""What answers a command -> who takes it, and what it is called where nothing was asked."""
