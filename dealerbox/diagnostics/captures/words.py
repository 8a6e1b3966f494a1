"""What the frames of each wire say, in the words of their codecs."""

from collections.abc import Callable
from enum import IntEnum
from typing import Any, Final

import msgspec

from dealerbox.model.cards import Uid
from dealerbox.ports import WireError
from dealerbox_drivers.reshuffled import wire as reshuffled
from dealerbox_drivers.rfid.ccid import apdu
from dealerbox_drivers.rfid.ccid import wire as ccid
from dealerbox_drivers.rfid.feig import wire as feig
from dealerbox_drivers.rfid.metratec import wire as metratec
from dealerbox_drivers.rfid.pn532 import chip
from dealerbox_drivers.rfid.pn532 import wire as pn532
from dealerbox_drivers.rfid.r321 import wire as r321
from dealerbox_drivers.shuffler import messages
from dealerbox_drivers.shuffler import wire as shuffler

Words = Callable[[Any, bool, Any], str]
"""Says a frame: the frame, whether it comes from the device, the device's settings."""


def _name(kind: type[IntEnum], number: int) -> str:
    try:
        return kind(number).name.lower().replace("_", " ")
    except ValueError:
        return f"{number:02X}"


def _tags(items: list[Uid | WireError]) -> str:
    said = ", ".join(map(str, items))
    return f"{len(items)} tag{'s' if len(items) > 1 else ''}: {said}" if items else "no tag"


def _feig(frame: feig.Frame, answer: bool, _: Any) -> str:
    name, payload = _name(feig.Command, frame.command), frame.payload
    if frame.command == feig.Command.ISO_HOST:
        name = "inventory" if payload[:1] == b"\x01" or answer else name
        name += ", more" if not answer and payload[1:2] == b"\x80" else ""
    if not answer:
        return f"{name} {payload.hex()}".rstrip() if frame.command != feig.Command.ISO_HOST else name
    if not payload:
        return f"{name}: an answer without status"
    status = _name(feig.Status, payload[0])
    if frame.command == feig.Command.ISO_HOST and payload[0] in (feig.Status.OK, feig.Status.MORE_DATA):
        return f"{name}: {status}, {_tags(feig.tags_of(payload))}"
    if frame.command == feig.Command.SOFTWARE_VERSION:
        return f"{name}: {_version(feig.version_of(payload))}"
    return f"{name}: {status} {payload[1:].hex()}".rstrip()


def _version(said: Any) -> str:
    if isinstance(said, msgspec.Struct):
        return ", ".join(f"{field} {_number(field, getattr(said, field))}" for field in said.__struct_fields__)
    return str(said)


def _metratec(item: str, _: bool, __: Any) -> str:
    *tags, end = item.split("\r")
    return f"{end}: {_tags([Uid(tag) for tag in tags])}" if tags or end.startswith("IVF") else end


def _pn532(item: pn532.Frame | pn532.Sign, _: bool, __: Any) -> str:
    if isinstance(item, pn532.Sign):
        return item.name
    return _chip(item.payload, item.sender == pn532.CHIP) if item.payload else "error: the chip does not understand"


def _chip(payload: bytes, answer: bool) -> str:
    """Return what a PN532's command, or its answer, says."""
    name = _name(chip.Command, payload[0] - answer)
    if answer and payload[0] - 1 == chip.Command.LIST_PASSIVE_TARGET:
        return f"{name}: {_tags(chip.targets_of(payload))}"
    if answer and payload[0] - 1 == chip.Command.FIRMWARE_VERSION:
        return f"{name}: {_version(chip.version_of(payload))}"
    return f"{name}{':' if answer else ''} {payload[1:].hex() or 'done'}" if answer or payload[1:] else name


def _r321(frame: r321.Frame, _: bool, __: Any) -> str:
    name = _name(r321.Command, frame.command)
    if not frame.is_reply:
        return f"{name} {frame.params.hex()}".rstrip()
    if frame.command == r321.Command.INVENTORY:
        listed = r321.tags_of(frame.params)
        if isinstance(listed, WireError):
            return f"{name}: {listed}"
        return f"{name}: {_tags(list(listed.tags))}" + (f", {listed.remaining} remain" if listed.remaining else "")
    if frame.command == r321.Command.VERSION:
        return f"{name}: {_version(r321.version_of(frame.params))}"
    return f"{name}: {frame.params.hex() or 'done'}"


def _ccid(item: ccid.Message | ccid.Notice, answer: bool, settings: Any) -> str:
    if isinstance(item, ccid.Notice):
        there = "a card is there" if item.present else "no card is there"
        return f"notice: hardware error {item.fault:02X}" if item.fault else f"notice: {there}"
    if not answer:
        name = _name(ccid.Ask, item.kind)
        return f"{name} {item.seq}: {_apdu(item.data)}" if item.data else f"{name} {item.seq}"
    said = ccid.answer_of(item)
    outcome = _name(ccid.Outcome, said.outcome)
    head = f"{_name(ccid.Say, item.kind)} {item.seq}: {outcome}, card {_name(ccid.Card, said.card)}"
    head += f", error {said.error:02X}" if said.outcome == ccid.Outcome.FAILED else ""
    if not item.data:
        return head
    if item.data[:1] == b"\xd5" and len(item.data) > 3:
        return f"{head}: {_chip(item.data[1:-2], True)}"
    if len(item.data) in (6, 9, 10, 12) and item.data[-2:] == b"\x90\x00":
        return f"{head}: uid {apdu.uid_of(item.data, last_first=getattr(settings, 'last_first', False))}"
    text = item.data.strip(b"\0")
    return f"{head}: {text.decode('ascii') if text.isalnum() and text.isascii() else item.data.hex()}"


_APDUS: Final = {
    apdu.GET_UID: "get uid",
    apdu.ACR122_FIRMWARE: "firmware?",
    apdu.ACR122_NO_POLLING: "no polling of its own",
    apdu.ACR1552_FIRMWARE: "firmware?",
    apdu.ACR1552_TAGS: "look for ISO14443A and ISO15693",
    apdu.ACR1552_DARK: "field off",
    apdu.ACR1552_LIT: "field on",
}


def _apdu(data: bytes) -> str:
    if data[:4] == b"\xff\x00\x00\x00" and len(data) > 6:
        return _chip(data[6:], False)
    return _APDUS.get(data, data.hex())


def _shuffler(frame: shuffler.Frame, _: bool, __: Any) -> str:
    kind = frame.type & ~messages.ANSWER if frame.type not in messages.Type.__members__.values() else frame.type
    name = _name(messages.Type, kind).upper()
    body = ", ".join(
        f"{field} {_number(field, getattr(frame.body, field))}"
        for field in frame.body.__struct_fields__
        if not field.startswith("spare")
    )
    answer = " answered" if isinstance(frame.body, messages.Status) else ""
    return f"{name}{answer} seq {frame.seq} session {frame.session}" + (f": {body}" if body else "")


_NUMBERS: Final[dict[str, type[IntEnum]]] = {
    "code": messages.Code,
    "cmd_result": messages.Code,
    "state": messages.DeviceState,
    "cmd_state": messages.CommandState,
    "kind": messages.EventKind,
    "reset_cause": messages.ResetCause,
    "nvm": messages.NvmHealth,
}


_DIGITS: Final = {"vendor": 4, "model": 4, "serial": 1, "firmware": 8, "reader_type": 2, "hardware": 2}
"""Who a device says that it is stands in hexadecimal, as `diag list` and the tests have it."""


def _number(field: str, value: Any) -> str:
    if field in _NUMBERS:
        return _name(_NUMBERS[field], value)
    if field in _DIGITS and isinstance(value, int):
        return f"{value:0{_DIGITS[field]}X}"
    if field in ("locks", "sensors", "caps"):
        return "+".join(bit.name.lower() for bit in type(value) if bit in value and bit.name) or "none"
    return str(value)


def _reshuffled(item: reshuffled.Message | reshuffled.Trouble, _: bool, __: Any) -> str:
    return item.data if isinstance(item, reshuffled.Message) else f"the board prints a fault, code {item.code}"


CODECS: Final[dict[str, Callable[[], tuple[Any, Words]]]] = {
    "feig": lambda: (feig.Decoder(), _feig),
    "metratec": lambda: (metratec.Decoder(), _metratec),
    "pn532": lambda: (pn532.Decoder(), _pn532),
    "r321": lambda: (r321.Decoder(), _r321),
    "acr122u": lambda: (ccid.Decoder(), _ccid),
    "acr1552u": lambda: (ccid.Decoder(), _ccid),
    "shuffler-v1": lambda: (shuffler.Decoder(), _shuffler),
    "reshuffled": lambda: (reshuffled.Decoder(), _reshuffled),
}
"""Driver -> a new decoder of either direction, and what says its frames."""
