"""AnyID R321 bytes: frames, requests, replies (RFID HF READER Communication Protocol V1.1).

::

    request  7E 55 LEN source target CMD 00 params CRC          LEN counts source..CRC
    reply    7E 55 LEN source target 1F CMD 00 params CRC
    long     7E 55 00 source target [1F] CMD 00 COUNT params CRC      COUNT: bytes of params

Numbers low byte first. CRC-16/X-25 over LEN..params. The same frames on serial lines and in HID reports.
"""

from enum import IntEnum
from typing import Final

import msgspec

from dealerbox.model.cards import Uid
from dealerbox.ports import WireError
from dealerbox_drivers.rfid.crc import x25
from dealerbox_drivers.rfid.uid import iso15693

HOST: Final = 0x0000
"""Address of the station."""
ANY_ADDRESS: Final = 0xFFFF
REPLY: Final = 0x1F
LONGEST: Final = 1024
"""Longest frame that is taken: 25 tags are 239 bytes."""
SHORTEST: Final = 8
"""Least that LEN counts: a request without parameters."""
ANTENNAS: Final = 6
MOST_TAGS: Final = 25
"""Most tags of one reply."""

_HEAD: Final = b"\x7e\x55"


class Command(IntEnum):
    """Commands that the driver gives, and what a reader says unasked."""

    TAG_CAME = 0x10
    INVENTORY = 0x11
    RF = 0xF0
    ANTENNAS = 0xF2
    WRITE_CONFIG = 0xF4
    READ_CONFIG = 0xF5
    VERSION = 0xF7


class Frame(msgspec.Struct, frozen=True):
    """One frame."""

    source: int
    target: int
    command: int
    params: bytes = b""
    is_reply: bool = False


class Config(msgspec.Struct, frozen=True):
    """What a reader keeps over power cuts: its six bytes as it sends them."""

    content: bytes

    @property
    def is_fit(self) -> bool:
        """It takes inventories of ISO15693, answers when asked, and leaves tags that were read awake."""
        return self.content[0] == _INVENTORY_15693 and self.content[3] & 0xF0 == _ASKED_AND_AWAKE

    def fitted(self) -> "Config":
        """Return the same with what the driver needs: address, rate and buzzer stay."""
        control = _ASKED_AND_AWAKE | self.content[3] & 0x0F
        return Config(bytes((_INVENTORY_15693, *self.content[1:3], control, *self.content[4:])))


_INVENTORY_15693: Final = 0x02
_ASKED_AND_AWAKE: Final = 0x30
"""Bit 7: at a trigger; 6: of one AFI alone; 5: only when asked; 4: tags that were read stay awake (table 3.3.3)."""


def encode(frame: Frame, *, long: bool = False) -> bytes:
    """Return the bytes of a frame: the short form where it fits and `long` is not asked for."""
    head = frame.source.to_bytes(2, "little") + frame.target.to_bytes(2, "little")
    head += bytes((REPLY, frame.command, 0x00) if frame.is_reply else (frame.command, 0x00))
    length = len(head) + len(frame.params) + 2
    if length <= 0xFF and not long:
        body = bytes((length,)) + head + frame.params
    else:
        body = b"\x00" + head + len(frame.params).to_bytes(2, "little") + frame.params
    return _HEAD + body + x25(body).to_bytes(2, "little")


class Decoder:
    """Bytes in, frames and faults out; keeps at most one frame; never raises. `gap`: as for every reader."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    @property
    def begun(self) -> bool:
        """Tell whether a frame is begun and not complete."""
        return bool(self._buffer)

    def feed(self, data: bytes) -> list[Frame | WireError]:
        """Take bytes; return what they complete."""
        self._buffer += data
        found: list[Frame | WireError] = []
        at = 0
        while True:
            start = self._buffer.find(_HEAD, at)
            end = start if start >= 0 else len(self._buffer) - self._buffer.endswith(_HEAD[:1])
            if end > at:
                found.append(WireError(f"{end - at} bytes that belong to no frame"))
                at = end
            if start < 0:
                break
            wanted = _wanted(bytes(self._buffer[start : start + 12]))
            if wanted == 0 or (wanted > 0 and len(self._buffer) < start + wanted):
                break
            item = _frame(bytes(self._buffer[start : start + wanted])) if wanted > 0 else WireError(_NO_LENGTH)
            found.append(item)
            at = start + (wanted if isinstance(item, Frame) else len(_HEAD))
        del self._buffer[:at]
        return found

    def gap(self) -> list[Frame | WireError]:
        """The line has been silent: nothing begun before will be completed."""
        found: list[Frame | WireError] = []
        while self._buffer:
            found.append(WireError(f"frame cut short after {len(self._buffer)} bytes"))
            del self._buffer[0]
            found.extend(self.feed(b""))
        return found


_NO_LENGTH: Final = "frame with a length that none has"


def _wanted(head: bytes) -> int:
    """Return the length of the frame that begins so; 0: not known yet; -1: none begins so."""
    if len(head) < 3:
        return 0
    if head[2]:
        return head[2] + 3 if head[2] >= SHORTEST else -1
    count_at = 10 if head[7:8] == bytes((REPLY,)) else 9
    if len(head) < count_at + 2:
        return 0
    length = count_at + 2 + int.from_bytes(head[count_at : count_at + 2], "little") + 2
    return length if length <= LONGEST else -1


def _frame(data: bytes) -> Frame | WireError:
    if x25(data[2:-2]) != int.from_bytes(data[-2:], "little"):
        return WireError(f"check wrong in a frame of {len(data)} bytes")
    is_reply = data[7] == REPLY
    at = 8 if is_reply else 7
    params = data[at + (2 if data[2] else 4) : -2]
    if len(data) < at + 4:
        return WireError(f"reply of {len(data)} bytes without a command")
    source, target = int.from_bytes(data[3:5], "little"), int.from_bytes(data[5:7], "little")
    return Frame(source, target, data[at], params, is_reply)


def request(address: int, command: Command, params: bytes = b"") -> Frame:
    """Ask the reader at `address`; ANY_ADDRESS: whichever is there."""
    return Frame(HOST, address, command, params)


def inventory(address: int) -> Frame:
    """Ask for the uids of all tags in the field, or for those that the reply before had no room for."""
    return request(address, Command.INVENTORY, b"\x00")


def only_antenna(address: int, number: int) -> Frame:
    """Switch antenna 1..6 on and all others off."""
    return request(address, Command.ANTENNAS, bytes(each == number for each in range(1, ANTENNAS + 1)))


def rf(address: int, *, on: bool) -> Frame:
    """Switch the field on or off."""
    return request(address, Command.RF, bytes((on, 0x00)))


def rf_reset(address: int) -> Frame:
    """Switch the field off for 20 ms."""
    return request(address, Command.RF, b"\x02\x00")


def is_done(params: bytes | None) -> bool:
    """Tell whether a reply that has nothing else to say says that it was done."""
    return params is not None and params[:1] == b"\x00"


def version_of(params: bytes) -> str | WireError:
    """Return model, software and hardware as a VERSION reply has them: 50 bytes of text, ended by 00, then 00, 00."""
    if len(params) != 52 or params[50]:
        return WireError(f"version of {len(params)} bytes: {params[-2:].hex() or 'none'}")
    text = params[:50].partition(b"\0")[0].decode("ascii", "replace")
    return text if text.isprintable() and text.strip() else WireError(f"version {params[:8].hex()} is no text")


def config_of(params: bytes | None) -> Config | None:
    """Return what a READ_CONFIG reply says; None where it is none."""
    return Config(params) if params is not None and len(params) == 6 else None


class Listed(msgspec.Struct, frozen=True):
    """What an INVENTORY reply says."""

    tags: tuple[Uid | WireError, ...]
    remaining: int
    """Tags for which there was no room."""


def tags_of(params: bytes) -> Listed | WireError:
    """Return every uid (8 bytes, least significant first, then AA), in order, and how many are still to come."""
    count, left = divmod(len(params) - 2, 9)
    if left or count < 0 or count > MOST_TAGS:
        return WireError(f"inventory of {len(params)} bytes, must be 9 for each of at most {MOST_TAGS} tags, and 2")
    found: list[Uid | WireError] = []
    for at in range(0, 9 * count, 9):
        if params[at + 8] != 0xAA:
            found.append(WireError(f"a tag ends in {params[at + 8]:02X}, must be AA"))
            continue
        uid = iso15693(params[at : at + 8][::-1])
        found.append(WireError("a tag stands twice in one reply") if uid in found else uid)
    return Listed(tuple(found), params[-2])
