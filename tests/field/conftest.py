"""The daemon as the station's own tests run it; virtual time, and a reader on a line that is pulled and plugged in."""

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dealerbox.ports import DeviceGone
from dealerbox.station.health import Health
from dealerbox.station.virtual import virtual_clock, virtual_run
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.line import memory_pair, open_serial, pty_pair
from dealerbox_drivers.rfid.feig.device import FeigReader
from dealerbox_drivers.rfid.feig.twin import FeigTwin
from dealerbox_drivers.rfid.settings import FeigSettings
from tests.station.conftest import actor, config, live

__all__ = ["actor", "config", "hung", "live", "run"]

CARDS = tuple(f"E0040150A05F{number:04X}" for number in range(1, 53))


class Hung:
    """A FEIG reader at a seat, run by the station's Health; its twin at the far side of its line.

    `link`: that to a pseudo-terminal; None: a line in memory, which takes no real time.
    """

    def __init__(self, link: Path | None) -> None:
        self.link = link
        self.felt = Felt([CARDS], Random(1))
        self.felt.put(CARDS[0], "seat:1")
        self.told: list[Any] = []
        self.faults: list[str] = []
        settings = FeigSettings(port="/dev/ttyUSB0", zones={0: "seat:1"})
        opening = open_serial(str(link), 38_400) if link else self._open
        self.reader = FeigReader("seat", opening, virtual_clock, settings)
        self.health = self.tended()
        self._news = asyncio.Event()
        self.near: Any = None
        self.far: Any = None
        self.twin: Any = None
        self._serving: Any = None

    def plug(self) -> None:
        """Come up under the same link, as another terminal."""
        if self.link is None:
            self.near, self.far = memory_pair()
        else:
            path, self.far = pty_pair()
            self.link.unlink(missing_ok=True)
            self.link.symlink_to(path)
        self.twin = FeigTwin(self.far, self.felt, {0: "seat:1"})
        self._serving = asyncio.create_task(self._serve(self.twin))

    def tended(self) -> Health:
        """Return what runs the reader."""
        return Health([self.reader], self._heard, virtual_clock, self.faults.append)

    def _heard(self, event: Any) -> None:
        self.told.append(event)
        self._news.set()

    async def _open(self) -> Any:
        if self.near is None:
            raise DeviceGone("memory: not plugged in")
        return self.near

    @staticmethod
    async def _serve(twin: FeigTwin) -> None:
        with contextlib.suppress(DeviceGone):
            await twin.run()

    async def pull(self) -> None:
        """Hang the terminal up."""
        self._serving.cancel()
        await asyncio.gather(self._serving, return_exceptions=True)
        self.far.close()
        self.near = None

    def of(self, kind: type) -> list[Any]:
        return [event for event in self.told if isinstance(event, kind)]

    async def until(self, true: Callable[[], Any], limit_s: float) -> float:
        """Wait until something is so; return how long it took, s."""
        begun_s = asyncio.get_running_loop().time()
        async with asyncio.timeout(limit_s):
            while not true():
                self._news.clear()
                await self._news.wait()
        return asyncio.get_running_loop().time() - begun_s

    async def stop(self) -> None:
        await self.health.stop()
        await self.pull()
        assert self.faults == []


@pytest.fixture
def run() -> Callable[..., Any]:
    """`run(coroutine)`: in virtual time."""
    return virtual_run


@pytest.fixture
def hung(run: Callable[..., Any], tmp_path: Path) -> Callable[..., Any]:
    """`hung(story)`: a story with a reader that is plugged in; `memory`: not on a real pseudo-terminal."""

    def told(story: Callable[[Hung], Any], *, memory: bool = False) -> Any:
        async def whole() -> None:
            reader = Hung(None if memory else tmp_path / "tty-seat")
            reader.plug()
            reader.health.start()
            try:
                await story(reader)
            finally:
                await reader.stop()

        return run(whole(), limit_s=3600)

    return told
