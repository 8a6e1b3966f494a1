"""Frames of the ReShuffled text protocol (firmware-protocols/reshuffled/PROTOCOL.md): pure."""

import re
import zlib
from typing import Final

import msgspec

from dealerbox.ports import WireError

LONGEST: Final = 32
"""Bytes of a frame, or of what is no frame, that are kept."""
_FRAME: Final = re.compile(rb":([0-9A-Z]{1,16})#([0-9A-F]{1,8})\r?\n")
_FAULT: Final = re.compile(rb"Fehler: ?([0-9]{1,3})")
_ERROR: Final = b"Error"
_COLON, _END = ord(":"), ord("\n")


class Message(msgspec.Struct, frozen=True):
    """One frame: a command, `OK`, or `E` and a code."""

    data: str


class Trouble(msgspec.Struct, frozen=True):
    """What the board prints between frames when something is wrong. `code`: 0 where it names none."""

    code: int


def encode(data: str) -> bytes:
    """Return the frame of upper-case letters and digits."""
    return f":{data}#{zlib.crc32(data.encode()):X}\n".encode()


class Decoder:
    """Bytes to messages; between frames the board prints text, of which two kinds mean something."""

    def __init__(self) -> None:
        self._kept = bytearray()

    def feed(self, data: bytes) -> list[Message | Trouble | WireError]:
        """Return what `data` completes. Raises nothing; keeps less than `LONGEST` bytes."""
        found: list[Message | Trouble | WireError] = []
        for byte in data:
            if byte == _COLON and self._is_frame_begun():
                found.append(self._broken("a frame begins within a frame"))
            elif byte == _COLON and not self._is_fault_begun():
                found.extend(self._text())
            self._kept.append(byte)
            found.extend(self._whole(byte))
        return found

    def _is_frame_begun(self) -> bool:
        return self._kept.startswith(b":")

    def _is_fault_begun(self) -> bool:
        return self._kept.endswith(b"Fehler")

    def _whole(self, byte: int) -> list[Message | Trouble | WireError]:
        if byte == _END:
            return [self._frame()] if self._is_frame_begun() else self._text()
        if self._kept.endswith(_ERROR) and not self._is_frame_begun():
            return self._text()
        if len(self._kept) < LONGEST:
            return []
        return [self._broken("longer than any frame")]

    def _frame(self) -> Message | WireError:
        frame = _FRAME.fullmatch(bytes(self._kept))
        if frame is None:
            return self._broken("not :DATA#CRC")
        if int(frame[2], 16) != zlib.crc32(frame[1]):
            return self._broken("the check is wrong")
        self._kept.clear()
        return Message(frame[1].decode())

    def _text(self) -> list[Message | Trouble | WireError]:
        """End what is no frame: a printed fault, nothing at all, or noise."""
        kept = bytes(self._kept)
        if not kept.strip():
            self._kept.clear()
            return []
        if fault := _FAULT.search(kept):
            self._kept.clear()
            return [Trouble(int(fault[1]))]
        if kept.endswith(_ERROR):
            self._kept.clear()
            return [Trouble(0)]
        return [self._broken("no frame")]

    def _broken(self, why: str) -> WireError:
        shown = bytes(self._kept[:LONGEST]).decode("ascii", "backslashreplace")
        self._kept.clear()
        return WireError(f"{why}: {shown!r}")
