"""What a capture's frames say, one after another, in the words of their codecs."""

from collections.abc import Iterator
from typing import Any

import msgspec

from dealerbox.diagnostics.captures.driven import settings_of, wired
from dealerbox.diagnostics.captures.file import Capture, CaptureError
from dealerbox.diagnostics.captures.taking import GAP_US
from dealerbox.diagnostics.captures.words import CODECS
from dealerbox.ports import WireError
from dealerbox_drivers.rfid.pn532.wire import WAKE_UP
from dealerbox_drivers.rfid.r321.reports import REPORT, carried


class Explained(msgspec.Struct, frozen=True, omit_defaults=True):
    """One frame, or one thing that happened to the line."""

    us: int
    way: str
    """`>` to the device, `<` from it, `!` what is no frame, `=` what the driver told, `-` the line."""
    says: str
    bytes: str = ""
    """Of the reading that completed it, in hex."""


def explained(capture: Capture) -> Iterator[Explained]:
    """Yield what each frame says. CaptureError for a driver without a wire."""
    driver = wired(capture.header.driver)
    try:
        settings = settings_of(driver, capture.header.settings)
    except msgspec.ValidationError as error:
        raise CaptureError(f"{capture.name}: line 1: settings: {error}; take the capture anew") from error
    ways = {way: _Way(driver.name, way, settings) for way in "><"}
    for entry in capture.entries:
        if entry.open:
            yield Explained(entry.us, "-", "the line is opened")
        elif entry.gone:
            yield Explained(entry.us, "-", entry.gone)
        elif entry.told is not None:
            yield Explained(entry.us, "=", _told(entry.told))
        else:
            way = ">" if entry.out else "<"
            data = bytes.fromhex(entry.out or entry.came)
            if entry.spoilt:
                yield Explained(entry.us, "!", f"{entry.spoilt} bytes made no frame and were not kept")
            if entry.out == WAKE_UP.hex():
                yield Explained(entry.us, way, "wake-up", entry.out)
                continue
            for item in ways[way].take(entry.us, data):
                if not (entry.spoilt and isinstance(item, WireError)):
                    is_fault = isinstance(item, WireError)
                    says = str(item) if is_fault else ways[way].words(item)
                    yield Explained(entry.us, "!" if is_fault else way, says, data.hex())


def _told(event: dict[str, Any]) -> str:
    said = ", ".join(
        f"{key} {_value(value)}" for key, value in event.items() if key != "event" and value not in ("", [])
    )
    return f"told {event.get('event', 'an event')}: {said}" if said else f"told {event.get('event', 'an event')}"


def _value(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


class _Way:
    """Frames of one direction."""

    def __init__(self, driver: str, way: str, settings: Any) -> None:
        self._decoder, words = CODECS[driver]()
        self._words = words
        self._way, self._settings = way, settings
        self._in_reports = getattr(settings, "in_reports", False)
        self._last_us = 0

    def take(self, at_us: int, data: bytes) -> list[Any]:
        """Return what a reading completes."""
        found: list[Any] = []
        if getattr(self._decoder, "begun", False) and at_us - self._last_us > GAP_US and hasattr(self._decoder, "gap"):
            found += self._decoder.gap()
        self._last_us = at_us
        if self._in_reports:
            parts = [carried(data[at : at + REPORT]) for at in range(0, len(data), REPORT)]
            found += [part for part in parts if isinstance(part, WireError)]
            data = b"".join(part for part in parts if not isinstance(part, WireError))
        return found + list(self._decoder.feed(data))

    def words(self, item: Any) -> str:
        """Return what a frame says."""
        return self._words(item, self._way == "<", self._settings)
