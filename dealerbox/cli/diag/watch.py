"""`dealerbox diag watch`: a station at a glance, live."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec

import click
import msgspec

from dealerbox.cli.exits import Exit
from dealerbox.cli.sockets import socket_option
from dealerbox.diagnostics.seen import Lookout
from dealerbox.ports import NotInstalled

EVERY_S = 1.0


@click.command(short_help="A live screen of a running station.", epilog="Example: dealerbox diag watch")
@click.argument("file", type=click.Path(readable=False), default="/etc/dealerbox/station.toml")
@socket_option("control.sock", "The station's control socket.")
@click.option("--json", "bare", is_flag=True, help="No screen: a line of JSON each second, until Ctrl-C.")
@click.option("--looks", type=click.IntRange(1), help="With --json: so many lines.")
def watch(file: str, path: str, bare: bool, looks: int | None) -> int:
    """Show zones and counts, wires with error rates and round trips, pins, lamps, clocks, journal and holds.

    A key for each test: what may not run now (a hand is open, or the table is not taken) says why. FILE is the table's,
    for the tests. Works over SSH, at 80 x 24, without colour (NO_COLOR=1). Counts and zones alone: no card is in it.

    Exit 69: no station answers, or Textual, which draws the screen, is not installed. 77: it is not for you.
    """
    lookout = Lookout(path)
    if bare:
        return asyncio.run(_told(lookout, looks))
    if find_spec("textual") is None:
        raise NotInstalled(
            "the live screen needs Textual, which is not installed: pip install 'dealerbox[watch]', or ask for --json"
        )
    asyncio.run(_answers(Lookout(path)))
    if not sys.stdout.isatty():
        raise click.UsageError("the live screen needs a terminal; --json gives lines, `dealerbox status` a look")
    from dealerbox.cli.watching.app import Watching

    Watching(lookout, file, _run).run()
    return Exit.DONE


async def _answers(lookout: Lookout) -> None:
    """DeviceGone when no station answers: a screen about nothing helps nobody."""
    await lookout.look()
    await lookout.end()


async def _told(lookout: Lookout, looks: int | None) -> int:
    done = 0
    try:
        while True:
            click.echo(msgspec.json.encode(await lookout.look()))
            sys.stdout.flush()
            done += 1
            if done == looks:
                return Exit.DONE
            await asyncio.sleep(EVERY_S)
    finally:
        await lookout.end()


def _run(words: Sequence[str]) -> None:
    """Run a command of `diag` at this terminal, and wait for Enter. Ctrl-C ends the command alone."""
    click.echo(f"dealerbox diag {' '.join(words)}\n")
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        subprocess.run([sys.executable, "-m", "dealerbox", "diag", *words], check=False)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        click.prompt("\nEnter: back to the screen", default="", show_default=False, prompt_suffix="")
    except (KeyboardInterrupt, click.Abort):
        click.echo("")
    finally:
        signal.signal(signal.SIGINT, before)
