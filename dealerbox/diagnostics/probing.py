"""What is on a port? The known families are asked one after another, each with a question that changes nothing.

The order: what is asked at the speed at which most devices speak comes first, so that the port is opened seldom (its
opening may start a board anew); and the shuffler before all others, so that it hears nothing before its own question.
Text comes last at each speed: to a metraTec reader it is a question, to the ReShuffled board no command. No question
lights a field, opens a session or moves a motor: `shuffler.inquiry`, `reshuffled.inquiry` and `rfid.reader` say why.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncGenerator, Callable
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import msgspec

from dealerbox.diagnostics.plugged import driver_of_model
from dealerbox.ports import Device, DeviceGone, DeviceWrong, Line, OpenLine
from dealerbox.station.loop import boottime_ns
from dealerbox_drivers.line import open_serial
from dealerbox_drivers.registry import DRIVERS
from dealerbox_drivers.reshuffled import inquiry as reshuffled
from dealerbox_drivers.reshuffled.wire import Decoder
from dealerbox_drivers.rfid.reader import Reader
from dealerbox_drivers.shuffler import inquiry as shuffler
from dealerbox_drivers.usb.line import open_usb
from dealerbox_drivers.usb.names import SYSFS, usb_name

SETTLE_S: Final = 0.3
"""After a port was opened: what was under way comes in."""
STARTING_S: Final = 1.5
"""A board that the opening has started anew takes so long, at most two seconds with what was asked before."""
TRIES: Final = 2
LONGEST_HEARD: Final = 4096


class Attempt(msgspec.Struct, frozen=True):
    """One family at one speed."""

    driver: str
    baud: int
    parity: str = "N"


ATTEMPTS: Final = (
    Attempt("shuffler-v1", 115_200),
    Attempt("r321", 115_200),
    Attempt("pn532", 115_200),
    Attempt("metratec", 115_200),
    Attempt("reshuffled", 115_200),
    Attempt("feig", 38_400, "E"),
    Attempt("feig", 9_600, "E"),
    Attempt("feig", 19_200, "E"),
    Attempt("feig", 57_600, "E"),
    Attempt("feig", 115_200, "E"),
    Attempt("feig", 38_400),
    Attempt("r321", 38_400),
    Attempt("reshuffled", 38_400),
    Attempt("r321", 9_600),
    Attempt("reshuffled", 9_600),
    Attempt("reshuffled", 19_200),
    Attempt("reshuffled", 57_600),
)


class Tried(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one attempt."""

    driver: str
    baud: int = 0
    """0: on USB there is none."""
    parity: str = "N"
    answers: bool
    identity: str = ""
    firmware: str = ""
    heard: int = 0
    """Bytes that came in, whatever they were."""


class Kept:
    """A line that stays open when one who asks closes it, and remembers what came in (satisfies `Line`)."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self.heard: deque[int] = deque(maxlen=LONGEST_HEARD)
        self.count = 0

    async def read(self) -> bytes:
        data = await self._line.read()
        self.heard.extend(data)
        self.count += len(data)
        return data

    def write(self, data: bytes) -> None:
        self._line.write(data)

    def close(self) -> None:
        """Leave it open for the next."""


Opens = Callable[[str, int, str], OpenLine]
"""From port, baud and parity to what opens it."""


async def probed(port: str, opens: Opens = open_serial) -> AsyncGenerator[Tried, None]:
    """Yield what came of each attempt at a serial port, until one is answered. DeviceGone when it cannot be had."""
    for (baud, parity), attempts in groupby(ATTEMPTS, key=lambda one: (one.baud, one.parity)):
        line = await opens(port, baud, parity)()
        try:
            async for tried in _over(Kept(line), [one.driver for one in attempts], port):
                yield msgspec.structs.replace(tried, baud=baud, parity=parity)
                if tried.answers:
                    return
        finally:
            line.close()


async def probed_usb(
    port: str, sysfs: Path = SYSFS, opens: Callable[[str, Any], OpenLine] = open_usb
) -> AsyncGenerator[Tried, None]:
    """Yield what answers at a USB device, asked by the driver that knows its model.

    DeviceGone when it is not there or cannot be had, DeviceWrong when no driver knows its model.
    """
    vendor, product = _model(port, sysfs)
    driver = driver_of_model().get((vendor, product))
    if driver is None:
        known = ", ".join(f"{one:04x}:{other:04x}" for one, other in driver_of_model())
        raise DeviceWrong(f"{port}: {vendor:04x}:{product:04x} is no device that a driver knows; they know {known}")
    settings: Any = DRIVERS[driver].settings
    line = await opens(port, settings.usb)()
    try:
        yield await _tried(driver, Kept(line), port)
    finally:
        line.close()


async def _over(kept: Kept, drivers: list[str], port: str) -> AsyncGenerator[Tried, None]:
    """Ask each at once, and each again when a board has had time to start."""
    await _listen(kept, SETTLE_S)
    for pause_s in (0.0, STARTING_S):
        await _listen(kept, pause_s)
        for driver in drivers:
            tried = await _tried(driver, kept, port)
            if tried.answers or pause_s:
                yield tried
            if tried.answers:
                return


async def _tried(driver: str, kept: Kept, port: str) -> Tried:
    identity = firmware = ""
    kept.heard.clear()
    before = kept.count
    match driver:
        case "shuffler-v1":
            known = await shuffler.inquired(kept, TRIES)
            answers = known is not None
            identity, firmware = (known.identity, known.firmware) if known else ("", "")
        case "reshuffled":
            answers = await reshuffled.inquired(kept, TRIES)
        case _:
            reader = _reader(driver, kept, port)
            answers = await _introduced(reader)
            identity, firmware = reader.traffic.identity, reader.traffic.firmware
    if not answers and reshuffled.is_board(Decoder(), bytes(kept.heard)):  # it complains of whatever is no frame
        answers = await reshuffled.inquired(kept, TRIES)
        driver = "reshuffled" if answers else driver
    if driver == "reshuffled" and answers:
        identity = "ReShuffled board"
    heard = kept.count - before
    return Tried(driver=driver, answers=answers, identity=identity, firmware=firmware, heard=heard)


async def _introduced(reader: Reader[Any, Any, Any]) -> bool:
    try:
        return await reader.introduce(TRIES)
    except DeviceGone:  # so many questions without an answer; a line that is gone is told by the next read
        return False


def _reader(driver: str, kept: Kept, port: str) -> Reader[Any, Any, Any]:
    """Return a reader of that family on this line."""

    async def opened() -> Line:
        return kept

    settings = DRIVERS[driver].settings
    antenna: dict[str, Any] = {"zones": {0: "board"}} if hasattr(settings, "last") else {"zone": "board"}
    made: Device = DRIVERS[driver].load()(port, opened, boottime_ns, settings(port=port, **antenna))
    if not isinstance(made, Reader):
        raise TypeError(f"{driver} is no reader")
    return made


async def _listen(kept: Kept, for_s: float) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(for_s):
            while True:
                await kept.read()


def _model(port: str, sysfs: Path) -> tuple[int, int]:
    name = usb_name(port)
    if not name.socket:
        return name.vendor, name.product
    try:
        vendor, product = (int((sysfs / name.socket / key).read_text("ascii"), 16) for key in ("idVendor", "idProduct"))
    except (OSError, ValueError) as error:
        raise DeviceGone(f"{port}: there is no such device: plug it in, or look with `dealerbox diag list`") from error
    return vendor, product
