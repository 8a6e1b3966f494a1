"""`dealerbox diag bundle`: one file for support, made only when nothing in it may not leave."""

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from dealerbox.diagnostics.bundles.file import FORMAT

TESTS = Path(__file__).parents[1]
CAPTURE = TESTS / "captures/feig-two-seats.capture"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The shipped example, with folders of its own; no station runs."""
    shutil.copytree(TESTS.parent / "config", tmp_path, dirs_exist_ok=True)
    file = tmp_path / "station.toml"
    text = file.read_text().replace('"/var/lib/dealerbox"', f'"{tmp_path}/state"')
    file.write_text(text.replace('"/run/dealerbox"', f'"{tmp_path}/run"'))
    (tmp_path / "state").mkdir()
    (tmp_path / "state/token.key").write_bytes(bytes(range(32)))
    return file


def bundled(dealerbox: Any, table: Path, *more: str) -> Any:
    return dealerbox("diag", "bundle", "--file", str(table), *more, str(table.with_name("table.zip")))


def contents(table: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(table.with_name("table.zip")) as source:
        return {name: source.read(name) for name in source.namelist()}


def test_what_can_be_had_is_in_it_and_what_not_is_said_with_why(dealerbox: Any, table: Path) -> None:
    answer = bundled(dealerbox, table, "--capture", str(CAPTURE))
    assert (answer.code, answer.err) == (0, "")
    inside = contents(table)
    assert {"bundle.json", "config/station.toml", "config/decks.json", "versions.json", "disk.json"} <= set(inside)
    assert inside["captures/feig-two-seats.capture"] == CAPTURE.read_bytes()
    left_out = json.loads(inside["bundle.json"])["left_out"]
    assert set(left_out) == {
        "station/status.json", "station/health.json", "station/gauges.json", "log/evening.jsonl",
    }  # fmt: skip
    assert "no station runs there" in left_out["station/health.json"]
    assert "log/evening.jsonl" in answer.out


def test_no_tag_of_a_deck_is_in_the_configuration_that_it_holds(dealerbox: Any, table: Path) -> None:
    text = table.read_text().replace("references = {}", 'references = { 1 = "E00401000000AAAA" }', 1)
    table.write_text(text)
    assert bundled(dealerbox, table).code == 0
    said = contents(table)["config/station.toml"].decode()
    assert 'references = { 1 = "(a tag)" }' in said


@pytest.mark.parametrize(
    ("planted", "said"),
    [
        ("# key {key}", "config/station.toml, line 1: a key of this station"),
        ("# seen: {tag}", "config/station.toml, line 1: a tag of this table"),
        ("# the ace of spades is bent", "config/station.toml, line 1: a face"),
        ("# AGE-SECRET-KEY-1XYZ", "config/station.toml, line 1: a key"),
    ],
)
def test_nothing_is_made_where_something_may_not_leave(dealerbox: Any, table: Path, planted: str, said: str) -> None:
    deck = (table.parent / "decks/example-red.toml").read_text()
    uid = deck[deck.index('"E0') + 1 :][:16] if '"E0' in deck else deck[deck.index("E0") :][:16]
    words = planted.format(key=bytes(range(32)).hex(), tag=bytes.fromhex(uid).hex(":"))
    table.write_text(f"{words}\n{table.read_text()}")
    answer = bundled(dealerbox, table)
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.startswith(said), answer.err
    assert "not made" in answer.err
    assert not table.with_name("table.zip").exists()
    assert [file.name for file in table.parent.iterdir() if "unexamined" in file.name] == []
    assert uid not in answer.err


def test_a_capture_with_tags_as_they_were_is_refused(dealerbox: Any, table: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain.capture"
    plain.write_bytes(CAPTURE.read_bytes().replace(b'"pseudonyms"', b'"as read by anna"', 1))
    answer = bundled(dealerbox, table, "--capture", str(plain))
    assert (answer.code, answer.err) == (77, f"{plain}: has tags as they were read; take another, without --as-read\n")


def test_a_bundle_is_listed_with_what_was_left_out(dealerbox: Any, table: Path) -> None:
    bundled(dealerbox, table)
    file = str(table.with_name("table.zip"))
    answer = dealerbox("diag", "bundle", "--list", file)
    assert answer.code == 0
    assert "config/station.toml" in answer.out
    listed = json.loads(dealerbox("diag", "bundle", "--list", "--json", file).out)
    assert (listed["bundle"], listed["table"]) == (FORMAT, "Table 1")
    assert {member["name"] for member in listed["members"]} == set(contents(table)) - {"bundle.json"}


def test_a_bundle_of_a_newer_version_is_told(dealerbox: Any, tmp_path: Path) -> None:
    newer = tmp_path / "newer.zip"
    with zipfile.ZipFile(newer, "w") as out:
        out.writestr("bundle.json", '{"bundle": 2, "software": "9.1"}')
    answer = dealerbox("diag", "bundle", "--list", str(newer))
    assert (answer.code, answer.err) == (
        65,
        f"{newer}: a bundle of format 2, and this Dealerbox reads up to 1; use the version that made it (9.1), "
        "or a newer one\n",
    )


def test_half_a_bundle_and_what_is_none_are_told(dealerbox: Any, table: Path) -> None:
    bundled(dealerbox, table)
    file = table.with_name("table.zip")
    half = table.with_name("half.zip")
    half.write_bytes(file.read_bytes()[:2000])
    answer = dealerbox("diag", "bundle", "--list", str(half))
    assert (answer.code, answer.err.startswith(f"{half}: no bundle, or half of one (")) == (65, True)
    other = table.with_name("other.zip")
    with zipfile.ZipFile(other, "w") as out:
        out.writestr("letter.txt", "hello")
    assert dealerbox("diag", "bundle", "--list", str(other)).err == (
        f"{other}: no bundle: it has no bundle.json; name what `diag bundle` wrote\n"
    )


def test_a_member_that_was_changed_or_put_in_afterwards_is_told(dealerbox: Any, table: Path) -> None:
    bundled(dealerbox, table)
    file = table.with_name("table.zip")
    inside = contents(table)
    with zipfile.ZipFile(table.with_name("changed.zip"), "w") as out:
        for name, data in inside.items():
            out.writestr(name, data.replace(b"python", b"pythoN") if name == "versions.json" else data)
    answer = dealerbox("diag", "bundle", "--list", str(table.with_name("changed.zip")))
    assert (answer.code, "versions.json is not what it was" in answer.err) == (65, True)
    with zipfile.ZipFile(file, "a") as out:
        out.writestr("uids.txt", "")
    answer = dealerbox("diag", "bundle", "--list", str(file))
    assert (answer.code, "uids.txt was put in afterwards" in answer.err) == (65, True)


def test_a_file_that_is_there_is_not_written_over(dealerbox: Any, table: Path) -> None:
    table.with_name("table.zip").write_text("mine")
    assert bundled(dealerbox, table).code == 2
    assert table.with_name("table.zip").read_text() == "mine"
