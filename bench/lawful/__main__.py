"""`python -m bench.lawful [--hands N] [--seed S] [--only NAME,...] [--without NAME,...] [--faults] [--counts]
[--logs FOLDER]`.
`python -m bench.lawful --evening SEED/NUMBER [--faults] [--logs FOLDER]`: the one evening of a finding, once more.

Prints one JSON line; exit 1 when anything was found, 2 for a name there is not.
"""

import argparse
import json
import sys
import time
from pathlib import Path

from bench.lawful.counted import ELSEWHERE, readings, unexplained
from bench.lawful.proof import again, prove, said
from bench.lawful.variations import VARIATIONS, chosen


def main(words: list[str]) -> int:
    """Play the hands asked for."""
    told = "; ".join(f"{name}: {what}" for name, what in VARIATIONS.items())
    parser = argparse.ArgumentParser(prog="bench.lawful", description=__doc__, epilog=told)
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--evening", metavar="SEED/NUMBER", help="as a finding says it: that evening alone")
    parser.add_argument("--only", default="")
    parser.add_argument("--without", default="")
    parser.add_argument("--faults", action="store_true", help="put the page's irregularities into the same hands")
    parser.add_argument("--counts", action="store_true", help="how often each key, ruling, reason, reading came up")
    parser.add_argument("--logs", type=Path)
    asked = parser.parse_args(words)
    try:
        names = chosen(
            *(frozenset(filter(None, text.split(","))) for text in (asked.only, asked.without)), asked.faults
        )
    except ValueError as error:
        print(f"bench.lawful: {error}", file=sys.stderr)
        return 2
    begun = time.perf_counter()
    report = again(asked.evening, names) if asked.evening else prove(asked.hands, asked.seed, names)
    print(said(report, time.perf_counter() - begun), flush=True)
    if asked.counts:
        counts = report.met + readings(report.done, report.hands)
        print(json.dumps({"met": dict(sorted(counts.items())), "elsewhere": ELSEWHERE, "never": unexplained(counts)}))
    if asked.logs:
        report.write(asked.logs)
    return 1 if report.found else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
