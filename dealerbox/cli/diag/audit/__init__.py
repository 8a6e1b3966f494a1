"""`dealerbox diag audit`: is the shuffler shuffling?"""

from typing import Final

import click

from dealerbox.cli.lazily import Lazily

COMMANDS: Final = ("shuffle", "bench")


@click.group(
    cls=Lazily,
    room=__name__,
    commands_of_room=COMMANDS,
    short_help="Is the shuffler shuffling?",
    epilog="Example: dealerbox diag audit shuffle",
)
def audit() -> None:
    """Look into what the table's machines are relied on for."""
