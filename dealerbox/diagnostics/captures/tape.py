"""A device's line with a tape beside it: everything that passes is written down, in its order, before it is used."""

from collections import deque
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from dealerbox.diagnostics.captures.families import Family
from dealerbox.diagnostics.captures.file import Entry, entry_line
from dealerbox.diagnostics.captures.masked import AsItIs, InReports, Mask, Masked, Piece
from dealerbox.model.events import Event
from dealerbox.ports import Clock, DeviceGone, Line, OpenLine


class Tape:
    """Writes a capture's lines. A reading whose frames are not whole yet keeps its place until they are."""

    def __init__(
        self,
        write: Callable[[bytes], object],
        clock: Clock,
        *,
        mask: Mask,
        family: Family | None = None,
        replaced: Callable[[Any], Any] = lambda value: value,
    ) -> None:
        """`replaced` puts pseudonyms into built-in values."""
        self._write, self._clock, self._mask, self._family, self._replaced = write, clock, mask, family, replaced
        self._began_ns = clock()
        self._waiting: deque[Entry] = deque()
        """From the first reading on that is not settled; those are without their bytes."""
        self._masked: Masked | InReports | AsItIs | None = None
        self._stopped = False
        self._is_lost = False
        """The end of the line that is open was written down."""
        self.openings = 0
        """Times that the line was opened."""
        self.lines = 0
        """Written, the first and the last not counted."""
        self.bytes_in = 0
        """Bytes that came in."""

    def opened(self) -> None:
        """A line was opened."""
        self._masked, self._is_lost = self._mask(), False
        self.openings += 1
        self._add(Entry(us=self._now_us(), open=True))

    def wrote(self, data: bytes) -> None:
        """The driver writes this."""
        if self._family is not None:
            self._family.asked(data)
        self._add(Entry(us=self._now_us(), out=data.hex()))

    def came(self, data: bytes) -> None:
        """The device says this."""
        if self._stopped:
            return
        self.bytes_in += len(data)
        now_us = self._now_us()
        self._waiting.append(Entry(us=now_us))
        if self._masked is not None:
            self._settle(self._masked.came(now_us, data))

    def told(self, event: Event) -> None:
        """The driver made this of it."""
        said = self._replaced(msgspec.to_builtins(event))
        said.pop("at_ns", None)
        self._add(Entry(us=self._now_us(), told=said))

    def lost(self, why: str) -> None:
        """The line ended, or the driver gave the device up: once an opening."""
        if not self._is_lost:
            self._end_line()
            self._add(Entry(us=self._now_us(), gone=why))
            self._is_lost = True

    def stop(self) -> None:
        """Take nothing any more: what a driver does when it is stopped is not the device's doing."""
        self._stopped = True

    def end(self) -> None:
        """Write what is left and the last line."""
        self.stop()
        self._end_line()
        self._write(entry_line(Entry(us=self._now_us(), end=self.lines + 1)))

    def _end_line(self) -> None:
        if self._masked is not None:
            self._settle(self._masked.rest())
            self._masked = None

    def _now_us(self) -> int:
        return (self._clock() - self._began_ns) // 1000

    def _add(self, entry: Entry) -> None:
        if not self._stopped:
            self._waiting.append(entry)
        self._drain()

    def _settle(self, pieces: list[Piece]) -> None:
        places = [at for at, entry in enumerate(self._waiting) if _is_open_place(entry)]
        for at, piece in zip(places, pieces, strict=False):
            self._waiting[at] = replace(self._waiting[at], came=piece.data.hex(), spoilt=piece.spoilt)
        self._drain()

    def _drain(self) -> None:
        while self._waiting and not _is_open_place(self._waiting[0]):
            self._write(entry_line(self._waiting.popleft()))
            self.lines += 1


def _is_open_place(entry: Entry) -> bool:
    """Tell whether this is a reading whose bytes are not settled."""
    return not (entry.came or entry.out or entry.open or entry.gone or entry.told)


class Tapped:
    """A Line whose bytes go by a tape."""

    def __init__(self, line: Line, tape: Tape) -> None:
        self._line, self._tape = line, tape

    async def read(self) -> bytes:
        try:
            data = await self._line.read()
        except DeviceGone as gone:
            self._tape.lost(str(gone))
            raise
        self._tape.came(data)
        return data

    def write(self, data: bytes) -> None:
        self._tape.wrote(data)
        self._line.write(data)

    def close(self) -> None:
        self._line.close()


def tapped(open_line: OpenLine, tape: Tape) -> OpenLine:
    """Return what opens the same line with a tape beside it."""

    async def opened() -> Line:
        try:
            line = await open_line()
        except DeviceGone:
            tape.lost("the line cannot be opened")
            raise
        tape.opened()
        return Tapped(line, tape)

    return opened
