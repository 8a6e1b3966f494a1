"""`dealerbox diag deal-test`: a deck of known order through every zone."""

from collections.abc import AsyncIterator

import click

from dealerbox.cli.technician import BAR, Terminal, file_option, readers_of, run
from dealerbox.config.station import load
from dealerbox.diagnostics.verdict import Step
from dealerbox_drivers.registry import DRIVERS


@click.command(
    "deal-test",
    short_help="A deck of known order through every zone: misreads.",
    epilog="Example: dealerbox diag deal-test --loops 9",
)
@click.argument("zone", nargs=-1)
@click.option("--cards", type=click.IntRange(2, 60), default=52, show_default=True, help="How many the deck has.")
@click.option("--loops", type=click.IntRange(1, 1000), default=1, show_default=True, help="Times round all zones.")
@file_option
@click.option("--json", "bare", is_flag=True, help="A line of JSON for each zone and deal.")
def deal_test(zone: tuple[str, ...], cards: int, loops: int, file: str, bare: bool) -> int:
    """Have one deck dealt card by card onto each ZONE (none: every zone), in the same order each time, and count what
    is misread: not read, read twice, read elsewhere too. At most 1 of 5,200 cards may be; cards are told by their
    places in that order.

    Exit 0: within the budget, with enough cards to say so. 1: not, or too few. 77: a hand is open, or take the table
    first.
    """
    from dealerbox.diagnostics.borrowed import named
    from dealerbox.diagnostics.deal_test import deal_test as test
    from dealerbox.diagnostics.deal_test import misreads
    from dealerbox.model.zones import Zone

    config = load(file, DRIVERS, decks=False)
    for name in zone:
        named(config, name)
    done: list[Step] = []
    with readers_of(config) as loans:

        def steps(terminal: Terminal) -> AsyncIterator[Step]:
            return test(loans, terminal, cards=cards, loops=loops, zones=tuple(map(Zone, zone)))

        code = run(steps, bare=bare, loans=loans, keep=done)
    if not bare:
        for line in picture(misreads(done)):
            click.echo(line)
    return code


def picture(zones: dict[str, tuple[int, int]]) -> list[str]:
    """Return a bar for each zone: its misread cards."""
    most = max((misread for misread, _ in zones.values()), default=0)
    return [
        f"{zone:<8} {misread:>4} of {cards:>6,}  {'█' * (misread * BAR // most if most else 0)}".rstrip()
        for zone, (misread, cards) in zones.items()
    ]
