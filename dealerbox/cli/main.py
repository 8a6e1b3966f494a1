"""The command `dealerbox`: a subcommand a module."""

import os
import sys
from collections.abc import Sequence
from typing import Any, Final

import click

from dealerbox import __version__
from dealerbox.cli.exits import Exit, exit_of, sentences_of
from dealerbox.cli.lazily import Lazily
from dealerbox.ports import DealerboxError

COMMANDS: Final = ("run", "check", "deck", "simulate", "replay", "status", "explain", "rule", "fouled", "log", "diag")


TWINS: Final = "dealerbox.simulate"
"""Comes with a distribution of its own."""


class _Dealerbox(Lazily):
    def invoke(self, ctx: click.Context) -> Any:
        try:
            answer = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:  # whoever read it has read enough; click would call it a finding, 1
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return Exit.INTERRUPTED
        return answer


@click.group(
    cls=_Dealerbox,
    room="dealerbox.cli",
    commands_of_room=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: dealerbox check /etc/dealerbox/station.toml",
)
@click.version_option(__version__, prog_name="dealerbox")
def dealerbox() -> None:
    """The box under a poker table: it can stop a hand; it cannot start, reorder or reveal one.

    Exit codes: docs/codes.md.
    """


def run(arguments: Sequence[str]) -> int:
    """Do what `arguments` say and return the exit code; every error becomes a sentence here, none a traceback."""
    try:
        answer = dealerbox.main(args=list(arguments), prog_name="dealerbox", standalone_mode=False)
    except click.Abort:
        return Exit.INTERRUPTED
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith(TWINS):
            raise
        click.echo(
            f"dealerbox {arguments[0]}: needs dealerbox-twins, which no table has; install it elsewhere", err=True
        )
        return Exit.NOT_RUNNING
    except (DealerboxError, OSError) as error:
        for sentence in sentences_of(error):
            click.echo(sentence, err=True)
        return exit_of(error)
    return answer if isinstance(answer, int) else Exit.DONE


def main() -> None:
    """Entry point of the script `dealerbox`."""
    sys.exit(run(sys.argv[1:]))
