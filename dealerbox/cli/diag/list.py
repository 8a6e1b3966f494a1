"""`dealerbox diag list`: the devices that a table's file names, and how the station finds them."""

import sys
from collections.abc import Sequence

import click
import msgspec

from dealerbox.cli.exits import Exit
from dealerbox.config.checks import checked
from dealerbox.diagnostics.asking import ask, decoded
from dealerbox.diagnostics.listed import Listed, listed, unnamed
from dealerbox.ports import DeviceGone, NotAllowed
from dealerbox.station.asked import Answer
from dealerbox_drivers.pins.budget import pin_faults
from dealerbox_drivers.registry import DRIVERS


@click.command("list", short_help="Which devices are there, and how are they?", epilog="Example: dealerbox diag list")
@click.argument("file", type=click.Path(readable=False), default="/etc/dealerbox/station.toml")
@click.option(
    "--socket",
    "path",
    metavar="PATH",
    type=click.Path(readable=False),
    help="A control socket. [default: as FILE has it]",
)
@click.option("--json", "bare", is_flag=True, help="A line of JSON for each device.")
def listing(file: str, path: str | None, bare: bool) -> int:
    """List the devices that FILE names: driver, port, whether it is there, and how a running station finds it.

    The station was told at opening what each says that it is, and tells that between hands. Ports go by the names of
    their sockets (/dev/serial/by-path). What is plugged in and not in FILE stands at the end.

    Exit 0: all are there, and working where a station runs. 1: one is not. 66: no such file. 78: it cannot be used.
    """
    config = checked(file, DRIVERS, pin_faults, decks=False)
    socket = path or str(config.socket)
    try:
        health = decoded(socket, ask(socket, b'{"ask":"health"}'), Answer).devices
    except (DeviceGone, NotAllowed) as error:
        health = ()
        click.echo(f"no station is asked: {error}", err=True)
    devices = listed(config, health)
    for one in (*devices, *unnamed(config)) if bare else ():
        click.echo(msgspec.json.encode(one))
    if not bare:
        _show([*devices, *unnamed(config)])
    for one in devices:
        if one.wanders():
            click.echo(f"{one.name}: {one.port} may be another device after a re-plug; name {one.path}", err=True)
    if any(one.hides() for one in devices):
        click.echo("a hand is open: what devices say that they are is told between hands", err=True)
    return Exit.FOUND if any(one.fails() for one in devices) else Exit.DONE


def _show(devices: Sequence[Listed]) -> None:
    head = ("device", "driver", "port", "port is", "station finds it", "says that it is", "firmware", "last error")
    rows = [_row(one) for one in devices]
    if not sys.stdout.isatty():
        widths = [max(len(row[at]) for row in (head, *rows)) for at in range(len(head))]
        for row in (head, *rows):
            click.echo("  ".join(f"{text:<{width}}" for text, width in zip(row, widths, strict=True)).rstrip())
        return
    from rich.console import Console
    from rich.table import Table

    table = Table()
    pairs = range(0, len(head), 2)
    for at in pairs:
        table.add_column(f"{head[at]}\n{head[at + 1]}", overflow="fold")
    for one, row in zip(devices, rows, strict=True):
        table.add_row(*(f"{row[at]}\n{row[at + 1]}" for at in pairs), style="bold red" if one.fails() else "")
    Console().print(table)


def _row(one: Listed) -> tuple[str, ...]:
    often = f"{one.losses} times: " if one.losses > 1 else ""
    return (
        one.name or "not in the file",
        one.driver or "-",
        one.path or one.port or "-",
        "there" if one.there else "missing",
        one.condition or "-",
        one.identity or "-",
        one.firmware or "-",
        often + one.why if one.why else "-",
    )
