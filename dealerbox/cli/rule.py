"""`dealerbox rule`."""

import json
from collections.abc import Mapping
from typing import Final

import click
import msgspec

from dealerbox.cli.exits import Exit
from dealerbox.cli.sockets import socket_option
from dealerbox.diagnostics.asking import ask, decoded
from dealerbox.model.keys import Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.view import View

NO_OTHER_WORDS: Final[Mapping[Reason, str]] = {}


class Answered(msgspec.Struct):
    """What a station answers to what changes something: what stands then."""

    view: View


@click.command(
    short_help="Rule as the director (1830(2)).",
    epilog='Example: dealerbox rule hand_dead --seat 4 --reason "three cards dealt to seat 4"',
)
@click.argument("ruling", type=click.Choice([one.value for one in Ruling]))
@click.option("--reason", required=True, help="Why: it is on record with who ruled.")
@click.option("--seat", type=click.IntRange(0), default=0, help="The seat it is about.")
@click.option("--seats", default="", metavar="N,N", help="SEATS: who sits at the table.")
@click.option("--cards", default="", metavar="ZONE:N,...", help="TO_STUB: the N-th card dealt of those in a zone.")
@click.option("--value", type=click.IntRange(0), default=0, help="BEGAN, HOUR: minutes. SEATS: 1, drawn anew.")
@socket_option("director.sock", "The director's socket.")
def rule(ruling: str, reason: str, seat: int, seats: str, cards: str, value: int, path: str) -> int:
    """Give a ruling of the tournament director. It is on record before anything comes of it.

    Exit 69: no station. 77: not for you, it does not fit, or a second person must give it too.
    """
    try:
        sitting = [int(number) for number in seats.split(",") if number.strip()]
    except ValueError as error:
        raise click.UsageError("--seats are numbers, such as 1,2,5") from error
    question = {"ask": "rule", "ruling": ruling, "reason": reason, "seat": seat, "seats": sitting, "value": value}
    if cards:
        question["cards"] = [card.strip() for card in cards.split(",") if card.strip()]
    return told(path, question)


def told(path: str, question: dict[str, object], refusals: Mapping[Reason, str] = NO_OTHER_WORDS) -> int:
    """Ask for what changes something, say what stands then, and return the exit code.

    DeviceGone when nobody hears, NotAllowed when who asks is turned away.
    `refusals`: the sentence for a reason where the panel's is for the dealer and not for who asks.
    """
    view = decoded(path, ask(path, json.dumps(question).encode()), Answered).view
    refused = view.refused
    if refused is not None:
        said = refusals.get(refused.reason) or f"{refused.what} {refused.remedy}"
        click.echo(f"{said} [{refused.reason}, {refused.clause}]", err=True)
        return Exit.NOT_ALLOWED
    held = ", ".join(hold.reason.value for hold in view.holds)
    click.echo(f"recorded; {f'held: {held}' if held else 'nothing is held'}")
    return Exit.DONE
