"""Every decoder of bytes that come from a device, with real frames of its wire and what must hold of it."""

import json
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import msgspec

from dealerbox.ports import WireError
from dealerbox_drivers.rfid.ccid import wire as ccid
from dealerbox_drivers.rfid.feig import wire as feig
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
    forms: Callable[[Any], list[bytes]]
    """Bytes as which an item may have come in, whole and with the right check; []: any."""
    frames: tuple[bytes, ...]
    """Real frames, good and bad."""


def wires() -> tuple[Wire, ...]:
    """Return all of them."""
    return (
        Wire("feig", feig.Decoder, feig.LONGEST, lambda item: [feig.encode(item), feig.encode(item, advanced=True)],
             _recorded("FEIG OBID")),
        Wire("pn532", pn532.Decoder, pn532.MOST + 8, _pn532_forms, _recorded("PN532 HSU")),
        Wire("r321", r321.Decoder, r321.LONGEST, lambda item: [r321.encode(item), r321.encode(item, long=True)],
             tuple(frame[1:] for frame in _recorded("AnyID R321"))),
        Wire("ccid", ccid.Decoder, ccid.HEADER + ccid.MOST_DATA, _ccid_forms, _recorded("ACR122U (CCID bulk)")),
        Wire("shuffler", shuffler.Decoder, shuffler.MAX_PAYLOAD + 5, lambda item: [shuffler.encode(item)[1:-1]],
             _vectors()),
    )  # fmt: skip


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
        if not isinstance(item, WireError):
            forms = wire.forms(item)
            if forms and not any(form in came for form in forms):
                return f"took {item} that never came"
    return ""


def _pn532_forms(item: Any) -> list[bytes]:
    data = pn532.encode(item)[1:]
    return [data[:4]] if isinstance(item, pn532.Sign) else [data[:-1]]


def _ccid_forms(item: Any) -> list[bytes]:
    return [ccid.encode(item)] if isinstance(item, ccid.Message) else []


def _recorded(device: str) -> tuple[bytes, ...]:
    frames = json.loads((PROTOCOLS / "readers/frames.json").read_text())
    return tuple(bytes.fromhex(frame["hex"]) for frame in frames if frame["device"].startswith(device))


def _vectors() -> tuple[bytes, ...]:
    table = tomllib.loads((PROTOCOLS / "shuffler/v1/vectors.toml").read_text())
    return tuple(bytes.fromhex(each["bytes"]) for each in (*table["frame"], *table["edge"]))
