"""What a device makes of doors, hands and gates that do what nobody asked: PROTOCOL.md section 4."""

import asyncio

from dealerbox_drivers.shuffler import messages as m
from dealerbox_drivers.shuffler.messages import Code, CommandState, EventKind, Lock, Sensor

DONE, UNCERTAIN = CommandState.DONE, CommandState.UNCERTAIN


def test_an_opened_door_locks_and_makes_the_content_unknown(at_bench):
    async def scene(b):
        await b.ready()
        b.live()
        b.twin.open_door()
        await asyncio.sleep(0.05)
        s = await b.query()
        assert s.locks == Lock.DOOR | Lock.CONTENT
        assert (s.machine, s.order) == (m.MACHINE_UNKNOWN, 1)
        assert (await b.arm()).code == Code.DISAGREE
        assert (await b.places(52)).code == Code.SENSOR_SAYS_NO
        b.twin.open_door(is_open=False)
        await asyncio.sleep(0.05)
        assert (await b.query()).locks == Lock.CONTENT
        assert (await b.arm()).code == Code.OK
        assert (await b.say(m.Dispense, deal_id=2, first=1)).code == Code.CONTENT
        assert (await b.say(m.Shuffle, expect=52, scope=0)).code == Code.CONTENT
        s = await b.do(m.Count, scope=0)
        assert (s.cmd_result, s.machine, s.locks) == (Code.CYCLE_DONE, 52, Lock(0))

    at_bench(scene)


def test_a_door_opened_in_a_cycle_interrupts_it(at_bench):
    async def scene(b):
        await b.ready()
        await b.say(m.Shuffle, expect=52, scope=0)
        b.twin.open_door()
        s = await b.final()
        assert (s.cmd_state, s.cmd_result) == (CommandState.INTERRUPTED, Code.INTERRUPTED)
        assert s.locks == Lock.DOOR | Lock.CONTENT
        assert s.token_id == 0

    at_bench(scene)


def test_a_hand_behind_the_gate_locks(at_bench):
    async def scene(b):
        await b.bring()
        b.live()
        b.felt.put(b.felt.at("behind_gate")[0], "hand")
        await asyncio.sleep(0.05)
        s = await b.query()
        assert s.locks == Lock.UNCERTAIN
        assert b.events[-1].kind == EventKind.UNASKED

    at_bench(scene)


def test_a_return_ends_at_an_opened_door_with_what_came_in(at_bench):
    async def scene(b):
        await b.ready()
        await b.say(m.Return, expect=2, open_ms=60_000)
        b.felt.put(b.felt.at("box")[0], "infeed")
        await asyncio.sleep(0.5)
        b.twin.open_door()
        await asyncio.sleep(0.1)
        s = await b.final()
        assert (s.cmd_state, s.cmd_result, s.machine) == (DONE, Code.WRONG_NUMBER, m.MACHINE_UNKNOWN)
        assert Lock.CONTENT in s.locks
        assert len(b.felt.at("machine")) == 53

    at_bench(scene)


def test_a_hand_in_the_gate_locks_even_while_a_card_comes_up(at_bench):
    async def scene(b):
        await b.ready()
        await b.say(m.Dispense, deal_id=2, first=1)
        b.twin.force(Sensor.IN_GATE, True)
        await asyncio.sleep(0.1)
        assert Lock.UNCERTAIN in (await b.query()).locks
        assert b.events[-1].kind == EventKind.UNASKED
        assert b.events[-1].arg & Sensor.IN_GATE
        assert b.events[-1].arg & Sensor.GATE_LOCKED
        s = await b.final()
        assert (s.cmd_state, s.exit_id) == (DONE, 3)

    at_bench(scene)


def test_a_gate_that_stands_open_is_an_error_and_arms_nobody(at_bench):
    async def scene(b):
        await b.ready()
        b.twin.force(Sensor.GATE_LOCKED, False)
        await asyncio.sleep(0.2)
        s = await b.query()
        assert s.locks == Lock.ERROR
        assert s.error not in (0, Code.JAM, Code.DOUBLE_FEED)
        assert (await b.places(52)).code == Code.OK
        assert (await b.arm()).code == Code.DISAGREE
        b.twin.force(Sensor.GATE_LOCKED, None)
        assert (await b.arm()).code == Code.OK

    at_bench(scene)


def test_a_gate_that_does_not_lock_is_a_jam(at_bench):
    async def scene(b):
        await b.bring()
        await b.say(m.Release, card_id=3, open_ms=10_000)
        await asyncio.sleep(0.05)
        b.twin.force(Sensor.GATE_LOCKED, False)
        s = await b.final()
        assert (s.cmd_state, s.cmd_result, s.error) == (UNCERTAIN, Code.JAM, Code.JAM)
        assert s.locks == Lock.UNCERTAIN | Lock.ERROR

    at_bench(scene)


def test_cards_that_come_in_by_command_are_not_told_one_by_one(at_bench):
    async def scene(b):
        await b.ready()
        b.live()
        await b.say(m.Return, expect=1, open_ms=5000)
        b.felt.put(b.felt.at("box")[0], "infeed")
        await asyncio.sleep(1)
        assert [event for event in b.events if event.kind == EventKind.INFEED] == []
        b.felt.put(b.felt.at("box")[0], "infeed")
        await asyncio.sleep(0.1)
        assert (b.events[-1].kind, b.events[-1].arg) == (EventKind.INFEED, 1)

    at_bench(scene)
