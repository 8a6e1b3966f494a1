"""Evenings of play, judged: `simulate`."""

import time
from collections.abc import Iterable
from random import Random
from typing import Final, TextIO

import msgspec

from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.engine.view import view
from dealerbox.model.cards import DECK_SIZE, deck_of
from dealerbox.model.commands import Command
from dealerbox.model.events import Event
from dealerbox.model.setup import ButtonRule, House, Setup
from dealerbox.model.zones import ASIDE, BOARD, BURN, EXIT, INFEED, MUCK, seat
from dealerbox.ports import DealerboxError
from dealerbox.simulate.checker import Checker
from dealerbox.simulate.faults import KINDS, Mischief
from dealerbox.simulate.pack import deck_info
from dealerbox.simulate.people import Dealer
from dealerbox.simulate.table import Engine, EventTable

EVENING_NS: Final = 6_000_000_000_000
"""Longest evening: within two hours, so that no deck change is due."""
IDLE_NS: Final = 900_000_000_000
"""An evening in which no hand ends for so long stands still."""

ENGINE: Final = Engine(step, view, State, lambda state: state.memory)


class Standstill(DealerboxError):
    """A simulated table came to nothing: no hand ended for a quarter of an hour."""


class Counted(msgspec.Struct, frozen=True):
    """How often a kind of fault was done, and how often it was told."""

    injected: int
    held: int


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """The one line of JSON that ends a simulation."""

    level: str
    hands: int
    cards_released: int
    holds: int
    unlawful_releases: int
    missed: int
    false_holds: int
    faults: dict[str, Counted]
    seed: int
    virtual_s: float
    wall_s: float


class Findings(msgspec.Struct):
    """What lies behind a Summary, in words."""

    unlawful: list[str] = []
    missed: list[str] = []
    false: list[str] = []
    puzzled: list[str] = []
    unfaithful: list[str] = []
    """Restarts whose replay did not give the state that was left."""

    def add(self, evening: str, table: EventTable, dealer: Dealer, checker: Checker) -> None:
        """Take what one evening showed."""
        for mine, theirs in (
            (self.unlawful, checker.verdict.unlawful),
            (self.missed, checker.verdict.missed),
            (self.false, checker.verdict.false),
            (self.puzzled, dealer.puzzled),
            (self.unfaithful, [] if table.replayed else ["replay gave another state"]),
        ):
            mine += [f"evening {evening}, {line}" for line in theirs]


class Log:
    """Writes JSON Lines {"seq","event","commands"}; seq 1 begins a new table."""

    def __init__(self, out: TextIO) -> None:
        self._out, self._seq = out, 0

    def heard(self, event: Event, commands: tuple[Command, ...]) -> None:
        """Write one line."""
        self._seq += 1
        line = {"seq": self._seq, "event": event, "commands": commands}
        self._out.write(msgspec.json.encode(line).decode() + "\n")


def seats_range(text: str) -> tuple[int, int]:
    """Return least and most seats of "6" or "2-10"; ValueError says what is wrong."""
    least, _, most = text.partition("-")
    try:
        bounds = (int(least), int(most or least))
    except ValueError:
        raise ValueError(f"seats {text!r}: a number, or two like 2-10") from None
    if not 2 <= bounds[0] <= bounds[1] <= 10:
        raise ValueError(f"seats {text!r}: between 2 and 10")
    return bounds


def table_setup(rng: Random, seats: tuple[int, int]) -> Setup:
    """Return a table with so many people at it, anywhere, under either button rule."""
    occupied = tuple(sorted(rng.sample(range(1, 11), rng.randint(*seats))))
    return Setup(
        table="simulated",
        seats=occupied,
        house=House(button_rule=rng.choice(list(ButtonRule))),
        decks=(deck_info(1), deck_info(2)),
        readers=(INFEED, EXIT, BOARD, BURN, MUCK, ASIDE, *(seat(number) for number in range(1, 11))),
    )


def simulate(
    hands: int,
    seats: str = "2-10",
    seed: int = 1,
    faults: Iterable[str] = (),
    level: str = "events",
    log: TextIO | None = None,
    engine: Engine = ENGINE,
    findings: Findings | None = None,
) -> Summary:
    """Play `hands` hands and return what the checker says of them.

    `faults`: kinds of `faults.KINDS`, or "all". Same seed, same log. ValueError for what is
    unknown, Standstill where people and panel come to nothing.
    """
    kinds = tuple(KINDS) if "all" in faults else tuple(faults)
    unknown = sorted(set(kinds) - set(KINDS))
    if unknown:
        raise ValueError(f"unknown fault {', '.join(unknown)}; known: {', '.join(KINDS)}")
    if level != "events":
        raise ValueError(f"unknown level {level!r}; known: events")
    bounds = seats_range(seats)
    began = time.monotonic()
    mischief = Mischief(kinds, Random(f"{seed}:faults"))
    found = findings if findings is not None else Findings()
    played = released = holds = virtual_ns = evening = 0
    while played < hands:
        evening += 1
        name = f"{seed}:{evening}"
        table, dealer, checker = _evening(name, bounds, engine, mischief, log)
        most = min(hands - played, Random(f"{name}:length").randint(15, 60))
        try:
            _play(table, dealer, most, name)
        finally:
            found.add(name, table, dealer, checker)
        played += dealer.hands
        released += checker.verdict.cards_released
        holds += checker.verdict.holds
        virtual_ns += table.now_ns
    return Summary(
        level=level,
        hands=played,
        cards_released=released,
        holds=holds,
        unlawful_releases=len(found.unlawful),
        missed=len(found.missed),
        false_holds=len(found.false),
        faults={kind: Counted(mischief.injected[kind], mischief.held[kind]) for kind in kinds},
        seed=seed,
        virtual_s=round(virtual_ns / 1e9, 3),
        wall_s=round(time.monotonic() - began, 3),
    )


def _evening(
    name: str, seats: tuple[int, int], engine: Engine, mischief: Mischief, log: TextIO | None
) -> tuple[EventTable, Dealer, Checker]:
    """Set up one table: felt, devices, engine, people, judge."""
    setup = table_setup(Random(f"{name}:setup"), seats)
    table = EventTable(setup, engine, name)
    tags = table.names.truth
    checker = Checker(table.felt, tags, lambda: table.now_ns)
    decks = [
        [uid for uid, name in tags.items() if deck_of(name) == slot and name % 1000 <= DECK_SIZE] for slot in (1, 2)
    ]
    dealer = Dealer(table, decks, Random(f"{name}:people"), mischief)
    table.observers += [checker, mischief, *([Log(log)] if log else [])]
    table.felt.watch(checker.moved)
    table.shuffler.let_out.append(checker.let_out)
    table.open()
    table.start(dealer.work())
    return table, dealer, checker


def _play(table: EventTable, dealer: Dealer, hands: int, name: str) -> None:
    """Run an evening until so many hands were played, its time is over, or its decks are."""
    goal = 0

    def reached() -> bool:
        return dealer.hands >= goal or dealer.finished

    while dealer.hands < hands and not dealer.finished and table.now_ns < EVENING_NS:
        goal = dealer.hands + 1
        if not table.time.run(reached, table.now_ns + IDLE_NS):
            raise Standstill(_standing(table, dealer, name))


def _standing(table: EventTable, dealer: Dealer, name: str) -> str:
    shown = table.view()
    held = ", ".join(hold.reason for hold in shown.holds) or "nothing"
    return (
        f"evening {name} stands still after {dealer.hands} hands, at {table.now_ns / 1e9:.0f} s: "
        f"{shown.phase}, {shown.prompt_code}: {shown.prompt} Held: {held}. The dealer wonders: {dealer.puzzled[-3:]}"
    )
