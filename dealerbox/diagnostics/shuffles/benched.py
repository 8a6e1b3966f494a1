"""A bench run: 52 cards go in past the infeed's reader, are shuffled, and come out past the exit's, again and again.

All under one numbering, in service, with the cards in the technician's hands: only places are kept.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from typing import Final

from dealerbox.diagnostics.borrowed import Loan
from dealerbox.diagnostics.link import SHUFFLER, asking
from dealerbox.diagnostics.shuffles.cycle import UNREAD, Cycle, ShufflesError
from dealerbox.diagnostics.verdict import Bench
from dealerbox.diagnostics.watch import Watch, watching
from dealerbox.model.cards import DECK_SIZE, Uid
from dealerbox.model.shuffler import Cap
from dealerbox.model.zones import EXIT, INFEED, Zone
from dealerbox.ports import Clock
from dealerbox.station.loop import boottime_ns
from dealerbox_drivers.shuffler import messages as m
from dealerbox_drivers.shuffler.conformance.asker import Asker, Unmet
from dealerbox_drivers.shuffler.messages import Code

NEEDED: Final = (Cap.RETURN, Cap.SHUFFLE, Cap.GATE)
RETURN_MS: Final = 60_000
OPEN_MS: Final = 10_000
READ_S: Final = 3.0
"""Longest for the exit's reader to read a card that has come up."""
CYCLE_S: Final = 180.0
EMPTY: Final = "Take every card out of the shuffler, its exit and its infeed; shut the door. Hands away: it will move."
FEED: Final = f"Lay {DECK_SIZE} cards into the infeed."
TAKE: Final = "Take each card as it comes out; keep the outlet free."


class Stopped(ShufflesError):
    """The person will not go on."""


class Order:
    """When tags were first and last seen in a zone, by the number of the look."""

    def __init__(self) -> None:
        self.first: dict[Uid, int] = {}
        self.last: dict[Uid, int] = {}

    def note(self, look: int, seen: Collection[Uid]) -> None:
        """Take what one look found."""
        for uid in seen:
            self.first.setdefault(uid, look)
            self.last[uid] = look


def cycle_of(went_in: Order, out: Order) -> Cycle:
    """Return a shuffle by places: a card has gone in when it is seen no more, and come out when it is seen.

    Those of which that is so at the same look count as not read going in: their order is not known.
    """
    unsure = _at_once(went_in.last) | _at_once(out.first)
    entered = sorted((uid for uid in went_in.last if uid not in unsure), key=went_in.last.__getitem__)
    place = {uid: at for at, uid in enumerate(entered)}
    came = sorted(out.first, key=out.first.__getitem__)
    return Cycle(len(place), tuple(place.get(uid, UNREAD) for uid in came))


def _at_once(looks: Mapping[Uid, int]) -> set[Uid]:
    often = Counter(looks.values())
    return {uid for uid, look in looks.items() if often[look] > 1}


async def bench_run(
    shuffler: Loan, readers: Sequence[Loan], bench: Bench, shuffles: int, *, clock: Clock = boottime_ns
) -> AsyncIterator[Cycle]:
    """Yield so many shuffles, each as soon as it was dealt out.

    `readers` watch the infeed and the exit. ShufflesError, Unmet with what to do when it cannot go on.
    """
    if shuffler.device.driver.name != SHUFFLER:
        raise ShufflesError(f"{shuffler.name}: a {shuffler.device.driver.name} deals no card by itself")
    run: _Run | None = None

    def looked() -> None:
        if run is not None:
            run.look()

    async with asking(shuffler) as asker, watching(readers, clock, looked) as watch:
        if missing := [str(zone) for zone in (INFEED, EXIT) if zone not in watch.zones]:
            raise ShufflesError(f"no reader watches the {' and the '.join(missing)}: no order can be read there")
        run = _Run(asker, watch, bench)
        await run.begin()
        for number in range(shuffles):
            yield await run.one(number, shuffles)


class _Run:
    def __init__(self, asker: Asker, watch: Watch, bench: Bench) -> None:
        self._a, self._watch, self._bench = asker, watch, bench
        self._orders: dict[Zone, Order] = {}
        """Of the zones whose order is noted now."""
        self._news = asyncio.Event()

    def look(self) -> None:
        """A reader has looked."""
        for zone, order in self._orders.items():
            order.note(self._watch.tallies[zone].looks, self._watch.tallies[zone].now)
        self._news.set()

    async def begin(self) -> None:
        """Greet, and have the machine emptied on a person's word."""
        ident = await self._a.greet()
        lacking = [cap.name or "" for cap in NEEDED if cap not in Cap(ident.caps)]
        if lacking:
            raise ShufflesError(f"the machine has no {', '.join(lacking)}: shuffles of it are judged by hand")
        await self._asked(EMPTY)
        await self._a.hold()
        placed = await self._a.command(m.Places, machine=0, exit_id=0, order=1, person=0)
        await self._a.clear()
        if placed.code != Code.OK:
            raise Unmet(f"the machine does not take the word that it is empty: {_told(placed.code)}")

    async def one(self, number: int, of: int) -> Cycle:
        """Feed, shuffle and deal the whole deck once."""
        went_in, out = Order(), Order()
        await self._asked(FEED)
        self._orders = {INFEED: went_in}
        ended = await self._done("take cards in", m.Return, expect=DECK_SIZE, open_ms=RETURN_MS)
        self._orders = {}
        if ended.machine != DECK_SIZE:
            raise Unmet(f"{ended.machine} of {DECK_SIZE} cards went in: {_told(ended.cmd_result)}; begin again")
        self._bench.progress(f"shuffle {number + 1} of {of}", number / of)
        shuffled = await self._done("shuffle", m.Shuffle, expect=DECK_SIZE, scope=0)
        if shuffled.cmd_result != Code.CYCLE_DONE:
            raise Unmet(f"the shuffle ended otherwise: {_told(shuffled.cmd_result)}; begin again")
        self._bench.live(TAKE)
        self._orders = {EXIT: out}
        for card in range(DECK_SIZE):
            await self._deal(card, out)
            self._bench.progress(f"shuffle {number + 1} of {of}", (number + (card + 1) / DECK_SIZE) / of)
        self._orders = {}
        return cycle_of(went_in, out)

    async def _deal(self, card: int, out: Order) -> None:
        known = await self._a.query()
        deal = known.deal_id if card else known.token_id
        up = await self._done("bring a card up", m.Dispense, deal_id=deal, first=int(not card))
        if up.cmd_result != Code.MOVED:
            raise Unmet(f"card {card + 1} does not come up: {_told(up.cmd_result)}; begin again")
        if not await self._until(lambda: len(out.first) > card):
            raise Unmet(f"card {card + 1} is not read at the exit: `dealerbox diag reader exit`; begin again")
        passed = await self._done("let a card out", m.Release, card_id=up.exit_id, open_ms=OPEN_MS)
        if passed.cmd_result != Code.PASSED:
            raise Unmet(f"card {card + 1} does not go out: {_told(passed.cmd_result)}; take it, begin again")

    async def _asked(self, what: str) -> None:
        if not await self._bench.does(what):
            raise Stopped(f"left out: {what}")

    async def _until(self, true: Callable[[], bool]) -> bool:
        """Wait for a look that makes it so."""
        try:
            async with asyncio.timeout(READ_S):
                while not true():
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            return False
        return True

    async def _done(self, what: str, kind: type[m.Permit], **fields: int) -> m.Status:
        """Arm, command, and wait for the end. Unmet when it is not taken."""
        armed = await self._a.arm()
        if armed.code not in (Code.OK, Code.BUSY):
            raise Unmet(f"asked to {what}, the machine does not arm: {_told(armed.code)}; begin again")
        taken = await self._a.command(kind, **fields)
        if taken.code != Code.OK:
            raise Unmet(f"asked to {what}, the machine answers {_told(taken.code)}; begin again")
        return await self._a.final(CYCLE_S)


def _told(code: int) -> str:
    return Code(code).name.lower().replace("_", " ") if code in Code.__members__.values() else f"code {code:02X}"
