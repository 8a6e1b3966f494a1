"""`dealerbox diag reader`: does a zone see its card, and no other's?"""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import click

from dealerbox.cli.technician import Terminal, file_option, readers_of, run
from dealerbox.config.station import load
from dealerbox.diagnostics.verdict import Step
from dealerbox_drivers.registry import DRIVERS

if TYPE_CHECKING:
    from dealerbox.diagnostics.reader import Bleeding


@click.command(short_help="Does a zone see its card, and no other's?", epilog="Example: dealerbox diag reader seat:3")
@click.argument("zone", nargs=-1)
@file_option
@click.option("--json", "bare", is_flag=True, help="A line of JSON for each step.")
def reader(zone: tuple[str, ...], file: str, bare: bool) -> int:
    """Have one card carried from zone to zone, ZONE first (none: every zone), then a card laid on each, all antennas
    watching: read rate, pace, reference tags, and who bleeds into whom.

    Exit 0: every step passed. 1: one did not, or could not be done. 77: a hand is open, or take the table first.
    """
    from dealerbox.diagnostics.borrowed import named
    from dealerbox.diagnostics.reader import readers as test
    from dealerbox.model.zones import Zone

    config = load(file, DRIVERS, decks=False)
    for name in zone:
        named(config, name)
    of = tuple(Zone(name) for name in zone)
    bleeding: Bleeding = {}
    with readers_of(config) as loans:

        def steps(terminal: Terminal) -> AsyncIterator[Step]:
            return test(loans, terminal, of, bleeding=bleeding)

        code = run(steps, bare=bare, loans=loans)
    if not bare:
        for line in picture(bleeding):
            click.echo(line)
    return code


def picture(bleeding: "Bleeding") -> list[str]:
    """Return who reads whose card: a row for each zone where it lay, a column for each zone that read it."""
    columns = list(dict.fromkeys([*bleeding, *(zone for read in bleeding.values() for zone in read)]))
    if not columns:
        return []
    width = max(len(zone) for zone in columns)
    head = " ".join(f"{number:>3}" for number in range(1, len(columns) + 1))
    lines = ["", "card on: read at, in % of its looks", f"{'':<{width + 3}} {head}"]
    for number, zone in enumerate(columns, 1):
        if zone in bleeding:
            cells = " ".join(_cell(bleeding[zone].get(at), own=at == zone) for at in columns)
            lines.append(f"{zone:<{width}} {number:>2} {cells}")
    return lines


def _cell(rate: float | None, *, own: bool) -> str:
    if rate is None:
        return "  ."
    return click.style(f"{rate * 100:>3.0f}", fg="green" if own else "red", bold=not own)
