"""What a technician reads of a test: a verdict a step, what to do, and nothing called right that was not tested."""

import io
import json
import shutil
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest
from click import unstyle

from dealerbox.cli.codes import codes
from dealerbox.cli.diag import COMMANDS
from dealerbox.cli.diag.deal_test import picture as misread_bars
from dealerbox.cli.diag.reader import picture
from dealerbox.cli.technician import run
from dealerbox.diagnostics.verdict import judged, untested
from dealerbox.station.asked import Answer as StationAnswer

SLOW = judged("journal-sync", "200 records: p99 120 ms", right=False, values=(1.0, 1.5, 120.0))


def steps(*some: Any) -> Any:
    async def test(terminal: Any) -> Any:
        for step in some:
            yield step

    return test


def test_a_failed_step_says_what_to_do_and_is_drawn(capsys: Any) -> None:
    assert run(steps(SLOW), bare=False) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "FAILED     journal-sync: 200 records: p99 120 ms"
    assert lines[1].strip().startswith("1. Another card or disk")
    assert [line.split()[-1] for line in lines if "█" in line] == ["1", "1", "1"]


@pytest.mark.parametrize(
    ("step", "code"), [(judged("clock-wall", "so", right=True), 0), (untested("clock-wall", "no"), 1)]
)
def test_what_could_not_be_tested_is_never_passed(step: Any, code: int) -> None:
    assert run(steps(step), bare=True) == code


def test_a_test_at_which_nobody_answers_says_so_and_ends(capsys: Any, monkeypatch: Any) -> None:
    async def asking(terminal: Any) -> Any:
        yield judged("clock-wall", "so", right=await terminal.does("Take the cards away."))

    monkeypatch.setattr("sys.stdin", io.StringIO())
    with pytest.raises(click.Abort):
        run(asking, bare=True)
    assert capsys.readouterr().err.splitlines()[-1].startswith("nobody answers here: standard input is at its end")


def test_in_json_each_step_is_a_line(capsys: Any) -> None:
    run(steps(SLOW, untested("clock-battery", "there is none")), bare=True)
    failed, other = map(json.loads, capsys.readouterr().out.splitlines())
    assert (failed["verdict"], other["verdict"]) == ("failed", "could not be tested")
    assert failed["todo"][0].startswith("Another card")


def test_while_a_hand_is_open_the_journals_disk_is_left_to_it(dealerbox: Any, tmp_path: Path, station: Any) -> None:
    shutil.copytree(Path(__file__).parents[2] / "config", tmp_path / "etc")
    file = tmp_path / "etc" / "station.toml"
    text = file.read_text().replace('"/run/dealerbox"', f'"{tmp_path}"')
    file.write_text(text.replace('"/var/lib/dealerbox"', f'"{tmp_path}/state"'))
    (tmp_path / "state").mkdir()
    station(lambda line: b'{"table":"T","phase":"dealing","hand":3,"street":"flop"}\n')
    answer = dealerbox("diag", "journal", str(file), "--json")
    assert "a hand is open, and its records come first" in answer.out
    assert list((tmp_path / "state").iterdir()) == []


def test_a_command_that_needs_a_config_says_which_is_missing(dealerbox: Any) -> None:
    answer = dealerbox("diag", "journal", "no-such.toml")
    assert (answer.code, answer.out) == (66, "")


def test_who_reads_whose_card_is_drawn_as_a_table() -> None:
    lines = [unstyle(line) for line in picture({"seat:1": {"seat:1": 1.0}, "board": {"board": 0.975, "seat:1": 0.4}})]
    assert lines[-2].split() == ["seat:1", "1", "100", "."]
    assert lines[-1].split() == ["board", "2", "40", "98"]


def test_the_table_of_a_whole_table_fits_80_columns() -> None:
    zones = [*(f"seat:{number}" for number in range(1, 11)), "infeed", "exit", "board", "burn", "muck", "aside"]
    lines = picture({zone: {zone: 1.0} for zone in zones})
    assert max(len(unstyle(line)) for line in lines) <= 80


def test_misreads_are_drawn_zone_by_zone() -> None:
    lines = misread_bars({"seat:1": (0, 104), "board": (2, 104), "muck": (1, 5200)})
    assert lines[0].split() == ["seat:1", "0", "of", "104"]
    assert lines[1].count("█") == 2 * lines[2].count("█")


@pytest.mark.parametrize(
    "command", [("panel",), ("button",), ("shuffler",), ("link", "outlet"), ("reader", "seat:1"), ("deal-test",)]
)
def test_a_device_that_is_not_lent_in_play_ends_each_command_with_77(
    dealerbox: Any, tmp_path: Path, station: Any, monkeypatch: Any, command: tuple[str, ...]
) -> None:
    shutil.copytree(Path(__file__).parents[2] / "config", tmp_path / "etc")
    file = tmp_path / "etc" / "station.toml"
    file.write_text(file.read_text().replace('"/run/dealerbox"', f'"{tmp_path}"'))
    said = "lent in service alone: `dealerbox diag service begin`, between hands"
    socket = tmp_path / "tech.sock"
    Path(station(lambda line: msgspec.json.encode(StationAnswer(error=said)) + b"\n")).rename(socket)
    answer = dealerbox("diag", *command, "--file", str(file))
    assert (answer.code, answer.out, answer.err) == (77, "", f"{socket}: the station refuses: {said}\n")


def test_each_step_names_a_command_that_there_is() -> None:
    tests = {one.source.removeprefix("dealerbox diag ") for one in codes() if one.kind == "test"}
    assert tests <= set(COMMANDS)
