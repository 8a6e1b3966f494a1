"""An event log played through the engine: JSON Lines in, the engine's own decisions out."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.journal.export import line as log_line
from dealerbox.model.commands import Command
from dealerbox.model.events import Event, Started
from dealerbox.ports import DealerboxError
from dealerbox.station.entry import Entry, decode, encode


class LogError(DealerboxError):
    """A line of an event log cannot be used: file, line number, what is wrong."""


class Difference(DealerboxError):
    """The engine decides otherwise than the log says: file, line number, and both decisions."""


class Decision(msgspec.Struct, frozen=True):
    """What the engine decides about one line of a log."""

    line: int
    seq: int
    event: Event
    commands: tuple[Command, ...]
    expected: tuple[Command, ...]
    """What the log says that was decided."""
    state: State


def play(lines: Iterable[bytes], name: str, state: State | None = None) -> Iterator[Decision]:
    """Yield the engine's decision about each line of the log `name`. LogError at the first line that is none.

    A Started with seq 1 begins another table: a simulation writes its evenings into one file (a journal's
    own seq 1 is no event). Nothing is remembered but the state: a log of any length plays in constant space.
    """
    state, seq, number = state or State(), 0, 0
    for number, text in enumerate(lines, 1):
        entry = _entry(text, f"{name}: line {number}")
        if number == 1 and not isinstance(entry.event, Started):
            raise LogError(
                f"{name}: line 1: a log begins with Started, not {type(entry.event).__name__}; export it whole"
            )
        if entry.seq == 1 and isinstance(entry.event, Started):
            state, seq = State() if number > 1 else state, 0
        if entry.seq <= seq:
            raise LogError(f"{name}: line {number}: seq {entry.seq} follows {seq}; lines were doubled or moved")
        seq = entry.seq
        state, commands = step(state, entry.event)
        yield Decision(number, seq, entry.event, commands, entry.commands, state)
    if not number:
        raise LogError(f"{name}: the log is empty; it begins with a line that holds Started")


def replay(file: str, expect: bool) -> Iterator[str]:
    """Yield the log's lines as the engine decides them now.

    With `expect`, Difference at the first that differs. LogError as `play`; OSError when the file cannot be read.
    """
    with open(Path(file), "rb") as lines:
        for decision in play(lines, file):
            if expect and decision.commands != decision.expected:
                raise Difference(
                    f"{file}: line {decision.line}: decided otherwise about {_json(decision.event)}\n"
                    f"  in the log: {_json(decision.expected)}\n"
                    f"  now:        {_json(decision.commands)}"
                )
            yield log_line(decision.seq, encode(decision.event, decision.commands)).decode().rstrip()


def _entry(text: bytes, place: str) -> Entry:
    if not text.endswith(b"\n"):
        raise LogError(f"{place}: cut short; the log was not copied to its end")
    try:
        return decode(text)
    except msgspec.DecodeError as error:
        raise LogError(f"{place}: no event: {error}") from error
    except RecursionError as error:
        raise LogError(f"{place}: no event: nested too deeply") from error


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
