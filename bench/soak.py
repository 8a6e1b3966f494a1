"""`python -m bench.soak [MINUTES]`: a night in twenty minutes. Every kind of fault 1,000 times, then over the wires.

Two processes, each with the next seed when it is done with one, play faulty evenings at the level of events until each
kind was done so often, and for the rest of the time at the level of wires, where lines lose bytes and the disk stalls
too. One line of JSON each. Exit 1 when anything was found, a fault was told to nobody, or a kind was done too seldom.
What was found lies in `failures/`, shortened.
"""

import sys
import time
from pathlib import Path

import msgspec

from dealerbox.model.setup import Dispense
from dealerbox.simulate.faults_by_hand import kinds_of
from dealerbox.simulate.night import Asked, Night, night, said

MINUTES = 20.0
LEAST = 1_000
EVENTS = Asked(hands=400, faults=("all",), level="events")
"""So many hands share out the kinds evenly."""
WIRES = Asked(hands=20, faults=("all",), level="wires")
FAILURES = Path("failures")
MOST = 1_000_000


def rarest(whole: Night) -> int:
    """Return how often the rarest kind was done."""
    return min((whole.faults[kind].injected if kind in whole.faults else 0) for kind in kinds_of(Dispense.SINGLE))


def soak(minutes: float, least: int = LEAST) -> bool:
    """Play; return whether nothing was found and every kind was done often enough."""
    over_s = time.monotonic() + minutes * 60
    reached = night(
        (1, MOST), EVENTS, FAILURES / "events", enough=lambda now: rarest(now) >= least or time.monotonic() > over_s
    )
    print(msgspec.json.encode({**said(reached), "rarest": rarest(reached)}).decode(), flush=True)
    wired = night((1, MOST), WIRES, FAILURES / "wires", enough=lambda _: time.monotonic() > over_s)
    print(msgspec.json.encode(said(wired)).decode(), flush=True)
    return not reached.failures and not wired.failures and rarest(reached) >= least


if __name__ == "__main__":
    raise SystemExit(0 if soak(float(sys.argv[1]) if len(sys.argv) > 1 else MINUTES) else 1)
