"""What an audit comes to: its verdict and its table."""

from collections.abc import Iterator, Sequence
from math import ceil, log10
from typing import Final

import msgspec
from msgspec.structs import replace

from dealerbox.diagnostics.shuffles.cycle import UNREAD, Cycle, ShufflesError
from dealerbox.diagnostics.shuffles.judging import LEVEL, Outcome, judged
from dealerbox.model.cards import DECK_SIZE
from dealerbox.ports import NotAllowed

LEAST_OF_PLAY: Final = 30
"""Shuffles of play that are told of together at the least: fewer would say something of single hands."""
SHARP: Final = 0.01
"""The p above which an outcome of play is nothing."""
PARTS: Final = 13
"""Of a bench run's places in and out, in its table."""


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """An audit's outcome."""

    source: str
    of_play: bool
    shuffles: int
    cards_in: int
    cards_out: int
    seen_twice: int
    """Cards read going in and coming out: what the tests have to go by."""
    outcomes: tuple[Outcome, ...]
    """Of play each p rounded up to a power of ten, and above 0.01 to 1, and no statistic: an exact one would say how
    often neighbours stayed together on one evening, which is more than nothing about each pair of it."""
    counts: tuple[tuple[int, ...], ...] = ()
    """Of a bench run: cards by thirteenths of the way in and out. Of play: nothing, since a table of places tells of
    single cards."""

    @property
    def tells(self) -> bool:
        """Tell whether the machine does not shuffle."""
        return any(outcome.tells for outcome in self.outcomes)

    @property
    def amount(self) -> str:
        """Say how much there was to go by."""
        what = "of play" if self.of_play else "on the bench"
        return f"{self.shuffles} shuffles {what}, {self.seen_twice} cards seen going in and coming out"

    @property
    def verdict(self) -> str:
        """Say it."""
        if self.tells:
            names = ", ".join(outcome.name for outcome in self.outcomes if outcome.tells)
            return f"the machine does not shuffle as chance does ({names}): take it out of service and call its maker"
        return "nothing tells this machine from chance"


def audit(cycles: Sequence[Cycle], source: str, *, of_play: bool) -> Audit:
    """Judge shuffles. ShufflesError where there is none; NotAllowed where so few of play would tell of single hands."""
    if not cycles and not of_play:
        raise ShufflesError(f"{source}: no shuffle is in it; make a bench run, or add logs")
    if of_play and len(cycles) < LEAST_OF_PLAY:
        raise NotAllowed(
            f"{source}: {len(cycles)} shuffles of play; {LEAST_OF_PLAY} at the least are told of together, so that "
            "nothing is said of a single hand: add logs, or make a bench run"
        )
    found = judged(cycles)
    return Audit(
        source=source,
        of_play=of_play,
        shuffles=len(cycles),
        cards_in=sum(cycle.went_in for cycle in cycles),
        cards_out=sum(len(cycle.out) for cycle in cycles),
        seen_twice=sum(place != UNREAD for cycle in cycles for place in cycle.out),
        outcomes=tuple(_blurred(found) if of_play else found),
        counts=() if of_play else _counts(cycles),
    )


def _blurred(outcomes: Sequence[Outcome]) -> Iterator[Outcome]:
    """Yield what may be told of play; nor which of those that do not tell was nearest to it."""
    for one in outcomes:
        p = 10.0 ** ceil(log10(max(one.p, 1e-300))) if one.p <= SHARP else 1.0
        needed = one.needed if one.tells else LEVEL / len(outcomes)
        yield replace(one, statistic=0.0, expected=0.0, p=p, needed=needed)


def _counts(cycles: Sequence[Cycle]) -> tuple[tuple[int, ...], ...]:
    counts = [[0] * PARTS for _ in range(PARTS)]
    for cycle in cycles:
        for at, place in enumerate(cycle.out):
            if place != UNREAD:
                counts[place * PARTS // cycle.went_in][at * PARTS // DECK_SIZE] += 1
    return tuple(map(tuple, counts))
