"""`dealerbox diag conformance`: does a shuffler keep the wire's page?"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

import click
import msgspec

from dealerbox.cli.exits import Exit
from dealerbox.cli.technician import file_option

if TYPE_CHECKING:
    from dealerbox_drivers.shuffler.conformance.bench import Finding

BAUD: Final = 115_200
"""PROTOCOL.md section 1."""


@click.command(
    short_help="Does a shuffler keep the wire's page?",
    epilog="Example: dealerbox diag conformance /dev/ttyUSB0 --level motion --cards 52",
)
@click.argument("port")
@click.option(
    "--level",
    type=click.Choice(["read-only", "motion"]),
    default="read-only",
    show_default=True,
    help="read-only: nothing moves. motion: cards move; stand by.",
)
@click.option("--cards", type=click.IntRange(2, 254), help="At motion: how many cards are in the machine.")
@click.option("--power", is_flag=True, help="At motion: have the power cut by hand. Not where the port goes with it.")
@file_option
@click.option("--json", "bare", is_flag=True, help="A line of JSON for each question.")
def conformance(port: str, level: str, cards: int | None, power: bool, file: str, bare: bool) -> int:
    """Put the questions of shuffler wire 1 to whatever answers at PORT, and print what a maker can act on.

    At read-only sessions and fence rise and holds are made and cleared, but no id is consumed: a machine that was in
    use needs its station's greeting, and a person, before it deals again. At motion one card stays at the outlet.

    Where PORT is one of the table's own it is borrowed: in service, or with the station stopped between hands.

    Exit 0: every rule that was asked is kept. 1: one is not. 69: nobody answers at PORT, or no longer. 77: a hand is
    open, or take the table first.
    """
    from dealerbox.diagnostics.borrowed import port_alone
    from dealerbox_drivers.shuffler.conformance.bench import Level

    if level == Level.MOTION and cards is None:
        raise click.UsageError("--level motion needs --cards: how many are in the machine")
    with port_alone(file, port):
        wrong = asyncio.run(_asked(port, Level(level), cards or 0, _by_hand if power else None, bare))
    return Exit.FOUND if wrong else Exit.DONE


async def _asked(port: str, level: str, cards: int, cut_power: Callable[[], Awaitable[None]] | None, bare: bool) -> int:
    """Print each finding as it comes; return how many rules are broken."""
    from dealerbox_drivers.line import open_serial
    from dealerbox_drivers.shuffler.conformance.bench import Level, Verdict, conform

    line = await open_serial(port, BAUD)()
    counts = dict.fromkeys(Verdict, 0)
    try:
        async with contextlib.aclosing(conform(line, Level(level), cards, cut_power)) as findings:
            async for finding in findings:
                counts[finding.verdict] += 1
                click.echo(msgspec.json.encode(finding) if bare else _line(finding))
    finally:
        line.close()
    if not bare:
        click.echo(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    return counts[Verdict.BROKEN]


def _line(finding: "Finding") -> str:
    why = f"\n    {finding.why}\n    PROTOCOL.md, section {finding.page}" if finding.why else ""
    return f"{finding.verdict:<10} {finding.question}{why}"


async def _by_hand() -> None:
    """Wait until a person has cut the power and given it again."""
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, click.prompt, "Cut the power, put back what lies at the exit, power on; Enter", "")
