"""Lines in memory, and lines that ill-treat the line they wrap: for twins, simulations and tests."""

import asyncio
from collections import deque
from random import Random
from typing import Final

from dealerbox.ports import DeviceGone, Line

MOST_UNREAD: Final = 65_536
"""Bytes that a line keeps for a side that does not take them; one more and the line counts as gone."""


class Inbox:
    """Bytes that came in and were not read yet, for one reader.

    `take` may be cancelled at any moment: what it has not returned is still there.
    """

    def __init__(self) -> None:
        self._unread = bytearray()
        self._why_gone = ""
        self._waiting: asyncio.Future[None] | None = None

    def __len__(self) -> int:
        return len(self._unread)

    def put(self, data: bytes) -> None:
        """Add bytes and wake the reader."""
        self._unread += data
        self._wake()

    def end(self, why: str, *, forget: bool = False) -> None:
        """Let the reader have DeviceGone(why) once it has what is unread (at once with `forget`). Twice is once."""
        if forget:
            self._unread.clear()
        self._why_gone = self._why_gone or why
        self._wake()

    async def take(self) -> bytes:
        """Return everything unread, at least one byte. DeviceGone after the end."""
        while not self._unread:
            if self._why_gone:
                raise DeviceGone(self._why_gone)
            if self._waiting is not None:
                raise RuntimeError("two tasks read the same line")
            self._waiting = asyncio.get_running_loop().create_future()
            try:
                await self._waiting
            finally:
                self._waiting = None
        data = bytes(self._unread)
        self._unread.clear()
        return data

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)


class MemoryLine:
    """One end of a pipe of bytes in memory; `memory_pair` makes both."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._inbox = Inbox()
        self._other: MemoryLine | None = None

    def join(self, other: "MemoryLine") -> None:
        """Make two ends one pipe."""
        self._other, other._other = other, self

    async def read(self) -> bytes:
        return await self._inbox.take()

    def write(self, data: bytes) -> None:
        if self._other is None:
            raise DeviceGone(f"{self.name}: the line is closed")
        if len(self._other._inbox) + len(data) > MOST_UNREAD:
            self.close()
            raise DeviceGone(f"{self.name}: the other side leaves more than {MOST_UNREAD} bytes unread")
        self._other._inbox.put(data)

    def close(self) -> None:
        """Close both ends, as an unplugged cable does; the other end still reads what is in the pipe."""
        other, self._other = self._other, None
        self._inbox.end(f"{self.name}: the line is closed", forget=True)
        if other is not None:
            other._other = None
            other._inbox.end(f"{other.name}: the line was closed at the other end")


def memory_pair(near: str = "near", far: str = "far") -> tuple[MemoryLine, MemoryLine]:
    """Return the two ends of a new pipe, by their names in messages."""
    ends = MemoryLine(near), MemoryLine(far)
    ends[0].join(ends[1])
    return ends


class OneByte:
    """Carries one byte at a time, both ways."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._unread: deque[int] = deque()

    async def read(self) -> bytes:
        if not self._unread:
            self._unread.extend(await self._line.read())
        return bytes([self._unread.popleft()])

    def write(self, data: bytes) -> None:
        for byte in data:
            self._line.write(bytes([byte]))

    def close(self) -> None:
        self._unread.clear()
        self._line.close()


class Lossy:
    """Loses each byte with probability `rate`, both ways."""

    def __init__(self, line: Line, rng: Random, rate: float) -> None:
        self._line = line
        self._rng = rng
        self._rate = rate

    async def read(self) -> bytes:
        while True:
            kept = self._kept(await self._line.read())
            if kept:
                return kept

    def write(self, data: bytes) -> None:
        self._line.write(self._kept(data))

    def close(self) -> None:
        self._line.close()

    def _kept(self, data: bytes) -> bytes:
        return bytes(byte for byte in data if self._rng.random() >= self._rate)


class Delayed:
    """Brings everything `ms` milliseconds late, both ways, in its order."""

    def __init__(self, line: Line, ms: float) -> None:
        self._line = line
        self._delay_s = ms / 1000
        self._unread = Inbox()
        self._coming: deque[bytes] = deque()
        self._unsent: deque[bytes] = deque()

    async def read(self) -> bytes:
        if not self._unread and not self._coming:
            self._coming.append(await self._line.read())
            asyncio.get_running_loop().call_later(self._delay_s, self._arrive)
        return await self._unread.take()

    def write(self, data: bytes) -> None:
        self._unsent.append(data)
        asyncio.get_running_loop().call_later(self._delay_s, self._send)

    def close(self) -> None:
        self._coming.clear()
        self._unsent.clear()
        self._unread.end("the line is closed", forget=True)
        self._line.close()

    def _arrive(self) -> None:
        if self._coming:
            self._unread.put(self._coming.popleft())

    def _send(self) -> None:
        if not self._unsent:
            return
        try:
            self._line.write(self._unsent.popleft())
        except DeviceGone as gone:
            self._unread.end(str(gone))
