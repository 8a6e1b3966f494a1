import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import pytest

from dealerbox.model.events import Event
from dealerbox.ports import Clock
from dealerbox.station.virtual import VirtualLoop, virtual_run
from dealerbox_drivers.face import Face
from dealerbox_drivers.pins.layout import PanelSettings, Wiring
from dealerbox_drivers.pins.panel import Panel
from dealerbox_drivers.pins.twin import PanelTwin
from dealerbox_drivers.pins.twin_pins import wired_factory


class Bench:
    """A panel, the person at it, and what it told."""

    def __init__(self, settings: Wiring, clock: Clock) -> None:
        self.factory = wired_factory()
        self.settings = settings
        self.person = PanelTwin(self.factory, settings, clock, Random(1))
        self.face = Face()
        self.panel = Panel("panel", settings, self.factory, clock, self.face)
        self.told: list[Event] = []

    def said(self) -> list[str]:
        """Return what was told, without times: `key`, `stuck key`, `freed key`, `ruling`."""
        words = {"KeyPressed": "", "KeyStuck": "stuck ", "KeyFreed": "freed ", "Ruled": "ruled "}
        return [
            f"{words[type(event).__name__]}{getattr(event, 'key', getattr(event, 'ruling', ''))}" for event in self.told
        ]


@pytest.fixture
def bench() -> Callable[..., Bench]:
    """`bench(scene, settings)`: play a scene with a running panel, in virtual time; return what is left of it."""

    def played(scene: Callable[[Bench], Awaitable[Any]], settings: Wiring | None = None) -> Bench:
        async def play() -> Bench:
            loop = asyncio.get_running_loop()
            assert isinstance(loop, VirtualLoop)
            table = Bench(settings or PanelSettings(), loop.at_ns)  # a clock for any thread
            serving = asyncio.create_task(table.panel.run(table.told.append))
            await asyncio.sleep(0.1)
            try:
                acting = asyncio.ensure_future(scene(table))
                await asyncio.wait([serving, acting], return_when=asyncio.FIRST_COMPLETED)
                if serving.done():
                    acting.cancel()
                    await serving
                await acting
                await asyncio.sleep(0.1)
            finally:
                serving.cancel()
                await asyncio.gather(serving, return_exceptions=True)
            return table

        return virtual_run(play())

    return played
