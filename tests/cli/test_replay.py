"""`dealerbox replay FILE`: 0 played, 1 a difference, 65 a line of rubbish, 66 no file."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.model.events import KeyPressed, Started
from dealerbox.model.keys import Key
from dealerbox.model.setup import Setup
from dealerbox.model.shuffler import Memory

EVENTS = (Started(1, setup=Setup(table="T1", seats=(1, 3)), memory=Memory(session=1)), KeyPressed(2, Key.START))


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An event log of a start and a key, with the engine's own decisions."""
    monkeypatch.chdir(tmp_path)
    state, lines = State(), []
    for seq, event in enumerate(EVENTS, 1):
        state, commands = step(state, event)
        lines.append(msgspec.json.encode({"seq": seq, "event": event, "commands": commands}) + b"\n")
    path = tmp_path / "night.jsonl"
    path.write_bytes(b"".join(lines))
    return path


def test_a_log_is_printed_as_the_engine_decides_it(dealerbox: Any, log: Path) -> None:
    assert dealerbox("replay", "night.jsonl") == (0, log.read_text(), "")


def test_a_log_with_its_own_decisions_meets_what_is_expected(dealerbox: Any, log: Path) -> None:
    told = "night.jsonl: equal: the engine decides all 2 events as the log says\n"
    assert dealerbox("replay", "--expect", "night.jsonl") == (0, log.read_text(), told)


def test_the_first_difference_is_shown_and_1(dealerbox: Any, log: Path) -> None:
    first, second = log.read_text().splitlines()
    line = msgspec.json.decode(second)
    line["commands"] = []
    log.write_text(f"{first}\n{msgspec.json.encode(line).decode()}\n")
    answer = dealerbox("replay", "--expect", "night.jsonl")
    assert (answer.code, answer.out) == (1, f"{first}\n")
    assert answer.err.startswith("night.jsonl: line 2: decided otherwise about")
    assert len(answer.err.splitlines()) == 3


def test_a_line_of_rubbish_is_one_sentence_and_65(dealerbox: Any, log: Path) -> None:
    log.write_text(log.read_text() + "rubbish\n")
    answer = dealerbox("replay", "night.jsonl")
    assert answer.code == 65
    assert answer.err.startswith("night.jsonl: line 3: no event: ")
    assert len(answer.err.splitlines()) == 1


def test_a_log_that_is_not_there_is_one_sentence_and_66(dealerbox: Any, log: Path) -> None:
    assert dealerbox("replay", "day.jsonl") == (66, "", "day.jsonl: no such file or directory; check the path\n")
