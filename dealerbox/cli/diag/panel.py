"""`dealerbox diag panel`: every key, lamp and the buzzer."""

import click

from dealerbox.cli.technician import file_option, run_alone


@click.command(short_help="Each key, each lamp, the buzzer.", epilog="Example: dealerbox diag panel")
@file_option
@click.option("--json", "bare", is_flag=True, help="A line of JSON for each step.")
def panel(file: str, bare: bool) -> int:
    """Have each key pressed, each lamp looked at and the buzzer heard; stuck and bouncing contacts are measured.

    Exit 0: every step passed. 1: one did not, or could not be done. 77: a hand is open, or take the table first.
    """
    from dealerbox.diagnostics.panel import panel as test

    return run_alone(file, "panel", test, bare=bare)
