"""Shorter and shorter stories that still show the same finding: delta debugging over what people and faults did."""

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Final, TextIO

from msgspec.structs import replace

from dealerbox.model.setup import Dispense, Setup
from dealerbox.simulate.evening import LIMIT_S, LOOK_S, SCAN_MS, Evening, table_setup
from dealerbox.simulate.mischief import Mischief
from dealerbox.simulate.script import Act, Story, done_again
from dealerbox.simulate.table import Engine, EventTable
from dealerbox.simulate.wires import WireTable
from dealerbox.station.virtual import virtual_run

AFTER_NS: Final = 10_000_000_000
"""A finding comes at most so long after the last act."""
UNTOLD: Final = ("unlawful", "missed", "false")


def found_in(evening: Evening) -> list[str]:
    """Return what the judge says of an evening, and whether its restarts came back to another state."""
    verdict = evening.checker.verdict
    lines = [f"{kind}: {line}" for kind in UNTOLD for line in getattr(verdict, kind)]
    return lines if evening.table.replayed else [*lines, "unfaithful: replay gave another state"]


def alike(line: str) -> str:
    """Return a finding without its times, tags and numbers: two that are alike have one cause, most likely."""
    return re.sub(r"[0-9A-F]{6,}|\d+(\.\d+)?", "N", line)


def told_again(story: Story, engine: Engine, until: str = "", log: TextIO | None = None) -> list[str]:
    """Do the story again and return what is found; `until`: stop at the first finding that is alike."""
    way, seats = Dispense(story.dispense), story.seats
    setup = table_setup(Random(f"{story.name}:setup"), seats, SCAN_MS[story.level], way)
    end_ns = (story.acts[-1].at_ns if story.acts else 0) + AFTER_NS
    seen = 0

    def shown(evening: Evening) -> bool:
        nonlocal seen
        verdict = evening.checker.verdict
        number = len(verdict.unlawful) + len(verdict.missed) + len(verdict.false)
        if number == seen:
            return False
        seen = number
        return bool(until) and any(alike(line) == until for line in found_in(evening))

    def evening_at(table: EventTable | WireTable) -> Evening:
        return Evening(story.name, table, Mischief((), Random(0)), log, seats)

    if story.level == "events":
        table = EventTable(setup, engine, story.name)
        evening = evening_at(table)
        table.open()
        table.start(done_again(story.acts, table))
        table.time.run(lambda: shown(evening), end_ns)
    else:
        evening = virtual_run(_over_wires(story, setup, engine, evening_at, shown, end_ns), limit_s=LIMIT_S)
    evening.end()
    return found_in(evening)


async def _over_wires(
    story: Story,
    setup: Setup,
    engine: Engine,
    evening_at: Callable[[WireTable], Evening],
    shown: Callable[[Evening], bool],
    end_ns: int,
) -> Evening:
    table = WireTable(setup, engine, story.name, shuffler=story.shuffler)
    evening = evening_at(table)
    table.open()
    table.start(done_again(story.acts, table))
    while not shown(evening):
        await asyncio.sleep(LOOK_S)
        if table.failed or table.now_ns >= end_ns:
            break
    await table.close()
    return evening


def shortest(story: Story, finding: str, engine: Engine, budget_s: float) -> Story:
    """Return the shortest story found in so many seconds that shows a finding alike `finding`.

    The story as it is, where doing it again does not show it: then chance within the table had a part that the acts
    do not have.
    """
    wanted = alike(finding)
    give_up_s = time.monotonic() + budget_s

    def shows(acts: Sequence[Act]) -> bool:
        return any(alike(line) == wanted for line in told_again(replace(story, acts=tuple(acts)), engine, wanted))

    acts: Sequence[Act] = [act for act in story.acts if act.at_ns <= _when(finding)]
    if not shows(acts):
        acts = story.acts
        if not shows(acts):
            return story
    return replace(story, acts=tuple(_without(acts, shows, lambda: time.monotonic() > give_up_s)))


def _when(finding: str) -> int:
    """Return the time that a finding names; one without a time: as late as can be."""
    found = re.search(r"(\d+\.\d+) s:", finding)
    return round(float(found[1]) * 1e9) if found else 1 << 62


def _without(acts: Sequence[Act], shows: Callable[[Sequence[Act]], bool], over: Callable[[], bool]) -> Sequence[Act]:
    """Take away ever smaller pieces as long as the rest shows it (after ddmin, Zeller and Hildebrandt 2002)."""
    size = len(acts) // 2
    while size and not over():
        before = len(acts)
        for start in range(len(acts) - size, -size, -size):  # the latest first: the opening is needed most
            rest = [*acts[: max(0, start)], *acts[start + size :]]
            if not over() and shows(rest):
                acts = rest
        if size > 1 or len(acts) == before:
            size //= 2
    return acts
