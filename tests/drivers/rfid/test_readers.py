"""What every reader must do, whatever its family, against its twin and over every kind of line."""

import asyncio
from random import Random

import pytest

from dealerbox.model.events import TagsGone, TagsSeen, ZoneKnown, ZoneUnknown
from dealerbox.ports import DeviceGone, DeviceWrong
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.line import Delayed, OneByte, open_serial, pty_pair

LINES = {
    "perfect": lambda line: line,
    "one byte": OneByte,
    "delayed": lambda line: Delayed(line, 20),
}
pytestmark = pytest.mark.usefixtures("family")


@pytest.mark.parametrize("kind", [*LINES, "lossy"])
def test_cards_are_told_where_they_come_and_go(bench, family, kind) -> None:
    async def story(b):
        card = b.family.cards[0]
        await b.until(b.all_known)
        b.felt.put(card, "seat:2")
        await b.until(lambda: b.of(TagsSeen))
        b.felt.put(card, "hand")
        await b.until(lambda: b.of(TagsGone))
        assert [(e.zone, e.uids) for e in b.of(TagsSeen)][0] == ("seat:2", (card,))
        assert [(e.zone, e.uids) for e in b.of(TagsGone)][0] == ("seat:2", (card,))
        assert {e.zone for e in b.of(TagsSeen)} == {"seat:2"}

    bench(story, worsen=LINES.get(kind) or (lambda line: family.lossy(line, Random(7), 0.001)))


@pytest.mark.parametrize("worst", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_on_a_wretched_line_zones_are_unknown_but_no_card_is_gone_or_elsewhere(bench, family, worst, seed) -> None:
    async def story(b):
        card = b.family.cards[0]
        b.felt.put(card, "seat:2")
        await asyncio.wait({b.running}, timeout=30)
        assert {e.zone for e in b.of(TagsSeen)} <= {"seat:2"}
        assert {e.uids for e in b.of(TagsSeen)} <= {(card,)}
        assert not b.of(TagsGone)
        assert b.of(ZoneUnknown)

    bench(story, worsen=lambda line: family.lossy(line, Random(seed), family.wretched[worst]))


def test_a_tag_that_stays_is_told_once(bench) -> None:
    async def story(b):
        cards = b.family.cards[: b.family.most]
        for card in cards:
            b.felt.put(card, "seat:2")
        await b.until(lambda: b.twin.inventories > 60)
        assert [(e.zone, set(e.uids)) for e in b.of(TagsSeen)] == [("seat:2", set(cards))]
        assert not b.of(TagsGone)

    bench(story)


def test_a_technician_is_told_every_look_as_it_came(bench) -> None:
    async def story(b):
        card = b.family.cards[0]
        b.felt.put(card, "seat:2")
        looks = b.reader().looks()
        glances = [await anext(looks) for _ in range(2 * len(b.zones))]
        b.twin.deaf = dict.fromkeys(b.zones.values(), 0x84)
        deaf = [await anext(looks) for _ in b.zones]
        await looks.aclose()
        assert [glance.zone for glance in glances] == list(b.zones.values()) * 2
        assert all(glance.uids == ((card,) if glance.zone == "seat:2" else ()) for glance in glances)
        assert not any(glance.why for glance in glances)
        assert all(glance.why and not glance.uids for glance in deaf)

    bench(story)


def test_could_not_look_is_not_no_card(bench) -> None:
    async def story(b):
        b.felt.put(b.family.cards[0], "seat:2")
        await b.until(b.all_known)
        b.twin.deaf["seat:2"] = 0x84
        b.felt.put(b.family.cards[0], "hand")
        await b.until(lambda: b.of(ZoneUnknown))
        assert not b.of(TagsGone)
        (unknown,) = b.of(ZoneUnknown)
        assert unknown.zone == "seat:2"
        assert unknown.why
        del b.twin.deaf["seat:2"]
        b.felt.put(b.family.cards[1], "seat:2")
        known = len(b.of(ZoneKnown))
        await b.until(lambda: len(b.of(ZoneKnown)) > known)
        await b.until(lambda: b.of(TagsSeen)[-1].uids == (b.family.cards[1],))

    bench(story)


def test_what_lies_there_is_told_before_the_zone_is_known(bench) -> None:
    async def story(b):
        b.felt.put(b.family.cards[0], "seat:2")
        await b.until(lambda: "seat:2" in b.known())
        told = [type(event) for event in b.told if event.zone == "seat:2"]
        assert told == [TagsSeen, ZoneKnown]

    bench(story)


def test_a_deaf_zone_is_unknown_within_a_second_and_a_half(bench) -> None:
    async def story(b):
        await b.until(b.all_known)
        begun = asyncio.get_running_loop().time()
        b.twin.deaf["seat:2"] = 0x84
        await b.until(lambda: b.of(ZoneUnknown))
        assert 0.7 < asyncio.get_running_loop().time() - begun < 1.3  # a second after the last good scan

    bench(story)


def test_a_resting_card_missed_once_has_not_gone(bench) -> None:
    async def story(b):
        card = b.family.cards[0]
        b.felt.put(card, "seat:2")
        await b.until(lambda: b.of(TagsSeen))
        each = len(b.zones)
        for _ in range(5):
            b.felt.silence(card)
            before = b.twin.inventories
            await b.until(lambda before=before: b.twin.inventories > before + each)
            b.felt.silence(card, silent=False)
            await b.until(lambda before=before: b.twin.inventories > before + 4 * each)
        assert not b.of(TagsGone)

    bench(story)


@pytest.mark.parametrize("stall_ms", [120, 200, 300, 520, 800, 1200])
def test_after_a_late_answer_the_reader_is_in_step_again(bench, stall_ms) -> None:
    """One antenna asks one question over and over: an answer that lags by one would never be noticed."""

    async def story(b):
        await b.until(b.all_known)
        b.twin.stall_ms = stall_ms
        before = b.twin.inventories
        await b.until(lambda: b.twin.inventories > before + 20)
        faults = b.device.faults
        await b.until(lambda: b.twin.inventories > before + 60)
        assert b.device.faults == faults

    bench(story, zones={0: "exit"})


def test_a_reader_that_started_anew_is_set_anew_before_it_is_believed(bench) -> None:
    """What it was told is forgotten, and it says nothing of it."""

    async def story(b):
        b.felt.put(b.family.cards[0], "seat:2")
        await b.until(b.all_known)
        for _ in range(3):
            b.twin.restart()
            before = b.twin.inventories
            await b.until(lambda before=before: b.twin.inventories > before + 40)
        assert b.of(TagsSeen)
        assert not b.of(TagsGone)

    bench(story, zones={0: "seat:2"})


def test_no_question_comes_before_the_readers_pause_is_over(bench) -> None:
    async def story(b):
        await b.until(lambda: b.twin.inventories > 50)
        assert b.twin.too_soon == 0
        assert b.device.faults == 0

    bench(story)


def test_the_exit_is_looked_at_every_150_ms(bench) -> None:
    async def story(b):
        b.felt.put(b.family.cards[0], "behind_gate")
        b.felt.put(b.family.cards[1], "outlet")
        await b.until(lambda: b.of(TagsSeen))
        before = b.twin.inventories
        await asyncio.sleep(15)
        assert b.twin.inventories - before >= 100

    bench(story, zones={0: "exit"}, wired=True)


def test_a_card_at_the_exit_is_told_within_150_ms(bench) -> None:
    async def story(b):
        await b.until(b.all_known)
        clock = asyncio.get_running_loop().time
        for number in range(20):
            card = b.family.cards[number]
            seen, gone = len(b.of(TagsSeen)), len(b.of(TagsGone))
            begun = clock()
            b.felt.put(card, "behind_gate")
            await b.until(lambda seen=seen: len(b.of(TagsSeen)) > seen)
            assert clock() - begun <= 0.15
            b.felt.put(card, "hand")
            await b.until(lambda gone=gone: len(b.of(TagsGone)) > gone)

    bench(story, zones={0: "exit"}, wired=True)


def test_a_spoilt_check_is_no_reading(bench) -> None:
    async def story(b):
        await b.until(b.all_known)

        def spoil(question, sent):
            return sent[:-2] + bytes([sent[-2] ^ 1, sent[-1]]) if b.family.is_look(question) else sent

        b.twin.answer_with = spoil
        b.felt.put(b.family.cards[0], "seat:2")
        await b.until(lambda: len(b.of(ZoneUnknown)) == len(b.zones))
        assert not b.of(TagsSeen)

    bench(story)


def test_another_device_is_refused_by_name(bench, family) -> None:
    async def story(b):
        with pytest.raises(DeviceWrong, match=f"no {b.device.family} reader"):
            await b.running

    bench(story, identity=family.other)


def test_no_answer_is_a_reader_gone_and_says_what_to_check(bench) -> None:
    async def story(b):
        with pytest.raises(DeviceGone, match="power"):
            await b.running

    bench(story, silent=True)


def test_a_reader_that_falls_silent_is_unknown_at_once_and_gone_soon(bench) -> None:
    async def story(b):
        await b.until(b.all_known)
        begun = asyncio.get_running_loop().time()
        b.twin.silent = True
        await b.until(lambda: len(b.of(ZoneUnknown)) == len(b.zones))
        assert asyncio.get_running_loop().time() - begun < 1.4
        with pytest.raises(DeviceGone):
            await b.running
        assert {e.zone for e in b.of(ZoneUnknown)} == set(b.zones.values())

    bench(story)


def test_a_cable_pulled_at_any_moment_is_a_reader_gone_and_never_a_card_gone(bench_of, family, run) -> None:
    async def whole():
        rng = Random(3)
        for _ in range(20):
            b = await bench_of(family).start()
            b.felt.put(b.family.cards[0], "seat:2")
            await asyncio.sleep(rng.uniform(0.001, 1.2))
            b.line.close()
            with pytest.raises(DeviceGone):
                await b.running
            assert not b.of(TagsGone)
            await b.stop()

    run(whole(), limit_s=600)


def test_the_same_over_a_real_pty(bench_of, family, run) -> None:
    async def whole():
        path, far = pty_pair()
        felt = Felt([family.cards], Random(1))
        felt.put(family.cards[3], "outlet")
        b = bench_of(family, zones={0: "exit"}, felt=felt)
        port = open_serial(path, family.baud, parity=family.parity)

        twin = asyncio.create_task(family.twin(family.carried(far), felt, b.zones).run())
        reader = b.reader(port)
        running = asyncio.create_task(reader.run(b.told.append))
        await b.until(b.all_known, limit_s=60)
        for task in (twin, running):
            task.cancel()
        await asyncio.gather(twin, running, return_exceptions=True)
        far.close()
        assert [seen.uids for seen in b.of(TagsSeen)] == [(family.cards[3],)]
        assert reader.version is not None

    run(whole(), limit_s=600)


ODD = [
    ("feig", "b7025fa0500104e0", "byte order reversed"),
    ("pn532", "083f6c4a", "random"),
    ("pn532", "88a1b2c3", "cascade tag"),
    ("acr122u", "083f6c4a", "random"),
    ("r321", "b7025fa0500104e0", "byte order reversed"),
    ("metratec", "b7025fa0500104e0", "byte order reversed"),
]


@pytest.mark.parametrize(("family", "uid", "words"), ODD, indirect=["family"])
def test_a_tag_whose_number_cannot_be_is_named_and_nothing_is_told_of_its_zone(bench, uid, words) -> None:
    """A phone at a seat, a reader that sends its numbers the other way round: no card, and no empty zone."""

    async def story(b):
        await b.until(b.all_known)
        b.felt.put(uid.upper(), "seat:2")
        await b.until(lambda: b.of(ZoneUnknown))
        assert words in b.of(ZoneUnknown)[0].why
        assert {e.zone for e in b.of(ZoneUnknown)} == {"seat:2"}
        assert not b.of(TagsSeen)

    bench(story)


@pytest.mark.parametrize("family", ["feig", "pn532", "acr122u", "r321"], indirect=True)
def test_the_same_tag_twice_in_one_reply_is_named_and_nothing_is_told_of_its_zone(bench, family) -> None:
    """A parser that never went on, a reader's ghosts: two readings of one tag prove neither."""

    class Ghosts(Felt):
        def readable(self, zone):
            return super().readable(zone) * 2

    async def story(b) -> None:
        await b.until(b.all_known)
        b.felt.put(family.cards[0], "seat:2")
        await b.until(lambda: b.of(ZoneUnknown))
        assert "a tag stands twice in one reply" in b.of(ZoneUnknown)[0].why
        assert not b.of(TagsSeen)

    bench(story, felt=Ghosts([family.cards], Random(1)))


def test_what_goes_over_the_wire_is_counted_and_timed(bench, family) -> None:
    async def story(b):
        await b.until(lambda: b.twin.inventories > 20)
        traffic = b.device.traffic
        assert traffic.identity
        assert (traffic.opened, traffic.missing, traffic.resyncs) == (1, 0, 0)
        assert 0 <= b.twin.inventories - traffic.looks <= 2
        assert traffic.frames == len(traffic.trips_s) >= traffic.looks
        assert 0 < max(traffic.trips_s) < 0.25

    bench(story, wired=True)


def test_a_missing_answer_and_the_coming_into_step_after_it_are_counted(bench) -> None:
    async def story(b):
        await b.until(b.all_known)
        b.twin.silent = True
        await b.until(lambda: b.device.traffic.missing)
        b.twin.silent = False
        looks = b.device.traffic.looks
        await b.until(lambda: b.device.traffic.looks > looks + 5)
        assert b.device.traffic.resyncs >= 1

    bench(story)
