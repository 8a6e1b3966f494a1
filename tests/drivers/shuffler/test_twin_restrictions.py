"""Greeting, lease, holds and ARM: PROTOCOL.md section 4, what restricts and what ends it."""

import asyncio

from dealerbox_drivers.shuffler import messages as m
from dealerbox_drivers.shuffler.messages import Code, CommandState, DeviceState, Lock

DONE, FAILED, UNCERTAIN = CommandState.DONE, CommandState.FAILED, CommandState.UNCERTAIN


def test_a_new_memory_says_so_and_waits_for_a_person(at_bench):
    async def scene(b):
        ident = await b.hello()
        s = await b.query()
        assert (ident.nvm, ident.boot_count) == (2, 1)
        assert s.epoch != 0
        assert s.locks == Lock.BOOT | Lock.SESSION | Lock.WIPED | Lock.CONTENT
        assert s.machine == m.MACHINE_UNKNOWN
        assert (await b.arm()).code == Code.DISAGREE
        s = await b.places(52)
        assert (s.code, s.cmd_result, s.machine) == (Code.OK, Code.SET, 52)
        assert s.locks == Lock.BOOT | Lock.SESSION
        assert (await b.arm()).state == DeviceState.ARMED

    at_bench(scene)


def test_nothing_but_hello_query_hold_and_ack_is_heard_before_a_greeting(at_bench):
    async def scene(b):
        s = await b.query()
        assert s.code == Code.OK
        for body in (
            m.Heartbeat(s.boot_id, s.tick),
            m.ClearHold(s.epoch, 0, 0, 0, 7),
            m.Arm(s.epoch, s.fence, 0, 0, 0),
            m.Dispense(s.epoch, s.fence, 1, 0, 1, 1),
            m.Places(s.epoch, s.fence, 1, 0, 52, 0, 1, 7),
        ):
            assert (await b.ask(body)).code == Code.NO_SESSION
        assert (await b.ask(m.HoldRequest(1, 5))).code == Code.OK

    at_bench(scene)


def test_an_older_session_learns_the_stored_one_and_a_newer_one_restricts(at_bench):
    async def scene(b):
        await b.hello(5)
        fence = (await b.query()).fence
        assert (await b.hello(4)).proto == 0
        assert (await b.hello(4)).session == 5
        assert (await b.beat()).code == Code.STALE_SESSION
        await b.hello(5)
        assert (await b.query()).fence == fence
        await b.hello(6)
        s = await b.query()
        assert (s.fence, s.session) == (fence + 1, 6)
        assert Lock.SESSION in s.locks

    at_bench(scene)


def test_a_host_of_another_version_is_not_greeted(at_bench):
    async def scene(b):
        ident = await b.ask(m.Hello(2, 3, 99))
        assert (ident.proto, ident.session) == (0, 0)
        assert (await b.beat()).code == Code.NO_SESSION
        await b.hello()
        assert (await b.beat()).code == Code.OK

    at_bench(scene)


def test_a_new_session_ends_the_lease_of_the_old_one(at_bench):
    async def scene(b):
        await b.ready()
        await b.hello(2)
        s = await b.query()
        arm = m.Arm(s.epoch, s.fence, s.cmd_id, s.machine, s.exit_id)
        assert (await b.ask(arm)).code == Code.DISAGREE
        await b.beat()
        assert (await b.ask(arm)).code == Code.OK

    at_bench(scene)


def test_the_lease_ends_1000_ms_after_the_tick_echoed_whenever_the_heartbeat_came(at_bench):
    async def scene(b):
        await b.ready()
        s = await b.query()
        tick = s.tick
        await asyncio.sleep(0.7)
        await b.ask(m.Heartbeat(s.boot_id, tick))
        await asyncio.sleep(0.25)
        assert (await b.query()).state == DeviceState.ARMED
        await asyncio.sleep(0.06)
        s = await b.query()
        assert (s.state, s.locks) == (DeviceState.LOCKED, Lock.LEASE)

    at_bench(scene)


def test_an_older_echo_never_shortens_the_lease_and_one_from_the_future_never_lengthens_it(at_bench):
    async def scene(b):
        s = await b.ready()
        zero = s.tick
        s = await b.beat()
        await b.ask(m.Heartbeat(s.boot_id, zero))
        await b.ask(m.Heartbeat(s.boot_id, (s.tick + 60_000) % 2**32))
        await asyncio.sleep(0.98)
        assert (await b.query()).state == DeviceState.ARMED
        await asyncio.sleep(0.03)
        assert (await b.query()).state == DeviceState.LOCKED

    at_bench(scene)


def test_the_lease_runs_over_the_wrap_of_the_tick(at_bench):
    async def scene(b):
        await b.hello()
        await b.places(52)
        s = await b.arm()
        assert s.tick > 2**31
        b.live()
        await asyncio.sleep(2)
        s = await b.query()
        assert s.tick < 10_000
        assert s.state == DeviceState.ARMED

    at_bench(scene, first_tick=2**32 - 500)


def test_a_heartbeat_of_another_boot_is_no_heartbeat(at_bench):
    async def scene(b):
        await b.hello()
        s = await b.query()
        assert (await b.ask(m.Heartbeat(s.boot_id ^ 1, s.tick))).code == Code.NO_SESSION

    at_bench(scene)


def test_a_hold_is_heard_from_anybody_and_latched_until_its_own_number_is_cleared(at_bench):
    async def scene(b):
        await b.ready()
        fence = (await b.query()).fence
        s = await b.ask(m.HoldRequest(7, 0x0203), session=9)
        assert (s.code, s.state, s.fence) == (Code.OK, DeviceState.LOCKED, fence + 1)
        assert (s.hold_no, s.hold_session, s.hold_key, s.hold_reason) == (fence + 1, 9, 7, 0x0203)
        for wrong in (
            m.ClearHold(s.epoch, s.hold_no - 1, 9, 7, 7),
            m.ClearHold(s.epoch, s.hold_no, 8, 7, 7),
            m.ClearHold(s.epoch, s.hold_no, 9, 6, 7),
            m.ClearHold(s.epoch ^ 1, s.hold_no, 9, 7, 7),
        ):
            assert (await b.ask(wrong)).code == Code.NOT_THAT_HOLD
        right = m.ClearHold(s.epoch, s.hold_no, 9, 7, 7)
        s = await b.ask(right)
        assert (s.code, s.locks, s.fence) == (Code.OK, Lock(0), fence + 2)
        assert (await b.ask(right)).code == Code.NOT_THAT_HOLD

    at_bench(scene)


def test_a_repeated_hold_is_known_while_it_stands_and_after_it_was_cleared(at_bench):
    async def scene(b):
        await b.hello()
        s = await b.ask(m.HoldRequest(7, 1))
        known = await b.ask(m.HoldRequest(7, 1))
        assert (known.code, known.fence) == (Code.HOLD_KNOWN, s.fence)
        assert (await b.ask(m.HoldRequest(6, 1))).code == Code.HOLD_KNOWN
        await b.ask(m.ClearHold(s.epoch, s.hold_no, 1, 7, 7))
        s = await b.ask(m.HoldRequest(7, 1))
        assert (s.code, Lock.HOLD in s.locks) == (Code.HOLD_KNOWN, False)
        assert (s.hold_session, s.hold_key) == (1, 7)

    at_bench(scene)


def test_a_newer_hold_takes_the_place_of_an_older_one(at_bench):
    async def scene(b):
        await b.hello()
        old = await b.ask(m.HoldRequest(7, 1))
        new = await b.ask(m.HoldRequest(8, 2))
        assert (new.hold_no, new.hold_key) == (old.fence + 1, 8)
        cleared = await b.ask(m.ClearHold(old.epoch, old.hold_no, 1, 7, 7))
        assert (cleared.code, Lock.HOLD in cleared.locks) == (Code.NOT_THAT_HOLD, True)

    at_bench(scene)


def test_a_hold_survives_a_power_cut(at_bench):
    async def scene(b):
        await b.ready()
        held = await b.ask(m.HoldRequest(7, 3))
        b.twin.power_off()
        b.twin.power_on()
        s = await b.query()
        assert Lock.HOLD in s.locks
        assert (s.hold_no, s.hold_key, s.hold_reason) == (held.hold_no, 7, 3)
        assert (await b.ask(m.HoldRequest(7, 3))).code == Code.HOLD_KNOWN

    at_bench(scene)


def test_an_arm_must_say_what_the_device_knows(at_bench):
    async def scene(b):
        await b.bring()
        await b.ask(m.HoldRequest(1, 1))
        s = await b.query()
        for wrong in (
            {"epoch": s.epoch ^ 1},
            {"fence": s.fence - 1},
            {"last_id": s.cmd_id - 1},
            {"machine": 52},
            {"exit_id": 0},
        ):
            assert (await b.arm(**wrong)).code == Code.DISAGREE
        assert (await b.arm()).code == Code.OK
        assert (await b.arm()).code == Code.OK

    at_bench(scene)


def test_an_arm_needs_a_lease(at_bench):
    async def scene(b):
        await b.ready()
        await asyncio.sleep(1.1)
        s = await b.query()
        arm = m.Arm(s.epoch, s.fence, s.cmd_id, s.machine, s.exit_id)
        assert (await b.ask(arm)).code == Code.DISAGREE

    at_bench(scene)


def test_a_late_copy_of_an_arm_arms_nobody_after_a_restriction(at_bench):
    async def scene(b):
        await b.hello()
        await b.places(52)
        s = await b.beat()
        arm = m.Arm(s.epoch, s.fence, s.cmd_id, s.machine, s.exit_id)
        await b.ask(arm)
        await asyncio.sleep(1.1)
        await b.beat()
        s = await b.ask(arm)
        assert (s.code, s.state) == (Code.DISAGREE, DeviceState.LOCKED)

    at_bench(scene)
