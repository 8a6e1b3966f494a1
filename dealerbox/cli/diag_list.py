"""`dealerbox diag list`: the devices that a table's file names, and how the station finds them."""

import sys
from collections.abc import Sequence

import click
import msgspec

from dealerbox.cli.exits import Exit
from dealerbox.cli.status import ask, decoded
from dealerbox.config.checks import checked
from dealerbox.ports import DeviceGone
from dealerbox.station.asked import Answer
from dealerbox_drivers.pins.budget import pin_faults
from dealerbox_drivers.registry import DRIVERS


class Listed(msgspec.Struct, frozen=True):
    """One device of a table."""

    name: str
    driver: str
    port: str
    """Where the file says that it is; '' for what has no port."""
    there: bool
    """Its port is there now."""
    condition: str
    """As the station finds it: opening, working, lost, wrong; '' while no station runs."""
    why: str = ""
    """The last error, of one that is lost or wrong."""

    def fails(self) -> bool:
        """Tell whether a technician has something to do here."""
        return not self.there or self.condition in ("lost", "wrong")


@click.command("list", short_help="Which devices are there, and how are they?", epilog="Example: dealerbox diag list")
@click.argument("file", type=click.Path(), default="/etc/dealerbox/station.toml")
@click.option("--socket", "path", metavar="PATH", type=click.Path(), help="A control socket. [default: as FILE has it]")
@click.option("--json", "bare", is_flag=True, help="A line of JSON for each device.")
def listing(file: str, path: str | None, bare: bool) -> int:
    """List the devices that FILE names: driver, port, whether it is there, and how a running station finds it.

    Exit 0: all are there, and working where a station runs. 1: one is not. 66: no such file. 78: it cannot be used.
    """
    config = checked(file, DRIVERS, pin_faults)
    try:
        answer = decoded(path or str(config.socket), ask(path or str(config.socket), b'{"ask":"health"}'), Answer)
        found = {device.name: device for device in answer.devices}
    except DeviceGone as error:
        found = {}
        click.echo(f"no station is asked: {error}", err=True)
    devices = []
    for device in config.devices:
        health = found.get(device.name)
        devices.append(
            Listed(
                name=device.name,
                driver=device.driver.name,
                port=getattr(device.settings, "port", ""),
                there=not device.settings.absent(),
                condition=health.condition.value if health else "",
                why=health.why if health else "",
            )
        )
    for one in devices if bare else ():
        click.echo(msgspec.json.encode(one))
    if not bare:
        _show(devices)
    return Exit.FOUND if any(one.fails() for one in devices) else Exit.DONE


def _show(devices: Sequence[Listed]) -> None:
    head = ("device", "driver", "port", "port is", "station finds it", "last error")
    rows = [
        (
            one.name,
            one.driver,
            one.port or "-",
            "there" if one.there else "missing",
            one.condition or "-",
            one.why or "-",
        )
        for one in devices
    ]
    if not sys.stdout.isatty():
        widths = [max(len(row[at]) for row in (head, *rows)) for at in range(len(head))]
        for row in (head, *rows):
            click.echo("  ".join(f"{text:<{width}}" for text, width in zip(row, widths, strict=True)).rstrip())
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(*head)
    for one, row in zip(devices, rows, strict=True):
        table.add_row(*row, style="bold red" if one.fails() else "")
    Console().print(table)
