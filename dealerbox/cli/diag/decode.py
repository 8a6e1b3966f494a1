"""`dealerbox diag decode`: what a capture's frames say."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
import msgspec

from dealerbox.cli.exits import Exit

if TYPE_CHECKING:
    from dealerbox.diagnostics.captures.explained import Explained

_COLOURS: Final = {">": "cyan", "<": "green", "!": "red", "=": "yellow", "-": "white"}


@click.command(short_help="Explain a capture frame by frame.", epilog="Example: dealerbox diag decode seats.capture")
@click.argument("file", type=click.Path(readable=False, path_type=Path))
@click.option("--bytes", "with_bytes", is_flag=True, help="Show the bytes of each reading too.")
@click.option("--json", "bare", is_flag=True, help="A line of JSON for each frame.")
def decode(file: Path, with_bytes: bool, bare: bool) -> int:
    """Explain what `diag capture` wrote: seconds, then > to the device, < from it, ! no frame, = told, - the line.

    Exit 0: explained to its end. 65: it is no capture, or half of one (what is there is explained first), or a newer
    Dealerbox took it. 66: no such file.
    """
    from dealerbox.diagnostics.captures.explained import explained
    from dealerbox.diagnostics.captures.file import read

    capture = read(file)
    head = capture.header
    if not bare:
        click.echo(f"{head.device}, driver {head.driver}, tags: {head.uids}, taken by Dealerbox {head.software}")
    for one in explained(capture):
        click.echo(msgspec.json.encode(one) if bare else _line(one, with_bytes))
    capture.whole()
    return Exit.DONE


def _line(one: "Explained", with_bytes: bool) -> str:
    text = click.style(f"{one.way} {one.says}", fg=_COLOURS[one.way])
    shown = f"\n{'':14}{one.bytes}" if with_bytes and one.bytes else ""
    return f"{one.us / 1e6:11.6f}  {text}{shown}"
