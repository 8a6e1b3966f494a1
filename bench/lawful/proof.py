"""The driver: the real engine under the generator's hands, and what was found."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

import msgspec

from bench.lawful import byhand, exposures, faults, happenings, interval, mishaps, procedures, trouble
from bench.lawful.between import FIXED, Closed, Evening
from bench.lawful.counted import met
from bench.lawful.judge import Finding
from bench.lawful.machine import ALL_CAPS
from bench.lawful.variations import MODES
from bench.lawful.world import World
from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.engine.view import view
from dealerbox.model.commands import Command
from dealerbox.model.events import Event
from dealerbox.model.setup import ButtonRule, DeckInfo, Dispense, House, Replacement, Setup
from dealerbox.model.shuffler import Cap
from dealerbox.model.view import View
from dealerbox.model.zones import seat

HANDS_AN_EVENING = 12
ROOMS = (byhand, exposures, faults, happenings, interval, mishaps, procedures, trouble)
"""Where the variations stand: each enters its acts when it is loaded (`table.at`)."""


class Engine:
    """The station: the engine (or another with its shape), and its log."""

    def __init__(self, decide: Callable[[State, Event], tuple[State, tuple[Command, ...]]] = step) -> None:
        self.state, self.decide = State(), decide
        self.log: list[tuple[Event, tuple[Command, ...]]] = []

    def __call__(self, event: Event) -> tuple[Command, ...]:
        self.state, commands = self.decide(self.state, event)
        self.log.append((event, commands))
        return commands

    def look(self) -> View:
        """Return the panel."""
        return view(self.state)

    def lines(self) -> Iterator[str]:
        """Yield the log as `dealerbox replay` reads it."""
        for seq, (event, commands) in enumerate(self.log, 1):
            yield msgspec.json.encode({"seq": seq, "event": event, "commands": commands}).decode()


class Report:
    """What was played and found."""

    def __init__(self) -> None:
        self.hands = self.events = self.evenings = 0
        self.done: Counter[str] = Counter()
        self.met: Counter[str] = Counter()
        """Keys, rulings and reasons told."""
        self.found: Counter[str] = Counter()
        self.logs: dict[str, list[str]] = {}
        """The shortest event log of each kind of finding."""
        self.seeds: dict[str, str] = {}

    def add(self, finding: Finding, engine: Engine, seed: str) -> None:
        """Keep a finding and its log, where it is the shortest."""
        said = re.sub(r"\d+", "N", str(finding))
        self.found[said] += 1
        if said not in self.logs or len(engine.log) < len(self.logs[said]):
            self.logs[said] = list(engine.lines())
            self.seeds[said] = f"{seed}, {finding}"

    def line(self) -> dict[str, object]:
        """Return the report as one JSON object."""
        found = [
            {"finding": said, "times": times, "events": len(self.logs[said]), "seed": self.seeds[said]}
            for said, times in self.found.most_common()
        ]
        return {
            "hands": self.hands,
            "evenings": self.evenings,
            "events": self.events,
            "findings": found,
            "done": dict(sorted(self.done.items())),
        }

    def write(self, folder: Path) -> None:
        """Write the shortest log of each finding."""
        folder.mkdir(parents=True, exist_ok=True)
        for number, (said, lines) in enumerate(self.logs.items(), 1):
            kind = said.split(":")[0]
            (folder / f"{number:02}-{kind}.jsonl").write_text("\n".join(lines) + "\n")
            (folder / f"{number:02}-{kind}.txt").write_text(f"{said}\n{self.seeds[said]}\n")


def table_for(rng: Random, names: frozenset[str], eager: float) -> tuple[Setup, int]:
    """Return a table and its machine's capabilities."""
    most = 20 if "twenty" in names and rng.random() < 0.1 * eager else 10
    count = rng.randint(11, 20) if most == 20 else rng.randint(2, 10)
    seats = tuple(sorted(rng.sample(range(1, most + 1), count)))
    dead = "dead_button" in names and rng.random() < 0.5
    house = House(
        max_seats=most,
        dispense=rng.choice([Dispense(mode) for mode in MODES if mode in names]),
        button_rule=ButtonRule.DEAD if dead else ButtonRule.MOVING,
        correct_misplaced=not ("misplaced_strict" in names and rng.random() < 0.3),
        exposed_replacement=rng.choice(list(Replacement)) if "exposed" in names else Replacement.AFTER_DEAL,
        first_card_exposed_is_misdeal="exposed_misdeal" in names and rng.random() < 0.5,
        unseen_per_hand=rng.choice((0, 1, 2)) if "unseen" in names else 2,
    )
    caps = ALL_CAPS
    if "plain_machine" in names and rng.random() < 0.3:
        caps &= ~(Cap.PRESENT_AHEAD | Cap.COUNT_KEEPS_ORDER)
    decks = (
        DeckInfo(slot=1, name="first", back="red", jokers=2, cut_card=True),
        DeckInfo(slot=2, name="second", back="blue", jokers=2, cut_card=True),
    )
    readers = (*FIXED, *(seat(number) for number in range(1, most + 1)))
    return Setup(table="lawful", seats=seats, house=house, decks=decks, readers=readers), int(caps)


def evening(seed: str, hands: int, names: frozenset[str], report: Report, engine: Engine) -> None:
    """Play one evening of so many hands, or to its first finding."""
    rng = Random(seed)
    eager = 1.0 if len(names) > 12 else 5.0
    setup, caps = table_for(rng, names, eager)
    world = World(engine, engine.look, setup, rng, caps)
    people = Evening(world, rng, names, eager)
    people.gather_by_hand = byhand.gather_by_hand
    people.back_into_the_stub = partial(procedures.back_into_the_stub, people)
    try:
        people.open()
        while people.hands < hands:
            people.one_hand()
    except Closed:
        pass
    except Finding as finding:
        report.add(finding, engine, seed)
    report.hands += max(people.hands, 1)
    report.evenings += 1
    report.events += len(engine.log)
    report.done.update(people.acts_done)
    report.done.update(traits(setup, caps))
    report.met.update(met(engine.log))


def traits(setup: Setup, caps: int) -> list[str]:
    """Return the variations that a table is, rather than does."""
    house = setup.house
    found = [house.dispense.value]
    found += ["dead_button"] if house.button_rule is ButtonRule.DEAD else []
    found += ["twenty"] if house.max_seats > 10 else []
    return found + ([] if caps & Cap.PRESENT_AHEAD else ["plain_machine"])


def again(seed: str, names: frozenset[str], engine: Callable[[], Engine] = Engine) -> Report:
    """Play one evening once more, by the seed that a finding is told with."""
    report = Report()
    evening(seed, HANDS_AN_EVENING, names, report, engine())
    return report


def prove(hands: int, seed: str, names: frozenset[str], engine: Callable[[], Engine] = Engine) -> Report:
    """Play so many hands."""
    report = Report()
    number = 0
    while report.hands < hands:
        number += 1
        evening(f"{seed}/{number}", min(HANDS_AN_EVENING, hands - report.hands), names, report, engine())
    return report


def said(report: Report, wall_s: float) -> str:
    """Return the report's line."""
    return json.dumps({**report.line(), "wall_s": round(wall_s, 1)})
