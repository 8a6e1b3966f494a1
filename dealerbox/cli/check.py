"""`dealerbox check FILE`."""

import click

from dealerbox.cli.exits import Exit
from dealerbox.config.checks import checked, missing_ports, table_warnings
from dealerbox_drivers.pins.budget import pin_faults
from dealerbox_drivers.registry import DRIVERS


@click.command(
    short_help="Check a table's configuration.", epilog="Example: dealerbox check --ports /etc/dealerbox/station.toml"
)
@click.argument("file", type=click.Path())
@click.option("--ports", is_flag=True, help="A port that is not there now is a fault (exit 1), not a warning.")
def check(file: str, ports: bool) -> int:
    """Read FILE, the house rules and the decks that it names, and tell everything that is wrong, a line each.

    Exit 0: the station can start with it. 66: no such file. 78: it cannot.
    """
    config = checked(file, DRIVERS, pin_faults)
    missing = missing_ports(config)
    for sentence in table_warnings(config) + ([] if ports else missing):
        click.echo(f"note: {sentence}", err=True)
    if ports and missing:
        for sentence in missing:
            click.echo(sentence, err=True)
        return Exit.FOUND
    click.echo(
        f"{file}: in order: {config.table}, {config.house.max_seats} seats, {len(config.readers())} zones watched, "
        f"{len(config.decks)} decks, {len(config.devices)} devices"
    )
    return Exit.DONE
