"""`simulated`: table-hours an hour that `simulate` plays, of events and over wires; and memory over many hands.

`python -m bench.simulated [HANDS]`: memory flat over 100,000 hands, some twenty minutes. JSON lines, exit 1 when not.
"""

import gc
import json
import os
import statistics
import sys
import time
from multiprocessing import Pool

from dealerbox.simulate.run import Summary, simulate

HANDS_AN_HOUR = 30
"""Of a table of people."""
GATE = 2000
"""Table-hours an hour, on two processors."""
GATE_WIRES = 50
"""Table-hours an hour over wires, on one processor."""
PARTS = 10
GROWTH_MIB = 2.0
"""Most that resident memory may grow from the end of the second tenth to the end of the last one, which plays the same
hands: Python's allocator takes a mebibyte at a time, and a peak leaves it one more or less."""
GROWTH_BLOCKS = 500
"""The same of its blocks in use: what is kept, whatever the allocator keeps for it."""


def _played(seed: int, hands: int) -> tuple[int, bool]:
    summary = simulate(hands, "2-10", seed)
    return summary.hands, _spotless(summary)


def _spotless(summary: Summary) -> bool:
    return not (summary.unlawful_releases or summary.missed or summary.false_holds)


def figure(hands: int = 1500) -> dict[str, object]:
    """Return the figure: lawful hands of 2 to 10 seats, judged by the checker, `hands` in each of two processes."""
    with Pool(2) as pool:
        pool.starmap(_played, [(seed, 5) for seed in (1, 2)])  # imports
        begun = time.perf_counter()
        played = pool.starmap(_played, [(seed, hands) for seed in (1, 2)])
        seconds = time.perf_counter() - begun
    number = sum(count for count, _ in played)
    return _said("simulated", number, seconds, 2, GATE, spotless=all(spotless for _, spotless in played))


def wires(hands: int = 20) -> dict[str, object]:
    """Return the figure of `simulate --level wires`: lawful hands over codecs and polls, in one process."""
    simulate(1, "2-10", 3, level="wires")  # imports
    begun = time.perf_counter()
    summary = simulate(hands, "2-10", 1, level="wires")
    seconds = time.perf_counter() - begun
    return _said("simulated_wires", summary.hands, seconds, 1, GATE_WIRES, spotless=_spotless(summary))


def _said(figure: str, hands: int, seconds: float, processes: int, gate: int, *, spotless: bool) -> dict[str, object]:
    rate = hands / HANDS_AN_HOUR / (seconds / 3600)
    return {
        "figure": figure,
        "hands": hands,
        "seconds": round(seconds, 1),
        "processes": processes,
        "table_hours_an_hour": round(rate),
        "gate": gate,
        "passes": rate >= gate and spotless,
    }


def resident_mib() -> float:
    """Return this process's resident memory."""
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def flat(hands: int = 100_000) -> dict[str, object]:
    """Play so many hands in one process and return its memory.

    Every kind of fault is in the second tenth, and the last plays the same hands again: so both have the same peak.
    """
    measured: list[float] = []
    blocks: list[int] = []
    spotless, played = True, 0
    begun = time.perf_counter()
    for part in range(PARTS):
        faulty = part in (1, PARTS - 1)
        summary = simulate(hands // PARTS, "2-10", 2 if faulty else part + 1, ["all"] if faulty else [])
        spotless = spotless and _spotless(summary)
        played += summary.hands
        gc.collect()
        measured.append(round(resident_mib(), 2))
        blocks.append(sys.getallocatedblocks())
        print(json.dumps({"hands": played, "rss_mib": measured[-1], "blocks": blocks[-1]}), flush=True)
    growth, kept = measured[-1] - measured[1], blocks[-1] - blocks[1]
    return {
        "figure": "flat",
        "hands": played,
        "rss_mib": measured,
        "slope_mib": round(statistics.linear_regression(range(PARTS - 1), measured[1:]).slope, 3),
        "growth_mib": round(growth, 2),
        "gate": GROWTH_MIB,
        "growth_blocks": kept,
        "gate_blocks": GROWTH_BLOCKS,
        "minutes": round((time.perf_counter() - begun) / 60, 1),
        "passes": growth <= GROWTH_MIB and kept <= GROWTH_BLOCKS and spotless,
    }


if __name__ == "__main__":
    told = flat(*map(int, sys.argv[1:2]))
    print(json.dumps(told), flush=True)
    raise SystemExit(0 if told["passes"] else 1)
