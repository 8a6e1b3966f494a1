"""A night of seeds: many simulations side by side; whatever fails is told with the shortest story that shows it."""

import io
import json
import multiprocessing
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path
from typing import Any, Final

import msgspec

from dealerbox import __version__
from dealerbox.simulate.run import ENGINE, Counted, Findings, Standstill, Summary, simulate
from dealerbox.simulate.script import Story
from dealerbox.simulate.shrink import shortest, told_again
from dealerbox.simulate.table import Engine

ROOT: Final = Path(__file__).parents[2]
SHRINK_S: Final = 120.0
"""Time given to shortening one failure."""
FEW: Final = 3
"""Failures of one seed that are shortened: the first of each kind; more have the same cause, most likely."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What every seed plays."""

    hands: int
    seats: str = "2-10"
    faults: tuple[str, ...] = ()
    level: str = "events"
    shuffler: str = "twin"
    dispense: str = "single"
    shrink_s: float = SHRINK_S


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was found."""

    seed: int
    what: str
    commit: str
    acts: int = 0
    """Of the shortest story, of those of the whole evening."""
    of_acts: int = 0
    log: str = ""
    story: str = ""


class Outcome(msgspec.Struct, kw_only=True):
    """What one seed came to."""

    seed: int
    summary: Summary | None
    processor_s: float = 0.0
    failures: list[tuple[str, int, str, str]] = []
    """What, acts of the whole story, event log, story as JSON."""


class Night(msgspec.Struct, kw_only=True):
    """The one line of JSON that ends a night."""

    level: str
    seeds: tuple[int, int]
    done: int = 0
    hands: int = 0
    cards_released: int = 0
    holds: int = 0
    unlawful_releases: int = 0
    missed: int = 0
    false_holds: int = 0
    standstills: int = 0
    faults: dict[str, Counted] = {}
    table_hours: float = 0.0
    wall_s: float = 0.0
    processor_s: float = 0.0
    """Of all processes together: what it takes, however busy the machine is."""
    commit: str = ""
    failures: list[Failure] = []

    def take(self, summary: Summary | None) -> None:
        """Add what one seed came to."""
        self.done += 1
        if summary is None:
            self.standstills += 1
            return
        for name in ("hands", "cards_released", "holds", "unlawful_releases", "missed", "false_holds"):
            setattr(self, name, getattr(self, name) + getattr(summary, name))
        self.table_hours += summary.virtual_s / 3600
        for kind, counted in summary.faults.items():
            before = self.faults.get(kind, Counted(0, 0))
            self.faults[kind] = Counted(before.injected + counted.injected, before.held + counted.held)


def commit() -> str:
    """Return what was simulated: `git describe` of the source tree, or the version where there is none."""
    try:
        described = subprocess.run(
            ["git", "-C", str(ROOT), "describe", "--always", "--dirty"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return __version__
    return described.stdout.strip()


def one_seed(seed: int, asked: Asked, engine: Engine = ENGINE) -> Outcome:
    """Play one seed, and shorten what was found."""
    findings, stories, log = Findings(), list[Story](), io.StringIO()
    begun_s = time.process_time()
    try:
        summary: Summary | None = simulate(
            asked.hands, asked.seats, seed, asked.faults, asked.level, log, engine=engine, findings=findings,
            shuffler=asked.shuffler, dispense=asked.dispense, stories=stories,
        )  # fmt: skip
    except Standstill as error:
        summary = None
        standing = (f"standstill: {error}", len(stories[-1].acts), log.getvalue(), _json(stories[-1]))
        return Outcome(seed=seed, summary=None, failures=[standing, *_shortened(findings, stories, asked, engine)])
    used_s = time.process_time() - begun_s
    failures = list(_shortened(findings, stories, asked, engine))
    return Outcome(seed=seed, summary=summary, processor_s=used_s, failures=failures)


def _shortened(
    findings: Findings, stories: list[Story], asked: Asked, engine: Engine
) -> Iterator[tuple[str, int, str, str]]:
    found = [
        (kind, line)
        for kind, lines in (
            ("unlawful", findings.unlawful),
            ("missed", findings.missed),
            ("false", findings.false),
            ("unfaithful", findings.unfaithful),
            ("untold", findings.untold),
        )
        for line in lines
    ]
    told: set[tuple[str, str]] = set()
    for kind, line in found:
        evening, _, what = line.removeprefix("evening ").partition(", ")
        if (kind, evening) in told or len(told) == FEW:
            continue
        told.add((kind, evening))
        story = next(story for story in stories if story.name == evening)
        # Without its faults nothing of a story is untold: it is kept as it is.
        short = story if kind == "untold" else shortest(story, f"{kind}: {what}", engine, asked.shrink_s)
        log = io.StringIO()
        told_again(short, engine, log=log)
        yield f"{kind}: {line}", len(story.acts), log.getvalue(), _json(short)


def _json(story: Story) -> str:
    return msgspec.json.encode(story).decode() + "\n"


def night(
    seeds: tuple[int, int],
    asked: Asked,
    folder: Path,
    *,
    jobs: int = 2,
    done: Callable[[Night], None] = lambda night: None,
    enough: Callable[[Night], bool] = lambda night: False,
) -> Night:
    """Play every seed from the first to the last in so many processes and return what they came to.

    The shortest log and story of each failure go into `folder`. `done` is told after each seed; no further seed is
    begun once there is `enough`. OSError when a file cannot be written.
    """
    began_s = time.monotonic()
    whole = Night(level=asked.level, seeds=seeds, commit=commit())
    coming = iter(range(seeds[0], seeds[1] + 1))
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as processes:
        running: set[Future[Outcome]] = set()
        while True:
            while len(running) < jobs and not enough(whole) and (seed := next(coming, None)) is not None:
                running.add(processes.submit(one_seed, seed, asked))
            if not running:
                break
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                _take(whole, future.result(), folder)
                whole.wall_s = round(time.monotonic() - began_s, 1)
                done(whole)
    whole.table_hours = round(whole.table_hours, 2)
    return whole


def _take(whole: Night, outcome: Outcome, folder: Path) -> None:
    whole.take(outcome.summary)
    whole.processor_s = round(whole.processor_s + outcome.processor_s, 1)
    for number, (what, acts, log, story) in enumerate(outcome.failures, 1):
        folder.mkdir(parents=True, exist_ok=True)
        log_file, story_file = (folder / f"seed-{outcome.seed}-{number}.{kind}" for kind in ("jsonl", "story.json"))
        log_file.write_text(log)
        story_file.write_text(story)
        whole.failures.append(
            Failure(
                seed=outcome.seed,
                what=what,
                commit=whole.commit,
                acts=len(json.loads(story)["acts"]),
                of_acts=acts,
                log=str(log_file),
                story=str(story_file),
            )
        )


def read_story(file: Path) -> Story:
    """Return the story that a night has written. OSError, msgspec.MsgspecError."""
    return msgspec.json.decode(file.read_bytes(), type=Story)


def said(whole: Night) -> dict[str, Any]:
    """Return a night as one JSON object."""
    built: dict[str, Any] = msgspec.to_builtins(whole)
    return built
