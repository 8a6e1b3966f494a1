"""The readers: does a zone see its card and no other's? One card is carried about, with all antennas watching."""

from collections.abc import AsyncIterator, Collection, Sequence
from typing import Final

from dealerbox.diagnostics.borrowed import Loan
from dealerbox.diagnostics.verdict import Bench, Step, judged, untested
from dealerbox.diagnostics.watch import Tally, Watch, watching
from dealerbox.model.cards import Uid
from dealerbox.model.zones import EXIT, Zone
from dealerbox.ports import Clock
from dealerbox.station.loop import boottime_ns
from dealerbox_drivers.rfid.reader import VANISH

LOOKS: Final = 40
"""At a card that rests: one that is read in nine of ten is noticed nearly always."""
RATE: Final = 0.95
APART_MS: Final = {EXIT: 150.0}
"""Longest between two looks at a zone; 500 ms elsewhere."""
BLEEDS: Final = 0.02
"""Share of looks at another zone that a stray reading may make up."""

Bleeding = dict[Zone, dict[Zone, float]]
"""Where the card lay -> where it was read, and in which share of the looks."""


async def readers(
    loans: Sequence[Loan],
    bench: Bench,
    of: Collection[Zone] = (),
    *,
    clock: Clock = boottime_ns,
    bleeding: Bleeding | None = None,
) -> AsyncIterator[Step]:
    """Test the zones `of` (none: all) of the readers that were lent.

    One known card is laid on each zone in turn, the tested ones first; then every zone has one. `bleeding` is filled
    with what was read where. No number of a tag is ever shown.
    """
    async with watching(loans, clock, lambda: bench.live(_seen(watch))) as watch:
        walk = _Walk(watch, bench, tuple(of) or watch.zones, loans, {} if bleeding is None else bleeding)
        async for step in walk.steps():
            yield step


def _seen(watch: Watch) -> str:
    """Return how many tags each zone reads now; never which."""
    return "  ".join(f"{zone} {len(tally.now) or '-'}" for zone, tally in watch.tallies.items())


class _Walk:
    def __init__(
        self, watch: Watch, bench: Bench, of: tuple[Zone, ...], loans: Sequence[Loan], bleeding: Bleeding
    ) -> None:
        self._watch, self._bench, self._of, self._bleeding = watch, bench, of, bleeding
        self._fixed = {
            zone: Uid(uid)
            for loan in loans
            for zone, uid in loan.device.settings.fixed().items()
            if zone in watch.zones
        }
        self._card = Uid("")
        """The known card; '' not known yet."""

    async def steps(self) -> AsyncIterator[Step]:
        if not await self._bench.does("Take every card and tag off the table; nothing may lie near an antenna."):
            yield untested("reader-empty", "nobody cleared the table")
            return
        tallies = await self._watch.looked(LOOKS)
        for name, error in self._watch.gone.items():
            yield judged("reader-answers", str(error), right=False, about=name)
        for zone in self._there(self._of):
            for step in self._empty(tallies[zone]):
                yield step
        others = [zone for zone in self._watch.zones if zone not in self._of]
        for zone in self._there((*self._of, *others)):
            async for step in self._one(zone):
                yield step
        async for step in self._all():
            yield step

    def _there(self, zones: Collection[Zone]) -> list[Zone]:
        """Return the zones that were looked at: the reader of the others is gone."""
        return [zone for zone in zones if self._watch.tallies[zone].looks]

    def _empty(self, tally: Tally) -> list[Step]:
        zone, fixed = tally.zone, self._fixed.get(tally.zone, Uid(""))
        strays = [uid for uid in tally.seen if uid != fixed]
        said = f"{len(strays)} tags are read where none lies" if strays else f"nothing is read in {tally.looks} looks"
        if not tally.seen and tally.why:
            said = tally.why
        steps = [judged("reader-empty", said, right=not strays and not (tally.blind and not fixed), about=zone)]
        if fixed:
            steps.append(self._rated("reader-reference", tally, fixed))
        return steps

    def _rated(self, code: str, tally: Tally, uid: Uid) -> Step:
        rate, missed = tally.rate(uid), tally.missed[uid]
        said = f"read in {tally.seen[uid]} of {tally.looks} looks, missed {missed} in a row at most"
        return judged(
            code,
            f"{said}; {tally.why}" if tally.why else said,
            right=rate >= RATE and missed < VANISH,
            about=tally.zone,
            rate=rate,
            missed_in_a_row=missed,
        )

    async def _one(self, zone: Zone) -> AsyncIterator[Step]:
        """The known card lies in one zone alone."""
        tested = zone in self._of
        if not await self._bench.does(f"Lay one card on {zone}, the same each time, and no other anywhere."):
            for code in ("reader-rate", "reader-bleeds") if tested else ("reader-bleeds",):
                yield untested(code, f"no card was laid on {zone}", zone)
            return
        tallies = await self._watch.looked(LOOKS)
        card = self._known(tallies, zone)
        read = self._bleeding[zone] = {at: tally.rate(card) for at, tally in tallies.items() if tally.seen[card]}
        if tested:
            yield self._rated("reader-rate", tallies[zone], card)
            yield self._timed(tallies[zone])
        elsewhere = {at: rate for at, rate in read.items() if at != zone and rate > BLEEDS}
        if tested or any(at in self._of for at in elsewhere):
            said = ", ".join(f"{at} in {rate:.0%} of its looks" for at, rate in elsewhere.items())
            words = f"it is read at {said} too" if said else "it is read nowhere else"
            yield judged("reader-bleeds", words, right=not elsewhere, about=zone)
        elif not read:
            yield untested("reader-bleeds", f"the card on {zone} is read nowhere", zone)

    def _known(self, tallies: dict[Zone, Tally], zone: Zone) -> Uid:
        """Return the card that is carried about: what is read most, where it lies before anywhere else."""
        if not self._card:
            for tally in (tallies[zone], *tallies.values()):
                cards = [uid for uid, _ in tally.seen.most_common() if uid not in self._fixed.values()]
                if cards:
                    self._card = cards[0]
                    break
        return self._card

    def _timed(self, tally: Tally) -> Step:
        apart, most_ms = tally.apart(), APART_MS.get(tally.zone, 500.0)
        return judged(
            "reader-time",
            f"from look to look: {apart.said()}",
            right=apart.at(0.99) <= most_ms,
            about=tally.zone,
            p50_ms=apart.at(0.5),
            p99_ms=apart.at(0.99),
        )

    async def _all(self) -> AsyncIterator[Step]:
        """The card is taken away; then a card lies in every zone."""
        if not await self._bench.does("Take the card away again."):
            return
        tallies = await self._watch.looked(LOOKS // 4)
        for zone in self._there(self._of):
            tally = tallies[zone]
            left = tally.seen[self._card] if self._card else 0
            said = f"read in {left} of {tally.looks} looks" if left else "it is gone"
            yield judged("reader-gone", said, right=not left, about=zone)
        zones = self._there(self._watch.zones)
        if not await self._bench.does(f"Lay one card on each zone, all at once: {', '.join(zones)}."):
            for zone in self._there(self._of):
                yield untested("reader-together", "cards were not laid on every zone", zone)
            return
        tallies = await self._watch.looked(LOOKS)
        for zone in self._there(self._of):
            yield self._own(tallies, zone)

    def _own(self, tallies: dict[Zone, Tally], zone: Zone) -> Step:
        tally, fixed = tallies[zone], self._fixed.values()
        cards = [uid for uid in tally.seen if uid not in fixed and tally.rate(uid) > BLEEDS]
        strangers = [uid for uid in cards if any(other.rate(uid) > tally.rate(uid) for other in tallies.values())]
        rates = [tally.rate(uid) for uid in cards if uid not in strangers]
        said = f"{len(cards)} cards are read" + (f", {len(strangers)} of them another zone's" if strangers else "")
        right = len(cards) == 1 and not strangers and rates[0] >= RATE
        if len(cards) == 1 and not strangers:
            said = f"its own is read in {rates[0]:.0%} of its looks"
        return judged("reader-together", said, right=right, about=zone)
