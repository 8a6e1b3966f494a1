"""The shuffler of the `events` level: obeys commands on the felt and answers with events, without wires.

It keeps the promises of firmware-protocols/shuffler/v1 that an engine can notice: one
command at a time, ids never twice, a latched hold that stops what has not begun, one
shuffle spent by one hand, order lost by what loses order.
"""

from collections.abc import Callable
from random import Random
from typing import Final

from msgspec.structs import replace

from dealerbox.model.cards import Uid
from dealerbox.model.commands import (
    Clear,
    Command,
    Count,
    Dispense,
    Hold,
    Permit,
    Places,
    Release,
    Retract,
    Return,
    Shuffle,
)
from dealerbox.model.events import (
    CardNotTaken,
    CardPassed,
    CardRetracted,
    CardUp,
    CommandVoid,
    CycleEnded,
    DoorClosed,
    Event,
    Misfed,
    PlacesSet,
    ShufflerLocked,
    ShufflerMet,
)
from dealerbox.model.shuffler import Cap, Cycle, Result, Scope
from dealerbox.model.zones import INFEED
from dealerbox.simulate.timeline import Timeline
from dealerbox_drivers.felt import BEHIND_GATE, MACHINE, OUTLET, Felt

SERIAL: Final = 4711
EPOCH: Final = 0x51A1
CAPS: Final = ~Cap.FACE_SENSOR & ~Cap.CUT
POWER: Final = 0.5
"""How often a machine that is lost was without power, and not without its line alone."""
OPEN_S: Final = 30.0
"""How long the infeed stays open for one Return."""


class EventShuffler:
    """A card machine as the engine meets it through its driver. `emit` takes its events."""

    def __init__(self, felt: Felt, time: Timeline, rng: Random, emit: Callable[[Event], None]) -> None:
        self.felt, self._time, self._rng, self._emit = felt, time, rng, emit
        self.taking = False
        """The infeed is open: a Return runs."""
        self.gate_open = False
        self.lost = False
        self.alone = False
        """No host listens: events wait for the next greeting."""
        self.let_out: list[Callable[[Uid, int], None]] = []
        """Told of every card that passes the open gate, with the id of its Release."""
        self._unpowered = True
        self._why = ""
        """What a person must say or the machine must count before it can be used; "": nothing."""
        self._held = 0
        self._last = 0
        self._token = 0
        self._deal = 0
        self._exit_id = 0
        self._moving: Permit | None = None
        self._begun = False
        self._entered = 0
        self._own = False
        self._waits_to_say = False
        self._telling = 0
        """Ends of commands that are on their way to the host."""
        self._untold: list[Event] = []
        felt.watch(self._swallow)
        felt.watch(self._sensed)

    def obey(self, command: Command) -> None:
        """Take a command as its driver would hand it over."""
        match command:
            case Hold():
                self._hold(command.key)
            case Clear() if command.key >= self._held:
                self._held = 0
            case Permit() if command.id:
                self._take(command)
            case _:
                pass

    def meet(self) -> None:
        """Answer a greeting as soon as nothing moves and nothing is owed: what was untold first, then ShufflerMet."""
        if self.lost:
            return
        if self._moving is not None or self._telling:
            self._time.after(0.1, self.meet)
            return
        self.alone = False
        untold, self._untold = self._untold, []
        for event in untold:
            self._emit(replace(event, at_ns=self._time.now_ns))
        self._say_how_it_is()

    def open_door(self) -> None:
        """Somebody opens it: what is inside is unknown from now on."""
        self._lock("door", "door")

    def close_door(self) -> None:
        """Somebody shuts it; what is inside stays unknown until it is said or counted."""
        self._why = "content"
        self._tell(DoorClosed(0))
        self._at_rest()

    def _lock(self, what: str, why: str) -> None:
        """Restrict itself unasked."""
        self._why = why
        self._deal = self._token = 0
        self._stop("fenced")
        self._tell(ShufflerLocked(0, what))
        self._at_rest()

    def _at_rest(self) -> None:
        """Say how it is once nothing moves: until then a command is owed."""
        if self.lost or self.alone:
            return
        if self._moving is None and not self._telling:
            self._say_how_it_is()
        elif not self._waits_to_say:
            self._waits_to_say = True
            self._time.after(0.1, self._rested)

    def _rested(self) -> None:
        self._waits_to_say = False
        self._at_rest()

    def _say_how_it_is(self) -> None:
        self._emit(
            ShufflerMet(
                at_ns=self._time.now_ns,
                serial=SERIAL,
                epoch=EPOCH,
                last_id=self._last,
                machine=-1 if self._why in ("door", "content") else len(self.felt.at(MACHINE)),
                exit_id=self._exit_id,
                token_id=self._token,
                deal_id=self._deal,
                caps=int(CAPS),
                agreed=not self._why,
                why=self._why,
                unpowered=self._unpowered,
            )
        )
        self._unpowered = False

    def lose(self) -> None:
        """Lose power or cable: the gate shuts, what has not begun never will, what moves comes to rest untold."""
        self.lost = True
        self._unpowered = self._rng.random() < POWER
        self._stop("lost")

    def find(self) -> None:
        """Be there again (the greeting is `meet`)."""
        self.lost = False

    def stop(self) -> None:
        """The host is gone: shut the gate and void what has not begun."""
        self._stop("fenced")

    def forget(self, void: int) -> None:
        """Know that command `void` was given and never sent: told at the next greeting."""
        self._untold.append(CommandVoid(0, void, "never sent"))

    def _hold(self, key: int) -> None:
        if not self.lost:
            self._held = max(self._held, key)
            self._stop("held")

    def _stop(self, why: str) -> None:
        moving = self._moving
        if moving is None:
            return
        if not self._begun:
            if isinstance(moving, Release | Dispense) or why != "held":
                self._end(CommandVoid(0, moving.id, why))
        elif isinstance(moving, Release):
            self._shut(moving)

    def _shut(self, release: Release) -> None:
        """Shut the gate on an open release: the card is out, or it is not."""
        self.gate_open = False
        out = not self.felt.at(BEHIND_GATE)
        if out:
            self._exit_id = 0
        self._end(
            CardPassed(0, release.id, release.card_id) if out else CardNotTaken(0, release.id, release.card_id),
            wait=0.1,
        )

    def _take(self, permit: Permit) -> None:
        if self.lost:
            self._untold.append(CommandVoid(0, permit.id, "never sent"))
            return
        if self._moving is not None or permit.id <= self._last:
            void = CommandVoid(0, permit.id, "busy" if self._moving else "stale id")
            self._time.after(0.002, lambda: self._tell(void))
            return
        self._moving, self._begun = permit, False
        self._time.after(self._rng.uniform(0.008, 0.03), lambda: self._begin(permit))

    def _begin(self, permit: Permit) -> None:
        if self._moving is not permit:
            return
        self._last = permit.id
        refusal = self._refusal(permit)
        if refusal:
            self._end(CommandVoid(0, permit.id, refusal))
            return
        self._begun = True
        after = self._time.after
        match permit:
            case Dispense():
                if permit.first:
                    self._deal, self._token = permit.deal_id, 0
                after(self._rng.uniform(0.25, 0.7), lambda: self._dispensed(permit))
            case Release():
                self.gate_open = True
                slow = self._rng.random() < 1 / 400
                after(10.0 if slow else self._rng.uniform(0.06, 0.3), lambda: self._released(permit, slow))
            case Retract():
                after(self._rng.uniform(0.6, 1.5), lambda: self._retracted(permit))
            case Shuffle() | Count():
                self._token = 0 if isinstance(permit, Shuffle) else self._token
                self._deal = 0 if isinstance(permit, Shuffle) else self._deal
                after(self._rng.uniform(7.0, 14.0), lambda: self._cycled(permit))
            case Return():
                self._token = self._deal = self._entered = 0
                self.taking = True
                for uid in self.felt.at(INFEED):
                    self._swallow(uid, "", INFEED)
                after(OPEN_S, lambda: self._taken(permit))
            case Places():
                self._exit_id = permit.exit_id
                self._end(PlacesSet(0, permit.id), agrees=True)
            case _:
                raise TypeError(f"{type(permit).__name__} is no command for a shuffler")

    def _refusal(self, permit: Permit) -> str:
        full = bool(self.felt.at(BEHIND_GATE))
        match permit:
            case Places():
                return ""
            case Count() if self._why == "content" and not full:
                return ""
            case _ if self._why:
                return self._why
            case Dispense() | Release() if self._held:
                return "held"
            case Dispense() if full:
                return "exit full"
            case Dispense() if not self.felt.at(MACHINE):
                return "empty"
            case Dispense() if (self._token if permit.first else self._deal) != permit.deal_id:
                return "no token"
            case Release() | Retract() if not full or permit.card_id != self._exit_id:
                return "wrong card"
            case Shuffle() | Count() | Return() if full:
                return "exit full"
            case _:
                return ""

    def _dispensed(self, permit: Dispense) -> None:
        if self._rng.random() < 1 / 300:
            self._end(Misfed(0, permit.id, Result.NO_FEED))
            return
        self._own_move(self.felt.at(MACHINE)[0], BEHIND_GATE)
        self._exit_id = permit.id
        self._end(CardUp(0, permit.id))

    def _released(self, permit: Release, slow: bool) -> None:
        if self._moving is not permit or not self.gate_open:
            return
        if not slow:
            for uid in self.felt.at(BEHIND_GATE):
                self._own_move(uid, OUTLET)
                for told in self.let_out:
                    told(uid, permit.id)
        self._shut(permit)

    def _retracted(self, permit: Retract) -> None:
        for uid in self.felt.at(BEHIND_GATE):
            self._own_move(uid, MACHINE, self._rng.randint(0, len(self.felt.at(MACHINE))))
        self._exit_id = self._deal = self._token = 0
        self._end(CardRetracted(0, permit.id))

    def _cycled(self, permit: Shuffle | Count) -> None:
        number = len(self.felt.at(MACHINE))
        if isinstance(permit, Count):
            # A count tells what is inside, and not who covers a sensor.
            self._end(CycleEnded(0, permit.id, Cycle.COUNT, Result.DONE, number), agrees=self._why == "content")
            return
        self.felt.shuffle()
        right = number == permit.expect
        if right:
            self._token = permit.id
            if permit.scope is Scope.STUB:
                self._deal = 0
        result = Result.DONE if right else Result.WRONG_NUMBER
        self._end(CycleEnded(0, permit.id, Cycle.SHUFFLE, result, number))

    def _sensed(self, _uid: Uid, before: str, after: str) -> None:
        """A card comes or goes behind the gate, and no command moved it."""
        if BEHIND_GATE in (before, after) and not self._own and not self._why:
            self._lock("sensor", "uncertain")

    def _own_move(self, uid: Uid, place: str, position: int | None = None) -> None:
        self._own = True
        if position is None:
            self.felt.put(uid, place)
        else:
            self.felt.insert(uid, place, position)
        self._own = False

    def _swallow(self, uid: Uid, _before: str, place: str) -> None:
        if place == INFEED and self.taking:
            self._time.after(0.07, lambda: self._swallowed(uid))

    def _swallowed(self, uid: Uid) -> None:
        permit = self._moving
        if not self.taking or self.felt.place_of(uid) != INFEED or not isinstance(permit, Return):
            return
        self.felt.put(uid, MACHINE)
        self._entered += 1
        if self._entered == permit.expect:
            self._time.after(0.25, lambda: self._taken(permit))

    def _taken(self, permit: Return) -> None:
        if self._moving is not permit:
            return
        self.taking = False
        result = Result.DONE if self._entered == permit.expect else Result.WRONG_NUMBER
        self._end(CycleEnded(0, permit.id, Cycle.RETURN, result, self._entered))

    def _end(self, event: Event, wait: float = 0.0, agrees: bool = False) -> None:
        self._moving, self._begun, self.gate_open = None, False, False
        if agrees:
            self._why = ""
        if self.lost or self.alone:
            self._untold.append(event)
        else:
            self._telling += 1
            self._time.after(wait + 0.002, lambda: self._tell_ended(event, agrees))

    def _tell_ended(self, event: Event, agrees: bool) -> None:
        self._telling -= 1
        self._tell(event)
        if agrees and not self.lost and not self.alone:
            self._say_how_it_is()

    def _tell(self, event: Event) -> None:
        if self.lost or self.alone:
            self._untold.append(event)
        else:
            self._emit(replace(event, at_ns=self._time.now_ns))
