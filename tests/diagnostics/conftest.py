"""A table of twins without its station, as a technician finds it."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from bench.narrator import Narrator, deck
from dealerbox.config import Config, DeviceConfig
from dealerbox.config.station import load
from dealerbox.diagnostics.borrowed import Loan, named
from dealerbox.diagnostics.verdict import Nobody, Step
from dealerbox.engine.facts import in_hand
from dealerbox.model.cards import Uid
from dealerbox.model.events import KeyPressed
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import DeckInfo, Setup
from dealerbox.model.shuffler import Cycle
from dealerbox.ports import DeviceGone, Line, OpenLine
from dealerbox.station.entry import encode
from dealerbox.station.virtual import virtual_run
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.memory_line import memory_pair
from dealerbox_drivers.registry import DRIVERS
from dealerbox_drivers.rfid.feig.twin import FeigTwin
from dealerbox_drivers.shuffler.twin import ShufflerTwin
from dealerbox_drivers.shuffler.twin_machine import Timings

DECKS = (DeckInfo(slot=1, name="a", back="red"), DeckInfo(slot=2, name="b", back="blue"))
CONFIG = Path(__file__).parents[2] / "config"


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """The shipped example, with its folders under tmp_path: no station runs, and no port is there."""
    shipped = load(str(CONFIG / "station.toml"), DRIVERS)
    run = tmp_path / "run"
    return replace(shipped, state_dir=tmp_path / "state", runtime_dir=run, socket=run / "control.sock")


@pytest.fixture
def device():
    """`device(name, driver, **settings)`: a device of a table."""

    def make(name: str, driver: str, **settings) -> DeviceConfig:
        kind = DRIVERS[driver]
        return DeviceConfig(name, kind, kind.settings(**settings))

    return make


@pytest.fixture(scope="session")
def evening() -> tuple[tuple[bytes, ...], bytes]:
    """Records of an evening whose hand is open, and the one that ends it."""
    table = Narrator(Setup(table="7", seats=(1, 2), decks=DECKS))
    table.started()
    table.clock()
    table.meet()
    table.feed(*deck(1))
    table.cycle(Cycle.RETURN, 52)
    table.tell(lambda at: KeyPressed(at, Key.ACK))
    table.cycle(Cycle.SHUFFLE, 52)
    table.rule(Ruling.SET_BUTTON, seat=1)
    table.button(1)
    table.tell(lambda at: KeyPressed(at, Key.START))
    assert in_hand(table.state)
    begun = tuple(encode(*entry) for entry in table.log)
    table.rule(Ruling.VOID_HAND)
    assert not in_hand(table.state)
    return begun, encode(*table.log[-1])


QUICK = Timings(shuffle_ms=2000)
CARDS = tuple(Uid(f"E0040150A05F{number:04X}") for number in range(1, 53))


class Near:
    """A felt whose antennas may reach too far: `bleeds[zone]` are the zones whose cards it reads too."""

    def __init__(self, felt: Felt) -> None:
        self._felt = felt
        self.bleeds: dict[str, tuple[str, ...]] = {}
        self.fixed: dict[str, str] = {}

    def readable(self, zone: str) -> tuple[Uid, ...]:
        fixed = (Uid(self.fixed[zone]),) if zone in self.fixed else ()
        return (*fixed, *(uid for place in (zone, *self.bleeds.get(zone, ())) for uid in self._felt.readable(place)))


class Table:
    """Devices of a table, each with its twin at the far end of a line in memory, and no station."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.felt = Felt((CARDS,), Random(1))
        self.near = Near(self.felt)
        self.twins: dict[str, Any] = {}
        self.wires: dict[str, Callable[[Line], Line]] = {}
        """Port -> what its line is led through."""
        self.makes: dict[str, Callable[[Line], Any]] = {}
        """Port -> what makes the twin at its end."""
        self.spoils: dict[str, Callable[[Any], None]] = {}
        """Port -> what is wrong with that twin from its start."""
        self._serving: list[asyncio.Task[None]] = []

    def devices(self, *devices: DeviceConfig) -> "Table":
        """Put these on the table."""
        self.config = replace(self.config, devices=devices)
        for device in devices:
            if device.driver.name == "feig":
                zones = device.settings.zones
                self.makes[device.settings.port] = lambda line, zones=zones: FeigTwin(line, self.near, zones)
            elif device.driver.name == "shuffler-v1":
                self.makes[device.settings.port] = self._shuffler
        return self

    def _shuffler(self, line: Line) -> Any:
        if "shuffler" in self.twins:
            self.twins["shuffler"].plug(line)
            return self.twins["shuffler"]
        twin = self.twins["shuffler"] = ShufflerTwin(line, self.felt, Random(2), timings=QUICK)
        return twin

    def loan(self, name: str) -> Loan:
        """One device, as it is lent to a tool."""
        return Loan(self.config, named(self.config, name), None, None)

    def loans(self) -> list[Loan]:
        return [self.loan(device.name) for device in self.config.devices]

    def open_serial(self, port: str, baud: int, parity: str = "N") -> OpenLine:
        async def opened() -> Line:
            if port not in self.makes:
                raise DeviceGone(f"{port}: there is no such port")
            near, far = memory_pair()
            known = self.twins.get("shuffler")
            twin = self.makes[port](far)
            if twin is not known:
                self.spoils.get(port, lambda twin: None)(twin)
                self.twins[port] = twin
                self._serving.append(asyncio.create_task(twin.run()))
            return self.wires.get(port, lambda line: line)(near)

        return opened

    async def close(self) -> None:
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)


@pytest.fixture
def table(config: Config, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table whose serial ports lead to twins."""
    made = Table(config)
    monkeypatch.setattr("dealerbox_drivers.line.open_serial", made.open_serial)
    return made


@pytest.fixture
def steps_of(table: Table) -> Callable[..., list[Step]]:
    """`steps_of(lambda: test(...))`: the steps of a test, in virtual time."""

    def run(test: Callable[[], Any]) -> list[Step]:
        async def main() -> list[Step]:
            try:
                return [step async for step in test()]
            finally:
                await table.close()

        return virtual_run(main(), limit_s=100_000)

    return run


class Reads(Nobody):
    """A person who does at the table what is asked for, in the words that are used."""

    def __init__(self, does: Callable[[str], bool | None] = lambda what: True, sees: bool | None = True) -> None:
        self.asked: list[str] = []
        self.shown: list[str] = []
        self._does, self._sees = does, sees

    async def does(self, what: str) -> bool:
        self.asked.append(what)
        return self._does(what) is not False

    async def sees(self, what: str) -> bool | None:
        self.asked.append(what)
        return self._sees

    def tells(self, what: str) -> bool:
        self.asked.append(what)
        return self._does(what) is not False

    def live(self, what: str) -> None:
        self.shown.append(what)


@pytest.fixture
def reads() -> type[Reads]:
    return Reads
