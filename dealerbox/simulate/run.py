"""Evenings of play, judged: `simulate`."""

import time
from collections import Counter
from collections.abc import Iterable
from functools import partial
from operator import attrgetter
from random import Random
from typing import Final, NamedTuple, TextIO

import msgspec

from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.engine.view import view
from dealerbox.model.setup import Dispense
from dealerbox.simulate.evening import LIMIT_S, SCAN_MS, Evening, Standstill, play_events, play_wires, table_setup
from dealerbox.simulate.faults_by_hand import kinds_of
from dealerbox.simulate.mischief import Mischief
from dealerbox.simulate.script import Story
from dealerbox.simulate.table import Engine, EventTable
from dealerbox.simulate.wire_twins import BY_HAND_ALONE, SHUFFLERS
from dealerbox.simulate.wires import WireTable
from dealerbox.station.virtual import virtual_run
from dealerbox_drivers.shuffler.twin_process import ReferenceGone

__all__ = ["ENGINE", "Counted", "Findings", "ReferenceGone", "Standstill", "Summary", "simulate"]

ENGINE: Final = Engine(step, view, State, attrgetter("memory"), attrgetter("deck"), attrgetter("hand"))


class Counted(msgspec.Struct, frozen=True):
    """How often a kind of fault was done, and how often it was told."""

    injected: int
    held: int


class Way(NamedTuple):
    """How the house plays, where evenings are asked for."""

    dispense: Dispense
    action_clock_s: int


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
    untold: list[str] = []
    """Faults of which nobody was told."""

    def add(self, evening: Evening, untold: list[str]) -> None:
        """Take what one evening showed."""
        verdict = evening.checker.verdict
        for mine, theirs in (
            (self.unlawful, verdict.unlawful),
            (self.missed, verdict.missed),
            (self.false, verdict.false),
            (self.puzzled, evening.dealer.puzzled),
            (self.untold, untold),
            (self.unfaithful, [] if evening.table.replayed else ["replay gave another state"]),
        ):
            mine += [f"evening {evening.name}, {line}" for line in theirs]


def seats_range(text: str) -> tuple[int, int]:
    """Return least and most seats of "6" or "2-10"; ValueError says what is wrong."""
    least, _, most = text.partition("-")
    try:
        bounds = (int(least), int(most or least))
    except ValueError:
        raise ValueError(f"seats {text!r}: a number, or two like 2-10") from None
    if bounds[0] > bounds[1]:
        raise ValueError(f"seats {text!r}: the least comes first, as in {bounds[1]}-{bounds[0]}")
    if not 2 <= bounds[0] <= bounds[1] <= 10:
        raise ValueError(f"seats {text!r}: between 2 and 10")
    return bounds


def checked(
    seats: str, faults: Iterable[str], level: str, shuffler: str, dispense: str
) -> tuple[tuple[int, int], tuple[str, ...], Dispense]:
    """Return least and most seats, kinds of fault and way of dispensing. ValueError for what is unknown."""
    way = Dispense(dispense)
    known = kinds_of(way)
    kinds = known if "all" in faults else tuple(faults)
    unknown = sorted(set(kinds) - set(known))
    if unknown:
        raise ValueError(f"unknown fault {', '.join(unknown)}; known: {', '.join(known)}")
    if level not in SCAN_MS:
        raise ValueError(f"unknown level {level!r}; known: {', '.join(SCAN_MS)}")
    if shuffler not in SHUFFLERS:
        raise ValueError(f"unknown shuffler {shuffler!r}; known: {', '.join(SHUFFLERS)}")
    if shuffler in BY_HAND_ALONE and way is not Dispense.HAND:
        raise ValueError(f"a shuffler {shuffler!r} deals no card: ask for dispense hand")
    if level == "events" and shuffler != "twin":
        raise ValueError(f"a shuffler {shuffler!r} speaks over a wire: ask for level wires")
    return seats_range(seats), kinds, way


def simulate(
    hands: int,
    seats: str = "2-10",
    seed: int = 1,
    faults: Iterable[str] = (),
    level: str = "events",
    log: TextIO | None = None,
    engine: Engine = ENGINE,
    findings: Findings | None = None,
    reasons: Counter[str] | None = None,
    shuffler: str = "twin",
    dispense: str = "single",
    action_clock_s: int = 0,
    stories: list[Story] | None = None,
) -> Summary:
    """Play `hands` hands and return what the checker says of them.

    `faults`: kinds of `faults.KINDS`, or "all" that can happen with cards dispensed so; `shuffler`: of
    `wire_twins.SHUFFLERS`, at `wires`; `dispense`: as the house says it (C4); `action_clock_s`: its limit on the
    time to act, 0 for none (1821).
    Same seed, same log. ValueError for what is unknown, Standstill where people and panel come
    to nothing.
    `reasons` takes how many holds there were of each reason; `stories` what people did in every evening.
    """
    bounds, kinds, dispensed = checked(seats, faults, level, shuffler, dispense)
    way = Way(dispensed, action_clock_s)
    began = time.monotonic()
    mischief = Mischief(kinds, Random(f"{seed}:faults"))
    found = findings if findings is not None else Findings()
    total = _Total()
    while total.hands < hands:
        total.nights += 1
        name = f"{seed}:{total.nights}"
        most = min(hands - total.hands, Random(f"{name}:length").randint(15, 60))
        play = partial(_events, way) if level == "events" else partial(_wires, shuffler, way)
        nights: list[Evening] = []
        try:
            play(name, bounds, most, engine, mischief, log, nights, stories is not None)
        finally:
            (night,) = nights
            found.add(night, mischief.over())
            if stories is not None:
                way_back = {"dispense": dispense, "shuffler": shuffler}
                stories.append(Story(name=name, level=level, seats=bounds, acts=tuple(night.acts), **way_back))
            if reasons is not None:
                reasons.update(night.checker.verdict.reasons)
            night.end()
            total.add(night)
    return Summary(
        level=level,
        hands=total.hands,
        cards_released=total.cards,
        holds=total.holds,
        unlawful_releases=len(found.unlawful),
        missed=len(found.missed),
        false_holds=len(found.false),
        faults={kind: Counted(mischief.injected[kind], mischief.held[kind]) for kind in kinds},
        seed=seed,
        virtual_s=round(total.ended_ns / 1e9, 3),
        wall_s=round(time.monotonic() - began, 3),
    )


class _Total(msgspec.Struct):
    """What the evenings came to; none of them is kept."""

    nights: int = 0
    hands: int = 0
    cards: int = 0
    holds: int = 0
    ended_ns: int = 0

    def add(self, night: Evening) -> None:
        verdict = night.checker.verdict
        self.hands += night.dealer.hands
        self.cards += verdict.cards_released
        self.holds += verdict.holds
        self.ended_ns += night.ended_ns


def _events(
    way: Way,
    name: str,
    seats: tuple[int, int],
    hands: int,
    engine: Engine,
    mischief: Mischief,
    log: TextIO | None,
    nights: list[Evening],
    recorded: bool,
) -> None:
    table = EventTable(table_setup(Random(f"{name}:setup"), seats, SCAN_MS["events"], *way), engine, name)
    nights.append(Evening(name, table, mischief, log, seats, recorded=recorded))
    play_events(nights[-1], table, hands)


def _wires(
    shuffler: str,
    way: Way,
    name: str,
    seats: tuple[int, int],
    hands: int,
    engine: Engine,
    mischief: Mischief,
    log: TextIO | None,
    nights: list[Evening],
    recorded: bool,
) -> None:
    async def night() -> None:
        table = WireTable(
            table_setup(Random(f"{name}:setup"), seats, SCAN_MS["wires"], *way), engine, name, shuffler=shuffler
        )
        nights.append(Evening(name, table, mischief, log, seats, recorded=recorded))
        await play_wires(nights[-1], table, hands)

    virtual_run(night(), limit_s=LIMIT_S)
