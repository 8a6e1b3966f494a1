"""Time as events: the alarm for WakeAt, the wall clock each minute."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from dealerbox.model.events import Event, Tick, WallClock
from dealerbox.ports import Clock, Emit

ALIVE_S: Final = 60.0
"""Between two alive records: the most that a cut can take from a clock of the law."""
_SYNCED: Final = Path("/run/systemd/timesync/synchronized")

WallReading = Callable[[], tuple[int, int, bool]]
"""Seconds since the epoch, local seconds since midnight, known to be right."""


def boottime_ns() -> int:
    """Return CLOCK_BOOTTIME: it counts suspend, and no step of the wall clock moves it."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


class Alarm:
    """Answers WakeAt with a Tick from the running loop's timers."""

    def __init__(self, emit: Emit, clock: Clock) -> None:
        self._emit, self._clock = emit, clock
        self._timers: dict[int, asyncio.TimerHandle] = {}

    def set(self, at_ns: int) -> None:
        """Emit a Tick once `at_ns` has come; the same time asked for twice is one Tick."""
        if at_ns in self._timers:
            return
        loop = asyncio.get_running_loop()
        delay_s = max(0, at_ns - self._clock()) / 1e9
        self._timers[at_ns] = loop.call_later(delay_s, self._ring, at_ns)

    def clear(self) -> None:
        """Forget every time asked for."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def _ring(self, at_ns: int) -> None:
        del self._timers[at_ns]
        now_ns = self._clock()
        if now_ns < at_ns:  # the loop's clock and ours round differently
            self.set(at_ns)
        else:
            self._emit(Tick(now_ns))


async def tell_wall_clock(emit: Callable[[Event], None], clock: Clock, reading: WallReading) -> None:
    """Emit the wall clock now and each ALIVE_S, until cancelled."""
    while True:
        emit(WallClock(clock(), *reading()))
        await asyncio.sleep(ALIVE_S)


def wall_clock(time_zone: str, now: Callable[[], float] = time.time, synced: Path = _SYNCED) -> WallReading:
    """Return a reading of the system's wall clock at the table's time zone.

    It is known to be right only while the system's time daemon says so.
    """
    zone = ZoneInfo(time_zone)

    def read() -> tuple[int, int, bool]:
        wall_s = int(now())
        return wall_s, local_day_s(wall_s, zone), synced.exists()

    return read


def local_day_s(wall_s: int, zone: ZoneInfo) -> int:
    """Return the seconds since local midnight as a clock on the wall shows them."""
    import datetime

    local = datetime.datetime.fromtimestamp(wall_s, zone)
    return local.hour * 3600 + local.minute * 60 + local.second
