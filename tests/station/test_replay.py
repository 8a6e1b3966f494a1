import msgspec
import pytest

from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.journal.export import line
from dealerbox.model.events import ButtonAt, KeyPressed, Started, WallClock
from dealerbox.model.keys import Key
from dealerbox.model.setup import DeckInfo, Setup
from dealerbox.model.shuffler import Memory
from dealerbox.station.entry import decode, encode
from dealerbox.station.replay import Difference, LogError, replay

SETUP = Setup(
    table="T1", seats=(1, 3, 5), decks=(DeckInfo(slot=1, name="a", back="red"), DeckInfo(slot=2, name="b", back="blue"))
)
EVENTS = (
    Started(1, setup=SETUP, memory=Memory(session=1)),
    WallClock(2, 1_750_000_000, 72_000, True),
    ButtonAt(3, (3,)),
    KeyPressed(4, Key.START),
    KeyPressed(5, Key.ACK),
)


@pytest.fixture
def log(tmp_path):
    """An event log as the station writes it, its path and its lines."""
    state, lines = State(), []
    for seq, event in enumerate(EVENTS, 2):
        state, commands = step(state, event)
        lines.append(line(seq, encode(event, commands)))
    path = tmp_path / "night.jsonl"
    path.write_bytes(b"".join(lines))
    return path, lines


def test_every_event_and_command_comes_back_from_its_record(log) -> None:
    _, lines = log
    assert tuple(decode(text).event for text in lines) == EVENTS
    assert any(decode(text).commands for text in lines)


def test_a_replay_prints_the_log_again_byte_for_byte(log) -> None:
    path, lines = log
    assert [text.encode() + b"\n" for text in replay(str(path), expect=True)] == lines


def test_the_evenings_of_a_simulation_are_played_each_from_its_own_start(log) -> None:
    path, lines = log
    evening = [line(decode(text).seq - 1, encode(decode(text).event, decode(text).commands)) for text in lines]
    path.write_bytes(b"".join(evening * 2))
    assert [text.encode() + b"\n" for text in replay(str(path), expect=True)] == evening * 2


def test_a_journal_s_log_written_twice_into_one_file_is_told(log) -> None:
    path, lines = log
    path.write_bytes(b"".join(lines * 2))
    with pytest.raises(LogError, match="line 6: seq 2 follows 6; lines were doubled or moved"):
        list(replay(str(path), expect=True))


def test_a_decision_that_differs_is_shown_with_both_sides(log) -> None:
    path, lines = log
    at = next(n for n, text in enumerate(lines) if decode(text).commands)
    entry = decode(lines[at])
    lines[at] = line(entry.seq, encode(entry.event, ()))
    path.write_bytes(b"".join(lines))
    with pytest.raises(Difference, match=rf"night\.jsonl: line {at + 1}: decided otherwise") as caught:
        list(replay(str(path), expect=True))
    assert "in the log: []" in str(caught.value)
    assert f"now:        {msgspec.json.encode(entry.commands).decode()}" in str(caught.value)
    assert len(list(replay(str(path), expect=False))) == len(lines)


def tick(seq: int, event: str = '"event":"Tick","at_ns":1') -> bytes:
    return b'{"seq":%d,"event":{%s},"commands":[]}\n' % (seq, event.encode())


@pytest.mark.parametrize(
    ("number", "text", "said"),
    [
        (2, b"rubbish\n", "line 2: no event: JSON is malformed"),
        (2, b"\xff\xfe\n", "line 2: no event: "),
        (2, b"\n", "line 2: no event: "),
        (2, tick(3, '"event":"Nap","at_ns":1'), "line 2: no event: Invalid value 'Nap'"),
        (2, tick(3, '"event":"Tick"'), "line 2: no event: Object missing required"),
        (2, b"[" * 5000 + b"\n", "line 2: no event: "),
        (2, tick(2), "line 2: seq 2 follows 2; lines were doubled"),
        (1, tick(1), "line 1: a log begins with Started, not Tick"),
        (5, tick(9)[:-1], "line 5: cut short"),
    ],
)
def test_a_line_of_rubbish_is_one_sentence_with_file_and_line(log, number, text, said) -> None:
    path, lines = log
    lines[number - 1] = text
    path.write_bytes(b"".join(lines))
    with pytest.raises(LogError) as caught:
        list(replay(str(path), expect=False))
    assert str(caught.value).startswith(f"{path}: {said}")
    assert "\n" not in str(caught.value)


def test_an_empty_log_is_said_to_be_empty(tmp_path) -> None:
    (tmp_path / "night.jsonl").touch()
    with pytest.raises(LogError, match="the log is empty"):
        list(replay(str(tmp_path / "night.jsonl"), expect=False))
