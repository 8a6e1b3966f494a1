"""Canonical uids: upper-case hex, most significant byte first, whatever the reader's own order.

ISO15693: 8 bytes, the first E0 (ISO/IEC 15693-3, 4.1). ISO14443A: 4, 7 or 10 bytes in cascade order,
without the cascade tag 88; a 4-byte one that begins with 08 is made up anew at each activation.
No fault names the uid: what is told of a reader is read where no card may be known (P4).
"""

from dealerbox.model.cards import Uid
from dealerbox.ports import WireError


def iso15693(raw: bytes) -> Uid | WireError:
    """Return the uid of 8 bytes, most significant first; a WireError that names a wrong byte order."""
    text = raw.hex().upper()
    if len(raw) == 8 and raw[0] == 0xE0:
        return Uid(text)
    if len(raw) != 8:
        return WireError(f"ISO15693 uid: {len(raw)} bytes, must be 8")
    if raw[-1] == 0xE0:
        return WireError("ISO15693 uid: byte order reversed, it ends in E0: not as this reader's page has it")
    return WireError("ISO15693 uid: does not begin with E0")


def iso14443a(raw: bytes) -> Uid | WireError:
    """Return the uid of 4, 7 or 10 bytes; a WireError for a random one, or one with the cascade tag left in."""
    text = raw.hex().upper()
    if len(raw) not in (4, 7, 10):
        return WireError(f"ISO14443A uid: {len(raw)} bytes, must be 4, 7 or 10")
    if len(raw) == 4 and raw[0] == 0x08:
        return WireError("ISO14443A uid: random, made up at each reading (a phone?): no card")
    if len(raw) == 4 and raw[0] == 0x88:
        return WireError("ISO14443A uid: begins with the cascade tag 88: the reader sent half of it")
    return Uid(text)
