"""Killed at every event, in virtual time: the whole world forks at each, and one of the two daemons dies there.

A death falls right after an event was answered: its holds are out, its permits are not, and its record was lost
(`lost`), or it was written and nobody was told (`kept`; only where the event has a permit, for else it is the death
after the next event). `twice`: the daemon dies once more while it comes back.
"""

import asyncio
import json
import os
from collections import Counter
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from bench.killed.after import After
from dealerbox.model.commands import Command, Permit
from dealerbox.model.events import Event
from dealerbox.simulate.evening import EVENING_NS, LOOK_S, SCAN_MS, Evening, Standstill, table_setup
from dealerbox.simulate.mischief import Mischief
from dealerbox.simulate.run import ENGINE
from dealerbox.simulate.table import Engine
from dealerbox.simulate.wire_twins import Twins
from dealerbox.simulate.wires import WireTable
from dealerbox.station.virtual import virtual_run
from dealerbox_drivers.rfid.feig.twin import Timings

HANDS_AN_EVENING: Final = 5
"""A start replays its journal: a short one keeps each of many thousands cheap."""
TWICE: Final = 0.25
"""How often a death is followed by another."""
LIMIT_S: Final = 40_000.0
INVENTORY_MS: Final = 60.0
"""A look of one antenna with all its slots, as slow readers take it: a world costs what goes over these wires."""


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
    log: str = ""
    """A file that takes what the last death's world heard from it on, as JSON Lines."""
    jobs: int = 1
    """How many worlds after a death live at once."""


class Found(msgspec.Struct):
    """What all deaths came to."""

    deaths: int = 0
    events: int = 0
    by_kind: Counter[str] = Counter()
    by_way: Counter[str] = Counter()
    asked_ms: list[int] = []
    """From the devices' answering to everything that agrees and is asked for, in virtual time."""
    wrong: list[str] = []


class _Fork:
    """Watches one evening and lets the daemon die at every event, each time in a world of its own."""

    def __init__(self, asked: Asked, evening: Evening, table: WireTable, found: Found) -> None:
        self._asked, self._evening, self._table, self._found = asked, evening, table, found
        self._commands: tuple[Command, ...] = ()
        self._living: list[tuple[int, int, str]] = []
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
            twice = Random(f"{self._evening.name}:{self._found.events}").random() < TWICE
            self._found.by_way[way] += 1
            self._found.by_way["twice"] += twice
            what = f"evening {self._evening.name}, event {self._found.events} ({name}), {way}"
            if self._dies(what + (", twice" if twice else "")):
                self._table.answered.remove(self.answered)
                seed = self._found.events if twice else 0
                After(self._evening, self._table, self._commands, seed, self._tell).begin(0 if way == "lost" else 1)
                return

    def _dies(self, what: str) -> bool:
        """Fork; return whether this is the world in which the daemon dies."""
        while len(self._living) >= self._asked.jobs:
            self.bury()
        loop = asyncio.get_running_loop()
        out, told = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(out)
            self._told, self.dead = told, True
            asyncio._set_running_loop(loop)  # a loop is taken from a process that forks: here it goes on
            return True
        os.close(told)
        self._living.append((pid, out, what))
        return False

    def _tell(self, outcome: dict[str, Any]) -> None:
        """In the world after a death: say how it went, and end that world."""
        with os.fdopen(self._told, "wb") as out:
            out.write(json.dumps(outcome).encode())
        os._exit(0)

    def bury(self) -> None:
        """Wait for the oldest world after a death and take what it says."""
        pid, out, what = self._living.pop(0)
        with os.fdopen(out, "rb") as said:
            answer = said.read()
        os.waitpid(pid, 0)
        outcome = json.loads(answer) if answer else {"wrong": ["it ended without a word"]}
        self._found.wrong += [f"{what}: {line}" for line in outcome["wrong"]]
        self._found.asked_ms += outcome.get("asked_ms", [])
        if self._asked.log:
            Path(self._asked.log).write_text("".join(f"{line}\n" for line in outcome.get("log", [])))

    def end(self) -> None:
        """Wait for all of them."""
        while self._living:
            self.bury()


def every_event(asked: Asked, engine: Engine = ENGINE) -> Found:
    """Play so many hands over the daemon's own wires, and kill it at every event of them."""
    found = Found()
    hands, night = 0, 0
    while hands < asked.hands:
        night += 1
        name = f"{asked.seed}:{night}"
        hands += virtual_run(
            _evening(asked, name, min(HANDS_AN_EVENING, asked.hands - hands), engine, found), limit_s=LIMIT_S
        )
    return found


def said(found: Found, wall_s: float) -> dict[str, object]:
    """Return it as one JSON object."""
    asked = sorted(found.asked_ms) or [0]
    return {
        "killed": "in virtual time, at every event",
        "deaths": found.deaths,
        "events": found.events,
        "ways": dict(found.by_way),
        "events_at_death": dict(found.by_kind.most_common()),
        "asked_ms_after_devices_answer": {
            "times": len(found.asked_ms),
            "p50": asked[len(asked) // 2],
            "max": asked[-1],
        },
        "wrong": found.wrong[:20],
        "wrong_in_all": len(found.wrong),
        "wall_s": round(wall_s, 1),
    }


async def _evening(asked: Asked, name: str, hands: int, engine: Engine, found: Found) -> int:
    least, _, most = asked.seats.partition("-")
    seats = int(least), int(most or least)
    twins = partial(Twins, reading=Timings(inventory=INVENTORY_MS))
    setup = table_setup(Random(f"{name}:setup"), seats, SCAN_MS["wires"])
    table = WireTable(setup, engine, name, twins=twins)
    evening = Evening(name, table, Mischief(asked.faults, Random(f"{name}:faults")), None, seats)
    fork = _Fork(asked, evening, table, found)
    table.open()
    table.start(evening.dealer.work())
    while fork.dead or not evening.over(hands):
        await asyncio.sleep(LIMIT_S if fork.dead else LOOK_S)
        if not fork.dead and (table.failed or table.now_ns > EVENING_NS):
            raise Standstill(table.failed or evening.standing())
    fork.end()
    table.answered.clear()
    await table.close()
    verdict = evening.checker.verdict
    lines = (*verdict.unlawful, *verdict.missed, *verdict.false)
    found.wrong += [f"evening {name}, nobody dead: {line}" for line in lines]
    return evening.dealer.hands
