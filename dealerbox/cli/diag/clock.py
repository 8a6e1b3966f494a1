"""`dealerbox diag clock`: the clocks of this machine."""

import click

from dealerbox.cli.technician import run


@click.command(short_help="Are the clocks right?", epilog="Example: dealerbox diag clock")
@click.option("--json", "bare", is_flag=True, help="A line of JSON for each step.")
def clock(bare: bool) -> int:
    """Compare the wall clock with the clock of the limits, with one that has a battery, and with what the system says.

    Exit 0: every step passed. 1: one did not, or could not be done.
    """
    from dealerbox.diagnostics.clock import clock as test

    return run(lambda terminal: test(), bare=bare)
