"""PN532 frames on a serial line (UM0701-02, 6.2.1).

::

    normal    [00..] 00 FF LEN LCS TFI PD.. DCS [00..]              LEN counts TFI and PD, LEN + LCS = 0
    extended  [00..] 00 FF FF FF LENM LENL LCS TFI PD.. DCS [00..]
    ACK       00 FF 00 FF    NACK  00 FF FF 00    error  00 FF 01 FF 7F 81

All sums modulo 256; TFI + PD + DCS = 0. TFI is D4 from the host and D5 from the chip. Zeros around a
frame may be more or fewer than the manual draws.
"""

from enum import Enum
from typing import Final

import msgspec

from dealerbox.ports import WireError

HOST: Final = 0xD4
CHIP: Final = 0xD5
ERROR: Final = 0x7F
"""TFI of the error frame: the chip does not understand what it was told."""
MOST: Final = 265
"""Most bytes that LEN of an extended frame may count."""
WAKE_UP: Final = bytes.fromhex("5555") + bytes(14)
"""Wakes the chip, which loses the first bytes that it hears in its sleep; noise to one that is awake."""

_START: Final = b"\x00\xff"


class Frame(msgspec.Struct, frozen=True):
    """One frame of data. `payload`: all behind the TFI, the command code first; none in an error frame."""

    sender: int
    payload: bytes = b""


class Sign(Enum):
    """A frame without data."""

    ACK = bytes.fromhex("0000ff00ff00")
    NACK = bytes.fromhex("0000ffff0000")


def encode(message: Frame | Sign) -> bytes:
    """Return the bytes of a frame: normal where it fits, else extended. ValueError beyond MOST."""
    if isinstance(message, Sign):
        return message.value
    data = bytes((message.sender,)) + message.payload
    if len(data) > MOST:
        raise ValueError(f"a frame of {len(data)} bytes; a PN532 takes at most {MOST}")
    if len(data) < 0xFF:
        head = bytes((len(data), -len(data) & 0xFF))
    else:
        length = len(data).to_bytes(2, "big")
        head = b"\xff\xff" + length + bytes((-sum(length) & 0xFF,))
    return b"\x00" + _START + head + data + bytes((-sum(data) & 0xFF, 0x00))


class Decoder:
    """Bytes in, frames, signs and faults out; keeps at most one frame; never raises.

    Where bytes were lost it may wait for some that never come: after a silence call `gap`, which looks
    for whole frames in what is left.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()

    @property
    def begun(self) -> bool:
        """Tell whether a frame is begun and not complete. A zero alone begins none: it ends the one before."""
        return len(self._buffer) > 1

    def feed(self, data: bytes) -> list[Frame | Sign | WireError]:
        """Take bytes; return what they complete."""
        self._buffer += data
        found: list[Frame | Sign | WireError] = []
        at, noise = 0, 0
        while True:
            start = self._buffer.find(_START, at)
            end = start if start >= 0 else len(self._buffer)
            noise += end - at - self._buffer.count(0, at, end)
            if start < 0:
                at = end - self._buffer.endswith(b"\x00")
                break
            item, taken = _read(self._buffer, start)
            if item is None:
                at = start
                break
            if noise:
                found.append(WireError(f"{noise} bytes that belong to no frame"))
                noise = 0
            found.append(item)
            at = start + taken
        if noise:
            found.append(WireError(f"{noise} bytes that belong to no frame"))
        del self._buffer[:at]
        return found

    def gap(self) -> list[Frame | Sign | WireError]:
        """The line has been silent: nothing begun before will be completed."""
        found: list[Frame | Sign | WireError] = []
        while len(self._buffer) > 1:
            found.append(WireError(f"frame cut short after {len(self._buffer)} bytes"))
            del self._buffer[0]
            found.extend(self.feed(b""))
        self._buffer.clear()
        return found


def _read(buffer: bytearray, start: int) -> tuple[Frame | Sign | WireError | None, int]:
    """Return what begins at `start`, and how many bytes it takes; None while it is not complete.

    Of what is no frame only the start code is taken: a frame may begin behind it.
    """
    head = buffer[start + 2 : start + 7]
    if len(head) < 2:
        return None, 0
    match head[0], head[1]:
        case 0x00, 0xFF:
            return Sign.ACK, 4
        case 0xFF, 0x00:
            return Sign.NACK, 4
        case 0xFF, 0xFF:
            if len(head) < 5:
                return None, 0
            length, check, begin = int.from_bytes(head[2:4], "big"), sum(head[2:5]), start + 7
        case _:
            length, check, begin = head[0], sum(head[:2]), start + 4
    if check & 0xFF or not 1 <= length <= MOST:
        return WireError("frame with a wrong length check"), 2
    if len(buffer) <= begin + length:
        return None, 0
    data = bytes(buffer[begin : begin + length + 1])
    if sum(data) & 0xFF:
        return WireError(f"frame of {length} bytes with a wrong data check"), 2
    if data[0] not in (HOST, CHIP, ERROR) or (length == 1) != (data[0] == ERROR):
        return WireError(f"frame of {length} bytes from {data[0]:02X}; known: D4, D5 with a command, 7F alone"), 2
    return Frame(data[0], data[1:-1]), begin + length + 1 - start
