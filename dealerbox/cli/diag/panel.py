"""`dealerbox diag panel`: every key, lamp and the buzzer."""

from collections.abc import AsyncIterator

import click

from dealerbox.cli.technician import Terminal, file_option, run
from dealerbox.config.station import load
from dealerbox.diagnostics.verdict import Step
from dealerbox_drivers.registry import DRIVERS


@click.command(short_help="Each key, each lamp, the buzzer.", epilog="Example: dealerbox diag panel")
@file_option
@click.option("--json", "bare", is_flag=True, help="A line of JSON for each step.")
def panel(file: str, bare: bool) -> int:
    """Have each key pressed, each lamp looked at and the buzzer heard; stuck and bouncing contacts are measured.

    Exit 0: every step passed. 1: one did not, or could not be done. 77: a hand is open, or take the table first.
    """
    from dealerbox.diagnostics.borrowed import borrowed
    from dealerbox.diagnostics.panel import panel as test

    config = load(file, DRIVERS, decks=False)
    name = next((device.name for device in config.devices if device.driver.role == "panel"), "panel")
    with borrowed(config, name) as loan:

        def steps(terminal: Terminal) -> AsyncIterator[Step]:
            return test(loan, terminal)

        return run(steps, bare=bare, loans=(loan,))
