"""The simulated table, level `events`: felt to engine and back without wires, in virtual time.

The engine comes in as an `Engine`, so that a broken one can take its place.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from random import Random
from typing import Any, Final, Protocol

import msgspec

from dealerbox.model.cards import Kind, Token, Uid, kind_of
from dealerbox.model.commands import Clear, Command, Dispense, Hold, Permit, Release, WakeAt
from dealerbox.model.events import (
    ButtonAt,
    CardsGone,
    CardsSeen,
    CommandVoid,
    DeviceBack,
    DeviceLost,
    Event,
    KeyPressed,
    Ruled,
    Started,
    TagsGone,
    TagsSeen,
    Tick,
    WallClock,
)
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Setup
from dealerbox.model.shuffler import Memory
from dealerbox.model.view import View
from dealerbox.model.zones import Zone
from dealerbox.simulate.clocks import Clocks
from dealerbox.simulate.machine import EventShuffler
from dealerbox.simulate.pack import Names, pack
from dealerbox.simulate.sight import EventReaders
from dealerbox.simulate.timeline import Timeline
from dealerbox_drivers.felt import Felt

CLOCK_EVERY_S: Final = 300.0
DOWN_S: Final = 3.0
"""How long a restarted daemon is away."""
LEASE_S: Final = 0.9
"""After so long without a host the shuffler stops."""

Step = Callable[[Any, Event], tuple[Any, tuple[Command, ...]]]


class Engine(msgspec.Struct, frozen=True):
    """What is put to the test: the decision, its face, and the state before the first event."""

    step: Step
    view: Callable[[Any], View]
    fresh: Callable[[], Any]
    memory: Callable[[Any], Memory]
    """What of a state a restarted daemon tells the engine anew."""
    deck: Callable[[Any], int] = lambda state: 0
    """Slot of the deck in play."""
    hand: Callable[[Any], int] = lambda state: 0
    """Number of the hand: a deck that begins one is numbered anew."""


class Observer(Protocol):
    """Hears everything that passes between table and engine, after the step was taken."""

    def heard(self, event: Event, commands: tuple[Command, ...]) -> None:
        """Take one event and what the engine decided on it."""


class EventTable:
    """One table for one evening. People act on `felt` and through the methods here."""

    level = "events"

    def __init__(
        self,
        setup: Setup,
        engine: Engine,
        seed: str,
        observers: Iterable[Observer] = (),
        tags: Mapping[Uid, Token] | None = None,
    ) -> None:
        """`tags`: which tag is glued to which thing of the table's decks; None: as `pack` has it."""
        self.setup, self.engine = setup, engine
        self.losable = ("shuffler", "button", "panel", *setup.readers)
        self.time = Timeline()
        names = tags or {uid: name for info in setup.decks for uid, name in pack(info.slot).items()}
        self.names = Names(names)
        self.felt = Felt([[uid for uid, name in names.items() if kind_of(name) is Kind.CARD]], Random(f"{seed}:felt"))
        self.shuffler = EventShuffler(self.felt, self.time, Random(f"{seed}:shuffler"), self.feed)
        rng = Random(f"{seed}:readers")
        self.readers = EventReaders(self.felt, self.time, rng, setup.readers, self._sensed)
        self.observers = list(observers)
        """Told in true time."""
        self.recorders: list[Observer] = []
        """Told by the station's own clock."""
        self.clocks = Clocks(lambda: self.time.now_ns)
        self.let_out = self.shuffler.let_out
        self.events: list[Event] = []
        self.replayed = True
        """Every restart so far found, by replay, the state that it had left."""
        self.state = engine.fresh()
        self._shown_of: Any = None
        """The state of which `_shown` is the view: people look oftener than anything happens."""
        self._shown: View
        self.down = False
        self.back_ns = 0
        """When the station that was last down is back."""
        self._rng = Random(f"{seed}:table")
        self._queued: list[Permit] = []
        self._woken: set[int] = set()
        self._lost: dict[str, tuple[Zone, ...]] = {}

    @property
    def now_ns(self) -> int:
        """True time."""
        return self.time.now_ns

    def open(self) -> None:
        """Start the station for the first time."""
        self._start(Memory(session=1))
        self._tell_time()

    def view(self) -> View:
        """Return what people see on the panel."""
        if self.state is not self._shown_of:
            self._shown, self._shown_of = self.engine.view(self.state), self.state
        return self._shown

    def start(self, process: Iterator[float]) -> None:
        """Let somebody act: each number yielded is a wait in seconds."""
        self.time.start(process)

    def press(self, key: Key, seat: int = 0, badge: str = "") -> None:
        """Press a key of the panel."""
        self.feed(KeyPressed(self.now_ns, key, seat, badge))

    def rule(self, ruling: Ruling, why: str, *, seat: int = 0, seats: tuple[int, ...] = (), value: int = 0) -> None:
        """Rule as the director."""
        at_ns = self.now_ns
        self.feed(Ruled(at_ns=at_ns, ruling=ruling, by="director", reason=why, seat=seat, seats=seats, value=value))

    def lay_button(self, seats: Iterable[int]) -> None:
        """Lay the dealer button; its sensor tells it when it has lain still for a moment."""
        self.felt.set_button(seats)
        lain = self.felt.button
        self.time.after(0.05, lambda: self._button(lain))

    def taking(self) -> bool:
        """Tell whether the shuffler's infeed is open."""
        return self.shuffler.taking

    def open_door(self) -> None:
        """Open the shuffler's door."""
        self.shuffler.open_door()

    def close_door(self) -> None:
        """Shut it: what is inside is unknown until proved."""
        self.shuffler.close_door()

    def lose(self, device: str) -> None:
        """Cut off one of `losable`."""
        zones = (Zone(device),) if Zone(device) in self.readers.zones else ()
        self._lost[device] = zones
        if device == "shuffler":
            self.shuffler.lose()
        self.feed(DeviceLost(self.now_ns, device, "silent"))
        self.readers.lose(zones, "silent")

    def find(self, device: str) -> None:
        """Bring back what was cut off: it tells what it has and sees."""
        zones = self._lost.pop(device, ())
        self.feed(DeviceBack(self.now_ns, device))
        self.readers.find(zones)
        if device == "shuffler":
            self.shuffler.find()
            self.shuffler.meet()
        if device == "button":
            self._button(self.felt.button)

    def restart(self) -> None:
        """Kill the daemon now; it comes back, replays its log and asks everything anew."""
        self._die(DOWN_S)

    def _die(self, away_s: float, *, reboots: bool = False) -> None:
        self.down = True
        self.back_ns = self.now_ns + round(away_s * 1e9)
        self.shuffler.alone = True
        self.time.after(min(LEASE_S, away_s), self.shuffler.stop)
        self.time.after(away_s, partial(self._come_back, reboots))

    def set_wall(self, wrong_s: int, *, sure: bool) -> None:
        """Let the wall clock show another time; the station reads it within the minute."""
        self.clocks.set_wall(wrong_s, sure=sure)
        self.time.after(self._rng.uniform(0.0, 60.0), self._read_wall)

    def reboot(self, away_s: float) -> None:
        """Take the computer's power away; the shuffler and the readers have their own."""
        self._die(away_s, reboots=True)

    def _sensed(self, event: Event) -> None:
        """Put what a reader tells to the engine, its tags by their names."""
        if isinstance(event, TagsSeen | TagsGone):
            kind = CardsSeen if isinstance(event, TagsSeen) else CardsGone
            event = kind(event.at_ns, event.zone, tuple(map(self.names, event.uids)))
        self.feed(event)

    def feed(self, event: Event) -> None:
        """Put one event, in true time, to the engine and see its commands carried out: restrict, record, permit."""
        if self.down:
            return
        said = self.clocks.said(event)
        self.state, commands = self.engine.step(self.state, said)
        self.events.append(said)
        for recorder in self.recorders:
            recorder.heard(said, commands)
        for observer in self.observers:
            observer.heard(event, commands)
        for command in commands:
            if isinstance(command, Hold):
                self.shuffler.obey(command)
                self._drop()
        for command in commands:
            if isinstance(command, Permit):
                self._queued.append(command)
                self.time.after(self._rng.uniform(0.001, 0.004), partial(self._durable, command))
            elif isinstance(command, WakeAt) and (at_ns := self.clocks.true_ns(command.at_ns)) not in self._woken:
                self._woken.add(at_ns)
                self.time.at(at_ns, partial(self._wake, at_ns))

    def _durable(self, permit: Permit) -> None:
        if permit in self._queued:
            self._queued.remove(permit)
            if isinstance(permit, Clear) and permit.id == 0 and self.shuffler.lost:
                return
            self.shuffler.obey(permit)

    def _drop(self) -> None:
        """Void outward permits whose record is not yet durable: a hold came first."""
        for permit in [permit for permit in self._queued if isinstance(permit, Release | Dispense)]:
            self._queued.remove(permit)
            self.time.after(0.0, partial(self._void, permit.id))

    def _void(self, void: int) -> None:
        self.feed(CommandVoid(self.now_ns, void, "held"))

    def _wake(self, at_ns: int) -> None:
        self._woken.discard(at_ns)
        self.feed(Tick(at_ns))

    def _button(self, lain: tuple[int, ...]) -> None:
        if self.felt.button == lain and "button" not in self._lost:
            self.feed(ButtonAt(self.now_ns, lain))

    def _read_wall(self) -> None:
        self.feed(WallClock(self.now_ns, *self.clocks.wall()))

    def _tell_time(self) -> None:
        self._read_wall()
        self.time.after(CLOCK_EVERY_S, self._tell_time)

    def _start(self, memory: Memory) -> None:
        self.down = False
        self.feed(Started(at_ns=self.now_ns, setup=self.setup, memory=memory, boot_id=self.clocks.boot_id))
        self.shuffler.meet()
        self.readers.find(self.readers.zones)
        self._button(self.felt.button)

    def _come_back(self, reboots: bool) -> None:
        if reboots:
            self.clocks.reboot()
        state = self.engine.fresh()
        for event in self.events:
            state, _ = self.engine.step(state, event)
        self.replayed = self.replayed and state == self.state
        self.state = state
        memory = self.engine.memory(state)
        void, self._queued = self._queued, []
        for permit in void:
            if permit.id:
                self.shuffler.forget(permit.id)
        self._woken.clear()
        self._start(msgspec.structs.replace(memory, session=memory.session + 1))
        if reboots:
            self._read_wall()
