"""The station's gauges: how its wires, pins, journal and clocks are, in numbers, for a technician.

While a hand is open they say what the status says, counts and zones: no message's content, and no device's own words.
"""

import msgspec

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
