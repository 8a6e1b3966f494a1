"""`dealerbox diag service`: the table taken for service, and given back."""

from typing import Final

import click

from dealerbox.cli.rule import told
from dealerbox.cli.sockets import socket_option
from dealerbox.model.reasons import Reason

_REFUSALS: Final = {
    Reason.SERVICE: "A hand is open: the table is taken between hands. Wait for its end, then ask again.",
    Reason.NOT_NOW: "The table is not in service: there is nothing to give back.",
}


@click.command(short_help="Take the table, or give it back.", epilog="Example: dealerbox diag service begin")
@click.argument("what", type=click.Choice(["begin", "end"]))
@socket_option("tech.sock", "The technician's socket.")
def service(what: str, path: str) -> int:
    """Hold a running table for service, or give it back: then every card is taken out and the deck counted whole.

    Exit 69: no station. 77: not for you, a hand is open, or the table is not in service.
    """
    return told(path, {"ask": "service", "on": what == "begin"}, _REFUSALS)
