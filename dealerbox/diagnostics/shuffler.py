"""The shuffler, moved by hand: door, gate, feed, sensors, count, shuffle and the proof that it is empty.

Every card of it is the technician's while this runs; what comes after is the station's full count.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Final

import msgspec

from dealerbox.diagnostics.borrowed import Loan
from dealerbox.diagnostics.link import SHUFFLER, asking
from dealerbox.diagnostics.machine import MOVE_S, LeftOut, Machine, name_of, told_code, word_of
from dealerbox.diagnostics.verdict import Bench, Step, Verdict, judged, untested
from dealerbox.model.shuffler import Cap
from dealerbox.ports import DealerboxError
from dealerbox_drivers.shuffler import messages as m
from dealerbox_drivers.shuffler.conformance.asker import Asker, Unmet
from dealerbox_drivers.shuffler.messages import Code, CommandState, Lock, NvmHealth, ResetCause, Sensor

FED: Final = 5
"""Cards that are brought up."""
RETURN_MS: Final = 30_000
_CARDS: Final = Sensor.BEHIND_GATE | Sensor.IN_GATE | Sensor.OUTLET | Sensor.INFEED
_ORDER: Final = ("empty", "return", "count", "shuffle", "feed", "gate-shut", "gate-opens", "exit", "back")
"""Steps that need the one before."""

Answered = Callable[[], Awaitable[Step]]


class Counters(msgspec.Struct, frozen=True):
    """What a machine counts over its life."""

    serial: int
    out: int
    """Cards let out."""
    boots: int


def counters(steps: Iterable[Step]) -> Counters | None:
    """Return the counters that a former test has told; None: it tells none."""
    for step in steps:
        if step.code == "shuffler-counters":
            told = {name: int(value) for name, value in step.figures.items()}
            return Counters(told.get("serial", 0), told.get("out_total", 0), told.get("boots", 0))
    return None


async def shuffler(loan: Loan, bench: Bench, cards: int = 52, since: Counters | None = None) -> AsyncIterator[Step]:
    """Test the shuffler that was lent, with `cards` cards of any one deck.

    `since`: its counters at the last service. The first step that fails leaves those after it undone.
    """
    if loan.device.driver.name != SHUFFLER:
        yield untested("shuffler-answers", f"a {loan.device.driver.name} is tested by its own maker's tool", loan.name)
        return
    try:
        async with asking(loan) as asker:
            test = _Test(asker, bench, cards, since)
            async for step in test.steps():
                yield step
    except DealerboxError as error:
        yield judged("shuffler-answers", str(error), right=False, about=loan.name)


class _Test(Machine):
    def __init__(self, asker: Asker, bench: Bench, cards: int, since: Counters | None) -> None:
        super().__init__(asker, bench)
        self._cards, self._since = cards, since

    async def steps(self) -> AsyncIterator[Step]:
        ident = await self._greeted()
        status = await self._a.query()
        yield self._identity(ident)
        yield self._counted(ident, status)
        if not await self._bench.does(
            "Take every card out of the shuffler, its exit and its infeed; shut the door. Hands away: it will move."
        ):
            for name in ("rest", "door", *_ORDER):
                yield untested(f"shuffler-{name}", "nobody emptied the machine")
            return
        yield await self._rest()
        yield await self._tried("door", self._door)
        failed = ""
        for name in _ORDER:
            if failed:
                yield untested(f"shuffler-{name}", f"shuffler-{failed} comes first")
                continue
            step = await self._tried(name, getattr(self, f"_{name.replace('-', '_')}"))
            yield step
            failed = name if step.verdict is Verdict.FAILED else ""

    async def _tried(self, name: str, ask: Answered) -> Step:
        try:
            return await ask()
        except Unmet as unmet:
            return judged(f"shuffler-{name}", str(unmet), right=False)
        except LeftOut as stopped:
            return untested(f"shuffler-{name}", str(stopped))

    def _identity(self, ident: m.Ident) -> Step:
        memory = word_of(NvmHealth, ident.nvm)
        said = (
            f"serial {ident.serial:X}, firmware {ident.firmware:08X}, "
            f"last start by {word_of(ResetCause, ident.reset_cause)}, memory {memory}"
        )
        return judged("shuffler-answers", said, right=ident.nvm != NvmHealth.ONE_SLOT_BAD)

    def _counted(self, ident: m.Ident, status: m.Status) -> Step:
        said = f"{status.out_total:,} cards let out and {ident.boot_count:,} starts in its life"
        since, right = self._since, True
        if since is not None and since.serial != ident.serial:
            said, right = f"{said}; the last service was on another machine, {since.serial:X}", False
        elif since is not None:
            out, boots = status.out_total - since.out, ident.boot_count - since.boots
            said, right = f"{said}; since the last service {out:,} and {boots:,}", out >= 0 and boots >= 0
        return judged(
            "shuffler-counters",
            said,
            right=right,
            out_total=status.out_total,
            boots=ident.boot_count,
            serial=ident.serial,
        )

    async def _rest(self) -> Step:
        sensors = (await self._a.query()).sensors
        wrong = [name_of(sensor) for sensor in Sensor if sensor in sensors & (_CARDS | Sensor.DOOR_OPEN)]
        if Cap.GATE in self._caps and Sensor.GATE_LOCKED not in sensors:
            wrong.append("gate not locked")
        said = f"its sensors say: {', '.join(wrong)}" if wrong else "door shut, gate locked, no card at any sensor"
        return judged("shuffler-rest", said, right=not wrong)

    async def _door(self) -> Step:
        if Cap.DOOR_SENSOR not in self._caps:
            return untested("shuffler-door", "it has no sensor at its door")
        await self._asked("Open the door.")
        opened = await self._until(lambda s: Sensor.DOOR_OPEN in s.sensors)
        await self._asked("Shut the door.")
        shut = await self._until(lambda s: Sensor.DOOR_OPEN not in s.sensors)
        said = "open and shut are told" if opened and shut else f"{'shut' if opened else 'open'} is not told"
        return judged("shuffler-door", said, right=opened and shut)

    async def _empty(self) -> Step:
        """A person's word that it is empty; its own count says so too."""
        placed = await self._placed(0)
        if placed.code != Code.OK:
            raise Unmet(f"it does not take the word that it is empty: {told_code(placed.code)}")
        if Cap.OWN_COUNT not in self._caps:
            return untested("shuffler-empty", "it does not count; look into it")
        counted = await self._done("counting", self._cycle_s, m.Count, scope=0)
        return judged("shuffler-empty", f"it counts {counted.machine} in the empty machine", right=counted.machine == 0)

    async def _return(self) -> Step:
        if Cap.RETURN not in self._caps:
            await self._asked(f"Open the door, put {self._cards} cards in, shut it.")
            placed = await self._placed(self._cards)
            return untested(
                "shuffler-return", f"it takes no cards in by itself; put in by hand: {told_code(placed.code)}"
            )
        await self._asked(f"Lay {self._cards} cards into the infeed.")
        ended = await self._done("taking cards in", RETURN_MS / 1000, m.Return, expect=self._cards, open_ms=RETURN_MS)
        found = f"{ended.machine} of {self._cards} cards entered"
        return judged("shuffler-return", found, right=ended.machine == self._cards)

    async def _count(self) -> Step:
        if Cap.OWN_COUNT not in self._caps:
            return untested("shuffler-count", "it does not count")
        ended = await self._done("counting", self._cycle_s, m.Count, scope=0)
        return judged(
            "shuffler-count", f"it counts {ended.machine} of {self._cards}", right=ended.machine == self._cards
        )

    async def _shuffle(self) -> Step:
        if Cap.SHUFFLE not in self._caps:
            return untested("shuffler-shuffle", "it does not shuffle; no card comes out without")
        loop = asyncio.get_running_loop()
        before_s = loop.time()
        ended = await self._done("shuffling", self._cycle_s, m.Shuffle, expect=self._cards, scope=0)
        took_s = loop.time() - before_s
        right = ended.cmd_result == Code.CYCLE_DONE and ended.token_id == ended.cmd_id and ended.order == 0
        said = f"{told_code(ended.cmd_result)} in {took_s:.0f} s, {ended.machine} cards"
        return judged("shuffler-shuffle", said, right=right, took_s=took_s)

    async def _feed(self) -> Step:
        """Bring cards up; each but the last goes out."""
        times: list[float] = []
        for number in range(FED):
            took_s, fault = await self._brought_up(first=number == 0)
            if fault:
                return judged("shuffler-feed", f"card {number + 1}: {fault}", right=False)
            times.append(took_s * 1000)
            self._bench.progress("feeding", (number + 1) / FED)
            if number < FED - 1:
                await self._let_out()
        most_s = max(times) / 1000
        said = f"{FED} cards came up singly, each in {most_s:.1f} s at most"
        right = most_s <= max(MOVE_S, 2 * self._dispense_s)
        return judged("shuffler-feed", said, right=right, values=tuple(sorted(times)))

    async def _gate_shut(self) -> Step:
        """A card lies behind the gate: nothing lets it through while a hold stands."""
        if Cap.GATE not in self._caps:
            return untested("shuffler-gate-shut", "it has no gate")
        a = self._a
        await a.hold()
        await a.arm()
        known = await a.query()
        refused = await a.command(m.Release, card_id=known.exit_id, open_ms=1000)
        held = await self._bench.sees("Push at the card behind the gate, gently. Does the gate hold it?")
        after = await a.query()
        await a.clear()
        if held is None:
            return untested("shuffler-gate-shut", "nobody tried the gate")
        still = after.sensors & (Sensor.GATE_LOCKED | Sensor.IN_GATE) == Sensor.GATE_LOCKED
        right = held and refused.code == Code.HELD and still and after.exit_id == known.exit_id
        said = "it holds the card" if held else "it does not hold the card"
        if refused.code != Code.HELD:
            said += f"; a release under a hold is answered with {told_code(refused.code)}"
        if not still:
            said += f"; its sensors say: {', '.join(name_of(one) for one in Sensor if one in after.sensors)}"
        return judged("shuffler-gate-shut", said, right=bool(right))

    async def _gate_opens(self) -> Step:
        if Cap.GATE not in self._caps:
            return untested("shuffler-gate-opens", "it has no gate")
        before = await self._a.query()
        after = await self._let_out()
        locked = await self._until(lambda s: Sensor.GATE_LOCKED in s.sensors and not s.locks & Lock.ERROR)
        right = locked and after.out_total == before.out_total + 1
        said = "one card went through, and it is locked again" if locked else "it does not lock again"
        return judged("shuffler-gate-opens", said, right=right)

    async def _exit(self) -> Step:
        if Cap.OUTLET_SENSOR not in self._caps:
            return untested("shuffler-exit", "it has no sensor in its outlet")
        seen = await self._until(lambda s: Sensor.OUTLET in s.sensors)
        await self._asked("Take the cards out of the outlet.")
        empty = await self._until(lambda s: Sensor.OUTLET not in s.sensors)
        said = (
            "the card and its taking are seen"
            if seen and empty
            else ("its taking is not seen" if seen else "the card that lies there is not seen")
        )
        return judged("shuffler-exit", said, right=seen and empty)

    async def _back(self) -> Step:
        if Cap.RETRACT not in self._caps or Cap.GATE not in self._caps:
            return untested("shuffler-back", "it takes no card back")
        _, fault = await self._brought_up(first=False)
        if fault:
            raise Unmet(fault)
        known = await self._a.query()
        back = await self._done("taking back", MOVE_S, m.Retract, card_id=known.exit_id)
        right = back.cmd_state == CommandState.DONE and Sensor.BEHIND_GATE not in back.sensors
        return judged("shuffler-back", f"{told_code(back.cmd_result)}, {back.machine} cards inside", right=right)
