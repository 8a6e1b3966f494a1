"""What the disk holds after a start: every record in order, and a verdict about the end.

- *clean*: all records are whole and chained, and nothing follows them.
- *torn tail*: what follows the last whole record was never known to be on the disk; it is dropped and noted.
- *corrupt*: something that was once on the disk is no longer what it was, or is not where it was; nothing is touched.
- *rolled back*: the log is whole but older than a head that is known from elsewhere.

Records that waited together share one sync, so a power cut may keep a later one of them and lose an
earlier: a whole record behind a damaged one is therefore no proof by itself. Its `synced` is: it names
what was on the disk when it was made.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Final

import msgspec

from dealerbox.journal.disk import Disk
from dealerbox.journal.record import BLOCK, NO_HASH, BadRecord, Record, blocks_of, decode
from dealerbox.journal.segment import SEGMENT_BYTES, make, name_of, numbers, read_all, sweep, write_all
from dealerbox.ports import JournalError

_CHUNK: Final = 64 * BLOCK
_ZERO_CHUNK: Final = bytes(_CHUNK)
_ZERO_BLOCK: Final = bytes(BLOCK)


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


class _Segment:
    """A segment as it is read: any blocks by offset, and the next that is not zero."""

    def __init__(self, disk: Disk, number: int, size: int) -> None:
        self.name = name_of(number)
        self.size = size
        self._disk = disk
        self._file = disk.open(self.name)
        self._at, self._chunk = 0, b""
        found = disk.size(self._file)
        if found != size:
            disk.close(self._file)
            raise _Found(Verdict.CORRUPT, f"{disk.where}/{self.name} has {found} bytes and must have {size}")

    def close(self) -> None:
        self._disk.close(self._file)

    def read(self, offset: int, blocks: int = 1) -> bytes:
        length = min(blocks * BLOCK, self.size - offset)
        if not self._at <= offset <= offset + length <= self._at + len(self._chunk):
            self._chunk = read_all(self._disk, self._file, max(length, min(_CHUNK, self.size - offset)), offset)
            self._at = offset
        return self._chunk[offset - self._at : offset - self._at + length]

    def nonzero(self, offset: int) -> int:
        """Return the offset of the first block from `offset` on that is not zero, or the size."""
        while offset < self.size:
            chunk = read_all(self._disk, self._file, min(_CHUNK, self.size - offset), offset)
            if chunk != _ZERO_CHUNK[: len(chunk)]:
                for start in range(0, len(chunk), BLOCK):
                    if chunk[start : start + BLOCK] != _ZERO_BLOCK:
                        return offset + start
            offset += len(chunk)
        return self.size


class _Scan:
    """Reads all segments in order; `take` gets each record of the chain."""

    def __init__(self, disk: Disk, take: Callable[[Record], None], size: int, anchor: Head) -> None:
        self._disk, self._take, self._size, self._anchor = disk, take, size, anchor
        self.head = Head()
        self.segment, self.offset = 0, 0
        self.bad = ""
        """The first place where the chain does not go on though something stands there."""
        self.dropped = 0

    def run(self) -> None:
        found = numbers(self._disk)
        if found and found != list(range(1, found[-1] + 1)):
            missing = min(set(range(1, found[-1] + 1)) - set(found))
            raise _Found(Verdict.CORRUPT, f"{self._disk.where}/{name_of(missing)} is missing")
        for number in found:
            segment = _Segment(self._disk, number, self._size)
            try:
                self._read(segment, number)
            finally:
                segment.close()

    def _read(self, segment: _Segment, number: int) -> None:
        """Follow the chain through one segment, then look through its rest."""
        offset = 0
        if self.segment == 0:
            self.segment = number
        if not self.dropped:
            offset = self._follow(segment, number)
        offset = segment.nonzero(offset)
        while offset < segment.size:
            self.dropped += 1
            self._judge(segment, offset)
            offset = segment.nonzero(offset + BLOCK)

    def _follow(self, segment: _Segment, number: int) -> int:
        """Take the records that continue the chain from the segment's start; return where they end."""
        offset = 0
        while offset < segment.size:
            data = segment.read(offset, blocks_of(segment.read(offset)))
            decoded = decode(data)
            if isinstance(decoded, BadRecord):
                break
            record, digest = decoded
            if record.seq != self.head.seq + 1 or record.previous != self.head.digest:
                break
            if record.seq == self._anchor.seq and digest != self._anchor.digest:
                raise _Found(Verdict.ROLLED_BACK, f"record {record.seq} is not the one that is known from elsewhere")
            self.head = Head(record.seq, digest)
            self._take(record)
            offset += len(data)
            self.segment, self.offset = number, offset
        return offset

    def _judge(self, segment: _Segment, offset: int) -> None:
        """Raise when the block behind the chain's end proves that it once went on; remember why it does not."""
        decoded = decode(segment.read(offset, blocks_of(segment.read(offset))))
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


def recover(
    disk: Disk, take: Callable[[Record], None], *, segment_bytes: int = SEGMENT_BYTES, anchor: Head | None = None
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

    A crash in here leaves a torn tail again. JournalError when the log may not go on. OSError when the disk fails.
    """
    recovery.demand()
    sweep(disk)
    found = numbers(disk)
    if not found:
        make(disk, 1, segment_bytes)
    if recovery.dropped:
        for number in found[recovery.segment - 1 :]:
            start = recovery.offset if number == recovery.segment else 0
            _zero(disk, number, start, segment_bytes)


def _zero(disk: Disk, number: int, start: int, size: int) -> None:
    file = disk.open(name_of(number))
    try:
        for offset in range(start, size, BLOCK):
            if read_all(disk, file, BLOCK, offset) != _ZERO_BLOCK:
                write_all(disk, file, _ZERO_BLOCK, offset)
        disk.fsync(file)
    finally:
        disk.close(file)
