"""The tests of a shuffle, all of them against one claim: that each order of the 52 cards is as likely as any other.

Under it each statistic's mean and variance are exact for every shuffle, whatever part of it was seen, and sum up over
shuffles. What each test would notice is measured: `python -m bench.shuffled`.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import sqrt
from typing import Final

import msgspec

from dealerbox.diagnostics.shuffles.cycle import UNREAD, Cycle
from dealerbox.diagnostics.shuffles.tails import chi_square, normal, poisson
from dealerbox.model.cards import DECK_SIZE as N

LEVEL: Final = 0.01
"""False alarms that all tests together may give: the 99 % level."""
BLOCKS: Final = 4
"""Into so many parts of equal length places in and out are put, for the chi-square."""
LEAST_SEEN: Final = 3
"""Of a shuffle in which fewer cards are seen on both sides order says nothing."""


class Outcome(msgspec.Struct, frozen=True):
    """One test's outcome."""

    name: str
    asks: str
    statistic: float
    expected: float
    p: float
    """How often a fair machine does as much."""
    needed: float = 0.0
    """The p below which it tells, after Holm's correction for all tests."""
    tells: bool = False


def judged(cycles: Sequence[Cycle]) -> list[Outcome]:
    """Return what each test says, those that tell marked at the 99 % level, corrected by Holm for their number."""
    return holm([one(cycles) for one in _TESTS])


def holm(found: Sequence[Outcome], level: float = LEVEL) -> list[Outcome]:
    """Return the tests with what each must fall below (Holm, 1979)."""
    telling = True
    said: dict[str, Outcome] = {}
    for rank, test in enumerate(sorted(found, key=lambda each: each.p)):
        needed = level / (len(found) - rank)
        telling = telling and test.p < needed
        said[test.name] = msgspec.structs.replace(test, needed=needed, tells=telling)
    return [said[test.name] for test in found]


def position(cycles: Sequence[Cycle]) -> Outcome:
    """Chi-square of place in against place out, with the covariance that cards without replacement have.

    Rows: parts of the way in, and the cards that did not go in; columns: parts of the way out, and what stayed.
    """
    rows, columns = BLOCKS + 1, BLOCKS + 1
    excess = [[0.0] * columns for _ in range(rows)]
    sizes = []
    for cycle in cycles:
        a = [0] * rows
        for place in range(cycle.went_in):
            a[place * BLOCKS // cycle.went_in] += 1
        a[BLOCKS] = N - cycle.went_in
        b = [0] * columns
        for at in range(len(cycle.out)):
            b[at * BLOCKS // N] += 1
        b[BLOCKS] = N - len(cycle.out)
        for row in range(rows):
            for column in range(columns):
                excess[row][column] -= a[row] * b[column] / N
        stayed = list(a)
        for at, place in enumerate(cycle.out):
            row = BLOCKS if place == UNREAD else place * BLOCKS // cycle.went_in
            excess[row][at * BLOCKS // N] += 1
            stayed[row] -= 1
        for row in range(rows):
            excess[row][BLOCKS] += stayed[row]
        sizes.append((a, b))
    kept_rows = [row for row in range(rows) if any(a[row] for a, _ in sizes)][:-1]
    kept_columns = [column for column in range(columns) if any(b[column] for _, b in sizes)][:-1]
    cells = [(row, column) for row in kept_rows for column in kept_columns]
    if not cells:
        return Outcome("position", _ASKS["position"], 0.0, 0.0, 1.0)
    covariance = [[_covariance(sizes, one, other) for other in cells] for one in cells]
    x = [excess[row][column] for row, column in cells]
    statistic = sum(mine * theirs for mine, theirs in zip(x, solved(covariance, x), strict=True))
    return Outcome("position", _ASKS["position"], statistic, len(cells), chi_square(statistic, len(cells)))


def _covariance(sizes: Sequence[tuple[list[int], list[int]]], one: tuple[int, int], other: tuple[int, int]) -> float:
    total = 0.0
    for a, b in sizes:
        of_rows = a[one[0]] * ((one[0] == other[0]) - a[other[0]] / N)
        of_columns = b[one[1]] * ((one[1] == other[1]) - b[other[1]] / N)
        total += of_rows * of_columns / (N - 1)
    return total


def solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return x of `matrix` x = `right`, by elimination; a row that says nothing gives 0."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    pivots: list[int] = []
    for column in range(size):
        best = max(range(len(pivots), size), key=lambda row: abs(rows[row][column]), default=-1)
        if best < 0 or abs(rows[best][column]) < 1e-9:
            continue
        at = len(pivots)
        rows[at], rows[best] = rows[best], rows[at]
        for row in range(size):
            if row != at and rows[row][column]:
                share = rows[row][column] / rows[at][column]
                rows[row] = [mine - share * theirs for mine, theirs in zip(rows[row], rows[at], strict=True)]
        pivots.append(column)
    x = [0.0] * size
    for at, column in enumerate(pivots):
        x[column] = rows[at][size] / rows[at][column]
    return x


Moments = tuple[float, float, float]
"""Of one shuffle: the statistic, its mean, its variance."""


def _runs(seen: Sequence[int]) -> Moments:
    """Runs up and down (Wallis and Moore, 1941)."""
    rises = [later > earlier for earlier, later in pairwise(seen)]
    runs = 1 + sum(one != other for one, other in pairwise(rises))
    m = len(seen)
    return runs, (2 * m - 1) / 3, (16 * m - 29) / 90


def _rising(seen: Sequence[int]) -> Moments:
    """Rising sequences (Bayer and Diaconis, 1992): their number is Eulerian."""
    at = {place: number for number, place in enumerate(seen)}
    order = [at[place] for place in sorted(seen)]
    m = len(seen)
    return 1 + sum(later < earlier for earlier, later in pairwise(order)), (m + 1) / 2, (m + 1) / 12


def _serial(seen: Sequence[int]) -> Moments:
    """Each place times the one that came out after it, around (Wald and Wolfowitz, 1943), of centred ranks."""
    m = len(seen)
    rank = {place: number - (m - 1) / 2 for number, place in enumerate(sorted(seen))}
    x = [rank[place] for place in seen]
    s2, s4 = sum(one**2 for one in x), sum(one**4 for one in x)
    value = sum(one * other for one, other in zip(x, [*x[1:], x[0]], strict=True))
    mean = -s2 / (m - 1)
    return value, mean, (s2**2 - s4) / (m - 1) + (s2**2 - 2 * s4) / ((m - 1) * (m - 2)) - mean**2


def _kept(seen: Sequence[int]) -> Moments:
    """Spearman's rank correlation of the orders in and out."""
    m = len(seen)
    rank = {place: number - (m - 1) / 2 for number, place in enumerate(sorted(seen))}
    total = sum(number**2 for number in rank.values())
    value = sum(rank[place] * (number - (m - 1) / 2) for number, place in enumerate(seen))
    return value / total, 0.0, 1 / (m - 1)


def _summed(name: str, moments: Callable[[Sequence[int]], Moments], least: int) -> Callable[[Sequence[Cycle]], Outcome]:
    def test(cycles: Sequence[Cycle]) -> Outcome:
        value = mean = variance = 0.0
        for cycle in cycles:
            seen = [place for place in cycle.out if place != UNREAD]
            if len(seen) >= least:
                more = moments(seen)
                value, mean, variance = value + more[0], mean + more[1], variance + more[2]
        p = normal((value - mean) / sqrt(variance)) if variance > 0 else 1.0
        return Outcome(name, _ASKS[name], value, mean, p)

    return test


def adjacency(cycles: Sequence[Cycle]) -> Outcome:
    """Cards that went in one after the other and came out so, either way round: nearly Poisson, told when too many."""
    count, mean = 0, 0.0
    for cycle in cycles:
        count += sum(abs(one - other) == 1 for one, other in pairwise(cycle.out) if UNREAD not in (one, other))
        mean += max(0, len(cycle.out) - 1) * 2 * max(0, cycle.went_in - 1) / (N * (N - 1))
    return Outcome("adjacency", _ASKS["adjacency"], count, mean, poisson(count, mean))


_ASKS: Final = {
    "position": "does where a card went in say where it comes out?",
    "runs": "do places go up and down as often as by chance?",
    "rising sequences": "are there pieces of the order in, kept in the order out?",
    "adjacency": "do neighbours stay neighbours?",
    "serial correlation": "does a card say where the next one went in?",
    "order kept": "is the order out that of the way in, or its reverse?",
}
_TESTS: Final[tuple[Callable[[Sequence[Cycle]], Outcome], ...]] = (
    position,
    _summed("runs", _runs, LEAST_SEEN),
    _summed("rising sequences", _rising, LEAST_SEEN),
    adjacency,
    _summed("serial correlation", _serial, LEAST_SEEN + 1),
    _summed("order kept", _kept, LEAST_SEEN),
)
