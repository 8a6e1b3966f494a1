"""The decision: step(state, event) -> (state, commands). Pure (P6), and total: the world never makes it raise.

A lawful hand is told nothing, or a notice (P2).
"""

from bisect import bisect
from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

from msgspec.structs import replace

from dealerbox.engine import between, clocks, dealing, decks, machine
from dealerbox.engine.authority import device_lent, service_began, service_ended
from dealerbox.engine.facts import in_hand, is_moving, settling_ns
from dealerbox.engine.holds import end_holds, hold, holds_again, notice, refuse, wake
from dealerbox.engine.keys import pressed
from dealerbox.engine.notices import hand_asked, turn_told
from dealerbox.engine.phases import Phase, Trigger, move
from dealerbox.engine.rulings import ruled
from dealerbox.engine.sightings import confirm_suspects, gone, seen, settle_strays
from dealerbox.engine.state import Condition, Proof, Standing, State, change
from dealerbox.law.custody import SECOND_NS
from dealerbox.model import events as ev
from dealerbox.model.commands import Command
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import MAX_SEATS, seat


def step(state: State, event: ev.Event) -> tuple[State, tuple[Command, ...]]:
    """Return the state after `event`, and what must be done.

    Every event has an answer in every phase. Time that runs backwards is taken as no time passed, and by more than
    a second it is refused as well; but for a start of the station: a reboot sets its clock to zero.
    """
    kind = event.__class__
    now_ns, back = event.at_ns, False
    if now_ns < state.now_ns or kind is ev.Started:  # a start brings its own clock
        back = kind is not ev.Started and state.now_ns - now_ns > SECOND_NS
        now_ns = state.now_ns
    answer = _ANSWERS.get(kind)
    state = _copied(state)
    state.now_ns = now_ns
    if answer is not None:
        state = answer(state, event)
    if back:
        state = refuse(state, Reason.CLOCK_UNSURE, "time")
    if state.wakes and state.wakes[0] <= state.now_ns:
        state.wakes = state.wakes[bisect(state.wakes, state.now_ns) :]
        state = _timed(state)
    state = _tended(state)
    commands = state.out_commands
    if commands:
        state.out_commands = ()
    return state, commands


_copied: Final[Callable[[State], State]] = attrgetter("__copy__")(State)
"""Half of what `replace` costs, a third of `copy.copy`; the types of msgspec do not name it."""


def _timed(state: State) -> State:
    """Judge what only time decides."""
    if state.suspects:
        state = confirm_suspects(state)
    if state.clock_ns <= state.now_ns:
        state = clocks.clocks(state)
    if state.strays:
        state = settle_strays(state)
    if state.turn is not None:
        state = turn_told(state, state.turn)
    if state.released is not None:
        state = dealing.unseen(state, state.released)
    return state if state.button in state.button_seen else _button_settled(state)


def _button(state: State, event: ev.ButtonAt) -> State:
    seats = tuple(number for number in event.seats if 1 <= number <= MAX_SEATS)
    if seats != event.seats:
        state = refuse(state, Reason.BUTTON_MISSING, "button")
    state = change(state, button_seen=seats, button_since_ns=state.now_ns)
    if not in_hand(state):
        return state
    if state.button in seats or seats == state.button_stands != ():
        return end_holds(state, lambda h: h.reason is Reason.BUTTON_MOVED)
    return wake(state, state.now_ns + settling_ns(state) + 1) if seats else state


def _button_settled(state: State) -> State:
    """The button lies steadily at another seat in mid-hand (1804A(3))."""
    if not state.button_seen or not in_hand(state) or is_moving(state):
        return state
    if any(h.reason is Reason.BUTTON_MOVED for h in state.holds) or state.button_stands == state.button_seen:
        return state
    return hold(state, Reason.BUTTON_MOVED, Condition.SIGHT, zone=seat(state.button_seen[0]), to=seat(state.button))


def _lost(state: State, device: str) -> State:
    if device in state.setup.optional:
        return notice(state, Reason.DEVICE_LOST)
    if device == state.setup.shuffler:
        if state.manual is not None and not state.manual.given:
            return change(state, up=False)
        state = change(state, up=False, proof=_unproved(state.proof))
    return hold(state, Reason.DEVICE_LOST, Condition.DEVICE, device=device)


def _unproved(proof: Proof | None) -> Proof | None:
    """What was counted before nobody looked proves nothing (P5)."""
    return proof and Proof()


def _of_this_run(standing: Standing) -> bool:
    """Tell whether a hold is about what only this run has seen: devices, the journal, what a reader reads now."""
    sight = standing.reason is Reason.RECOUNT and standing.needs is Condition.SIGHT
    return sight or standing.reason in (Reason.DEVICE_LOST, Reason.JOURNAL_FAULT, Reason.JOURNAL_FULL)


def _started(state: State, event: ev.Started) -> State:
    """The daemon started: a new table, or the same one again, held if a hand is open."""
    met_before = state.memory.session > 0
    state = decks.listed(clocks.started(state, event.at_ns, event.boot_id), event.setup.decks)
    memory = replace(state.memory if met_before else event.memory, session=event.memory.session)
    released = state.released
    if released is not None and released.passed_ns:
        released = replace(released, passed_ns=state.now_ns)
    along = tuple(replace(one, passed_ns=state.now_ns) for one in state.along)
    early = tuple(replace(one, seen_ns=state.now_ns) for one in state.early)
    state = change(
        state,
        setup=event.setup,
        memory=memory,
        up=False,
        seen={},
        suspects=(),
        wakes=(),
        undo=None,
        first_word=None,
        refused=None,
        button_seen=(),
        up_ns=state.now_ns,
        cycle_ns=state.now_ns,
        released=released,
        along=along,
        early=early,
        count_read=False,
        blind=frozenset(event.setup.readers),
        space=ev.Space.ENOUGH,
        voids=0,
        idle=False,
        proof=_unproved(state.proof),
        search=None,
        holds=tuple(h for h in state.holds if not _of_this_run(h)),
    )
    state = clocks.clocks(state)
    if not in_hand(state):
        return _opened(state)
    if state.turn is not None:  # the hold of the restart stops it; its end begins it anew
        state = change(state, turn=replace(state.turn, told=None))
    if released is not None and (state.along or (released.passed_ns and not released.unseen)):
        state = wake(state, state.now_ns + settling_ns(state))
    return hold(state, Reason.RESTARTED, Condition.ACK)


def _opened(state: State) -> State:
    """A table opens with its first new deck, every card of it still to be read (T1, T2).

    One that was open goes on with its own; one that was closed does not take a used deck again (C13).
    """
    if state.phase is Phase.CLOSED:
        seats = state.seats or tuple(n for n in state.setup.seats if 1 <= n <= MAX_SEATS)
        state = change(state, seats=seats, phase=move(state.phase, Trigger.OPEN))
        state = clocks.opened(decks.retired(state))
    first = decks.next_deck(state)
    if state.deck or first is None:
        return state
    if state.phase is not Phase.OPENING:
        state = change(state, phase=move(state.phase, Trigger.CHANGE))
    if state.memory.machine or state.memory.exit_id:
        state = change(state, empty_owed=True)
    return decks.opening(state, first.slot)


def _hold_found(state: State, event: ev.HoldFound) -> State:
    return hold(state, Reason.RESTARTED, Condition.ACK)


def _device_lost(state: State, event: ev.DeviceLost) -> State:
    return _lost(state, event.device)


def _met(state: State, event: ev.ShufflerMet) -> State:
    """The shuffler answers: it is told what stands, once all is judged that its answer ends."""
    key = state.memory.hold_key
    state = _tended(machine.met(state, event))
    return state if state.memory.hold_key > key else holds_again(state)


def _tended(state: State) -> State:
    """Do the next thing that is owed."""
    return dealing.deal_on(state) if in_hand(state) else between.tend(state)


def _device_back(state: State, event: ev.DeviceBack) -> State:
    """A device is back; of the shuffler only ShufflerMet says whether it agrees."""
    if event.device == state.setup.shuffler:
        return state
    return end_holds(state, lambda h: h.reason is Reason.DEVICE_LOST and h.device == event.device)


def _zone_unknown(state: State, event: ev.ZoneUnknown) -> State:
    state = change(state, blind=state.blind | {event.zone}, seen={**state.seen, event.zone: {}})
    return hold(state, Reason.DEVICE_LOST, Condition.DEVICE, zone=event.zone, device=f"reader of {event.zone}")


def _zone_known(state: State, event: ev.ZoneKnown) -> State:
    device = f"reader of {event.zone}"
    state = change(state, blind=state.blind - {event.zone})
    there = state.seen.get(event.zone, {})
    return end_holds(
        state,
        lambda h: (
            (h.reason is Reason.DEVICE_LOST and h.device == device)
            or (
                h.reason is Reason.RECOUNT
                and h.needs is Condition.SIGHT
                and h.zone == event.zone
                and h.token not in there
            )
        ),
    )


def _dealer_named(state: State, event: ev.DealerNamed) -> State:
    if not event.by.strip():
        return refuse(state, Reason.NO_AUTHORITY, "dealer")
    return change(state, dealer=event.badge)


def _key_stuck(state: State, event: ev.KeyStuck) -> State:
    return notice(state, Reason.KEY_STUCK)


def _journal_failed(state: State, event: ev.JournalFailed) -> State:
    return hold(state, Reason.JOURNAL_FAULT, Condition.DEVICE)


def _space_left(state: State, event: ev.SpaceLeft) -> State:
    """Warn, then no new hand (`start_fault`), then hold: each while its own record still has room."""
    state = change(state, space=event.space)
    if event.space is ev.Space.FULL:
        return hold(state, Reason.JOURNAL_FULL, Condition.DEVICE)
    state = end_holds(state, lambda h: h.reason is Reason.JOURNAL_FULL)
    return state if event.space is ev.Space.ENOUGH else notice(state, Reason.JOURNAL_FULL)


_ANSWERS: Final[dict[type[ev.Event], Callable[[State, Any], State]]] = {
    ev.CardsSeen: seen,
    ev.CardsGone: gone,
    ev.ZoneUnknown: _zone_unknown,
    ev.ZoneKnown: _zone_known,
    ev.ButtonAt: _button,
    ev.KeyPressed: pressed,
    ev.DealerNamed: _dealer_named,
    ev.DecksEnrolled: decks.enrolled,
    ev.KeyStuck: _key_stuck,
    ev.Ruled: ruled,
    ev.HandAsked: hand_asked,
    ev.ServiceBegan: service_began,
    ev.ServiceEnded: service_ended,
    ev.DeviceLent: device_lent,
    ev.ShufflerMet: _met,
    ev.CardUp: machine.done,
    ev.CardPassed: machine.card_passed,
    ev.CardNotTaken: machine.card_not_taken,
    ev.CardRetracted: machine.done,
    ev.CycleEnded: machine.done,
    ev.PlacesSet: machine.done,
    ev.CommandVoid: machine.command_void,
    ev.Misfed: machine.misfed,
    ev.ShufflerLocked: machine.locked,
    ev.HoldFound: _hold_found,
    ev.DeviceLost: _device_lost,
    ev.DeviceBack: _device_back,
    ev.Started: _started,
    ev.WallClock: clocks.told_time,
    ev.JournalFailed: _journal_failed,
    ev.SpaceLeft: _space_left,
}
"""What each event means. One that is not here passes time and changes nothing else: Tick, DoorClosed, KeyFreed,
 and the drivers' own TagsSeen and TagsGone, which the station has turned into tokens before."""
