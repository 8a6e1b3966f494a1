"""`dealerbox diag button`: is it felt at each seat."""

from collections.abc import AsyncIterator

import click

from dealerbox.cli.technician import Terminal, file_option, run
from dealerbox.config.station import load
from dealerbox.diagnostics.verdict import Step
from dealerbox_drivers.registry import DRIVERS


@click.command(short_help="Is the button felt where it lies?", epilog="Example: dealerbox diag button")
@file_option
@click.option("--json", "bare", is_flag=True, help="A line of JSON for each step.")
def button(file: str, bare: bool) -> int:
    """Have the button laid on each seat, and see where it is felt.

    Exit 0: every step passed. 1: one did not, or could not be done. 77: a hand is open, or take the table first.
    """
    from dealerbox.diagnostics.borrowed import borrowed
    from dealerbox.diagnostics.button import button as test

    config = load(file, DRIVERS, decks=False)
    name = next((device.name for device in config.devices if device.driver.role == "button"), "button")
    with borrowed(config, name) as loan:

        def steps(terminal: Terminal) -> AsyncIterator[Step]:
            return test(loan, terminal)

        return run(steps, bare=bare, loans=(loan,))
