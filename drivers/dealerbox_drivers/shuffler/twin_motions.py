"""How the shuffler's twin carries out what it accepted: write, move, write (PROTOCOL.md section 4)."""

import asyncio
from collections.abc import Awaitable
from typing import Any

from dealerbox.model.shuffler import Cap
from dealerbox_drivers.shuffler import messages as m
from dealerbox_drivers.shuffler.messages import MACHINE_UNKNOWN, Code, CommandState, EventKind, Lock, Sensor
from dealerbox_drivers.shuffler.twin_machine import CardMachine, wait_ms
from dealerbox_drivers.shuffler.twin_state import TwinState

LONGEST_OPEN_MS = 30_000
LONGEST_LOCK_MS = 500
"""A gate that is not locked so long after its coil was let go is a jam."""


class Motions:
    """One motion at a time, each to its final record."""

    def __init__(self, state: TwinState) -> None:
        self.passed_id = 0
        """The card that passed the gate last."""
        self._state = state
        self._machine: CardMachine = state.machine
        self._was_begun = True

    async def run(self, body: m.Permit) -> bool:
        """Carry out a command whose MOVING is written, up to its last write. False: a restriction ended it unbegun."""
        self._was_begun = True
        match body:
            case m.Dispense():
                await self._dispense(body)
            case m.Release():
                await self._release(body)
            case m.Retract():
                await self._retract()
            case m.Shuffle():
                await self._shuffle(body)
            case m.Count():
                await self._count()
            case m.Return():
                await self._return(body)
        return self._was_begun

    async def _dispense(self, body: m.Dispense) -> None:
        state = self._state
        gate = Cap.GATE in state.caps
        if not gate and not await self._begun(
            wait_ms(self._machine.timings.begin_ms), CommandState.FAILED, Code.INTERRUPTED
        ):
            return
        state.step("moved")
        pulses = await self._machine.feed()
        result = self._fed(pulses)
        record = state.record
        counted: dict[str, Any] = {"pulses": pulses if Cap.PULSES in state.caps else 0}
        if result == Code.MOVED:
            if gate:
                counted["exit_id"] = body.cmd_id
            else:
                self.passed_id = body.cmd_id
                counted["out_total"] = record.out_total + 1
            self._end(
                CommandState.DONE, result, machine=_plus(record.machine, -1), dispensed=record.dispensed + 1, **counted
            )
        elif result == Code.NO_FEED:
            self._end(CommandState.FAILED, result, no_feeds=record.no_feeds + 1, **counted)
        else:
            self._lost(result, double_feeds=record.double_feeds + (result == Code.DOUBLE_FEED), **counted)

    def _fed(self, pulses: int) -> Code:
        sees = (Cap.GATE | Cap.SLOT_SENSOR) in self._state.caps
        occupied = self._machine.has(Sensor.BEHIND_GATE)
        if Cap.PULSES not in self._state.caps:
            return Code.NO_FEED if sees and not occupied else Code.MOVED
        if pulses > 1:
            return Code.DOUBLE_FEED
        if sees and occupied != (pulses == 1):
            return Code.JAM
        return Code.MOVED if pulses else Code.NO_FEED

    async def _release(self, body: m.Release) -> None:
        state = self._state
        state.step("opened")
        if not await self._begun(self._machine.open_gate(), CommandState.NOT_TAKEN, Code.NOT_TAKEN):
            return
        state.open = True
        state.step("passed")
        passed = await self._open_until(min(body.open_ms, LONGEST_OPEN_MS))
        state.step("locked")
        self._machine.shut_gate()
        state.open = False
        locked = await self._locked()
        if not passed:
            passed = await self._look_behind()
        if not locked or self._machine.has(Sensor.IN_GATE):
            self._lost(Code.JAM)
        elif passed:
            self.passed_id = body.card_id
            self._end(CommandState.DONE, Code.PASSED, exit_id=0, out_total=state.record.out_total + 1)
        else:
            self._end(CommandState.NOT_TAKEN, Code.NOT_TAKEN)

    async def _begun(self, beginning: Awaitable[object], cmd_state: CommandState, result: Code) -> bool:
        """Tell whether a motion began; a restriction before that has written the end given here, in its own write."""
        self._state.unbegun = {"cmd_state": cmd_state, "cmd_result": result}
        await beginning
        self._was_begun = bool(self._state.unbegun)
        self._state.unbegun = {}
        return self._was_begun

    async def _open_until(self, open_ms: int) -> bool:
        """Keep open until the card's trailing edge (True), the time, a restriction, or a jam in the gate."""
        push = asyncio.ensure_future(self._machine.push())
        restricted = asyncio.ensure_future(self._state.restricted.wait())
        try:
            deadline_s = asyncio.get_running_loop().time() + open_ms / 1000
            await asyncio.wait({push, restricted}, timeout=open_ms / 1000, return_when=asyncio.FIRST_COMPLETED)
            passed = await push
            if not passed and not self._machine.has(Sensor.IN_GATE):
                left_s = max(0.0, deadline_s - asyncio.get_running_loop().time())
                await asyncio.wait({restricted}, timeout=left_s)
            return passed
        finally:
            push.cancel()
            restricted.cancel()

    async def _locked(self) -> bool:
        """Wait until the gate says that it is locked; False: it does not."""
        await wait_ms(self._machine.timings.coil_ms)
        if not self._machine.has(Sensor.GATE_LOCKED):
            await wait_ms(LONGEST_LOCK_MS)
        return self._machine.has(Sensor.GATE_LOCKED)

    async def _look_behind(self) -> bool:
        """Let a card that is in the gate through, let all settle; tell whether nothing is left behind the gate."""
        if self._machine.has(Sensor.IN_GATE):
            await wait_ms(self._machine.timings.jam_ms)
        await wait_ms(self._machine.timings.settle_ms)
        return not self._machine.has(Sensor.BEHIND_GATE)

    async def _retract(self) -> None:
        state = self._state
        state.step("moved")
        await self._machine.pull_back()
        if self._machine.has(Sensor.BEHIND_GATE):
            self._lost(Code.JAM)
            return
        record = state.record
        self._end(
            CommandState.DONE,
            Code.MOVED,
            machine=_plus(record.machine, 1),
            exit_id=0,
            order=1,
            deal_id=0,
            token_id=0,
            retracted=record.retracted + 1,
        )

    async def _shuffle(self, body: m.Shuffle) -> None:
        if await self._stopped_within(self._machine.timings.shuffle_ms):
            return
        self._state.step("moved")
        self._machine.shuffle()
        counted = self._machine.count() if Cap.OWN_COUNT in self._state.caps else self._state.record.machine
        right = counted == body.expect
        self._end(
            CommandState.DONE,
            Code.CYCLE_DONE if right else Code.WRONG_NUMBER,
            machine=counted,
            order=0,
            token_id=body.cmd_id if right else 0,
        )

    async def _count(self) -> None:
        counted = self._machine.count()
        if await self._stopped_within(counted * self._machine.timings.count_card_ms):
            return
        locks = self._state.record.locks & ~Lock.CONTENT
        self._end(CommandState.DONE, Code.CYCLE_DONE, machine=counted, locks=locks)

    async def _return(self, body: m.Return) -> None:
        state = self._state
        loop = asyncio.get_running_loop()
        deadline_s = loop.time() + body.open_ms / 1000
        room = max(0, state.identity.capacity - state.record.machine)
        entered = 0
        while entered < min(body.expect, room) and loop.time() < deadline_s and not state.restricted.is_set():
            if not self._machine.has(Sensor.INFEED):
                await wait_ms(self._machine.timings.debounce_ms)
                continue
            state.step("moved")
            entered += await self._machine.draw_in()
        result = Code.CYCLE_DONE if entered == body.expect else Code.WRONG_NUMBER
        self._end(CommandState.DONE, result, machine=_plus(state.record.machine, entered))

    async def _stopped_within(self, duration_ms: int) -> bool:
        """Wait so long; a door or an error in that time ends the cycle, and its content is unknown."""
        stopped = asyncio.ensure_future(self._state.stopped.wait())
        try:
            await asyncio.wait({stopped}, timeout=duration_ms / 1000)
        finally:
            stopped.cancel()
        if not self._state.stopped.is_set():
            return False
        locks = self._state.record.locks | Lock.CONTENT
        self._end(CommandState.INTERRUPTED, Code.INTERRUPTED, locks=locks, machine=MACHINE_UNKNOWN, order=1)
        return True

    def _end(self, cmd_state: CommandState, result: Code, **changes: Any) -> None:
        self._state.step("committed")
        self._state.write(cmd_state=cmd_state, cmd_result=result, **changes)
        self._state.busy = False

    def _lost(self, result: Code, **changes: Any) -> None:
        """Nobody knows where the card is: an own error, and a restriction in the same write."""
        self._state.step("committed")
        self._state.restrict(
            hard=Lock.UNCERTAIN | Lock.ERROR,
            cmd_state=CommandState.UNCERTAIN,
            cmd_result=result,
            error=result,
            **changes,
        )
        self._state.busy = False
        self._state.tell(EventKind.ERROR, result)


def _plus(machine: int, cards: int) -> int:
    return machine if machine == MACHINE_UNKNOWN else machine + cards
