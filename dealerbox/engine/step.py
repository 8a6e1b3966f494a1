"""The decision: step(state, event) -> (state, commands). Pure, and total: the world never makes it raise."""

from msgspec.structs import replace

from dealerbox.engine import between, dealing, machine
from dealerbox.engine.holds import end_holds, hold, notice, wake
from dealerbox.engine.keys import pressed
from dealerbox.engine.phases import Phase, Trigger, move
from dealerbox.engine.rulings import ruled
from dealerbox.engine.sightings import confirm_suspects, gone, seen
from dealerbox.engine.state import (
    NOWHERE,
    Card,
    Condition,
    Deck,
    DeckStatus,
    State,
    deck_tokens,
    in_hand,
    settling_ns,
)
from dealerbox.law.custody import NEVER_NS
from dealerbox.model import events as ev
from dealerbox.model.commands import Command
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import Setup
from dealerbox.model.zones import seat


def step(state: State, event: ev.Event) -> tuple[State, tuple[Command, ...]]:
    """Return the state after `event`, and what must be done.

    Every event has an answer in every phase. Time that runs backwards is taken as no time passed,
    but for a start of the station: a reboot sets its clock to zero.
    """
    rebooted = isinstance(event, ev.Started)
    now_ns = event.at_ns if rebooted else max(state.now_ns, event.at_ns)
    state = _answer(replace(state, now_ns=now_ns), event)
    if state.wakes and state.wakes[0] <= now_ns:
        state = _timed(replace(state, wakes=tuple(due for due in state.wakes if due > now_ns)))
    state = _go_on(state)
    if not state.out_commands:
        return state, ()
    return replace(state, out_commands=()), state.out_commands


def _answer(state: State, event: ev.Event) -> State:
    match event:
        case ev.CardsSeen():
            return seen(state, event.zone, event.tokens)
        case ev.CardsGone():
            return gone(state, event.zone, event.tokens)
        case ev.CardUp():
            return machine.card_up(state, event)
        case ev.CardPassed():
            return machine.card_passed(state, event)
        case ev.KeyPressed():
            return pressed(state, event)
        case ev.ButtonAt():
            return _button(state, event)
        case ev.Ruled():
            return ruled(state, event)
        case ev.Started():
            return _started(state, event)
        case _:
            return _of_devices(state, event)


def _of_devices(state: State, event: ev.Event) -> State:
    match event:
        case ev.CardNotTaken():
            return machine.card_not_taken(state, event)
        case ev.CardRetracted():
            return machine.card_retracted(state, event)
        case ev.CycleEnded():
            return machine.cycle_ended(state, event)
        case ev.PlacesSet():
            return machine.places_set(state, event)
        case ev.CommandVoid():
            return machine.command_void(state, event)
        case ev.Misfed():
            return machine.misfed(state, event)
        case ev.ShufflerLocked():
            return machine.locked(state, event)
        case ev.ShufflerMet():
            return machine.met(state, event)
        case ev.HoldFound():
            return hold(state, Reason.RESTARTED, Condition.ACK)
        case ev.DeviceLost():
            return _lost(state, event.device)
        case ev.DeviceBack() if event.device != state.setup.shuffler:
            return end_holds(state, lambda h: h.reason is Reason.DEVICE_LOST and h.device == event.device)
        case ev.ZoneUnknown():
            state = replace(state, blind=state.blind | {event.zone})
            return hold(state, Reason.DEVICE_LOST, Condition.DEVICE, zone=event.zone, device=f"reader of {event.zone}")
        case ev.ZoneKnown():
            state = replace(state, blind=state.blind - {event.zone})
            device = f"reader of {event.zone}"
            return end_holds(state, lambda h: h.reason is Reason.DEVICE_LOST and h.device == device)
        case ev.KeyStuck():
            return notice(state, Reason.KEY_STUCK)
        case ev.JournalFailed():
            return hold(state, Reason.JOURNAL_FAULT, Condition.DEVICE)
        case _:
            return state


def _go_on(state: State) -> State:
    """Do what is owed next; a hand asks for cards, the time between hands for a whole shuffled deck."""
    if in_hand(state):
        return dealing.deal_on(dealing.proof_owed(state))
    return between.tend(state)


def _timed(state: State) -> State:
    """Judge what only time decides."""
    state = between.clocks(confirm_suspects(state))
    state = dealing.unseen(state)
    return _button_settled(state)


def _button(state: State, event: ev.ButtonAt) -> State:
    state = replace(state, button_seen=event.seats, button_since_ns=state.now_ns)
    if not in_hand(state):
        return state
    if state.button in event.seats:
        return end_holds(state, lambda h: h.reason is Reason.BUTTON_MOVED)
    return wake(state, state.now_ns + settling_ns(state) + 1) if event.seats else state


def _button_settled(state: State) -> State:
    """The button lies steadily at another seat in mid-hand (1804A(3))."""
    elsewhere = in_hand(state) and state.button_seen and state.button not in state.button_seen
    if not elsewhere or state.now_ns - state.button_since_ns <= settling_ns(state):
        return state
    if any(h.reason is Reason.BUTTON_MOVED for h in state.holds) or state.button_stands == state.button_seen:
        return state
    return hold(state, Reason.BUTTON_MOVED, Condition.SIGHT, zone=seat(state.button_seen[0]), to=seat(state.button))


def _lost(state: State, device: str) -> State:
    if device == state.setup.shuffler:
        if state.manual is not None:
            return replace(state, up=False)
        state = replace(state, up=False, shuffled=state.shuffled)
    return hold(state, Reason.DEVICE_LOST, Condition.DEVICE, device=device)


def _started(state: State, event: ev.Started) -> State:
    """The daemon started: a new table, or the same one again, held if a hand is open."""
    met_before = state.memory.session > 0
    memory = replace(state.memory if met_before else event.memory, session=event.memory.session)
    released = state.released
    if released is not None and released.passed_ns:
        released = replace(released, passed_ns=state.now_ns)
    state = replace(
        state,
        setup=event.setup,
        memory=memory,
        up=False,
        seen={},
        suspects=(),
        wakes=(),
        undo=None,
        button_seen=(),
        button_since_ns=state.now_ns,
        up_ns=state.now_ns,
        cycle_ns=state.now_ns,
        released=released,
        boot_id=event.boot_id,
        counted_ns=state.counted_ns if event.boot_id == state.boot_id else NEVER_NS,
        changed_ns=state.changed_ns if event.boot_id == state.boot_id else NEVER_NS,
        count_read=False,
        decks=_decks(state, event.setup),
        blind=frozenset(event.setup.readers),
        voids=0,
        idle=False,
        holds=tuple(h for h in state.holds if h.reason is not Reason.DEVICE_LOST),
    )
    state = between.clocks(state)
    if not in_hand(state):
        return _opened(state)
    if released is not None and released.passed_ns and not released.unseen:
        state = wake(state, state.now_ns + settling_ns(state))
    return hold(state, Reason.RESTARTED, Condition.ACK)


def _decks(state: State, setup: Setup) -> tuple[Deck, ...]:
    """Return the decks that the config names, each with what is known of it: a new name is a new deck."""
    before = {deck.name: deck for deck in state.decks}
    return tuple(before.get(info.name) or Deck(info.slot, info.name, info.back) for info in setup.decks)


def _opened(state: State) -> State:
    """A table opens with its first new deck, every card of it still to be read (T1, T2).

    One that was open goes on with its own; one that was closed does not take a used deck again (C13).
    """
    if state.phase is Phase.CLOSED:
        decks = tuple(
            replace(deck, status=DeckStatus.USED) if deck.status is DeckStatus.IN_PLAY else deck for deck in state.decks
        )
        seats = state.seats or state.setup.seats
        state = replace(state, seats=seats, decks=decks, deck=0, phase=move(state.phase, Trigger.OPEN))
    first = between.next_deck(state.decks)
    if state.deck or first is None:
        return state
    if state.phase is not Phase.OPENING:
        state = replace(state, phase=move(state.phase, Trigger.CHANGE))
    return replace(state, deck=first.slot, out={card: Card(NOWHERE) for card in deck_tokens(first.slot)})
