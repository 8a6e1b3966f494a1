"""`python -m bench.killed HANDS [--seed N] [--every N] [--first N] [--evenings A-B] [--fault NAMES]`: every.py alone.

A line of JSON for each evening, and one for them all.
"""

import argparse
import json
import time

from bench.killed.every import Asked, every_event, said


def main() -> int:
    """Print what was found; exit 1 when anything was."""
    parser = argparse.ArgumentParser(prog="python -m bench.killed", description=__doc__)
    parser.add_argument("hands", type=int)
    for name, default in (("seed", 1), ("every", 1), ("first", 0), ("jobs", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--evenings", default="", help="A-B: only these of them, as a part of a long run")
    parser.add_argument("--seats", default="2-10")
    parser.add_argument("--fault", default="")
    parser.add_argument("--log", default="")
    given = parser.parse_args()
    begun = time.perf_counter()
    faults = tuple(filter(None, given.fault.split(",")))
    first, _, last = given.evenings.partition("-")
    evenings = (int(first), int(last or first)) if first else Asked(hands=1).evenings
    found = every_event(
        Asked(
            hands=given.hands, seats=given.seats, seed=given.seed, every=given.every, first=given.first,
            faults=faults, jobs=given.jobs, log=given.log, evenings=evenings,
        ),
        done=lambda evening: print(json.dumps(said(evening, time.perf_counter() - begun)), flush=True),
    )  # fmt: skip
    print(json.dumps(said(found, time.perf_counter() - begun)))
    return 1 if found.wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
