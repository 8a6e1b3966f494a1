"""How motions end, and what stops them: PROTOCOL.md section 4."""

import asyncio

import pytest

from dealerbox.model.shuffler import Cap
from dealerbox_drivers.shuffler import messages as m
from dealerbox_drivers.shuffler.messages import Code, CommandState, DeviceState, EventKind, Lock, Sensor
from dealerbox_drivers.shuffler.twin import FULL_CAPS
from dealerbox_drivers.shuffler.twin_machine import Feed, Push

DONE, FAILED, UNCERTAIN = CommandState.DONE, CommandState.FAILED, CommandState.UNCERTAIN


def test_nothing_fed_is_a_failure_that_the_same_hand_may_try_again(at_bench):
    async def scene(b):
        await b.ready()
        b.twin.machine.faults.feeds.append(Feed.NONE)
        s = await b.do(m.Dispense, deal_id=2, first=1)
        assert (s.cmd_state, s.cmd_result, s.machine, s.exit_id) == (FAILED, Code.NO_FEED, 52, 0)
        assert s.state == DeviceState.ARMED
        assert (await b.do(m.Dispense, deal_id=2, first=0)).machine == 51

    at_bench(scene)


@pytest.mark.parametrize(("fault", "result"), [(Feed.TWO_PULSES, Code.DOUBLE_FEED), (Feed.JAM, Code.JAM)])
def test_a_misfeed_locks_until_a_person_says_where_the_cards_are(at_bench, fault, result):
    async def scene(b):
        fence = (await b.ready()).fence
        b.twin.machine.faults.feeds.append(fault)
        s = await b.do(m.Dispense, deal_id=2, first=1)
        assert (s.cmd_state, s.cmd_result, s.error, s.fence) == (UNCERTAIN, result, result, fence + 1)
        assert s.locks == Lock.UNCERTAIN | Lock.ERROR
        assert (await b.arm()).code == Code.DISAGREE
        assert (await b.places(51, 0)).code == Code.SENSOR_SAYS_NO
        s = await b.places(51, 3, order=0)
        assert (s.code, s.locks, s.machine, s.exit_id, s.error, s.deal_id) == (Code.OK, Lock(0), 51, 3, 0, 2)

    at_bench(scene)


def test_two_cards_under_one_pulse_are_invisible_to_the_device(at_bench):
    async def scene(b):
        await b.ready()
        b.twin.machine.faults.feeds.append(Feed.TWO_AS_ONE)
        s = await b.do(m.Dispense, deal_id=2, first=1)
        assert (s.cmd_state, s.machine) == (DONE, 51)
        assert len(b.felt.readable("exit")) == 2

    at_bench(scene)


def test_a_card_left_behind_the_gate_after_another_passed_locks(at_bench):
    async def scene(b):
        await b.ready()
        b.twin.machine.faults.feeds.append(Feed.TWO_AS_ONE)
        await b.do(m.Dispense, deal_id=2, first=1)
        b.twin.machine.faults.pushes.append(Push.FIRST)
        s = await b.do(m.Release, card_id=3, open_ms=1000)
        assert (s.cmd_result, s.exit_id) == (Code.PASSED, 0)
        assert Lock.UNCERTAIN in s.locks

    at_bench(scene)


def test_a_card_that_does_not_go_is_not_taken_and_may_be_released_again(at_bench):
    async def scene(b):
        await b.bring()
        b.twin.machine.faults.pushes.append(Push.NOTHING)
        start = (await b.query()).tick
        s = await b.do(m.Release, card_id=3, open_ms=800)
        assert (s.cmd_state, s.cmd_result, s.exit_id) == (CommandState.NOT_TAKEN, Code.NOT_TAKEN, 3)
        assert 800 <= s.tick - start <= 1800
        assert s.state == DeviceState.ARMED
        assert Sensor.GATE_LOCKED in s.sensors
        assert (await b.do(m.Release, card_id=3, open_ms=800)).cmd_result == Code.PASSED

    at_bench(scene)


def test_a_card_stuck_in_the_gate_is_a_jam(at_bench):
    async def scene(b):
        await b.bring()
        b.twin.machine.faults.pushes.append(Push.JAM)
        s = await b.do(m.Release, card_id=3, open_ms=10_000)
        assert (s.cmd_state, s.cmd_result, s.exit_id) == (UNCERTAIN, Code.JAM, 3)
        assert s.locks == Lock.UNCERTAIN | Lock.ERROR
        await asyncio.sleep(0.02)  # the coil's time
        assert Sensor.GATE_LOCKED in (await b.query()).sensors

    at_bench(scene)


def test_a_hold_before_the_card_is_in_the_gate_keeps_it(at_bench):
    async def scene(b):
        await b.bring()
        await b.say(m.Release, card_id=3, open_ms=10_000)
        await asyncio.sleep(0.030)
        assert (await b.ask(m.HoldRequest(1, 1))).state == DeviceState.BUSY
        s = await b.final()
        assert (s.cmd_state, s.exit_id) == (CommandState.NOT_TAKEN, 3)
        assert len(b.felt.at("behind_gate")) == 1

    at_bench(scene)


def test_a_hold_before_the_gate_opened_keeps_it_shut(at_bench):
    async def scene(b):
        await b.bring()
        await b.say(m.Release, card_id=3, open_ms=10_000)
        s = await b.ask(m.HoldRequest(1, 1))
        assert Sensor.GATE_LOCKED in s.sensors
        s = await b.final()
        assert (s.state, s.cmd_state) == (DeviceState.LOCKED, CommandState.NOT_TAKEN)

    at_bench(scene)


def test_a_hold_lets_a_card_through_that_is_already_in_the_gate(at_bench):
    async def scene(b):
        await b.bring()
        await b.say(m.Release, card_id=3, open_ms=10_000)
        await asyncio.sleep(0.110)
        s = await b.ask(m.HoldRequest(1, 1))
        assert Lock.HOLD in s.locks
        s = await b.final()
        assert (s.cmd_state, s.cmd_result, s.exit_id, s.state) == (DONE, Code.PASSED, 0, DeviceState.LOCKED)
        assert len(b.felt.at("outlet")) == 1

    at_bench(scene)


def test_the_gate_of_a_dead_host_is_shut_by_the_lease(at_bench):
    async def scene(b):
        await b.bring()
        b.twin.machine.faults.pushes.append(Push.NOTHING)
        await b.beat()
        await b.say(m.Release, card_id=3, open_ms=10_000)
        await asyncio.sleep(0.5)
        assert (await b.query()).state == DeviceState.OPEN
        await asyncio.sleep(0.55)
        s = await b.query()
        assert Sensor.GATE_LOCKED in s.sensors
        assert Lock.LEASE in s.locks
        await asyncio.sleep(0.2)
        assert (await b.query()).cmd_state == CommandState.NOT_TAKEN

    at_bench(scene)


def test_a_dispense_under_way_ends_behind_the_gate_after_a_hold(at_bench):
    async def scene(b):
        await b.ready()
        await b.say(m.Dispense, deal_id=2, first=1)
        await b.ask(m.HoldRequest(1, 1))
        s = await b.final()
        assert (s.cmd_state, s.exit_id, s.state) == (DONE, 3, DeviceState.LOCKED)

    at_bench(scene)


def test_a_gateless_machine_that_has_not_begun_does_not_begin_after_a_hold(at_bench):
    async def scene(b):
        await b.ready()
        s = await b.do(m.Dispense, deal_id=2, first=1)
        assert (s.cmd_state, s.exit_id, s.out_total, s.machine) == (DONE, 0, 1, 51)
        assert len(b.felt.at("outlet")) == 1
        await b.say(m.Dispense, deal_id=2, first=0)
        await b.ask(m.HoldRequest(1, 1))
        s = await b.final()
        assert (s.cmd_state, s.cmd_result, s.machine) == (FAILED, Code.INTERRUPTED, 51)
        assert len(b.felt.at("outlet")) == 1

    at_bench(scene, caps=FULL_CAPS & ~(Cap.GATE | Cap.SLOT_SENSOR))


def test_a_machine_without_a_gate_releases_nothing(at_bench):
    async def scene(b):
        await b.ready()
        return (await b.say(m.Release, card_id=2, open_ms=1000)).code

    assert at_bench(scene, caps=FULL_CAPS & ~Cap.GATE) == Code.UNSUPPORTED


def test_an_own_error_and_the_service_key_lock(at_bench):
    async def scene(b):
        await b.ready()
        b.live()
        b.twin.fail(0x33)
        assert (await b.query()).locks == Lock.ERROR
        await b.places(52)
        b.twin.turn_service_key(on=True)
        assert (await b.arm()).code == Code.DISAGREE
        b.twin.turn_service_key(on=False)
        assert (await b.arm()).code == Code.OK

    at_bench(scene)


def test_a_shuffle_of_the_wrong_number_earns_no_token(at_bench):
    async def scene(b):
        await b.ready()
        s = await b.do(m.Shuffle, expect=51, scope=0)
        assert (s.cmd_state, s.cmd_result, s.machine, s.token_id) == (DONE, Code.WRONG_NUMBER, 52, 0)

    at_bench(scene)


def test_a_count_keeps_the_shuffle_only_where_it_keeps_the_order(at_bench):
    async def scene(b):
        await b.ready()
        s = await b.do(m.Count, scope=0)
        return s.token_id, s.order

    assert at_bench(scene) == (2, 0)
    assert at_bench(scene, caps=FULL_CAPS & ~Cap.COUNT_KEEPS_ORDER) == (0, 1)


def test_a_return_draws_the_cards_in_one_by_one_past_the_infeed_reader(at_bench):
    async def scene(b):
        await b.ready()
        seen = []
        b.felt.watch(lambda uid, before, after: seen.append((before, after)))
        for uid in b.felt.at("box")[:3]:
            b.felt.put(uid, "infeed")
        s = await b.do(m.Return, expect=2, open_ms=5000)
        assert (s.cmd_result, s.machine, s.order, s.token_id) == (Code.CYCLE_DONE, 54, 1, 0)
        assert seen[3:] == [("infeed", "machine")] * 2
        s = await b.do(m.Return, expect=1, open_ms=1000)
        assert (s.cmd_result, s.machine) == (Code.WRONG_NUMBER, 54)

    at_bench(scene)


def test_a_return_ends_at_a_hold_with_what_came_in(at_bench):
    async def scene(b):
        await b.ready()
        await b.say(m.Return, expect=2, open_ms=60_000)
        b.felt.put(b.felt.at("box")[0], "infeed")
        await asyncio.sleep(0.5)
        await b.ask(m.HoldRequest(1, 1))
        s = await b.final()
        assert (s.cmd_state, s.cmd_result, s.machine, s.state) == (DONE, Code.WRONG_NUMBER, 53, DeviceState.LOCKED)

    at_bench(scene)


def test_a_taken_card_is_told(at_bench):
    async def scene(b):
        await b.bring()
        await b.do(m.Release, card_id=3, open_ms=1000)
        b.live()
        b.felt.put(b.felt.at("outlet")[0], "hand")
        await asyncio.sleep(0.1)
        assert (await b.query()).taken_id == 3
        assert (b.events[-1].kind, b.events[-1].arg) == (EventKind.TAKEN, 3)

    at_bench(scene)
