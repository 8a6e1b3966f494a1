"""Power cuts, dead processes and lost memories: one card for each RELEASE, and always a way back."""

import asyncio
from random import Random

import pytest

from dealerbox.model import events
from dealerbox.model.commands import Dispense, Release, Retract, Shuffle
from dealerbox.model.shuffler import Memory, Scope
from dealerbox_drivers.shuffler import wire
from dealerbox_drivers.shuffler.messages import Flag, Hello, Lock, Type
from dealerbox_drivers.shuffler.twin import STEPS


@pytest.mark.parametrize("kind", ["dispense", "release", "retract", "shuffle"])
@pytest.mark.parametrize("step", [*STEPS, "writing"])
def test_power_lost_before_any_step_leaves_no_card_unaccounted_for_and_a_way_back(told, kind, step) -> None:
    async def story(t):
        deal_id = await t.loaded()
        fields = {"dispense": (Dispense, deal_id, True), "shuffle": (Shuffle, 52, Scope.DECK)}.get(kind)
        if fields is None:
            up = await t.done(Dispense, deal_id, True)
            fields = (Release if kind == "release" else Retract, up.id)
        before = len(t.left), len(t.felt.at("machine"))
        t.twin.cut_before(step)
        number = t.give(*fields)
        await asyncio.sleep(60)
        t.twin.power_off()
        met = t.met_again()
        while not t.twin.on:  # a boot is a restriction: the cut may wait there
            t.twin.power_on()
        end = await t.ended(number)
        await t.until(met)
        out, inside = len(t.left) - before[0], len(t.felt.at("machine")) - before[1]
        match end:
            case events.CardUp():
                assert (out, inside) == (0, -1)
            case events.CardPassed():
                assert (out, inside) == (1, 0)
            case events.CardRetracted():
                assert (out, inside) == (0, 1)
            case events.CommandVoid() | events.CardNotTaken():
                assert (out, inside) == (0, 0)
            case _:
                assert out <= 1
        if not t.agrees():
            await t.mended()
        assert t.memory.machine == len(t.felt.at("machine"))
        assert bool(t.memory.exit_id) == bool(t.felt.at("behind_gate"))

    told(story)


@pytest.mark.parametrize("line", ["perfect", "late", "lossy"])
def test_both_sides_dying_again_and_again_lose_no_card_and_release_none_twice(told, line) -> None:
    async def story(t):
        deal_id = await t.loaded()
        rng = Random(line)
        releases = passed = 0
        first = True
        for _ in range(25):
            if not t.memory.exit_id and (t.twin.nvm.load()[0].deal_id or t.twin.nvm.load()[0].token_id) != deal_id:
                deal_id, first = (await t.done(Shuffle, t.memory.machine, Scope.DECK)).id, True
            out = len(t.left)
            kind, fields = (Release, (t.memory.exit_id,)) if t.memory.exit_id else (Dispense, (deal_id, first))
            releases += kind is Release
            number = t.give(kind, *fields)
            await asyncio.sleep(rng.uniform(0, 1.2))
            met = t.met_again()
            for harm in rng.sample(["device", "host", "none"], 2):
                if harm == "device":
                    t.twin.power_off()
                    await asyncio.sleep(rng.uniform(0, 2))
                    t.twin.power_on()
                elif harm == "host":
                    await t.restart()
            end = await t.ended(number)
            passed += isinstance(end, events.CardPassed)
            if isinstance(end, events.CardUp):
                first = False
            await t.until(met)
            if not t.agrees():
                await t.mended()
                await asyncio.sleep(1)
            assert len(t.left) - out <= (kind is Release)
            assert t.memory.machine == len(t.felt.at("machine"))
            if t.felt.at("outlet"):
                t.felt.put(t.felt.at("outlet")[0], "seat:1")
        assert passed <= len(t.left) <= releases

    told(story, line=line)


def test_after_a_lost_lease_the_machine_is_armed_again_without_a_word(told) -> None:
    async def story(t):
        deal_id = await t.loaded()
        count = len(t.told)
        t.reopen_s = 3.0
        t.near.close()
        await asyncio.sleep(2)
        assert Lock.LEASE in t.twin.state.locks()
        await t.until(lambda: t.twin.state.armed)
        assert [type(event) for event in t.told[count:]] == [events.ShufflerMet]
        await t.card(deal_id, True)

    told(story)


def test_a_lost_journal_takes_a_higher_session_and_a_persons_word(told) -> None:
    async def story(t):
        await t.loaded()
        t.running.cancel()
        await asyncio.gather(t.running, return_exceptions=True)
        t.memory, t.next_id = Memory(session=1), 1
        await t.greeted_by_another(40)
        t.start()
        count = len(t.told)
        await t.until(lambda: len(t.told) > count)
        met = t.told[-1]
        assert (met.agreed, met.session, t.memory.session) == (False, 41, 41)
        assert t.next_id > met.last_id
        void = await t.ended(t.give(Dispense, 1, True))
        assert isinstance(void, events.CommandVoid)
        await t.mended()
        assert t.memory.machine == 52
        await asyncio.sleep(1)
        assert t.twin.state.armed

    told(story)


def test_a_lost_journal_whose_session_and_hold_the_machine_has_seen_before_goes_above_it(told) -> None:
    async def story(t):
        await t.loaded()
        t.running.cancel()
        await asyncio.gather(t.running, return_exceptions=True)
        t.memory, t.next_id, t.key = Memory(session=1), 1, 0
        met = t.met_again()
        t.start()
        await t.until(met)
        assert not t.agrees()
        await t.mended()
        assert (t.memory.session, t.twin.state.record.hold_session, t.twin.state.record.hold_key) == (2, 2, 1)

    told(story)


def test_an_older_journal_is_strange_though_every_number_fits(told) -> None:
    async def story(t):
        await t.loaded()
        t.running.cancel()
        await asyncio.gather(t.running, return_exceptions=True)
        await t.greeted_by_another(40)
        met = t.met_again()
        t.start()
        await t.until(met)
        assert (t.told[-1].why, t.told[-1].session) == ("session", 41)
        await t.mended()

    told(story)


def test_a_machine_that_another_host_has_greeted_is_strange(told) -> None:
    async def story(t):
        await t.loaded()
        t.near.write(wire.encode(wire.Frame(Type.HELLO, Flag(0), 0, 9, Hello(1, 1, 7))))
        await t.until(lambda: not t.agrees())
        assert (t.told[-1].why, t.told[-1].session) == ("session", 10)
        await t.mended()

    told(story)


def test_a_machine_that_was_without_power_and_agrees_is_told_as_such_once_S2(told) -> None:
    async def story(t):
        await t.loaded()
        assert not t.of(events.ShufflerMet)[-1].unpowered
        met = t.met_again()
        t.twin.power_off()
        t.twin.power_on()
        await t.until(lambda: met() and t.agrees())
        assert t.of(events.ShufflerMet)[-1].unpowered
        met = t.met_again()
        t.near.close()
        await t.until(lambda: met() and t.agrees())
        assert not t.of(events.ShufflerMet)[-1].unpowered

    told(story)
