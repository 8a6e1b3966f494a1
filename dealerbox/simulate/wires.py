"""The simulated table, level `wires`: the daemon's own coroutines, codecs and polls, in virtual time.

Only three things are not the daemon's: the disk (a record is durable a moment after it was
given, and a daemon that is killed loses what was not), the director's socket (rulings come in
as its event), and time.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from functools import partial
from random import Random
from typing import Any, Final

from msgspec.structs import replace

from dealerbox.model.cards import Token, Uid
from dealerbox.model.commands import Command, Release
from dealerbox.model.events import Event, Ruled, Started
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Setup
from dealerbox.model.shuffler import Memory
from dealerbox.model.view import View
from dealerbox.simulate.clocks import Clocks
from dealerbox.simulate.pack import Names, deck_tags, pack
from dealerbox.simulate.table import DOWN_S, Engine, Observer
from dealerbox.simulate.wire_journal import CrashJournal
from dealerbox.simulate.wire_replay import Replay
from dealerbox.simulate.wire_twins import Twins
from dealerbox.station.condition import DeviceHealth
from dealerbox.station.core import Core
from dealerbox.station.health import Health
from dealerbox.station.loop import Alarm, tell_wall_clock
from dealerbox.station.running import SAID_S
from dealerbox.station.tokens import Tokens
from dealerbox.station.virtual import virtual_clock
from dealerbox_drivers.rfid.feig.device import FeigReader
from dealerbox_drivers.shuffler.device import Shuffler

KILLED: Final = 0.6
"""How often a restart is a death, and no signal."""
WRITES_S: Final = 2.0
TAKEN_S: Final = 0.06
"""From a finger's lifting to the key's being taken, at most."""


class WireTable:
    """One table for one evening, in the running VirtualLoop. Satisfies `seen.Table`."""

    level = "wires"

    def __init__(
        self,
        setup: Setup,
        engine: Engine,
        seed: str,
        observers: Iterable[Observer] = (),
        shuffler: str = "twin",
        tags: Mapping[Uid, Token] | None = None,
        twins: Callable[..., Twins] = Twins,
    ) -> None:
        """`tags`: which tag is glued to which thing of the table's decks; None: as `pack` has it."""
        self.setup, self.engine = setup, engine
        self.losable = ("shuffler", "button", "panel", *setup.readers)
        tags = tags or {uid: name for info in setup.decks for uid, name in pack(info.slot).items()}
        self.names = Names(tags)
        self._decks = [deck_tags(tags, info.slot) for info in setup.decks]
        self.twins = twins([deck.cards for deck in self._decks], seed, virtual_clock, shuffler)
        self.felt = self.twins.felt
        self.observers = list(observers)
        """Told in true time."""
        self.recorders: list[Observer] = []
        """Told by the station's own clock."""
        self.clocks = Clocks(virtual_clock)
        self.let_out: list[Callable[[Uid, int], None]] = []
        """Told of every card that passes the open gate, with the id of the newest Release."""
        self.gone: list[Callable[[str, bool], None]] = []
        """Told of every device that is truly gone, and back."""
        self.forgotten: list[Callable[[int], None]] = []
        """Told how many of the last events a death has lost; nobody will ever know of them."""
        self.answered: list[Callable[[Event], None]] = []
        """Told of every event once it is answered: its holds are out, its record is not yet on the disk."""
        self.replayed = True
        """Every restart so far found, by replay, the state that its journal had left."""
        self.down = True
        self.state: Any = engine.fresh()
        self.failed = ""
        self._key = Random(f"{seed}:key").randbytes(32)
        self._rng = Random(f"{seed}:deaths")
        self._journal = CrashJournal(Random(f"{seed}:disk"))
        self._states: deque[tuple[int, Any]] = deque([(0, self.state)])
        """The state after the newest durable record, and after each that is not yet durable."""
        self._dead = self._answering = False
        self._release = 0
        self._clock: asyncio.Task[None] | None = None
        self._acts: list[Callable[[], Awaitable[None]]] = []
        self._people: list[asyncio.Task[None]] = []
        self._replay = Replay(engine)
        self.felt.watch(self._moved)

    @property
    def now_ns(self) -> int:
        """True time."""
        return virtual_clock()

    def open(self) -> None:
        """Start the station for the first time."""
        self._start(Memory(session=1))

    async def close(self) -> None:
        """End the evening."""
        for task in self._people:
            task.cancel()
        await asyncio.gather(*self._people, return_exceptions=True)
        self.core.stop()
        await self._stop()
        self._journal.close()
        await self.twins.stop()

    def view(self) -> View:
        """Return what the panel shows."""
        return self.core.view

    def start(self, process: Iterator[float]) -> None:
        """Let somebody act; each act is done before the next begins, as with two hands."""
        self._people.append(asyncio.create_task(self._live(process)))

    def press(self, key: Key, seat: int = 0, badge: str = "") -> None:
        """Give a key with a finger; the panel reads no seat and no badge."""
        self._acts.append(partial(self._press, key))

    def rule(self, ruling: Ruling, why: str, *, seat: int = 0, seats: tuple[int, ...] = (), value: int = 0) -> None:
        """Rule as the director."""
        at_ns = self.clocks.boot_ns()
        ruled = Ruled(at_ns=at_ns, ruling=ruling, by="director", reason=why, seat=seat, seats=seats, value=value)
        self._hear(ruled)

    def lay_button(self, seats: Iterable[int]) -> None:
        """Lay the dealer button."""
        self.felt.set_button(seats)

    def taking(self) -> bool:
        """Tell whether the shuffler's infeed is open."""
        return self.twins.taking()

    def open_door(self) -> None:
        """Open the shuffler's door."""
        self.twins.shuffler.open_door()

    def close_door(self) -> None:
        """Shut it."""
        self.twins.shuffler.open_door(is_open=False)

    def lose(self, device: str) -> None:
        """Cut a device off, in one of its ways."""
        self.twins.lose(device)
        for told in self.gone:
            told(device, True)

    def find(self, device: str) -> None:
        """Have it back."""
        self.twins.find(device)
        for told in self.gone:
            told(device, False)

    def kill(self, keep: int) -> None:
        """Kill the daemon between two instructions; of the records that are not durable the first `keep` were written.

        Nothing more is said to anybody; it comes back as after any death.
        """
        self.down = self._dead = True
        self.twins.hang_up()
        lost = self._lose(keep)
        self._people.append(asyncio.create_task(self._buried(), name=f"death that lost {lost}"))

    def set_wall(self, wrong_s: int, *, sure: bool) -> None:
        """Let the wall clock show another time."""
        self.clocks.set_wall(wrong_s, sure=sure)

    def reboot(self, away_s: float) -> None:
        """Take the computer's power away; the shuffler and the readers have their own."""
        self.down = True
        self._acts.append(partial(self._cut_off, away_s))

    def left(self) -> Any:
        """Return the state after the newest durable record: what a daemon that dies now leaves."""
        return next(state for seq, state in self._states if seq == self._journal.durable)

    def replay(self) -> Any:
        """Return the state that the durable records come to; they are replayed once, whatever dies afterwards."""
        return self._replay.through(self._journal.records, self._journal.durable)

    def restart(self) -> None:
        """Stop the daemon by a signal, or kill it; it comes back, replays its journal and asks everything anew."""
        self.down = True
        self._acts.append(self._killed if self._rng.random() < KILLED else self._ended)

    def _hear(self, event: Event) -> None:
        if self._dead:
            return
        within, self._answering = self._answering, True
        self.core.handle(event)
        self._answering = within
        for told in () if within else tuple(self.answered):
            told(event)

    def _step(self, state: Any, event: Event) -> tuple[Any, tuple[Command, ...]]:
        state, commands = self.engine.step(state, event)
        self._states.append((len(self._journal.records) + 1, state))
        for recorder in self.recorders:
            recorder.heard(event, commands)
        true = self.clocks.true(event)
        for observer in self.observers:
            observer.heard(true, commands)
        for command in commands:
            if isinstance(command, Release):
                self._release = command.id
        return state, commands

    def _durable(self, seq: int) -> None:
        while self._states[0][0] < seq:
            self._states.popleft()
        self.core.durable(seq)

    def _moved(self, uid: Uid, before: str, after: str) -> None:
        if (before, after) == ("behind_gate", "outlet"):
            for told in self.let_out:
                told(uid, self._release)

    def _start(self, memory: Memory) -> None:
        tokens = Tokens(self._decks, self._key)
        for slot, hand in self._replay.numbered.items():
            tokens.renumber(slot, hand)
        devices = self.twins.devices(memory, self.clocks.boot_ns)
        self._traffic = {each.name: each.traffic for each in devices if isinstance(each, Shuffler | FeigReader)}
        self._journal.open(self._durable)
        self._dead = False
        self.core: Core[Any] = Core(
            self.state,
            step=self._step,
            view=self.engine.view,
            deck=self.engine.deck,
            hand=self.engine.hand,
            journal=self._journal,
            devices=devices,
            clock=self.clocks.boot_ns,
            tokens=tokens,
            wake=lambda at_ns: self._alarm.set(at_ns),
            fault=self._fault,
            last_key=self.engine.memory(self.state).hold_key,
        )
        self._alarm = Alarm(self._hear, self.clocks.boot_ns)
        self._health = Health(devices, self._hear, self.clocks.boot_ns, self._fault)
        self._clock = None
        self.down = False
        at_ns, boot_id = self.clocks.boot_ns(), self.clocks.boot_id
        self._hear(Started(at_ns=at_ns, setup=self.setup, memory=memory, boot_id=boot_id))
        if not self._dead:
            self._health.start()
            self._clock = asyncio.create_task(tell_wall_clock(self._hear, self.clocks.boot_ns, self.clocks.wall))

    def devices(self) -> tuple[DeviceHealth, ...]:
        """Return how each device is, as the daemon has it."""
        return self._health.devices()

    def met(self) -> bool:
        """Tell whether each device that is asked who it is has answered that, its first question, since the start."""
        return all(traffic.identity for traffic in self._traffic.values())

    async def _stop(self) -> None:
        """Take everything from a daemon that decides nothing more; one that died at its start had less."""
        if self._clock:
            self._clock.cancel()
        self._alarm.clear()
        await self._health.stop()

    async def _ended(self) -> None:
        """SIGTERM: hold, give the devices time to say it, close everything."""
        self.core.stop()
        await asyncio.sleep(SAID_S)
        await self._stop()
        self._journal.close()
        await self._again()

    async def _killed(self, away_s: float = DOWN_S, *, reboots: bool = False) -> None:
        """SIGKILL, or its own power gone: nothing is said to anybody, and the last records may be lost.

        It comes while something is being written, if anything is within the next seconds.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(WRITES_S):
                await self._journal.written()
        await asyncio.sleep(self._rng.uniform(0.0, 0.003))
        self._dead = True
        self._lose()
        await self._stop()
        await self._again(away_s, reboots=reboots)

    async def _cut_off(self, away_s: float) -> None:
        await self._killed(away_s, reboots=True)

    def _lose(self, keep: int | None = None) -> int:
        lost = self._journal.cut(keep)
        for forget in self.forgotten:
            forget(lost)
        return lost

    async def _buried(self) -> None:
        await self._stop()
        await self._again()

    async def _again(self, away_s: float = DOWN_S, *, reboots: bool = False) -> None:
        await asyncio.sleep(away_s)
        if reboots:
            self.clocks.reboot()
        left = self.left()
        state = self.state = self.replay()
        self.replayed = self.replayed and state == left
        self._states = deque([(self._journal.durable, state)])
        memory = self.engine.memory(state)
        self._start(replace(memory, session=memory.session + 1))

    async def _live(self, process: Iterator[float]) -> None:
        for seconds in process:
            acts, self._acts = self._acts, []  # each has hands of his own
            for act in acts:
                await act()
            await asyncio.sleep(seconds)

    async def _press(self, key: Key) -> None:
        await self.twins.panel.give(key)
        await asyncio.sleep(TAKEN_S)

    def _fault(self, why: str) -> None:
        self.failed = self.failed or why
