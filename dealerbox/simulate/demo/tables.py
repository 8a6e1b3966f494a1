"""The demo's table: six seats, five of them taken, in the config files that a real table has."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from dealerbox.config import Config
from dealerbox.config.checks import checked
from dealerbox.model.cards import Kind, Uid, kind_of
from dealerbox.simulate.pack import BACKS, pack
from dealerbox_drivers.pins.budget import pin_faults
from dealerbox_drivers.registry import DRIVERS

MAX_SEATS: Final = 6
SEATS: Final = (1, 2, 3, 5, 6)
READERS: Final[Mapping[str, Mapping[int, str]]] = {
    "seats": {number: f"seat:{number}" for number in range(1, MAX_SEATS + 1)},
    "middle": {1: "board", 2: "burn", 3: "muck", 4: "aside"},
    "mouth": {0: "infeed"},
    "outlet": {0: "exit"},
}
"""Reader -> antenna -> zone."""
BUTTON: Final = dict(zip(range(1, MAX_SEATS + 1), (4, 7, 8, 9, 10, 11), strict=True))
"""Seat -> pin of its contact."""


def cards(slot: int) -> list[Uid]:
    """Return the tags of the 52 cards in deck `slot`."""
    return [uid for uid, name in pack(slot).items() if kind_of(name) is Kind.CARD]


def lay_out(folder: Path, ports: Mapping[str, str]) -> Config:
    """Write the table's files into `folder` and return them as the daemon will read them.

    `ports`: of `shuffler` and each of READERS.
    """
    (folder / "house.toml").write_text(f"max_seats = {MAX_SEATS}\n")
    for slot, back in enumerate(BACKS, 1):
        (folder / f"{back}.toml").write_text(_deck(slot, back))
    file = folder / "station.toml"
    file.write_text("\n".join([_TABLE.format(folder=folder, seats=list(SEATS)), *_devices(ports)]))
    return checked(str(file), DRIVERS, pin_faults)


_TABLE: Final = """
[table]
name = "Demo"
time_zone = "UTC"
seats = {seats}

[files]
house = "house.toml"
decks = ["red.toml", "blue.toml"]

[paths]
state_dir = "{folder}/state"
runtime_dir = "{folder}/run"

[control]
technicians = ""
directors = ""

[journal]
records = 1000
"""


def _devices(ports: Mapping[str, str]) -> list[str]:
    devices = [f'[devices.shuffler]\ndriver = "shuffler-v1"\nport = "{ports["shuffler"]}"\n']
    for name, zones in READERS.items():
        devices.append(f'[devices.{name}]\ndriver = "feig"\nport = "{ports[name]}"\nzones = {_inline(zones)}\n')
    devices.append('[devices.panel]\ndriver = "panel-compact"\n')
    devices.append('[devices.display]\ndriver = "display-oled"\n')
    devices.append(f'[devices.button]\ndriver = "button-pins"\nseats = {_inline(BUTTON)}\n')
    return devices


def _inline(table: Mapping[int, str] | Mapping[int, int]) -> str:
    entries = (f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value}" for key, value in table.items())
    return f"{{ {', '.join(entries)} }}"


def _deck(slot: int, back: str) -> str:
    names = pack(slot)
    jokers = sorted(uid for uid, name in names.items() if kind_of(name) is Kind.JOKER)
    (cut,) = (uid for uid, name in names.items() if kind_of(name) is Kind.CUT)
    listed = {"tags": sorted(cards(slot)), "jokers": jokers}
    lines = [f'name = "demo-{back}"', f'back = "{back}"', 'technology = "iso15693"', f"slot = {slot}"]
    lines += [f"{key} = [{', '.join(f'{chr(34)}{uid}{chr(34)}' for uid in uids)}]" for key, uids in listed.items()]
    return "\n".join([*lines, f'cut_card = "{cut}"\n'])
