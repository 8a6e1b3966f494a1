"""The side that moves stops by itself: a host that stalls, or dies, leaves no gate open."""

import asyncio
from random import Random
from typing import Any

import pytest

from dealerbox.model import events
from dealerbox.model.commands import Clear, Dispense, Hold, Places, Release, Shuffle
from dealerbox.model.reasons import Reason
from dealerbox.model.shuffler import Memory, Scope
from dealerbox.ports import DeviceGone
from dealerbox.station.virtual import virtual_clock, virtual_run
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.line import memory_pair
from dealerbox_drivers.shuffler.device import Shuffler
from dealerbox_drivers.shuffler.messages import Sensor
from dealerbox_drivers.shuffler.twin import ShufflerTwin
from dealerbox_drivers.shuffler.twin_machine import Push, Timings

CARDS = tuple(f"E0040150A05F{number:04X}" for number in range(1, 6))
LEASE_S = 1.0
SETTLE_S = 0.2
"""A coil that drops, and a card that was in the gate already."""


class Stalling:
    """A line that neither brings nor takes anything while its host stalls."""

    def __init__(self, line: Any) -> None:
        self._line = line
        self.stalls = False

    def write(self, data: bytes) -> None:
        if not self.stalls:
            self._line.write(data)

    async def read(self) -> bytes:
        while True:
            data = await self._line.read()
            if not self.stalls:
                return bytes(data)

    def close(self) -> None:
        self._line.close()


class Table:
    """A shuffler with a card behind its gate, which a release has opened, and nobody who takes it."""

    def __init__(self) -> None:
        self.felt = Felt([CARDS], Random(1))
        for card in CARDS:
            self.felt.put(card, "machine")
        near, far = memory_pair()
        self.line = Stalling(near)
        self.twin = ShufflerTwin(far, self.felt, Random(2), timings=Timings(shuffle_ms=200))
        self.told: list[Any] = []
        self.device = Shuffler("shuffler", self.open_line, virtual_clock, Memory(session=1))
        self.serving = asyncio.ensure_future(self.twin.run())
        self.running = asyncio.ensure_future(self.device.run(self.told.append))

    async def open_line(self) -> Any:
        return self.line

    async def heard(self, kind: type[Any]) -> Any:
        """Wait for what is told next of a kind."""
        count = sum(isinstance(event, kind) for event in self.told)
        while sum(isinstance(event, kind) for event in self.told) == count:
            await asyncio.sleep(0.005)
        return [event for event in self.told if isinstance(event, kind)][-1]

    async def opened(self) -> None:
        await self.heard(events.ShufflerMet)
        self.device.obey(Hold(key=1, reason=Reason.NOT_EMPTY, clause="house"))
        self.device.obey(Places(1, len(CARDS), 0, True, 7))
        await self.heard(events.PlacesSet)
        self.device.obey(Clear(0, 1, 7))
        self.device.obey(Shuffle(2, len(CARDS), Scope.DECK))
        await self.heard(events.CycleEnded)
        self.device.obey(Dispense(3, 2, True))
        await self.heard(events.CardUp)
        self.twin.machine.faults.pushes.append(Push.NOTHING)
        self.device.obey(Release(4, 3))
        while self.is_locked():
            await asyncio.sleep(0.005)

    def is_locked(self) -> bool:
        return self.twin.machine.has(Sensor.GATE_LOCKED)

    async def stop(self) -> None:
        for task in (self.running, self.serving):
            task.cancel()
        await asyncio.gather(self.running, self.serving, return_exceptions=True)


def test_KL_01_a_host_that_stalls_for_a_second_finds_the_gate_shut_and_the_shuffler_lost() -> None:
    async def scene() -> None:
        table = Table()
        await table.opened()
        table.line.stalls = True
        with pytest.raises(DeviceGone):  # which the station tells as DeviceLost, and holds
            await table.running
        await asyncio.sleep(LEASE_S + SETTLE_S)
        assert table.is_locked()
        assert not table.twin.state.armed
        assert table.felt.at("behind_gate")
        assert not table.felt.at("outlet")
        await table.stop()

    virtual_run(scene(), limit_s=120)


def test_KL_02_killed_at_any_moment_a_host_leaves_a_gate_that_is_shut_within_its_lease() -> None:
    async def scene(after_s: float) -> None:
        table = Table()
        await table.opened()
        await asyncio.sleep(after_s)
        table.running.cancel()
        await asyncio.sleep(LEASE_S + SETTLE_S)
        assert table.is_locked()
        assert not table.twin.state.armed
        await table.stop()

    moments = Random(1)
    for _ in range(50):
        virtual_run(scene(moments.uniform(0, 3)), limit_s=120)
