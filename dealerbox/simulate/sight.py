"""The readers of the `events` level: what a faultless antenna in each zone would tell, a scan later."""

from collections.abc import Callable, Iterable
from random import Random
from typing import Final

from dealerbox.model.cards import Uid
from dealerbox.model.events import Event, TagsGone, TagsSeen, ZoneKnown, ZoneUnknown
from dealerbox.model.zones import EXIT, INFEED, Zone
from dealerbox.simulate.timeline import Timeline
from dealerbox_drivers.felt import BEHIND_GATE, OUTLET, Felt

SCAN_NS: Final = 120_000_000
QUICK_NS: Final = 25_000_000
"""Time of one scan: a multiplexed reader's zones, and the two readers at the machine's mouths."""
MISSES: Final = 3
"""Scans without a tag until it is gone."""


class EventReaders:
    """Watches the felt and emits TagsSeen, TagsGone, ZoneUnknown, ZoneKnown for `zones`."""

    def __init__(
        self,
        felt: Felt,
        time: Timeline,
        rng: Random,
        zones: Iterable[Zone],
        emit: Callable[[Event], None],
    ) -> None:
        self._felt, self._time, self._emit = felt, time, emit
        self._period = {zone: QUICK_NS if zone in (EXIT, INFEED) else SCAN_NS for zone in zones}
        self._phase = {zone: rng.randrange(period) for zone, period in self._period.items()}
        self._known: dict[Zone, dict[Uid, int]] = {zone: {} for zone in self._period}
        self._asked: set[Zone] = set()
        self._blind: set[Zone] = set()
        felt.watch(self._moved)

    def look(self, zone: Zone) -> None:
        """Scan a zone at its next turn: something there may have changed."""
        if zone in self._period and zone not in self._asked:
            self._asked.add(zone)
            period, phase = self._period[zone], self._phase[zone]
            turn = (self._time.now_ns - phase) // period + 1
            self._time.at(turn * period + phase, lambda: self._scan(zone))

    def lose(self, zones: Iterable[Zone], why: str) -> None:
        """Make zones UNKNOWN."""
        for zone in zones:
            self._blind.add(zone)
            self._known[zone] = {}
            self._emit(ZoneUnknown(self._time.now_ns, zone, why))

    def find(self, zones: Iterable[Zone]) -> None:
        """Look again: what lies in the zones is told anew, then that they are known."""
        for zone in zones:
            self._blind.discard(zone)
            self._known[zone] = {}
            self._read(zone)
            self._emit(ZoneKnown(self._time.now_ns, zone))

    @property
    def zones(self) -> tuple[Zone, ...]:
        """Every zone with a reader."""
        return tuple(self._period)

    def _moved(self, _uid: Uid, before: str, after: str) -> None:
        for place in (before, after):
            self.look(EXIT if place in (BEHIND_GATE, OUTLET) else Zone(place))

    def _scan(self, zone: Zone) -> None:
        self._asked.discard(zone)
        if zone not in self._blind:
            self._read(zone)

    def _read(self, zone: Zone) -> None:
        known, there = self._known[zone], self._felt.readable(zone)
        fresh = tuple(uid for uid in there if uid not in known)
        gone = []
        for uid in tuple(known):
            known[uid] = 0 if uid in there else known[uid] + 1
            if known[uid] >= MISSES:
                gone.append(uid)
        for uid in gone:
            del known[uid]
        known.update(dict.fromkeys(fresh, 0))
        if any(known.values()):
            self.look(zone)
        if gone:
            self._emit(TagsGone(self._time.now_ns, zone, tuple(gone)))
        if fresh:
            self._emit(TagsSeen(self._time.now_ns, zone, fresh))
