"""The clocks: the wall's, that of the limits, one with a battery, and whether the system believes the first."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Final

import msgspec

from dealerbox.diagnostics.verdict import Step, judged, untested
from dealerbox.station.loop import boottime_ns

EARLIEST_S: Final = 1_764_547_200
"""The first of December 2025: this software is younger."""
WATCHED_S: Final = 2.0
APART_MS: Final = 20.0
"""How far the two may part while they are watched: a clock that is slewed moves by a thousandth."""
BATTERY_S: Final = 2
"""A clock with a battery tells whole seconds."""
_RTC: Final = Path("/sys/class/rtc/rtc0/since_epoch")
_SYNCED: Final = Path("/run/systemd/timesync/synchronized")


def _battery() -> int | None:
    try:
        return int(_RTC.read_text())
    except (OSError, ValueError):
        return None


class Clocks(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to be asked for the time."""

    wall_ns: Callable[[], int] = time.time_ns
    boottime_ns: Callable[[], int] = boottime_ns
    battery_s: Callable[[], int | None] = _battery
    """Seconds since the epoch; None: there is no such clock."""
    synced: Callable[[], bool] = _SYNCED.exists
    wait: Callable[[float], Awaitable[None]] = asyncio.sleep


REAL: Final = Clocks()


async def clock(clocks: Clocks = REAL) -> AsyncIterator[Step]:
    """Test the clocks of this machine; takes two seconds."""
    wall_s = clocks.wall_ns() / 1e9
    said = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(wall_s))
    yield judged("clock-wall", f"it says {said}", right=wall_s >= EARLIEST_S)
    wall_ns, boot_ns = clocks.wall_ns(), clocks.boottime_ns()
    await clocks.wait(WATCHED_S)
    wall_ms = (clocks.wall_ns() - wall_ns) / 1e6
    boot_ms = (clocks.boottime_ns() - boot_ns) / 1e6
    apart_ms = abs(wall_ms - boot_ms)
    yield judged(
        "clock-steady",
        f"{apart_ms:.1f} ms apart after {boot_ms / 1000:.1f} s",
        right=apart_ms <= APART_MS and boot_ms > 0,
        apart_ms=apart_ms,
    )
    battery_s = clocks.battery_s()
    if battery_s is None:
        yield untested("clock-battery", "there is none (/sys/class/rtc/rtc0)")
    else:
        apart_s = abs(clocks.wall_ns() / 1e9 - battery_s)
        yield judged(
            "clock-battery", f"{apart_s:.0f} s from the wall clock", right=apart_s <= BATTERY_S + 1, apart_s=apart_s
        )
    synced = clocks.synced()
    yield judged("clock-synced", "it says so" if synced else "it does not say so", right=synced)
