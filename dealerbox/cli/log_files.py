"""Journals and exported logs as `dealerbox log` reads them: their verdicts, their lines, and views of them."""

import contextlib
import errno
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
import msgspec

from dealerbox.cli.exits import Exit
from dealerbox.ports import DealerboxError, NotAllowed

if TYPE_CHECKING:
    from dealerbox.journal.disk import Shelf
    from dealerbox.journal.evidence import Heads
    from dealerbox.journal.record import Record
    from dealerbox.journal.recover import Recovery
    from dealerbox.journal.signed import Signed

_CODES: Final = {"clean": Exit.DONE, "torn tail": Exit.FOUND, "rolled back": Exit.ROLLED_BACK, "corrupt": Exit.DATA}
"""Verdict -> exit code; of several journals the last in this order counts."""


def export_journals(files: Sequence[Path], anchor: "Signed | None", view: str, write: Callable[[bytes], object]) -> int:
    """Write the records of journals, or their events, with the closing line of a journal that is whole."""
    from dealerbox.journal.evidence import closing, line
    from dealerbox.journal.export import line as event_line
    from dealerbox.journal.record import RecordKind

    number = 0

    def take(record: "Record") -> None:
        nonlocal number
        number += 1
        if view == "records":
            write(line(record))
        elif record.kind is RecordKind.EVENT:
            write(event_line(record.seq, record.payload))

    def done(found: "Recovery") -> None:
        nonlocal number
        if view == "records" and found.verdict != "corrupt":
            write(closing(number, found.head))
        number = 0

    return verify_journals(files, anchor, take, err=True, done=done)


class Source:
    """Lines of a log and, once they were read, the code of the verdict on it."""

    def __init__(self, of: Iterable[bytes], code: int) -> None:
        self.of, self.code = of, code


@contextlib.contextmanager
def lines_of(files: Sequence[Path], anchor: "Signed | None") -> Iterator[Source]:
    """The lines of an exported log, or of what a journal would be exported to, spooled: a view reads them once."""
    import tempfile

    if is_exported(files[0]):
        code = verify_exported(files[0], anchor, err=True)
        with files[0].open("rb") as lines:
            yield Source(lines, code)
        return
    with tempfile.TemporaryFile() as spool:
        code = export_journals(files, anchor, "records", spool.write)
        spool.seek(0)
        yield Source(spool, code)


def write_view(lines: Iterable[bytes], view: str, name: str, write: Callable[[bytes], object]) -> int:
    from dealerbox.station.views import counts, hands

    for seen in (counts if view == "counts" else hands)(lines, name):
        write(msgspec.json.encode(seen) + b"\n")
    return Exit.DONE


def write_events(lines: Iterable[bytes], write: Callable[[bytes], object]) -> None:
    """Leave what is for verifying alone out of exported lines."""
    for line in lines:
        before, _, rest = line.partition(b',"record":"')
        event = rest.partition(b'",')[2]
        if event.startswith(b'"event":'):
            write(before + b"," + event)


def is_exported(file: Path) -> bool:
    """Tell whether a file is no journal and no segment of one: then it was exported, or is nothing of ours."""
    from dealerbox.journal.segment import is_segment

    return file.is_file() and not is_segment(file.name)


def verify_exported(file: Path, anchor: "Signed | None", *, err: bool = False) -> int:
    """Verify an exported log, tell the verdict, return its code."""
    from dealerbox.journal.evidence import verify
    from dealerbox.journal.kept import said

    with file.open("rb") as lines:
        found = verify(lines, str(file), anchor)
    where = found.why or f"{found.head.seq} records; head {said(found.head)}{_by(found.signed)}"
    click.echo(f"{file}: {found.verdict}{':' if found.why else ','} {where}", err=err)
    return _CODES[found.verdict]


def verify_journals(
    files: Sequence[Path],
    anchor: "Signed | None",
    take: "Callable[[Record], None]",
    *,
    err: bool,
    done: "Callable[[Recovery], None]" = lambda found: None,
) -> int:
    """Recover each journal, tell its verdict, return the code of the worst."""
    from dealerbox.journal.evidence import Heads
    from dealerbox.journal.recover import recover

    codes = []
    for shelf in _shelves(files):
        heads = Heads(anchor)

        def taken(record: "Record", heads: Heads = heads) -> None:
            heads.take(record)
            take(record)

        found = recover(shelf, taken, anchor=anchor.head() if anchor else None)
        done(found)
        click.echo(_verdict(shelf, found, heads), err=err)
        codes.append(max(_CODES[found.verdict], Exit.DATA if heads.why else Exit.DONE))
    return worst(codes)


def refuse_open_hand(files: Sequence[Path]) -> None:
    """NotAllowed when one of these is a station's own journal and a hand of it is open: nobody reads a card of it (P4).

    A copy of the journal's folder somewhere else is no station's.
    """
    from dealerbox.journal.disk import RealShelf
    from dealerbox.station.past import leaves_hand_open
    from dealerbox.station.state_dir import LOCK

    for folder in dict.fromkeys(file if file.is_dir() else file.parent for file in files if not is_exported(file)):
        if (folder.resolve().parent / LOCK).exists() and leaves_hand_open(RealShelf(folder)):
            raise NotAllowed(
                f"{folder}: a hand is open; its records are read when it is over; `dealerbox status` shows the table"
            )


def worst(codes: Sequence[int]) -> int:
    return max(codes, key=[int(code) for code in _CODES.values()].index)


def _verdict(shelf: "Shelf", found: "Recovery", heads: "Heads") -> str:
    if found.why or heads.why:
        return f"{shelf.where}: {found.verdict if found.why else 'corrupt'}: {found.why or heads.why}"
    from dealerbox.journal.kept import said

    return f"{shelf.where}: {found.verdict}, {found.head.seq} records; head {said(found.head)}{_by(heads.newest)}"


def _by(signed: "Signed | None") -> str:
    """Return which head the station has signed, and with which key."""
    return f"; head {signed.seq} signed by {signed.key}" if signed else ""


def head_told(text: str) -> "Signed":
    from dealerbox.journal.signed import head_given

    given = head_given(text)
    if given is None:
        raise FileNotFoundError(errno.ENOENT, "no head, and no file that keeps one", text)
    return given


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
