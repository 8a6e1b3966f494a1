"""`dealerbox diag shuffler`: the card machine, moved by hand."""

from functools import partial
from pathlib import Path

import click

from dealerbox.cli.technician import file_option, run_alone


@click.command(
    short_help="Gate, feed, sensors, count, shuffle, empty proof.",
    epilog="Example: dealerbox diag shuffler --since 2026-11-24.json",
)
@click.option("--cards", type=click.IntRange(6, 200), default=52, show_default=True, help="How many are fed in.")
@click.option(
    "--since", type=click.Path(readable=False, path_type=Path), help="A card of a self-test: counters since then."
)
@file_option
@click.option("--json", "bare", is_flag=True, help="A line of JSON for each step.")
def shuffler(cards: int, since: Path | None, file: str, bare: bool) -> int:
    """Have the shuffler emptied, then feed cards in, count, shuffle and bring some up: cards move, stand by.

    A person must be there and say that it is empty before anything moves. A running station counts the deck whole
    afterwards; the machine needs its greeting, and a person, before it deals again.

    Exit 0: every step passed. 1: one did not, or could not be done. 77: a hand is open, or take the table first.
    """
    from dealerbox.diagnostics.card import read_card
    from dealerbox.diagnostics.shuffler import counters
    from dealerbox.diagnostics.shuffler import shuffler as test

    before = counters(read_card(since).steps) if since else None
    return run_alone(file, "shuffler", partial(test, cards=cards, since=before), bare=bare)
