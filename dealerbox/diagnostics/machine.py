"""A shuffler in a technician's hands: one command after another, each to its end."""

import asyncio
from collections.abc import Callable
from typing import Final

from dealerbox.diagnostics.verdict import Bench
from dealerbox.model.shuffler import Cap
from dealerbox.ports import DealerboxError
from dealerbox_drivers.shuffler import messages as m
from dealerbox_drivers.shuffler.conformance.asker import Asker, Unmet
from dealerbox_drivers.shuffler.messages import Code, CommandState, Lock, NvmHealth, ResetCause, Sensor

OPEN_MS: Final = 10_000
MOVE_S: Final = 5.0
"""Longest for one card, and for a door's sensor to say so."""


class LeftOut(DealerboxError):
    """The person will not do what was asked for."""


class Machine:
    """What all steps do with it. Unmet when it does not do as its page says."""

    def __init__(self, asker: Asker, bench: Bench) -> None:
        self._a, self._bench = asker, bench
        self._caps = Cap(0)
        self._dispense_s = self._cycle_s = 0.0

    async def _greeted(self) -> m.Ident:
        """Begin a session; what the machine says of itself is known from then on."""
        ident = await self._a.greet()
        self._caps = Cap(ident.caps)
        self._dispense_s, self._cycle_s = ident.dispense_ms / 1000, float(ident.cycle_s)
        return ident

    async def _placed(self, cards: int) -> m.Status:
        """Give a person's word for how many cards are in it, and none at its exit."""
        await self._a.hold()
        placed = await self._a.command(m.Places, machine=cards, exit_id=0, order=1, person=0)
        await self._a.clear()
        return placed

    async def _brought_up(self, *, first: bool) -> tuple[float, str]:
        loop = asyncio.get_running_loop()
        before_s = loop.time()
        known = await self._a.query()
        deal = known.token_id if first else known.deal_id
        up = await self._done("feeding", self._dispense_s, m.Dispense, deal_id=deal, first=int(first))
        took_s = loop.time() - before_s
        if up.cmd_result != Code.MOVED:
            return took_s, told_code(up.cmd_result)
        if Cap.GATE in self._caps and Cap.SLOT_SENSOR in self._caps and Sensor.BEHIND_GATE not in up.sensors:
            return took_s, "the sensor behind the gate does not see it"
        if Cap.PULSES in self._caps and up.pulses != 1:
            return took_s, f"its counter gives {up.pulses} pulses"
        return took_s, ""

    async def _let_out(self) -> m.Status:
        """Let the card behind the gate go, if there is a gate."""
        known = await self._a.query()
        if Cap.GATE not in self._caps:
            return known
        passed = await self._done("letting out", OPEN_MS / 1000, m.Release, card_id=known.exit_id, open_ms=OPEN_MS)
        if passed.cmd_result != Code.PASSED:
            raise Unmet(f"the card does not go through the open gate: {told_code(passed.cmd_result)}")
        return passed

    async def _asked(self, what: str) -> None:
        if not await self._bench.does(what):
            raise LeftOut(f"left out: {what}")

    async def _until(self, true: Callable[[m.Status], bool]) -> bool:
        """Ask until it is so, for a moment."""
        loop = asyncio.get_running_loop()
        end_s = loop.time() + MOVE_S
        while loop.time() < end_s:
            if true(await self._a.query()):
                return True
            await asyncio.sleep(0.05)
        return False

    async def _done(self, what: str, about_s: float, kind: type[m.Permit], **fields: int) -> m.Status:
        """Arm, command, and wait for the end; Unmet when it is not taken, or does not end."""
        armed = await self._a.arm()
        if armed.code not in (Code.OK, Code.BUSY):
            locks = ", ".join(lock.name or "" for lock in Lock if lock in armed.locks)
            raise Unmet(f"it does not arm: {told_code(armed.code)} ({locks or 'no lock'})")
        taken = await self._a.command(kind, **fields)
        if taken.code != Code.OK:
            raise Unmet(f"{kind.__name__.upper()} is not taken: {told_code(taken.code)}")
        loop = asyncio.get_running_loop()
        began_s, limit_s = loop.time(), max(2 * about_s, about_s + 2 * MOVE_S)
        while True:
            status = await self._a.beat()
            passed_s = loop.time() - began_s
            if status.cmd_state != CommandState.MOVING:
                return status
            if passed_s > limit_s:
                raise Unmet(f"{what} does not end in {limit_s:.0f} s")
            if about_s > 2 * MOVE_S:
                self._bench.progress(what, min(0.99, passed_s / about_s))
            await asyncio.sleep(0.05)


def word_of(kind: type[ResetCause] | type[NvmHealth], value: int) -> str:
    try:
        return kind(value).name.lower().replace("_", " ")
    except ValueError:
        return str(value)


def told_code(code: int) -> str:
    """Return a code's word, and what `dealerbox explain` takes."""
    try:
        return f"{Code(code).name.lower().replace('_', ' ')} (shuffler-{code:02X})"
    except ValueError:
        return f"code {code:02X}"


def name_of(sensor: Sensor) -> str:
    return (sensor.name or "").lower().replace("_", " ")
