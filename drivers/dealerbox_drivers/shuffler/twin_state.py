"""What the shuffler's twin knows of itself, and its one rule above all: a restriction locks, then writes."""

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any, Final

import msgspec

from dealerbox.model.shuffler import Cap
from dealerbox_drivers.shuffler.messages import (
    MACHINE_UNKNOWN,
    Code,
    CommandState,
    DeviceState,
    EventKind,
    Ident,
    Lock,
    NvmHealth,
    ResetCause,
    Sensor,
    Status,
)
from dealerbox_drivers.shuffler.twin_link import TwinLink
from dealerbox_drivers.shuffler.twin_machine import CardMachine
from dealerbox_drivers.shuffler.twin_memory import Nvm, Record
from dealerbox_drivers.shuffler.twin_rules import CYCLES
from dealerbox_drivers.shuffler.wire import MAX_PAYLOAD, VERSION

SOFT: Final = Lock.BOOT | Lock.SESSION | Lock.LEASE
"""Locks that go with ARM."""
NONE: Final = Lock(0)
TICKS: Final = 1 << 32


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """What the maker wrote into the machine."""

    capacity: int = 54
    vendor: int = 0x1234
    model: int = 1
    serial: int = 0xA1B2C3D4
    firmware: int = 0x00010203
    dispense_ms: int = 2700
    cycle_s: int = 90


class TwinState:
    """Record, locks, lease and numbers of one life between two power cuts.

    `step(name)` is called before each thing that a power cut could separate from the one before it.
    """

    def __init__(
        self,
        nvm: Nvm,
        machine: CardMachine,
        caps: Cap,
        identity: Identity,
        *,
        cause: ResetCause,
        first_tick: int,
        step: Callable[[str], None],
        link: TwinLink,
    ) -> None:
        self.caps = caps
        self.identity = identity
        self.machine = machine
        self.step = step
        self._link = link
        self.soft = Lock(0)
        self.greeted = False
        self.armed = False
        self.busy = False
        self.open = False
        self.unbegun: dict[str, Any] = {}
        """What a restriction makes of a motion that has not begun; empty: it has."""
        self.restricted = asyncio.Event()
        """Set by every restriction; a motion clears it when it begins."""
        self.stopped = asyncio.Event()
        """Set by a door or an error: even a cycle stops."""
        self.boot_id = 0
        self.record = Record(epoch=0)
        self.health = NvmHealth.CLEAN
        self._nvm = nvm
        self._cause = cause
        self._loop = asyncio.get_running_loop()
        self._tick_zero_s = self._loop.time() - first_tick / 1000
        self._lease_until_s = 0.0

    def boot(self, rng: Random) -> None:
        """Read the memory, lock, and say what a motion that was under way has become."""
        self.boot_id = rng.getrandbits(32)
        if Cap.NVM not in self.caps:
            self._nvm.wipe()
        found, self.health = self._nvm.load()
        self.record = found or Record(
            epoch=rng.randint(1, TICKS - 1), locks=Lock.WIPED | Lock.CONTENT, machine=MACHINE_UNKNOWN, order=1
        )
        hard = Lock(0)
        soft = Lock.BOOT
        changes: dict[str, Any] = {"boots": self.record.boots + 1}
        if self.record.cmd_state == CommandState.MOVING:
            cycle = self.record.cmd_kind in CYCLES
            hard |= Lock.CONTENT if cycle else Lock.UNCERTAIN
            changes["cmd_state"] = CommandState.INTERRUPTED if cycle else CommandState.UNCERTAIN
            changes["cmd_result"] = Code.INTERRUPTED
        blind = Cap.SLOT_SENSOR not in self.caps and self.record.exit_id != 0
        if self.contradicted() or blind:
            hard |= Lock.UNCERTAIN
        if self.machine.has(Sensor.DOOR_OPEN):
            soft |= Lock.DOOR
            hard |= Lock.CONTENT
            changes["order"] = 1
        self.restrict(hard=hard, soft=soft, **changes)

    def tick(self) -> int:
        """Milliseconds since boot, modulo 2^32."""
        return round((self._loop.time() - self._tick_zero_s) * 1000) % TICKS

    def locks(self) -> Lock:
        """Everything that keeps the machine from moving."""
        return self.record.locks | self.soft

    def write(self, **changes: Any) -> None:
        """Make changes durable."""
        self.record = msgspec.structs.replace(self.record, **changes)
        self._nvm.write(self.record)

    def write_torn(self) -> None:
        """Lose power in the middle of a write."""
        self._nvm.write(self.record, torn=True)

    def restrict(self, *, hard: Lock = NONE, soft: Lock = NONE, **changes: Any) -> None:
        """Lock now, raise the fence, write: nothing permitted before this moves any more."""
        self.armed = False
        self.open = False
        self.machine.shut_gate()
        self.soft |= soft
        self.restricted.set()
        if (hard & (Lock.ERROR | Lock.CONTENT)) or (soft & Lock.DOOR):
            self.stopped.set()
        if Lock.CONTENT in hard:
            changes["machine"] = MACHINE_UNKNOWN
        locks = changes.pop("locks", self.record.locks) | hard
        ended, self.unbegun = self.unbegun, {}
        self.busy = self.busy and not ended
        self.step("restricted")
        self.write(fence=self.record.fence + 1, locks=locks, **changes | ended)
        self.tell(EventKind.LOCKED, int(self.locks()))
        if ended:
            self.tell(EventKind.FINAL, self.record.cmd_result)

    def tell(self, kind: EventKind, arg: int) -> None:
        """Send an event about the last command."""
        self._link.event(kind, self.record.cmd_id, arg, self.tick())

    def lease_runs(self) -> bool:
        """Tell whether the host is known to live."""
        return self._loop.time() < self._lease_until_s

    def lend(self, echo_tick: int) -> float:
        """Let the lease run from a tick that the host has read; return when it ends (loop seconds)."""
        age_ms = (self.tick() - echo_tick) % TICKS
        if age_ms < TICKS // 2:
            until_s = self._loop.time() + (self.machine.timings.lease_ms - age_ms) / 1000
            self._lease_until_s = max(self._lease_until_s, until_s)
        return self._lease_until_s

    def end_lease(self) -> None:
        """The lease is no more."""
        self._lease_until_s = 0.0

    def status(self, code: int) -> Status:
        """STATUS as of now; `event_next` is the link's to fill in."""
        record = self.record
        state = DeviceState.ARMED if self.armed else DeviceState.LOCKED
        if self.busy:
            state = DeviceState.OPEN if self.open else DeviceState.BUSY
        shared = {name: getattr(record, name) for name in Status.__struct_fields__ if hasattr(record, name)}
        own = {
            "code": code,
            "state": state,
            "locks": self.locks(),
            "boot_id": self.boot_id,
            "tick": self.tick(),
            "sensors": self.machine.sensors(),
            "event_next": 0,
        }
        return Status(**shared | own)

    def ident(self, *, greeted: bool) -> Ident:
        """IDENT as of now."""
        return Ident(
            proto=VERSION if greeted else 0,
            max_payload=MAX_PAYLOAD,
            caps=self.caps,
            boot_id=self.boot_id,
            boot_count=self.record.boots,
            reset_cause=self._cause,
            nvm=self.health,
            epoch=self.record.epoch,
            fence=self.record.fence,
            session=self.record.session,
            **msgspec.structs.asdict(self.identity),
        )

    def contradicted(self) -> bool:
        """Tell whether the sensor behind the gate denies the record."""
        if Cap.SLOT_SENSOR not in self.caps:
            return False
        return self.machine.has(Sensor.BEHIND_GATE) != (self.record.exit_id != 0)
