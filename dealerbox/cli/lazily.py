"""Groups of commands whose modules are imported when they are asked for."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click


class Lazily(click.Group):
    """The command `deal-test` of the package `room` is the one of that name in `room.deal_test`.

    A command's module is not imported before it is asked for, or listed by `--help`: `status` pays for no other.
    """

    def __init__(self, *, room: str, commands_of_room: Sequence[str], **rest: Any) -> None:
        super().__init__(**rest)
        self._room, self._names = room, tuple(commands_of_room)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name == "help":
            return click.Command("help", callback=lambda: click.echo(self.get_help(ctx)), add_help_option=False)
        if cmd_name not in self._names:
            return None
        module = import_module(f"{self._room}.{cmd_name.replace('-', '_')}")
        return next(one for one in vars(module).values() if isinstance(one, click.Command) and one.name == cmd_name)
