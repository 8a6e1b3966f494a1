"""FEIG OBID bytes: frames, requests, replies (system manuals H60301-3e, H40801-5e, H01113-4e).

::

    standard  LEN ADR CMD [STATUS] [DATA..] CRClo CRChi          LEN counts every byte
    advanced  02 LENhi LENlo ADR CMD [STATUS] [DATA..] CRClo CRChi

The reader answers with STATUS, the host asks without. A standard reply never has LEN 2, so the first
byte decides the kind. CRC-16/MCRF4XX, low byte first. The same frames on serial lines and USB.
"""

from enum import IntEnum
from typing import Final

import msgspec

from dealerbox.model.cards import Uid
from dealerbox.ports import WireError
from dealerbox_drivers.rfid.crc import mcrf4xx, mirrored_crc
from dealerbox_drivers.rfid.uid import iso14443a, iso15693

ANY_ADDRESS: Final = 0xFF
ADVANCED: Final = 0x02
LONGEST: Final = 1024
"""Longest frame that is taken: 60 tags are some 800 bytes."""
SHORTEST: Final = 5
CONFIG_BYTES: Final = 14
"""Bytes of a configuration block."""
CFG5: Final = 5
"""The anticollision block; its byte 11, bit 0 is ONT."""
ONT_BYTE: Final = 11


class Command(IntEnum):
    """Commands that the driver gives."""

    CPU_RESET = 0x63
    SOFTWARE_VERSION = 0x65
    RF_RESET = 0x69
    RF_OUTPUT = 0x6A
    READ_CONFIG = 0x80
    WRITE_CONFIG = 0x81
    ISO_HOST = 0xB0
    MUX_SELECT = 0xDD


class Status(IntEnum):
    """Status bytes by name; a reader may send others."""

    OK = 0x00
    NO_TRANSPONDER = 0x01
    DATA_FALSE = 0x02
    COLLISION = 0x0B
    GENERAL = 0x0E
    PARAMETER_RANGE = 0x11
    UNKNOWN_COMMAND = 0x80
    LENGTH = 0x81
    NOT_AVAILABLE = 0x82
    RF_COMMUNICATION = 0x83
    RF_WARNING = 0x84
    BUFFER_OVERFLOW = 0x93
    MORE_DATA = 0x94
    HARDWARE_WARNING = 0xF1


ISO15693: Final = 0x03
ISO14443A: Final = 0x04
"""Transponder types of a data set."""
TEN_BYTES: Final = 0x20
"""In an ISO14443A data set's TR-INFO: the uid has 10 bytes (bit 5; the manuals at hand do not number it)."""

_NO_TRANSPONDER: Final = int(Status.NO_TRANSPONDER)


class Frame(msgspec.Struct, frozen=True):
    """One frame. `payload`: everything between command and check; of a reply its first byte is the status."""

    address: int
    command: int
    payload: bytes = b""


class Version(msgspec.Struct, frozen=True):
    """A reader's answer to SOFTWARE_VERSION."""

    firmware: str
    hardware: int
    reader_type: int
    transponders: int


def encode(frame: Frame, *, advanced: bool = False) -> bytes:
    """Return the bytes of a frame: standard where it fits and `advanced` is not asked for."""
    body = bytes((frame.address, frame.command)) + frame.payload
    if advanced or len(body) + 3 > 255:
        head = bytes((ADVANCED,)) + (len(body) + 5).to_bytes(2, "big")
    else:
        head = bytes((len(body) + 3,))
    data = head + body
    return data + mcrf4xx(data).to_bytes(2, "little")


class Decoder:
    """Bytes in, frames and faults out; keeps at most one frame; never raises.

    A line where something was lost may leave it waiting for bytes that never come. Silence ends a
    frame: after 12 ms of it call `gap` (H60301-3e, 2.1), which looks for whole frames in what is left.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()

    @property
    def begun(self) -> bool:
        """Tell whether a frame is begun and not complete."""
        return bool(self._buffer)

    def feed(self, data: bytes) -> list[Frame | WireError]:
        """Take bytes; return what they complete."""
        if not self._buffer and SHORTEST <= len(data) == data[0] and not mirrored_crc(data):  # as nearly always
            return [Frame(data[1], data[2], data[3:-2])]
        self._buffer += data
        found: list[Frame | WireError] = []
        while self._buffer:
            wanted = self._wanted()
            if wanted < 0:
                found.append(WireError(f"byte {self._buffer[0]:02X} begins no frame"))
                del self._buffer[0]
                continue
            if wanted == 0 or len(self._buffer) < wanted:
                break
            item = _frame(bytes(self._buffer[:wanted]))
            found.append(item)
            del self._buffer[: wanted if isinstance(item, Frame) else 1]
        return found

    def gap(self) -> list[Frame | WireError]:
        """The line has been silent: nothing begun before will be completed."""
        found: list[Frame | WireError] = []
        while self._buffer:
            found.append(WireError(f"frame cut short after {len(self._buffer)} bytes"))
            del self._buffer[0]
            found.extend(self.feed(b""))
        return found

    def _wanted(self) -> int:
        """Return the length of the frame that begins the buffer; 0: not known yet; -1: none begins here."""
        first = self._buffer[0]
        if first == ADVANCED:
            if len(self._buffer) < 3:
                return 0
            length = int.from_bytes(self._buffer[1:3], "big")
            return length if SHORTEST + 2 <= length <= LONGEST else -1
        return first if first >= SHORTEST else -1


def _frame(data: bytes) -> Frame | WireError:
    if mirrored_crc(data):
        return WireError(f"check wrong in a frame of {len(data)} bytes")
    start = 3 if data[0] == ADVANCED else 1
    return Frame(data[start], data[start + 1], data[start + 2 : -2])


def inventory(address: int, *, more: bool = False) -> Frame:
    """Ask for the uids of all tags in the field; `more`: go on after MORE_DATA."""
    return Frame(address, Command.ISO_HOST, bytes((0x01, 0x80 if more else 0x00)))


def rf(address: int, *, on: bool) -> Frame:
    """Switch the field on or off."""
    return Frame(address, Command.RF_OUTPUT, bytes((on,)))


def select_channel(address: int, channel: int) -> Frame:
    """Put the antenna of multiplexer channel 1..8 on output 1, none on output 2 (H30701-3e)."""
    return Frame(address, Command.MUX_SELECT, bytes((0x00, channel, 0x00)))


def read_config(address: int, block: int) -> Frame:
    """Ask for a configuration block from RAM."""
    return Frame(address, Command.READ_CONFIG, bytes((block,)))


def write_config(address: int, block: int, content: bytes) -> Frame:
    """Set a configuration block (14 bytes) in RAM, until the next reset."""
    return Frame(address, Command.WRITE_CONFIG, bytes((block,)) + content)


def version_of(payload: bytes) -> Version | WireError:
    """Return what a SOFTWARE_VERSION reply says."""
    if len(payload) < 8 or payload[0] != Status.OK:
        return WireError(f"software version: {len(payload)} bytes, status {payload[:1].hex() or 'none'}")
    firmware = ".".join(f"{byte:02X}" for byte in payload[1:4])
    return Version(firmware, payload[4], payload[5], int.from_bytes(payload[6:8], "big"))


def tags_of(payload: bytes) -> list[Uid | WireError]:
    """Return every uid of an inventory reply, in order; a WireError in place of one that cannot be used.

    A data set of a kind whose length is not known ends the list with a WireError.
    """
    end = len(payload)
    if end and payload[0] == _NO_TRANSPONDER:
        return []
    if end < 2:
        return [WireError(f"inventory reply of {end} bytes has no number of data sets")]
    found: list[Uid | WireError] = []
    at = 2
    for _ in range(payload[1]):
        left = end - at
        kind = payload[at] if left > 0 else -1
        item: Uid | WireError
        if kind == ISO15693 and left >= 10:
            item = iso15693(payload[at + 2 : at + 10])
            at += 10
        elif kind == ISO14443A and left >= 3 + (size := 10 if left > 1 and payload[at + 1] & TEN_BYTES else 7):
            item = iso14443a(payload[at + 3 : at + 3 + size])
            at += 3 + size
        else:
            return [*found, _not_told_apart(payload[at:])]
        found.append(WireError("a tag stands twice in one reply") if found and item in found else item)
    if at < end:
        found.append(WireError(f"inventory reply has {end - at} bytes after its last data set"))
    return found


def _not_told_apart(data: bytes) -> WireError:
    """Return what is wrong with a data set whose end, and so what follows it, cannot be found."""
    if not data or data[0] in (ISO15693, ISO14443A):
        return WireError(f"data set cut short after {len(data)} bytes")
    return WireError(f"data set of unknown transponder type {data[0]:02X}")
