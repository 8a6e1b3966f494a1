"""What a running station says of its own table: devices, wires, contacts, journal and clock. Nothing is touched."""

from collections.abc import Iterator
from typing import Final

from dealerbox.diagnostics.asking import ask, decoded
from dealerbox.diagnostics.journal import MOST_MS as SYNC_MOST_MS
from dealerbox.diagnostics.journal import P99_MS as SYNC_P99_MS
from dealerbox.diagnostics.link import BAD, P99_MS
from dealerbox.diagnostics.verdict import Step, judged, untested
from dealerbox.ports import DeviceGone, NotAllowed
from dealerbox.station.asked import Answer
from dealerbox.station.condition import Condition, DeviceHealth
from dealerbox.station.gauges import ClockGauge, DeviceGauge, JournalGauge, Spread

ENOUGH: Final = 100
"""Messages, or records, by which something may be judged."""


def asked_of(path: str) -> Iterator[Step]:
    """Yield what the station at that socket says, judged; one failed step when none answers."""
    try:
        health = _answered(path, b'{"ask":"health"}').devices
        gauges = _answered(path, b'{"ask":"gauges"}').gauges
    except (DeviceGone, NotAllowed) as error:
        yield judged("station-answers", str(error), right=False)
        return
    yield judged("station-answers", f"it answers at {path}", right=True)
    for device in health:
        yield _device(device)
    if gauges is None:
        return
    for gauge in gauges.devices:
        yield from _wire(gauge)
        yield from _contacts(gauge)
    yield from _journal(gauges.journal)
    yield from _clock(gauges.clocks)


def _answered(path: str, question: bytes) -> Answer:
    return decoded(path, ask(path, question), Answer)


def _device(device: DeviceHealth) -> Step:
    if device.condition in (Condition.OPENING, Condition.LENT):
        return untested(
            "station-device", f"{device.condition.value}{f': {device.why}' * bool(device.why)}", device.name
        )
    said = f"{device.condition.value}{f': {device.why}' * bool(device.why)}"
    if device.losses:
        said += f"; lost {device.losses} times since the station started, the last time: {device.last}"
    return judged("station-device", said, right=device.condition is Condition.WORKING, about=device.name)


def _wire(gauge: DeviceGauge) -> Iterator[Step]:
    wire = gauge.wire
    if wire is None:
        return
    bad, asked = wire.faults + wire.missing, wire.frames + wire.missing
    if asked < ENOUGH:
        yield untested("link-exchanges", f"only {asked} messages since the station started", gauge.name)
        return
    said = f"{bad} of {asked:,} lost or spoilt since the station started"
    yield judged("link-exchanges", said, right=bad <= BAD * asked, about=gauge.name, exchanges=asked, bad=bad)
    if wire.trip.of:
        right = wire.trip.p99_us / 1000 <= P99_MS
        yield _timed("link-delay", wire.trip, "", right, gauge.name)


def _contacts(gauge: DeviceGauge) -> Iterator[Step]:
    if gauge.pins:
        stuck = [name for name, state in gauge.pins.items() if state == "stuck"]
        said = f"stuck: {', '.join(stuck)}" if stuck else "none is stuck"
        yield judged("panel-rest", said, right=not stuck, about=gauge.name)


def _journal(gauge: JournalGauge) -> Iterator[Step]:
    sync = gauge.sync
    if sync.of < ENOUGH:
        yield untested("journal-sync", f"only {sync.of} syncs since the station started")
    else:
        right = sync.p99_us / 1000 <= SYNC_P99_MS and sync.most_us / 1000 <= SYNC_MOST_MS
        yield _timed("journal-sync", sync, f"the last {sync.of}: ", right)
    said = f"room is made for {gauge.left:,} records; an evening has {gauge.evening:,}"
    yield judged("journal-space", said, right=gauge.left >= gauge.evening, records=gauge.left)


def _clock(gauge: ClockGauge) -> Iterator[Step]:
    said = "the station takes it for right" if gauge.wall_sure else "the station does not take it for right"
    yield judged("clock-synced", said, right=gauge.wall_sure)


def _timed(code: str, of: Spread, before: str, right: bool, about: str = "") -> Step:
    p50_ms, p99_ms, max_ms = of.p50_us / 1000, of.p99_us / 1000, of.most_us / 1000
    said = f"{before}p50 {p50_ms:.3g} ms, p99 {p99_ms:.3g} ms, max {max_ms:.3g} ms"
    return judged(code, said, right=right, about=about, p50_ms=p50_ms, p99_ms=p99_ms, max_ms=max_ms)
