"""A host without opinions: it says what a test tells it to, and reads what the device answers."""

import asyncio
import contextlib
import runpy
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from dealerbox.model.cards import Uid
from dealerbox.model.shuffler import Cap
from dealerbox.ports import Line, WireError
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.memory_line import memory_pair
from dealerbox_drivers.shuffler import messages as m
from dealerbox_drivers.shuffler import wire
from dealerbox_drivers.shuffler.messages import Code, Flag, Type
from dealerbox_drivers.shuffler.twin import FULL_CAPS, ShufflerTwin
from dealerbox_drivers.shuffler.twin_machine import Timings
from dealerbox_drivers.shuffler.twin_reference import ReferenceShuffler

ROOM = Path(__file__).parent
FOLDER = Path(__file__).parents[3] / "firmware-protocols/shuffler/v1"
TYPES = {body: kind for kind, body in m.REQUESTS.items()}


def loaded(cards: int) -> Felt:
    """A felt with so many cards in the machine, and the rest of sixty in the box."""
    deck = [Uid(f"E00401{number:010X}") for number in range(60)]
    felt = Felt([deck], Random(1))
    for uid in deck[:cards]:
        felt.put(uid, "machine")
    return felt


class Bench:
    """A device in software, the felt behind it and a host before it, on a memory line."""

    def __init__(
        self,
        *,
        caps: Cap = FULL_CAPS,
        cards: int = 52,
        device: Any = ShufflerTwin,
        through: Any = lambda line: line,
        **settings: Any,
    ) -> None:
        self.felt = loaded(cards)
        self.line, far = memory_pair()
        self.line, self.far = through(self.line), through(far)
        settings.setdefault("timings", Timings(shuffle_ms=2000))
        self.twin = device(self.far, self.felt, Random(2), caps=caps, **settings)
        self.session = 1
        self.next_id = 1
        self.events: list[m.Event] = []
        self.strange: list[WireError] = []
        self.acknowledging = True
        self.status: Any = None
        self._seq = 0
        self._answers: dict[int, asyncio.Future[m.Body]] = {}
        self._tasks = [asyncio.ensure_future(self.twin.run()), asyncio.ensure_future(self._listen())]
        self._heart: asyncio.Task[None] | None = None

    async def ask(
        self, body: m.Body, *, session: int | None = None, flags: int = 0, version: int = 1, kind: int = 0
    ) -> Any:
        """Send a request and return its answer; TimeoutError after 500 ms."""
        self._seq = (self._seq + 1) % 256
        answer: asyncio.Future[m.Body] = asyncio.get_running_loop().create_future()
        self._answers[self._seq] = answer
        kind = kind or TYPES[type(body)]
        used = self.session if session is None else session
        self.line.write(wire.encode(wire.Frame(kind, Flag(flags), self._seq, used, body, version)))
        async with asyncio.timeout(0.5):
            found = await answer
        if isinstance(found, m.Status):
            self.status = found
        return found

    async def query(self) -> Any:
        return await self.ask(m.Query())

    async def hello(self, session: int | None = None) -> Any:
        if session is not None:
            self.session = session
        return await self.ask(m.Hello(1, 1, 99))

    async def beat(self) -> Any:
        """Heartbeat with the newest tick."""
        status = await self.query()
        return await self.ask(m.Heartbeat(status.boot_id, status.tick))

    async def arm(self, **wrong: int) -> Any:
        """Heartbeat, then ARM with the device's own numbers (or with wrong ones)."""
        s = await self.beat()
        said = m.Arm(s.epoch, s.fence, s.cmd_id, s.machine, s.exit_id)
        return await self.ask(msgspec.structs.replace(said, **wrong))

    async def say(self, kind: type[m.Permit], *, cut_before: str = "", **fields: int) -> Any:
        """Send a command under the newest numbers, and lose the device's power before that step of it."""
        s = await self.query()
        self.next_id = max(self.next_id, s.cmd_id + 1)
        numbers = {"epoch": s.epoch, "fence": s.fence, "cmd_id": self.next_id, "prev_id": s.cmd_id}
        self.said = kind(**(numbers | fields))
        self.next_id += 1
        if cut_before:
            self.twin.cut_before(cut_before)
        return await self.ask(self.said)

    async def final(self) -> Any:
        """Wait until nothing moves; heartbeats go on."""
        status = await self.beat()
        while status.state in (m.DeviceState.BUSY, m.DeviceState.OPEN):
            await asyncio.sleep(0.05)
            status = await self.beat()
        return status

    async def do(self, kind: type[m.Permit], **fields: int) -> Any:
        """Send a command that must be accepted, and wait for its end."""
        answer = await self.say(kind, **fields)
        assert answer.code == Code.OK, answer
        return await self.final()

    async def places(self, machine: int, exit_id: int = 0, order: int = 1) -> Any:
        return await self.say(m.Places, machine=machine, exit_id=exit_id, order=order, person=7)

    async def ready(self) -> Any:
        """From a wiped memory to ARMED, with a fresh shuffle: returns the STATUS."""
        await self.hello()
        await self.places(len(self.felt.at("machine")))
        await self.arm()
        status = await self.do(m.Shuffle, expect=len(self.felt.at("machine")), scope=0)
        assert status.token_id == status.cmd_id
        return status

    async def bring(self) -> Any:
        """Bring the first card of a hand up."""
        status = await self.ready()
        return await self.do(m.Dispense, deal_id=status.token_id, first=1)

    def live(self) -> None:
        """Keep the lease by heartbeats each 250 ms."""

        async def beating() -> None:
            while True:
                if self.twin.on:
                    await self.beat()
                await asyncio.sleep(0.25)

        self._heart = asyncio.ensure_future(beating())

    def die(self) -> None:
        """Send no more heartbeats."""
        if self._heart:
            self._heart.cancel()
            self._heart = None

    async def powered_off(self) -> None:
        """Wait for the power cut that a test has set."""
        async with asyncio.timeout(60):
            while True:
                if not self.twin.on:
                    return
                await asyncio.sleep(0.001)

    def relisten(self, line: Line) -> None:
        """Use another line from now on."""
        self.line = line
        self._tasks.append(asyncio.ensure_future(self._listen()))

    async def close(self) -> None:
        self.die()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _listen(self) -> None:
        decoder = wire.Decoder()
        while True:
            for item in decoder.feed(await self.line.read()):
                if not isinstance(item, wire.Frame):
                    self.strange.append(item)
                elif isinstance(item.body, m.Event):
                    self.events.append(item.body)
                    if self.acknowledging:
                        ack = m.EventAck(item.body.event_no)
                        self.line.write(wire.encode(wire.Frame(Type.EVENT_ACK, Flag(0), 0, self.session, ack)))
                elif item.seq in self._answers:
                    waiting = self._answers.pop(item.seq)
                    if not waiting.done():
                        waiting.set_result(item.body)


@pytest.fixture(scope="session")
def built() -> Path:
    """The reference device, built under sanitizers."""
    folder = FOLDER / "reference"
    make = subprocess.run(["make", "-C", str(folder), "build/shuffler-checked"], capture_output=True, text=True)
    assert make.returncode == 0, make.stderr
    return folder / "build/shuffler-checked"


@pytest.fixture(params=["twin", "reference"])
def device(request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    """Make the far side of the wire: the twin, or the reference device in C."""
    if request.param == "twin":
        yield ShufflerTwin
        return
    with contextlib.ExitStack() as made:
        program = request.getfixturevalue("built")
        yield lambda *told, **how: made.enter_context(
            contextlib.closing(ReferenceShuffler(*told, program=program, **how))
        )


@pytest.fixture
def at_bench(run: Callable[..., Any], device: Callable[..., Any]) -> Callable[..., Any]:
    """`at_bench(test, **settings)`: run `await test(bench)` in virtual time, once with each implementation."""

    def start(test: Callable[[Bench], Any], **settings: Any) -> Any:
        async def scene() -> Any:
            bench = Bench(device=device, **settings)
            try:
                return await test(bench)
            finally:
                await bench.close()

        return run(scene(), limit_s=3600)

    return start


@pytest.fixture(scope="session")
def vectors() -> dict[str, list[dict[str, Any]]]:
    """The tables of vectors.toml."""
    return tomllib.loads((FOLDER / "vectors.toml").read_text())


@pytest.fixture(scope="session")
def page() -> str:
    return (FOLDER / "PROTOCOL.md").read_text()


@pytest.fixture(scope="session")
def second_opinion() -> dict[str, Any]:
    """What make_vectors.py defines: an encoder and a decoder that share no code with the driver."""
    return runpy.run_path(str(ROOM / "make_vectors.py"))


@pytest.fixture
def felt_of() -> Callable[[int], Felt]:
    return loaded
