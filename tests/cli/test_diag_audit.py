"""`dealerbox diag audit shuffle`: bench runs, and the logs of the table on whose machine it runs."""

import itertools
import json
import shutil
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bench.shuffled import MACHINES, on_the_bench
from dealerbox.diagnostics.shuffles.cycle import lines

CONFIG = Path(__file__).parents[2] / "config"


def bench_run(folder: Path, machine: str, shuffles: int = 20) -> str:
    """The file of a bench run on some machine."""
    file = folder / f"{machine.replace(' ', '-')}.shuffles"
    file.write_bytes(b"".join(lines(itertools.islice(on_the_bench(MACHINES[machine], Random(3)), shuffles), machine)))
    return str(file)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The shipped example with its state folder in the test's own."""
    shutil.copytree(CONFIG, tmp_path, dirs_exist_ok=True)
    file = tmp_path / "station.toml"
    file.write_text(file.read_text().replace('"/var/lib/dealerbox"', f'"{tmp_path}"'))
    (tmp_path / "token.key").write_bytes(bytes(32))
    (tmp_path / "sign.key").write_bytes(bytes(32))
    return file


def test_a_machine_that_does_not_shuffle_is_told_with_its_tests_and_1(dealerbox: Any, tmp_path: Path) -> None:
    answer = dealerbox("diag", "audit", "shuffle", bench_run(tmp_path, "10 shelves"))
    assert (answer.code, answer.err) == (1, "")
    assert answer.out.startswith(
        "10-shelves.shuffles: 20 shuffles on the bench, 1040 cards seen going in and coming out"
    )
    row = next(line for line in answer.out.splitlines() if line.startswith("runs "))
    assert row.endswith("TELLS")
    assert answer.out.splitlines()[-1].startswith("the machine does not shuffle as chance does (runs, ")


def test_a_fair_one_is_0(dealerbox: Any, tmp_path: Path) -> None:
    answer = dealerbox("diag", "audit", "shuffle", "--json", bench_run(tmp_path, "fair"))
    found = json.loads(answer.out)
    assert (answer.code, [one["tells"] for one in found["outcomes"]]) == (0, [False] * 6)


def test_a_page_and_a_picture_are_written(dealerbox: Any, tmp_path: Path) -> None:
    page, picture = tmp_path / "audit.html", tmp_path / "audit.png"
    log = bench_run(tmp_path, "10 shelves")
    dealerbox("diag", "audit", "shuffle", "--html", str(page), "--png", str(picture), log)
    assert picture.read_bytes().startswith(b"\x89PNG\r\n")
    text = page.read_text("utf-8")
    assert "<svg" in text
    assert '<tr class="tells"><td>runs</td>' in text
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")


def test_bench_runs_and_logs_are_judged_apart(dealerbox: Any, tmp_path: Path) -> None:
    (tmp_path / "night.jsonl").write_text('{"seq":2,"event":{}}\n')
    answer = dealerbox("diag", "audit", "shuffle", bench_run(tmp_path, "fair"), str(tmp_path / "night.jsonl"))
    assert (answer.code, "judged apart" in answer.err) == (2, True)


def test_a_bench_run_of_a_newer_version_is_told(dealerbox: Any, tmp_path: Path) -> None:
    newer = tmp_path / "newer.shuffles"
    newer.write_text('{"shuffles":2}\n')
    answer = dealerbox("diag", "audit", "shuffle", str(newer))
    assert (answer.code, answer.err) == (
        65,
        f"{newer}: shuffles of format 2, and this Dealerbox reads up to 1; use a newer one\n",
    )


def test_a_shuffle_that_cannot_be_is_named_by_its_line(dealerbox: Any, tmp_path: Path) -> None:
    odd = tmp_path / "odd.shuffles"
    odd.write_text('{"shuffles":1}\n{"in":2,"out":[1,1]}\n')
    answer = dealerbox("diag", "audit", "shuffle", str(odd))
    assert (answer.code, answer.err) == (65, f"{odd}: line 2: places are 0..1, each once\n")


def test_a_log_that_no_station_signed_is_not_taken_for_chance(dealerbox: Any, table: Path, tmp_path: Path) -> None:
    log = tmp_path / "night.jsonl"
    log.write_text('{"seq":2,"event":{"event":"Tick","at_ns":1},"commands":[]}\n')
    answer = dealerbox("diag", "audit", "shuffle", "--file", str(table), str(log))
    assert answer.code == 65
    assert answer.err.startswith(f"{log}: not signed by any station; audit it on the machine that wrote it")


def test_a_journal_that_is_not_there_is_66(dealerbox: Any, table: Path) -> None:
    assert dealerbox("diag", "audit", "shuffle", "--file", str(table)).code == 66


def test_a_bench_run_is_not_made_where_no_device_is(dealerbox: Any, table: Path, tmp_path: Path) -> None:
    file = tmp_path / "run.shuffles"
    answer = dealerbox("diag", "audit", "bench", "--file", str(table), str(file))
    assert (answer.code, "there is no such port" in answer.err) == (69, True)
    assert not file.exists()


def test_a_bench_run_without_a_shuffle_is_no_audit(dealerbox: Any, tmp_path: Path) -> None:
    empty = tmp_path / "empty.shuffles"
    empty.write_text('{"shuffles":1}\n')
    answer = dealerbox("diag", "audit", "shuffle", str(empty))
    assert (answer.code, answer.err) == (65, "empty.shuffles: no shuffle is in it; make a bench run, or add logs\n")
