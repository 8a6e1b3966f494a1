"""Antennas in reach of each other: one field at a time; a reference tag that tells whether an antenna hears."""

import asyncio
from random import Random

import pytest

from dealerbox.model.events import TagsGone, TagsSeen, ZoneUnknown
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.rfid.field import Field

pytestmark = pytest.mark.usefixtures("family")


def test_readers_that_share_a_field_are_never_lit_at_once(bench_of, family, run) -> None:
    async def whole():
        felt, field = Felt([family.cards], Random(1)), Field()
        left = await bench_of(family, zones={0: "seat:1"}, felt=felt, field=field).start()
        right = await bench_of(family, zones={0: "seat:2"}, felt=felt, field=field).start()
        felt.put(family.cards[0], "seat:1")
        felt.put(family.cards[1], "seat:2")
        await left.until(lambda: left.all_known() and right.all_known())
        before = left.twin.inventories, right.twin.inventories
        for _ in range(3000):
            assert not (left.twin.lit and right.twin.lit)
            await asyncio.sleep(0.001)
        assert min(left.twin.inventories - before[0], right.twin.inventories - before[1]) >= 6  # twice a second
        assert [b.of(TagsSeen)[0].uids for b in (left, right)] == [(family.cards[0],), (family.cards[1],)]
        for b in (left, right):
            assert not b.of(TagsGone)
            assert not b.of(ZoneUnknown)
            await b.stop()

    run(whole(), limit_s=600)


def test_a_neighbour_that_falls_silent_in_its_turn_does_not_keep_the_field(bench_of, family, run) -> None:
    async def whole():
        felt, field = Felt([family.cards], Random(1)), Field()
        left = await bench_of(family, zones={0: "seat:1"}, felt=felt, field=field).start()
        right = await bench_of(family, zones={0: "seat:2"}, felt=felt, field=field).start()
        await left.until(lambda: left.all_known() and right.all_known())
        left.twin.silent = True
        await left.until(lambda: left.running.done())
        felt.put(family.cards[1], "seat:2")
        await right.until(lambda: right.of(TagsSeen), limit_s=1)
        for b in (left, right):
            await b.stop()
            await asyncio.gather(b.running, return_exceptions=True)

    run(whole(), limit_s=600)


def test_a_zone_whose_turn_does_not_come_is_unknown(bench_of, family, run) -> None:
    async def whole():
        field = Field()
        b = await bench_of(family, zones={0: "seat:2"}, field=field).start()
        await b.until(b.all_known)
        assert await field.taken(1000)
        await b.until(lambda: b.of(ZoneUnknown), limit_s=1.5)
        assert "turn" in b.of(ZoneUnknown)[0].why
        field.free()
        known = len(b.told)
        await b.until(lambda: len(b.told) > known, limit_s=1)
        await b.stop()

    run(whole(), limit_s=600)


@pytest.mark.parametrize("family", ["feig", "pn532", "metratec", "r321"], indirect=True)
def test_a_reference_tag_is_never_told_and_without_it_the_zone_is_unknown(bench, family) -> None:
    reference = family.cards[51]
    channel = next(channel for channel, zone in family.zones.items() if zone == "seat:2")

    async def story(b):
        b.felt.put(reference, "seat:2")
        b.felt.put(b.family.cards[0], "seat:2")
        await b.until(b.all_known)
        b.felt.silence(reference)
        b.felt.put(b.family.cards[0], "hand")
        await b.until(lambda: b.of(ZoneUnknown))
        assert "reference tag is not read" in b.of(ZoneUnknown)[0].why
        assert not b.of(TagsGone)
        assert [e.uids for e in b.of(TagsSeen)] == [(b.family.cards[0],)]
        b.felt.silence(reference, silent=False)
        known = len(b.told)
        await b.until(lambda: len(b.told) > known)
        assert [e.uids for e in b.of(TagsSeen)] == [(b.family.cards[0],)]

    bench(story, references={channel: reference})


def test_the_reference_tag_of_another_zone_is_named_as_antennas_too_near(bench) -> None:
    async def story(b):
        b.felt.put(b.family.cards[50], "seat:1")
        b.felt.put(b.family.cards[51], "seat:2")
        await b.until(lambda: {"seat:1", "seat:2"} <= b.known())
        b.felt.put(b.family.cards[50], "seat:2")  # read through the neighbour's antenna
        await b.until(lambda: len(b.of(ZoneUnknown)) == 2)
        why = {e.zone: e.why for e in b.of(ZoneUnknown)}
        assert "reference tag of seat:1 is read here: move the antennas apart" in why["seat:2"]

    cards = tuple(f"E0040150A05F{number:04X}" for number in range(1, 53))
    bench(story, "feig", references={1: cards[50], 2: cards[51]})
