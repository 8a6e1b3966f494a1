"""The evening's records are reserved before its first hand: their blocks are made, and on the disk."""

from dealerbox.journal.disk import Disk
from dealerbox.journal.record import BLOCK
from dealerbox.journal.recover import Recovery, mend
from dealerbox.journal.segment import SEGMENT_BYTES, is_full, make, numbers
from dealerbox.ports import JournalError


def reserve(disk: Disk, recovery: Recovery, records: int, *, segment_bytes: int = SEGMENT_BYTES) -> int:
    """Make segments until `records` more records of one block have room; return for how many there is room.

    Fewer than asked for where the disk is full. JournalError when the log may not go on or the disk fails.
    """
    try:
        mend(disk, recovery, segment_bytes=segment_bytes)
        last = numbers(disk)[-1]
        while (left := _left(recovery, last, segment_bytes)) < records:
            try:
                make(disk, last + 1, segment_bytes)
            except OSError as error:
                if is_full(error):
                    return left
                raise
            last += 1
    except OSError as error:
        raise JournalError(f"{disk.where}: cannot continue the journal: {error}") from error
    return left


def _left(recovery: Recovery, last: int, segment_bytes: int) -> int:
    return ((last - max(recovery.segment, 1) + 1) * segment_bytes - recovery.offset) // BLOCK
