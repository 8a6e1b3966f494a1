"""The evening's records are reserved before its first hand: the first segment is made, the blocks of all are claimed.

The writer makes the others while the table is set up: writing 98 MB of zeros would keep a first start waiting.
"""

from dealerbox.journal.disk import Disk
from dealerbox.journal.record import BLOCK
from dealerbox.journal.recover import Recovery, mend
from dealerbox.journal.segment import SEGMENT_BYTES, claim, is_full, numbers
from dealerbox.ports import JournalError


def reserve(disk: Disk, recovery: Recovery, records: int, *, segment_bytes: int = SEGMENT_BYTES) -> int:
    """Claim segments until `records` more records of one block have room; return for how many there is room.

    Fewer than asked for where the disk is full. JournalError when the log may not go on or the disk fails.
    """
    try:
        mend(disk, recovery, segment_bytes=segment_bytes)
        last = numbers(disk)[-1]
        while (left := _left(recovery, last, segment_bytes)) < records:
            try:
                claim(disk, last + 1, segment_bytes)
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
