"""A reader's cable pulled out at any byte, garbage, silence, resets: told within a second, whole within five."""

import asyncio

import pytest

from dealerbox.model.events import DeviceBack, DeviceLost, TagsGone, TagsSeen, ZoneKnown, ZoneUnknown
from dealerbox.ports import DeviceGone
from dealerbox.station.health import Health
from dealerbox.station.virtual import virtual_clock

pytestmark = pytest.mark.usefixtures("family")
TOLD_S, WHOLE_S = 1.0, 5.0


class Rig:
    """A reader of `seat:2` under the station's Health, a card before it, and cables that are plugged in by hand."""

    def __init__(self, bench, family, worsen=lambda line: line, **knobs) -> None:
        self.bench = bench(family, zones={0: "seat:2"}, worsen=lambda line: self.worsen(line), **knobs)
        self.worsen = worsen
        self.card = family.cards[0]
        self.told: list = []
        self.news = asyncio.Event()
        self.faults: list[str] = []
        self.plugged = True
        self.health = Health([self.bench.reader(self.open_line)], self.hear, virtual_clock, self.faults.append)
        self.bench.felt.put(self.card, "seat:2")
        self.health.start()

    def hear(self, event) -> None:
        self.told.append(event)
        self.news.set()

    async def open_line(self):
        if not self.plugged:
            raise DeviceGone("there is nothing to open")
        return await self.bench.open_line()

    def of(self, kind):
        return [event for event in self.told if isinstance(event, kind)]

    async def seen(self, true, limit_s: float) -> None:
        """Wait until it is so, looked at whenever something was told."""
        async with asyncio.timeout(limit_s):
            while not true():
                self.news.clear()
                await self.news.wait()

    async def known(self, times: int = 1, limit_s: float = WHOLE_S) -> None:
        await self.seen(lambda: len(self.of(ZoneKnown)) >= times, limit_s)

    def only_the_card(self) -> bool:
        return not self.of(TagsGone) and {event.uids for event in self.of(TagsSeen)} <= {(self.card,)}

    async def stop(self) -> None:
        await self.health.stop()
        await self.bench.stop()
        assert self.faults == []


@pytest.fixture
def rig(run, bench_of, family):
    """`rig(story, **how)`: a story with a rig, in virtual time; `rig.of(...)` makes further ones within it."""

    def told(story, **how):
        async def whole():
            r = Rig(bench_of, family, **how)
            try:
                await story(r)
            finally:
                await r.stop()

        return run(whole(), limit_s=3600)

    return told


def test_unplugged_at_any_byte_it_is_told_at_once_and_whole_again_soon(rig, bench_of, family, run, cut_line) -> None:
    """From the opening to the second look, at every byte; at every second one where there are more than 300."""
    counted = []

    async def count(r) -> None:
        await r.known()
        await asyncio.sleep(0.1)

    def counting(line):
        counted.append(cut_line(line))
        return counted[-1]

    rig(count, worsen=counting)

    async def cut(most: int) -> None:
        lines = []

        def once(line):
            lines.append(cut_line(line, most) if not lines else line)
            return lines[-1]

        r = Rig(bench_of, family, worsen=once)
        await r.seen(lambda: r.of(DeviceLost), 5)
        assert r.of(DeviceLost)[0].at_ns - lines[0].cut_ns <= TOLD_S * 1e9
        known = len(r.of(ZoneKnown))
        await r.known(known + 1)
        assert r.of(ZoneKnown)[-1].at_ns - lines[0].cut_ns <= WHOLE_S * 1e9
        assert [type(event) for event in r.told if isinstance(event, DeviceLost | DeviceBack)] == [
            DeviceLost,
            DeviceBack,
        ]
        assert r.only_the_card()
        await r.stop()

    carried = counted[0].carried
    for most in range(1, carried, 1 + carried // 300):
        run(cut(most), limit_s=60)


@pytest.mark.parametrize("away_s", [0.05, 2.0, 6.4, 29.0])
def test_after_any_absence_it_is_whole_within_five_seconds_of_its_return(rig, away_s) -> None:
    async def story(r) -> None:
        await r.known()
        r.plugged = False
        r.bench.line.close()
        await r.seen(lambda: r.of(DeviceLost), TOLD_S)
        await asyncio.sleep(away_s)
        r.plugged = True
        await r.known(2)
        assert r.of(DeviceBack)
        assert r.only_the_card()

    rig(story)


@pytest.mark.parametrize("away_s", [1.5, 9.7])
def test_behind_a_broken_wire_it_is_unknown_a_second_after_its_last_look_and_whole_within_five_of_its_return(
    rig, away_s
) -> None:
    async def story(r) -> None:
        await r.known()
        r.bench.twin.silent = True
        await r.seen(lambda: r.of(ZoneUnknown), TOLD_S)
        opened, r.bench._knobs = r.bench._knobs, {"silent": True}
        await asyncio.sleep(away_s)
        r.bench._knobs, r.bench.twin.silent = opened, False
        await r.known(2)
        assert r.only_the_card()

    rig(story)


class Garbage:
    """Brings bytes that mean nothing, one in each `every_s`, and nothing of what is said at the far side."""

    def __init__(self, line, data: bytes, every_s: float) -> None:
        self._line, self._data, self._every_s, self._at = line, data, every_s, 0

    async def read(self) -> bytes:
        await asyncio.sleep(self._every_s)
        self._at += 1
        return self._data[self._at % len(self._data) :][:1]

    def write(self, data: bytes) -> None:
        self._line.write(data)

    def close(self) -> None:
        self._line.close()


@pytest.mark.parametrize(
    "data", [b"\x00", b"\xff", b"\x55\xaa", bytes.fromhex("0000ff05fbd4"), bytes.fromhex("80ff000000")]
)
@pytest.mark.parametrize("every_s", [0.002, 0.2])
def test_trickling_garbage_keeps_no_question_open_nor_the_reader_from_coming_back(rig, data, every_s) -> None:
    async def story(r) -> None:
        await r.known()
        r.worsen = lambda line: Garbage(line, data, every_s)
        r.bench.line.close()
        await r.seen(lambda: r.of(DeviceLost), TOLD_S)
        for _ in range(4):
            before = virtual_clock()
            await asyncio.sleep(6)
            why = r.health.devices()[0].why
            assert "is no" in why or "no answer" in why or "without an answer" in why
            assert virtual_clock() - before < 7e9
        r.worsen = lambda line: line
        await r.known(2, WHOLE_S + 3)  # the attempt that is under way ends first
        assert r.only_the_card()

    rig(story)


def test_a_reader_that_every_opening_resets_is_met_all_the_same(rig) -> None:
    """Linux raises DTR for a moment at every opening: a board behind it starts anew."""

    async def story(r) -> None:
        await r.known()
        opening = r.bench.open_line

        async def reset():
            line = await opening()
            r.bench.twin.restart()
            return line

        r.bench.open_line = reset
        for times in range(2, 5):
            r.bench.line.close()
            await r.known(times)
        assert r.only_the_card()

    rig(story)


def test_two_readers_whose_cables_are_swapped_are_known_by_what_they_answer_and_whole_when_put_right(
    run, bench_of, family, other_family
) -> None:
    """Of two kinds: each says that it has met another. Of one kind only cards tell, which a wrong seat does at once."""

    async def whole() -> None:
        left, right = Rig(bench_of, family), Rig(bench_of, other_family)
        rigs = (left, right)
        for r in rigs:
            await r.known()
        own = [r.bench.open_line for r in rigs]
        for r, opening in zip(rigs, reversed(own), strict=True):
            r.bench.open_line = opening
        for r in rigs:
            r.bench.line.close()
        await asyncio.sleep(8)
        assert all(r.health.devices()[0].condition in ("wrong", "lost") for r in rigs)
        for r, opening in zip(rigs, own, strict=True):
            r.bench.open_line = opening
        for r in rigs:
            await r.known(2)
            assert r.only_the_card()
            await r.stop()

    run(whole(), limit_s=600)
