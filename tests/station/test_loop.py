import asyncio
from zoneinfo import ZoneInfo

from dealerbox.model.events import Tick, WallClock
from dealerbox.station.loop import Alarm, local_day_s, tell_wall_clock, wall_clock
from dealerbox.station.virtual import START_NS, virtual_clock


def test_each_time_asked_for_is_one_tick_at_or_after_it(run) -> None:
    async def wake() -> list:
        ticks: list = []
        alarm = Alarm(ticks.append, virtual_clock)
        for at_ns in (START_NS + 333_333_333, START_NS + 5, START_NS + 333_333_333, 1):
            alarm.set(at_ns)
        await asyncio.sleep(1)
        return ticks

    ticks = run(wake())
    assert [type(tick) for tick in ticks] == [Tick] * 3
    assert ticks[0].at_ns == START_NS
    assert START_NS + 5 <= ticks[1].at_ns <= START_NS + 7
    assert START_NS + 333_333_333 <= ticks[2].at_ns <= START_NS + 333_333_335


def test_a_clock_that_is_behind_the_loops_is_waited_for(run) -> None:
    async def wake() -> list:
        ticks: list = []
        alarm = Alarm(ticks.append, lambda: virtual_clock() // 2)
        alarm.set(START_NS)
        await asyncio.sleep(10)
        return ticks

    assert [tick.at_ns >= START_NS for tick in run(wake())] == [True]


def test_a_cleared_alarm_is_silent(run) -> None:
    async def wake() -> list:
        ticks: list = []
        alarm = Alarm(ticks.append, virtual_clock)
        alarm.set(START_NS + 5)
        alarm.clear()
        await asyncio.sleep(1)
        return ticks

    assert run(wake()) == []


def test_the_wall_clock_is_told_at_once_and_each_minute(run) -> None:
    async def tell() -> list:
        told: list = []
        telling = asyncio.create_task(tell_wall_clock(told.append, virtual_clock, lambda: (9, 8, True)))
        await asyncio.sleep(130)
        telling.cancel()
        return told

    assert run(tell()) == [WallClock(START_NS + n * 60_000_000_000, 9, 8, True) for n in range(3)]


def test_the_wall_clock_is_local_and_sure_only_when_the_system_says_so(tmp_path) -> None:
    synced = tmp_path / "synchronized"
    read = wall_clock("America/New_York", lambda: 1_750_000_000.9, synced)
    assert read() == (1_750_000_000, (11 * 60 + 6) * 60 + 40, False)  # 2025-06-15 15:06:40 UTC
    synced.touch()
    assert read()[2]


def test_the_wall_jumps_with_summer_time() -> None:
    zone = ZoneInfo("America/New_York")
    spring = 1_741_503_599  # 2025-03-09 06:59:59 UTC, 01:59:59 local
    assert local_day_s(spring, zone) == 2 * 3600 - 1
    assert local_day_s(spring + 1, zone) == 3 * 3600
