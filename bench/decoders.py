"""Every decoder of bytes that come from a device, with real frames of its wire and what must hold of it."""

import json
import re
import tomllib
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import msgspec

from dealerbox.ports import WireError
from dealerbox_drivers.reshuffled import wire as reshuffled
from dealerbox_drivers.rfid.ccid import wire as ccid
from dealerbox_drivers.rfid.feig import wire as feig
from dealerbox_drivers.rfid.metratec import wire as metratec
from dealerbox_drivers.rfid.pn532 import wire as pn532
from dealerbox_drivers.rfid.r321 import wire as r321
from dealerbox_drivers.shuffler import wire as shuffler

PROTOCOLS: Final = Path(__file__).parents[1] / "firmware-protocols"


class Wire(msgspec.Struct, frozen=True):
    """A decoder under test."""

    name: str
    decoder: Callable[[], Any]
    most: int
    """Most bytes that it keeps."""
    came: Callable[[Any, bytes], bool]
    """Tell whether an item came in, among these bytes, whole and with the right check."""
    frames: tuple[bytes, ...]
    """Real frames, good and bad."""


def wires() -> tuple[Wire, ...]:
    """Return all of them."""
    return (
        Wire("feig", feig.Decoder, feig.LONGEST, _feig_came, _recorded("FEIG OBID")),
        Wire("pn532", pn532.Decoder, pn532.MOST + 8, _pn532_came, _recorded("PN532 HSU")),
        Wire("metratec", metratec.Decoder, metratec.LONGEST, _metratec_came, _recorded("metraTec ASCII")),
        Wire("r321", r321.Decoder, r321.LONGEST, _r321_came, tuple(frame[1:] for frame in _recorded("AnyID R321"))),
        Wire("ccid", ccid.Decoder, ccid.HEADER + ccid.MOST_DATA, _ccid_came, _recorded("ACR122U (CCID bulk)")),
        Wire("shuffler", shuffler.Decoder, shuffler.MAX_PAYLOAD + 5, _shuffler_came, _vectors()),
        Wire("reshuffled", reshuffled.Decoder, reshuffled.LONGEST, _reshuffled_came, _printed()),
    )


def breach(wire: Wire, chunks: Iterable[bytes]) -> str:
    """Feed a decoder and return which rule it breaks, or ''.

    It raises nothing, keeps little, and what it takes for a frame came in as one with the right check.
    """
    decoder, came = wire.decoder(), b""
    for chunk in chunks:
        came += chunk
        items = decoder.feed(chunk)
        if kept(decoder) > wire.most:
            return f"keeps {kept(decoder)} bytes of at most {wire.most}"
        if said := _untrue(wire, items, came):
            return said
    if hasattr(decoder, "gap"):
        if said := _untrue(wire, decoder.gap(), came):
            return said
        if decoder.begun or kept(decoder):
            return "keeps bytes after a silence"
    return ""


def kept(decoder: Any) -> int:
    """Return how many bytes a decoder keeps."""
    return sum(len(value) for value in vars(decoder).values() if isinstance(value, bytearray | bytes))


def _untrue(wire: Wire, items: list[Any], came: bytes) -> str:
    for item in items:
        if not isinstance(item, WireError) and not wire.came(item, came):
            return f"took {item} that never came"
    return ""


def _feig_came(item: feig.Frame, came: bytes) -> bool:
    return feig.encode(item) in came or feig.encode(item, advanced=True) in came


def _pn532_came(item: pn532.Frame | pn532.Sign, came: bytes) -> bool:
    data = pn532.encode(item)[1:]
    return (data[:4] if isinstance(item, pn532.Sign) else data[:-1]) in came


def _metratec_came(item: str, came: bytes) -> bool:
    """Nothing on its wire has a check."""
    return metratec.encode(item) in came


def _r321_came(item: r321.Frame, came: bytes) -> bool:
    return r321.encode(item) in came or r321.encode(item, long=True) in came


def _ccid_came(item: ccid.Message | ccid.Notice, came: bytes) -> bool:
    """Messages have no check and notices no more than two bytes: USB itself has checked them."""
    return isinstance(item, ccid.Notice) or ccid.encode(item) in came


def _shuffler_came(item: shuffler.Frame, came: bytes) -> bool:
    """Another version may say more in a body than this one reads, under the same check."""
    for coded in came.split(b"\0"):
        content = shuffler.cobs_decode(coded) or b""
        checked = zlib.crc32(content[:-4]) == int.from_bytes(content[-4:], "little")
        if len(content) > 8 and checked and content[:4] == bytes((item.version, item.type, item.flags, item.seq)):
            return True
    return False


def _reshuffled_came(item: reshuffled.Message | reshuffled.Trouble, came: bytes) -> bool:
    """What the board prints has no check; leading zeros of a frame's are no part of it."""
    if isinstance(item, reshuffled.Trouble):
        return b"Fehler" in came or b"Error" in came
    check = zlib.crc32(item.data.encode())
    return re.search(f":{item.data}#0*{check:X}\r?\n".encode(), came) is not None


def _printed() -> tuple[bytes, ...]:
    table = tomllib.loads((PROTOCOLS / "reshuffled/vectors.toml").read_text())
    return (*(each["bytes"].encode() for each in table["frame"]), b"Fehler: 4\r\n", b"Error")


def _recorded(device: str) -> tuple[bytes, ...]:
    frames = json.loads((PROTOCOLS / "readers/frames.json").read_text())
    return tuple(bytes.fromhex(frame["hex"]) for frame in frames if frame["device"].startswith(device))


def _vectors() -> tuple[bytes, ...]:
    table = tomllib.loads((PROTOCOLS / "shuffler/v1/vectors.toml").read_text())
    return tuple(bytes.fromhex(each["bytes"]) for each in (*table["frame"], *table["edge"]))
