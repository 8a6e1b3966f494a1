"""What a Debian package brings, and what it waits for; installed as a whole by `make installed`."""

import importlib.machinery
import importlib.util
import json
import os
import re
import socket
import subprocess
import sys
import threading
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from dealerbox.engine.facts import in_hand
from dealerbox.engine.phases import Phase
from dealerbox.engine.state import State
from dealerbox.model.view import View

ROOT = Path(__file__).parents[2]
WAITING = ROOT / "deb" / "between-hands"


@pytest.fixture(scope="module")
def wheels() -> ModuleType:
    spec = importlib.util.spec_from_file_location("wheels", ROOT / "deb" / "wheels.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("python", "machine", "pins"),
    [
        ("3.11", "aarch64", ["lgpio"]),
        ("3.13", "aarch64", ["adafruit-lgpio"]),
        ("3.11", "x86_64", []),
        ("3.13", "x86_64", []),
    ],
)
def test_a_package_brings_what_its_own_machine_needs_whichever_makes_it(wheels, python, machine, pins) -> None:
    lock = (ROOT / "locks" / f"table-py{python}.txt").read_text("utf-8")
    asked = list(wheels.wanted(lock, python, machine))
    names = [line.split("==")[0] for line in asked]
    assert [name for name in names if "lgpio" in name] == pins
    assert {"msgspec", "pynacl", "pyserial", "luma-oled"} <= set(names)
    assert not {"pytest", "mypy", "pyrage", "pokerkit"} & set(names)
    assert all(" --hash=sha256:" in line and ";" not in line for line in asked)


def test_a_table_has_all_that_the_project_asks_for_but_what_enrols_decks(wheels) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    asked = [*project["dependencies"], *(each for extra in extras.keys() - {"decks"} for each in extras[extra])]
    for python in ("3.11", "3.13"):
        lock = (ROOT / "locks" / f"table-py{python}.txt").read_text("utf-8")
        brought = {line.split("==")[0] for line in wheels.wanted(lock, python, "x86_64")}
        names = {re.split(r"[ ><=;]", each)[0].replace(".", "-") for each in asked if "aarch64" not in each}
        assert names <= brought


def test_every_version_of_a_package_is_the_one_that_was_tested(wheels) -> None:
    for python in ("3.11", "3.13"):
        tested = (ROOT / "locks" / f"py{python}.txt").read_text("utf-8")
        for line in wheels.wanted((ROOT / "locks" / f"table-py{python}.txt").read_text("utf-8"), python, "aarch64"):
            assert f"{line.split(' --hash=')[0]} " in tested


def test_a_list_names_a_file_by_its_place_on_the_box_and_its_hash(wheels, tmp_path) -> None:
    file = tmp_path / "x-1-py3-none-any.whl"
    file.write_bytes(b"abc")
    assert wheels.line_of(file) == (
        "/usr/lib/dealerbox/wheels/x-1-py3-none-any.whl --hash=sha256:"
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )


@pytest.fixture
def station(tmp_path) -> Iterator[Callable[[bytes], str]]:
    """A station of the test's own: `station(answer)` is the path of its socket."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listening.bind(str(tmp_path / "control.sock"))
    listening.listen()

    def serve(answer: bytes) -> None:
        caller, _ = listening.accept()
        with caller:
            assert json.loads(caller.recv(999)) == {"ask": "status"}
            caller.sendall(answer)

    def at(answer: bytes) -> str:
        threading.Thread(target=serve, args=(answer,), daemon=True).start()
        return str(tmp_path / "control.sock")

    yield at
    listening.close()


def waited(path: str) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "DEALERBOX_WAIT_S": "0"}
    return subprocess.run(
        [sys.executable, WAITING, "upgrade", path], env=environ, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("phase", Phase)
def test_a_table_is_left_alone_while_a_hand_is_open_and_only_then(station, phase: Phase) -> None:
    view = msgspec.json.encode(View(table="T1", phase=phase, hand=4)) + b"\n"
    said = waited(station(view))
    state = State()
    state.phase = phase
    assert said.returncode == in_hand(state)
    assert said.stderr == (
        "dealerbox: a hand is open; nothing was changed. "
        "When it is over, upgrade again, before the next one is started.\n"
        if said.returncode
        else ""
    )


def test_the_end_of_the_hand_is_waited_for_and_said_once(monkeypatch, capsys) -> None:
    loader = importlib.machinery.SourceFileLoader("between_hands", str(WAITING))
    spec = importlib.util.spec_from_loader("between_hands", loader)
    assert spec
    waiting = importlib.util.module_from_spec(spec)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    loader.exec_module(waiting)
    phases = iter(["dealing", "betting", "showdown", "gathering"])
    slept: list[float] = []
    monkeypatch.setattr(waiting, "phase", lambda path: next(phases))
    monkeypatch.setattr(waiting.time, "sleep", slept.append)
    assert waiting.main("upgrade") == 0
    assert capsys.readouterr().err == "dealerbox: a hand is open: waiting for its end to upgrade.\n"
    assert slept == [1.0] * 3


def test_where_no_station_runs_nothing_is_waited_for(tmp_path) -> None:
    assert waited(str(tmp_path / "none.sock")).returncode == 0
    left = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    left.bind(str(tmp_path / "left.sock"))  # of one that was killed
    assert waited(str(tmp_path / "left.sock")).returncode == 0
    left.close()


@pytest.mark.parametrize("answer", [b"", b"rubbish\n", b'{"error":"no"}\n'])
def test_a_station_that_makes_no_sense_may_have_a_hand_open(station, answer: bytes) -> None:
    said = waited(station(answer))
    assert said.returncode == 1
    assert "a hand may be open" in said.stderr


def test_a_shell_is_told_how_a_command_goes_on() -> None:
    words = {"_DEALERBOX_COMPLETE": "bash_complete", "COMP_WORDS": "dealerbox sta", "COMP_CWORD": "1"}
    environ = {**os.environ, **words, "PYTHONPATH": f"{ROOT}:{ROOT / 'drivers'}"}
    said = subprocess.run([sys.executable, "-m", "dealerbox"], env=environ, capture_output=True, text=True, check=True)
    assert said.stdout == "plain,status\n"
