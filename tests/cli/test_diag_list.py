"""`dealerbox diag list`: what the file names, what is there, how the station finds it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dealerbox.station.asked import Answer
from dealerbox.station.condition import Condition, DeviceHealth

CONFIG = Path(__file__).parents[2] / "config"
Station = Callable[[Callable[[bytes], bytes]], str]


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the shipped example, in the working directory: none of its ports is there."""
    shutil.copytree(CONFIG, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def finds(*devices: DeviceHealth) -> Callable[[bytes], bytes]:
    def answer(line: bytes) -> bytes:
        assert json.loads(line) == {"ask": "health"}
        return msgspec.json.encode(Answer(ok=True, devices=devices)) + b"\n"

    return answer


def listed(answer: Any) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in map(json.loads, answer.out.splitlines())}


def test_a_missing_port_is_told_beside_its_device_and_ends_with_1(dealerbox: Any, example: Path) -> None:
    answer = dealerbox("diag", "list", "station.toml", "--json", "--socket", "nobody.sock")
    assert answer.code == 1
    assert answer.err.startswith("no station is asked: nobody.sock: no such file or directory")
    shuffler = listed(answer)["shuffler"]
    assert (shuffler["there"], shuffler["condition"]) == (False, "")
    assert shuffler["port"].startswith("/dev/")


def test_what_the_station_finds_stands_beside_it(dealerbox: Any, example: Path, station: Station) -> None:
    path = station(finds(DeviceHealth("shuffler", Condition.WRONG, "another machine answers: serial 8, wanted 7")))
    answer = dealerbox("diag", "list", "station.toml", "--socket", path)
    row = next(line for line in answer.out.splitlines() if line.startswith("shuffler"))
    assert row.split()[3:5] == ["missing", "wrong"]
    assert row.endswith("another machine answers: serial 8, wanted 7")


def test_what_it_says_that_it_is_and_its_last_error_stand_beside_one_that_works(
    dealerbox: Any, example: Path, station: Station
) -> None:
    known = DeviceHealth(
        "mouth", Condition.WORKING, last="unplugged", losses=2, identity="FEIG reader of type 4A", firmware="01.02.03"
    )
    path = station(finds(known))
    answer = dealerbox("diag", "list", "station.toml", "--socket", path)
    row = next(line for line in answer.out.splitlines() if line.startswith("mouth"))
    for said in ("working", "FEIG reader of type 4A", "01.02.03", "2 times: unplugged"):
        assert said in row
    assert "hand is open" not in answer.err


def test_in_mid_hand_it_is_said_why_nothing_is_told_of_who_they_are(
    dealerbox: Any, example: Path, station: Station
) -> None:
    path = station(finds(DeviceHealth("mouth", Condition.WORKING)))
    answer = dealerbox("diag", "list", "station.toml", "--socket", path)
    assert "a hand is open: what devices say that they are is told between hands" in answer.err


def test_all_there_and_working_ends_with_0(dealerbox: Any, example: Path, station: Station) -> None:
    text = (example / "station.toml").read_text()
    for number in range(20):
        text = text.replace("/dev/serial/by-path/", f"{example}/tty{number}-", 1)
    (example / "station.toml").write_text(text)
    names = list(listed(dealerbox("diag", "list", "station.toml", "--json", "--socket", "nobody.sock")))
    for one in listed(dealerbox("diag", "list", "station.toml", "--json", "--socket", "nobody.sock")).values():
        if one["port"].startswith("/"):
            Path(one["port"]).touch()
    path = station(finds(*(DeviceHealth(name, Condition.WORKING) for name in names)))
    answer = dealerbox("diag", "list", "station.toml", "--json", "--socket", path)
    assert {one["name"]: one["there"] for one in listed(answer).values()} == dict.fromkeys(names, True)
    assert answer.code == 0


def test_a_file_that_is_not_there_is_said_so(dealerbox: Any) -> None:
    answer = dealerbox("diag", "list", "no-such.toml")
    assert (answer.code, answer.out) == (66, "")
