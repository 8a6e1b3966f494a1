"""Killed at every event, in virtual time: the whole world forks at each, and one of the two daemons dies there.

A death falls right after an event was answered: its holds are out, its permits are not, and its record was lost
(`lost`), or it was written and nobody was told (`kept`; only where the event has a permit, for else it is the death
after the next event). `twice`: the daemon dies once more while it comes back.
"""

import asyncio
import gc
import json
import os
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from bench.killed.after import After
from dealerbox.engine.facts import in_hand
from dealerbox.model.commands import Command, Permit
from dealerbox.model.events import Event
from dealerbox.simulate.evening import EVENING_NS, LOOK_S, Evening, Standstill, table_setup
from dealerbox.simulate.mischief import Mischief
from dealerbox.simulate.run import ENGINE
from dealerbox.simulate.table import Engine
from dealerbox.simulate.wire_twins import SLOW, SLOW_SCAN_MS, Twins
from dealerbox.simulate.wires import WireTable
from dealerbox.station.virtual import virtual_run

HANDS_AN_EVENING: Final = 10
SLIPS: Final = ("wrong_seat", "burn_missing", "card_strayed", "misdeal")
"""What goes wrong at the table where deaths are to fall within holds, too."""
TWICE: Final = 0.125
"""How often a death is followed by another."""
WATCHED: Final = 0.25
"""How many worlds are watched until the next card is out, besides those in which something was permitted just before: a
world costs what it lives, and once all agrees it goes on as the one in which nobody died."""
GATHERS: Final = 0.05
"""How many without an open hand are watched until the next one may begin: half a minute of their time."""
LIMIT_S: Final = 40_000.0


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """Which deaths."""

    hands: int
    seats: str = "2-10"
    seed: int = 1
    every: int = 1
    """Only each so many-th event."""
    first: int = 0
    """The first of them."""
    faults: tuple[str, ...] = ()
    """What goes wrong in the hands of every second evening."""
    log: str = ""
    """A file that takes what the last death's world heard from it on, as JSON Lines."""
    evenings: tuple[int, int] = (1, 1_000_000)
    """Only these of the evenings that make up the hands: a part of a long run."""
    jobs: int = 1
    """How many evenings live at once, each in a process of its own, and of each one world after a death."""


class Found(msgspec.Struct):
    """What all deaths came to."""

    hands: int = 0
    deaths: int = 0
    events: int = 0
    by_kind: Counter[str] = Counter()
    by_way: Counter[str] = Counter()
    asked_ms: list[int] = []
    """From the devices' answering to everything that agrees and is asked for, in virtual time."""
    slowest: tuple[int, str] = (0, "")
    """The longest of them, and after which death."""
    wrong: list[str] = []

    def add(self, other: "Found") -> None:
        """Take what other deaths came to."""
        self.hands += other.hands
        self.deaths += other.deaths
        self.events += other.events
        self.by_kind += other.by_kind
        self.by_way += other.by_way
        self.asked_ms += other.asked_ms
        self.slowest = max(self.slowest, other.slowest)
        self.wrong += other.wrong


class _Fork:
    """Watches one evening and lets the daemon die at every event, each time in a world of its own."""

    def __init__(self, asked: Asked, evening: Evening, table: WireTable, found: Found) -> None:
        self._asked, self._evening, self._table, self._found = asked, evening, table, found
        self._commands: tuple[Command, ...] = ()
        self.dead = False
        """This is a world after a death: it ends by itself."""
        table.observers.append(self)
        table.answered.append(self.answered)

    def heard(self, event: Event, commands: tuple[Command, ...]) -> None:
        """Take what the engine decided."""
        self._commands = commands

    def answered(self, event: Event) -> None:
        """Let the daemon die after this event, in every way that differs."""
        self._found.events += 1
        if (self._found.events - self._asked.first) % self._asked.every:
            return
        ways = ["lost"]
        if any(isinstance(command, Permit) for command in self._commands):
            ways.append("kept")
        for way in ways:
            self._found.deaths += 1
            name = type(event).__name__
            self._found.by_kind[name] += 1
            chance = Random(f"{self._evening.name}:{self._found.events}")
            twice = chance.random() < TWICE
            deals = in_hand(self._table.core.state)
            watched = chance.random() < (WATCHED if deals else GATHERS) or (deals and len(ways) > 1)
            self._found.by_way[way] += 1
            self._found.by_way["twice"] += twice
            self._found.by_way["watched"] += watched
            what = f"evening {self._evening.name}, event {self._found.events} ({name}), {way}"
            if self._dies(what + (", twice" if twice else "")):
                self._table.answered.remove(self.answered)
                seed = self._found.events if twice else 0
                world = After(self._evening, self._table, self._commands, seed, self._tell, watched=watched)
                world.begin(0 if way == "lost" else 1)
                return

    def _dies(self, what: str) -> bool:
        """Fork; return whether this is the world in which the daemon dies; the other one waits until that has ended."""
        self._table.replay()
        loop = asyncio.get_running_loop()
        out, told = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(out)
            gc.disable()  # it lives for a moment: looking for rubbish would copy the whole world
            self._told, self.dead = told, True
            asyncio._set_running_loop(loop)  # a loop is taken from a process that forks: here it goes on
            return True
        os.close(told)
        with os.fdopen(out, "rb") as said:
            answer = said.read()
        os.waitpid(pid, 0)
        self._take(what, json.loads(answer) if answer else {"wrong": ["it ended without a word"]})
        return False

    def _tell(self, outcome: dict[str, Any]) -> None:
        """In the world after a death: say how it went, and end that world."""
        try:
            with os.fdopen(self._told, "wb") as out:
                out.write(json.dumps(outcome).encode())
        finally:
            os._exit(0)  # also where nobody listens any more, for the proof was stopped

    def _take(self, what: str, outcome: dict[str, Any]) -> None:
        self._found.wrong += [f"{what}: {line}" for line in outcome["wrong"]]
        for ms in outcome.get("asked_ms", []):
            self._found.asked_ms.append(ms)
            self._found.slowest = max(self._found.slowest, (ms, what))
        if self._asked.log:
            Path(self._asked.log).write_text("".join(f"{line}\n" for line in outcome.get("log", [])))


def every_event(asked: Asked, engine: Engine = ENGINE, done: Callable[[Found], None] = lambda found: None) -> Found:
    """Play so many hands over the daemon's own wires, and kill it at every event of them; `done`: told of each evening.

    An evening in which fewer hands were played than it should have is among what is wrong.
    """
    lengths = range(0, asked.hands, HANDS_AN_EVENING)
    evenings = [
        (asked, number, min(HANDS_AN_EVENING, asked.hands - before), engine)
        for number, before in enumerate(lengths, 1)
        if asked.evenings[0] <= number <= asked.evenings[1]
    ]
    whole = Found()
    if asked.jobs == 1:
        for each in evenings:
            whole.add(found := one_evening(*each))
            done(found)
        return whole
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as processes:
        for ended in as_completed([processes.submit(one_evening, *each) for each in evenings]):
            whole.add(ended.result())
            done(ended.result())
    return whole


def one_evening(asked: Asked, number: int, hands: int, engine: Engine) -> Found:
    """Play so many hands, and kill the daemon at every event of them."""
    found = Found(by_kind=Counter(), by_way=Counter(), asked_ms=[], wrong=[])
    name = f"{asked.seed}:{number}"
    faults = () if number % 2 else asked.faults
    found.hands = virtual_run(_evening(asked, name, faults, hands, engine, found), limit_s=LIMIT_S)
    if found.hands < hands:
        found.wrong.append(f"evening {name}: {found.hands} of {hands} hands were played")
    return found


def said(found: Found, wall_s: float) -> dict[str, object]:
    """Return it as one JSON object, with the processor's time of this process and all that have ended."""
    used = os.times()
    asked = sorted(found.asked_ms) or [0]
    return {
        "killed": "in virtual time, at every event",
        "hands": found.hands,
        "deaths": found.deaths,
        "events": found.events,
        "ways": dict(found.by_way),
        "events_at_death": dict(found.by_kind.most_common()),
        "asked_ms_after_devices_answer": {
            "times": len(found.asked_ms),
            "p50": asked[len(asked) // 2],
            "max": asked[-1],
            "beyond_a_second": sum(ms > 1000 for ms in asked),
            "slowest": found.slowest[1],
        },
        "wrong": found.wrong[:20],
        "wrong_in_all": len(found.wrong),
        "wall_s": round(wall_s, 1),
        "processor_s": round(used.user + used.system + used.children_user + used.children_system, 1),
    }


async def _evening(asked: Asked, name: str, faults: tuple[str, ...], hands: int, engine: Engine, found: Found) -> int:
    least, _, most = asked.seats.partition("-")
    seats = int(least), int(most or least)
    twins = partial(Twins, reading=SLOW)
    setup = table_setup(Random(f"{name}:setup"), seats, SLOW_SCAN_MS)
    table = WireTable(setup, engine, name, twins=twins)
    evening = Evening(name, table, Mischief(faults, Random(f"{name}:faults")), None, seats)
    fork = _Fork(asked, evening, table, found)
    table.open()
    table.start(evening.dealer.work())
    while fork.dead or not evening.over(hands):
        await asyncio.sleep(LIMIT_S if fork.dead else LOOK_S)
        if not fork.dead and (table.failed or table.now_ns > EVENING_NS):
            raise Standstill(table.failed or evening.standing())
    table.answered.clear()
    await table.close()
    verdict = evening.checker.verdict
    lines = (*verdict.unlawful, *verdict.missed, *verdict.false)
    found.wrong += [f"evening {name}, nobody dead: {line}" for line in lines]
    return evening.dealer.hands
