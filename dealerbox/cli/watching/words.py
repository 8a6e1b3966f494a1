"""What the live screen says, as lines of words: every state has its word, a colour only repeats it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from dealerbox.diagnostics.seen import Rate, Seen, is_well
from dealerbox.station.gauges import UNKNOWN, DeviceGauge, Limit, Spread


class Line(NamedTuple):
    """A line, and how urgent it is."""

    text: str
    level: str = ""
    """'' as it should be; `amber` look at it; `red` do something; `head` says what stands below."""


LATE_MS: Final = 100
"""A loop that wakes so much later than asked for is short of the processor."""
SYNC_MS: Final = 250
"""A disk whose slowest syncs take so long makes dealers wait."""
BAD_SHARE: Final = 0.01
"""Above this share of spoilt messages a wire is bad: a reader then misses looks that it owes."""
_HEAD: Final = f"{'wire':<11}{'is':<8}{'polls':>6}{'bad %':>7}{'p50 ms':>7}{'p99':>7}{'lost':>5}"


def title(seen: Seen) -> Line:
    """Return where the table is, in a line."""
    view = seen.view
    where = ", ".join(part for part in (view.phase, view.street) if part)
    twins = "  TWINS: no table for play" if view.twins else ""
    service = "  IN SERVICE" if seen.in_service else ""
    buzzer = "+buzzer" if view.buzzer else ""
    text = f"{view.table}: {where}  hand {view.hand or '-'}  lamp {view.lamp.upper()}{buzzer}{service}{twins}"
    return Line(text, "" if view.lamp == "green" else view.lamp)


def holds(seen: Seen) -> list[Line]:
    """Return what is held and what to do, the newest cause first; else what is asked for."""
    view = seen.view
    said: list[Line] = []
    for hold in view.holds:
        why = f" ({hold.why})" if hold.why else ""
        said.append(Line(f"HELD {hold.clause} {hold.what} {hold.remedy}{why} [{hold.reason}]", "red"))
    said += [Line(f"note {note.what} {note.remedy} [{note.reason}]", "amber") for note in view.notices]
    if view.refused:
        said.append(Line(f"refused {view.refused.what} {view.refused.remedy} [{view.refused.reason}]", "amber"))
    if not view.holds:
        said.insert(0, Line(f"nothing is held. {view.prompt}".rstrip()))
    return said


def zones(seen: Seen, width: int = 26) -> list[Line]:
    """Return how many cards the station knows of in each zone, two to a line; which cards is nowhere."""
    counts = sorted(seen.view.counts.items(), key=lambda each: (each[0].startswith("seat:"), len(each[0]), each[0]))
    each = [f"{zone:<9}{number:>3}" for zone, number in counts]
    lines = [Line("  ".join(pair)) for pair in _rows(each, max(1, width // 13))]
    expected = f"next: {seen.view.expect}{' (on its way)' if seen.view.released else ''}" if seen.view.expect else ""
    burns = f"burns {seen.view.burns} of {seen.view.burns_expected}" if seen.view.burns_expected else ""
    return [*(lines or [Line("no cards are known")]), *(Line(text) for text in (burns, expected) if text)]


def wires(rates: Iterable[Rate]) -> list[Line]:
    """Return a line for each device, a heading first: how it is, its pace, its errors, its round trips."""
    return [Line(_HEAD, "head"), *map(_wire, rates)]


def _wire(rate: Rate) -> Line:
    health, wire = rate.health, rate.wire
    left = f"{health.name[:10]:<11}{health.condition:<8}"
    level = "" if is_well(health) else "red" if health.condition in ("lost", "wrong") else "amber"
    if wire is None:
        return Line(f"{left}{'-':>6}{'-':>7}{'-':>7}{'-':>7}{health.losses:>5}", level)
    polls = "-" if rate.polls_s is None or not wire.looks else f"{rate.polls_s:.1f}"
    bad = "-" if rate.bad is None else f"{100 * rate.bad:.2f}"
    if not level and rate.bad is not None and rate.bad > BAD_SHARE:
        level = "amber"
    trips = f"{_ms(wire.trip.p50_us):>7}{_ms(wire.trip.p99_us):>7}" if wire.trip.of else f"{'-':>7}{'-':>7}"
    return Line(f"{left}{polls:>6}{bad:>7}{trips}{health.losses:>5}", level)


def detail(rate: Rate) -> list[Line]:
    """Return what more there is to say of one wire."""
    health, wire = rate.health, rate.wire
    lines = [Line(f"{health.name} at {health.port or 'no port'}", "head")]
    if health.identity:
        lines.append(Line(f"{health.identity}, firmware {health.firmware or '-'}"))
    if wire:
        said = (
            f"{wire.frames:,} frames, {wire.faults:,} spoilt, {wire.missing:,} missing, {wire.resyncs:,} in step anew"
        )
        lines.append(Line(said))
    if health.why or health.last:
        lines.append(
            Line(f"{'now' if health.why else 'last'}: {health.why or health.last}", "red" if health.why else "")
        )
    return lines


def pins(gauges: Sequence[DeviceGauge]) -> list[Line]:
    """Return contacts, lamps and sensors of each device that has some, those that are on or down first."""
    lines = []
    for gauge in gauges:
        if not gauge.pins:
            continue
        active = [f"{name} {state}" for name, state in gauge.pins.items() if state not in ("up", "off")]
        idle = [name for name, state in gauge.pins.items() if state in ("up", "off")]
        level = "red" if "stuck" in gauge.pins.values() else ""
        off = f"; off: {', '.join(idle)}" if idle else ""
        lines.append(Line(f"{gauge.name}: {', '.join(active) or 'nothing on'}{off}", level))
    return lines or [Line("no pins")]


def journal(seen: Seen) -> list[Line]:
    """Return how the journal is."""
    gauge = seen.gauges.journal
    waits, slow = gauge.records - gauge.durable, gauge.sync.p99_us / 1000 > SYNC_MS
    left = f"room made for {gauge.left:,} records" + (f", an evening has {gauge.evening:,}" if gauge.evening else "")
    return [
        Line(f"{gauge.records:,} records" + (f", {waits} not on the disk yet" if waits else "")),
        Line(f"sync {_spread(gauge.sync)}", "amber" if slow else ""),
        Line(left, "red" if gauge.evening and gauge.left < gauge.evening / 10 else ""),
    ]


def clocks(seen: Seen) -> list[Line]:
    """Return the clocks: the station's own, the wall's, the law's."""
    clock = seen.gauges.clocks
    day_s = clock.wall_s + clock.wall_age_s
    wall = f"{day_s // 3600 % 24:02}:{day_s // 60 % 60:02} UTC" if clock.wall_s else "no wall clock"
    sure = "" if clock.wall_sure else ", not known to be right"
    return [
        Line(f"up {_span(clock.up_s)}, {wall}{sure}", "" if clock.wall_sure else "amber"),
        Line(f"loop {clock.late_ms} ms late", "amber" if clock.late_ms > LATE_MS else ""),
        *map(_limit, clock.limits),
    ]


def _limit(limit: Limit) -> Line:
    if limit.least_s == UNKNOWN:
        return Line(f"{limit.what}: not begun, of {_span(limit.limit_s)}")
    unsure = limit.most_s == UNKNOWN or limit.most_s > limit.limit_s >= limit.least_s
    passed = _span(limit.least_s)
    if limit.most_s != limit.least_s:
        passed += f" to {'?' if limit.most_s == UNKNOWN else _span(limit.most_s)}"
    level = "red" if limit.least_s > limit.limit_s else "amber" if unsure else ""
    return Line(f"{limit.what}: {passed} of {_span(limit.limit_s)}", level)


def _span(seconds: int) -> str:
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _ms(microseconds: int) -> str:
    return f"{microseconds / 1000:.1f}"


def _spread(spread: Spread) -> str:
    return f"p50 {_ms(spread.p50_us)} p99 {_ms(spread.p99_us)} max {_ms(spread.most_us)} ms"


def _rows(each: Sequence[str], number: int) -> Iterator[Sequence[str]]:
    rows = -(-len(each) // number)
    return (each[at::rows] for at in range(rows))
