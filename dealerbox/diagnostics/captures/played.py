"""A capture played into its driver, in virtual time: what it asks now, and what it tells, against what was captured."""

import asyncio
from collections import deque
from typing import Any

import msgspec

from dealerbox.diagnostics.captures.driven import driven, settings_of, wired
from dealerbox.diagnostics.captures.file import Capture, CaptureError, Entry
from dealerbox.model.events import Event
from dealerbox.ports import DeviceGone, DeviceWrong
from dealerbox.station.virtual import virtual_clock, virtual_run

LATEST_S = 5.0
"""Virtual seconds that the driver is given for what it wrote, or told, next in the capture."""


class Played(msgspec.Struct, frozen=True):
    """What came of it."""

    name: str
    driver: str
    asked: int
    """Bytes that the driver wrote as they were captured."""
    told: int
    """Events that it told as they were."""
    difference: str
    """The first that is not as it was: line, then, now; '' none."""


def played(capture: Capture) -> Played:
    """Play a whole capture. CaptureError when it is not whole or its settings are not the driver's."""
    entries = capture.whole().entries
    driver = wired(capture.header.driver)
    try:
        settings = settings_of(driver, capture.header.settings)
    except msgspec.ValidationError as error:
        raise CaptureError(f"{capture.name}: line 1: settings of {driver.name}: {error}; take it anew") from error

    async def play() -> Played:
        script = _Script(entries)
        device = driven(driver, capture.header.device, settings, script.open_line, virtual_clock)

        async def serve() -> None:
            while True:
                try:
                    await device.run(script.heard)
                except (DeviceGone, DeviceWrong) as error:
                    script.gone(str(error))
                await script.opening()

        serving = asyncio.create_task(serve())
        try:
            difference = await script.play()
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
        return Played(capture.name, driver.name, script.written_bytes, script.told_events, difference)

    return virtual_run(play())


class _Differs(Exception):
    pass


class _Script:
    """Gives what came when all that was written before it has been written, and as long after as it was."""

    def __init__(self, entries: tuple[Entry, ...]) -> None:
        self._entries = entries
        self._written = bytearray()
        self._told: deque[dict[str, Any]] = deque()
        self._stir = asyncio.Event()
        self._may_open = asyncio.Event()
        self._line: _Scripted | None = None
        self._gone: deque[str] = deque()
        self.written_bytes = 0
        self.told_events = 0

    # What the driver does.

    async def open_line(self) -> "_Scripted":
        await self._may_open.wait()
        self._may_open.clear()
        self._line = _Scripted(self._write)
        return self._line

    def _write(self, data: bytes) -> None:
        self._written += data
        self._stir.set()

    def heard(self, event: Event) -> None:
        said = msgspec.to_builtins(event)
        said.pop("at_ns", None)
        self._told.append(said)
        self._stir.set()

    def gone(self, why: str) -> None:
        self._gone.append(why)
        self._stir.set()

    async def opening(self) -> None:
        """Return when the capture opens the line once more."""
        await self._may_open.wait()

    # What the capture says.

    async def play(self) -> str:
        """Return the first difference, '' none."""
        before_us = 0
        for number, entry in enumerate(self._entries, 2):
            try:
                await self._step(entry, max(0, entry.us - before_us))
            except _Differs as differs:
                return f"line {number}: {differs}"
            before_us = entry.us
        return ""

    async def _step(self, entry: Entry, after_us: int) -> None:
        if entry.open:
            await asyncio.sleep(after_us / 1e6)
            self._may_open.set()
        elif entry.out:
            await self._asks(bytes.fromhex(entry.out))
        elif entry.came and self._line is not None:
            await asyncio.sleep(after_us / 1e6)
            self._line.give(bytes.fromhex(entry.came))
        elif entry.told is not None:
            await self._tells(entry.told)
        elif entry.gone:
            await asyncio.sleep(after_us / 1e6)
            if self._line is not None:
                self._line.end(entry.gone)

    async def _asks(self, then: bytes) -> None:
        await self._until(lambda: len(self._written) >= len(then), f"then asked {then.hex()}, now nothing")
        now = bytes(self._written[: len(then)])
        if now != then:
            raise _Differs(f"then asked {then.hex()}, now {now.hex()}")
        del self._written[: len(then)]
        self.written_bytes += len(then)

    async def _tells(self, then: dict[str, Any]) -> None:
        await self._until(lambda: bool(self._told), f"then told {_json(then)}, now nothing")
        now = self._told.popleft()
        if _json(now) != _json(then):
            raise _Differs(f"then told {_json(then)}, now {_json(now)}")
        self.told_events += 1

    async def _until(self, done: Any, otherwise: str) -> None:
        try:
            async with asyncio.timeout(LATEST_S):
                while not done():
                    self._stir.clear()
                    await self._stir.wait()
        except TimeoutError:
            raise _Differs(otherwise) from None


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


class _Scripted:
    """A Line that the script feeds."""

    def __init__(self, write: Any) -> None:
        self._write = write
        self._came = bytearray()
        self._ended = ""
        self._stir = asyncio.Event()

    async def read(self) -> bytes:
        while not self._came:
            if self._ended:
                raise DeviceGone(self._ended)
            self._stir.clear()
            await self._stir.wait()
        data = bytes(self._came)
        self._came.clear()
        return data

    def write(self, data: bytes) -> None:
        if self._ended:
            raise DeviceGone(self._ended)
        self._write(data)

    def close(self) -> None:
        self.end("the line is closed")

    def give(self, data: bytes) -> None:
        self._came += data
        self._stir.set()

    def end(self, why: str) -> None:
        self._ended = self._ended or why
        self._stir.set()
