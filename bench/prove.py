"""The long proofs: `python -m bench.prove [events|wires|journal|spark]...`. JSON lines; exit 1 on any breach.

events   1,000 lawful hands of 2 to 10 seats, then every kind of fault at least 30 times
wires    50 lawful hands over the daemon's own codecs and polls, then 50 with every kind of fault
journal  every crash state of an evening, a disk that fails at any call, every flipped bit, a card that forgets
spark    the same of its first hand, in seconds; only when asked for
"""

import json
import sys
from collections.abc import Callable

import msgspec

from bench.crash.fire import fire
from dealerbox.simulate.run import Summary, simulate

LEAST = 30
"""How often each kind of fault must be done."""


def _said(summary: Summary, sound: bool) -> bool:
    print(msgspec.json.encode(summary).decode(), flush=True)
    return sound


def _lawful(hands: int, level: str) -> bool:
    summary = simulate(hands, "2-10", 1, level=level)
    breaches = (summary.unlawful_releases, summary.missed, summary.false_holds)
    return _said(summary, summary.hands >= hands and breaches == (0, 0, 0))


def _faulty(hands: int, level: str, least: int) -> bool:
    summary = simulate(hands, "2-10", 2, ["all"], level=level)
    often = all(fault.injected >= least for fault in summary.faults.values())
    told = all(fault.held == fault.injected for fault in summary.faults.values())
    return _said(summary, often and told and summary.unlawful_releases == summary.missed == 0)


def _journal(*, short: bool) -> bool:
    sound = True
    for part in fire(short=short):
        print(json.dumps(part), flush=True)
        sound = sound and not part["wrong"]
    return sound


PROOFS: dict[str, Callable[[], bool]] = {
    "events": lambda: _lawful(1000, "events") & _faulty(1000, "events", LEAST),
    "wires": lambda: _lawful(50, "wires") & _faulty(50, "wires", 1),
    "journal": lambda: _journal(short=False),
    "spark": lambda: _journal(short=True),
}
SHORT = frozenset({"spark"})
"""Forms of others, for when there is little time."""


def main(names: list[str]) -> int:
    """Give the proofs asked for, all when none is."""
    unknown = [name for name in names if name not in PROOFS]
    if unknown:
        print(f"prove: no proof {', '.join(unknown)}; there are: {', '.join(PROOFS)}", file=sys.stderr)
        return 2
    asked = names or [name for name in PROOFS if name not in SHORT]
    results = [PROOFS[name]() for name in asked]  # each is given, whatever the one before says
    return 0 if all(results) else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
