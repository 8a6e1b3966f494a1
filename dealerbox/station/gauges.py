"""The station's gauges: how its wires, pins, journal and clocks are, in numbers, for a technician.

Counters that only grow are read between two events, when somebody asks; nothing here is on a card's way. While a hand
is open they say what the status says, counts and zones: no message's content, and no device's own words.
"""

from collections.abc import Collection
from typing import Any

import msgspec

from dealerbox.engine.state import State
from dealerbox.journal.writer import Writer
from dealerbox.law.custody import MINUTE_NS, NEVER_NS, SECOND_NS, TOURNAMENT_NS, Since
from dealerbox.ports import Device
from dealerbox_drivers.traffic import Traffic

_US = 1e6
UNKNOWN = -1
"""Seconds of what has not happened, or of a limit that nothing says."""


class Spread(msgspec.Struct, frozen=True):
    """How long something takes, microseconds, over the last `of` times."""

    of: int = 0
    p50_us: int = 0
    p99_us: int = 0
    most_us: int = 0


class Wire(msgspec.Struct, frozen=True, kw_only=True):
    """What went over a device's wire since the start of the station."""

    opened: int = 0
    """Times that its line was opened."""
    looks: int = 0
    """Times that it was asked what it senses: polls."""
    frames: int = 0
    """Messages that came in and were understood."""
    faults: int = 0
    """Bytes that made no frame, and messages that could not be used."""
    missing: int = 0
    """Answers that did not come in time."""
    resyncs: int = 0
    """Times that the two sides were out of step and found each other again."""
    trip: Spread = Spread()
    """From a question to its answer."""


class DeviceGauge(msgspec.Struct, frozen=True, kw_only=True):
    """One device."""

    name: str
    wire: Wire | None = None
    """None: it has none that counts."""
    pins: dict[str, str] = {}
    """Contacts, lamps and sensors by name: up, down, stuck, closed; on, off."""


class JournalGauge(msgspec.Struct, frozen=True, kw_only=True):
    """The journal."""

    records: int
    """Given so far, in all its life."""
    durable: int
    """Of these, on the disk."""
    left: int
    """For about how many more there is room."""
    evening: int
    """How many an evening is reckoned to need."""
    sync: Spread
    """From the taking up of one record, or of several that waited, to the disk's word."""


class Limit(msgspec.Struct, frozen=True, kw_only=True):
    """One clock of the law."""

    what: str
    least_s: int = UNKNOWN
    """Passed at least; -1: it has not begun."""
    most_s: int = UNKNOWN
    """Passed at most; -1: nothing says."""
    limit_s: int


class ClockGauge(msgspec.Struct, frozen=True, kw_only=True):
    """Time as the station has it."""

    boottime_s: int
    up_s: int
    """Since the start of the station."""
    wall_s: int = 0
    """Last reading of the wall clock, seconds since the epoch; 0: none."""
    wall_age_s: int = 0
    wall_sure: bool = False
    late_ms: int = 0
    """How much later than asked for the loop woke when the watchdog last looked."""
    limits: tuple[Limit, ...] = ()


class Gauges(msgspec.Struct, frozen=True, kw_only=True):
    """Everything, at one moment."""

    at_ns: int
    devices: tuple[DeviceGauge, ...]
    journal: JournalGauge
    clocks: ClockGauge


def device_gauge(device: Device) -> DeviceGauge:
    """Return what a device counts and senses; one that counts nothing has its name alone."""
    traffic: Traffic | None = getattr(device, "traffic", None)
    pins: Any = getattr(device, "pins", None)
    return DeviceGauge(
        name=device.name,
        wire=_wire(traffic, getattr(device, "faults", 0)) if traffic else None,
        pins=pins() if pins else {},
    )


def journal_gauge(journal: Writer, evening: int) -> JournalGauge:
    """Return how a journal is."""
    return JournalGauge(
        records=journal.newest,
        durable=journal.synced.seq,
        left=journal.left,
        evening=evening,
        sync=spread([took_ns / SECOND_NS for took_ns in journal.took_ns]),
    )


def clock_gauge(state: State, now_ns: int, began_ns: int, late_ms: int) -> ClockGauge:
    """Return the clocks at `now_ns`, with those of the law as `state` has them."""
    wall = state.wall
    return ClockGauge(
        boottime_s=now_ns // SECOND_NS,
        up_s=(now_ns - began_ns) // SECOND_NS,
        wall_s=wall.wall_s if wall else 0,
        wall_age_s=(now_ns - wall.at_ns) // SECOND_NS if wall else 0,
        wall_sure=bool(wall and wall.sure),
        late_ms=late_ms,
        limits=_limits(state, now_ns),
    )


def spread(times_s: Collection[float]) -> Spread:
    """Return the median, the 99th percentile and the longest of some times."""
    if not times_s:
        return Spread()
    ordered = sorted(times_s)
    last = len(ordered) - 1
    at = (ordered[last // 2], ordered[round(last * 0.99)], ordered[last])
    return Spread(len(ordered), *(round(time_s * _US) for time_s in at))


def _wire(traffic: Traffic, faults: int) -> Wire:
    return Wire(
        opened=traffic.opened,
        looks=traffic.looks,
        frames=traffic.frames,
        faults=faults,
        missing=traffic.missing,
        resyncs=traffic.resyncs,
        trip=spread(traffic.trips_s),
    )


def _limits(state: State, now_ns: int) -> tuple[Limit, ...]:
    house = state.setup.house
    return (
        _limit("count", state.counted, now_ns, house.count_every_min * MINUTE_NS),
        _limit("deck in play", state.changed, now_ns, house.deck_change_every_min * MINUTE_NS),
        _limit("tournament", state.tournament.began, now_ns, TOURNAMENT_NS),
    )


def _limit(what: str, since: Since, now_ns: int, limit_ns: int) -> Limit:
    least, most = (
        UNKNOWN if at_ns <= NEVER_NS else (now_ns - at_ns) // SECOND_NS
        for at_ns in (since.latest_ns, since.earliest_ns)
    )
    return Limit(what=what, least_s=least, most_s=most, limit_s=limit_ns // SECOND_NS)
