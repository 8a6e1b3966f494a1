"""`dealerbox simulate`."""

import json

import click

from dealerbox.cli.exits import Exit

_WRONG = ("unlawful_releases", "missed", "false_holds")


@click.command(epilog="Example: dealerbox simulate --hands 50 --seats 6 --seed 7 --fault wrong_seat,burn_missing")
@click.option("--hands", type=click.IntRange(1), default=10, show_default=True, help="Hands to play.")
@click.option("--seats", type=click.IntRange(2, 20), default=9, show_default=True, help="Players.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same night.")
@click.option("--fault", default="", metavar="NAME[,NAME]|all", help="What goes wrong, now and then. Default: nothing.")
@click.option(
    "--level",
    type=click.Choice(["wires", "events"]),
    default="wires",
    show_default=True,
    help="wires: drivers, codecs and polls of the daemon; events: felt to engine.",
)
@click.option("--log", type=click.Path(), metavar="FILE", help="Write the event log as JSON Lines, for `replay`.")
@click.option("--json", "bare", is_flag=True, help="Print the line of JSON alone.")
def simulate(hands: int, seats: int, seed: int, fault: str, level: str, log: str | None, bare: bool) -> int:
    """Play hands at a simulated table, in virtual time, judged by a checker that shares no code with the engine.

    Ends with one line of JSON. Exit 0: nothing unlawful, missed or false. 1: something was.
    """
    from dealerbox.simulate.run import simulate as played

    report = played(hands=hands, seats=seats, seed=seed, fault=fault, level=level, log=log)
    if not bare:
        _tell(report)
    click.echo(json.dumps(report))
    return Exit.FOUND if any(report[key] for key in _WRONG) else Exit.DONE
