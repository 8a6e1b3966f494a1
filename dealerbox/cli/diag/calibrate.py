"""`dealerbox diag calibrate`: the readers' times, measured and written into the house rules."""

import asyncio
import contextlib
import difflib
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from dealerbox.cli.exits import Exit
from dealerbox.cli.technician import Terminal, file_option, readers_of
from dealerbox.config.station import load
from dealerbox_drivers.registry import DRIVERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dealerbox.diagnostics.borrowed import Loan
    from dealerbox.diagnostics.calibration import Measured


@click.command(
    short_help="Measure the readers' times and write them into the house rules.",
    epilog="Example: dealerbox diag calibrate",
)
@file_option
@click.option(
    "--json", "bare", is_flag=True, help="A line of JSON for each zone, then what is proposed; writes nothing."
)
def calibrate(file: str, bare: bool) -> int:
    """Have one card carried from the exit to each zone, measure when it is seen and how it wavers, and propose
    `settling_ms` and `scan_ms`. The difference is shown, and written only when you say so; comments stay.

    Exit 0: measured, and written if you said so. 1: a zone could not be measured. 77: a hand is open, or take the
    table first.
    """
    from dealerbox.diagnostics.calibration import proposed, rewritten

    config = load(file, DRIVERS, decks=False)
    with readers_of(config) as loans:
        zones = _measured(loans, bare)
        values = proposed(zones, config.house)
        if bare:
            click.echo(msgspec.json.encode(values))
        else:
            house = Path(config.house_file)
            before = house.read_text("utf-8")
            _offer(house, before, rewritten(before, values) if values else before)
    return Exit.FOUND if any(zone.why for zone in zones) else Exit.DONE


def _measured(loans: "Sequence[Loan]", bare: bool) -> "list[Measured]":
    from dealerbox.diagnostics.borrowed import while_lent
    from dealerbox.diagnostics.calibration import measured

    terminal = Terminal(bare=bare)
    zones: list[Measured] = []

    async def main() -> None:
        async with contextlib.aclosing(while_lent(measured(loans, terminal), loans)) as found:
            async for zone in found:
                terminal.quiet()
                zones.append(zone)
                click.echo(msgspec.json.encode(zone) if bare else _line(zone))

    try:
        asyncio.run(main())
    finally:
        terminal.quiet()
    return zones


def _line(zone: "Measured") -> str:
    if zone.why:
        return f"{zone.zone:<8} not measured: {zone.why}"
    carried = f", carried there in {zone.carried_ms:.0f} ms" if zone.carried_ms else ""
    return (
        f"{zone.zone:<8} looked at every {zone.look_ms:.0f} ms, wavers for {zone.wavers_ms:.0f} ms, "
        f"missed {zone.missed} in a row at rest{carried}"
    )


def _offer(file: Path, before: str, after: str) -> None:
    """Show the difference, and write it if the person says so."""
    if before == after:
        click.echo(f"{file}: says so already; nothing is written")
        return
    for line in difflib.unified_diff(before.splitlines(), after.splitlines(), str(file), "measured", "", "", 0, ""):
        colour = {"+": "green", "-": "red"}.get(line[:1])
        click.echo(click.style(line, fg=colour))
    if not click.confirm(f"write this into {file}?", err=True):
        click.echo("nothing is written")
        return
    _write(file, after)
    click.echo("written; `dealerbox check` it, then start the station anew")


def _write(file: Path, text: str) -> None:
    """Put a new file in the place of the old one, with its mode and owner, whole or not at all."""
    there = file.stat()
    making = file.with_name(f"{file.name}.new")
    with making.open("w", encoding="utf-8") as stream:
        os.fchmod(stream.fileno(), there.st_mode & 0o7777)
        with contextlib.suppress(PermissionError):  # who is not root writes his own
            os.fchown(stream.fileno(), there.st_uid, there.st_gid)
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    making.rename(file)
