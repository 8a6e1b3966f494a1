"""Contacts bounce: each press once, a stuck key alarms, nothing is lost."""

from dataclasses import dataclass
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealerbox_drivers.pins.debounce import MS, Feel, NotSettled, Steady, Touch

PRESS = [Feel.PRESSED, Feel.RELEASED]


def touched(*looks: tuple[str, bool, float], stable_ms: float = 15) -> list[Feel]:
    """Give looks (edge or read, down, at ms) to a key; return all it told."""
    key = Touch(stable_ms=stable_ms)
    told: list[Feel] = []
    for kind, down, at_ms in looks:
        told.extend(getattr(key, kind)(down, round(at_ms * MS)))
    return told


def test_a_value_is_believed_after_the_stable_time_and_not_before() -> None:
    level: Steady[str] = Steady(15)
    assert not level.known
    with pytest.raises(NotSettled):
        _ = level.settled
    assert not level.read("up", 0)
    assert level.due_ns == 15 * MS
    assert not level.read("up", 14 * MS)
    assert level.read("up", 15 * MS)
    assert (level.settled, level.since_ns, level.due_ns) == ("up", 0, None)


def test_an_edge_to_the_level_already_seen_tells_of_a_lost_one() -> None:
    level: Steady[bool] = Steady(15)
    level.read(False, 0)
    level.read(False, 15 * MS)
    level.edge(True, 100 * MS)
    assert not level.edge(True, 120 * MS)
    assert level.due_ns == 135 * MS


def test_a_look_that_comes_late_does_not_turn_time_back() -> None:
    level: Steady[bool] = Steady(15)
    level.read(True, 100 * MS)
    level.edge(False, 90 * MS)
    assert level.due_ns == 115 * MS


def test_a_press_is_told_when_it_stood_still() -> None:
    assert touched(("read", False, 0), ("read", False, 20), ("edge", True, 100), ("read", True, 114)) == []
    assert touched(("read", False, 0), ("read", False, 20), ("edge", True, 100), ("read", True, 115)) == [Feel.PRESSED]


def test_a_ghost_pulse_shorter_than_the_stable_time_is_no_press() -> None:
    assert touched(("read", False, 0), ("read", False, 20), ("edge", True, 100), ("edge", False, 110)) == []


def test_a_press_is_found_late_when_the_loop_was_busy_meanwhile() -> None:
    looks = (("read", False, 0), ("read", False, 20), ("edge", True, 100), ("edge", False, 200), ("read", False, 300))
    assert touched(*looks) == PRESS


def test_a_press_whose_edges_were_lost_is_found_by_reading() -> None:
    looks = [("read", 100 <= at < 200, float(at)) for at in range(0, 400, 20)]
    assert touched(*looks) == PRESS


def test_a_long_press_is_told_once_while_it_lasts() -> None:
    looks = [("read", 100 <= at < 1500, float(at)) for at in range(0, 1800, 20)]
    assert touched(*looks) == [Feel.PRESSED, Feel.HELD, Feel.RELEASED]


def test_a_press_let_go_just_before_the_long_time_is_not_long() -> None:
    looks = [("read", 100 <= at < 1098, float(at)) for at in range(0, 1300, 2)]
    assert touched(*looks) == PRESS


def test_a_stuck_key_alarms_gives_no_more_presses_and_is_freed() -> None:
    key = Touch(stuck_ms=10_000)
    told = [(at, feel) for at in range(0, 13_000, 50) for feel in key.read(100 <= at < 12_000, at * MS)]
    assert told == [(150, Feel.PRESSED), (1100, Feel.HELD), (10_100, Feel.STUCK), (12_050, Feel.FREED)]


def test_a_key_down_at_the_start_gives_no_press_until_it_was_let_go() -> None:
    looks = [("read", at < 500 or 600 <= at < 700, float(at)) for at in range(0, 900, 20)]
    assert touched(*looks) == PRESS


def test_a_key_stuck_from_the_start_alarms_too() -> None:
    key = Touch(stuck_ms=10_000)
    told = [feel for at in range(0, 12_000, 50) for feel in key.read(at < 11_000, at * MS)]
    assert told == [Feel.STUCK, Feel.FREED]


def test_the_next_read_is_asked_for_when_it_can_prove_something() -> None:
    key = Touch()
    key.read(False, 0)
    assert key.due_ns == 15 * MS
    key.read(False, 15 * MS)
    assert key.due_ns is None
    key.edge(True, 100 * MS)
    assert key.due_ns == 115 * MS
    key.read(True, 115 * MS)
    assert key.due_ns == 1100 * MS
    key.read(True, 1100 * MS)
    assert key.due_ns == 10_100 * MS


@dataclass(frozen=True)
class Move:
    """A contact closes or opens: gaps between the edges of its bounce, then it stands still."""

    bounce_us: tuple[int, ...]
    still_ms: int


def moves(gap_us: int, burst: int, still_ms: int) -> st.SearchStrategy[list[Move]]:
    """Pairs of a press and a release."""
    gaps = st.lists(st.integers(1, gap_us), max_size=burst).map(lambda some: tuple(some[: len(some) // 2 * 2]))
    move = st.builds(Move, gaps, st.integers(still_ms, 400))
    return st.lists(st.tuples(move, move), max_size=6).map(lambda pairs: [move for pair in pairs for move in pair])


def contact(moved: list[Move]) -> tuple[list[tuple[int, bool]], int]:
    """Return the edges (ns, down) of a contact that is up at the start, and the time all is over."""
    at_ns, down, edges = 100 * MS, False, []
    for move in moved:
        down = not down
        edges.append((at_ns, down))
        bouncing = down
        for gap_us in move.bounce_us:  # an even number: it ends as it began
            at_ns += gap_us * 1000
            bouncing = not bouncing
            edges.append((at_ns, bouncing))
        at_ns += move.still_ms * MS
    return edges, at_ns + 200 * MS


def felt_by_key(edges: list[tuple[int, bool]], heard: list[bool], end_ns: int, read_ms: int = 50) -> list[Feel]:
    """Play a contact to a key as the panel does: edges that were heard, reads when due and every `read_ms`."""
    key, told, now_ns, level = Touch(), [], 0, False
    waiting = [(at_ns, down, ok) for (at_ns, down), ok in zip(edges, heard, strict=True)]
    while now_ns < end_ns:
        told.extend(key.read(level, now_ns))
        until_ns = min(now_ns + read_ms * MS, key.due_ns or end_ns)
        if waiting and waiting[0][0] <= until_ns:
            until_ns, level, ok = waiting.pop(0)
            told.extend(key.edge(level, until_ns) if ok else ())
        now_ns = max(until_ns, now_ns + 1)
    return told


@given(moves(gap_us=14_000, burst=12, still_ms=17))
def test_no_press_is_lost_or_doubled_however_long_it_bounces(moved: list[Move]) -> None:
    edges, end_ns = contact(moved)
    assert felt_by_key(edges, [True] * len(edges), end_ns) == PRESS * (len(moved) // 2)


@given(moves(gap_us=1_000, burst=12, still_ms=80), st.randoms(use_true_random=False), st.sampled_from([0.0, 0.3, 0.9]))
def test_lost_edges_lose_no_press_that_lasts(moved: list[Move], rng: Random, heard: float) -> None:
    edges, end_ns = contact(moved)
    ears = [rng.random() < heard for _ in edges]
    assert felt_by_key(edges, ears, end_ns) == PRESS * (len(moved) // 2)


@given(st.lists(st.tuples(st.integers(1, 14_900), st.integers(50, 300)), max_size=8))
def test_ghost_pulses_never_press(pulses: list[tuple[int, int]]) -> None:
    edges, at_ns = [], 100 * MS
    for long_us, gap_ms in pulses:
        edges += [(at_ns, True), (at_ns + long_us * 1000, False)]
        at_ns += long_us * 1000 + gap_ms * MS
    assert felt_by_key(edges, [True] * len(edges), at_ns + 100 * MS) == []
