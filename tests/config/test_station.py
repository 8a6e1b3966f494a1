"""station.toml: each thing wrong is one sentence that names file, key, fault and what is allowed."""

from typing import Any

import pytest
from msgspec.structs import replace

from dealerbox.config import load
from dealerbox.model.setup import DeckInfo


def test_a_lawful_table_has_no_faults(table: Any) -> None:
    assert table.faults() == []


def test_the_setup_names_decks_readers_and_seats(table: Any) -> None:
    setup = table.load().setup()
    assert (setup.table, setup.seats, setup.house.max_seats) == ("Table 7", (1, 2), 2)
    unmarked = tuple(replace(info, mark="") for info in setup.decks)
    assert unmarked == (DeckInfo(slot=1, name="red", back="red"), DeckInfo(slot=2, name="blue", back="blue"))
    assert [len(mark) for mark in {info.mark for info in setup.decks}] == [64, 64]
    assert setup.readers == ("seat:1", "seat:2", "infeed", "exit", "board", "burn", "muck", "aside")


def test_paths_are_relative_to_the_file_that_names_them(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    config = load(f"{table.folder}/station.toml", table.drivers)
    assert config.state_dir == table.folder / "state"
    assert config.socket == table.folder / "run/control.sock"
    assert config.deck_files == (f"{table.folder}/red.toml", f"{table.folder}/blue.toml")


def test_seats_are_ascending_however_they_are_written(table: Any) -> None:
    table.change("station.toml", "seats = [1, 2]", "seats = [2, 1]")
    assert table.load().setup().seats == (1, 2)


def test_the_hash_changes_with_any_of_the_files(table: Any) -> None:
    hashes = {table.load().sha256}
    for file in ("station.toml", "house.toml", "red.toml"):
        table.add(file, "\n# a word more\n")
        hashes.add(table.load().sha256)
    assert len(hashes) == 4


def test_who_may_look_diagnose_and_rule_are_groups_of_the_system(table: Any) -> None:
    config = table.load()
    assert (config.watchers, config.technicians, config.directors) == ("", "dealerbox-tech", "dealerbox-director")
    table.add("station.toml", '[control]\ndirectors = "floor"\ntechnicians = ""\nwatchers = "display"\n')
    config = table.load()
    assert (config.watchers, config.technicians, config.directors) == ("display", "", "floor")


def test_an_evenings_records_are_reserved_unless_told_otherwise_and_a_head_is_kept_where_it_is_named(
    table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (table.load().records, table.load().head_file) == (21_000, None)
    table.add("station.toml", '[journal]\nrecords = 500\nhead_file = "stick/head.json"\n')
    monkeypatch.chdir("/")
    config = load(f"{table.folder}/station.toml", table.drivers)
    assert (config.records, config.head_file) == (500, table.folder / "stick/head.json")


BAD = [
    (
        'port = "tty-shuffler"',
        'port = "tty-shuffler"\nbuad = 9600',
        "station.toml: devices.shuffler: unknown key 'buad' (nearest: 'baud'); known: baud, driver, port, serial",
    ),
    (
        'port = "tty-shuffler"',
        'port = "tty-shuffler"\nbaud = "fast"',
        'station.toml: devices.shuffler.baud: "fast" is not allowed; allowed: a whole number 9600..1000000',
    ),
    (
        'port = "tty-shuffler"',
        "",
        "station.toml: devices.shuffler: key 'port' is missing; "
        "allowed: the path of a serial port, such as /dev/serial/by-path/...",
    ),
    (
        'driver = "shuffler-v1"',
        'driver = "shuffler-v2"',
        "station.toml: devices.shuffler.driver: unknown driver 'shuffler-v2' (nearest: 'shuffler-v1'); "
        "known: {drivers}",
    ),
    (
        'driver = "shuffler-v1"',
        "",
        "station.toml: devices.shuffler: key 'driver' is missing; allowed: {drivers}",
    ),
    (
        "[paths]",
        "[path]",
        "station.toml: unknown key 'path' (nearest: 'paths'); known: control, devices, files, journal, paths, table",
    ),
    (
        'name = "Table 7"',
        'name = ""',
        'station.toml: table.name: "" is not allowed; allowed: text, not empty',
    ),
    (
        '"America/New_York"',
        '"America/New_Yrok"',
        "station.toml: table.time_zone: unknown time zone 'America/New_Yrok' (nearest: 'America/New_York'); "
        "allowed: an IANA name such as America/New_York",
    ),
    (
        "seats = [1, 2]",
        "seats = [1, 3]",
        "station.toml: table.seats: seat 3 is beyond max_seats; allowed: 1..2",
    ),
    (
        "seats = [1, 2]",
        "seats = [1, 1]",
        "station.toml: table.seats: [1, 1] names a seat twice; allowed: every seat once",
    ),
    (
        "seats = [1, 2]",
        "seats = [1, 21]",
        "station.toml: table.seats: entry 21 is not allowed; allowed: a whole number 1..20",
    ),
    (
        '3 = "board"',
        '3 = "baord"',
        'station.toml: devices.reader.zones.3: "baord" is not allowed; '
        "allowed: infeed, exit, board, burn, muck, aside, seat:1..seat:20",
    ),
    (
        '8 = "exit"',
        '9 = "exit"',
        'station.toml: devices.reader.zones: key "9" is not allowed; allowed: a whole number 0..8',
    ),
    (
        '8 = "exit"',
        '0 = "exit"',
        "station.toml: devices.reader.zones.0: channel 0 is a reader without multiplexer; "
        "allowed: 0 alone, or channels 1..8",
    ),
    (
        'house = "house.toml"',
        'house = "hose.toml"',
        "station.toml: files.house: hose.toml: No such file or directory; "
        "name a file beside station.toml, or by its full path",
    ),
    (
        'decks = ["red.toml", "blue.toml"]',
        'decks = ["red.toml", "./red.toml"]',
        "station.toml: files.decks: names the same file twice; allowed: every deck once",
    ),
    (
        'house = "house.toml"',
        'house = "house\\u0000.toml"',
        'station.toml: files.house: "house\\u0000.toml" is not allowed; '
        "allowed: text of one line, without control characters",
    ),
    (
        "[devices.panel]",
        "[devices.panel",
        "station.toml: not TOML: Expected ']' at the end of a table declaration (at line 27, column 15); "
        "mend that line",
    ),
]


@pytest.mark.parametrize(("old", "new", "sentence"), BAD)
def test_one_thing_wrong_is_one_sentence(table: Any, old: str, new: str, sentence: str) -> None:
    table.change("station.toml", old, new)
    assert table.faults() == [sentence.replace("{drivers}", ", ".join(sorted(table.drivers)))]


def test_everything_wrong_is_told_at_once(table: Any) -> None:
    table.change("station.toml", 'driver = "feig"', 'driver = "fieg"')
    table.change("station.toml", 'port = "tty-shuffler"', 'prot = "tty-shuffler"')
    table.change("house.toml", "max_seats = 2", "max_seats = 2\ncount_every_min = 60")
    assert [sentence.split(":")[0:2] for sentence in table.faults()] == [
        ["station.toml", " devices.shuffler"],
        ["station.toml", " devices.shuffler"],
        ["station.toml", " devices.reader.driver"],
        ["house.toml", " count_every_min"],
    ]


def test_a_folder_of_the_time_zone_database_is_no_time_zone(table: Any) -> None:
    table.change("station.toml", '"America/New_York"', '"America"')
    (sentence,) = table.faults()
    assert sentence.startswith("station.toml: table.time_zone: unknown time zone 'America'")


def test_a_file_that_is_not_text_is_told_as_such(table: Any) -> None:
    (table.folder / "station.toml").write_bytes(b"name = '\xff'")
    assert table.faults() == ["station.toml: byte 9 is not UTF-8; save the file as UTF-8 text"]


def test_a_station_file_that_is_not_there_is_an_os_error(table: Any) -> None:
    (table.folder / "station.toml").unlink()
    with pytest.raises(FileNotFoundError):
        table.load()


def test_a_house_rule_that_loosens_the_statute_is_refused_with_its_clauses(table: Any) -> None:
    table.add("house.toml", "count_every_min = 45\n")
    assert table.faults() == ["house.toml: count_every_min: 45 is not allowed; allowed: 1..30 minutes (1819, 1804B(8))"]


def test_an_unknown_house_rule_is_refused(table: Any) -> None:
    table.add("house.toml", 'button_rule = "static"\n')
    assert table.faults() == ['house.toml: button_rule: "static" is not allowed; allowed: moving, dead']
