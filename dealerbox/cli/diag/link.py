"""`dealerbox diag link`: a wire of the table."""

from functools import partial

import click

from dealerbox.cli.technician import file_option, run_alone


@click.command(short_help="Error rate and round trip of a wire.", epilog="Example: dealerbox diag link seats-left")
@click.argument("device")
@click.option("--exchanges", type=click.IntRange(1, 100_000), default=500, show_default=True, help="Questions to ask.")
@file_option
@click.option("--json", "bare", is_flag=True, help="A line of JSON for each step.")
def link(device: str, exchanges: int, file: str, bare: bool) -> int:
    """Ask DEVICE (or the reader of that zone) harmless questions, and judge its wire by the answers. Nothing moves.

    Exit 0: every step passed. 1: one did not, or could not be done. 77: a hand is open, or take the table first.
    """
    from dealerbox.diagnostics.link import link as test

    return run_alone(file, device, partial(test, exchanges=exchanges), bare=bare)
