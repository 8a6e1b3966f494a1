"""`dealerbox simulate`."""

import contextlib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from dealerbox.cli.exits import Exit

if TYPE_CHECKING:
    from dealerbox.simulate.run import Findings, Summary


@click.command(
    short_help="Play judged hands at a simulated table.",
    epilog="Example: dealerbox simulate --hands 50 --seats 6 --seed 7 --fault wrong_seat,burn_missing",
)
@click.option("--hands", type=click.IntRange(1), default=10, show_default=True, help="Hands to play.")
@click.option("--seats", default="2-10", show_default=True, metavar="N|N-N", help="Players, or least and most.")
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
    type=click.Choice(["twin", "reference"]),
    default="twin",
    show_default=True,
    help="At wires. reference: the device in C, which `make reference` builds.",
)
@click.option(
    "--dispense",
    type=click.Choice(["single", "group", "hand"]),
    default="single",
    show_default=True,
    help="How the house has cards leave the shuffler (1809).",
)
@click.option("--log", type=click.Path(), metavar="FILE", help="Write the event log as JSON Lines, for `replay`.")
@click.option("--json", "bare", is_flag=True, help="Print the line of JSON alone.")
def simulate(
    hands: int,
    seats: str,
    seed: int,
    fault: str | None,
    level: str,
    shuffler: str,
    dispense: str,
    log: str | None,
    bare: bool,
) -> int:
    """Play hands at a simulated table, in virtual time, judged by a checker that shares no code with the engine.

    Ends with one line of JSON. Exit 0: nothing unlawful, missed or false. 1: something was, or the table came to
    a standstill.
    """
    from dealerbox.simulate.run import Findings, ReferenceGone, Standstill
    from dealerbox.simulate.run import simulate as played

    faults = [name for name in (fault or "").split(",") if name]
    if fault is not None and not faults:
        raise click.UsageError("--fault names nothing: leave it out, or name a kind, or all")
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
