"""How values spread: percentiles and a histogram."""

import math
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

STEPS_A_DECADE: Final = (1.0, 2.0, 5.0)


class Spread(msgspec.Struct, frozen=True):
    """Some measured values, ascending."""

    values: tuple[float, ...]

    def at(self, share: float) -> float:
        """Return the value that `share` of them do not exceed (nearest rank); 0 where there is none."""
        if not self.values:
            return 0.0
        return self.values[min(len(self.values), max(1, math.ceil(share * len(self.values)))) - 1]

    @property
    def most(self) -> float:
        return self.values[-1] if self.values else 0.0

    def said(self, unit: str = "ms") -> str:
        """Return p50, p99 and the maximum in words."""
        return f"p50 {self.at(0.5):.3g} {unit}, p99 {self.at(0.99):.3g} {unit}, max {self.most:.3g} {unit}"


class Bar(msgspec.Struct, frozen=True):
    """So many values up to a limit, and above that of the bar before."""

    limit: float
    count: int


def spread(values: Iterable[float]) -> Spread:
    """Return how values spread."""
    return Spread(tuple(sorted(values)))


def bars(of: Spread) -> list[Bar]:
    """Return a histogram in steps of 1, 2, 5, 10, from the first bar that has a value to the last."""
    if not of.values:
        return []
    limits = _limits(of.values)
    counts = [0] * len(limits)
    place = 0
    for value in of.values:
        while value > limits[place]:
            place += 1
        counts[place] += 1
    return [Bar(limit, count) for limit, count in zip(limits, counts, strict=True)]


def _limits(values: Sequence[float]) -> list[float]:
    least, most = max(values[0], 1e-6), max(values[-1], 1e-6)
    decade = math.floor(math.log10(least))
    limits: list[float] = []
    while True:
        for step in STEPS_A_DECADE:
            limit = step * 10.0**decade
            if limits or limit >= least:
                limits.append(limit)
            if limit >= most:
                return limits
        decade += 1
