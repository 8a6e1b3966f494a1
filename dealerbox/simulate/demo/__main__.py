"""`python -m dealerbox.simulate.demo`."""

import asyncio
import os
import sys
from pathlib import Path

import click
from rich.console import Console

from dealerbox.ports import ConfigError, DealerboxError, JournalError
from dealerbox.simulate.demo.picture import Scene
from dealerbox.simulate.demo.run import Asked, demo
from dealerbox.simulate.demo.show import Snapshot, show_for
from dealerbox.simulate.demo.summary import told
from dealerbox.simulate.faults import KINDS

WRONG, UNAVAILABLE, JOURNAL, CONFIG, INTERRUPTED = 1, 69, 74, 78, 130
"""Exit codes as docs/codes.md has them."""


@click.command(epilog="Example: python -m dealerbox.simulate.demo --hands 3")
@click.option("--hands", type=click.IntRange(0), default=0, help="End by itself after so many hands. Default: never.")
@click.option(
    "--seed",
    type=int,
    default=1,
    show_default=True,
    help="Chance of people, machine and faults. It runs in real time: the same seed gives another evening.",
)
@click.option(
    "--speed",
    type=click.FloatRange(0.5, 20),
    default=9.0,
    show_default=True,
    help="How many times faster than in life people act and the machine shuffles.",
)
@click.option("--fault", metavar="NAME[,NAME]", help="Let every hand go wrong, with these in turn: wrong_seat, ...")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Keep a picture of the first hold.")
def main(hands: int, seed: int, speed: float, fault: str | None, svg: Path | None) -> None:
    """Watch the real daemon at a simulated table: real config, journal, socket and serial lines; people are simulated.

    One hand in five goes wrong, the second always. Ends after --hands, or with Ctrl-C, with a summary.
    """
    faults = tuple(name for name in (fault or "").split(",") if name)
    unknown = sorted(set(faults) - set(KINDS)) or (["''"] if fault is not None and not faults else [])
    if unknown:
        raise click.UsageError(f"unknown fault {', '.join(unknown)}; known: {', '.join(KINDS)}")
    try:
        code = _played(Asked(hands=hands, seed=seed, speed=speed, faults=faults), svg)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read it has read enough: as good as Ctrl-C
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = INTERRUPTED if hands else 0
    sys.exit(code)


def _played(asked: Asked, svg: Path | None) -> int:
    console = Console()
    scene = Scene()
    try:
        show = show_for(scene, console)
        with Snapshot(show, scene, svg) if svg else show as shown:
            ended = asyncio.run(demo(asked, scene, shown))
    except BrokenPipeError:
        raise
    except (DealerboxError, OSError) as error:
        click.echo(f"the demo ended: {error}", err=True)
        return _code(error)
    for line in told(ended.summary):
        click.echo(line)
    for line in ended.puzzled:
        click.echo(f"the dealer was puzzled: {line}")
    if not ended.summary.right:
        return WRONG
    return INTERRUPTED if ended.interrupted and asked.hands else 0


def _code(error: Exception) -> int:
    match error:
        case ConfigError():
            return CONFIG
        case JournalError() | OSError():
            return JOURNAL
        case _:
            return UNAVAILABLE


if __name__ == "__main__":
    main(prog_name="python -m dealerbox.simulate.demo")
