"""One shuffle as it can be judged, and the file in which shuffles of a bench run are kept.

::

    {"shuffles":1,"machine":"..."}       the first line
    {"in":52,"out":[17,3,51,...]}        of each card that came out, in order, its place on the way in, from 0
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from dealerbox.model.cards import DECK_SIZE
from dealerbox.ports import DealerboxError

FORMAT: Final = 1
UNREAD: Final = -1
"""A card that did not go in before this shuffle: it was in the machine already."""


class ShufflesError(DealerboxError):
    """Shuffles cannot be judged: where, what is wrong, what to do."""


class Cycle(msgspec.Struct, frozen=True, rename={"went_in": "in"}):
    """What is known of one shuffle of 52 cards: no card, only places."""

    went_in: int
    """Cards that were read going in before it."""
    out: tuple[int, ...]
    """Of each card that came out after it, in order: its place among those, from 0; UNREAD for another."""

    def fault(self) -> str:
        """Return what is wrong with it; '' nothing."""
        known = [place for place in self.out if place != UNREAD]
        if not 0 <= self.went_in <= DECK_SIZE or len(self.out) > DECK_SIZE:
            return f"{self.went_in} cards in and {len(self.out)} out; a deck has {DECK_SIZE}"
        if len(set(known)) < len(known) or any(not 0 <= place < self.went_in for place in known):
            return f"places are 0..{self.went_in - 1}, each once"
        if len(self.out) - len(known) > DECK_SIZE - self.went_in:
            return f"{len(self.out) - len(known)} cards that did not go in, of {DECK_SIZE - self.went_in}"
        return ""


class _Head(msgspec.Struct, frozen=True):
    shuffles: int
    machine: str = ""


def is_bench_run(first_line: bytes) -> bool:
    """Tell whether a file begins as one of a bench run does."""
    return b'"shuffles"' in first_line[:200] and b'"event"' not in first_line


def lines(cycles: Iterable[Cycle], machine: str = "") -> Iterator[bytes]:
    """Yield the file of a bench run."""
    yield msgspec.json.encode(_Head(FORMAT, machine)) + b"\n"
    for cycle in cycles:
        yield msgspec.json.encode(cycle) + b"\n"


def read(file: Path) -> list[Cycle]:
    """Return the shuffles of a bench run. ShufflesError; OSError when it cannot be read."""
    with file.open("rb") as text:
        try:
            head = msgspec.json.decode(next(text, b""), type=_Head)
        except msgspec.DecodeError as error:
            raise ShufflesError(f"{file}: line 1: no bench run of shuffles: {error}") from error
        if head.shuffles > FORMAT:
            raise ShufflesError(
                f"{file}: shuffles of format {head.shuffles}, and this Dealerbox reads up to {FORMAT}; use a newer one"
            )
        cycles = []
        for number, line in enumerate(text, 2):
            try:
                cycle = msgspec.json.decode(line, type=Cycle)
            except msgspec.DecodeError as error:
                raise ShufflesError(f"{file}: line {number}: no shuffle: {error}") from error
            if cycle.fault():
                raise ShufflesError(f"{file}: line {number}: {cycle.fault()}")
            cycles.append(cycle)
        return cycles
