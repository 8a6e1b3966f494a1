"""What a CCID reader is asked inside its messages: PC/SC part 3, and ACS's own (ACR122U 2.04, ACR1552U 1.08)."""

from typing import Final

import msgspec

from dealerbox.model.cards import Uid
from dealerbox.ports import WireError
from dealerbox_drivers.rfid.uid import iso14443a, iso15693

GET_UID: Final = bytes.fromhex("FFCA000000")
ACR122_FIRMWARE: Final = bytes.fromhex("FF00480000")
ACR122_NO_POLLING: Final = bytes.fromhex("FF00517F00")
"""All of its parameters but bit 7: the reader leaves looking for cards to the host."""
OLDEST: Final = 200
"""Oldest firmware of an ACR122U that is taken, in hundredths: 1.x has another set of commands."""

ACR1552_FIRMWARE: Final = bytes.fromhex("E000001800")
ACR1552_TAGS: Final = bytes.fromhex("E0000120020104")
"""Look for ISO14443A and ISO15693 alone: each kind more makes its round longer."""
ACR1552_DARK: Final = bytes.fromhex("E00000250100")
ACR1552_LIT: Final = bytes.fromhex("E00000250101")
"""Field off; field on, and look for cards."""

_DONE: Final = b"\x90\x00"
_WORDS: Final = {
    b"\x63\x00": "the reader could not do it",
    b"\x63\x27": "wrong check of the chip's answer",
    b"\x63\x7f": "no answer of the chip",
    b"\x6a\x81": "not supported for this card",
}


class Version(msgspec.Struct, frozen=True):
    """What a reader calls itself."""

    model: str
    firmware: str


def direct(command: bytes) -> bytes:
    """Return the APDU that hands a command to the PN532 inside an ACR122U."""
    return b"\xff\x00\x00\x00" + bytes((len(command) + 1, 0xD4)) + command


def direct_of(answer: bytes, command: bytes) -> bytes | WireError:
    """Return the PN532's answer to `command`, its code first."""
    said = data_of(answer)
    if isinstance(said, WireError):
        return said
    if said[:2] != bytes((0xD5, command[0] + 1)):
        return WireError(f"{said.hex()} is no answer to the PN532's command {command[0]:02X}")
    return said[1:]


def data_of(answer: bytes) -> bytes | WireError:
    """Return what stands before the two bytes 90 00; a WireError that says what others mean."""
    if len(answer) < 2:
        return WireError(f"answer of {len(answer)} bytes without its status word")
    if answer[-2:] == _DONE:
        return answer[:-2]
    return WireError(f"status word {answer[-2:].hex(' ').upper()} ({_WORDS.get(answer[-2:], 'unknown')})")


def uid_of(answer: bytes, *, last_first: bool) -> Uid | WireError:
    """Return the uid that GET_UID was answered with.

    `last_first`: the reader gives an ISO15693 uid least significant byte first, as it goes over the air.
    """
    said = data_of(answer)
    if isinstance(said, WireError):
        return said
    if len(said) == 8:
        return iso15693(said[::-1] if last_first else said)
    return iso14443a(said)


def acr122_version_of(answer: bytes) -> Version | WireError:
    """Return what ACR122_FIRMWARE was answered with, such as `ACR122U203`; it has no status word."""
    text = answer.decode("ascii", "replace")
    model, digits = text[:7], text[7:10]
    if model != "ACR122U" or len(digits) != 3 or not digits.isdecimal():
        return WireError(f"calls itself {text[:20]!r}; an ACR122U says ACR122U and its firmware")
    firmware = f"{digits[0]}.{digits[1:]}"
    if int(digits) < OLDEST:
        return WireError(f"its firmware {firmware} is too old; 2.00 or newer")
    return Version(model, firmware)


def escape_of(answer: bytes) -> bytes | WireError:
    """Return what an ACR1552U's own command was answered with: E1 00 00 00, a length, and so many bytes."""
    if answer[:4] != b"\xe1\x00\x00\x00" or len(answer) < 5 or answer[4] != len(answer) - 5:
        return WireError(f"{answer.hex() or 'nothing'} is no answer of an ACR1552U")
    return answer[5:]


def acr1552_version_of(answer: bytes) -> Version | WireError:
    """Return what ACR1552_FIRMWARE was answered with, such as `ACR1552 R FW 1.00.00`."""
    said = escape_of(answer)
    if isinstance(said, WireError):
        return said
    text = said.decode("ascii", "replace").strip("\0 ")
    if not text.startswith("ACR1552"):
        return WireError(f"calls itself {text[:20]!r}; an ACR1552U says ACR1552 and its firmware")
    return Version("ACR1552U", text.rpartition(" ")[2])
