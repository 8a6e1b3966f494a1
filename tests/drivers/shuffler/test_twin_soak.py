"""Whatever a host says, in whatever order, and whenever the power goes: one card for one permit."""

import asyncio
import contextlib
from random import Random

import pytest

from dealerbox_drivers.memory_line import Delayed, OneByte, memory_pair
from dealerbox_drivers.shuffler import messages as m
from dealerbox_drivers.shuffler.messages import Code, DeviceState, Lock
from dealerbox_drivers.shuffler.twin import STEPS
from dealerbox_drivers.shuffler.twin_machine import Timings

QUICK = Timings(feed_min_ms=40, feed_max_ms=90, shuffle_ms=150, retract_ms=100)
GATE_S = 0.1
"""A card that is in the gate when the hold comes is let through for so long."""


class Mischief:
    """A host that mixes right commands with old frames, holds, silence and power cuts, and what the felt saw of it."""

    def __init__(self, bench, rng):
        self.bench = bench
        self.rng = rng
        self.said = []
        self.released = set()
        self.out = 0
        self.held_since = None
        self.late = []
        bench.felt.watch(self.moved)

    def moved(self, _uid, before, after):
        now = asyncio.get_running_loop().time()
        if (before, after) == ("behind_gate", "outlet"):
            self.out += 1
            if self.held_since is not None and now > self.held_since + GATE_S:
                self.late.append(now)

    async def ask(self, body):
        with contextlib.suppress(TimeoutError):
            return await self.bench.ask(body)
        for _ in range(9):  # a boot can be cut too
            if not self.bench.twin.on:
                self.bench.twin.power_on()
            with contextlib.suppress(TimeoutError):
                await self.bench.hello()
                return await self.bench.query()
        raise AssertionError("the machine does not come back")

    async def turn(self):
        bench, rng = self.bench, self.rng
        s = await self.ask(m.Query())
        numbers = (s.epoch, s.fence, s.cmd_id + 1, s.cmd_id)
        acts = {
            "dispense": m.Dispense(*numbers, s.token_id or s.deal_id, int(bool(s.token_id))),
            "release": m.Release(*numbers, s.exit_id, 800),
            "retract": m.Retract(*numbers, s.exit_id),
            "shuffle": m.Shuffle(*numbers, len(bench.felt.at("machine")), 0),
            "places": m.Places(*numbers, len(bench.felt.at("machine")), self.exit_id(s), rng.randint(0, 1), 7),
            "arm": m.Arm(s.epoch, s.fence, s.cmd_id, s.machine, s.exit_id),
        }
        choice = sensible(s) if rng.random() < 0.7 else rng.choice(list(acts))
        if rng.random() < 0.15 and self.said:
            return await self.ask(rng.choice(self.said))
        if rng.random() < 0.06:
            bench.twin.cut_before(rng.choice([*STEPS, "writing"]))
        if rng.random() < (0.3 if Lock.HOLD in s.locks else 0.06):
            await self.hold_or_clear(s)
        body = acts[choice]
        self.said.append(body)
        if isinstance(body, m.Release):
            self.released.add(body.cmd_id)
        return await self.ask(body)

    def exit_id(self, s):
        return (s.exit_id or s.cmd_id + 1) if self.bench.felt.at("behind_gate") else 0

    async def hold_or_clear(self, s):
        if Lock.HOLD in s.locks:
            body = m.ClearHold(s.epoch, s.hold_no, s.hold_session, s.hold_key, 7)
        else:
            body = m.HoldRequest(s.hold_key + 1, 1)
        locks = (await self.ask(body)).locks
        self.held_since = asyncio.get_running_loop().time() if Lock.HOLD in locks else None


def sensible(s):
    """What a host that wants cards would do next."""
    if s.locks & (Lock.UNCERTAIN | Lock.CONTENT | Lock.WIPED | Lock.ERROR):
        return "places"
    if s.state == DeviceState.LOCKED:
        return "arm"
    if s.exit_id:
        return "release"
    return "dispense" if s.token_id or s.deal_id else "shuffle"


@pytest.mark.parametrize("seed", range(12))
def test_no_more_cards_come_out_than_were_released_and_none_under_a_hold(at_bench, seed):
    async def scene(b):
        rng = Random(seed)
        await b.ready()
        mischief = Mischief(b, rng)
        for _ in range(250):
            await mischief.turn()
            if b.twin.on and rng.random() < 0.9:
                s = await mischief.ask(m.Query())
                await mischief.ask(m.Heartbeat(s.boot_id, s.tick))
            await asyncio.sleep(rng.choice([0.001, 0.03, 0.12, 0.5]))
            assert len(b.felt.at("behind_gate")) <= 1
            for uid in b.felt.at("outlet"):
                b.felt.put(uid, "machine" if rng.random() < 0.5 else "hand")
        assert mischief.out <= len(mischief.released)
        assert mischief.late == []
        return mischief.out

    at_bench(scene, timings=QUICK)


def test_the_soak_lets_cards_out_at_all(at_bench):
    async def scene(b):
        rng = Random(3)
        await b.ready()
        mischief = Mischief(b, rng)
        for _ in range(400):
            await mischief.turn()
            if b.twin.on:
                s = await mischief.ask(m.Query())
                await mischief.ask(m.Heartbeat(s.boot_id, s.tick))
            await asyncio.sleep(0.12)
        return mischief.out

    assert at_bench(scene, timings=QUICK) > 30


@pytest.mark.parametrize("through", [OneByte, lambda line: Delayed(line, 40)], ids=["one byte", "40 ms late"])
def test_a_card_comes_out_over_a_slow_line_too(at_bench, through):
    async def scene(b):
        await b.bring()
        s = await b.do(m.Release, card_id=3, open_ms=5000)
        assert (s.cmd_result, s.state) == (Code.PASSED, DeviceState.ARMED)

    at_bench(scene, through=through)


def test_a_line_pulled_and_plugged_in_again_finds_the_same_machine(at_bench):
    async def scene(b):
        await b.bring()
        b.line.close()
        near, far = memory_pair()
        b.twin.plug(far)
        b.relisten(near)
        s = await b.query()
        assert (s.exit_id, s.session) == (3, 1)

    at_bench(scene)
