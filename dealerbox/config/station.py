"""station.toml and the files it names, as frozen values; ConfigError says all that is wrong, a sentence a line."""

import hashlib
import zoneinfo
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from dealerbox.config.deck import MOST_DECKS, Deck, deck_faults, deck_of, deck_set_faults, unsealed_bytes
from dealerbox.config.tables import Place, beside, convert, read, unknown
from dealerbox.config.values import Config, DeviceConfig, DriverKind
from dealerbox.law.house import house_faults
from dealerbox.model.setup import House
from dealerbox.ports import ConfigError


class _Table(msgspec.Struct, frozen=True, kw_only=True):
    name: Annotated[str, Meta(min_length=1)]
    time_zone: str
    seats: tuple[Annotated[int, Meta(ge=1, le=20)], ...]


class _Files(msgspec.Struct, frozen=True, kw_only=True):
    house: Annotated[str, Meta(min_length=1)]
    decks: tuple[Annotated[str, Meta(min_length=1)], ...] = ()


class _Paths(msgspec.Struct, frozen=True, kw_only=True):
    state_dir: Annotated[str, Meta(min_length=1)] = "/var/lib/dealerbox"
    runtime_dir: Annotated[str, Meta(min_length=1)] = "/run/dealerbox"


class _Journal(msgspec.Struct, frozen=True, kw_only=True):
    records: Annotated[int, Meta(ge=100, le=1_000_000)] = 21_000
    head_file: str = ""


class _Control(msgspec.Struct, frozen=True, kw_only=True):
    watchers: str = ""
    technicians: str = "dealerbox-tech"
    directors: str = "dealerbox-director"


class _Station(msgspec.Struct, frozen=True, kw_only=True):
    table: _Table
    files: _Files
    paths: _Paths = _Paths()
    journal: _Journal = _Journal()
    control: _Control = _Control()
    devices: dict[str, dict[str, Any]] = {}


def load(file: str, drivers: Mapping[str, DriverKind], *, decks: bool = True) -> Config:
    """Return the config that `file` and the files it names describe, whole and lawful by itself.

    `decks` False: for who may know the table and not its tags: no deck's file is read, and no hash names the whole.
    ConfigError with one sentence a line; OSError when `file` itself cannot be read. Whether the table
    can notice what the law asks for is another question: `checks.table_faults`.
    """
    station, data = _read(Path(file), file)
    faults: list[str] = []
    at = Place(file)
    sections = convert(station, _Station, at, faults)
    devices = _devices(station.get("devices", {}), drivers, at / "devices", faults)
    if sections is None:
        raise ConfigError("\n".join(faults))
    house_file = beside(file, sections.files.house)
    house = _house(house_file, at / "files" / "house", faults)
    read_decks = _decks(file, sections.files.decks, at / "files" / "decks", faults) if decks else []
    faults.extend(_table_faults(sections.table, house[0] if house else House(), at / "table"))
    if faults or house is None:
        raise ConfigError("\n".join(faults))
    runtime_dir = Path(beside(file, sections.paths.runtime_dir))
    return Config(
        file=file,
        table=sections.table.name,
        time_zone=sections.table.time_zone,
        seats=tuple(sorted(sections.table.seats)),
        state_dir=Path(beside(file, sections.paths.state_dir)),
        runtime_dir=runtime_dir,
        socket=runtime_dir / "control.sock",
        watchers=sections.control.watchers,
        technicians=sections.control.technicians,
        directors=sections.control.directors,
        house=house[0],
        house_file=house_file,
        decks=tuple(deck for deck, _, _ in read_decks),
        deck_files=tuple(name for _, name, _ in read_decks),
        devices=devices,
        records=sections.journal.records,
        head_file=Path(beside(file, sections.journal.head_file)) if sections.journal.head_file else None,
        sha256=_hash(data, house[1], *(unsealed_bytes(raw) for _, _, raw in read_decks)) if decks else "",
    )


def _hash(*files: bytes) -> str:
    return hashlib.sha256(b"\0".join(files)).hexdigest()


def _read(file: Path, name: str) -> tuple[dict[str, Any], bytes]:
    answer = read(file, name)
    if isinstance(answer, str):
        raise ConfigError(answer)
    return answer


def _named(name: str, named_at: Place, faults: list[str]) -> tuple[dict[str, Any], bytes] | None:
    """Read a file that another names; what keeps it from being read is told at the key that names it."""
    try:
        answer = read(Path(name), name)
    except OSError as error:
        why = error.strerror or "cannot be read"
        faults.append(named_at.says(f"{name}: {why}; name a file beside {named_at.file}, or by its full path"))
        return None
    if isinstance(answer, str):
        faults.append(answer)
        return None
    return answer


def _house(name: str, named_at: Place, faults: list[str]) -> tuple[House, bytes] | None:
    answer = _named(name, named_at, faults)
    house = convert(answer[0], House, Place(name), faults) if answer else None
    if answer is None or house is None:
        return None
    faults.extend((Place(name) / fault.key).says(f"{fault.sentence} ({fault.clause})") for fault in house_faults(house))
    return house, answer[1]


def _decks(file: str, names: tuple[str, ...], at: Place, faults: list[str]) -> list[tuple[Deck, str, bytes]]:
    """Return the decks with their files and bytes; a deck without a slot gets its place in the list."""
    if len(names) > MOST_DECKS:
        faults.append(at.says(f"{len(names)} decks; allowed: at most {MOST_DECKS}"))
    decks = []
    files = [beside(file, name) for name in names]
    for place, name in enumerate(files, 1):
        answer = _named(name, at, faults)
        deck = deck_of(answer[0], Place(name), faults) if answer else None
        if answer is None or deck is None:
            continue
        faults.extend(deck_faults(deck, Place(name)))
        decks.append((msgspec.structs.replace(deck, slot=deck.slot or place), name, answer[1]))
    if len(set(files)) < len(files):
        faults.append(at.says("names the same file twice; allowed: every deck once"))
    else:
        faults.extend(deck_set_faults([(deck, Place(name)) for deck, name, _ in decks]))
    return decks


def _devices(
    tables: object, drivers: Mapping[str, DriverKind], at: Place, faults: list[str]
) -> tuple[DeviceConfig, ...]:
    if not isinstance(tables, dict):
        return ()
    devices = []
    for name, raw in tables.items():
        here = at / name
        if not isinstance(raw, dict):
            continue
        if "driver" not in raw:
            faults.append(here.says(f"key 'driver' is missing; allowed: {', '.join(sorted(drivers))}"))
            continue
        driver = drivers.get(raw["driver"]) if isinstance(raw["driver"], str) else None
        if driver is None:
            faults.append((here / "driver").says(unknown("driver", str(raw["driver"]), drivers)))
            continue
        own = {key: value for key, value in raw.items() if key != "driver"}
        settings = convert(own, driver.settings, here, faults, known=("driver",))
        if settings is None:
            continue
        for key, sentence in settings.faults():
            faults.append((here / key if key else here).says(sentence))
        devices.append(DeviceConfig(name, driver, settings))
    return tuple(devices)


def _table_faults(table: _Table, house: House, at: Place) -> list[str]:
    faults = []
    if len(set(table.seats)) < len(table.seats):
        faults.append((at / "seats").says(f"{list(table.seats)} names a seat twice; allowed: every seat once"))
    beyond = [number for number in table.seats if number > house.max_seats]
    if beyond:
        faults.append((at / "seats").says(f"seat {beyond[0]} is beyond max_seats; allowed: 1..{house.max_seats}"))
    try:
        zoneinfo.ZoneInfo(table.time_zone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        faults.append((at / "time_zone").says(_unknown_zone(table.time_zone)))
    return faults


def _unknown_zone(name: str) -> str:
    known = zoneinfo.available_timezones()
    if not known:
        return "this machine has no time zone database; install the package tzdata"
    places = [zone for zone in known if not zone.startswith(("Etc/", "posix", "right"))]
    hint = unknown("time zone", name, places).partition("; known")[0]
    return f"{hint}; allowed: an IANA name such as America/New_York"
