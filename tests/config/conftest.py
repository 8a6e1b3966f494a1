"""A lawful table on disk that each test spoils in one place."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dealerbox.config import Config, load
from dealerbox.config.checks import table_faults
from dealerbox.model.zones import Zone
from dealerbox.ports import ConfigError
from dealerbox_drivers.registry import DRIVERS, Driver, Role
from dealerbox_drivers.rfid.settings import Watched
from dealerbox_drivers.settings import Settings

STATION = """
[table]
name = "Table 7"
time_zone = "America/New_York"
seats = [1, 2]

[files]
house = "house.toml"
decks = ["red.toml", "blue.toml"]

[paths]
state_dir = "state"
runtime_dir = "run"

[devices.shuffler]
driver = "shuffler-v1"
port = "tty-shuffler"

[devices.reader]
driver = "feig"
port = "tty-reader"
zones = { 1 = "seat:1", 2 = "seat:2", 3 = "board", 4 = "burn", 5 = "muck", 6 = "aside", 7 = "infeed", 8 = "exit" }

[devices.button]
driver = "test-button"

[devices.panel]
driver = "test-panel"
"""


def deck(name: str, first: int) -> str:
    tags = ", ".join(f'"E00401{number:010X}"' for number in range(first, first + 52))
    return f'name = "{name}"\nback = "{name}"\ntechnology = "iso15693"\ntags = [{tags}]\n'


def pin_faults(claims: Mapping[str, int], /) -> list[str]:
    """Say of every claim but the first what it claims in vain."""
    firsts: dict[int, str] = {}
    return [
        f"{name}: GPIO {pin} is {firsts[pin]}'s" for name, pin in claims.items() if firsts.setdefault(pin, name) != name
    ]


class PinSettings(Settings, frozen=True, kw_only=True):
    pin: int = 0

    def pins(self) -> dict[str, int]:
        return {"pin": self.pin} if self.pin else {}


class SeatSettings(PinSettings, frozen=True, kw_only=True):
    seats: int = 2

    def sensed(self) -> tuple[int, ...]:
        return tuple(range(1, self.seats + 1))


class ZoneSettings(Settings, frozen=True, kw_only=True):
    zone: Watched

    def watched(self) -> tuple[Zone, ...]:
        return (Zone(self.zone),)


class TableOnDisk(msgspec.Struct):
    """Files of a table, changed before they are read."""

    folder: Path
    drivers: dict[str, Driver]

    def change(self, file: str, old: str, new: str) -> None:
        text = (self.folder / file).read_text()
        assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in {file}"
        (self.folder / file).write_text(text.replace(old, new))

    def add(self, file: str, text: str) -> None:
        with (self.folder / file).open("a") as end:
            end.write(text)

    def load(self) -> Config:
        return load("station.toml", self.drivers)

    def faults(self) -> list[str]:
        try:
            config = self.load()
        except ConfigError as error:
            return str(error).splitlines()
        return table_faults(config, pin_faults)


def kind(name: str, role: Role, settings: type[Settings] = Settings, **more: Any) -> Driver:
    return Driver(name=name, role=role, module="no.such.module", device="None", settings=settings, **more)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TableOnDisk:
    """A table of two seats, all in order, in the working directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "station.toml").write_text(STATION)
    (tmp_path / "house.toml").write_text("max_seats = 2\n")
    (tmp_path / "red.toml").write_text(deck("red", 0x100))
    (tmp_path / "blue.toml").write_text(deck("blue", 0x200))
    more = (
        kind("test-button", Role.BUTTON, SeatSettings),
        kind("test-panel", Role.PANEL, PinSettings),
        kind("test-pair", Role.READER, ZoneSettings, max_tags=2, air=("iso14443a",)),
    )
    return TableOnDisk(tmp_path, {**DRIVERS, **{driver.name: driver for driver in more}})
