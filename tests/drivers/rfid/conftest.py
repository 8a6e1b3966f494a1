"""One bench for every reader: a device, its twin on the far side of a line, and the felt between."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace as replaced

from dealerbox.model.events import ZoneKnown
from dealerbox.ports import DeviceGone
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.line import Lossy, memory_pair
from dealerbox_drivers.rfid.ccid import twin as ccid
from dealerbox_drivers.rfid.ccid.device import Acr122Reader, Acr1552Reader
from dealerbox_drivers.rfid.feig import twin as feig
from dealerbox_drivers.rfid.feig.device import FeigReader
from dealerbox_drivers.rfid.metratec import twin as metratec
from dealerbox_drivers.rfid.metratec.device import MetratecReader
from dealerbox_drivers.rfid.pn532 import twin as pn532
from dealerbox_drivers.rfid.pn532.device import Pn532Reader
from dealerbox_drivers.rfid.r321 import twin as r321
from dealerbox_drivers.rfid.r321.device import R321Reader
from dealerbox_drivers.rfid.r321.reports import REPORT, Reports
from dealerbox_drivers.rfid.settings import (
    Acr122Settings,
    Acr1552Settings,
    FeigSettings,
    MetratecSettings,
    Pn532Settings,
    R321Settings,
)


class LosesReports:
    """Loses each report with probability `rate`, both ways: on USB no byte is lost alone."""

    def __init__(self, line: Any, rng: Random, rate: float) -> None:
        self._line, self._rng, self._rate = line, rng, rate

    async def read(self) -> bytes:
        while not (kept := self._kept(await self._line.read())):
            pass
        return kept

    def write(self, data: bytes) -> None:
        self._line.write(self._kept(data))

    def close(self) -> None:
        self._line.close()

    def _kept(self, data: bytes) -> bytes:
        parts = [data[at : at + REPORT] for at in range(0, len(data), REPORT)]
        return b"".join(part for part in parts if self._rng.random() >= self._rate)


@dataclass(frozen=True)
class Family:
    """What the behaviour tests must know of a kind of reader."""

    name: str
    cards: tuple[str, ...]
    zones: dict[int, str]
    """Zones of one reader, `seat:2` among them: channel -> zone."""
    device: Callable[..., Any]
    settings: Callable[[dict[int, str], dict[int, str]], Any]
    """From zones and reference tags."""
    twin: Callable[..., Any]
    wired: Any
    """Times of a real one with the bytes on its line in them."""
    wretched: tuple[float, ...]
    """Shares of lost bytes at which it does not get through in time."""
    other: bytes
    """How another device introduces itself."""
    is_look: Callable[[Any], bool]
    """Tell whether a question asks for tags."""
    baud: int
    parity: str = "N"
    most: int = 2
    """Most tags of one look."""
    carried: Callable[[Any], Any] = lambda line: line
    """What carries its bytes over a line, at the twin's end."""
    lossy: Callable[..., Any] = Lossy
    """What loses on its line: bytes, or whole reports."""

    @property
    def driver(self) -> str:
        """Its name in the registry."""
        return self.name.partition(" ")[0]


TTY = "/dev/ttyUSB0"
"""No driver opens it: it is given its line."""
ICODE = tuple(f"E0040150A05F{number:04X}" for number in range(1, 53))
ULTRALIGHT = tuple(f"04A1B2C3D4{number:04X}" for number in range(1, 53))

FEIG = Family(
    name="feig",
    cards=ICODE,
    zones={1: "seat:1", 2: "seat:2", 3: "seat:3"},
    device=FeigReader,
    settings=lambda zones, references: FeigSettings(port=TTY, zones=zones, references=references),
    twin=feig.FeigTwin,
    wired=feig.Timings(answer=6, inventory=38, each_tag=4, rf_reset=18),
    wretched=(0.01, 0.03),
    other=b"\x01",
    is_look=lambda question: question.command == 0xB0,
    baud=38400,
    parity="E",
)
PN532 = Family(
    name="pn532",
    cards=ULTRALIGHT,
    zones={0: "seat:2"},
    device=Pn532Reader,
    settings=lambda zones, references: Pn532Settings(port=TTY, zone=zones[0], reference=references.get(0, "")),
    twin=pn532.Pn532Twin,
    wired=pn532.Timings(),
    wretched=(0.04, 0.08),
    other=bytes.fromhex("33020701"),
    is_look=lambda question: question.payload[0] == 0x4A,
    baud=115200,
)
ACR122 = Family(
    name="acr122u",
    cards=ULTRALIGHT,
    zones={0: "seat:2"},
    device=Acr122Reader,
    settings=lambda zones, _: Acr122Settings(port="usb:1-1", zone=zones[0]),
    twin=ccid.Acr122Twin,
    wired=ccid.Timings(),
    wretched=(0.02, 0.05),
    other=b"ACR38U102",
    is_look=lambda question: question.data[5:7] == b"\xd4\x4a",
    baud=115200,
)
ACR1552 = Family(
    name="acr1552u",
    cards=ICODE,
    zones={0: "seat:2"},
    device=Acr1552Reader,
    settings=lambda zones, _: Acr1552Settings(port="usb:1-1", zone=zones[0]),
    twin=ccid.Acr1552Twin,
    wired=ccid.Timings(),
    wretched=(0.02, 0.05),
    other=b"ACR38U",
    is_look=lambda question: question.data == bytes.fromhex("FFCA000000"),
    baud=115200,
    most=1,
)
METRATEC = Family(
    name="metratec",
    cards=ICODE,
    zones={0: "seat:2"},
    device=MetratecReader,
    settings=lambda zones, references: MetratecSettings(port=TTY, zone=zones[0], reference=references.get(0, "")),
    twin=metratec.MetratecTwin,
    wired=metratec.Timings(),
    wretched=(0.02, 0.04),
    other=b"PULSAR",
    is_look=lambda question: question == "INV",
    baud=115200,
)
R321 = Family(
    name="r321",
    cards=ICODE,
    zones={1: "seat:1", 2: "seat:2"},
    device=R321Reader,
    settings=lambda zones, references: R321Settings(port=TTY, zones=zones, references=references),
    twin=r321.R321Twin,
    wired=r321.Timings(),
    wretched=(0.02, 0.04),
    other=b"\x01" * 52,
    is_look=lambda question: question.command == 0x11,
    baud=115200,
)
R321_HID = replace(
    R321,
    name="r321 in reports",
    settings=lambda zones, references: R321Settings(port="usb:1-1", zones=zones, references=references),
    carried=Reports,
    lossy=LosesReports,
    wretched=(0.3, 0.5),
)
FAMILIES = (FEIG, PN532, METRATEC, ACR122, ACR1552, R321, R321_HID)


class Bench:
    """One reader, its twin and the felt. `knobs`: what is set on every twin as it starts."""

    def __init__(
        self,
        family: Family,
        zones: dict[int, str] | None = None,
        worsen: Callable[[Any], Any] = lambda line: line,
        references: dict[int, str] | None = None,
        field: Any = None,
        felt: Felt | None = None,
        settings: dict[str, Any] | None = None,
        *,
        wired: bool = False,
        **knobs: Any,
    ) -> None:
        self.family = family
        self.zones = zones or family.zones
        self.felt = felt or Felt([family.cards], Random(1))
        self.told: list[Any] = []
        self.twin: Any = None
        self.line: Any = None
        self.tasks: list[asyncio.Task[None]] = []
        self.device: Any = None
        self.running: Any = None
        self._worsen, self._knobs, self._field = worsen, knobs, field
        self._settings = replaced(family.settings(self.zones, references or {}), **(settings or {}))
        self._timings = family.wired if wired else None

    async def open_line(self) -> Any:
        near, far = memory_pair()
        self.line = near
        self.twin = self.family.twin(self.family.carried(far), self.felt, self.zones, self._timings)
        for name, value in self._knobs.items():
            assert hasattr(self.twin, name)
            setattr(self.twin, name, value)
        self.tasks.append(asyncio.create_task(self._serve(self.twin)))
        return self._worsen(near)

    @staticmethod
    async def _serve(twin: Any) -> None:
        try:
            await twin.run()
        except DeviceGone:
            return

    def reader(self, open_line: Any = None) -> Any:
        clock = asyncio.get_running_loop().time
        now = open_line or self.open_line, lambda: int(clock() * 1e9)
        return self.family.device("left", *now, self._settings, self._field)

    async def start(self) -> "Bench":
        self.device = self.reader()
        self.running = asyncio.create_task(self.device.run(self.told.append))
        self.tasks.append(self.running)
        return self

    async def until(self, true: Callable[[], Any], limit_s: float = 30.0) -> None:
        async with asyncio.timeout(limit_s):
            while not true():
                await asyncio.sleep(0.001)

    def of(self, kind: type) -> list[Any]:
        return [event for event in self.told if isinstance(event, kind)]

    def known(self) -> set[str]:
        return {event.zone for event in self.of(ZoneKnown)}

    def all_known(self) -> bool:
        return self.known() == set(self.zones.values())

    async def stop(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


@pytest.fixture(params=FAMILIES, ids=lambda family: family.name)
def family(request: pytest.FixtureRequest) -> Family:
    """Each kind of reader in turn, or one that is named."""
    return request.param if isinstance(request.param, Family) else {kind.name: kind for kind in FAMILIES}[request.param]


@pytest.fixture
def other_family(family: Family) -> Family:
    """Another kind of reader than `family`."""
    return FAMILIES[(FAMILIES.index(family) + 1) % len(FAMILIES)]


@pytest.fixture
def bench_of() -> type[Bench]:
    """`bench_of(family, **how)`: a bench not started yet."""
    return Bench


@pytest.fixture
def bench(run: Callable[..., Any], request: pytest.FixtureRequest) -> Callable[..., Any]:
    """`bench(story, **how)`: run a story with a started bench in virtual time, of `family` or of one named."""

    def told(story: Callable[[Bench], Any], family: str = "", **how: Any) -> Any:
        kinds = {kind.name: kind for kind in FAMILIES}
        kind = kinds[family] if family else request.getfixturevalue("family")

        async def whole() -> None:
            bench = Bench(kind, **how)
            try:
                await bench.start()
                await bench.until(lambda: bench.twin is not None)
                await story(bench)
            finally:
                await bench.stop()

        return run(whole(), limit_s=600)

    return told
