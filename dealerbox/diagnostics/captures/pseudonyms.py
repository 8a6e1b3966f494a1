"""Other numbers in place of tags', new for each capture: the same tag is the same number within it, and no longer."""

import re
import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final

_ISO15693: Final = 0xE0
_MADE_UP: Final = (0x08, 0x88)
"""First bytes of what is no ISO14443A uid: `dealerbox_drivers.rfid.uid` tells these faults by them."""
_UNISSUED: Final = b"\xff"
"""A maker's code that ISO/IEC 7816-6 gives nobody: whoever sees a pseudonym sees that it is one."""
SHORTEST: Final = 4
"""Bytes of the shortest uid."""
UID: Final = re.compile("[0-9A-F]{8}|[0-9A-F]{14}|[0-9A-F]{16}|[0-9A-F]{20}")


class Pseudonyms:
    """Gives each number of a tag another of the same length and kind, by chance alone."""

    def __init__(self, draw: Callable[[int], bytes] = secrets.token_bytes) -> None:
        """`draw(n)` returns n bytes by chance."""
        self._draw = draw
        self._given: dict[bytes, bytes] = {}
        self._taken: set[bytes] = set()

    def of(self, uid: bytes, *, last_first: bool = False) -> bytes:
        """Return the pseudonym of a uid as it stands on the wire; `last_first`: least significant byte first.

        One whose bytes are turned round keeps that fault, and so does one that is made up or half of one.
        """
        turned = len(uid) == 8 and (last_first or uid[0] != _ISO15693 == uid[-1])
        given = self._of(uid[::-1] if turned else uid)
        return given[::-1] if turned else given

    def text(self, uid: str) -> str:
        """Return the pseudonym of a uid in upper-case hex."""
        return self.of(bytes.fromhex(uid)).hex().upper()

    def replaced(self, value: Any) -> Any:
        """Return built-in values with a pseudonym in place of each text that a uid may be."""
        if isinstance(value, str) and UID.fullmatch(value):
            return self.text(value)
        if isinstance(value, Mapping):
            return {key: self.replaced(each) for key, each in value.items()}
        return [self.replaced(each) for each in value] if isinstance(value, list | tuple) else value

    def _of(self, uid: bytes) -> bytes:
        known = self._given.get(uid)
        if known is not None:
            return known
        if len(uid) < SHORTEST:
            return _UNISSUED * len(uid)
        head = _head(uid)
        given = head + self._draw(len(uid) - len(head))
        while given in self._taken:
            given = head + self._draw(len(uid) - len(head))
        self._given[uid] = given
        self._taken.add(given)
        return given


def is_pseudonym(uid: str) -> bool:
    """Tell whether a uid in hex, most significant byte first, can be a pseudonym: no maker gives such."""
    return uid.upper().startswith(("E0FF", "FF"))


def _head(uid: bytes) -> bytes:
    if len(uid) == 8:
        return bytes((_ISO15693,)) + _UNISSUED if uid[0] == _ISO15693 else _UNISSUED
    return uid[:1] if len(uid) == 4 and uid[0] in _MADE_UP else _UNISSUED[: len(uid)]
