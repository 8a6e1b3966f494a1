"""What stands on the demo's table: twins on real ptys, in this process, over one felt."""

import asyncio
from collections.abc import Coroutine
from random import Random
from typing import Any, Final

from dealerbox.ports import Clock, DeviceGone
from dealerbox.simulate.demo.pins import FarPins
from dealerbox.simulate.demo.tables import READERS, cards
from dealerbox.simulate.pack import BACKS
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.line import pty_pair
from dealerbox_drivers.pins.layout import CompactSettings
from dealerbox_drivers.pins.twin import PanelTwin
from dealerbox_drivers.rfid.feig import twin as feig
from dealerbox_drivers.shuffler.messages import Lock, Sensor, Type
from dealerbox_drivers.shuffler.twin import ShufflerTwin
from dealerbox_drivers.shuffler.twin_machine import Timings

QUICK_READER: Final = feig.Timings(answer=1.0, inventory=8.0, each_tag=0.5, rf_reset=2.0, config=5.0)
"""Several times a real reader's speed: so many antennas take their turns in this one process."""


def quick_shuffler(speed: float) -> Timings:
    """Return the times of a machine that nobody has to wait for: its shuffle takes 45 s in life."""
    return Timings(
        feed_min_ms=120,
        feed_max_ms=240,
        push_ms=40,
        gate_ms=30,
        settle_ms=60,
        retract_ms=300,
        shuffle_ms=round(7500 / speed),
        count_card_ms=20,
        dwell_ms=60,
        infeed_ms=15,
    )


class Twins:
    """Made within a running loop. `ports` says where the daemon finds whom."""

    def __init__(self, seed: int, speed: float, clock: Clock) -> None:
        self.felt = Felt([cards(slot) for slot in range(1, len(BACKS) + 1)], Random(f"{seed}:felt"))
        self.pins = FarPins()
        self.panel_settings = CompactSettings()
        self.panel = PanelTwin(self.pins.factory, self.panel_settings, clock, Random(f"{seed}:fingers"))
        self.ports: dict[str, str] = {}
        self.ports["shuffler"], line = pty_pair()
        self._lines = [line]
        self.shuffler = ShufflerTwin(line, self.felt, Random(f"{seed}:shuffler"), timings=quick_shuffler(speed))
        self.readers: dict[str, feig.FeigTwin] = {}
        for name, zones in READERS.items():
            self.ports[name], line = pty_pair()
            self._lines.append(line)
            self.readers[name] = feig.FeigTwin(line, self.felt, zones, QUICK_READER)

    def serve(self) -> list[asyncio.Task[None]]:
        """Run every twin; a task that ends is a fault."""
        runs = [self.shuffler.run]
        runs += [reader.run for reader in self.readers.values()]
        return [asyncio.create_task(_until_unplugged(run())) for run in runs]

    def close(self) -> None:
        """Unplug everything."""
        for line in self._lines:
            line.close()

    def taking(self) -> bool:
        """Tell whether the shuffler's infeed is open, as anybody sees."""
        state = self.shuffler.state
        return self.shuffler.on and state.busy and state.record.cmd_kind == Type.RETURN

    def gate_locked(self) -> bool:
        """Tell whether the gate is shut and a hold is latched in the machine."""
        return Sensor.GATE_LOCKED in self.shuffler.machine.sensors() and Lock.HOLD in self.shuffler.state.record.locks

    def unplug(self, device: str) -> None:
        """Cut the power of the shuffler or of the reader of a zone, or damage the panel."""
        if device == "shuffler":
            self.shuffler.power_off()
        if device == "panel":
            self.panel.damage()
        for reader in self._of(device):
            reader.silent = True

    def plug_in(self, device: str) -> None:
        """Give it back."""
        if device == "shuffler":
            self.shuffler.power_on()
        if device == "panel":
            self.panel.damage(mended=True)
        for reader in self._of(device):
            reader.silent = False

    def _of(self, zone: str) -> list[feig.FeigTwin]:
        return [self.readers[name] for name, zones in READERS.items() if zone in zones.values()]


async def _until_unplugged(run: Coroutine[Any, Any, None]) -> None:
    try:
        await run
    except DeviceGone:
        return
