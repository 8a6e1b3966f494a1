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
from dealerbox_drivers.rfid.feig.twin import FeigTwin

CARDS = tuple(f"E0040150A05F{number:04X}" for number in range(1, 53))
SEATS = {1: "seat:1", 2: "seat:2", 3: "seat:3"}
LINES = {
    "perfect": lambda line: line,
    "one byte": OneByte,
    "lossy": lambda line: Lossy(line, Random(7), 0.01),
    "delayed": lambda line: Delayed(line, 20),
}


class Bench:
    """A reader, its twin and the felt between."""

    def __init__(self, zones=None, worsen=lambda line: line, **knobs) -> None:
        self.knobs = knobs
        self.felt = Felt([CARDS], Random(1))
        self.zones = zones or SEATS
        self.worsen = worsen
        self.told = []
        self.twin = None
        self.openings = 0
        self.line = None
        self.tasks = []

    async def open_line(self):
        self.openings += 1
        near, far = memory_pair()
        self.line = near
        self.twin = FeigTwin(far, self.felt, self.zones)
        for name, value in self.knobs.items():
            assert hasattr(self.twin, name)
            setattr(self.twin, name, value)
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
        settings = SimpleNamespace(address=255, zones=self.zones)
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
        assert 1.0 < asyncio.get_running_loop().time() - begun < 1.5

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
