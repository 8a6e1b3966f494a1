"""The host's driver against the device's twin: exactly one card for each RELEASE, none while a hold stands."""

import asyncio
from random import Random

import pytest

from dealerbox.model import events
from dealerbox.model.commands import Count, Dispense, Hold, Places, Release, Retract, Return
from dealerbox.model.reasons import Reason
from dealerbox.model.shuffler import Cap, Result, Scope
from dealerbox.ports import DeviceGone, DeviceWrong
from dealerbox_drivers.shuffler.device import Shuffler


@pytest.mark.parametrize("kind", ["perfect", "one byte", "lossy", "delayed", "late"])
def test_a_whole_deck_goes_out_one_card_for_each_release(told, kind) -> None:
    async def story(t):
        deal_id = await t.loaded()
        for number in range(52):
            await t.card(deal_id, number == 0)
            t.felt.put(t.felt.at("outlet")[0], "seat:1")
        assert len(t.left) == len(set(t.left)) == 52

    told(story, line=kind)


def test_a_machine_never_met_is_strange_until_a_person_says_where_its_cards_are(told) -> None:
    async def story(t):
        await t.met()
        first, *_, last = t.of(events.ShufflerMet)
        assert (first.agreed, last.agreed, last.machine) == (False, True, 0)
        assert first.why

    told(story)


def test_a_deck_comes_in_at_the_infeed_and_is_counted_as_it_enters(told) -> None:
    async def story(t):
        await t.met()
        for card in t.deck:
            t.felt.put(card, "infeed")
        inside = 0
        while inside < 52:
            back = await t.done(Return, 52 - inside)
            inside += back.number
        assert inside == len(t.felt.at("machine")) == t.memory.machine == 52

    told(story)


def test_the_next_card_may_come_up_while_the_last_lies_in_the_outlet(told) -> None:
    async def story(t):
        deal_id = await t.loaded()
        await t.card(deal_id, True)
        assert isinstance(await t.ended(t.give(Dispense, deal_id, False)), events.CardUp)

    told(story)


def test_no_card_leaves_while_a_hold_stands(told) -> None:
    async def story(t):
        deal_id = await t.loaded()
        up = await t.ended(t.give(Dispense, deal_id, True))
        t.hold()
        void = await t.ended(t.give(Release, up.id))
        assert (type(void), void.why) == (events.CommandVoid, "held")
        await asyncio.sleep(20)
        assert t.left == []
        t.clear()
        await asyncio.sleep(1)
        assert isinstance(await t.ended(t.give(Release, up.id)), events.CardPassed)
        assert len(t.left) == 1

    told(story)


def test_a_hold_at_any_moment_of_a_release_ends_in_one_card_or_none_and_both_sides_know_which(told) -> None:
    async def story(t):
        deal_id = await t.loaded()
        rng = Random(5)
        first, outcomes = True, set()
        while len(t.felt.at("machine")) > 2:
            number = t.give(Dispense, deal_id, first)
            up = await t.ended(number)
            first = False
            while True:
                before = len(t.left)
                release = t.give(Release, up.id)
                await asyncio.sleep(rng.uniform(0, 0.5))
                t.hold()
                end = await t.ended(release)
                outcomes.add(type(end))
                assert len(t.left) - before == (1 if isinstance(end, events.CardPassed) else 0)
                held_at = len(t.left)
                await asyncio.sleep(2)
                assert len(t.left) == held_at
                t.clear()
                await asyncio.sleep(0.6)
                if isinstance(end, events.CardPassed):
                    break
            t.felt.put(t.felt.at("outlet")[0], "seat:1")
        assert events.CardPassed in outcomes
        assert len(outcomes) > 1

    told(story)


@pytest.mark.parametrize("kind", ["perfect", "lossy", "late"])
def test_killed_at_any_moment_and_started_again_no_card_is_dealt_twice_or_forgotten(told, kind) -> None:
    async def story(t):
        deal_id = await t.loaded()
        rng = Random(11)
        first = True
        for _ in range(40):
            kind_of, fields = (Release, (t.memory.exit_id,)) if t.memory.exit_id else (Dispense, (deal_id, first))
            before, inside = len(t.left), len(t.felt.at("machine"))
            number = t.give(kind_of, *fields)
            await asyncio.sleep(rng.uniform(0, 1.0))
            count = len(t.told)
            await t.restart()
            await t.until(lambda count=count: any(isinstance(e, events.ShufflerMet) for e in t.told[count:]))
            end = await t.ended(number)
            if isinstance(end, events.CardUp):
                first = False
            assert len(t.left) - before == (1 if isinstance(end, events.CardPassed) else 0)
            assert inside - len(t.felt.at("machine")) == (1 if isinstance(end, events.CardUp) else 0)
            assert t.of(events.ShufflerMet)[-1].agreed
            if isinstance(end, events.CardPassed):
                t.felt.put(t.felt.at("outlet")[0], "seat:1")

    told(story, line=kind)


def test_a_hold_given_in_the_last_moment_before_the_process_dies_is_found_again(told) -> None:
    async def story(t):
        deal_id = await t.loaded()
        up = await t.ended(t.give(Dispense, deal_id, True))
        t.device.obey(Hold(key=t.key + 1, reason=Reason.JAM, clause="house"))
        await asyncio.sleep(0.03)
        await t.restart()
        await t.until(lambda: t.of(events.HoldFound))
        end = await t.ended(t.give(Release, up.id))
        assert isinstance(end, events.CommandVoid)

    told(story)


@pytest.mark.parametrize("step", ["journalled", "moved", "committed"])
def test_power_cut_at_a_step_of_a_dispense_leaves_a_machine_that_a_person_must_look_at_or_none_the_worse(
    told, step
) -> None:
    async def story(t):
        deal_id = await t.loaded()
        t.twin.cut_before(step)
        number = t.give(Dispense, deal_id, True)
        await t.until(lambda: not t.twin.on)
        count = len(t.told)
        t.twin.power_on()
        await t.until(lambda: any(isinstance(e, events.ShufflerMet) for e in t.told[count:]))
        met = t.of(events.ShufflerMet)[-1]
        end = await t.ended(number)
        assert met.agreed or (met.why == "uncertain" and isinstance(end, events.Misfed))
        assert t.left == []

    told(story)


def test_an_opened_door_is_told_and_its_content_must_be_proved(told) -> None:
    async def story(t):
        await t.loaded()
        t.twin.open_door()
        await t.until(lambda: t.of(events.ShufflerLocked))
        assert t.of(events.ShufflerLocked)[-1].why == "door"
        t.twin.open_door(is_open=False)
        await t.until(lambda: t.of(events.DoorClosed))
        await t.until(lambda: t.of(events.ShufflerMet)[-1].why == "content")
        counted = await t.ended(t.give(Count, Scope.STUB))
        assert (counted.result, counted.number) == (Result.DONE, 52)
        await t.until(lambda: t.of(events.ShufflerMet)[-1].agreed)

    told(story)


def test_a_wiped_memory_is_strange_until_places(told) -> None:
    async def story(t):
        await t.loaded()
        t.twin.power_off()
        t.twin.nvm.wipe()
        t.twin.power_on()
        await t.until(lambda: not t.of(events.ShufflerMet)[-1].agreed)
        t.hold()
        await t.ended(t.give(Places, 52, 0, True, 7))
        t.clear()
        await t.until(lambda: t.of(events.ShufflerMet)[-1].agreed)
        assert t.of(events.ShufflerMet)[-1].machine == 52

    told(story)


def test_a_silent_device_is_gone_and_locks_itself_by_its_lease(told) -> None:
    async def story(t):
        await t.loaded()
        t.twin.silence()
        with pytest.raises(DeviceGone, match="no answer"):
            await t.running

    told(story, reopens=False)


def test_the_wrong_machine_is_refused_by_serial_number(told) -> None:
    async def story(t):
        t.device = Shuffler("shuffler", t.open_line, t.now_ns, t.memory, 0xBEEF)
        running = asyncio.create_task(t.device.run(t.hear))
        with pytest.raises(DeviceWrong, match="BEEF"):
            await running

    told(story)


def test_a_card_taken_back_is_told_as_retracted(told) -> None:
    async def story(t):
        deal_id = await t.loaded()
        up = await t.ended(t.give(Dispense, deal_id, True))
        assert isinstance(await t.ended(t.give(Retract, up.id)), events.CardRetracted)
        assert len(t.felt.at("machine")) == 52

    told(story)


def test_a_machine_without_a_gate_tells_up_and_passed_at_once(told) -> None:
    async def story(t):
        deal_id = await t.loaded()
        number = t.give(Dispense, deal_id, True)
        await t.until(lambda: t.of(events.CardPassed))
        assert t.of(events.CardPassed)[-1].card_id == t.of(events.CardUp)[-1].id == number

    told(story, caps=Cap(0x7FFF) & ~(Cap.GATE | Cap.FACE_SENSOR | Cap.PRESENT_AHEAD))


def test_a_technician_is_told_who_it_is_how_it_answers_and_what_its_sensors_say(told) -> None:
    async def story(t):
        await t.loaded()
        traffic = t.device.traffic
        assert traffic.identity.startswith("shuffler ")
        assert (traffic.opened, traffic.missing) == (1, 0)
        assert traffic.frames > len(traffic.trips_s) > 0
        sensors = t.device.pins()
        assert (sensors["gate locked"], sensors["door open"], sensors["behind gate"]) == ("on", "off", "off")

    told(story)


def test_an_answer_that_came_to_a_repeated_question_is_no_round_trip(told) -> None:
    async def story(t):
        await t.loaded()
        traffic = t.device.traffic
        assert traffic.missing >= traffic.resyncs > 0
        assert max(traffic.trips_s) < 0.2

    told(story, line="lossy")
