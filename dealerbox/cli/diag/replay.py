"""`dealerbox diag replay`: a capture played into its driver, with no device at all."""

from pathlib import Path

import click
import msgspec

from dealerbox.cli.exits import Exit


@click.command(
    short_help="Play a capture into its driver, offline.", epilog="Example: dealerbox diag replay tests/captures/*"
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(readable=False, path_type=Path))
@click.option("--json", "bare", is_flag=True, help="A line of JSON for each file.")
def replay(files: tuple[Path, ...], bare: bool) -> int:
    """Play captures of wires into this version's drivers, in virtual time: do they ask and tell what they did then?

    No device is opened. (Journals are played by `dealerbox replay`.)

    Exit 0: all as they were. 1: a driver does otherwise now. 65: no capture, half of one, of a newer Dealerbox or of
    a driver that is not known here. 66: no such file.
    """
    from dealerbox.diagnostics.captures.file import read
    from dealerbox.diagnostics.captures.played import played

    code = Exit.DONE
    for file in files:
        found = played(read(file))
        if bare:
            click.echo(msgspec.json.encode(found))
        else:
            said = found.difference or f"{found.asked} bytes asked and {found.told} events told as they were"
            click.echo(f"{file}: {found.driver}: {said}")
        code = Exit.FOUND if found.difference else code
    return code
