"""What the disk holds after a start: every record in order, and a verdict about the end.

- *clean*: all records are whole and chained, and nothing follows them.
- *torn tail*: what follows the last whole record was never known to be on the disk; it is dropped and noted.
- *corrupt*: something that was once on the disk is no longer what it was, or is not where it was; nothing is touched.
- *rolled back*: the log is whole but older than a head that is known from elsewhere.

Records that waited together share one sync, so a power cut may keep a later one of them and lose an
earlier: a whole record behind a damaged one is therefore no proof by itself. Its `synced` is: it names
what was on the disk when it was made.
"""

import contextlib
from collections.abc import Callable
from enum import StrEnum

import msgspec

from dealerbox.journal.disk import Disk, Shelf
from dealerbox.journal.record import BLOCK, NO_HASH, BadRecord, Record, RecordKind
from dealerbox.journal.segment import (
    SEGMENT_BYTES,
    ZERO_BLOCK,
    Reading,
    make,
    name_of,
    numbers,
    read_all,
    remove,
    sweep,
    write_all,
)
from dealerbox.ports import JournalError


class Verdict(StrEnum):
    """What recovery found."""

    CLEAN = "clean"
    TORN = "torn tail"
    CORRUPT = "corrupt"
    ROLLED_BACK = "rolled back"


class Head(msgspec.Struct, frozen=True):
    """The newest record: what must be kept elsewhere to notice a log that went back."""

    seq: int = 0
    digest: bytes = NO_HASH


class Recovery(msgspec.Struct, frozen=True, kw_only=True):
    """What recovery found, and where the next record goes."""

    verdict: Verdict
    head: Head
    segment: int
    """Number of the segment that takes the next record; 0: there is none yet."""
    offset: int
    why: str = ""
    """For every verdict but clean: file, offset, record, in one sentence."""
    dropped: int = 0
    """Blocks of the torn tail that are not zero."""

    def demand(self) -> None:
        """JournalError unless the log may be continued."""
        if self.verdict in (Verdict.CORRUPT, Verdict.ROLLED_BACK):
            raise JournalError(f"the journal is {self.verdict}: {self.why}")


class _Found(Exception):
    """Recovery ends here with this verdict."""

    def __init__(self, verdict: Verdict, why: str) -> None:
        self.verdict = verdict
        self.why = why


class _Scan:
    """Reads all segments in order; `take` gets each record of the chain."""

    def __init__(self, disk: Shelf, take: Callable[[Record], None], size: int, anchor: Head) -> None:
        self._disk, self._take, self._size, self._anchor = disk, take, size, anchor
        self.head = Head()
        self.segment, self.offset = 0, 0
        self.bad = ""
        """The first place where the chain does not go on though something stands there."""
        self.dropped = 0

    def run(self) -> None:
        found = numbers(self._disk)
        missing = sorted(set(range(found[0], found[-1] + 1)) - set(found)) if found else []
        if missing:
            raise _Found(Verdict.CORRUPT, f"{self._disk.where}/{name_of(missing[0])} is missing")
        first = base(self._disk, found)
        self._known(first.before)
        if 0 < self._anchor.seq < first.before.seq:
            why = f"it begins after record {first.before.seq}; record {self._anchor.seq} was known"
            raise _Found(Verdict.ROLLED_BACK, why)
        for number in [number for number in found if number >= first.segment]:
            with contextlib.closing(Reading(self._disk, number)) as segment:
                if number == first.segment:
                    self.head = first.before
                self._read(segment)

    def _known(self, head: Head) -> None:
        """Raise when this is where the known head must be, and it is another."""
        if head.seq == self._anchor.seq and head.digest != self._anchor.digest:
            raise _Found(Verdict.ROLLED_BACK, f"record {head.seq} is not the one that is known from elsewhere")

    def _read(self, segment: Reading) -> None:
        """Follow the chain through one segment, then look through its rest."""
        offset = 0
        self.segment = self.segment or segment.number
        if not self.dropped:
            offset = self._follow(segment)
        if segment.size != self._size:
            cut = f"{self._disk.where}/{segment.name} has {segment.size} bytes and must have {self._size}"
            raise _Found(Verdict.CORRUPT, f"{cut}: what came after record {self.head.seq} may be cut off")
        offset = segment.nonzero(offset)
        while offset < segment.size:
            self.dropped += 1
            self._judge(segment, offset)
            offset = segment.nonzero(offset + BLOCK)

    def _follow(self, segment: Reading) -> int:
        """Take the records that continue the chain from the segment's start; return where they end."""
        offset = 0
        while offset < segment.size:
            data, decoded = segment.record(offset)
            if isinstance(decoded, BadRecord):
                break
            record, digest = decoded
            if record.seq != self.head.seq + 1 or record.previous != self.head.digest:
                break
            self.head = Head(record.seq, digest)
            self._known(self.head)
            self._take(record)
            offset += len(data)
            self.segment, self.offset = segment.number, offset
        return offset

    def _judge(self, segment: Reading, offset: int) -> None:
        """Raise when the block behind the chain's end proves that it once went on; remember why it does not."""
        _, decoded = segment.record(offset)
        wanted = self.head.seq + 1
        place = f"{self._disk.where}/{segment.name}, offset {offset}"
        if isinstance(decoded, BadRecord):
            self.bad = self.bad or f"{place}: record {wanted}: {decoded.why}"
            return
        record, _ = decoded
        if record.seq <= wanted or record.synced >= wanted:
            if not self.bad:
                raise _Found(Verdict.CORRUPT, f"{place}: record {record.seq} does not follow record {self.head.seq}")
            raise _Found(Verdict.CORRUPT, f"{self.bad}; record {record.seq} behind it proves that it was once whole")
        self.bad = self.bad or f"{place}: record {record.seq} without record {wanted} before it"


class Base(msgspec.Struct, frozen=True):
    """Where a log begins: its first segment that counts, and the head before that segment's first record."""

    segment: int = 1
    before: Head = Head()


def base(disk: Shelf, found: list[int]) -> Base:
    """Return where the log in the segments `found` begins: at record 1, or at the base that pruning left.

    Segments before a base are what a crash kept pruning from removing. OSError.
    """
    why = ""
    for number in found if found and found[0] > 1 else []:
        with contextlib.closing(Reading(disk, number)) as segment:
            _, decoded = segment.record(0)
        if isinstance(decoded, BadRecord):
            why = why or f"{disk.where}/{name_of(number)}, offset 0: the record that the log begins with: {decoded.why}"
        elif decoded[0].kind is RecordKind.BASE:
            return Base(number, Head(decoded[0].seq - 1, decoded[0].previous))
    if found and found[0] > 1:
        raise _Found(Verdict.CORRUPT, why or f"{disk.where}/{name_of(found[0] - 1)} is missing")
    return Base()


def recover(
    disk: Shelf, take: Callable[[Record], None], *, segment_bytes: int = SEGMENT_BYTES, anchor: Head | None = None
) -> Recovery:
    """Read the whole journal, give each record to `take`, and judge its end. Changes nothing.

    `anchor`: a head known from elsewhere (a signed hand-out, the shuffler's pairing). When the
    verdict is corrupt or rolled back, what `take` got must not be used. JournalError when the disk fails.
    """
    scan = _Scan(disk, take, segment_bytes, anchor or Head())
    verdict, why = Verdict.CLEAN, ""
    try:
        scan.run()
        if scan.dropped:
            verdict, why = Verdict.TORN, f"{scan.bad}; {scan.dropped} block(s) after record {scan.head.seq} dropped"
        if anchor and scan.head.seq < anchor.seq:
            verdict, why = Verdict.ROLLED_BACK, f"it ends with record {scan.head.seq}; record {anchor.seq} was known"
    except _Found as found:
        verdict, why = found.verdict, found.why
    except OSError as error:
        raise JournalError(f"{disk.where}: cannot read the journal: {error}") from error
    return Recovery(
        verdict=verdict, head=scan.head, segment=scan.segment, offset=scan.offset, why=why, dropped=scan.dropped
    )


def mend(disk: Disk, recovery: Recovery, *, segment_bytes: int = SEGMENT_BYTES) -> None:
    """Make the log ready to go on where its chain ends: first segment made, torn tail zeroed, leftovers removed.

    Leftovers are segments whose making or whose pruning a crash cut short.

    A crash in here leaves a torn tail again. JournalError when the log may not go on. OSError when the disk fails.
    """
    recovery.demand()
    sweep(disk)
    found = numbers(disk)
    if not found:
        make(disk, 1, segment_bytes)
    first = base(disk, found).segment
    remove(disk, [number for number in found if number < first])
    if recovery.dropped:
        for number in [number for number in found if number >= recovery.segment]:
            start = recovery.offset if number == recovery.segment else 0
            _zero(disk, number, start, segment_bytes)


def _zero(disk: Disk, number: int, start: int, size: int) -> None:
    file = disk.open(name_of(number))
    try:
        for offset in range(start, size, BLOCK):
            if read_all(disk, file, BLOCK, offset) != ZERO_BLOCK:
                write_all(disk, file, ZERO_BLOCK, offset)
        disk.fsync(file)
    finally:
        disk.close(file)
