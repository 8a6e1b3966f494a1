"""`dealerbox diag button`: is it felt at each seat."""

import click

from dealerbox.cli.technician import file_option, run_alone


@click.command(short_help="Is the button felt where it lies?", epilog="Example: dealerbox diag button")
@file_option
@click.option("--json", "bare", is_flag=True, help="A line of JSON for each step.")
def button(file: str, bare: bool) -> int:
    """Have the button laid on each seat, and see where it is felt.

    Exit 0: every step passed. 1: one did not, or could not be done. 77: a hand is open, or take the table first.
    """
    from dealerbox.diagnostics.button import button as test

    return run_alone(file, "button", test, bare=bare)
