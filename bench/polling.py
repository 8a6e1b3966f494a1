"""`polling`: what a full table costs while nothing happens, and how often each of its zones is looked at."""

import asyncio
import json
import subprocess
import sys
import time
from typing import Final

from bench.full_table import READERS, ZONES, Table, far_side, near_side
from dealerbox.model.events import DeviceLost, Event, ZoneKnown, ZoneUnknown
from dealerbox.station.health import Health
from dealerbox.station.loop import boottime_ns

GATE_CORE: Final = 0.06
GATE_HZ: Final = 2.0
GATE_FLOOR: Final = 1.25
"""A look's time, of the least that its page allows."""
SETTLED_S: Final = 3.0


async def measured(table: Table, seconds: float) -> dict[str, object]:
    """Run the drivers for so long; return processor time, rates, and what went wrong."""
    told: list[Event] = []
    faults: list[str] = []
    health = Health(near_side(table.ports), told.append, boottime_ns, faults.append)
    health.start()
    await asyncio.sleep(SETTLED_S)
    known = {event.zone for event in told if isinstance(event, ZoneKnown)}
    told.clear()
    before, begun_s, used_s = table.looks(), time.monotonic(), time.process_time()
    await asyncio.sleep(seconds)
    used_s, took_s, after = time.process_time() - used_s, time.monotonic() - begun_s, table.looks()
    unknown = ZONES - len(known) + sum(isinstance(event, ZoneUnknown | DeviceLost) for event in told)
    await health.stop()
    period_ms = {
        name: 1000 * took_s * len(reader.zones) / max(1, after[name] - before[name]) / len(reader.zones)
        for name, reader in READERS.items()
    }
    return {
        "core": used_s / took_s,
        "look_ms": {name: round(ms, 1) for name, ms in period_ms.items()},
        "of_floor": {name: round(ms / READERS[name].floor_ms, 2) for name, ms in period_ms.items()},
        "slowest_hz": min(1000 / (ms * len(READERS[name].zones)) for name, ms in period_ms.items()),
        "unknown": unknown,
        "faults": faults,
    }


def figure(seconds: float = 20) -> dict[str, object]:
    """Return the figure: twelve zones, cards lying in all of them, shuffler, panel and button beside."""
    command = [sys.executable, "-m", "bench.polling", str(seconds)]
    told = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    passes = (
        told["core"] <= GATE_CORE
        and told["slowest_hz"] >= GATE_HZ
        and max(told["of_floor"].values()) <= GATE_FLOOR
        and not told["unknown"]
        and not told["faults"]
    )
    return {
        "figure": "polling",
        "zones": ZONES,
        "core": round(told["core"], 4),
        "look_ms": told["look_ms"],
        "of_floor": told["of_floor"],
        "slowest_zone_hz": round(told["slowest_hz"], 2),
        "unknown": told["unknown"],
        "gates": {"core": GATE_CORE, "zone_hz": GATE_HZ, "of_floor": GATE_FLOOR},
        "seconds": seconds,
        "passes": passes,
    }


if __name__ == "__main__":
    with far_side() as far:
        print(json.dumps(asyncio.run(measured(far, float(sys.argv[1])))))
