"""A hold and everything that races it: nothing leaves while one stands, and none is forgotten."""

import asyncio
from random import Random

import msgspec
import pytest

from dealerbox.model import events
from dealerbox.model.commands import Clear, Dispense, Hold, Release
from dealerbox.model.reasons import Reason
from dealerbox_drivers.shuffler.messages import Lock, Type
from dealerbox_drivers.shuffler.wire import decode


@pytest.mark.parametrize("line", ["perfect", "delayed", "late", "lossy"])
def test_a_hold_races_a_release_on_any_line(told, line) -> None:
    async def story(t):
        deal_id = await t.loaded()
        rng = Random(line)
        for number in range(15):
            up = await t.done(Dispense, deal_id, number == 0)
            end = None
            while not isinstance(end, events.CardPassed):
                out = len(t.left)
                release = t.give(Release, up.id)
                await asyncio.sleep(rng.uniform(0, 0.3))
                t.hold()
                end = await t.ended(release)
                await t.until(lambda: Lock.HOLD in t.twin.state.locks())
                assert len(t.left) - out == isinstance(end, events.CardPassed)
                await asyncio.sleep(rng.uniform(0, 4))
                assert len(t.left) - out == isinstance(end, events.CardPassed)
                t.clear()
                await t.until(lambda: Lock.HOLD not in t.twin.state.locks())
            t.felt.put(t.felt.at("outlet")[0], "seat:1")

    told(story, line=line)


def test_a_hold_is_on_the_wire_before_obey_returns_even_from_within_an_event(told) -> None:
    async def story(t):
        deal_id = await t.loaded()
        hear = t.hear

        def hold_at_once(event):
            hear(event)
            if isinstance(event, events.CardUp):
                t.hold()

        t.running.cancel()
        await asyncio.gather(t.running, return_exceptions=True)
        t.hear = hold_at_once
        t.memory = msgspec.structs.replace(t.memory, session=2)
        t.start()
        await t.until(t.agrees)
        await t.done(Dispense, deal_id, True)
        await asyncio.sleep(0.02)
        assert Lock.HOLD in t.twin.state.locks()

    told(story)


def test_a_release_that_was_not_heard_is_not_repeated_though_no_hold_is_heard_either(told) -> None:
    async def story(t):
        deal_id = await t.loaded()
        up = await t.done(Dispense, deal_id, True)
        say, unheard = t.near.write, [Type.RELEASE]

        def lose_the_first_release_and_all_holds(data):
            kind = decode(data.strip(b"\0")).type
            if kind in unheard[:1]:
                unheard.clear()
            elif kind != Type.HOLD:
                say(data)

        t.near.write = lose_the_first_release_and_all_holds
        release = t.give(Release, up.id)
        await asyncio.sleep(0.1)
        t.hold()
        await asyncio.sleep(0.9)
        assert (unheard, t.left, Lock.HOLD in t.twin.state.locks()) == ([], [], False)
        t.near.write = say
        end = await t.ended(release)
        assert (type(end), end.why) == (events.CommandVoid, "held")
        assert t.left == []

    told(story)


def test_an_old_clearing_does_not_end_a_newer_hold(told) -> None:
    async def story(t):
        await t.loaded()
        t.hold()
        t.hold()
        t.device.obey(Clear(0, t.key - 1, 7))
        await asyncio.sleep(5)
        assert Lock.HOLD in t.twin.state.locks()
        t.clear()
        await t.until(lambda: Lock.HOLD not in t.twin.state.locks() and t.twin.state.armed)

    told(story)


def test_a_hold_that_the_journal_lost_is_found_once_and_goes_only_with_a_clearing_after_it(told) -> None:
    async def story(t):
        await t.loaded()
        t.device.obey(Hold(key=t.key + 1, reason=Reason.JAM, clause="house"))
        await asyncio.sleep(0.03)
        await t.restart()
        t.clear()
        await t.until(lambda: t.of(events.HoldFound))
        await asyncio.sleep(3)
        assert Lock.HOLD in t.twin.state.locks()
        assert [(found.session, found.key) for found in t.of(events.HoldFound)] == [(1, t.key + 1)]
        t.key += 1
        t.hold()
        t.clear()
        await t.until(lambda: Lock.HOLD not in t.twin.state.locks())

    told(story)


def test_a_wiped_memory_is_held_anew_by_the_hold_that_stands(told) -> None:
    async def story(t):
        await t.loaded()
        t.hold()
        await t.until(lambda: Lock.HOLD in t.twin.state.locks())
        t.twin.power_off()
        t.twin.nvm.wipe()
        t.twin.power_on()
        assert Lock.HOLD not in t.twin.state.locks()
        await t.until(lambda: Lock.HOLD in t.twin.state.locks())
        await t.mended()

    told(story)


def test_a_permit_that_waits_is_void_at_the_very_moment_of_a_hold(told) -> None:
    async def story(t):
        deal_id = await t.loaded()
        t.reopen_s = 60
        t.near.close()
        await asyncio.sleep(0.1)
        number = t.give(Dispense, deal_id, True)
        t.hold()
        assert t.told[-1] == events.CommandVoid(t.told[-1].at_ns, number, "held")
        number = t.give(Dispense, deal_id, True)
        assert t.told[-1] == events.CommandVoid(t.told[-1].at_ns, number, "held")

    told(story)


def test_a_hold_given_before_the_first_meeting_does_not_hide_one_that_the_journal_lost(told) -> None:
    async def story(t):
        await t.loaded()
        t.device.obey(Hold(key=t.key + 1, reason=Reason.JAM, clause="house"))
        await asyncio.sleep(0.03)
        restarting = asyncio.create_task(t.restart())
        await asyncio.sleep(0)
        await restarting
        t.key += 1
        t.device.obey(Hold(key=t.key, reason=Reason.RESTARTED, clause="house"))
        await t.until(lambda: t.of(events.HoldFound))
        await t.until(lambda: t.twin.state.record.hold_session == 2)
        assert len(t.of(events.HoldFound)) == 1

    told(story)
