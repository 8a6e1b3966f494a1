"""The things on the table of the `wires` level: the real devices, and behind memory lines their twins over one felt."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from enum import StrEnum
from functools import partial
from random import Random
from typing import Any, Final

from dealerbox.model.cards import Uid
from dealerbox.model.keys import Key
from dealerbox.model.shuffler import Memory
from dealerbox.ports import Clock, Device, DeviceGone, Line, OpenLine
from dealerbox.simulate.cable import Cable
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.memory_line import memory_pair
from dealerbox_drivers.pins.button import expander_button
from dealerbox_drivers.pins.button_twin import ExpanderTwin, Magnets
from dealerbox_drivers.pins.layout import PanelSettings, Push
from dealerbox_drivers.pins.panel import Panel
from dealerbox_drivers.pins.sensors import ExpanderSettings
from dealerbox_drivers.pins.twin import PanelTwin
from dealerbox_drivers.pins.twin_pins import wired_factory
from dealerbox_drivers.reshuffled.device import Reshuffled
from dealerbox_drivers.reshuffled.twin import Pace, ReshuffledTwin
from dealerbox_drivers.rfid.feig.device import FeigReader
from dealerbox_drivers.rfid.feig.twin import FeigTwin
from dealerbox_drivers.rfid.feig.twin import Timings as Reading
from dealerbox_drivers.rfid.settings import FeigSettings
from dealerbox_drivers.shuffler.device import Shuffler
from dealerbox_drivers.shuffler.messages import Type
from dealerbox_drivers.shuffler.twin import ShufflerTwin
from dealerbox_drivers.shuffler.twin_machine import Timings
from dealerbox_drivers.shuffler.twin_reference import ReferenceShuffler

READERS: Final[Mapping[str, Mapping[int, str]]] = {
    "seats-left": {number: f"seat:{number}" for number in range(1, 6)},
    "seats-right": {number: f"seat:{number + 5}" for number in range(1, 6)},
    "middle": {1: "board", 2: "burn", 3: "muck", 4: "aside"},
    "mouth": {0: "infeed"},
    "outlet": {0: "exit"},
}
"""Readers by name: antenna of the multiplexer (0: none) -> zone."""

BUTTON: Final = ExpanderSettings(seats=dict(enumerate((*range(7), *range(8, 11)), 1)))
MACHINE: Final = Timings(shuffle_ms=3_000, count_card_ms=50)
"""A quick machine: a real one shuffles in 45 s, in which nothing happens."""

SLOW: Final = Reading(inventory=90.0)
"""A look of one antenna with all its slots, as slow readers take it: a long proof costs what goes over these wires."""
SLOW_SCAN_MS: Final = 650
"""A look of five such antennas in turn."""

NOISE: Final = 1 / 200_000
"""Bytes lost on every line: a poor cable."""


TRAY: Final = Pace(shuffle_ms=3_000)
TRAY_S: Final = 4.0
"""How long such a machine is said to need."""

SHUFFLERS: Final[Mapping[str, Callable[[Line, Felt, Random], Any]]] = {
    "twin": partial(ShufflerTwin, timings=MACHINE),
    "reference": partial(ReferenceShuffler, timings=MACHINE),
    "reshuffled": partial(ReshuffledTwin, pace=TRAY),
}
"""Who stands at the far side of the shuffler's wire: two implementations of one page, and a machine of level 0."""
BY_HAND_ALONE: Final = frozenset({"reshuffled"})
"""Shufflers that deal no card."""


class Loss(StrEnum):
    """How a device on a line is lost."""

    UNPLUGGED = "unplugged"
    """The port is gone."""
    BROKEN = "broken"
    """The port is there, and nothing comes through the cable."""
    POWERLESS = "powerless"
    """So it seems too; and when it is back, it is as after power-on."""


_PINS: Final = (4, 5, 6, 7, 8, 9, 10, 11, 12, 13)


def every_key() -> PanelSettings:
    """Return a panel on which each key has a gesture of its own: what people press, they mean."""
    keys = tuple(Key)
    pushes = {
        f"push{place}": Push(pin=pin, short=(keys[place],), long=(keys[place + len(_PINS)],))
        for place, pin in enumerate(_PINS)
    }
    return PanelSettings(push=pushes, second="", director=0, long_ms=300)


class Twins:
    """Made within a running loop. What is plugged in answers; what is not cannot be opened."""

    def __init__(
        self,
        decks: Sequence[Sequence[Uid]],
        seed: str,
        clock: Clock,
        shuffler: str = "twin",
        reading: Reading | None = None,
    ) -> None:
        """`reading`: what the readers take; None: as quick as the quickest of their kind."""
        self.felt = Felt(decks, Random(f"{seed}:felt"))
        self.factory = wired_factory()
        self.settings = every_key()
        self.panel = PanelTwin(self.factory, self.settings, clock, Random(f"{seed}:fingers"))
        self.expander = ExpanderTwin(BUTTON, Magnets(self.felt))
        self._tasks: set[asyncio.Task[None]] = set()
        self._rng = Random(f"{seed}:losses")
        self._lines: dict[str, Line] = {}
        self._lost: dict[str, Loss] = {}
        self._cables = {name: Cable(Random(f"{seed}:{name}"), NOISE) for name in ("shuffler", *READERS)}
        chance = Random(f"{seed}:shuffler")
        self.shuffler = SHUFFLERS[shuffler](self._cables["shuffler"], self.felt, chance)
        self.readers = {
            name: FeigTwin(self._cables[name], self.felt, zones, reading) for name, zones in READERS.items()
        }
        self._serve(self.shuffler.run())
        for reader in self.readers.values():
            self._serve(reader.run())

    def devices(self, memory: Memory, clock: Clock) -> list[Device]:
        """Return the devices of one run of the station, none opened; `clock` is the station's."""
        shuffler: Device
        if isinstance(self.shuffler, ReshuffledTwin):
            shuffler = Reshuffled("shuffler", self._opener("shuffler"), clock, memory, TRAY_S)
        else:
            shuffler = Shuffler("shuffler", self._opener("shuffler"), clock, memory)
        readers = [
            FeigReader(name, self._opener(name), clock, FeigSettings(port=name, zones=dict(zones)))
            for name, zones in READERS.items()
        ]
        button = expander_button("button", BUTTON, self.factory, clock, self.expander)
        return [shuffler, *readers, button, Panel("panel", self.settings, self.factory, clock)]

    def taking(self) -> bool:
        """Tell whether the shuffler's infeed is open."""
        if isinstance(self.shuffler, ReshuffledTwin):
            return self.shuffler.has_room
        state = self.shuffler.state
        return bool(self.shuffler.on and state.busy and state.record.cmd_kind == Type.RETURN)

    def lose(self, device: str) -> None:
        """Lose `shuffler`, `button`, `panel`, or the reader of a zone, in one of its ways."""
        name = reader_of(device)
        loss = self._lost[name] = self._rng.choice(list(Loss))
        if name == "panel":
            self.panel.damage()
            return
        if name == "button":
            self.expander.present = False
            return
        if loss is Loss.UNPLUGGED and name in self._lines:
            self._lines.pop(name).close()
        self._cables[name].broken = True
        if loss is Loss.POWERLESS and name == "shuffler":
            self.shuffler.power_off()

    def find(self, device: str) -> None:
        """Have it back."""
        name = reader_of(device)
        loss = self._lost.pop(name)
        if name == "panel":
            self.panel.damage(mended=True)
            return
        if name == "button":
            self.expander.present = True
            if loss is Loss.POWERLESS:
                self.expander.reset()
            return
        self._cables[name].broken = False
        if loss is Loss.POWERLESS and name == "shuffler":
            self.shuffler.power_on()
        elif loss is Loss.POWERLESS:
            self.readers[name].restart()

    def hang_up(self) -> None:
        """Close every line at the daemon's end, as its death does: what was said before still arrives."""
        while self._lines:
            self._lines.popitem()[1].close()

    async def stop(self) -> None:
        """Switch everything off."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _opener(self, name: str) -> OpenLine:
        async def open_line() -> Line:
            if self._lost.get(name) is Loss.UNPLUGGED:
                raise DeviceGone(f"{name}: there is nothing to open")
            near, far = memory_pair(name, f"{name} (far)")
            self._lines[name] = near
            self._cables[name].plug(far)
            return near

        return open_line

    def _serve(self, running: Coroutine[Any, Any, None]) -> None:
        self._tasks.add(asyncio.create_task(running))


def reader_of(device: str) -> str:
    """Return the name of the reader that watches a zone; any other name is its own."""
    return next((name for name, zones in READERS.items() if device in zones.values()), device)
