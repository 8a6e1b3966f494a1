"""The records of an open hand are the daemon's alone: `log show` and `log export` wait until it is over (P4)."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from bench.kept_journal import kept
from bench.secrecy import quick
from bench.secrecy.channels import LOG, Said, Taps
from dealerbox.engine.facts import in_hand
from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.station.entry import Entry, decode, encode

CONFIG = Path(__file__).parents[2] / "config"
MESSAGE = "a hand is open; its records are read when it is over; `dealerbox status` shows the table\n"


@pytest.fixture(scope="module")
def evening() -> tuple[list[Entry], int]:
    """What happened in an evening, and how much of it when its first hand was open and cards lay at the seats."""
    said: list[Said] = []
    quick.evenings("suite", 1, Taps(said.append))
    entries = [decode(each.data) for each in said if each.channel == LOG]
    state, middle = State(), 0
    for number, entry in enumerate(entries, 1):
        state, _ = step(state, entry.event)
        middle = number if in_hand(state) and not middle and "seat:1" in str(state.out) else middle
    assert 0 < middle < len(entries)
    return entries, middle


def left(folder: Path, entries: list[Entry]) -> Path:
    """Write these to the journal of a station's folder and return its place."""
    kept(folder / "journal", (encode(entry.event, entry.commands) for entry in entries))
    (folder / "lock").touch()
    return folder / "journal"


@pytest.mark.parametrize("arguments", [("show",), ("export",), ("export", "--view", "events")])
def test_a_journal_with_an_open_hand_is_not_read(
    dealerbox: Any, tmp_path: Path, evening: Any, arguments: tuple[str, ...]
) -> None:
    entries, middle = evening
    journal = left(tmp_path, entries[:middle])
    assert dealerbox("log", *arguments, str(journal)) == (77, "", f"{journal}: {MESSAGE}")
    segment = str(journal / "00000001.journal")
    assert dealerbox("log", *arguments, segment).code == 77


def test_it_may_be_verified_and_its_hands_be_told(dealerbox: Any, tmp_path: Path, evening: Any) -> None:
    entries, middle = evening
    journal = left(tmp_path, entries[:middle])
    assert dealerbox("log", "verify", str(journal)).code == 0
    for view in ("hands", "counts"):
        answer = dealerbox("log", "export", "--view", view, str(journal))
        assert answer.code == 0
        assert "token" not in answer.out


def test_once_the_hand_is_over_it_is_read(dealerbox: Any, tmp_path: Path, evening: Any) -> None:
    entries, _ = evening
    journal = left(tmp_path, entries)
    answer = dealerbox("log", "export", "--view", "events", str(journal))
    assert (answer.code, len(answer.out.splitlines())) == (0, len(entries))


def test_a_copy_of_the_journal_elsewhere_is_no_stations(dealerbox: Any, tmp_path: Path, evening: Any) -> None:
    entries, middle = evening
    journal = left(tmp_path, entries[:middle])
    (tmp_path / "lock").unlink()
    assert dealerbox("log", "show", str(journal)).code == 0


def test_a_journal_that_no_station_starts_with_keeps_no_hand_open(dealerbox: Any, tmp_path: Path, evening: Any) -> None:
    """What is left of it is evidence."""
    entries, middle = evening
    left(tmp_path, entries[:middle])
    journal = left(tmp_path, [])  # one run more: all before it was called durable
    with (journal / "00000001.journal").open("r+b") as file:
        file.seek(4096 * 3 + 200)
        file.write(b"\xff\xff\xff")
    assert dealerbox("log", "export", str(journal)).code == 65


def test_a_bundle_waits_until_the_hand_is_over_or_goes_without_the_log(
    dealerbox: Any, tmp_path: Path, evening: tuple[list[Entry], int]
) -> None:
    shutil.copytree(CONFIG, tmp_path, dirs_exist_ok=True)
    table = tmp_path / "station.toml"
    table.write_text(table.read_text().replace('"/var/lib/dealerbox"', f'"{tmp_path}/state"'))
    entries, middle = evening
    (tmp_path / "state").mkdir()
    journal = left(tmp_path / "state", entries[:middle])
    ask = ("diag", "bundle", "--file", str(table))
    answer = dealerbox(*ask, str(tmp_path / "a.zip"))
    said = f"{journal}: {MESSAGE.rstrip()}; or make the bundle --without-log\n"
    assert (answer.code, answer.err) == (77, said)
    assert dealerbox(*ask, "--without-log", str(tmp_path / "b.zip")).code == 0
    left(tmp_path / "state", entries[middle:])
    answer = dealerbox(*ask, "--json", str(tmp_path / "c.zip"))
    members = {member["name"] for member in json.loads(answer.out)["members"]}
    assert {"log/evening.jsonl", "log/hands.jsonl", "log/counters.json"} <= members
