"""`dealerbox status`."""

import sys

import click
import msgspec

from dealerbox.cli.picture import show
from dealerbox.cli.sockets import socket_option
from dealerbox.diagnostics.asking import ask, decoded
from dealerbox.model.view import View
from dealerbox.ports import DeviceGone


class _Refusal(msgspec.Struct):
    error: str = ""


@click.command(short_help="Show the table of a running station.", epilog="Example: dealerbox status --json")
@socket_option("control.sock", "The station's control socket.")
@click.option("--json", "bare", is_flag=True, help="Print the station's answer as it came: one line of JSON.")
def status(path: str, bare: bool) -> None:
    """Show the table: seats, burns, board, muck, lamps, what is expected next, what is held and what to do.

    Exit 69: no station answers at that socket.
    """
    answer = ask(path, b'{"ask":"status"}')
    refusal = decoded(path, answer, _Refusal).error
    if refusal:
        raise DeviceGone(f"{path}: the station refuses: {refusal}")
    if bare:
        click.echo(answer)
        return
    show(decoded(path, answer, View), sys.stdout.isatty())
