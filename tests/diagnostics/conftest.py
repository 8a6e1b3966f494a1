"""A table of twins without its station, as a technician finds it."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from bench.narrator import Narrator, deck
from dealerbox.config import Config, DeviceConfig
from dealerbox.config.station import load
from dealerbox.engine.facts import in_hand
from dealerbox.journal.disk import RealDisk
from dealerbox.journal.record import Stamp
from dealerbox.journal.recover import recover
from dealerbox.journal.writer import Writer
from dealerbox.model.events import KeyPressed
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import DeckInfo, Setup
from dealerbox.model.shuffler import Cycle
from dealerbox.station.entry import encode
from dealerbox_drivers.registry import DRIVERS

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


def _kept(folder: Path, *payloads: bytes) -> None:
    async def run() -> None:
        disk = RealDisk(folder)
        writer = Writer(
            disk,
            recover(disk, lambda record: None),
            head=b'{"format":1}',
            boot_id=bytes(16),
            stamp=lambda: Stamp(1),
            durable=lambda seq: None,
            failed=print,
        )
        for payload in payloads:
            writer.append(payload)
        writer.close()

    asyncio.run(run())


@pytest.fixture
def kept() -> Callable[..., None]:
    """`kept(folder, *payloads)`: one more run of the journal there, with these events."""
    return _kept
