"""The file of a capture: JSON Lines, the first of which says whose wire it is, the last that it is whole.

::

    {"capture":1,"driver":"feig","device":"seats","settings":{..},"uids":"pseudonyms","software":"0.3.0"}
    {"us":0,"open":true}             the line was opened
    {"us":5120,"out":"05ff6533ad"}   bytes to the device, in hex, and when, in microseconds since the first line
    {"us":18400,"in":"0e00..."}      bytes from it; "spoilt":3 when so many of them made no frame and are not kept
    {"us":19000,"told":{..}}         what the driver made of them: an event, without its time
    {"us":90000,"gone":"..."}        the line or the device was lost
    {"us":99000,"end":4711}          the lines before this one
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from dealerbox.ports import DealerboxError

FORMAT: Final = 1
PSEUDONYMS: Final = "pseudonyms"
MOST_LINE: Final = 1 << 20


class CaptureError(DealerboxError):
    """A file is no capture that can be used: file, line, what is wrong, what to do."""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line."""

    capture: int
    driver: str
    device: str
    settings: dict[str, Any]
    """As the table's file has them, tags by pseudonyms."""
    uids: str = PSEUDONYMS
    """`pseudonyms`, or `as read by WHO`."""
    software: str = ""

    @property
    def is_masked(self) -> bool:
        """No tag of a card is in it."""
        return self.uids == PSEUDONYMS


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename={"came": "in"}):
    """A line after the first; one of its fields says what it is."""

    us: int
    open: bool = False
    out: str = ""
    came: str = ""
    spoilt: int = 0
    told: dict[str, Any] | None = None
    gone: str = ""
    end: int = -1


class Capture(msgspec.Struct, frozen=True):
    """A capture as it was read."""

    name: str
    header: Header
    entries: tuple[Entry, ...]
    """The last line is not among them."""
    cut: str
    """Why it is not whole; '' when it is."""

    def whole(self) -> "Capture":
        """Return itself. CaptureError when it is not whole."""
        if self.cut:
            raise CaptureError(self.cut)
        return self


def header_line(header: Header) -> bytes:
    """Return the first line."""
    return msgspec.json.encode(header) + b"\n"


def entry_line(entry: Entry) -> bytes:
    """Return a line after the first."""
    return msgspec.json.encode(entry) + b"\n"


def read(file: Path) -> Capture:
    """Return the capture in a file. CaptureError when it is none; OSError when it cannot be read."""
    with file.open("rb") as lines:
        return of_lines(lines, str(file))


def of_lines(lines: Iterable[bytes], name: str) -> Capture:
    """Return the capture in these lines; what comes after one that was cut short is left out."""
    every = iter(lines)
    header = _header(next(every, b""), name)
    entries: list[Entry] = []
    for entry in _entries(every, name):
        if entry.end >= 0:
            short = len(entries) + 1 - entry.end
            why = (
                f"{name}: {abs(short)} lines are {'missing' if short < 0 else 'too many'}; copy it anew"
                if short
                else ""
            )
            return Capture(name, header, tuple(entries), why)
        entries.append(entry)
    number = len(entries) + 1
    why = f"{name}: half a capture: line {number} is the last that can be read; copy it whole, or take it anew"
    return Capture(name, header, tuple(entries), why)


def _header(line: bytes, name: str) -> Header:
    try:
        said = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        raise CaptureError(f"{name}: no capture: its first line is no JSON; name what `diag capture` wrote") from error
    version = said.get("capture") if isinstance(said, dict) else None
    if not isinstance(version, int):
        raise CaptureError(f"{name}: no capture: its first line says no `capture`; name what `diag capture` wrote")
    if version > FORMAT:
        raise CaptureError(
            f"{name}: a capture of format {version}, and this Dealerbox reads up to {FORMAT}; "
            f"use the version that took it ({said.get('software') or 'not named'}), or a newer one"
        )
    try:
        return msgspec.convert(said, Header)
    except msgspec.ValidationError as error:
        raise CaptureError(f"{name}: line 1: {error}; take the capture anew") from error


_ENTRY: Final = msgspec.json.Decoder(Entry)


def _entries(lines: Iterator[bytes], name: str) -> Iterator[Entry]:
    """Yield the lines that can be read; one without its end is where the file was cut."""
    for number, line in enumerate(lines, 2):
        if not line.endswith(b"\n") or len(line) > MOST_LINE:
            return
        try:
            entry = _ENTRY.decode(line)
            bytes.fromhex(entry.out + entry.came)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            raise CaptureError(f"{name}: line {number} is none of a capture ({error}); copy it anew") from error
        yield entry
