"""`python -m bench.closure [short] [FAMILY...]`: explore, and print one JSON line per family and one for all.
`python -m bench.closure pairs [FAMILY...]`: every pair of faults at once, before the flop; hours for all of them.
`python -m bench.closure alike [FAMILY...]`: whether states that are taken for one behave alike (`alike`).
`python -m bench.closure broken`: every engine that is broken on purpose, and how the closure catches it.

Exit 1 on any breach, and of the whole when a reason for a hold, a notice or a refusal is not reached.
"""

import os
import sys
import time
from collections import Counter
from multiprocessing import Pool

import msgspec

from bench.closure.alike import all_alike
from bench.closure.broken import all_caught
from bench.closure.explore import Explorer
from bench.closure.families import families, pairs, short
from bench.closure.family import Family
from bench.closure.found import Found
from dealerbox.model.reasons import Reason


class Summary(msgspec.Struct):
    """What all families found together."""

    closure: str
    families: int
    states: int
    transitions: int
    held: int
    restarts: int
    """States from which a restart was looked at (P5): all."""
    seconds: float
    cpu_seconds: float
    breaches: int
    unreached: list[str]


def explored(family: Family) -> Found:
    """Explore one family."""
    return Explorer(family).run()


def closed(which: list[Family], whole: bool) -> bool:
    """Explore families on every core, print what is found, and tell whether nothing is amiss."""
    began = time.monotonic()
    found, reasons, sound = [], Counter[str](), True
    with Pool(min(len(which), os.cpu_count() or 1)) as pool:
        for one in pool.imap_unordered(explored, which, chunksize=1):
            print(msgspec.json.encode(one).decode(), flush=True)
            found.append(one)
            reasons.update(one.reasons)
            sound = sound and one.complete and not one.breaches
    unreached = {reason.value for reason in Reason} - set(reasons)
    told = Summary(
        closure="whole" if whole else "part",
        families=len(found),
        states=sum(one.states for one in found),
        transitions=sum(one.transitions for one in found),
        held=sum(one.held for one in found),
        restarts=sum(one.states for one in found),
        seconds=round(time.monotonic() - began, 1),
        cpu_seconds=round(sum(one.seconds for one in found), 1),
        breaches=sum(len(one.breaches) for one in found),
        unreached=sorted(unreached),
    )
    print(msgspec.json.encode(told).decode(), flush=True)
    return sound and not (whole and unreached)


def main(names: list[str]) -> int:
    """Explore the families named, all when none is."""
    if names == ["broken"]:
        return 0 if all_caught() else 1
    if names == ["short"]:
        return 0 if closed(short(), whole=False) else 1
    word = names[0] if names[:1] in (["pairs"], ["alike"]) else ""
    every, asked = (pairs() if word == "pairs" else families()), names[bool(word) :]
    which = [family for family in every if not asked or any(name in family.name for name in asked)]
    if not which:
        print(f"closure: no family {' '.join(asked)}", file=sys.stderr)
        return 2
    if word == "alike":
        return 0 if all_alike(which) else 1
    return 0 if closed(which, whole=not names) else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
