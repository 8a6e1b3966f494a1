"""Several readers looked through at once: what each look at each zone found, without any filter."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from typing import Any, Final

from msgspec.structs import replace

from dealerbox.diagnostics.borrowed import Loan
from dealerbox.diagnostics.spread import Spread, spread
from dealerbox.model.cards import Uid
from dealerbox.model.shuffler import Memory
from dealerbox.model.zones import Zone
from dealerbox.ports import Clock, DealerboxError
from dealerbox.station.build import devices_of
from dealerbox.station.loop import boottime_ns
from dealerbox_drivers.rfid.presence import Glance
from dealerbox_drivers.rfid.reader import Reader

LONGEST_S: Final = 60.0
"""A reader that has not looked often enough by then is not going to."""

AnyReader = Reader[Any, Any, Any]


class Tally:
    """What the looks at one zone found since it was last begun anew."""

    def __init__(self, zone: Zone) -> None:
        self.zone = zone
        self.looks = 0
        self.blind: Counter[str] = Counter()
        """Why it could not look -> how often."""
        self.seen: Counter[Uid] = Counter()
        self.at_ns: list[int] = []
        self.missed: Counter[Uid] = Counter()
        """Longest run of looks that missed a tag once it had been seen."""
        self.now: tuple[Uid, ...] = ()
        self.glances: list[Glance] = []
        """Every look, in order."""
        self._missing: Counter[Uid] = Counter()

    def take(self, glance: Glance) -> None:
        """Count one look."""
        self.looks += 1
        self.glances.append(glance)
        self.at_ns.append(glance.at_ns)
        if glance.why:
            self.blind[glance.why] += 1
            return
        self.now = glance.uids
        for uid in glance.uids:
            self.seen[uid] += 1
            self._missing[uid] = 0
        for uid in self.seen:
            if uid not in glance.uids:
                self._missing[uid] += 1
                self.missed[uid] = max(self.missed[uid], self._missing[uid])

    def rate(self, uid: Uid) -> float:
        """Return the share of looks that found a tag; one that could not look did not."""
        return self.seen[uid] / self.looks if self.looks else 0.0

    def apart(self) -> Spread:
        """Return the times between two looks, ms."""
        return spread((after - before) / 1e6 for before, after in zip(self.at_ns, self.at_ns[1:], strict=False))

    def sights(self, uid: Uid) -> list[int]:
        """Return when a tag was read, ns."""
        return [glance.at_ns for glance in self.glances if uid in glance.uids]

    def wavered_ns(self, uid: Uid) -> int:
        """Return the time from a tag's first sight to that from which it was missed no more than one look in a row.

        What comes after is a resting card's.
        """
        found = [(glance.at_ns, uid in glance.uids) for glance in self.glances]
        first = next((at_ns for at_ns, there in found if there), 0)
        settled = first
        missing = 0
        for at_ns, there in found:
            missing = 0 if there else missing + 1
            if missing > 1 and at_ns > first:
                settled = at_ns
        return settled - first

    def missed_at_rest(self, uid: Uid) -> int:
        """Return the longest run of looks that missed a tag once it had been seen."""
        return self.missed[uid]

    @property
    def why(self) -> str:
        """Why it most often could not look; '' it always could."""
        return self.blind.most_common(1)[0][0] if self.blind else ""


class Watch:
    """All looks of some readers, while it is open."""

    def __init__(self, readers: Sequence[AnyReader], zones: Iterable[Zone], glanced: Callable[[], None]) -> None:
        self.zones = tuple(zones)
        self.tallies = {zone: Tally(zone) for zone in self.zones}
        self.fixed = frozenset(uid for reader in readers for uid in reader.fixed())
        """Reference tags."""
        self.gone: dict[str, DealerboxError] = {}
        """Readers that could not be asked, and why."""
        self._readers, self._glanced = readers, glanced
        self._news = asyncio.Event()

    async def follow(self, reader: AnyReader) -> None:
        """Look through one reader until cancelled, or it is gone."""
        try:
            async with contextlib.aclosing(reader.looks()) as looks:
                async for glance in looks:
                    self.tallies[glance.zone].take(glance)
                    self._news.set()
                    self._glanced()
        except DealerboxError as error:
            self.gone[reader.name] = error
            self._news.set()

    async def looked(self, least: int, zones: Collection[Zone] = ()) -> dict[Zone, Tally]:
        """Begin anew, and return what is found once each of `zones` (none: all) was looked at so often."""
        self.tallies = {zone: Tally(zone) for zone in self.zones}
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LONGEST_S):
                await self.until(lambda: self._enough(least, zones or self.zones))
        return self.tallies

    async def until(self, true: Callable[[], bool]) -> None:
        """Return after the look that makes it so."""
        while not true():
            self._news.clear()
            await self._news.wait()

    def _enough(self, least: int, zones: Collection[Zone]) -> bool:
        return len(self.gone) == len(self._readers) or all(
            self.tallies[zone].looks >= least for zone in zones if not self._is_gone(zone)
        )

    def _is_gone(self, zone: Zone) -> bool:
        return any(zone in reader.watches() for reader in self._readers if reader.name in self.gone)


@contextlib.asynccontextmanager
async def watching(
    loans: Sequence[Loan], clock: Clock = boottime_ns, glanced: Callable[[], None] = lambda: None
) -> AsyncIterator[Watch]:
    """Look through the readers that were lent until the end of the `with`; `glanced` is called after each look."""
    together = replace(loans[0].config, devices=tuple(loan.device for loan in loans))
    readers = [made for made in devices_of(together, Memory(), clock) if isinstance(made, Reader)]
    watch = Watch(readers, together.readers(), glanced)
    tasks = [asyncio.create_task(watch.follow(reader)) for reader in readers]
    try:
        yield watch
    finally:
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    for error in ended:
        if isinstance(error, Exception):  # the program itself is wrong: nothing that was told may stand
            raise error
