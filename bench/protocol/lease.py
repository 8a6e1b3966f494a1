"""The lease in time: how long after a host's death may its gate still be open?

Host and device share a line that keeps a frame back for up to `line_ticks`. A heartbeat echoes the tick of the newest
STATUS read; the lease runs from that tick, or, in the simplification, from the moment of arrival.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

LEASE: Final = 4


class Time(NamedTuple):
    """All times are ages in ticks."""

    runs: int = 0
    """What is left of the lease."""
    read: int | None = None
    """Age of the newest tick that the host has read; None: none yet."""
    dead: int | None = None
    """How long the host has been dead."""
    statuses: tuple[int, ...] = ()
    """Ages of those on the line."""
    beats: tuple[tuple[int, int], ...] = ()
    """(age of the tick echoed, age of the frame) of those on the line."""


def outlived(*, line_ticks: int, by_arrival: bool, in_flight: int = 1) -> tuple[int, int]:
    """Return how many ticks after its last reading a dead host's lease may run, at most, and the states looked at."""
    longest = 0
    known = {Time()}
    todo = [Time()]
    while todo:
        now = todo.pop()
        if now.dead is not None and now.read is not None and now.runs > 0:
            longest = max(longest, now.dead + 1)
        for after in _moves(now, line_ticks, by_arrival, in_flight):
            if after not in known:
                known.add(after)
                todo.append(after)
    return longest, len(known)


def _moves(now: Time, line_ticks: int, by_arrival: bool, in_flight: int) -> Iterator[Time]:
    yield _later(now, line_ticks)
    if len(now.statuses) < in_flight and 0 not in now.statuses:
        yield now._replace(statuses=tuple(sorted((*now.statuses, 0))))
    if now.dead is None:
        for age in now.statuses:
            yield now._replace(read=age if now.read is None else min(age, now.read))
        if now.read is not None and len(now.beats) < in_flight:
            yield now._replace(beats=tuple(sorted({*now.beats, (now.read, 0)})))
        yield now._replace(dead=0)
    for beat in now.beats:
        yield now._replace(runs=max(now.runs, LEASE if by_arrival else LEASE - beat[0]))


def _later(now: Time, line_ticks: int) -> Time:
    end = LEASE + line_ticks + 2  # later than this nothing changes any more
    older = tuple(age + 1 for age in now.statuses if age < line_ticks)
    beats = tuple((tick + 1, age + 1) for tick, age in now.beats if age < line_ticks)
    read = None if now.read is None else min(now.read + 1, end)
    dead = None if now.dead is None else min(now.dead + 1, end)
    return Time(max(0, now.runs - 1), read, dead, older, beats)
