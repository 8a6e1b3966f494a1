"""`dealerbox status`."""

import sys

import click

from dealerbox.cli.picture import show
from dealerbox.cli.sockets import socket_option
from dealerbox.diagnostics.asking import ask, decoded
from dealerbox.model.view import View


@click.command(short_help="Show the table of a running station.", epilog="Example: dealerbox status --json")
@socket_option("control.sock", "The station's control socket.")
@click.option("--json", "bare", is_flag=True, help="Print the station's answer as it came: one line of JSON.")
def status(path: str, bare: bool) -> None:
    """Show the table: seats, burns, board, muck, lamps, what is expected next, what is held and what to do.

    Exit 69: no station answers at that socket. 77: it is not for you.
    """
    answer = ask(path, b'{"ask":"status"}')
    view = decoded(path, answer, View)
    if bare:
        click.echo(answer)
        return
    show(view, sys.stdout.isatty())
