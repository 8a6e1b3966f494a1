"""`python -m bench.protocol [short|trace]`: explore every configuration, then leave rules out. A JSON line for each.

short: the configurations of a few seconds. trace: with the shortest way to each thing broken. Exit 1 when an
invariant does not hold, a state has no way back, or a simplification is not found broken as it must be.
"""

import json
import sys
import time
from collections.abc import Iterable

import msgspec

from bench.protocol.configurations import BRIEF, SETTINGS
from bench.protocol.explore import Found, Search
from bench.protocol.lease import LEASE, outlived
from bench.protocol.simplified import BREAKING, HARMLESS
from bench.protocol.values import Setting

LINE_TICKS = 6
"""How long the line keeps a frame back in the model of the lease."""


def proved(*, short: bool = False, trace: bool = False) -> bool:
    """Explore, print what is found, and tell whether everything is as the page says."""
    began = time.perf_counter()
    held = [_holds(setting) for setting in (BRIEF if short else SETTINGS)]
    bites = [_bites(trace=trace), *([] if short else map(_holds, (one.setting for one in HARMLESS))), _lease()]
    whole = {
        "protocol": "short" if short else "whole",
        "configurations": len(held),
        "states": sum(found.states for found in held),
        "transitions": sum(found.transitions for found in held),
        "seconds": round(time.perf_counter() - began, 1),
    }
    print(json.dumps(whole), flush=True)
    return all(_sound(found) for found in held) and all(_sound(one) if isinstance(one, Found) else one for one in bites)


def _sound(found: Found) -> bool:
    return not found.broken and not found.lost


def _holds(setting: Setting) -> Found:
    found = Search(setting).run()
    print(msgspec.json.encode(found).decode(), flush=True)
    return found


def _bites(*, trace: bool) -> bool:
    """Tell whether each simplification breaks what it must; print what broke and how short the way there is."""
    right = True
    for one in BREAKING:
        found = Search(one.setting).run()
        as_told = found.broken == one.breaks and bool(found.broken or found.lost)
        told = {
            "without": one.name,
            "breaks": found.broken or f"no way back from {found.lost} states",
            "steps": len(found.trace) - 1,
            "states": found.states,
            "seconds": found.seconds,
        }
        print(json.dumps(told | ({"trace": found.trace} if trace or not as_told else {})), flush=True)
        right = right and as_told
    return right


def _lease() -> bool:
    """Tell whether a dead host's lease ends in time by the echoed tick, and only by it."""
    right = True
    for by_arrival, most in ((False, LEASE), (True, LEASE + LINE_TICKS)):
        ticks, states = outlived(line_ticks=LINE_TICKS, by_arrival=by_arrival)
        counted = "arrival" if by_arrival else "the echoed tick"
        print(json.dumps({"lease of": LEASE, "counted from": counted, "outlives a host by": ticks, "states": states}))
        right = right and ticks == most
    return right


def main(names: Iterable[str]) -> int:
    """Give the proof in the form that is asked for."""
    asked = set(names)
    if asked - {"short", "trace"}:
        print("protocol: there are: short, trace", file=sys.stderr)
        return 2
    return 0 if proved(short="short" in asked, trace="trace" in asked) else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
