"""Each device with a wire, captured over its twin in virtual time."""

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from dealerbox.config.values import DeviceConfig
from dealerbox.diagnostics.captures.file import Capture, of_lines
from dealerbox.diagnostics.captures.taking import Taken, take, tape_of
from dealerbox.station.virtual import virtual_clock, virtual_run
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.memory_line import Lossy, memory_pair
from dealerbox_drivers.registry import DRIVERS
from dealerbox_drivers.reshuffled.twin import ReshuffledTwin
from dealerbox_drivers.rfid.ccid.twin import Acr122Twin, Acr1552Twin
from dealerbox_drivers.rfid.feig.twin import FeigTwin
from dealerbox_drivers.rfid.metratec.twin import MetratecTwin
from dealerbox_drivers.rfid.pn532.twin import Pn532Twin
from dealerbox_drivers.rfid.r321.reports import Reports
from dealerbox_drivers.rfid.r321.twin import R321Twin
from dealerbox_drivers.shuffler.twin import ShufflerTwin

ICODE = tuple(f"E0040150A05F{number:04X}" for number in range(1, 53))
ULTRALIGHT = tuple(f"04A1B2C3D4{number:04X}" for number in range(1, 53))


class Kind(NamedTuple):
    """A reader and its twin."""

    driver: str
    twin: Callable[..., Any]
    cards: tuple[str, ...]
    settings: dict[str, Any]
    carried: Callable[[Any], Any] = lambda line: line


def machine(line: Any, felt: Felt, _: Any) -> ShufflerTwin:
    """A shuffler over the same felt."""
    return ShufflerTwin(line, felt, Random(2))


def board(line: Any, felt: Felt, _: Any) -> ReshuffledTwin:
    """One that says little."""
    return ReshuffledTwin(line, felt, Random(2))


SEAT: dict[str, Any] = {"zone": "seat:2"}
SEATS: dict[str, Any] = {"zones": {"1": "seat:1", "2": "seat:2"}}
KINDS = {
    "feig": Kind("feig", FeigTwin, ICODE, SEATS | {"port": "/dev/ttyUSB0"}),
    "feig 14443a": Kind("feig", FeigTwin, ULTRALIGHT, SEATS | {"port": "/dev/ttyUSB0"}),
    "metratec": Kind("metratec", MetratecTwin, ICODE, SEAT | {"port": "/dev/ttyUSB0"}),
    "pn532": Kind("pn532", Pn532Twin, ULTRALIGHT, SEAT | {"port": "/dev/ttyUSB0"}),
    "r321": Kind("r321", R321Twin, ICODE, SEATS | {"port": "/dev/ttyUSB0"}),
    "r321 in reports": Kind("r321", R321Twin, ICODE, SEATS | {"port": "usb:1-1"}, Reports),
    "acr122u": Kind("acr122u", Acr122Twin, ULTRALIGHT, SEAT | {"port": "usb:1-1"}),
    "acr1552u": Kind("acr1552u", Acr1552Twin, ICODE, SEAT | {"port": "usb:1-1"}),
}
MACHINES = {
    "shuffler-v1": Kind("shuffler-v1", machine, ICODE, {"port": "/dev/ttyUSB0"}),
    "reshuffled": Kind("reshuffled", board, ICODE, {"port": "/dev/ttyUSB0", "baud": 9600}),
}


class Session(NamedTuple):
    """What was taken."""

    taken: Taken
    lines: list[bytes]
    capture: Capture
    cards: tuple[str, ...]


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    """Each kind of reader in turn."""
    name: str = request.param
    return name


@pytest.fixture
def captured() -> Callable[..., Session]:
    """`captured(kind)`: three seconds in which a card comes, another lies down on it, and the first goes."""

    def whole(name: str, *, loss: float = 0.0, as_read_by: str = "", seconds: float = 3, cut_s: float = 0) -> Session:
        kind = (KINDS | MACHINES)[name]
        driver = DRIVERS[kind.driver]
        device = DeviceConfig("left", driver, msgspec.convert(kind.settings, driver.settings, strict=False))
        lines: list[bytes] = []

        async def story() -> Taken:
            felt = Felt([kind.cards], Random(1))
            tasks: list[asyncio.Task[None]] = []

            async def open_line() -> Any:
                near, far = memory_pair()
                zones = {int(channel): zone for channel, zone in kind.settings.get("zones", {"0": "seat:2"}).items()}
                twin = kind.twin(kind.carried(far), felt, zones)
                tasks.append(asyncio.create_task(twin.run()))
                if cut_s and len(tasks) == 2:  # the first opening
                    asyncio.get_running_loop().call_later(cut_s, far.close)
                return Lossy(near, Random(3), loss) if loss else near

            async def dealt() -> None:
                await asyncio.sleep(1)
                felt.put(kind.cards[0], "seat:2")
                await asyncio.sleep(0.6)
                if name != "acr1552u":
                    felt.put(kind.cards[9], "seat:2")
                await asyncio.sleep(0.6)
                felt.put(kind.cards[0], "hand")

            tape = tape_of(device, lines.append, virtual_clock, software="0", as_read_by=as_read_by)
            tasks.append(asyncio.create_task(dealt()))
            taken = await take(device, open_line, tape, virtual_clock, seconds)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            return taken

        taken = virtual_run(story())
        return Session(taken, lines, of_lines(lines, "it"), kind.cards)

    return whole
