"""`dealerbox diag journal`: the disk under the journal."""

import click

from dealerbox.cli.technician import run
from dealerbox.config.station import load
from dealerbox_drivers.registry import DRIVERS


@click.command(short_help="Is the journal's disk whole, quick and roomy?", epilog="Example: dealerbox diag journal")
@click.argument("file", type=click.Path(readable=False), default="/etc/dealerbox/station.toml")
@click.option("--json", "bare", is_flag=True, help="A line of JSON for each step.")
def journal(file: str, bare: bool) -> int:
    """Write and sync records beside the journal that FILE names, and see what time each takes; a station may run on.

    While a hand is open nothing is written: its own records come first.

    Exit 0: every step passed. 1: one did not, or could not be done.
    """
    from dealerbox.diagnostics.journal import journal as test
    from dealerbox.diagnostics.whose import hand_is_open

    config = load(file, DRIVERS, decks=False)
    in_hand = hand_is_open(str(config.socket))
    return run(lambda terminal: test(config.state_dir, config.records, terminal, in_hand=in_hand), bare=bare)
