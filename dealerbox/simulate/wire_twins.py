"""The things on the table of the `wires` level: the real devices, and behind memory lines their twins over one felt."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Mapping, Sequence
from random import Random
from types import SimpleNamespace
from typing import Any, Final

from dealerbox.model.cards import Uid
from dealerbox.model.keys import Key
from dealerbox.model.shuffler import Memory
from dealerbox.ports import Clock, Device, DeviceGone, Line, OpenLine
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.memory_line import MemoryLine, memory_pair
from dealerbox_drivers.pins.button import expander_button
from dealerbox_drivers.pins.button_twin import ExpanderTwin, Magnets
from dealerbox_drivers.pins.layout import PanelSettings, Push
from dealerbox_drivers.pins.panel import Panel
from dealerbox_drivers.pins.sensors import ExpanderSettings
from dealerbox_drivers.pins.twin import PanelTwin
from dealerbox_drivers.pins.twin_pins import wired_factory
from dealerbox_drivers.rfid.feig.device import FeigReader
from dealerbox_drivers.rfid.feig.twin import FeigTwin
from dealerbox_drivers.shuffler.device import Shuffler
from dealerbox_drivers.shuffler.messages import Type
from dealerbox_drivers.shuffler.twin import ShufflerTwin
from dealerbox_drivers.shuffler.twin_machine import Timings

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

    def __init__(self, decks: Sequence[Sequence[Uid]], seed: str, clock: Clock) -> None:
        self.felt = Felt(decks, Random(f"{seed}:felt"))
        self.factory = wired_factory()
        self.settings = every_key()
        self.panel = PanelTwin(self.factory, self.settings, clock, Random(f"{seed}:fingers"))
        self.expander = ExpanderTwin(BUTTON, Magnets(self.felt))
        self._clock = clock
        self._tasks: set[asyncio.Task[None]] = set()
        self._lines: dict[str, Line] = {}
        self._absent: set[str] = set()
        dead, _ = memory_pair()
        dead.close()
        self.shuffler = ShufflerTwin(dead, self.felt, Random(f"{seed}:shuffler"), timings=MACHINE)
        self._serve(self.shuffler.run())

    def devices(self, memory: Memory) -> list[Device]:
        """Return the devices of one run of the station, none opened."""
        shuffler: list[Device] = [
            Shuffler("shuffler", self._opener("shuffler", self.shuffler.plug), self._clock, memory)
        ]
        readers = [
            FeigReader(
                name, self._opener(name, self._answer(zones)), self._clock, SimpleNamespace(address=255, zones=zones)
            )
            for name, zones in READERS.items()
        ]
        button = expander_button("button", BUTTON, self.factory, self._clock, self.expander)
        return [*shuffler, *readers, button, Panel("panel", self.settings, self.factory, self._clock)]

    def taking(self) -> bool:
        """Tell whether the shuffler's infeed is open."""
        state = self.shuffler.state
        return self.shuffler.on and state.busy and state.record.cmd_kind == Type.RETURN

    def unplug(self, name: str) -> None:
        """Pull the cable of `shuffler`, `button`, or the reader of a zone."""
        name = reader_of(name)
        self._absent.add(name)
        self.expander.present = "button" not in self._absent
        if name in self._lines:
            self._lines.pop(name).close()

    def plug(self, name: str) -> None:
        """Put it back."""
        self._absent.discard(reader_of(name))
        self.expander.present = "button" not in self._absent

    async def stop(self) -> None:
        """Switch everything off."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _opener(self, name: str, attach: Callable[[MemoryLine], None]) -> OpenLine:
        async def open_line() -> Line:
            if name in self._absent:
                raise DeviceGone(f"{name}: there is nothing to open")
            near, far = memory_pair(name, f"{name} (far)")
            self._lines[name] = near
            attach(far)
            return near

        return open_line

    def _answer(self, zones: Mapping[int, str]) -> Callable[[MemoryLine], None]:
        return lambda far: self._serve(FeigTwin(far, self.felt, zones).run())

    def _serve(self, running: Coroutine[Any, Any, None]) -> None:
        async def until_unplugged() -> None:
            with contextlib.suppress(DeviceGone):
                await running

        task = asyncio.create_task(until_unplugged())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def reader_of(device: str) -> str:
    """Return the name of the reader that watches a zone; any other name is its own."""
    return next((name for name, zones in READERS.items() if device in zones.values()), device)
