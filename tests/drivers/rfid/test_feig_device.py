"""What a FEIG reader must do beyond what every reader does (test_readers): multiplexer, quiet tags, pages, a bus."""

import asyncio
from dataclasses import replace

import pytest

from dealerbox.model.events import TagsGone, TagsSeen, ZoneKnown, ZoneUnknown
from dealerbox.ports import DeviceWrong
from dealerbox_drivers.rfid.feig.twin import Timings

SEATS = {1: "seat:1", 2: "seat:2", 3: "seat:3"}
FIVE = {number: f"seat:{number}" for number in range(1, 6)}
SLOW = Timings(inventory=90.0)


class LosesOne:
    """A line that loses the last byte of one question, or of one answer."""

    def __init__(self, line, lost, way) -> None:
        self._line, self._lost, self._way = line, lost, way
        self._said = {"question": 0, "answer": 0}

    async def read(self) -> bytes:
        return self._through(await self._line.read(), "answer")

    def write(self, data) -> None:
        self._line.write(self._through(data, "question"))

    def close(self) -> None:
        self._line.close()

    def _through(self, data, way) -> bytes:
        self._said[way] += 1
        return data[:-1] if way == self._way and self._said[way] == self._lost else data


@pytest.mark.parametrize("zones", [SEATS, {0: "board"}])
def test_a_reader_that_keeps_ont_is_reset_before_each_inventory(bench, zones) -> None:
    async def story(b):
        zone = next(iter(zones.values()))
        b.felt.put(b.family.cards[0], zone)
        await b.until(lambda: b.twin.inventories > 40)
        assert len(b.of(TagsSeen)) == 1
        assert not b.of(TagsGone)

    bench(story, "feig", zones=zones, stubborn=True)


def test_a_reader_behind_a_multiplexer_that_started_anew_reads_on(bench) -> None:
    """Its quiet bit is back: unless that is cleared, resting cards are `no transponder` from the second look on."""

    async def story(b):
        b.felt.put(b.family.cards[0], "seat:1")
        await b.until(b.all_known)
        for _ in range(3):
            b.twin.restart()
            before = b.twin.inventories
            await b.until(lambda before=before: b.twin.inventories > before + 40)
        assert b.of(TagsSeen)
        assert not b.of(TagsGone)

    bench(story, "feig")


def test_a_pile_is_read_page_by_page(bench) -> None:
    async def story(b):
        for card in b.family.cards[:40]:
            b.felt.put(card, "muck")
        await b.until(lambda: b.of(TagsSeen))
        assert b.of(TagsSeen)[0].uids == b.family.cards[:40]

    bench(story, "feig", zones={0: "muck"})


@pytest.mark.parametrize("status", [0x84, 0x83, 0xF1, 0x0E])
def test_the_status_that_could_not_look_is_told(bench, status) -> None:
    async def story(b):
        b.felt.put(b.family.cards[0], "seat:2")
        await b.until(b.all_known)
        b.twin.deaf["seat:2"] = status
        b.felt.put(b.family.cards[0], "hand")
        await b.until(lambda: b.of(ZoneUnknown))
        assert not b.of(TagsGone)
        (unknown,) = b.of(ZoneUnknown)
        assert unknown.zone == "seat:2"
        assert f"{status:02X}" in unknown.why
        del b.twin.deaf["seat:2"]
        b.felt.put(b.family.cards[1], "seat:2")
        await b.until(lambda: len(b.of(ZoneKnown)) == 4)
        assert isinstance(b.told[-1], ZoneKnown)
        assert b.told[-2].uids == (b.family.cards[1],)

    bench(story, "feig")


@pytest.mark.parametrize("stall_ms", [200, 240, 260, 300, 500, 800])
def test_a_late_answer_is_never_taken_for_another_zone(bench, stall_ms) -> None:
    """An inventory answered after its time must not be read as the next antenna's."""

    async def story(b):
        await b.until(b.all_known)
        b.felt.put(b.family.cards[0], "seat:1")
        before = b.twin.inventories
        await b.until(lambda: b.twin.inventories > before)
        b.twin.stall_ms = stall_ms
        await b.until(lambda: b.of(TagsSeen))
        assert {e.zone for e in b.of(TagsSeen)} == {"seat:1"}

    bench(story, "feig")


def test_all_zones_of_a_silent_reader_are_unknown_before_it_counts_as_gone(bench) -> None:
    async def story(b):
        await b.until(b.all_known)
        b.twin.silent = True
        await b.until(lambda: len(b.of(ZoneUnknown)) == 3)
        assert not b.running.done()

    bench(story, "feig")


def test_five_seats_behind_a_multiplexer_are_looked_at_twice_a_second(bench) -> None:
    async def story(b):
        for number in range(10):
            b.felt.put(b.family.cards[number], f"seat:{number // 2 + 1}")
        await b.until(lambda: len(b.of(TagsSeen)) == 5)
        before = b.twin.inventories
        await asyncio.sleep(15)
        assert b.twin.inventories - before >= 2 * 5 * 15

    bench(story, "feig", zones={number: f"seat:{number}" for number in range(1, 6)}, wired=True)


@pytest.mark.parametrize("family", ["feig"], indirect=True)
@pytest.mark.parametrize("way", ["question", "answer"])
@pytest.mark.parametrize("lost", range(1, 17))
def test_all_zones_of_a_slow_reader_are_known_in_a_second_whichever_byte_is_lost(
    run, bench_of, family, lost, way
) -> None:
    """A lost answer is asked for again at once: at its next turn it would come a whole round later."""

    async def story():
        b = bench_of(replace(family, wired=SLOW), FIVE, lambda line: LosesOne(line, lost, way), wired=True)
        try:
            await b.start()
            await b.until(lambda: b.device.traffic.identity)
            async with asyncio.timeout(1.0):
                await b.until(b.all_known)
            assert b.device.traffic.missing == 1 or lost == 1
        finally:
            await b.stop()

    run(story())


def test_behind_a_multiplexer_no_quiet_bit_is_asked_for(bench) -> None:
    async def story(b):
        asked = []
        b.twin.answer_with = lambda question, data: asked.append(question.command) or data
        await b.until(b.all_known)
        assert asked[:2] == [0x65, 0xDD]
        assert not {0x80, 0x81} & set(asked)

    bench(story, "feig", zones=SEATS)


@pytest.mark.parametrize(("answers", "taken"), [(18, True), (19, False)])
def test_on_a_bus_only_the_reader_asked_is_believed(bench, answers, taken) -> None:
    async def story(b):
        if taken:
            await b.until(b.all_known)
            return
        with pytest.raises(DeviceWrong):
            await b.running

    bench(story, "feig", settings={"address": 18}, address=answers)
