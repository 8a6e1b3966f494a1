"""`dealerbox diag capture`: a device's wire written down while its own driver speaks over it."""

import asyncio
import os
import sys
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from dealerbox.cli.exits import Exit
from dealerbox.cli.technician import file_option

if TYPE_CHECKING:
    from dealerbox.config.values import Config
    from dealerbox.diagnostics.borrowed import Loan
    from dealerbox.diagnostics.captures.taking import Taken
    from dealerbox.diagnostics.captures.tape import Tape


@click.command(
    short_help="Write down what passes over a device's wire.",
    epilog="Example: dealerbox diag capture --device seats-left --seconds 30 seats.capture",
)
@click.argument("capture_file", metavar="FILE", type=click.Path(readable=False, path_type=Path))
@click.option("--device", "name", metavar="NAME", help="A device of the table, or a zone. Default: if there is one.")
@file_option
@click.option("--seconds", type=click.FloatRange(0.1, 3600), default=10.0, show_default=True, help="For how long.")
@click.option("--as-read", is_flag=True, help="A director's word: tags as they are read, not by pseudonyms.")
@click.option("--json", "bare", is_flag=True, help="A line of JSON for what was taken.")
def capture(capture_file: Path, name: str | None, file: str, seconds: float, as_read: bool, bare: bool) -> int:
    """Run a device's own driver for a while and write what passes over its wire, with times, to the new FILE.

    Between hands alone: in service (`diag service begin`), or with the station stopped. Each tag has another number in
    place of its own, new for each capture. Nothing moves. Ctrl-C ends it; what was taken until then is whole.

    Exit 0: taken. 1: taken, and the device was lost meanwhile. 65: it has no wire. 69: it is not there. 77: not now,
    or --as-read and you are no director.
    """
    from dealerbox.config.checks import checked
    from dealerbox.diagnostics.borrowed import borrowed
    from dealerbox_drivers.pins.budget import pin_faults
    from dealerbox_drivers.registry import DRIVERS

    config = checked(file, DRIVERS, pin_faults, decks=False)
    if isnan(seconds):
        raise click.UsageError("--seconds: a number from 0.1 to 3600")
    if capture_file.exists():
        raise click.UsageError(f"{capture_file} is there already: name a new file")
    by = _director(config) if as_read else ""
    with borrowed(config, name or _only(config)) as loan:
        taken = _taken(loan, capture_file, seconds, by)
    if bare:
        click.echo(msgspec.json.encode(taken))
    else:
        lost = f"; lost {taken.losses} times, at last: {taken.last_loss}" if taken.losses else ""
        click.echo(f"{capture_file}: {taken.lines} lines, {taken.bytes_in} bytes came from {taken.device}{lost}")
    return Exit.FOUND if taken.losses else Exit.DONE


def _only(config: "Config") -> str:
    from dealerbox.diagnostics.captures.driven import WIRED

    names = [device.name for device in config.devices if device.driver.role in WIRED]
    if len(names) != 1:
        raise click.UsageError(
            f"--device NAME: one of {', '.join(names) or 'none: the table has no device with a wire'}"
        )
    return names[0]


def _director(config: "Config") -> str:
    """Return who is asking. NotAllowed when he is no director."""
    import grp
    import pwd

    from dealerbox.ports import NotAllowed

    user = pwd.getpwuid(os.getuid()).pw_name
    groups = {grp.getgrgid(number).gr_name for number in os.getgroups()}
    if os.getuid() and config.directors not in groups:
        raise NotAllowed(f"tags as they are read are for directors: {user} is not in the group {config.directors!r}")
    return user


def _taken(loan: "Loan", file: Path, seconds: float, by: str) -> "Taken":
    import dealerbox
    from dealerbox.diagnostics.captures.driven import wired
    from dealerbox.diagnostics.captures.taking import tape_of
    from dealerbox.station.loop import boottime_ns

    wired(loan.device.driver.name)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as out:
        tape = tape_of(loan.device, out.write, boottime_ns, software=dealerbox.__version__, as_read_by=by)
        try:
            return asyncio.run(_watched(loan, tape, seconds))
        finally:
            if not tape.openings:
                file.unlink()


async def _watched(loan: "Loan", tape: "Tape", seconds: float) -> "Taken":
    from dealerbox.diagnostics.captures.taking import take
    from dealerbox.station.loop import boottime_ns

    ending = asyncio.create_task(loan.ended())
    watching = asyncio.create_task(_progress(tape, seconds))
    taking = asyncio.create_task(take(loan.device, loan.line(), tape, boottime_ns, seconds))
    try:
        await asyncio.wait({taking, ending}, return_when=asyncio.FIRST_COMPLETED)
        if ending.done() and not taking.done():
            ending.result()
        return await taking
    finally:
        for task in (ending, watching, taking):
            task.cancel()
        await asyncio.gather(ending, watching, taking, return_exceptions=True)


async def _progress(tape: "Tape", seconds: float) -> None:
    """Show how far it is, to whoever watches a terminal."""
    if not sys.stderr.isatty():
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), TextColumn("{task.fields[lines]} lines, {task.fields[came]} bytes"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=seconds, lines=0, came=0)
        while not bar.finished:
            await asyncio.sleep(0.2)
            bar.update(task, advance=0.2, lines=tape.lines, came=tape.bytes_in)
