"""CCID messages (USB device class 0B, rev. 1.1), both ways and unasked.

::

    to the reader    bMessageType dwLength(LE32) bSlot bSeq 3 bytes of parameters, data
    from the reader  bMessageType dwLength(LE32) bSlot bSeq bStatus bError 1 byte, data
    unasked          50 bmSlotICCState          two bits a slot: present, changed
                     51 bSlot bSeq bHardwareErrorCode

There is no check: USB has its own. What ties an answer to its question is bSeq.
"""

from enum import IntEnum
from typing import Final

import msgspec

from dealerbox.ports import WireError

HEADER: Final = 10
MOST_DATA: Final = 1024
"""Longest data that is taken: an answer to the questions asked here has less than 100 bytes (ACR122U: 261)."""
MOST_SLOTS: Final = 16


class Ask(IntEnum):
    """Messages to the reader (6.1)."""

    POWER_ON = 0x62
    POWER_OFF = 0x63
    SLOT_STATUS = 0x65
    ESCAPE = 0x6B
    TRANSFER = 0x6F
    ABORT = 0x72


class Say(IntEnum):
    """Messages from the reader (6.2)."""

    DATA = 0x80
    SLOT_STATUS = 0x81
    PARAMETERS = 0x82
    ESCAPE = 0x83


ANSWERS: Final = {
    Ask.POWER_ON: Say.DATA,
    Ask.POWER_OFF: Say.SLOT_STATUS,
    Ask.SLOT_STATUS: Say.SLOT_STATUS,
    Ask.ESCAPE: Say.ESCAPE,
    Ask.TRANSFER: Say.DATA,
    Ask.ABORT: Say.SLOT_STATUS,
}

SLOT_CHANGE: Final = 0x50
HARDWARE_ERROR: Final = 0x51
_UNASKED: Final = {SLOT_CHANGE: 2, HARDWARE_ERROR: 4}
_KNOWN: Final = frozenset((*Ask, *Say, *_UNASKED))


class Card(IntEnum):
    """What lies in a slot: bits 1..0 of bStatus."""

    ACTIVE = 0
    INACTIVE = 1
    ABSENT = 2


class Outcome(IntEnum):
    """What became of a question: bits 7..6 of bStatus."""

    DONE = 0
    FAILED = 1
    WAIT = 2
    """A time extension: the answer will come; bError says how many waiting times later."""


MUTE: Final = 0xFE
"""bError: the card said nothing (6.2.6)."""


class Message(msgspec.Struct, frozen=True):
    """One message. `parameters`: the three bytes of its header; of an answer: bStatus, bError, and one more."""

    kind: int
    slot: int = 0
    seq: int = 0
    parameters: bytes = b"\x00\x00\x00"
    data: bytes = b""


class Notice(msgspec.Struct, frozen=True):
    """What the reader says unasked, of its first slot. `fault`: a hardware error's code, 0 for none."""

    present: bool = False
    changed: bool = False
    fault: int = 0


class Answer(msgspec.Struct, frozen=True):
    """What an answer says."""

    status: int
    error: int
    data: bytes

    @property
    def outcome(self) -> int:
        """One of `Outcome`, or 3, which means nothing."""
        return self.status >> 6

    @property
    def card(self) -> int:
        """One of `Card`, or 3, which means nothing."""
        return self.status & 3

    def __str__(self) -> str:
        return f"status {self.status:02X}, error {self.error:02X}"


def encode(message: Message) -> bytes:
    """Return the bytes of a message."""
    head = bytes((message.kind,)) + len(message.data).to_bytes(4, "little")
    return head + bytes((message.slot, message.seq)) + message.parameters + message.data


class Decoder:
    """Bytes in, messages, notices and faults out; keeps at most one message; never raises.

    A message that was cut short waits for bytes that never come: after a silence call `gap`.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()

    @property
    def begun(self) -> bool:
        """Tell whether a message is begun and not complete."""
        return bool(self._buffer)

    def feed(self, data: bytes) -> list[Message | Notice | WireError]:
        """Take bytes; return what they complete."""
        self._buffer += data
        found: list[Message | Notice | WireError] = []
        at, end, noise = 0, len(self._buffer), 0
        while at < end:
            wanted = self._wanted(at)
            if wanted < 0:
                noise, at = noise + 1, at + 1
                continue
            if wanted == 0 or end - at < wanted:
                break
            if noise:
                found.append(_noise(noise))
                noise = 0
            found.append(_read(bytes(self._buffer[at : at + wanted])))
            at += wanted
        if noise:
            found.append(_noise(noise))
        del self._buffer[:at]
        return found

    def gap(self) -> list[Message | Notice | WireError]:
        """The line has been silent: nothing begun before will be completed."""
        found: list[Message | Notice | WireError] = []
        if self._buffer:
            found.append(WireError(f"message cut short after {len(self._buffer)} bytes"))
        while self._buffer:
            del self._buffer[0]
            found.extend(self.feed(b""))
        return found

    def _wanted(self, at: int) -> int:
        """Return the length of the message that begins at `at`; 0: not known yet; -1: none begins there."""
        kind = self._buffer[at]
        if kind not in _KNOWN:
            return -1
        if kind in _UNASKED:
            return _UNASKED[kind]
        head = self._buffer[at + 1 : at + 6]
        if len(head) < 5:
            return 0
        length = int.from_bytes(head[:4], "little")
        return HEADER + length if length <= MOST_DATA and head[4] < MOST_SLOTS else -1


def _read(data: bytes) -> Message | Notice:
    if data[0] == SLOT_CHANGE:
        return Notice(present=bool(data[1] & 1), changed=bool(data[1] & 2))
    if data[0] == HARDWARE_ERROR:
        return Notice(changed=True, fault=data[3])
    return Message(data[0], data[5], data[6], data[7:HEADER], data[HEADER:])


def _noise(number: int) -> WireError:
    return WireError(f"{number} bytes that begin no message")


def answer_of(message: Message) -> Answer:
    """Return what a message from the reader says."""
    return Answer(message.parameters[0], message.parameters[1], message.data)
