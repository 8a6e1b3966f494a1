"""Machines that lack something, or in which something goes wrong."""

import asyncio
from random import Random

import pytest

from dealerbox.model import events
from dealerbox.model.commands import Count, Dispense, Places, Release
from dealerbox.model.shuffler import Cap, Result, Scope
from dealerbox_drivers.shuffler.messages import Lock
from dealerbox_drivers.shuffler.twin import FULL_CAPS
from dealerbox_drivers.shuffler.twin_machine import Feed, Push

BY_HAND = FULL_CAPS & ~(Cap.GATE | Cap.PRESENT_AHEAD | Cap.RETRACT)


def test_a_machine_that_forgets_its_holds_is_held_when_both_have_restarted(told) -> None:
    async def story(t):
        await t.loaded()
        t.twin.power_off()
        t.running.cancel()
        await asyncio.gather(t.running, return_exceptions=True)
        t.twin.power_on()
        await t.restart()
        await t.until(lambda: t.of(events.HoldFound))
        assert [(found.session, found.key, found.reason) for found in t.of(events.HoldFound)] == [(0, 0, 0)]
        await t.until(lambda: not t.agrees())
        await t.mended()

    told(story, caps=FULL_CAPS & ~Cap.NVM)


def test_without_a_door_sensor_a_lost_lease_is_an_opened_door_until_it_is_counted(told) -> None:
    async def story(t):
        await t.loaded()
        t.reopen_s = 3.0
        t.near.close()
        await t.until(lambda: t.of(events.ShufflerMet)[-1].why == "content")
        counted = await t.done(Count, Scope.DECK)
        assert (counted.result, counted.number) == (Result.DONE, 52)
        await t.until(t.agrees)

    told(story, caps=FULL_CAPS & ~Cap.DOOR_SENSOR)


def test_a_machine_that_cannot_present_ahead_waits_for_an_empty_outlet(told) -> None:
    async def story(t):
        deal_id = await t.loaded()
        await t.card(deal_id, True)
        second = t.give(Dispense, deal_id, False)
        await asyncio.sleep(5)
        assert not any(getattr(event, "id", 0) == second for event in t.told)
        t.felt.put(t.felt.at("outlet")[0], "seat:1")
        assert isinstance(await t.ended(second), events.CardUp)

    told(story, caps=FULL_CAPS & ~Cap.PRESENT_AHEAD)


def test_a_machine_without_a_gate_takes_no_release(told) -> None:
    async def story(t):
        deal_id = await t.loaded()
        up = await t.ended(t.give(Dispense, deal_id, True))
        void = await t.ended(t.give(Release, up.id))
        assert (type(void), void.why) == (events.CommandVoid, "unsupported")
        assert len(t.left) == 1

    told(story, caps=BY_HAND)


@pytest.mark.parametrize(
    ("feed", "result"), [(Feed.TWO_PULSES, Result.DOUBLE_FEED), (Feed.JAM, Result.JAM)], ids=["two", "jam"]
)
def test_a_misfeed_is_told_and_stands_until_a_person_has_looked(told, feed, result) -> None:
    async def story(t):
        deal_id = await t.loaded()
        t.twin.machine.faults.feeds.append(feed)
        count = len(t.told)
        end = await t.ended(t.give(Dispense, deal_id, True))
        await t.until(lambda: not t.agrees())
        assert (type(end), end.result) == (events.Misfed, result)
        assert [type(event) for event in t.told[count:]] == [events.Misfed, events.ShufflerMet]
        while len(t.felt.at("behind_gate")) > 1:
            t.felt.insert(t.felt.at("behind_gate")[-1], "machine", 0)
        await t.mended()

    told(story)


def test_no_feed_moves_nothing_and_needs_nobody(told) -> None:
    async def story(t):
        deal_id = await t.loaded()
        t.twin.machine.faults.feeds.append(Feed.NONE)
        end = await t.ended(t.give(Dispense, deal_id, True))
        assert (type(end), end.result) == (events.Misfed, Result.NO_FEED)
        assert t.agrees()
        await t.card(deal_id, False)

    told(story)


def test_a_card_nobody_takes_waits_behind_the_gate_for_a_new_release(told) -> None:
    async def story(t):
        deal_id = await t.loaded()
        up = await t.ended(t.give(Dispense, deal_id, True))
        t.twin.machine.faults.pushes.append(Push.NOTHING)
        release = t.give(Release, up.id)
        end = await t.ended(release)
        assert end == events.CardNotTaken(end.at_ns, release, up.id)
        assert isinstance(await t.ended(t.give(Release, up.id)), events.CardPassed)

    told(story)


def test_an_error_of_the_machines_own_and_its_service_key_are_told_once(told) -> None:
    async def story(t):
        await t.loaded()
        t.twin.turn_service_key(on=True)
        await asyncio.sleep(3)
        t.twin.turn_service_key(on=False)
        await t.until(t.agrees)
        t.twin.fail(9)
        await asyncio.sleep(3)
        assert [locked.why for locked in t.of(events.ShufflerLocked)] == ["service", "error"]
        assert t.of(events.ShufflerMet)[-1].why == "error"
        void = await t.ended(t.give(Count, Scope.DECK))
        assert (type(void), void.why) == (events.CommandVoid, "error")
        await t.mended()

    told(story)


def test_noise_on_the_line_costs_nothing_but_the_frames_it_hits(told) -> None:
    async def story(t):
        deal_id = await t.loaded()
        rng = Random(9)
        for number in range(10):
            t.far.write(rng.randbytes(300))
            await t.card(deal_id, number == 0)
            t.felt.put(t.felt.at("outlet")[0], "seat:1")
        assert len(t.left) == 10
        assert t.device.faults > 0

    told(story)


def test_places_under_an_id_that_the_machine_has_seen_is_void(told) -> None:
    async def story(t):
        await t.loaded()
        t.hold()
        await t.until(lambda: Lock.HOLD in t.twin.state.locks())
        t.next_id = 2
        t.give(Places, 52, 0, False, 7)
        await asyncio.sleep(1)
        assert t.told[-1] == events.CommandVoid(t.told[-1].at_ns, 2, "stale_id")

    told(story)
