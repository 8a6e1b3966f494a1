"""The long proofs: `python -m bench.prove [NAME]...`. JSON lines.

Exit 1 on any breach.

closure  the real step explored to its fixed point, up to two faults outstanding at once (bench/closure), then each
         engine that is broken on purpose
pairs    every kind of fault, and any other while it is outstanding (docs/closure.md); hours: only when asked for
lawful   20,000 hands of a second reading of the law, then 3,000 with the page's irregularities; glance: fewer
sentences  the tests beside each sentence of docs/law.md run the code beside it
events   1,000 lawful hands of 2 to 10 seats, then every kind of fault at least 30 times
wires    50 lawful hands over the daemon's own codecs and polls, then 50 with every kind of fault
tray     the same dealt from the dealer's hand, with a machine of level 0 that only shuffles
reference  the same with the shuffler in C at the far side of its wire (`make reference` builds it)
journal  every crash state of an evening, a disk that fails at any call, every flipped bit, a card that forgets
spark    the same of its first hand, in seconds; only when asked for
edits    10,000 random edits of an exported log
frames   a million frames at the control sockets
secrecy  nothing that leaves a station says anything of a card (bench/secrecy); discreet: a few hands of each
killed   the real daemon over ptys killed 200 times in mid-play, and started again (bench/killed)
anywhere the same in virtual time, at every event of 200 hands: some 50,000 deaths
struck   eight of the one and some of the other; only when asked for
protocol  the shuffler's wire, modelled from its page alone, and what breaks without each rule (bench/protocol)
shuffled  a machine that does not shuffle is told by its log, a fair one is not; how often each test errs; cut: fewer
bite     a part of it and all that must break, in seconds; only when asked for

A kind that found its moment too seldom among the others is then played alone: no proof hangs on a lucky seed.
"""

import asyncio
import json
import sys
import time
from collections.abc import Callable
from typing import Any

import msgspec

from bench import five_keys
from bench.closure.__main__ import closed
from bench.closure.broken import all_caught
from bench.closure.families import families, pairs
from bench.crash.fire import fire
from bench.edits import edits
from bench.frames import fuzz
from bench.killed.every import SLIPS, Asked, every_event
from bench.killed.every import said as said_of_events
from bench.killed.real import killed
from bench.killed.real import said as of_processes
from bench.lawful.proof import prove, said
from bench.lawful.variations import chosen
from bench.protocol.__main__ import proved
from bench.secrecy.__main__ import unrevealed
from bench.sentences import sentences, unshown
from bench.shuffled import audited
from dealerbox.simulate.run import Summary, simulate

LEAST = 30
"""How often each kind of fault must be done."""
ASKED_MS = 1_000
"""From the devices' answering to a table that agrees and asks for a look: in virtual time always, nine times in ten
over ptys, where a machine with other work is late too."""
ALONE = 6
"""Hands in which a kind that is played alone finds its moment once at least."""


def _said(summary: Summary, sound: bool) -> bool:
    print(msgspec.json.encode(summary).decode(), flush=True)
    return sound


def _lawful(hands: int, level: str, shuffler: str = "twin") -> bool:
    summary = simulate(hands, "2-10", 1, level=level, shuffler=shuffler)
    return _said(summary, summary.hands >= hands and _spotless(summary))


def _faulty(hands: int, level: str, least: int, shuffler: str = "twin") -> bool:
    summary = simulate(hands, "2-10", 2, ["all"], level=level, shuffler=shuffler)
    rare = [kind for kind, fault in summary.faults.items() if fault.injected < least]
    sound = _said(summary, _spotless(summary) and _told(summary))
    return all([sound, *(_alone(kind, level, least, shuffler) for kind in rare)])


def _by_hand(hands: int) -> bool:
    way: dict[str, Any] = {"level": "wires", "shuffler": "reshuffled", "dispense": "hand"}
    lawful = simulate(hands, "2-10", 1, **way)
    faulty = simulate(hands, "2-10", 2, ["all"], **way)
    return _said(lawful, _spotless(lawful)) & _said(faulty, _spotless(faulty) and _told(faulty))


def _alone(kind: str, level: str, least: int, shuffler: str) -> bool:
    summary = simulate(ALONE * least, "2-10", 2, [kind], level=level, shuffler=shuffler)
    return _said(summary, _spotless(summary) and _told(summary) and summary.faults[kind].injected >= least)


def _spotless(summary: Summary) -> bool:
    return (summary.unlawful_releases, summary.missed, summary.false_holds) == (0, 0, 0)


def _told(summary: Summary) -> bool:
    return all(fault.held == fault.injected for fault in summary.faults.values())


def _journal(*, short: bool) -> bool:
    sound = True
    for part in fire(short=short):
        print(json.dumps(part), flush=True)
        sound = sound and not part["wrong"]
    return sound


def _shown() -> bool:
    wrong = unshown()
    print(json.dumps({"sentences": len(sentences()), "wrong": wrong}), flush=True)
    return not wrong


def _frames(number: int) -> bool:
    found = fuzz(number, seed=3)
    print(msgspec.json.encode(found).decode(), flush=True)
    return found.sound


def _secret(*, short: bool) -> bool:
    sound = True
    for part in unrevealed(short=short):
        print(msgspec.json.encode(part).decode(), flush=True)
        sound = sound and not part["found"]
    return sound


def _audited(*, short: bool) -> bool:
    sound = True
    for part in audited(short=short):
        print(json.dumps(part), flush=True)
        sound = sound and not part["wrong"]
    return sound


def _edits(number: int) -> bool:
    found = edits(number, seed=4)
    print(msgspec.json.encode(found).decode(), flush=True)
    return found.edits == found.found >= number * 0.95


def _read_twice(lawful: int, faulty: int) -> bool:
    found = False
    for hands, faults in ((lawful, False), (faulty, True)):
        begun = time.perf_counter()
        report = prove(hands, "1", chosen(faults=faults))
        print(said(report, time.perf_counter() - begun), flush=True)
        found = found or bool(report.found)
    return not found


def _killed(deaths: int) -> bool:
    begun = time.perf_counter()
    found = asyncio.run(killed(deaths, 1))
    print(json.dumps(of_processes(found, time.perf_counter() - begun)), flush=True)
    asked_ms = sorted(found.asked_ms) or [0]
    return not found.told.wrong and asked_ms[len(asked_ms) * 9 // 10] <= ASKED_MS


def _anywhere(asked: Asked) -> bool:
    begun = time.perf_counter()
    found = every_event(asked)
    print(json.dumps(said_of_events(found, time.perf_counter() - begun)), flush=True)
    return not found.wrong and max(found.asked_ms, default=0) <= ASKED_MS


PROOFS: dict[str, Callable[[], bool]] = {
    "secrecy": lambda: _secret(short=False),
    "discreet": lambda: _secret(short=True),
    "closure": lambda: closed(families(), whole=True) & all_caught(),
    "pairs": lambda: closed(pairs(), whole=False),
    "lawful": lambda: _read_twice(20_000, 3_000),
    "glance": lambda: _read_twice(1_000, 500),
    "sentences": _shown,
    "keys": lambda: five_keys.main(["2000"]) == 0,
    "events": lambda: _lawful(1000, "events") & _faulty(1000, "events", LEAST),
    "wires": lambda: _lawful(50, "wires") & _faulty(50, "wires", 1),
    "reference": lambda: _lawful(50, "wires", "reference") & _faulty(50, "wires", 1, "reference"),
    "tray": lambda: _by_hand(50),
    "journal": lambda: _journal(short=False),
    "protocol": proved,
    "shuffled": lambda: _audited(short=False),
    "cut": lambda: _audited(short=True),
    "bite": lambda: proved(short=True),
    "edits": lambda: _edits(10_000),
    "frames": lambda: _frames(1_000_000),
    "spark": lambda: _journal(short=True),
    "killed": lambda: _killed(200),
    "anywhere": lambda: _anywhere(Asked(hands=200, faults=SLIPS, jobs=2)),
    "struck": lambda: _killed(8) & _anywhere(Asked(hands=2, seats="3", every=12)),
}
LONGEST = "pairs"
"""Takes hours: given only when it is asked for."""
SHORT = frozenset({"bite", "glance", "spark", "struck", "discreet", "cut"})
"""Forms of others, for when there is little time."""


def main(names: list[str]) -> int:
    """Give the proofs asked for, all when none is."""
    unknown = [name for name in names if name not in PROOFS]
    if unknown:
        print(f"prove: no proof {', '.join(unknown)}; there are: {', '.join(PROOFS)}", file=sys.stderr)
        return 2
    asked = names or [name for name in PROOFS if name not in SHORT and name != LONGEST]
    results = [PROOFS[name]() for name in asked]  # each is given, whatever the one before says
    return 0 if all(results) else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
