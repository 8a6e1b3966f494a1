"""The metraTec ASCII protocol (firmware-protocols/metratec/PROTOCOL.md): answers and faults. Pure."""

import re
from typing import Final

from dealerbox.model.cards import Uid
from dealerbox.ports import WireError
from dealerbox_drivers.rfid.uid import iso15693

LONGEST: Final = 1200
"""Letters of an answer: an inventory of 64 tags, and no antenna holds so many."""
_TAG: Final = re.compile(r"[0-9A-F]{16}")
_CR: Final = 0x0D
_GOES_ON: Final = re.compile(rb"[0-9A-F]{16}|ARP \d+")
"""A tag, or the antenna it was read at: more follows."""
IDENTITY: Final = re.compile(r"([A-Za-z_]+) +\d{4}(\d{4})")


def encode(text: str) -> bytes:
    """Return the bytes of a question, or of an answer: its lines with a CR between them."""
    return f"{text}\r".encode()


class Decoder:
    """Bytes to answers. This wire has no check: what a line may hold is all that tells words from noise."""

    def __init__(self) -> None:
        self._text = bytearray()

    @property
    def begun(self) -> bool:
        """Tell whether an answer is not whole."""
        return bool(self._text)

    def feed(self, data: bytes) -> list[str | WireError]:
        """Return what is whole now: an answer ends with a line that nothing follows."""
        items: list[str | WireError] = []
        for byte in data:
            if byte != _CR and (not 0x20 <= byte < 0x7F or len(self._text) == LONGEST):
                items += self.gap()
            elif byte == _CR and not _GOES_ON.fullmatch(self._text.rsplit(b"\r", 1)[-1]) and self._text:
                items.append(self._text.decode())
                self._text.clear()
            elif byte != _CR or self._text:
                self._text.append(byte)
        return items

    def gap(self) -> list[str | WireError]:
        """Take a silence: return what it has cut off."""
        cut: list[str | WireError] = [WireError("an answer was cut off")] if self._text else []
        self._text.clear()
        return cut


def version_of(answer: bytes) -> str | WireError:
    """Return what a reader says of itself: its name and the version of its firmware."""
    found = IDENTITY.fullmatch(answer.decode())
    return f"{found[1]} {found[2]}" if found else WireError("its answer to REV is no name with versions")


def tags_of(answer: bytes) -> tuple[Uid, ...] | WireError:
    """Return the tags of an inventory; a WireError when they are not as many as it says, or one is no tag."""
    *lines, end = answer.decode().split("\r")
    uids = []
    for line in lines:
        if line.startswith("ARP "):
            continue
        uid = iso15693(bytes.fromhex(line)) if _TAG.fullmatch(line) else WireError("a line that is no tag")
        if isinstance(uid, WireError):
            return uid
        uids.append(uid)
    return tuple(uids) if end == f"IVF {len(uids):02}" else WireError(f"{len(uids)} tags, and it says {end}")
