"""`dealerbox journal`: what a journal holds and whether it is what it was. Nothing but `prune` changes one."""

import contextlib
import datetime
import errno
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from dealerbox.cli.exits import Exit
from dealerbox.ports import DealerboxError

if TYPE_CHECKING:
    from dealerbox.journal.disk import Shelf
    from dealerbox.journal.record import Record
    from dealerbox.journal.recover import Head, Recovery

_CODES: Final = {"clean": Exit.DONE, "torn tail": Exit.FOUND, "rolled back": Exit.ROLLED_BACK, "corrupt": Exit.DATA}
"""Verdict -> exit code; of several journals the last in this order counts."""
_FILES = click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
_HEAD = click.option(
    "--head",
    metavar="SEQ:HASH|FILE",
    help="A head known from elsewhere: as `status` tells it, or a file that keeps it.",
)


@click.group(
    short_help="Verify, show, export or prune a journal.",
    epilog="Example: dealerbox journal verify /var/lib/dealerbox/journal",
)
def journal() -> None:
    """Look at a journal: the directory that holds it, or segments of it (NNNNNNNN.journal).

    Exit 0: clean. 1: a torn tail: its records were never called durable, or a bit flipped in the last of them.
    3: rolled back: whole, and older than the head given. 65: corrupt, with the file, offset and record at fault.
    66: not there. 74: the disk fails. No journal is changed by looking at it.
    """


@journal.command(epilog="Example: dealerbox journal verify --head head.json /var/lib/dealerbox/journal")
@_FILES
@_HEAD
def verify(files: tuple[Path, ...], head: str | None) -> int:
    """Say of each journal in words whether it is what it was, and where it is not."""
    return _each(files, head, lambda record: None, err=False)


@journal.command(epilog="Example: dealerbox journal show --first 120 --last 140 /var/lib/dealerbox/journal")
@_FILES
@_HEAD
@click.option("--first", type=click.IntRange(1), default=1, help="Number of the first record shown.")
@click.option("--last", type=click.IntRange(1), help="Number of the last record shown.")
def show(files: tuple[Path, ...], head: str | None, first: int, last: int | None) -> int:
    """Print every record, a line each: number, kind, wall clock, seconds since boot, content."""

    def tell(record: "Record") -> None:
        if record.seq >= first and (last is None or record.seq <= last):
            click.echo(_line(record))

    return _each(files, head, tell, err=True)


@journal.command(epilog="Example: dealerbox journal export --output night.jsonl /var/lib/dealerbox/journal")
@_FILES
@_HEAD
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE", help="A new file; default: standard output.")
def export(files: tuple[Path, ...], head: str | None, output: Path | None) -> int:
    """Write the events as JSON Lines, for `dealerbox replay`. Lines before a corrupt place are still good."""
    from dealerbox.journal.export import line
    from dealerbox.journal.record import RecordKind

    with contextlib.ExitStack() as closing:
        out = closing.enter_context(output.open("xb")) if output else None

        def write(record: "Record") -> None:
            if record.kind is RecordKind.EVENT:
                click.echo(line(record.seq, record.payload), file=out, nl=False)

        return _each(files, head, write, err=True)


@journal.command(epilog="Example: dealerbox journal prune --config station.toml --exported night.jsonl")
@click.option("--config", "file", required=True, metavar="FILE", type=click.Path(), help="The table: station.toml.")
@click.option("--exported", required=True, metavar="FILE", type=click.Path(), help="The whole export of this journal.")
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


def _each(files: Sequence[Path], head: str | None, take: "Callable[[Record], None]", *, err: bool) -> int:
    """Recover each journal, tell its verdict, return the code of the worst."""
    from dealerbox.journal.recover import recover

    anchor = _head(head) if head else None
    codes = []
    for shelf in _shelves(files):
        found = recover(shelf, take, anchor=anchor)
        click.echo(_verdict(shelf, found), err=err)
        codes.append(_CODES[found.verdict])
    return max(codes, key=list(_CODES.values()).index)


def _verdict(shelf: "Shelf", found: "Recovery") -> str:
    if found.why:
        return f"{shelf.where}: {found.verdict}: {found.why}"
    from dealerbox.journal.kept import said

    return f"{shelf.where}: {found.verdict}, {found.head.seq} records; head {said(found.head)}"


def _head(text: str) -> "Head":
    from dealerbox.journal.kept import head_of, read_kept

    try:
        return head_of(text)
    except ValueError:
        kept = read_kept(Path(text))
    if kept is None:
        raise FileNotFoundError(errno.ENOENT, "no head, and no file that keeps one", text)
    return kept


def _shelves(files: Sequence[Path]) -> "list[Shelf]":
    """Return a journal for each directory named, and for each directory of which segments are named."""
    from dealerbox.journal.disk import RealShelf
    from dealerbox.journal.segment import is_segment, numbers

    some: dict[Path, set[str]] = {}
    shelves: list[Shelf] = []
    for file in files:
        if file.is_dir():
            shelves.append(RealShelf(file))
            continue
        with file.open("rb"):  # one that is not there, or may not be read, is told by its own name
            pass
        if not is_segment(file.name):
            raise DealerboxError(f"{file}: no segment of a journal; they are called 00000001.journal and so on")
        some.setdefault(file.parent, set()).add(file.name)
    shelves += [RealShelf(folder, names) for folder, names in some.items()]
    for shelf in shelves:
        if not numbers(shelf):
            raise FileNotFoundError(errno.ENOENT, "no journal lies there", shelf.where)
    return shelves


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
