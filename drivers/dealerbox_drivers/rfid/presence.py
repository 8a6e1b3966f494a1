"""Presence: what lies in a zone, from one scan after another. Pure.

A tag appears after `appear` scans in a row that found it and vanishes after `vanish` scans in a row
that looked and did not. A scan that could not look is no absence: it changes nothing until the last
good one is older than `stale_ns`; then the zone is UNKNOWN, which is never EMPTY.
"""

from enum import StrEnum
from typing import Final

import msgspec

from dealerbox.model.cards import Uid
from dealerbox.model.events import Event, TagsGone, TagsSeen, ZoneKnown, ZoneUnknown
from dealerbox.model.zones import Zone

STALE_NS: Final = 900_000_000
"""Age of the last good scan beyond which nothing is known of a zone: it is told within a second."""

NO_REFERENCE: Final = Uid("")


class Look(StrEnum):
    """What is known of a zone."""

    PRESENT = "present"
    EMPTY = "empty"
    UNKNOWN = "unknown"


class Reading(msgspec.Struct, frozen=True):
    """A zone's result: PRESENT with its tags, EMPTY, or UNKNOWN and why."""

    look: Look
    uids: tuple[Uid, ...] = ()
    why: str = ""


class Presence:
    """The filter of one zone. Each method that takes something returns the events to tell, in order."""

    def __init__(
        self,
        zone: Zone,
        now_ns: int,
        *,
        appear: int = 1,
        vanish: int = 3,
        stale_ns: int = STALE_NS,
        reference: Uid = NO_REFERENCE,
    ) -> None:
        self.zone = zone
        self._reference = reference
        """A tag fixed at the antenna: a scan that misses it could not look. It is no card and never told."""
        self._appear, self._vanish, self._stale_ns = appear, vanish, stale_ns
        self._found: dict[Uid, int] = {}
        """Not yet present: scans in a row that found it."""
        self._missed: dict[Uid, int] = {}
        """Present: scans in a row that missed it."""
        self._good_ns = now_ns
        self._why = "not looked yet"
        self._trouble = ""
        """Why the last scan could not look; '' when it could."""
        self._told_unknown = False

    @property
    def reading(self) -> Reading:
        """What is known now."""
        if self._why:
            return Reading(Look.UNKNOWN, why=self._why)
        uids = tuple(self._missed)
        return Reading(Look.PRESENT if uids else Look.EMPTY, uids)

    def looked(self, uids: tuple[Uid, ...], now_ns: int) -> list[Event]:
        """Take a scan that looked: arrivals and departures of this one scan as sets, then ZoneKnown if that is new.

        A zone is not known while a tag in it was found and not told yet.
        """
        if self._reference:
            if self._reference not in uids:
                return self.could_not_look("its reference tag is not read: is the antenna deaf?", now_ns)
            uids = tuple(uid for uid in uids if uid != self._reference)
        self._good_ns, self._trouble = now_ns, ""
        events: list[Event] = []
        missed = self._missed
        if missed:
            gone = self._not_found(uids)
            if gone:
                events.append(TagsGone(now_ns, self.zone, gone))
        if self._appear > 1:
            uids = self._often_enough(uids)
        seen = []
        for uid in uids:
            if uid not in missed:
                seen.append(uid)
            missed[uid] = 0
        if seen:
            events.append(TagsSeen(now_ns, self.zone, tuple(seen)))
        if self._why and not self._found:  # what lies here is told first: a tag may need a second scan for it
            self._why, self._told_unknown = "", False
            events.append(ZoneKnown(now_ns, self.zone))
        return events

    def _not_found(self, uids: tuple[Uid, ...]) -> tuple[Uid, ...]:
        """Count the scan for every tag present that it did not find; return those that have vanished."""
        missed, gone = self._missed, []
        for uid in tuple(missed):
            if uid not in uids:
                missed[uid] += 1
                if missed[uid] >= self._vanish:
                    del missed[uid]
                    gone.append(uid)
        return tuple(gone)

    def _often_enough(self, uids: tuple[Uid, ...]) -> tuple[Uid, ...]:
        """Count the scan for every tag not yet present that it found; return those that are or become so."""
        counts = {uid: self._found.get(uid, 0) + 1 for uid in uids if uid not in self._missed}
        self._found = {uid: count for uid, count in counts.items() if count < self._appear}
        return tuple(uid for uid in uids if uid not in self._found)

    def could_not_look(self, why: str, now_ns: int) -> list[Event]:
        """Take a scan that could not look: nothing, or ZoneUnknown once when the last good one is too old."""
        self._trouble = why
        return self.aged(now_ns)

    def aged(self, now_ns: int) -> list[Event]:
        """Time has passed without a scan here: nothing, or ZoneUnknown once when the last good one is too old."""
        if now_ns - self._good_ns <= self._stale_ns:
            return []
        return self.lost(self._trouble or "no answer yet, or its turn did not come", now_ns)

    def lost(self, why: str, now_ns: int) -> list[Event]:
        """Nothing is known any more: the filter starts anew, and all that lies here will be told again."""
        if self._told_unknown:
            return []
        self._why, self._told_unknown = why, True
        self._found.clear()
        self._missed.clear()
        return [ZoneUnknown(now_ns, self.zone, why)]


class Glance(msgspec.Struct, frozen=True):
    """One look, as it came out."""

    zone: Zone
    at_ns: int
    uids: tuple[Uid, ...] = ()
    why: str = ""
    """Why it could not look; '' when it could."""


class Glancing(Presence):
    """No filter: it keeps the last look of its zone, for a technician."""

    last: Glance

    def looked(self, uids: tuple[Uid, ...], now_ns: int) -> list[Event]:
        self.last = Glance(self.zone, now_ns, uids)
        return []

    def could_not_look(self, why: str, now_ns: int) -> list[Event]:
        self.last = Glance(self.zone, now_ns, why=why)
        return []
