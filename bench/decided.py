"""What a step decided, by kind: for whoever reads its commands."""

from collections.abc import Iterable
from typing import TypeVar

from dealerbox.model.commands import Command, Refuse

Kind = TypeVar("Kind", bound=Command)


def only(commands: Iterable[Command], kind: type[Kind]) -> list[Kind]:
    """Return the commands of one kind."""
    return [command for command in commands if isinstance(command, kind)]


def refused(commands: Iterable[Command]) -> list[str]:
    """Return why something was not done, refusal by refusal."""
    return [refusal.reason.value for refusal in only(commands, Refuse)]
