"""`dealerbox check FILE`."""

import click

from dealerbox.cli.exits import Exit
from dealerbox.config.checks import checked, missing_ports, no_hands, table_warnings
from dealerbox_drivers.pins.budget import pin_faults
from dealerbox_drivers.registry import DRIVERS


@click.command(
    short_help="Check a table's configuration.", epilog="Example: dealerbox check --ports /etc/dealerbox/station.toml"
)
@click.argument("file", type=click.Path(readable=False))
@click.option("--ports", is_flag=True, help="A port that is not there now is a fault (exit 1), not a warning.")
def check(file: str, ports: bool) -> int:
    """Read FILE, the house rules and the decks that it names, and tell everything that is wrong, a line each.

    Exit 0: the station can start with it. 1: it can, and no hand can be dealt. 66: no such file. 78: it cannot.
    """
    config = checked(file, DRIVERS, pin_faults)
    missing, unplayable = missing_ports(config), no_hands(config)
    if ports and missing:
        for sentence in missing:
            click.echo(sentence, err=True)
        return Exit.FOUND
    verdict = "can start, but no hand can be dealt" if unplayable else "in order"
    click.echo(
        f"{file}: {verdict}: {config.table}, {config.house.max_seats} seats, {len(config.readers())} zones watched, "
        f"{len(config.decks)} decks, {len(config.devices)} devices"
    )
    for sentence in unplayable:
        click.echo(sentence, err=True)
    for sentence in table_warnings(config):
        click.echo(f"note: {sentence}", err=True)
    if missing:
        ports_are = "1 port is" if len(missing) == 1 else f"{len(missing)} ports are"
        click.echo(f"note: {ports_are} not there now; `dealerbox check --ports {file}` names them", err=True)
    return Exit.FOUND if unplayable else Exit.DONE
