"""A wire's bytes on their way into a capture: every frame in its place and as long as it was, no tag in it."""

from collections import deque
from collections.abc import Callable
from typing import Any

import msgspec

from dealerbox.diagnostics.captures.families import Family
from dealerbox.ports import WireError
from dealerbox_drivers.rfid.r321.reports import REPORT, ROOM


class Piece(msgspec.Struct, frozen=True):
    """What one reading brought, as it is kept. `spoilt`: its bytes that made no frame, each a filler now."""

    data: bytes
    spoilt: int = 0


class Masked:
    """Takes what comes from a reader, reading by reading, and gives as many pieces of the same lengths.

    What makes no frame may be any part of a tag: of it only the length is kept. A piece comes when every
    frame that begins in it is whole, or will never be.
    """

    def __init__(self, family: Family, gap_us: int) -> None:
        """`gap_us`: silence that ends a frame."""
        self._family, self._gap_us = family, gap_us
        self._decoder = family.decoder()
        self._raw = bytearray()
        """What came and is not settled."""
        self._lengths: deque[int] = deque()
        self._kept = bytearray()
        self._spoilt: list[bool] = []
        self._last_us = 0

    def came(self, at_us: int, data: bytes) -> list[Piece]:
        """Take a reading; return the pieces that are settled now."""
        if self._decoder.begun and at_us - self._last_us > self._gap_us:
            self._found(self._decoder.gap())
        self._last_us = at_us
        self._raw += data
        self._lengths.append(len(data))
        self._found(self._decoder.feed(data))
        if not self._decoder.begun:
            self._settle(len(self._raw), None)
        return self._pieces()

    def rest(self) -> list[Piece]:
        """Return the pieces that are left: nothing more comes."""
        self._found(self._decoder.gap())
        self._settle(len(self._raw), None)
        return self._pieces()

    def _found(self, items: list[Any]) -> None:
        for item in items:
            if isinstance(item, WireError):
                continue
            forms = [(self._raw.find(form(item)), form) for form in self._family.forms(item)]
            placed = [(at, form) for at, form in forms if at >= 0]
            if placed:
                at, form = min(placed, key=lambda one: one[0])
                self._settle(at, None)
                self._settle(len(form(item)), form(self._family.masked(item)))

    def _settle(self, length: int, kept: bytes | None) -> None:
        """Keep these bytes for so many of those that came; None: they made no frame."""
        raw = bytes(self._raw[:length])
        spoilt = kept is None and bool(raw.strip(self._family.idle) if self._family.idle else raw)
        if kept is None:
            kept = bytes((self._family.filler,)) * length if spoilt else raw
        if len(kept) != length:
            raise AssertionError(f"{length} bytes of a frame became {len(kept)}")
        del self._raw[:length]
        self._kept += kept
        self._spoilt += [spoilt] * length

    def _pieces(self) -> list[Piece]:
        pieces = []
        while self._lengths and self._lengths[0] <= len(self._kept):
            length = self._lengths.popleft()
            pieces.append(Piece(bytes(self._kept[:length]), sum(self._spoilt[:length])))
            del self._kept[:length], self._spoilt[:length]
        return pieces


class InReports:
    """The same where bytes come in HID reports (`r321.reports`): what is behind a report's own bytes is not kept."""

    def __init__(self, inner: Masked) -> None:
        self._inner = inner
        self._readings: deque[list[int]] = deque()
        """Of each reading that is not settled: how many bytes each of its reports carries; -1: it is no report."""
        self._settled: deque[Piece] = deque()

    def came(self, at_us: int, data: bytes) -> list[Piece]:
        """Take a reading of whole reports."""
        counts = []
        for at in range(0, len(data), REPORT):
            report = data[at : at + REPORT]
            is_report = len(report) == REPORT and report[0] <= ROOM
            counts.append(report[0] if is_report else -len(report))
            if is_report and report[0]:
                self._settled += self._inner.came(at_us, report[1 : 1 + report[0]])
        self._readings.append(counts)
        return self._pieces()

    def rest(self) -> list[Piece]:
        """Return the pieces that are left."""
        self._settled += self._inner.rest()
        return self._pieces()

    def _pieces(self) -> list[Piece]:
        pieces = []
        while self._readings and sum(count > 0 for count in self._readings[0]) <= len(self._settled):
            pieces.append(self._piece(self._readings.popleft()))
        return pieces

    def _piece(self, counts: list[int]) -> Piece:
        data, spoilt = b"", 0
        for count in counts:
            if count < 0:
                data, spoilt = data + b"\xff" * -count, spoilt - count
                continue
            piece = self._settled.popleft() if count else Piece(b"")
            data += (bytes((count,)) + piece.data).ljust(REPORT, b"\0")
            spoilt += piece.spoilt
        return Piece(data, spoilt)


class AsItIs:
    """For a wire that has no place for a tag, and where a director has said so."""

    def came(self, _: int, data: bytes) -> list[Piece]:
        """Take a reading and give it."""
        return [Piece(data)]

    def rest(self) -> list[Piece]:
        """Nothing is left."""
        return []


Mask = Callable[[], "Masked | InReports | AsItIs"]
"""Makes what masks the answers over one opening of a line."""
