"""The control sockets under any frames at all: each is answered, none changes the table, memory stays where it was.

Noise, lines of JSON cut, flipped and doubled, questions with a key too many or a wrong one, lists in lists, lines that
are too long, callers who hang up in mid-line; at each of the three sockets, with the real engine behind it. Where
something may be changed, whole questions that would change it are left out: they are no fuzz there.
"""

import asyncio
import contextlib
import json
import random
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.engine.view import view
from dealerbox.model.events import Event, Started
from dealerbox.model.keys import Ruling
from dealerbox.model.setup import DeckInfo, Setup
from dealerbox.model.shuffler import Memory
from dealerbox.station.asked import Authority
from dealerbox.station.control import LONGEST_LINE, Control

WHOLE: Final[tuple[dict[str, Any], ...]] = (
    {"ask": "status"},
    {"ask": "health"},
    {"ask": "gauges"},
    {"ask": "service", "on": True},
    {"ask": "lend", "device": "feig-1"},
    {"ask": "vouch", "digest": "a" * 64},
    {"ask": "decks"},
    {"ask": "dealer", "badge": "D-17"},
    *({"ask": "rule", "ruling": one.value, "reason": "so", "seat": 1, "seats": [1, 2]} for one in Ruling),
)
CHANGING: Final = frozenset({"service", "lend", "decks", "dealer", "rule"})
ODD: Final = (None, True, -1, 2**70, 1.5e300, "", "x" * 300, [], {}, [[[]]], "stand", "start", "\u0000", "\ud7ff")
AT_ONCE: Final = 64
"""Frames that are sent before their answers are read."""
GROWTH_KIB: Final = 8 * 1024
"""How much more memory the second half of a run may take than the first."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it."""

    figure: str = "frames"
    frames: int
    answered: int
    hung_up: int
    """Callers that were hung up on, or hung up."""
    events: int
    """Of them that reached the engine: there must be none."""
    changed: bool
    """The state is another."""
    growth_kib: int
    seconds: float

    @property
    def sound(self) -> bool:
        """Whether every frame was answered, and nothing came of any."""
        return self.frames == self.answered and not self.events and not self.changed and self.growth_kib < GROWTH_KIB


def frames(rng: random.Random, authority: Authority) -> Iterator[bytes]:
    """Return frames without end: lines without their newline, none of which may change anything at that socket."""
    makers = (_noise, _mutant, _mutant, _wrong, _wrong, _nested)
    while True:
        frame = rng.choice(makers)(rng).replace(b"\n", b" ")[:LONGEST_LINE]
        if authority is Authority.LOOK or not _changes(frame):
            yield frame
        if authority is Authority.LOOK:
            yield json.dumps(rng.choice(WHOLE)).encode()


def _noise(rng: random.Random) -> bytes:
    return rng.randbytes(rng.randrange(200))


def _nested(rng: random.Random) -> bytes:
    return rng.choice([b"[", b'{"ask":', b'{"a":[', b'"', b"\xff", b"0"]) * rng.randrange(1, 600)


def _mutant(rng: random.Random) -> bytes:
    """A whole question with bytes flipped, cut out or doubled."""
    line = bytearray(json.dumps(rng.choice(WHOLE)).encode())
    for _ in range(rng.randrange(1, 6)):
        place = rng.randrange(len(line) + 1)
        match rng.randrange(4):
            case 0 if place < len(line):
                line[place] ^= 1 << rng.randrange(8)
            case 1:
                del line[place : place + rng.randrange(1, 9)]
            case 2:
                line[place:place] = line[place : place + rng.randrange(1, 30)]
            case _:
                line.insert(place, rng.randrange(256))
    return bytes(line)


def _wrong(rng: random.Random) -> bytes:
    """A question that says something else than it may: a key too many, or a value that is no value of its key."""
    asked = dict(rng.choice(WHOLE))
    if rng.random() < 0.5:
        asked[rng.choice(["by", "uid", "key", "at_ns", "event", "x" * 200])] = rng.choice(ODD)
    else:
        asked["ask"] = rng.choice([*ODD, "key", "start", "press", "Started"])
    return json.dumps(asked).encode()


def _changes(frame: bytes) -> bool:
    """Tell whether a frame is whole enough that it might be a question that changes something."""
    try:
        asked = json.loads(frame)
    except (ValueError, RecursionError):
        return False
    known = {"ask", "on", "device", "badge", "ruling", "reason", "seat", "seats", "tokens", "value"}
    return isinstance(asked, dict) and str(asked.get("ask")) in CHANGING and set(asked) <= known


class Behind:
    """The engine behind the sockets."""

    def __init__(self) -> None:
        decks = (DeckInfo(slot=1, name="a", back="red"), DeckInfo(slot=2, name="b", back="blue"))
        setup = Setup(table="frames", seats=(1, 2), decks=decks)
        self.state, _ = step(State(), Started(1, setup=setup, memory=Memory(session=1)))
        self.events = 0

    def emit(self, event: Event) -> None:
        """Take what a caller made of it."""
        self.events += 1
        self.state, _ = step(self.state, event)


def fuzz(number: int, seed: int) -> Found:
    """Send `number` frames and return what came of them."""
    return asyncio.run(_fuzz(number, seed))


async def _fuzz(number: int, seed: int) -> Found:
    rng, behind, began = random.Random(seed), Behind(), time.perf_counter()
    before, sent, answered, hung_up, half_kib = repr(behind.state), 0, 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for place, authority in enumerate(Authority):
            control = Control(
                authority, view=lambda: view(behind.state), devices=tuple, emit=behind.emit, clock=lambda: 2
            )
            path = Path(folder) / authority.value
            await control.open(path)
            caller = _Caller(path, frames(rng, authority), rng)
            upto = number * (place + 1) // len(Authority)
            while sent < upto:
                asked = min(AT_ONCE, upto - sent)
                answered += await caller.ask(asked)
                sent += asked
                if not half_kib and sent >= number // 2:
                    half_kib = _peak_kib()
            hung_up += caller.hung_up
            await caller.close()
            await control.close()
    return Found(
        frames=sent,
        answered=answered,
        hung_up=hung_up,
        events=behind.events,
        changed=repr(behind.state) != before,
        growth_kib=_peak_kib() - half_kib,
        seconds=round(time.perf_counter() - began, 1),
    )


class _Caller:
    """One who asks, and calls again when the line is gone."""

    def __init__(self, path: Path, lines: Iterator[bytes], rng: random.Random) -> None:
        self._path, self._lines, self._rng = path, lines, rng
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.hung_up = 0

    async def ask(self, number: int) -> int:
        """Send so many frames at once and return how many were answered."""
        reader, writer = self._line = self._line or await asyncio.open_unix_connection(self._path)
        asked = [next(self._lines) for _ in range(number)]
        writer.write(b"".join(line + b"\n" for line in asked))
        answers = [await reader.readline() for _ in asked]
        answered = sum(1 for answer in answers if answer.startswith(b"{") and answer.endswith(b"}\n"))
        match self._rng.randrange(20):
            case 0:
                writer.write(b"x" * (LONGEST_LINE + 1 + self._rng.randrange(9_000)))
                assert b"a line may have" in await reader.readline()
                await self.close()
            case 1:
                writer.write(json.dumps(self._rng.choice(WHOLE)).encode()[:-1])
                await self.close()
        return answered

    async def close(self) -> None:
        """Hang up."""
        if self._line:
            self.hung_up += 1
            _, writer = self._line
            self._line = None
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()


def _peak_kib() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
