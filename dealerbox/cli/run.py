"""`dealerbox run --config FILE`."""

from pathlib import Path

import click


@click.command(
    short_help="Run the station of a table.", epilog="Example: dealerbox run --config /etc/dealerbox/station.toml"
)
@click.option(
    "--config", "file", required=True, metavar="FILE", type=click.Path(readable=False), help="The table: station.toml."
)
def run(file: str) -> int:
    """Run the station of the table that FILE describes, until SIGTERM: the gate is locked first.

    Under systemd, `python -m dealerbox.station.daemon --config FILE` is the same without this command's own weight.
    Exit 0: ended as asked. 66: no such file. 70: a fault of its own. 74: the journal. 78: the configuration.
    """
    from dealerbox.station.daemon import main

    with Path(file).open("rb"):  # a file that is not there is told as everywhere else, with 66
        pass
    return main(["--config", file])
