"""`dealerbox replay FILE`."""

import click

from dealerbox.cli.exits import Exit


@click.command(
    short_help="Play an event log through the engine.", epilog="Example: dealerbox replay --expect night.jsonl"
)
@click.argument("file", type=click.Path(readable=False))
@click.option(
    "--expect",
    is_flag=True,
    help="Compare with the decisions in FILE: say that they are equal, or exit 1 at the first difference.",
)
def replay(file: str, expect: bool) -> int:
    """Play the event log FILE through the engine and print its decisions as JSON Lines.

    Exit 0: played to its end. 1: a difference, shown. 65: a line that is no event. 66: no such file.
    """
    from dealerbox.station.replay import Difference
    from dealerbox.station.replay import replay as played

    number = 0
    try:
        for line in played(file, expect):
            click.echo(line)
            number += 1
    except Difference as error:
        click.echo(str(error), err=True)
        return Exit.FOUND
    if expect:
        click.echo(f"{file}: equal: the engine decides all {number} events as the log says", err=True)
    return Exit.DONE
