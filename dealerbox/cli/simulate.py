"""`dealerbox simulate`."""

import contextlib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from dealerbox.cli.exits import Exit

if TYPE_CHECKING:
    from dealerbox.simulate.night import Asked
    from dealerbox.simulate.run import Findings, Summary


@click.command(
    short_help="Play judged hands at a simulated table.",
    epilog="Example: dealerbox simulate --hands 50 --seats 6 --seed 7 --fault wrong_seat,burn_missing",
)
@click.option("--hands", type=click.IntRange(1), default=10, show_default=True, help="Hands to play.")
@click.option("--seats", default="2-10", show_default=True, metavar="N|N-N", help="Players, or least and most.")
@click.option("--seeds", metavar="A-B", help="Play each of these seeds, in two processes.")
@click.option(
    "--story",
    type=click.Path(readable=False, exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Do again what people did in a story that --seeds has written.",
)
@click.option(
    "--failures",
    type=click.Path(readable=False, file_okay=False, path_type=Path),
    default=Path("failures"),
    show_default=True,
    metavar="FOLDER",
    help="Where --seeds writes the shortest log and story of each failure.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same night.")
@click.option("--fault", metavar="NAME[,NAME]|all", help="What goes wrong, now and then. Default: nothing.")
@click.option(
    "--level",
    type=click.Choice(["wires", "events"]),
    default="events",
    show_default=True,
    help="wires: drivers, codecs and polls of the daemon; events: felt to engine.",
)
@click.option(
    "--shuffler",
    type=click.Choice(["twin", "reference", "reshuffled"]),
    default="twin",
    show_default=True,
    help="At wires. reference: the device in C, which `make reference` builds; reshuffled: it shuffles alone.",
)
@click.option(
    "--dispense",
    type=click.Choice(["single", "group", "hand"]),
    default="single",
    show_default=True,
    help="How the house has cards leave the shuffler (1809).",
)
@click.option(
    "--action-clock",
    type=click.IntRange(0, 600),
    default=0,
    show_default=True,
    metavar="SECONDS",
    help="The house's limit on the time to act (1821). 0: none.",
)
@click.option(
    "--log", type=click.Path(readable=False), metavar="FILE", help="Write the event log as JSON Lines, for `replay`."
)
@click.option("--json", "bare", is_flag=True, help="Print the line of JSON alone.")
def simulate(
    hands: int,
    seats: str,
    seeds: str | None,
    story: Path | None,
    failures: Path,
    seed: int,
    fault: str | None,
    level: str,
    shuffler: str,
    dispense: str,
    action_clock: int,
    log: str | None,
    bare: bool,
) -> int:
    """Play hands at a simulated table, in virtual time, judged by a checker that shares no code with the engine.

    With --seeds a night of them: whatever is found is shortened to the fewest acts of people and faults that show it.
    Ends with one line of JSON. Exit 0: nothing unlawful, missed or false. 1: something was, or the table came to
    a standstill.
    """
    from dealerbox.simulate.run import Findings, ReferenceGone, Standstill
    from dealerbox.simulate.run import simulate as played

    faults = [name for name in (fault or "").split(",") if name]
    if fault is not None and not faults:
        raise click.UsageError("--fault names nothing: leave it out, or name a kind, or all")
    if story is not None:
        return _again(story, log)
    if seeds is not None:
        from dealerbox.simulate.night import Asked

        asked = Asked(hands=hands, seats=seats, faults=tuple(faults), level=level, shuffler=shuffler, dispense=dispense)
        return _night(_bounds(seeds), asked, failures)
    findings, reasons = Findings(), Counter[str]()
    with contextlib.ExitStack() as closing:
        out = closing.enter_context(Path(log).open("w", encoding="utf-8", newline="\n")) if log else None
        try:
            summary = played(
                hands,
                seats,
                seed,
                faults,
                level,
                out,
                findings=findings,
                reasons=reasons,
                shuffler=shuffler,
                dispense=dispense,
                action_clock_s=action_clock,
            )
        except ValueError as error:
            raise click.UsageError(str(error)) from error
        except (Standstill, ReferenceGone) as error:
            click.echo(str(error), err=True)
            return Exit.FOUND
    if not bare:
        _tell(summary, findings, reasons)
    click.echo(msgspec.json.encode(summary))
    wrong = summary.unlawful_releases or summary.missed or summary.false_holds
    return Exit.FOUND if wrong else Exit.DONE


def _bounds(seeds: str) -> tuple[int, int]:
    first, _, last = seeds.partition("-")
    if not first.isdecimal() or not (last or first).isdecimal() or int(first) > int(last or first):
        raise click.UsageError(f"--seeds {seeds}: a number, or two like 1-100, the least first")
    return int(first), int(last or first)


def _night(seeds: tuple[int, int], asked: "Asked", folder: Path) -> int:
    """Play many seeds, with a bar on standard error; end with one line of JSON."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from dealerbox.simulate.night import night, said
    from dealerbox.simulate.run import checked

    try:
        checked(asked.seats, asked.faults, asked.level, asked.shuffler, asked.dispense)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("seeds", total=seeds[1] - seeds[0] + 1)
        whole = night(seeds, asked, folder, done=lambda now: bar.update(task, completed=now.done))
    for failure in whole.failures:
        click.echo(f"seed {failure.seed}, {failure.commit}: {failure.what}", err=True)
        shortened = f"{failure.acts} of {failure.of_acts} acts show it"
        click.echo(f"  {shortened}: dealerbox simulate --story {failure.story}", err=True)
        click.echo(f"  what the engine decided: dealerbox replay {failure.log}", err=True)
    click.echo(msgspec.json.encode(said(whole)))
    return Exit.FOUND if whole.failures else Exit.DONE


def _again(file: Path, log: str | None) -> int:
    """Do a story again, and say what is found."""
    from dealerbox.simulate.night import read_story
    from dealerbox.simulate.run import ENGINE
    from dealerbox.simulate.shrink import told_again

    try:
        story = read_story(file)
    except msgspec.MsgspecError as error:
        raise click.UsageError(f"{file}: no story is in it: {error}") from error
    with contextlib.ExitStack() as closing:
        out = closing.enter_context(Path(log).open("w", encoding="utf-8", newline="\n")) if log else None
        found = told_again(story, ENGINE, log=out)
    for line in found:
        click.echo(line)
    click.echo(f"{len(story.acts)} acts done again, {len(found)} findings")
    return Exit.FOUND if found else Exit.DONE


def _tell(summary: "Summary", findings: "Findings", reasons: Counter[str]) -> None:
    """Say the same in words, what was wrong line by line."""
    said = ", ".join(f"{reason} {times}" for reason, times in sorted(reasons.items()))
    hands = "1 hand" if summary.hands == 1 else f"{summary.hands} hands"
    holds = "1 hold" if summary.holds == 1 else f"{summary.holds} holds"
    click.echo(f"{hands}, {summary.cards_released} cards let out, {holds}" + (f": {said}" if said else ""))
    for kind, counts in summary.faults.items():
        if counts.injected:
            click.echo(f"fault {kind}: {counts.injected} done, {counts.held} told by a hold, a refusal or a notice")
    undone = [kind for kind, counts in summary.faults.items() if not counts.injected]
    if undone:
        click.echo(f"not done in so few hands: {', '.join(undone)}")
    for what, lines in (("unlawful", findings.unlawful), ("missed", findings.missed), ("false", findings.false)):
        for line in lines:
            click.echo(f"{what}: {line}")
