"""A shuffler in software: the far side of shuffler wire 1, written from PROTOCOL.md alone."""

import asyncio
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Final

from dealerbox.model.shuffler import Cap
from dealerbox.ports import DeviceGone, Line
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.shuffler import messages as m
from dealerbox_drivers.shuffler import wire
from dealerbox_drivers.shuffler.messages import EventKind, Lock, ResetCause, Sensor, Type
from dealerbox_drivers.shuffler.twin_answers import Answers
from dealerbox_drivers.shuffler.twin_link import TwinLink
from dealerbox_drivers.shuffler.twin_machine import CardMachine, Timings
from dealerbox_drivers.shuffler.twin_memory import Nvm
from dealerbox_drivers.shuffler.twin_motions import Motions
from dealerbox_drivers.shuffler.twin_state import Identity, TwinState

FULL_CAPS: Final = Cap(0x1FFF)
"""Everything a machine can have but a face sensor and a cut."""
STEPS: Final = ("restricted", "journalled", "moved", "opened", "passed", "locked", "committed", "answered")
"""What `cut_before` can name; `writing` beside them spoils the slot being written."""
SETTLE_S: Final = 0.1
"""How long a gate may be unlocked before it is an error."""
REAL: Final = Timings()
MADE: Final = Identity()
_CARD: Final = Sensor.BEHIND_GATE | Sensor.IN_GATE
_MOVES: Final = {Type.DISPENSE: Sensor.BEHIND_GATE, Type.RELEASE: _CARD, Type.RETRACT: Sensor.BEHIND_GATE}
"""Card sensors that a command may change."""
_GATE_OPEN: Final = 2
"""Code of the error that the gate is not locked, and nothing is released."""


class PowerLost(Exception):
    """The power went in the middle of something."""


class ShufflerTwin:
    """A card machine on `line` over `felt`. Made within a running loop; on from the first moment.

    `nvm` outlives it; `machine` holds sensors and faults; `state` is what it knows in this life.
    """

    def __init__(
        self,
        line: Line,
        felt: Felt,
        rng: Random,
        *,
        nvm: Nvm | None = None,
        caps: Cap = FULL_CAPS,
        timings: Timings = REAL,
        identity: Identity = MADE,
        first_tick: int = 0,
    ) -> None:
        self.nvm = nvm or Nvm()
        self.caps = caps
        self.machine = CardMachine(felt, rng, caps, timings, self._sensor_changed)
        self.on = False
        self._rng = rng
        self._identity = identity
        self._first_tick = first_tick
        self._timings = timings
        self._cuts: set[str] = set()
        self._line = line
        self._plugged = asyncio.Event()
        self._motion: asyncio.Task[None] | None = None
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self.power_on()

    @property
    def bad_frames(self) -> int:
        """Frames of this life that said nothing."""
        return self._answers.bad_frames

    async def run(self) -> None:
        """Serve until cancelled. When the line goes, wait for another to be plugged in."""
        while True:
            self._plugged.clear()
            decoder = wire.Decoder()
            try:
                while True:
                    for item in decoder.feed(await self._line.read()):
                        self._powered(partial(self._answers.receive, item))
            except DeviceGone:
                await self._plugged.wait()

    def plug(self, line: Line, *, resets: bool = False) -> None:
        """Put another line in. `resets`: DTR is wired to the reset pin."""
        self._line = self._link.line = line
        self._plugged.set()
        if resets:
            self.power_off()
            self.power_on(ResetCause.PIN)

    def power_on(self, cause: ResetCause = ResetCause.POWER) -> None:
        """Boot."""
        self._link = TwinLink(self._line, self._timings.answer_ms, self._timings.event_ms)
        self.on = True
        self.state = TwinState(
            self.nvm,
            self.machine,
            self.caps,
            self._identity,
            cause=cause,
            first_tick=self._first_tick,
            step=self._step,
            link=self._link,
        )
        self._motions = Motions(self.state)
        self._answers = Answers(
            self.state,
            self._link,
            begin=self._begin,
            lease_until=lambda at_s: self._after("lease", at_s, self._lease_over),
        )
        self._seen = self.machine.sensors()
        self._powered(lambda: self.state.boot(self._rng))

    def power_off(self) -> None:
        """Lose power now: motion stops, the gate falls shut, nothing more is said."""
        self.on = False
        self._link.cut()
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        if self._motion:
            self._motion.cancel()
            self._motion = None
        self.machine.lose_power()

    def cut_before(self, step: str) -> None:
        """Lose power once, when `step` of `STEPS` (or `writing`) would come next."""
        if step not in (*STEPS, "writing"):
            raise ValueError(f"no step {step!r}; steps are {', '.join(STEPS)}, writing")
        self._cuts.add(step)

    def silence(self, *, silent: bool = True) -> None:
        """Send nothing, though all is heard; or speak again."""
        self._link.silent = silent

    def open_door(self, *, is_open: bool = True) -> None:
        """Open the door, or shut it."""
        self.machine.door_open = is_open
        self._sensor_changed()

    def force(self, sensor: Sensor, value: bool | None) -> None:
        """Make a sensor say something whatever is true; None: the truth again."""
        self.machine.forced.pop(sensor, None)
        if value is not None:
            self.machine.forced[sensor] = value
        self._sensor_changed()

    def turn_service_key(self, *, on: bool) -> None:
        """Turn the service key: nothing moves while it is on."""
        if on:
            self._powered(lambda: self.state.restrict(soft=Lock.SERVICE))
        else:
            self.state.soft &= ~Lock.SERVICE

    def fail(self, error: int) -> None:
        """Have an error of its own (a motor, a homing switch)."""
        self._powered(lambda: self.state.restrict(hard=Lock.ERROR, error=error))
        self.state.tell(EventKind.ERROR, error)

    def _lease_over(self) -> None:
        if self.state.armed or self.state.busy:
            self.state.restrict(soft=Lock.LEASE)

    def _begin(self, body: m.Permit) -> None:
        if self._motion:
            self._motion.cancel()
        self._motion = asyncio.ensure_future(self._move(body))

    async def _move(self, body: m.Permit) -> None:
        try:
            if not await self._motions.run(body):
                return
            self._motion = None
            # What the motion itself changed was asked for.
            self._seen = (self._seen & ~_CARD) | (self.machine.sensors() & (_CARD | Sensor.OUTLET))
            self.state.tell(EventKind.FINAL, self.state.record.cmd_result)
            if self.state.contradicted() and Lock.UNCERTAIN not in self.state.record.locks:
                self.state.restrict(hard=Lock.UNCERTAIN)
        except PowerLost:
            return

    def _sensor_changed(self) -> None:
        if self.on and "look" not in self._timers:
            now_s = asyncio.get_running_loop().time()
            self._after("look", now_s + self._timings.debounce_ms / 1000, self._look)

    def _look(self) -> None:
        before, now = self._seen, self.machine.sensors()
        self._seen = now
        state = self.state
        record = state.record
        changed = before ^ now
        if Sensor.DOOR_OPEN in changed:
            self._door(is_open=Sensor.DOOR_OPEN in now)
        asked = _MOVES.get(Type(record.cmd_kind), Sensor(0)) if state.busy else Sensor(0)
        if changed & _CARD & ~asked:
            state.restrict(hard=Lock.UNCERTAIN)
            self.state.tell(EventKind.UNASKED, int(now))
        if Sensor.GATE_LOCKED in before and Sensor.GATE_LOCKED not in now and Cap.GATE in self.caps:
            self._after("gate", asyncio.get_running_loop().time() + SETTLE_S, self._gate_stands_open)
        if Sensor.OUTLET in changed and Sensor.OUTLET in before and self._motions.passed_id:
            state.write(taken_id=self._motions.passed_id)
            self.state.tell(EventKind.TAKEN, self._motions.passed_id)
        if Sensor.INFEED in changed and not (state.busy and record.cmd_kind == Type.RETURN):
            self.state.tell(EventKind.INFEED, int(Sensor.INFEED in now))

    def _gate_stands_open(self) -> None:
        released = self.state.busy and self.state.record.cmd_kind == Type.RELEASE
        if not released and not self.machine.has(Sensor.GATE_LOCKED):
            self.fail(_GATE_OPEN)

    def _door(self, *, is_open: bool) -> None:
        if is_open:
            self.state.restrict(hard=Lock.CONTENT, soft=Lock.DOOR, order=1)
        else:
            self.state.soft &= ~Lock.DOOR
        self.state.tell(EventKind.DOOR, int(is_open))

    def _step(self, name: str) -> None:
        if "writing" in self._cuts and name in ("restricted", "journalled", "committed"):
            self._cuts.remove("writing")
            self.state.write_torn()
            self.power_off()
            raise PowerLost(f"while writing ({name})")
        if name in self._cuts:
            self._cuts.remove(name)
            self.power_off()
            raise PowerLost(f"before {name}")

    def _powered(self, act: Callable[[], None]) -> None:
        if self.on:
            try:
                act()
            except PowerLost:
                return

    def _after(self, name: str, at_s: float, act: Callable[[], None]) -> None:
        if name in self._timers:
            self._timers[name].cancel()

        def due() -> None:
            del self._timers[name]
            self._powered(act)

        self._timers[name] = asyncio.get_running_loop().call_at(at_s, due)
