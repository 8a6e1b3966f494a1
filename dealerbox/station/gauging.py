"""Reading the station's gauges, when somebody asks: counters that only grow, read between two events.

Nothing here is on a card's way.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from dealerbox.config import Config
from dealerbox.engine.facts import in_hand
from dealerbox.engine.state import State
from dealerbox.journal.writer import Writer
from dealerbox.law.custody import MINUTE_NS, NEVER_NS, SECOND_NS, TOURNAMENT_NS, Since
from dealerbox.ports import Clock, Device
from dealerbox.station.condition import DeviceHealth
from dealerbox.station.gauges import UNKNOWN, ClockGauge, DeviceGauge, Gauges, JournalGauge, Limit, Spread, Wire
from dealerbox.station.health import Health, introduced
from dealerbox_drivers.traffic import Traffic

_US = 1e6


class Gauging:
    """Reads one station's gauges."""

    def __init__(
        self,
        config: Config,
        devices: Sequence[Device],
        health: Health,
        journal: Writer,
        clock: Clock,
        state: Callable[[], State],
    ) -> None:
        """`state` returns the engine's state as it stands."""
        self._config, self._devices, self._health = config, devices, health
        self._journal, self._clock, self._state = journal, clock, state
        self._began_ns, self._late_ms = clock(), 0
        self._ports = {device.name: getattr(device.settings, "port", "") for device in config.devices}

    def woke(self, late_s: float) -> None:
        """Take how much later than asked for the loop woke."""
        self._late_ms = round(late_s * 1000)

    def devices(self) -> tuple[DeviceHealth, ...]:
        """Return how each device is, and where; what it says of itself is told between hands alone (P4)."""
        by_itself = not in_hand(self._state())
        return introduced(self._health.devices(), self._devices, self._ports, by_itself=by_itself)

    def read(self) -> Gauges:
        """Return every gauge as it is now."""
        now_ns = self._clock()
        return Gauges(
            at_ns=now_ns,
            devices=tuple(map(device_gauge, self._devices)),
            journal=journal_gauge(self._journal, self._config.records),
            clocks=clock_gauge(self._state(), now_ns, self._began_ns, self._late_ms),
        )


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
