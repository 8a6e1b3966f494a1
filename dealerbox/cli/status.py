"""`dealerbox status`."""

import click

from dealerbox.cli.exits import Exit


@click.command(epilog="Example: dealerbox status --json")
@click.option(
    "--socket",
    default="/run/dealerbox/control.sock",
    show_default=True,
    metavar="PATH",
    type=click.Path(),
    help="The station's control socket.",
)
@click.option("--json", "bare", is_flag=True, help="Print the station's answer as it came.")
def status(socket: str, bare: bool) -> int:
    """Show the table: seats, burns, board, muck, lamps, what is expected next, what is held and what to do.

    Exit 69: no station answers at that socket.
    """
    return Exit.NOT_RUNNING
