"""No task of the daemon dies silently: each is killed in turn, in the real daemon over twins."""

import asyncio
import gc
import os
import signal
import socket
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from dealerbox.station import daemon
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.memory_line import memory_pair
from dealerbox_drivers.registry import DRIVERS
from dealerbox_drivers.reshuffled.device import Reshuffled
from dealerbox_drivers.reshuffled.twin import ReshuffledTwin
from dealerbox_drivers.rfid.ccid.device import Acr1552Reader
from dealerbox_drivers.rfid.ccid.twin import Acr1552Twin
from dealerbox_drivers.rfid.feig.device import FeigReader
from dealerbox_drivers.rfid.feig.twin import FeigTwin
from dealerbox_drivers.rfid.settings import Acr1552Settings, FeigSettings
from dealerbox_drivers.shuffler.device import Shuffler
from dealerbox_drivers.shuffler.twin import ShufflerTwin
from dealerbox_drivers.usb.line import open_usb
from dealerbox_drivers.usb.twin import CCID_CLASS, TwinBus

CARDS = tuple(f"E0040150A05F{number:04X}" for number in range(1, 53))
LIMIT_S = 10
"""Real time after which nothing has been told."""

BACK = ("Talk._listen", "UsbLine._send", "UsbLine._receive")
"""Tasks of a device whose death is a loss of its line: it is told, and opened again."""

STARVES = ("tend", "Shuffler._listen", "Shuffler._serve", "Reshuffled._listen", "Reshuffled._serve")
"""Tasks whose death starves the watchdog, which names the device."""

ENDS = {"tell_wall_clock": "wall clock", "watch": "watchdog"}
"""Tasks whose death ends the daemon with a fault, for the service manager to start it anew."""


def kind(task: asyncio.Task[Any]) -> str:
    """What a task runs, by the last two words of its coroutine's name."""
    words = getattr(task.get_coro(), "__qualname__", "").replace(".<locals>", "").split(".")
    return {"Tended.run": "tend"}.get(".".join(words[-2:]), ".".join(words[-2:]))


class Far:
    """Everything at the far side of the wires, as a device: it ends when the daemon's devices do."""

    name = "far"

    def __init__(self, tasks: set[asyncio.Task[Any]]) -> None:
        self._tasks = tasks

    def obey(self, command: Any) -> None: ...

    async def run(self, emit: Any) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)


class Station:
    """The daemon with a shuffler, a reader on a line and one on USB, and somebody in it who kills."""

    def __init__(self, config, tmp_path, story: Callable[["Station"], Any], *, level_0: bool) -> None:
        self.level_0 = level_0
        self.news: list[str] = []
        self.said: list[str] = []
        self.config, self.path, self.story = config, tmp_path / "notify", story
        self.ours: set[asyncio.Task[Any]] = set()
        """Twins, and who kills."""
        self.status = ""
        self.failed: list[Exception] = []

    def build(self, config, memory, clock) -> list[Any]:
        felt = Felt([CARDS], Random(1))
        bus = TwinBus(threads=True)
        kind_of = DRIVERS["acr1552u"].settings.usb
        plugged = bus.plug(kind_of.models[0], "1-1.4", interface_class=CCID_CLASS, notices=True)
        self.serve(Acr1552Twin(plugged, felt, {0: "infeed"}, notify=plugged.notify))

        async def shuffler_line() -> Any:
            near, far = memory_pair()
            self.serve(ReshuffledTwin(far, felt, Random(2)) if self.level_0 else ShufflerTwin(far, felt, Random(2)))
            return near

        async def reader_line() -> Any:
            near, far = memory_pair()
            self.serve(FeigTwin(far, felt, {0: "seat:1"}))
            return near

        left = FeigSettings(port="/dev/ttyUSB0", zones={0: "seat:1"})
        mouth = Acr1552Settings(port="usb:1-1.4", zone="infeed")
        self.ours.add(asyncio.create_task(self.live()))
        return [
            (Reshuffled if self.level_0 else Shuffler)("shuffler", shuffler_line, clock, memory),
            FeigReader("left", reader_line, clock, left),
            Acr1552Reader("mouth", open_usb("usb:1-1.4", kind_of, bus), clock, mouth),
            Far(self.ours),
        ]

    def serve(self, twin: Any) -> None:
        self.ours.add(asyncio.create_task(twin.run()))

    async def live(self) -> None:
        """Do what the story says once everything runs, and end the daemon however that goes."""
        try:
            await self.until(lambda: len(self.of("UsbLine._receive")) == 2 and len(self.of("Talk._listen")) == 2)
            await asyncio.sleep(0.3)
            await self.story(self)
        except Exception as error:
            print(self.news, self.status, [kind(task) for task in self.tasks()])
            self.failed.append(error)
            os.kill(os.getpid(), signal.SIGTERM)

    def tasks(self) -> list[asyncio.Task[Any]]:
        """Every task of the daemon but its first."""
        own = asyncio.all_tasks() - self.ours
        return [task for task in own if kind(task) not in ("serve", "run.serve", "CcidTwin._watch")]

    def of(self, name: str) -> list[asyncio.Task[Any]]:
        return [task for task in self.tasks() if kind(task) == name]

    async def until(self, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(LIMIT_S):
            while not true():
                await asyncio.sleep(0.01)

    def hear(self) -> str:
        """The last status line that the service manager was told."""
        while True:
            try:
                text = self.manager.recv(4096).decode()
            except BlockingIOError:
                return self.status
            if text.startswith("STATUS="):
                self.status = text

    def run(self) -> int:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as self.manager:
            self.manager.bind(str(self.path))
            self.manager.setblocking(False)
            environ = {"NOTIFY_SOCKET": str(self.path), "WATCHDOG_USEC": "300000"}
            return daemon.run(
                self.config, say=self.said.append, news=self.news.append, environ=environ, build=self.build
            )


@pytest.fixture
def station(config, tmp_path) -> Iterator[Callable[..., Station]]:
    """`station(story)`: the daemon's exit code and what it said, with a story going on in it."""

    def run(story, *, level_0=False) -> tuple[int, Station]:
        there = Station(config, tmp_path, story, level_0=level_0)
        code = there.run()
        for error in there.failed:
            raise error
        return code, there

    yield run
    gc.unfreeze()


def test_a_device_whose_inner_task_is_killed_is_lost_and_comes_back_and_every_task_is_known(station) -> None:
    async def story(s: Station) -> None:
        known = {*BACK, *STARVES, *ENDS}
        assert {kind(task) for task in s.tasks()} - known == set()
        for name in ("usb:1-1.4 out", "usb:1-1.4 in", "usb:1-1.4 notices", ""):
            said = len(s.news)
            next(task for task in s.tasks() if task.get_name() == name or (not name and kind(task) == BACK[0])).cancel()
            await s.until(lambda said=said: any("does not answer" in line for line in s.news[said:]))
            await s.until(lambda said=said: any("answers again" in line for line in s.news[said:]))
        os.kill(os.getpid(), signal.SIGTERM)

    code, there = station(story)
    assert (code, there.said) == (0, [])
    assert sum("does not answer" in line for line in there.news) == 4


@pytest.mark.parametrize("inner", ["Shuffler._listen", "Shuffler._serve", "Reshuffled._listen", "Reshuffled._serve"])
def test_a_device_that_nobody_runs_any_more_starves_the_watchdog_which_says_which(station, inner) -> None:
    async def story(s: Station) -> None:
        (task,) = s.of(inner)
        task.cancel()
        await s.until(lambda: s.hear() == "STATUS=no progress: shuffler")
        for name, told in (("left", "shuffler, left"), ("mouth", "shuffler, left, mouth")):
            (task,) = [task for task in s.of("tend") if task.get_name() == name]
            task.cancel()
            await s.until(lambda told=told: s.hear() == f"STATUS=no progress: {told}")
        os.kill(os.getpid(), signal.SIGTERM)

    assert station(story, level_0=inner.startswith("Reshuffled"))[0] == 0


@pytest.mark.parametrize(("name", "said"), ENDS.items())
def test_a_part_of_the_station_that_is_killed_ends_it_and_is_named(station, name, said) -> None:
    async def story(s: Station) -> None:
        (task,) = s.of(name)
        task.cancel()

    code, there = station(story)
    assert code == 70
    assert there.said == [
        f"a fault of the station itself: its {said} was stopped; start again, and report this with the journal"
    ]
