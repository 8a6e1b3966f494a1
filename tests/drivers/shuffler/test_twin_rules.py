"""Rules of sections 4 and 7 one by one: what is refused and by which code, and what a machine without a part does."""

import asyncio

import pytest

from dealerbox.model.shuffler import Cap
from dealerbox_drivers.shuffler import messages as m
from dealerbox_drivers.shuffler.messages import Code, CommandState, Lock, Sensor
from dealerbox_drivers.shuffler.twin import FULL_CAPS
from dealerbox_drivers.shuffler.twin_machine import Feed

DONE, FAILED, UNCERTAIN = CommandState.DONE, CommandState.FAILED, CommandState.UNCERTAIN


@pytest.mark.parametrize(
    ("missing", "kind", "fields"),
    [
        (Cap.SHUFFLE, m.Shuffle, {"expect": 52, "scope": 0}),
        (Cap.STUB_SHUFFLE, m.Shuffle, {"expect": 52, "scope": 1}),
        (Cap.OWN_COUNT, m.Count, {"scope": 0}),
        (Cap.RETURN, m.Return, {"expect": 1, "open_ms": 1000}),
        (Cap.RETRACT, m.Retract, {"card_id": 3}),
        (Cap.GATE, m.Release, {"card_id": 3, "open_ms": 1000}),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_a_command_for_which_the_machine_has_no_part_is_refused_and_its_id_is_gone(at_bench, missing, kind, fields):
    async def scene(b):
        await b.hello()
        await b.places(52)
        await b.arm()
        s = await b.say(kind, **fields)
        assert (s.code, s.cmd_state, s.cmd_id) == (Code.UNSUPPORTED, FAILED, 2)

    at_bench(scene, caps=FULL_CAPS & ~missing)


@pytest.mark.parametrize(("feed", "end"), [(Feed.NONE, (FAILED, Code.NO_FEED)), (Feed.TWO_PULSES, (DONE, Code.MOVED))])
def test_without_pulses_the_slot_sensor_alone_tells(at_bench, feed, end):
    async def scene(b):
        await b.ready()
        b.twin.machine.faults.feeds.append(feed)
        s = await b.do(m.Dispense, deal_id=2, first=1)
        assert (s.cmd_state, s.cmd_result, s.pulses) == (*end, 0)

    at_bench(scene, caps=FULL_CAPS & ~Cap.PULSES)


def test_without_pulses_and_slot_sensor_a_dispense_is_done_whatever_came(at_bench):
    async def scene(b):
        await b.ready()
        b.twin.machine.faults.feeds.append(Feed.NONE)
        s = await b.do(m.Dispense, deal_id=2, first=1)
        assert (s.cmd_state, s.exit_id, s.machine) == (DONE, 3, 51)
        assert not s.sensors & Sensor.BEHIND_GATE

    at_bench(scene, caps=FULL_CAPS & ~(Cap.PULSES | Cap.SLOT_SENSOR))


def test_without_an_outlet_sensor_nobody_is_told_that_a_card_was_taken(at_bench):
    async def scene(b):
        await b.bring()
        await b.do(m.Release, card_id=3, open_ms=1000)
        (card,) = b.felt.at("outlet")
        b.felt.put(card, "seat:1")
        await asyncio.sleep(0.1)
        s = await b.query()
        assert (s.taken_id, s.sensors & Sensor.OUTLET) == (0, 0)

    at_bench(scene, caps=FULL_CAPS & ~Cap.OUTLET_SENSOR)


def test_without_a_counter_a_shuffle_goes_by_the_record(at_bench):
    async def scene(b):
        await b.ready()
        b.twin.machine.faults.miscount_by(-1)
        s = await b.do(m.Shuffle, expect=52, scope=0)
        assert (s.cmd_result, s.machine, s.token_id) == (Code.CYCLE_DONE, 52, s.cmd_id)

    at_bench(scene, caps=FULL_CAPS & ~Cap.OWN_COUNT)


def test_a_card_that_does_not_go_back_is_a_jam(at_bench):
    async def scene(b):
        await b.bring()
        b.twin.machine.faults.stick(1)
        s = await b.do(m.Retract, card_id=3)
        assert (s.cmd_state, s.cmd_result, s.locks) == (UNCERTAIN, Code.JAM, Lock.UNCERTAIN | Lock.ERROR)

    at_bench(scene)


def test_a_card_taken_back_is_in_the_machine_again_and_its_shuffle_is_gone(at_bench):
    async def scene(b):
        await b.bring()
        s = await b.do(m.Retract, card_id=3)
        assert (s.cmd_state, s.cmd_result, s.machine, s.exit_id) == (DONE, Code.MOVED, 52, 0)
        assert (s.order, s.deal_id, s.token_id) == (1, 0, 0)

    at_bench(scene)


@pytest.mark.parametrize(("kind", "more"), [(m.Release, {"open_ms": 1000}), (m.Retract, {})])
def test_the_card_must_be_there_and_be_the_one_that_is_named(at_bench, kind, more):
    async def scene(b):
        await b.ready()
        assert (await b.say(kind, card_id=1, **more)).code == Code.EXIT_EMPTY
        await b.do(m.Dispense, deal_id=2, first=1)
        s = await b.say(kind, card_id=1, **more)
        assert (s.code, s.cmd_state, s.exit_id) == (Code.WRONG_CARD, FAILED, 4)

    at_bench(scene)


def test_under_an_unknown_content_the_machine_counts_and_does_nothing_else(at_bench):
    async def scene(b):
        await b.ready()
        b.twin.open_door()
        await asyncio.sleep(0.1)
        b.twin.open_door(is_open=False)
        await asyncio.sleep(0.1)
        s = await b.arm()
        assert (s.code, s.locks, s.machine) == (Code.OK, Lock.CONTENT, 0xFF)
        assert (await b.say(m.Dispense, deal_id=2, first=1)).code == Code.CONTENT
        assert (await b.say(m.Shuffle, expect=52, scope=0)).code == Code.CONTENT
        s = await b.do(m.Count, scope=0)
        assert (s.cmd_result, s.machine, s.locks) == (Code.CYCLE_DONE, 52, Lock(0))

    at_bench(scene)


def test_nobody_is_asked_where_the_cards_are_while_nothing_is_wrong(at_bench):
    async def scene(b):
        fence = (await b.ready()).fence
        s = await b.places(40)
        assert (s.code, s.cmd_state, s.machine, s.fence) == (Code.NOT_ASKED, FAILED, 52, fence)

    at_bench(scene)


def test_a_persons_word_is_not_taken_through_an_open_door_nor_against_the_slot_sensor(at_bench):
    async def scene(b):
        await b.ready()
        b.twin.open_door()
        await asyncio.sleep(0.1)
        s = await b.places(52)
        assert (s.code, s.locks & Lock.CONTENT) == (Code.SENSOR_SAYS_NO, Lock.CONTENT)
        b.twin.open_door(is_open=False)
        await asyncio.sleep(0.1)
        assert (await b.places(51, exit_id=1)).code == Code.SENSOR_SAYS_NO
        s = await b.places(52)
        assert (s.code, s.cmd_result, s.locks, s.order) == (Code.OK, Code.SET, Lock(0), 1)

    at_bench(scene)


def test_a_persons_word_disarms_and_leaves_fence_and_hold(at_bench):
    async def scene(b):
        await b.ready()
        await b.ask(m.HoldRequest(1, 1))
        s = await b.arm()
        assert s.state == m.DeviceState.ARMED
        placed = await b.places(52)
        assert (placed.code, placed.state, placed.fence) == (Code.OK, m.DeviceState.LOCKED, s.fence)
        assert placed.locks == Lock.HOLD

    at_bench(scene)


@pytest.mark.parametrize("wrong", ["epoch", "hold_no", "hold_session", "hold_key"])
def test_a_hold_is_cleared_by_all_four_of_its_numbers_and_the_fence_goes_up(at_bench, wrong):
    async def scene(b):
        await b.ready()
        s = await b.ask(m.HoldRequest(1, 1))
        numbers = {"epoch": s.epoch, "hold_no": s.hold_no, "hold_session": s.hold_session, "hold_key": s.hold_key}
        said = m.ClearHold(**(numbers | {wrong: numbers[wrong] + 1}), person=7)
        refused = await b.ask(said)
        assert (refused.code, refused.locks & Lock.HOLD, refused.fence) == (Code.NOT_THAT_HOLD, Lock.HOLD, s.fence)
        cleared = await b.ask(m.ClearHold(**numbers, person=7))
        assert (cleared.code, cleared.locks & Lock.HOLD, cleared.fence) == (Code.OK, Lock(0), s.fence + 1)
        assert (await b.ask(m.ClearHold(**numbers, person=7))).code == Code.NOT_THAT_HOLD

    at_bench(scene)


def test_a_cycle_needs_an_empty_exit_and_a_shuffle_keeps_the_order_from_then_on(at_bench):
    async def scene(b):
        await b.bring()
        assert (await b.say(m.Shuffle, expect=51, scope=1)).code == Code.EXIT_FULL
        await b.do(m.Release, card_id=3, open_ms=1000)
        s = await b.do(m.Shuffle, expect=51, scope=1)
        assert (s.cmd_result, s.order, s.token_id, s.deal_id) == (Code.CYCLE_DONE, 0, s.cmd_id, 0)

    at_bench(scene)


def test_a_card_comes_up_for_its_own_shuffle_alone(at_bench):
    async def scene(b):
        await b.ready()
        assert (await b.say(m.Dispense, deal_id=1, first=1)).code == Code.NO_TOKEN
        assert (await b.say(m.Dispense, deal_id=0, first=1)).code == Code.NO_TOKEN
        assert (await b.say(m.Dispense, deal_id=2, first=0)).code == Code.NO_TOKEN
        assert (await b.query()).token_id == 2

    at_bench(scene)
