"""A deck dealt in a known order, card by card onto every zone: what each zone reads of it, and what it does not.

Cards are told by their places in that order, never by their numbers.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from difflib import SequenceMatcher
from typing import Final

import msgspec

from dealerbox.diagnostics.borrowed import Loan
from dealerbox.diagnostics.verdict import Bench, Step, Verdict, judged, untested
from dealerbox.diagnostics.watch import Watch, watching
from dealerbox.model.cards import Uid
from dealerbox.model.zones import Zone
from dealerbox.ports import Clock
from dealerbox.station.loop import boottime_ns

BUDGET: Final = 5_200
"""One card misread of so many at the most."""
BEGIN_S: Final = 60.0
"""Longest wait for the first card of a deal."""
IDLE_S: Final = 10.0
"""After so long without a new card the deal is over."""
NAMED: Final = 6
"""Places that are named in words; a worn reader misreads more than anybody reads."""


class Dealt(msgspec.Struct, frozen=True, kw_only=True):
    """What one zone read of one deal."""

    zone: Zone
    cards: int
    missing: tuple[int, ...] = ()
    """Places, 1.., of cards that were not read, or not in their turn."""
    again: tuple[int, ...] = ()
    """Of cards that were read twice, gone between."""
    strangers: int = 0
    """Tags read here that are none of the deck's."""
    elsewhere: dict[Zone, int] = {}
    """Other zones -> how many of the cards dealt here they read too."""

    @property
    def misreads(self) -> int:
        return len(self.missing) + len(self.again) + self.strangers + sum(self.elsewhere.values())


async def deal_test(
    loans: Sequence[Loan],
    bench: Bench,
    *,
    cards: int = 52,
    loops: int = 1,
    zones: Sequence[Zone] = (),
    clock: Clock = boottime_ns,
) -> AsyncIterator[Step]:
    """Have a deck dealt onto each of `zones` (none: all) of the readers that were lent, `loops` times.

    The first zone shows its order, twice alike. Then a step for each zone and deal, and one for the budget.
    """
    async with watching(loans, clock) as watch:
        await watch.looked(1)
        for name, error in watch.gone.items():
            yield judged("deal-zone", str(error), right=False, about=name)
        there = [zone for zone in tuple(zones) or watch.zones if watch.tallies[zone].looks]
        if not there:
            yield untested("deal-budget", "no reader answers")
            return
        deal = _Deal(watch, bench, cards)
        order = await deal.order(there[0])
        if isinstance(order, str):
            yield untested("deal-budget", order, there[0])
            return
        read, misread = 0, 0
        for number in range(loops):
            for zone in there:
                found = await deal.dealt(zone, order, f"{number + 1} of {loops}")
                if found is None:
                    yield untested("deal-zone", "the deck was not dealt", zone)
                    continue
                read, misread = read + found.cards, misread + found.misreads
                yield judged(
                    "deal-zone", said(found), right=not found.misreads, about=zone, cards=cards, misread=found.misreads
                )
        yield _budget(read, misread)


def _budget(read: int, misread: int) -> Step:
    words = f"{misread} misread of {read:,} cards; the budget is 1 of {BUDGET:,}"
    if misread * BUDGET > read:
        return judged("deal-budget", words, right=False, cards=read, misread=misread)
    if read < BUDGET:
        return untested("deal-budget", f"{words}: deal {BUDGET - read:,} more (--loops)")
    return judged("deal-budget", words, right=True, cards=read, misread=misread)


def said(of: Dealt) -> str:
    """Return what a zone misread, in words."""
    parts = [
        f"not read, or not in turn: {_places(of.missing)}" * bool(of.missing),
        f"read twice: {_places(of.again)}" * bool(of.again),
        f"{of.strangers} tags of another deck" * bool(of.strangers),
        *(f"{count} of them read at {zone} too" for zone, count in of.elsewhere.items()),
    ]
    return "; ".join(filter(None, parts)) or f"each of {of.cards} cards was read once, in its turn"


def _places(places: Sequence[int]) -> str:
    more = f" and {len(places) - NAMED} more" if len(places) > NAMED else ""
    return f"card {', '.join(map(str, places[:NAMED]))}{more}"


class _Deal:
    def __init__(self, watch: Watch, bench: Bench, cards: int) -> None:
        self._watch, self._bench, self._cards = watch, bench, cards

    async def order(self, zone: Zone) -> tuple[Uid, ...] | str:
        """Return the deck's order as the zone reads it, twice alike; or why not."""
        orders = []
        for time in ("first", "second"):
            what = f"Deal {self._cards} cards singly onto {zone}, each away before the next, and keep their order"
            if not self._bench.tells(f"{what} ({time} time: to learn it)."):
                return "nobody dealt"
            orders.append(await self._arrivals(zone, self._cards))
        first, second = (tuple(dict.fromkeys(arrivals)) for arrivals in orders)
        if len(first) != self._cards:
            return f"{len(first)} of {self._cards} cards were read: `dealerbox diag reader {zone}` first"
        if first != second:
            return "the two deals differ: keep the order, or `dealerbox diag reader` first"
        return first

    async def dealt(self, zone: Zone, order: tuple[Uid, ...], round_: str) -> Dealt | None:
        """Have the deck dealt onto a zone once, and compare; None: nobody did."""
        what = f"Round {round_}: deal the deck singly onto {zone}, in its order, each card away before the next."
        if not self._bench.tells(what):
            return None
        arrivals = await self._arrivals(zone, len(order))
        if not arrivals:
            return None
        others = {
            other: sum(uid in tally.seen for uid in order)
            for other, tally in self._watch.tallies.items()
            if other != zone and any(uid in tally.seen for uid in order)
        }
        return compared(zone, order, arrivals, others)

    async def _arrivals(self, zone: Zone, cards: int) -> list[Uid]:
        """Return the tags in the order in which they came, until all have come and gone, or none comes any more."""
        await self._watch.looked(1)
        tally, loop = self._watch.tallies[zone], asyncio.get_running_loop()
        arrivals: list[Uid] = []
        here: tuple[Uid, ...] = ()
        taken, last_s, wait_s = 0, loop.time(), BEGIN_S
        while loop.time() - last_s < wait_s and not (len(set(arrivals)) >= cards and not here):
            for glance in tally.glances[taken:]:
                taken += 1
                if glance.why:
                    continue
                came = [uid for uid in glance.uids if uid not in here and uid not in self._watch.fixed]
                here = tuple(uid for uid in glance.uids if uid not in self._watch.fixed)
                if came:
                    arrivals += came
                    last_s, wait_s = loop.time(), IDLE_S
                    self._bench.progress(f"dealing onto {zone}", min(0.99, len(set(arrivals)) / cards))
            await asyncio.sleep(0.02)
        self._bench.progress(f"dealing onto {zone}", 1.0)
        return arrivals


def compared(zone: Zone, order: Sequence[Uid], arrivals: Sequence[Uid], elsewhere: dict[Zone, int]) -> Dealt:
    """Compare what came with the order in which it was dealt."""
    place = {uid: number for number, uid in enumerate(order, 1)}
    once = list(dict.fromkeys(uid for uid in arrivals if uid in place))
    again = tuple(sorted(place[uid] for uid in once if list(arrivals).count(uid) > 1))
    matched = SequenceMatcher(a=list(order), b=once, autojunk=False).get_matching_blocks()
    in_turn = {number for block in matched for number in range(block.a, block.a + block.size)}
    return Dealt(
        zone=zone,
        cards=len(order),
        missing=tuple(number + 1 for number in range(len(order)) if number not in in_turn),
        again=again,
        strangers=len({uid for uid in arrivals if uid not in place}),
        elsewhere=elsewhere,
    )


def misreads(steps: Sequence[Step]) -> dict[str, tuple[int, int]]:
    """Return misread and dealt cards by zone."""
    zones: dict[str, tuple[int, int]] = {}
    for step in steps:
        if step.code == "deal-zone" and step.verdict is not Verdict.UNTESTED and step.figures:
            misread, cards = zones.get(step.about, (0, 0))
            zones[step.about] = (misread + int(step.figures["misread"]), cards + int(step.figures["cards"]))
    return zones
