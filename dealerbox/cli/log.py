"""`dealerbox log`: what a journal holds and whether it is what it was. Nothing but `prune` changes one."""

import contextlib
import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dealerbox.cli.exits import Exit
from dealerbox.cli.log_files import (
    export_journals,
    head_told,
    is_exported,
    lines_of,
    refuse_open_hand,
    verify_exported,
    verify_journals,
    worst,
    write_events,
    write_view,
)

if TYPE_CHECKING:
    from dealerbox.journal.record import Record

_FILES = click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(readable=False, path_type=Path)
)
_HEAD = click.option(
    "--head",
    metavar="HEAD",
    help="A head known from elsewhere: as `status` tells it, or a file that keeps it.",
)


@click.group(
    short_help="Verify, show, export or prune a journal.",
    epilog="Example: dealerbox log verify /var/lib/dealerbox/journal",
)
def log() -> None:
    """Look at a journal: the directory that holds it, or segments of it (NNNNNNNN.journal).

    Exit 0: clean. 1: a torn tail: its records were never called durable, or a bit flipped in the last of them.
    3: rolled back: whole, and older than the head given. 65: corrupt, with the file, offset and record at fault.
    66: not there. 74: the disk fails. No journal is changed by looking at it.
    """


@log.command(epilog="Example: dealerbox log verify --head head.json night.jsonl")
@_FILES
@_HEAD
def verify(files: tuple[Path, ...], head: str | None) -> int:
    """Say of each journal, or of what `log export` wrote of one, in words whether it is what it was, and where not.

    Nothing else is needed for it, and it may be done anywhere. Whatever was changed, taken out, put in, moved or cut is
    found up to the newest head that was kept elsewhere, which --head tells.
    """
    anchor = head_told(head) if head else None
    exported = [file for file in files if is_exported(file)]
    codes = [verify_exported(file, anchor) for file in exported]
    journals = [file for file in files if file not in exported]
    if journals:
        codes.append(verify_journals(journals, anchor, lambda record: None, err=False))
    return worst(codes)


@log.command(epilog="Example: dealerbox log show --first 120 --last 140 /var/lib/dealerbox/journal")
@_FILES
@_HEAD
@click.option("--first", type=click.IntRange(1), default=1, help="Number of the first record shown.")
@click.option("--last", type=click.IntRange(1), help="Number of the last record shown.")
def show(files: tuple[Path, ...], head: str | None, first: int, last: int | None) -> int:
    """Print every record, a line each: number, kind, wall clock, seconds since boot, content.

    Exit 77: in a station's own folder, while a hand is open.
    """

    refuse_open_hand(files)

    def tell(record: "Record") -> None:
        if record.seq >= first and (last is None or record.seq <= last):
            click.echo(_line(record))

    return verify_journals(files, head_told(head) if head else None, tell, err=True)


@log.command(epilog="Example: dealerbox log export --output night.jsonl /var/lib/dealerbox/journal")
@_FILES
@_HEAD
@click.option(
    "--view",
    type=click.Choice(["records", "events", "counts", "hands"]),
    default="records",
    show_default=True,
    help="records: all, to be verified and replayed. events: no more than `replay` needs. counts: the certified counts "
    "(1804B(8)). hands: each hand in short.",
)
@click.option(
    "--output",
    type=click.Path(readable=False, path_type=Path),
    metavar="FILE",
    help="A new file; default: standard output.",
)
def export(files: tuple[Path, ...], head: str | None, view: str, output: Path | None) -> int:
    """Write a journal as JSON Lines: what `log verify` verifies anywhere, and `replay` plays; or a view of it.

    FILE may be what was exported before. Lines before a corrupt place are still good.
    Exit 77: in a station's own folder, while a hand is open; counts and hands name no card and are written at any time.
    """
    anchor = head_told(head) if head else None
    if len(files) > 1 and any(is_exported(file) for file in files):
        raise click.UsageError("one exported log at a time")
    if view in ("records", "events"):
        refuse_open_hand(files)
    with contextlib.ExitStack() as closing:
        out = closing.enter_context(output.open("xb")) if output else None

        def write(line: bytes) -> None:
            click.echo(line, file=out, nl=False)

        if view in ("counts", "hands"):
            lines = closing.enter_context(lines_of(files, anchor))
            return write_view(lines.of, view, str(files[0]), write) or lines.code
        if is_exported(files[0]):
            with files[0].open("rb") as source:
                write_events(source, write) if view == "events" else write(source.read())
            return verify_exported(files[0], anchor, err=True)
        return export_journals(files, anchor, view, write)


@log.command(epilog="Example: dealerbox log prune --config station.toml --exported night.jsonl")
@click.option(
    "--config", "file", required=True, metavar="FILE", type=click.Path(readable=False), help="The table: station.toml."
)
@click.option(
    "--exported",
    required=True,
    metavar="FILE",
    type=click.Path(readable=False),
    help="The whole export of this journal.",
)
def prune(file: str, exported: str) -> int:
    """Remove the records that were exported; what they have led to stays.

    Only with the table closed and the station ended. Exit 1: not now, and why; nothing was changed.
    """
    from dealerbox.config.checks import checked
    from dealerbox.station.pruning import NotNow, prune_journal
    from dealerbox_drivers.pins.budget import pin_faults
    from dealerbox_drivers.registry import DRIVERS

    try:
        click.echo(prune_journal(checked(file, DRIVERS, pin_faults), Path(exported)))
    except NotNow as error:
        click.echo(str(error), err=True)
        return Exit.FOUND
    return Exit.DONE


def _line(record: "Record") -> str:
    stamp = record.stamp
    with contextlib.suppress(OverflowError, ValueError):
        wall = datetime.datetime.fromtimestamp(stamp.wall_us / 1e6, datetime.UTC).isoformat(" ", "milliseconds")
        return _columns(record, f"{wall[:-6]}Z")
    return _columns(record, "no date")


def _columns(record: "Record", wall: str) -> str:
    kind, quality = record.kind.name.lower(), record.stamp.quality.name.lower()
    boot_s = record.stamp.boottime_ns / 1e9
    content = record.payload.decode("utf-8", "backslashreplace")
    return f"{record.seq:>8}  {kind:<5}  {wall} {quality:<8}  {boot_s:>12.3f} s  {content}"
