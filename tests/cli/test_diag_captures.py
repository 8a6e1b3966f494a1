"""`dealerbox diag decode` and `diag replay`, on the captures that lie in tests/captures."""

import json
from pathlib import Path
from typing import Any

CAPTURES = Path(__file__).parents[1] / "captures"
SEATS = CAPTURES / "feig-two-seats.capture"


def test_a_capture_is_explained_frame_by_frame(dealerbox: Any) -> None:
    answer = dealerbox("diag", "decode", str(SEATS))
    lines = answer.out.splitlines()
    assert (answer.code, answer.err) == (0, "")
    assert lines[0].startswith("left, driver feig, tags: pseudonyms, taken by Dealerbox ")
    assert "> software version" in lines[2]
    assert any("< inventory: ok, 1 tag: E0FF" in line for line in lines)


def test_each_frame_is_a_line_of_json(dealerbox: Any) -> None:
    answer = dealerbox("diag", "decode", "--json", str(SEATS))
    first, second = map(json.loads, answer.out.splitlines()[:2])
    assert first == {"us": 0, "way": "-", "says": "the line is opened"}
    assert (second["way"], second["says"], second["bytes"][:6]) == (">", "software version", "05ff65")


def test_half_a_capture_is_explained_as_far_as_it_goes_and_is_65(dealerbox: Any, tmp_path: Path) -> None:
    half = tmp_path / "half.capture"
    half.write_bytes(SEATS.read_bytes()[:3000])
    answer = dealerbox("diag", "decode", str(half))
    assert (answer.code, len(answer.out.splitlines()) > 40) == (65, True)
    assert answer.err.startswith(f"{half}: half a capture: line ")


def test_captures_are_played_into_their_drivers(dealerbox: Any) -> None:
    files = sorted(map(str, CAPTURES.glob("*.capture")))
    answer = dealerbox("diag", "replay", *files)
    assert (answer.code, answer.err) == (0, "")
    assert all(line.endswith("told as they were") for line in answer.out.splitlines())
    assert len(answer.out.splitlines()) == len(files)


def test_a_driver_that_does_otherwise_is_1(dealerbox: Any, tmp_path: Path) -> None:
    other = tmp_path / "other.capture"
    other.write_bytes(SEATS.read_bytes().replace(b'"zone":"seat:2"', b'"zone":"board"', 1))
    answer = dealerbox("diag", "replay", "--json", str(other))
    found = json.loads(answer.out)
    assert answer.code == 1
    assert found["difference"].endswith('"zone":"board"}, now {"event":"ZoneKnown","zone":"seat:2"}')


def test_a_journal_is_no_capture(dealerbox: Any, tmp_path: Path) -> None:
    log = tmp_path / "night.jsonl"
    log.write_text('{"seq":2,"event":{}}\n')
    answer = dealerbox("diag", "replay", str(log))
    assert (answer.code, answer.err) == (
        65,
        f"{log}: no capture: its first line says no `capture`; name what `diag capture` wrote\n",
    )


def test_a_file_that_is_not_there_is_66(dealerbox: Any) -> None:
    assert dealerbox("diag", "decode", "none.capture").code == 66
