"""What a PN532 is asked and what its answers say (UM0701-02, 7). The same on every link to the chip."""

from enum import IntEnum
from typing import Final

import msgspec

from dealerbox.model.cards import Uid
from dealerbox.ports import WireError
from dealerbox_drivers.rfid.uid import iso14443a

MAX_TARGETS: Final = 2
"""Most tags that one InListPassiveTarget takes (7.3.5)."""


class Command(IntEnum):
    """Commands that the driver gives; an answer's code is one more."""

    DIAGNOSE = 0x00
    FIRMWARE_VERSION = 0x02
    SAM_CONFIGURATION = 0x14
    RF_CONFIGURATION = 0x32
    LIST_PASSIVE_TARGET = 0x4A
    RELEASE = 0x52


NORMAL_MODE: Final = bytes((Command.SAM_CONFIGURATION, 0x01, 0x00, 0x00))
"""No secure module, no time-out, no interrupt line: ends the state that follows power-on."""
FIRMWARE_VERSION: Final = bytes((Command.FIRMWARE_VERSION,))
LIST_TYPE_A: Final = bytes((Command.LIST_PASSIVE_TARGET, MAX_TARGETS, 0x00))
"""Find at most two ISO14443A tags at 106 kbit/s."""
RELEASE_ALL: Final = bytes((Command.RELEASE, 0x00))
FIELD_ON: Final = bytes((Command.RF_CONFIGURATION, 0x01, 0x01))
FIELD_OFF: Final = bytes((Command.RF_CONFIGURATION, 0x01, 0x00))
FEW_TRIES: Final = bytes((Command.RF_CONFIGURATION, 0x05, 0xFF, 0x01, 0x01))
"""Look for a tag twice and answer: as it comes, the chip looks for ever and answers when a card comes."""


class Version(msgspec.Struct, frozen=True):
    """A chip's answer to GetFirmwareVersion."""

    chip: int
    """32: a PN532."""
    firmware: str
    support: int
    """Bit 0: ISO14443A."""


def line_test(number: int) -> bytes:
    """Ask for these four bytes back (Diagnose, test 00)."""
    return bytes((Command.DIAGNOSE, 0x00)) + number.to_bytes(4, "big")


def is_answer(payload: bytes, question: bytes) -> bool:
    """Tell whether a chip's payload answers the question: by its code, a line test by all that it says."""
    if not payload or payload[0] != question[0] + 1:
        return False
    return question[0] != Command.DIAGNOSE or payload[1:] == question[1:]


def version_of(answer: bytes) -> Version | WireError:
    """Return what a GetFirmwareVersion answer, its code first, says; a WireError for another chip than a PN532."""
    if len(answer) != 5:
        return WireError(f"firmware version of {len(answer) - 1} bytes, must be 4")
    if answer[1] != 0x32:
        return WireError(f"chip {answer[1]:02X}; a PN532 says 32")
    if not answer[4] & 0x01:
        return WireError(f"its firmware {answer[2]}.{answer[3]} reads no ISO14443A")
    return Version(answer[1], f"{answer[2]}.{answer[3]}", answer[4])


def targets_of(answer: bytes) -> list[Uid | WireError]:
    """Return every uid of an InListPassiveTarget answer, its code first; a WireError for what cannot be used.

    Each target: number, SENS_RES (2), SEL_RES, length of its uid, uid, and where SEL_RES has bit 5
    an ATS whose first byte counts itself (ISO/IEC 14443-4, 5.2).
    """
    if len(answer) < 2:
        return [WireError("list of targets without their number")]
    if answer[1] > MAX_TARGETS:
        return [WireError(f"{answer[1]} targets, and {MAX_TARGETS} were asked for: ghosts")]
    found: list[Uid | WireError] = []
    at = 2
    for number in range(1, answer[1] + 1):
        head = answer[at : at + 5]
        if len(head) < 5 or len(answer) < at + 5 + head[4]:
            return [*found, WireError(f"target {number} cut short after {len(answer) - at} bytes")]
        if head[0] != number:
            return [*found, WireError(f"target {number} calls itself {head[0]}")]
        uid = iso14443a(answer[at + 5 : at + 5 + head[4]])
        found.append(WireError("a tag stands twice in one reply") if uid in found else uid)
        at += 5 + head[4]
        if head[3] & 0x20 and at < len(answer):
            at += answer[at]
    if at != len(answer):
        found.append(WireError(f"list of targets ends at byte {at} of {len(answer)}"))
    return found
