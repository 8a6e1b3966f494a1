"""What of a wire's frames is kept in a capture, family by family: what is known to name no tag, and nothing else.

Kept as it is: frames whose answers the pages give no place for a tag. Of an answer that lists tags the numbers are
exchanged, and what else may tell one card from another (DSFID, ATS) is zero. Any other answer keeps its length.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from msgspec.structs import replace

from dealerbox.diagnostics.captures.pseudonyms import SHORTEST, Pseudonyms
from dealerbox_drivers.rfid.ccid import apdu
from dealerbox_drivers.rfid.ccid import wire as ccid
from dealerbox_drivers.rfid.feig import wire as feig
from dealerbox_drivers.rfid.metratec import wire as metratec
from dealerbox_drivers.rfid.pn532 import chip
from dealerbox_drivers.rfid.pn532 import wire as pn532
from dealerbox_drivers.rfid.r321 import wire as r321

Form = Callable[[Any], bytes]


class Family(Protocol):
    """What a family's answers are made of."""

    filler: int
    """Stands for each byte that makes no frame: a byte that begins none."""
    idle: bytes
    """Bytes that may stand between frames and mean nothing."""

    def forms(self, item: Any) -> Sequence[Form]:
        """Return the ways in which this item may stand on the wire."""

    def asked(self, data: bytes) -> None:
        """Take what the driver writes."""

    def masked(self, item: Any) -> Any:
        """Return the item as it is kept, as long as it was."""

    def decoder(self) -> Any:
        """Return a new decoder of the answers."""


class Feig:
    """FEIG: an inventory's data sets."""

    filler, idle = 0x00, b""
    _PLAIN: Final = frozenset(feig.Command) - {feig.Command.ISO_HOST}

    def __init__(self, pseudonyms: Pseudonyms) -> None:
        self._pseudonyms = pseudonyms

    def decoder(self) -> feig.Decoder:
        return feig.Decoder()

    def forms(self, item: feig.Frame) -> Sequence[Form]:
        return (feig.encode, lambda frame: feig.encode(frame, advanced=True))

    def asked(self, data: bytes) -> None:
        """An answer says itself what it answers."""

    def masked(self, item: feig.Frame) -> feig.Frame:
        if item.command in self._PLAIN:
            return item
        payload = item.payload
        if item.command != feig.Command.ISO_HOST or payload[:1] not in (b"\x00", b"\x94"):
            return replace(item, payload=payload[:1] + bytes(len(payload[1:])))
        return replace(item, payload=payload[:2] + self._data_sets(payload[2:]))

    def _data_sets(self, data: bytes) -> bytes:
        kept, at = b"", 0
        while at < len(data):
            kind = data[at]
            if kind == feig.ISO15693 and len(data) - at >= 10:
                kept += bytes((kind, 0)) + self._pseudonyms.of(data[at + 2 : at + 10])
                at += 10
            elif kind == feig.ISO14443A and len(data) - at >= 3 + (size := _size_of_14443a(data[at:])):
                kept += bytes((kind, data[at + 1] & feig.TEN_BYTES, 0))
                kept += self._pseudonyms.of(data[at + 3 : at + 3 + size])
                at += 3 + size
            else:
                kept += b"\xff" * (len(data) - at)
                break
        return kept


def _size_of_14443a(data: bytes) -> int:
    return 10 if len(data) > 1 and data[1] & feig.TEN_BYTES else 7


class Pn532:
    """PN532: a list of targets."""

    filler, idle = 0x55, b"\x00"

    def __init__(self, pseudonyms: Pseudonyms) -> None:
        self._pseudonyms = pseudonyms

    def decoder(self) -> pn532.Decoder:
        return pn532.Decoder()

    def forms(self, item: pn532.Frame | pn532.Sign) -> Sequence[Form]:
        return (lambda each: pn532.encode(each)[1:-1], _extended)

    def asked(self, data: bytes) -> None:
        """An answer says itself what it answers."""

    def masked(self, item: pn532.Frame | pn532.Sign) -> pn532.Frame | pn532.Sign:
        if isinstance(item, pn532.Sign):
            return item
        return replace(item, payload=chip_answer(item.payload, self._pseudonyms))


def _extended(item: pn532.Frame | pn532.Sign) -> bytes:
    if isinstance(item, pn532.Sign):
        return item.value[1:-1]
    data = bytes((item.sender,)) + item.payload
    length = len(data).to_bytes(2, "big")
    return b"\x00\xff\xff\xff" + length + bytes((-sum(length) & 0xFF,)) + data + bytes((-sum(data) & 0xFF,))


_CHIP_ANSWERS: Final = frozenset(command + 1 for command in chip.Command) - {chip.Command.LIST_PASSIVE_TARGET + 1}


def chip_answer(payload: bytes, pseudonyms: Pseudonyms) -> bytes:
    """Return a PN532's answer, its code first, as it is kept."""
    if not payload or payload[0] in _CHIP_ANSWERS:
        return payload
    if payload[0] != chip.Command.LIST_PASSIVE_TARGET + 1:
        return payload[:1] + bytes(len(payload) - 1)
    kept, at = payload[:2], 2
    while at < len(payload):
        head = payload[at : at + 5]
        if len(head) < 5 or len(payload) < at + 5 + head[4]:
            return kept + b"\xff" * (len(payload) - at)
        kept += head + pseudonyms.of(payload[at + 5 : at + 5 + head[4]])
        at += 5 + head[4]
        if head[3] & 0x20 and at < len(payload):
            history = payload[at : at + payload[at]]
            kept += history[:1] + bytes(len(history) - 1) if history else b""
            at += len(history) or len(payload)
    return kept.ljust(len(payload), b"\xff")


class R321:
    """R321: an inventory, nine bytes a tag."""

    filler, idle = 0x55, b""
    _PLAIN: Final = frozenset(r321.Command) - {r321.Command.INVENTORY, r321.Command.TAG_CAME}

    def __init__(self, pseudonyms: Pseudonyms) -> None:
        self._pseudonyms = pseudonyms

    def decoder(self) -> r321.Decoder:
        return r321.Decoder()

    def forms(self, item: r321.Frame) -> Sequence[Form]:
        return (r321.encode, lambda frame: r321.encode(frame, long=True))

    def asked(self, data: bytes) -> None:
        """An answer says itself what it answers."""

    def masked(self, item: r321.Frame) -> r321.Frame:
        params = item.params
        if item.is_reply and item.command in self._PLAIN:
            return item
        if not item.is_reply or item.command != r321.Command.INVENTORY or len(params) % 9 != 2:
            return replace(item, params=bytes(len(params)))
        tags = [
            self._pseudonyms.of(params[at : at + 8], last_first=True) + params[at + 8 : at + 9]
            for at in range(0, len(params) - 2, 9)
        ]
        return replace(item, params=b"".join(tags) + params[-2:])


class Metratec:
    """metraTec: lines of sixteen digits."""

    filler, idle = 0x00, b""
    _TAG: Final = re.compile("[0-9A-F]{16}")
    _PLAIN: Final = re.compile(rf"OK!|(?![A-F]{{3}})[A-Z]{{3}}( \d\d?)?|{metratec.IDENTITY.pattern}")

    def __init__(self, pseudonyms: Pseudonyms) -> None:
        self._pseudonyms = pseudonyms

    def decoder(self) -> metratec.Decoder:
        return metratec.Decoder()

    def forms(self, item: str) -> Sequence[Form]:
        return (metratec.encode,)

    def asked(self, data: bytes) -> None:
        """What an answer lists is known by its form."""

    def masked(self, item: str) -> str:
        return "\r".join(map(self._line, item.split("\r")))

    def _line(self, line: str) -> str:
        if self._TAG.fullmatch(line):
            return self._pseudonyms.of(bytes.fromhex(line)).hex().upper()
        return line if self._PLAIN.fullmatch(line) else "?" * len(line)


class Ccid:
    """CCID: what an answer holds is known by the question of its number."""

    filler, idle = 0x00, b""
    _PLAIN: Final = frozenset(
        {
            apdu.ACR122_FIRMWARE,
            apdu.ACR122_NO_POLLING,
            apdu.ACR1552_FIRMWARE,
            apdu.ACR1552_TAGS,
            apdu.ACR1552_DARK,
            apdu.ACR1552_LIT,
        }
    )

    def __init__(self, pseudonyms: Pseudonyms, *, last_first: bool = False) -> None:
        self._pseudonyms, self._last_first = pseudonyms, last_first
        self._questions: dict[int, bytes] = {}
        self._host = ccid.Decoder()

    def decoder(self) -> ccid.Decoder:
        return ccid.Decoder()

    def forms(self, item: ccid.Message | ccid.Notice) -> Sequence[Form]:
        return (_as_it_was if isinstance(item, ccid.Notice) else ccid.encode,)

    def asked(self, data: bytes) -> None:
        for item in self._host.feed(data):
            if isinstance(item, ccid.Message):
                asks = item.kind in (ccid.Ask.TRANSFER, ccid.Ask.ESCAPE)
                self._questions[item.seq] = item.data if asks else b""

    def masked(self, item: ccid.Message | ccid.Notice) -> ccid.Message | ccid.Notice:
        if isinstance(item, ccid.Notice) or not item.data:
            return item
        return replace(item, data=self._data(self._questions.get(item.seq, b""), item.data))

    def _data(self, question: bytes, data: bytes) -> bytes:
        if question in self._PLAIN and (len(data) < SHORTEST or data.startswith((b"ACR1", b"\xe1\0\0\0"))):
            return data
        word = data[-2:]  # a status word names nothing
        if question == apdu.GET_UID and len(data) > 2:
            return self._pseudonyms.of(data[:-2], last_first=self._last_first and len(data) == 10) + word
        if question[:4] == b"\xff\x00\x00\x00" and data[:1] == b"\xd5":
            return data[:1] + chip_answer(data[1:-2], self._pseudonyms) + word
        return bytes(max(0, len(data) - 2)) + word if question else bytes(len(data))


def _as_it_was(notice: ccid.Notice) -> bytes:
    """Return a notice of one slot as readers send it."""
    if notice.fault:
        return bytes((ccid.HARDWARE_ERROR, 0, 0, notice.fault))
    return bytes((ccid.SLOT_CHANGE, notice.present | notice.changed << 1))


def family_of(driver: str, pseudonyms: Pseudonyms, settings: Any) -> Family | None:
    """Return what is kept of a reader's wire; None for a driver whose wire has no place for a tag.

    KeyError for a driver that is not known here: nothing is kept of what nobody has looked at.
    """
    if driver in ("shuffler-v1", "reshuffled"):
        return None
    if driver in ("acr122u", "acr1552u"):
        return Ccid(pseudonyms, last_first=getattr(settings, "last_first", False))
    kinds: dict[str, Callable[[Pseudonyms], Family]] = {
        "feig": Feig,
        "metratec": Metratec,
        "pn532": Pn532,
        "r321": R321,
    }
    return kinds[driver](pseudonyms)
