"""An event log played through the engine: JSON Lines in, the engine's own decisions out."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.journal.export import line as log_line
from dealerbox.model.commands import AnyCommand, Command
from dealerbox.model.events import AnyEvent, Event, Started
from dealerbox.ports import DealerboxError
from dealerbox.station.entry import encode


class Exported(msgspec.Struct, frozen=True):
    """The closing line of an exported journal."""

    records: int
    head: str


class LogError(DealerboxError):
    """A line of an event log cannot be used: file, line number, what is wrong."""


class Difference(DealerboxError):
    """The engine decides otherwise than the log says: file, line number, and both decisions."""


class _Line(msgspec.Struct, frozen=True):
    """A line of a log: an event, or one of the records beside them that an exported journal has too."""

    event: AnyEvent | None = None
    commands: tuple[AnyCommand, ...] = ()
    seq: int = 0
    record: str = ""
    state: State | None = None
    """Of a base: where a pruned journal begins."""
    exported: Exported | None = None


class Decision(msgspec.Struct, frozen=True):
    """What the engine decides about one line of a log."""

    line: int
    seq: int
    event: Event
    commands: tuple[Command, ...]
    expected: tuple[Command, ...]
    """What the log says that was decided."""
    state: State


_LINE: Final = msgspec.json.Decoder(_Line)


def play(lines: Iterable[bytes], name: str, state: State | None = None) -> Iterator[Decision]:
    """Yield the engine's decision about each event of the log `name`. LogError at the first line that is none.

    A Started with seq 1 begins another table: a simulation writes its evenings into one file (a journal's
    own seq 1 is no event). Nothing is remembered but the state: a log of any length plays in constant space.
    """
    state, seq, number, begun = state or State(), 0, 0, False
    for number, text in enumerate(lines, 1):
        place = f"{name}: line {number}"
        entry = _line(text, place)
        if entry.exported:
            continue
        if entry.event is None:
            state = entry.state or state
            begun = begun or entry.state is not None
        elif not begun and not isinstance(entry.event, Started):
            raise LogError(f"{place}: a log begins with Started, not {type(entry.event).__name__}; export it whole")
        if entry.seq == 1 and isinstance(entry.event, Started):
            state, seq = State() if number > 1 else state, 0
        if entry.seq <= seq:
            raise LogError(f"{place}: seq {entry.seq} follows {seq}; lines were doubled or moved")
        seq = entry.seq
        if entry.event is not None:
            begun = True
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


def _line(text: bytes, place: str) -> _Line:
    if not text.endswith(b"\n"):
        raise LogError(f"{place}: cut short; the log was not copied to its end")
    try:
        read = _LINE.decode(text)
    except msgspec.DecodeError as error:
        raise LogError(f"{place}: no event: {error}") from error
    except RecursionError as error:
        raise LogError(f"{place}: no event: nested too deeply") from error
    if read.event is None and not read.record and not read.exported:
        raise LogError(f"{place}: no event: Object missing required field `event`")
    return read


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
