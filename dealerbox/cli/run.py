"""`dealerbox run --config FILE`."""

import click


@click.command(epilog="Example: dealerbox run --config /etc/dealerbox/station.toml")
@click.option("--config", "file", required=True, metavar="FILE", type=click.Path(), help="The table: station.toml.")
def run(file: str) -> int:
    """Run the station of the table that FILE describes, until SIGTERM: the gate is locked first.

    Under systemd, `python -m dealerbox.station.daemon --config FILE` is the same without this command's own weight.
    Exit 0: ended as asked. 74: the journal. 78: the configuration.
    """
    from dealerbox.station.daemon import main

    return main(["--config", file])
