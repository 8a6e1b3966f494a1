"""`dealerbox fouled`."""

import json

import click
import msgspec

from dealerbox.cli.exits import Exit
from dealerbox.cli.sockets import socket_option
from dealerbox.diagnostics.asking import ask, decoded
from dealerbox.model.view import FouledHand


class Answered(msgspec.Struct):
    """What a station answers to the question."""

    fouled: FouledHand


@click.command(
    short_help="Where the cards of a fouled hand lie (1810).",
    epilog="Example: dealerbox fouled 4",
)
@click.argument("seat", type=click.IntRange(1))
@socket_option("director.sock", "The director's socket.")
def fouled(seat: int, path: str) -> int:
    """Tell the director in which zones the cards of SEAT lie, whose protected hand was taken in or fouled.

    Zones and no cards: the hand is open. It is on record who asked. Exit 1: the hand cannot be made up completely.
    69: no station. 77: not for you.
    """
    found = decoded(path, ask(path, json.dumps({"ask": "fouled", "seat": seat}).encode()), Answered).fouled
    for zone in dict.fromkeys(found.lie):
        click.echo(f"{zone or 'nowhere yet'}: {found.lie.count(zone)} of {found.cards}")
    click.echo(found.said)
    return Exit.DONE if found.whole else Exit.FOUND
