"""Events, memory and power cuts at each step: PROTOCOL.md sections 2 to 4."""

import asyncio
import contextlib

import pytest

from dealerbox.model.shuffler import Cap
from dealerbox_drivers.shuffler import messages as m
from dealerbox_drivers.shuffler import wire
from dealerbox_drivers.shuffler.messages import Code, CommandState, DeviceState, Flag, Lock, Sensor
from dealerbox_drivers.shuffler.twin import FULL_CAPS

DONE, FAILED, UNCERTAIN = CommandState.DONE, CommandState.FAILED, CommandState.UNCERTAIN


def test_an_event_is_repeated_until_it_is_acknowledged_and_the_next_waits_for_it(at_bench):
    async def scene(b):
        await b.hello()
        b.acknowledging = False
        b.events.clear()
        await b.ask(m.HoldRequest(1, 1))
        await b.ask(m.HoldRequest(2, 1))
        await asyncio.sleep(0.6)
        numbers = [event.event_no for event in b.events]
        assert len(numbers) == 3
        assert len(set(numbers)) == 1
        assert (await b.query()).event_next == numbers[0]
        b.acknowledging = True
        await asyncio.sleep(0.6)
        assert (await b.query()).event_next == 0

    at_bench(scene)


def test_of_more_than_sixteen_events_the_oldest_go_first(at_bench):
    async def scene(b):
        b.acknowledging = False
        await b.hello()
        for key in range(1, 20):
            await b.ask(m.HoldRequest(key, 1))
        b.events.clear()
        await asyncio.sleep(0.3)
        assert b.events[0].event_no == 6  # of 21: boot, session, 19 holds

    at_bench(scene)


def test_a_machine_without_memory_begins_a_new_epoch_at_each_boot(at_bench):
    async def scene(b):
        before = await b.ready()
        b.twin.power_off()
        b.twin.power_on()
        s = await b.query()
        assert s.epoch != before.epoch
        assert s.locks == Lock.BOOT | Lock.WIPED | Lock.CONTENT

    at_bench(scene, caps=FULL_CAPS & ~Cap.NVM)


def test_a_machine_that_resets_at_plugging_in_says_so(at_bench):
    async def scene(b):
        before = await b.ready()
        b.twin.plug(b.far, resets=True)
        ident = await b.hello()
        assert (ident.reset_cause, ident.boot_count) == (5, 2)
        s = await b.query()
        assert (s.fence, s.locks) == (before.fence + 1, Lock.BOOT)

    at_bench(scene)


def test_a_memory_with_one_bad_slot_goes_on_from_the_other(at_bench):
    async def scene(b):
        await b.ready()
        b.twin.cut_before("writing")
        await asyncio.sleep(1.1)
        assert not b.twin.on
        b.twin.power_on()
        ident = await b.hello()
        assert ident.nvm == 1
        s = await b.query()
        assert (s.cmd_id, s.token_id, s.machine) == (2, 2, 52)

    at_bench(scene)


async def cut(b, step, kind, **fields):
    """Lose power before `step` of a command; boot, and repeat the command's bytes."""
    with contextlib.suppress(TimeoutError):
        await b.say(kind, cut_before=step, **fields)
    await b.powered_off()
    lying = {place: len(b.felt.at(place)) for place in ("machine", "behind_gate", "outlet")}
    b.twin.power_on()
    await b.hello()
    again = await b.ask(b.said, flags=1)
    assert again.state == DeviceState.LOCKED
    assert Sensor.GATE_LOCKED in again.sensors
    await asyncio.sleep(12)
    assert {place: len(b.felt.at(place)) for place in lying} == lying
    return again, lying


async def back_to_play(b):
    """A person says where the cards are; then the machine arms and shuffles."""
    exit_id = 3 if b.felt.at("behind_gate") else 0
    if (await b.query()).locks & (Lock.UNCERTAIN | Lock.CONTENT):
        assert (await b.places(len(b.felt.at("machine")), exit_id)).code == Code.OK
    assert (await b.arm()).code == Code.OK


@pytest.mark.parametrize(
    ("step", "behind", "cmd_state"),
    [
        ("journalled", 0, None),
        ("writing", 0, None),
        ("answered", 0, CommandState.UNCERTAIN),
        ("moved", 0, CommandState.UNCERTAIN),
        ("committed", 1, CommandState.UNCERTAIN),
    ],
)
def test_a_dispense_that_loses_power_never_moves_again(at_bench, step, behind, cmd_state):
    async def scene(b):
        before = await b.ready()
        s, lying = await cut(b, step, m.Dispense, deal_id=2, first=1)
        assert lying == {"machine": 52 - behind, "behind_gate": behind, "outlet": 0}
        if cmd_state is None:
            assert (s.code, s.cmd_id, s.token_id) == (Code.BAD_FENCE, before.cmd_id, 2)
        else:
            assert (s.code, s.cmd_id, s.cmd_state) == (Code.REPEAT, 3, cmd_state)
            assert (s.token_id, s.deal_id) == (0, 2)
            assert Lock.UNCERTAIN in s.locks
        await back_to_play(b)

    at_bench(scene)


@pytest.mark.parametrize(
    ("step", "out", "cmd_state"),
    [
        ("journalled", 0, None),
        ("writing", 0, None),
        ("answered", 0, CommandState.UNCERTAIN),
        ("opened", 0, CommandState.UNCERTAIN),
        ("passed", 0, CommandState.UNCERTAIN),
        ("locked", 1, CommandState.UNCERTAIN),
        ("committed", 1, CommandState.UNCERTAIN),
    ],
)
def test_a_release_that_loses_power_never_opens_again(at_bench, step, out, cmd_state):
    async def scene(b):
        await b.bring()
        s, lying = await cut(b, step, m.Release, card_id=3, open_ms=10_000)
        assert lying == {"machine": 51, "behind_gate": 1 - out, "outlet": out}
        if cmd_state is None:
            assert (s.code, s.cmd_id, s.exit_id) == (Code.BAD_FENCE, 3, 3)
        else:
            assert (s.code, s.cmd_id, s.cmd_state, s.exit_id) == (Code.REPEAT, 4, cmd_state, 3)
            assert Lock.UNCERTAIN in s.locks
        await back_to_play(b)

    at_bench(scene)


def test_a_card_in_the_gate_falls_through_when_the_power_goes(at_bench):
    async def scene(b):
        await b.bring()
        await b.say(m.Release, card_id=3, open_ms=10_000)
        await asyncio.sleep(0.110)
        b.twin.power_off()
        assert len(b.felt.at("outlet")) == 1
        b.twin.power_on()
        s = await b.query()
        assert (s.cmd_state, s.exit_id) == (CommandState.UNCERTAIN, 3)
        assert Lock.UNCERTAIN in s.locks

    at_bench(scene)


def test_a_dispense_that_was_written_and_not_told_is_done(at_bench):
    async def scene(b):
        await b.ready()
        await b.say(m.Dispense, deal_id=2, first=1)
        await asyncio.sleep(1)
        b.twin.power_off()
        b.twin.power_on()
        s = await b.query()
        assert (s.cmd_state, s.exit_id, s.locks) == (CommandState.DONE, 3, Lock.BOOT)

    at_bench(scene)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [(m.Shuffle, {"expect": 52, "scope": 0}), (m.Count, {"scope": 0}), (m.Return, {"expect": 1, "open_ms": 5000})],
)
def test_a_cycle_that_loses_power_is_interrupted_and_its_content_unknown(at_bench, kind, fields):
    async def scene(b):
        await b.ready()
        await b.say(kind, **fields)
        await asyncio.sleep(0.5)
        b.twin.power_off()
        b.twin.power_on()
        s = await b.query()
        assert (s.cmd_state, s.machine) == (CommandState.INTERRUPTED, m.MACHINE_UNKNOWN)
        assert s.locks == Lock.BOOT | Lock.CONTENT
        await b.hello()
        assert (await b.arm()).code == Code.OK
        assert (await b.do(m.Count, scope=0)).machine == 52

    at_bench(scene)


@pytest.mark.parametrize("step", ["restricted", "writing"])
def test_a_hold_that_loses_power_before_it_is_written_leaves_a_locked_machine(at_bench, step):
    async def scene(b):
        await b.ready()
        b.twin.cut_before(step)
        with pytest.raises(TimeoutError):
            await b.ask(m.HoldRequest(1, 1))
        b.twin.power_on()
        s = await b.query()
        assert (s.state, s.locks) == (DeviceState.LOCKED, Lock.BOOT)
        assert (await b.ask(m.HoldRequest(1, 1))).code == Code.OK

    at_bench(scene)


def test_a_hold_that_loses_power_before_its_answer_is_latched(at_bench):
    async def scene(b):
        await b.ready()
        b.twin.cut_before("answered")
        with pytest.raises(TimeoutError):
            await b.ask(m.HoldRequest(1, 1))
        b.twin.power_on()
        assert (await b.ask(m.HoldRequest(1, 1))).code == Code.HOLD_KNOWN

    at_bench(scene)


def test_a_card_put_behind_the_gate_without_power_is_noticed_at_boot(at_bench):
    async def scene(b):
        await b.ready()
        b.twin.power_off()
        b.felt.put(b.felt.at("machine")[0], "behind_gate")
        b.twin.power_on()
        assert (await b.query()).locks == Lock.BOOT | Lock.UNCERTAIN

    at_bench(scene)


def test_without_a_slot_sensor_a_boot_with_a_card_at_the_exit_is_uncertain(at_bench):
    async def scene(b):
        await b.bring()
        b.twin.power_off()
        b.twin.power_on()
        assert (await b.query()).locks == Lock.BOOT | Lock.UNCERTAIN

    at_bench(scene, caps=FULL_CAPS & ~Cap.SLOT_SENSOR)


def test_a_door_opened_without_power_is_noticed_at_boot(at_bench):
    async def scene(b):
        await b.ready()
        b.twin.power_off()
        b.twin.open_door()
        b.twin.power_on()
        assert (await b.query()).locks == Lock.BOOT | Lock.DOOR | Lock.CONTENT

    at_bench(scene)


def test_a_wiped_memory_begins_a_new_epoch_and_kills_every_permit(at_bench):
    async def scene(b):
        before = await b.ready()
        permit = m.Dispense(before.epoch, before.fence, 3, 2, 2, 1)
        b.twin.power_off()
        b.twin.nvm.wipe()
        b.twin.power_on()
        await b.hello()
        s = await b.ask(permit)
        assert s.code == Code.BAD_EPOCH
        assert s.epoch not in (0, before.epoch)
        assert (s.cmd_id, s.fence) == (0, 3)
        assert Lock.WIPED in s.locks

    at_bench(scene)


def test_without_power_nothing_is_answered(at_bench):
    async def scene(b):
        b.twin.power_off()
        with pytest.raises(TimeoutError):
            await b.query()

    at_bench(scene)


def test_an_error_that_takes_the_power_with_it_is_not_told(at_bench):
    async def scene(b):
        await b.ready()
        b.events.clear()
        b.twin.cut_before("restricted")
        b.twin.fail(0x33)
        await asyncio.sleep(1)
        assert b.events == []

    at_bench(scene)


def test_a_silent_wire_still_carries_a_hold(at_bench):
    async def scene(b):
        await b.ready()
        b.twin.silence()
        with pytest.raises(TimeoutError):
            await b.ask(m.HoldRequest(1, 1))
        b.twin.silence(silent=False)
        assert Lock.HOLD in (await b.query()).locks

    at_bench(scene)


def test_short_and_unknown_frames_are_refused_and_noise_is_counted(at_bench):
    async def scene(b):
        b.line.write(b"\0\1\2\3\0")
        for kind in (0x20, m.Type.ARM, m.Type.EVENT_ACK, m.Type.HELLO, m.Type.IDENT):
            b.line.write(wire.encode(wire.Frame(kind, Flag(0), 200, 1, m.Query())))
        b.line.write(wire.encode(wire.Frame(m.Type.QUERY, Flag(0), 201, 1, m.Query(), version=2)))
        assert (await b.query()).code == Code.OK
        assert b.twin.bad_frames == 3
        (unknown,) = b.strange
        assert (unknown.type, unknown.seq) == (0xA0, 200)

    at_bench(scene)


def test_a_short_frame_is_answered_bad_frame_and_one_of_another_version_bad_version(at_bench):
    async def scene(b):
        assert (await b.ask(m.Query(), version=2)).code == Code.BAD_VERSION
        assert (await b.ask(m.HoldRequest(1, 1), version=2)).code == Code.OK
        assert (await b.ask(m.Query(), kind=m.Type.ARM)).code == Code.BAD_FRAME
        assert (await b.ask(m.Query(), kind=m.Type.HELLO)).proto == 0

    at_bench(scene)


def test_a_cut_at_a_step_that_is_none_is_refused(at_bench):
    async def scene(b):
        with pytest.raises(ValueError, match="no step 'eaten'"):
            b.twin.cut_before("eaten")

    at_bench(scene)
