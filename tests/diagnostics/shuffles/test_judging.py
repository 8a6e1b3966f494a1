"""Each test has the mean, variance and tail that a fair machine gives, and notices what it is for."""

import itertools
import math
from random import Random

import pytest

from bench.shuffled import MACHINES, in_play, on_the_bench
from dealerbox.diagnostics.shuffles import judging
from dealerbox.diagnostics.shuffles.cycle import UNREAD, Cycle
from dealerbox.diagnostics.shuffles.judging import Outcome, holm, judged
from dealerbox.diagnostics.shuffles.tails import chi_square, normal, poisson


@pytest.mark.parametrize("name", ["_runs", "_rising", "_serial", "_kept"])
def test_mean_and_variance_are_those_over_all_orders(name: str) -> None:
    """Of six cards every order is counted."""
    found = [getattr(judging, name)(order) for order in itertools.permutations(range(6))]
    values = [value for value, _, _ in found]
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / len(values)
    assert found[0][1] == pytest.approx(mean)
    assert sum(one for _, _, one in found) / len(found) == pytest.approx(variance)


@pytest.mark.parametrize(("went_in", "out"), [(52, 52), (28, 28), (12, 20)])
def test_neighbours_are_expected_as_often_as_they_come_by_chance(went_in: int, out: int) -> None:
    rng = Random(1)
    cycles = [
        Cycle(went_in, tuple(at if at < went_in else UNREAD for at in rng.sample(range(52), out))) for _ in range(4000)
    ]
    found = judging.adjacency(cycles)
    assert found.statistic == pytest.approx(found.expected, rel=0.06)


def test_the_tails_are_those_of_the_tables() -> None:
    """Abramowitz and Stegun, tables 26.1, 26.7, 26.8."""
    assert normal(1.959964) == pytest.approx(0.05, abs=1e-6)
    assert chi_square(21.666, 9) == pytest.approx(0.01, abs=1e-5)
    assert chi_square(3.325, 9) == pytest.approx(0.95, abs=1e-4)
    assert poisson(5, 2.0) == pytest.approx(1 - sum(math.exp(-2) * 2**k / math.factorial(k) for k in range(5)))
    assert poisson(300, 200.0) == pytest.approx(2.6e-11, rel=0.1)
    assert chi_square(0, 9) == poisson(0, 3.0) == 1.0


def test_holm_asks_more_of_the_first_than_of_the_next_and_ends_at_one_that_does_not_tell() -> None:
    found = holm([Outcome(name, "", 0, 0, p) for name, p in (("a", 0.004), ("b", 0.002), ("c", 0.006), ("d", 0.0099))])
    assert [(one.name, round(one.needed, 4), one.tells) for one in found] == [
        ("a", 0.0033, False),
        ("b", 0.0025, True),
        ("c", 0.005, False),
        ("d", 0.01, False),
    ]


@pytest.mark.parametrize(
    ("machine", "telling"),
    [
        ("10 shelves", {"runs", "serial correlation", "adjacency"}),
        ("5 riffles", {"rising sequences"}),
        (
            "1 in 10 not shuffled",
            {"rising sequences", "adjacency", "order kept", "serial correlation", "position", "runs"},
        ),
    ],
)
def test_a_machine_is_told_by_the_tests_that_are_for_it(machine: str, telling: set[str]) -> None:
    cycles = list(itertools.islice(on_the_bench(MACHINES[machine], Random(5)), 100))
    assert {one.name for one in judged(cycles) if one.tells} >= telling


def test_a_place_that_decides_is_told_by_the_chi_square_of_position() -> None:
    """A machine that leaves the first thirteen at the top."""
    rng = Random(2)
    cycles = [Cycle(52, (*rng.sample(range(13), 13), *rng.sample(range(13, 52), 39))) for _ in range(3)]
    assert {one.name for one in judged(cycles) if one.tells} >= {"position"}


@pytest.mark.parametrize("seen", ["bench", "10", "2"])
def test_a_fair_machine_is_accused_no_more_often_than_said(seen: str) -> None:
    """40 audits at 1 %: two accusations come once in fifteen times, four in thousand; the seed has none of them."""
    rng = Random(7)
    cycles = on_the_bench(MACHINES["fair"], rng) if seen == "bench" else in_play(MACHINES["fair"], int(seen), rng)
    accused = [any(one.tells for one in judged(list(itertools.islice(cycles, 10)))) for _ in range(40)]
    assert sum(accused) <= 1


def test_nothing_at_all_tells_nothing() -> None:
    assert not any(one.tells for one in judged([Cycle(0, ()), Cycle(0, (UNREAD,) * 20)]))
