"""The FEIG driver against its twin, over every kind of line."""

import asyncio
from random import Random
from types import SimpleNamespace

import pytest

from dealerbox.model.events import TagsGone, TagsSeen, ZoneKnown, ZoneUnknown
from dealerbox.ports import DeviceGone, DeviceWrong
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.line import Delayed, Lossy, OneByte, memory_pair, open_serial, pty_pair
from dealerbox_drivers.rfid.feig.device import FeigReader
from dealerbox_drivers.rfid.feig.twin import FeigTwin, Timings

CARDS = tuple(f"E0040150A05F{number:04X}" for number in range(1, 53))
SEATS = {1: "seat:1", 2: "seat:2", 3: "seat:3"}
WIRED = Timings(answer=6, inventory=38, each_tag=4, rf_reset=18)
"""A reader's times with the bytes of question and answer at 38400 baud in them."""
LINES = {
    "perfect": lambda line: line,
    "one byte": OneByte,
    "lossy": lambda line: Lossy(line, Random(7), 0.001),
    "delayed": lambda line: Delayed(line, 20),
}


class Bench:
    """A reader, its twin and the felt between."""

    def __init__(
        self, zones=None, worsen=lambda line: line, address=255, twin_address=0, timings=None, **knobs
    ) -> None:
        self.knobs = knobs
        self.address, self.twin_address = address, twin_address
        self.timings = timings
        self.felt = Felt([CARDS], Random(1))
        self.zones = zones or SEATS
        self.worsen = worsen or (lambda line: line)
        self.told = []
        self.twin = None
        self.openings = 0
        self.line = None
        self.tasks = []

    async def open_line(self):
        self.openings += 1
        near, far = memory_pair()
        self.line = near
        self.twin = FeigTwin(far, self.felt, self.zones, self.timings)
        for name, value in self.knobs.items():
            assert hasattr(self.twin, name)
            setattr(self.twin, name, value)
        self.twin.address = self.twin_address
        self.tasks.append(asyncio.create_task(self.serve(self.twin)))
        return self.worsen(near)

    @staticmethod
    async def serve(twin):
        try:
            await twin.run()
        except DeviceGone:
            return

    def reader(self):
        clock = asyncio.get_running_loop().time
        settings = SimpleNamespace(address=self.address, zones=self.zones)
        return FeigReader("left", self.open_line, lambda: int(clock() * 1e9), settings)

    async def start(self):
        self.device = self.reader()
        self.running = asyncio.create_task(self.device.run(self.told.append))
        self.tasks.append(self.running)
        return self

    async def until(self, true, limit_s=30.0):
        async with asyncio.timeout(limit_s):
            while not true():
                await asyncio.sleep(0.001)

    def of(self, kind):
        return [event for event in self.told if isinstance(event, kind)]

    def known(self):
        return {event.zone for event in self.of(ZoneKnown)}

    async def stop(self):
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


@pytest.fixture
def bench(run):
    """`bench(story, **how)`: run a story with a started bench in virtual time."""

    def told(story, **how):
        async def whole():
            bench = Bench(**how)
            try:
                await bench.start()
                await bench.until(lambda: bench.twin is not None)
                await story(bench)
            finally:
                await bench.stop()

        return run(whole(), limit_s=600)

    return told


@pytest.mark.parametrize("kind", LINES)
def test_cards_are_told_where_they_come_and_go(bench, kind) -> None:
    async def story(b):
        await b.until(lambda: b.known() == {"seat:1", "seat:2", "seat:3"})
        b.felt.put(CARDS[0], "seat:2")
        await b.until(lambda: b.of(TagsSeen))
        b.felt.put(CARDS[0], "hand")
        await b.until(lambda: b.of(TagsGone))
        assert [(e.zone, e.uids) for e in b.of(TagsSeen)][0] == ("seat:2", (CARDS[0],))
        assert [(e.zone, e.uids) for e in b.of(TagsGone)][0] == ("seat:2", (CARDS[0],))
        assert {e.zone for e in b.of(TagsSeen)} == {"seat:2"}

    bench(story, worsen=LINES[kind])


@pytest.mark.parametrize("rate", [0.01, 0.03])
@pytest.mark.parametrize("seed", range(5))
def test_on_a_wretched_line_zones_are_unknown_but_no_card_is_gone_or_elsewhere(bench, rate, seed) -> None:
    async def story(b):
        b.felt.put(CARDS[0], "seat:2")
        await asyncio.wait({b.running}, timeout=30)
        assert {e.zone for e in b.of(TagsSeen)} <= {"seat:2"}
        assert {e.uids for e in b.of(TagsSeen)} <= {(CARDS[0],)}
        assert not b.of(TagsGone)
        assert b.of(ZoneUnknown)

    bench(story, worsen=lambda line: Lossy(line, Random(seed), rate))


def test_a_tag_that_stays_is_told_once_though_ont_is_the_factory_setting(bench) -> None:
    async def story(b):
        b.felt.put(CARDS[0], "seat:1")
        b.felt.put(CARDS[1], "seat:1")
        await b.until(lambda: b.twin.inventories > 60)
        assert [(e.zone, set(e.uids)) for e in b.of(TagsSeen)] == [("seat:1", {CARDS[0], CARDS[1]})]
        assert not b.of(TagsGone)

    bench(story)


@pytest.mark.parametrize("zones", [SEATS, {0: "board"}])
def test_a_reader_that_keeps_ont_is_reset_before_each_inventory(bench, zones) -> None:
    async def story(b):
        zone = next(iter(zones.values()))
        b.felt.put(CARDS[0], zone)
        await b.until(lambda: b.twin.inventories > 40)
        assert len(b.of(TagsSeen)) == 1
        assert not b.of(TagsGone)

    bench(story, zones=zones, stubborn=True)


def test_a_pile_is_read_page_by_page(bench) -> None:
    async def story(b):
        for card in CARDS[:40]:
            b.felt.put(card, "muck")
        await b.until(lambda: b.of(TagsSeen))
        assert b.of(TagsSeen)[0].uids == CARDS[:40]

    bench(story, zones={0: "muck"})


@pytest.mark.parametrize("status", [0x84, 0x83, 0xF1, 0x0E])
def test_could_not_look_is_not_no_card(bench, status) -> None:
    async def story(b):
        b.felt.put(CARDS[0], "seat:2")
        await b.until(lambda: len(b.known()) == 3)
        b.twin.deaf["seat:2"] = status
        b.felt.put(CARDS[0], "hand")
        await b.until(lambda: b.of(ZoneUnknown))
        assert not b.of(TagsGone)
        (unknown,) = b.of(ZoneUnknown)
        assert unknown.zone == "seat:2"
        assert f"{status:02X}" in unknown.why
        del b.twin.deaf["seat:2"]
        b.felt.put(CARDS[1], "seat:2")
        await b.until(lambda: len(b.of(ZoneKnown)) == 4)
        assert isinstance(b.told[-1], ZoneKnown)
        assert b.told[-2].uids == (CARDS[1],)

    bench(story)


def test_a_deaf_zone_is_unknown_within_a_second_and_a_half(bench) -> None:
    async def story(b):
        await b.until(lambda: len(b.known()) == 3)
        begun = asyncio.get_running_loop().time()
        b.twin.deaf["seat:1"] = 0x84
        await b.until(lambda: b.of(ZoneUnknown))
        assert 0.7 < asyncio.get_running_loop().time() - begun < 1.3  # a second after the last good scan

    bench(story)


def test_a_resting_card_missed_once_has_not_gone(bench) -> None:
    async def story(b):
        b.felt.put(CARDS[0], "seat:1")
        await b.until(lambda: b.of(TagsSeen))
        for _ in range(5):
            b.felt.silence(CARDS[0])
            before = b.twin.inventories
            await b.until(lambda before=before: b.twin.inventories > before + 2)
            b.felt.silence(CARDS[0], silent=False)
            await b.until(lambda before=before: b.twin.inventories > before + 8)
        assert not b.of(TagsGone)

    bench(story)


@pytest.mark.parametrize("stall_ms", [200, 240, 260, 300, 500, 800])
def test_a_late_answer_is_never_taken_for_another_zone(bench, stall_ms) -> None:
    """An inventory answered after its time must not be read as the next antenna's."""

    async def story(b):
        await b.until(lambda: len(b.known()) == 3)
        b.felt.put(CARDS[0], "seat:1")
        before = b.twin.inventories
        await b.until(lambda: b.twin.inventories > before)
        b.twin.stall_ms = stall_ms
        await b.until(lambda: b.of(TagsSeen))
        assert {e.zone for e in b.of(TagsSeen)} == {"seat:1"}

    bench(story)


@pytest.mark.parametrize("stall_ms", [200, 300, 520, 800, 1200])
def test_after_a_late_answer_the_reader_is_in_step_again(bench, stall_ms) -> None:
    """One antenna asks one question over and over: an answer that lags by one would never be noticed."""

    async def story(b):
        await b.until(lambda: b.known())
        b.twin.stall_ms = stall_ms
        before = b.twin.inventories
        await b.until(lambda: b.twin.inventories > before + 20)
        faults = b.device.faults
        await b.until(lambda: b.twin.inventories > before + 60)
        assert b.device.faults == faults

    bench(story, zones={0: "exit"})


@pytest.mark.parametrize("zones", [SEATS, {0: "board"}])
def test_a_reader_that_started_anew_is_set_anew_before_it_is_believed(bench, zones) -> None:
    """Its quiet bit is back: unless that is cleared, resting cards are `no transponder` from the second look on."""

    async def story(b):
        b.felt.put(CARDS[0], next(iter(zones.values())))
        await b.until(lambda: len(b.known()) == len(zones))
        for _ in range(3):
            b.twin.restart()
            before = b.twin.inventories
            await b.until(lambda before=before: b.twin.inventories > before + 40)
        assert b.of(TagsSeen)
        assert not b.of(TagsGone)

    bench(story, zones=zones)


def test_no_question_comes_before_the_readers_pause_is_over(bench) -> None:
    async def story(b):
        await b.until(lambda: b.twin.inventories > 50)
        assert b.twin.too_soon == 0
        assert b.device.faults == 0

    bench(story)


def test_the_exit_is_looked_at_every_150_ms(bench) -> None:
    async def story(b):
        b.felt.put(CARDS[0], "behind_gate")
        b.felt.put(CARDS[1], "outlet")
        await b.until(lambda: b.of(TagsSeen))
        before = b.twin.inventories
        await asyncio.sleep(15)
        assert b.twin.inventories - before >= 100

    bench(story, zones={0: "exit"}, timings=WIRED)


def test_five_seats_behind_a_multiplexer_are_looked_at_twice_a_second(bench) -> None:
    async def story(b):
        for number in range(10):
            b.felt.put(CARDS[number], f"seat:{number // 2 + 1}")
        await b.until(lambda: len(b.of(TagsSeen)) == 5)
        before = b.twin.inventories
        await asyncio.sleep(15)
        assert b.twin.inventories - before >= 2 * 5 * 15

    bench(story, zones={number: f"seat:{number}" for number in range(1, 6)}, timings=WIRED)


@pytest.mark.parametrize(("answers", "taken"), [(18, True), (19, False)])
def test_on_a_bus_only_the_reader_asked_is_believed(bench, answers, taken) -> None:
    async def story(b):
        if taken:
            await b.until(lambda: len(b.known()) == 3)
            return
        with pytest.raises(DeviceWrong):
            await b.running

    bench(story, address=18, twin_address=answers)


def test_a_spoilt_check_is_no_reading(bench) -> None:
    async def story(b):
        await b.until(lambda: len(b.known()) == 3)
        b.twin.answer_with = lambda question, sent: (
            sent[:-1] + bytes([sent[-1] ^ 1]) if question.command == 0xB0 else sent
        )
        b.felt.put(CARDS[0], "seat:1")
        await b.until(lambda: len(b.of(ZoneUnknown)) == 3)
        assert not b.of(TagsSeen)

    bench(story)


def test_another_device_is_refused_by_name(bench) -> None:
    async def story(b):
        with pytest.raises(DeviceWrong, match="no FEIG reader"):
            await b.running

    bench(story, identity=b"\x01")


def test_no_answer_is_a_reader_gone_and_says_what_to_check(bench) -> None:
    async def story(b):
        with pytest.raises(DeviceGone, match="power"):
            await b.running

    bench(story, silent=True)


def test_all_zones_of_a_silent_reader_are_unknown_before_it_counts_as_gone(bench) -> None:
    async def story(b):
        await b.until(lambda: len(b.known()) == 3)
        begun = asyncio.get_running_loop().time()
        b.twin.silent = True
        await b.until(lambda: len(b.of(ZoneUnknown)) == 3)
        assert asyncio.get_running_loop().time() - begun < 1.4
        assert not b.running.done()

    bench(story)


def test_a_reader_that_falls_silent_is_gone_and_its_zones_unknown(bench) -> None:
    async def story(b):
        await b.until(lambda: len(b.known()) == 3)
        b.twin.silent = True
        with pytest.raises(DeviceGone):
            await b.running
        assert {e.zone for e in b.of(ZoneUnknown)} == {"seat:1", "seat:2", "seat:3"}

    bench(story)


def test_a_cable_pulled_at_any_moment_is_a_reader_gone_and_never_a_card_gone(run) -> None:
    async def whole():
        rng = Random(3)
        for _ in range(60):
            b = await Bench().start()
            b.felt.put(CARDS[0], "seat:1")
            await asyncio.sleep(rng.uniform(0.001, 1.2))
            b.line.close()
            with pytest.raises(DeviceGone):
                await b.running
            assert not b.of(TagsGone)
            await b.stop()

    run(whole(), limit_s=600)


def test_the_same_over_a_real_pty(run) -> None:
    async def whole():
        path, far = pty_pair()
        felt = Felt([CARDS], Random(1))
        felt.put(CARDS[3], "outlet")
        twin = asyncio.create_task(FeigTwin(far, felt, {0: "exit"}).run())
        told = []
        clock = asyncio.get_running_loop().time
        settings = SimpleNamespace(address=255, zones={0: "exit"})
        reader = FeigReader("mouth", open_serial(path, 38400, parity="E"), lambda: int(clock() * 1e9), settings)
        running = asyncio.create_task(reader.run(told.append))
        async with asyncio.timeout(60):
            while not any(isinstance(event, ZoneKnown) for event in told):
                await asyncio.sleep(0.01)
        for task in (twin, running):
            task.cancel()
        await asyncio.gather(twin, running, return_exceptions=True)
        far.close()
        assert told[0].uids == (CARDS[3],)
        assert reader.version is not None

    run(whole(), limit_s=600)
