"""`dealerbox diag audit bench`: shuffles of all 52, for `audit shuffle`."""

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from dealerbox.cli.exits import Exit
from dealerbox.cli.technician import Terminal, file_option

if TYPE_CHECKING:
    from dealerbox.diagnostics.borrowed import Loan


@click.command(
    short_help="Make a bench run of shuffles: cards move.",
    epilog="Example: dealerbox diag audit bench --shuffles 3 table-1.shuffles",
)
@click.argument("run_file", metavar="FILE", type=click.Path(readable=False, path_type=Path))
@click.option("--shuffles", type=click.IntRange(1, 100), default=1, show_default=True, help="How often.")
@file_option
def bench(run_file: Path, shuffles: int, file: str) -> int:
    """Feed 52 cards in, shuffle and deal them all out, so often, and write the new FILE for `audit shuffle`.

    In service, or with the station stopped: cards move, stand by. The readers of infeed and exit say in which order
    cards go in and come out; FILE has places alone. A shuffle takes some three minutes; one shows a machine of ten
    shelves. The station counts the deck whole afterwards.

    Exit 0: written. 65: it could not be done, or not to the end: shuffles until then, if any, are in FILE. 69: a device
    is not there. 77: not now.
    """
    from dealerbox.config.station import load
    from dealerbox.diagnostics.borrowed import borrowed, named
    from dealerbox.diagnostics.shuffles.cycle import lines
    from dealerbox_drivers.registry import DRIVERS

    if run_file.exists():
        raise click.UsageError(f"{run_file} is there already: name a new file")
    config = load(file, DRIVERS, decks=False)
    machine = next((device.name for device in config.devices if device.driver.role == "shuffler"), "shuffler")
    names = dict.fromkeys((machine, named(config, "infeed").name, named(config, "exit").name))
    with contextlib.ExitStack() as closing:
        loans = [closing.enter_context(borrowed(config, name)) for name in names]
        terminal = Terminal()
        out = closing.enter_context(run_file.open("xb"))
        head = b"".join(lines((), config.table))
        out.write(head)
        try:
            asyncio.run(_benched(loans, terminal, shuffles, out.write))
        finally:
            terminal.quiet()
            if out.tell() == len(head):
                run_file.unlink()
    click.echo(f"{run_file}: {shuffles} shuffles; judge them: dealerbox diag audit shuffle {run_file}")
    return Exit.DONE


async def _benched(loans: "list[Loan]", terminal: Terminal, shuffles: int, write: "Callable[[bytes], object]") -> None:
    """Write each shuffle as it is done; end with any of the loans."""
    from dealerbox.diagnostics.shuffles.benched import bench_run

    async def run() -> None:
        async for cycle in bench_run(loans[0], loans[1:], terminal, shuffles):
            write(msgspec.json.encode(cycle) + b"\n")

    running = asyncio.create_task(run())
    ending = [asyncio.create_task(loan.ended()) for loan in loans]
    await asyncio.wait([running, *ending], return_when=asyncio.FIRST_COMPLETED)
    for task in (running, *ending):
        if task.done():
            await task
        task.cancel()
    await asyncio.gather(running, *ending, return_exceptions=True)
