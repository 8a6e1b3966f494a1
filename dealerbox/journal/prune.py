"""Pruning: one record that holds what all records before it have led to, then the segments before it go."""

from dealerbox.journal.disk import Disk
from dealerbox.journal.record import Record, RecordKind, Stamp, encode
from dealerbox.journal.recover import Head, Recovery, mend
from dealerbox.journal.segment import SEGMENT_BYTES, make, name_of, numbers, remove, write_all


def prune(
    disk: Disk, recovery: Recovery, payload: bytes, *, boot_id: bytes, stamp: Stamp, segment_bytes: int = SEGMENT_BYTES
) -> Head:
    """Begin the log anew with a base that holds `payload`, remove all segments before it, return the new head.

    Only for records that were exported, and with no writer at work: who calls this has seen to both. A crash in
    here leaves the whole log, or the base with some segments before it that the next start removes. JournalError
    when the log may not go on, OSError when the disk fails.
    """
    mend(disk, recovery, segment_bytes=segment_bytes)
    number = recovery.segment + 1 if recovery.offset else max(recovery.segment, 1)
    if number not in numbers(disk):
        make(disk, number, segment_bytes)
    record = Record(
        seq=recovery.head.seq + 1,
        synced=recovery.head.seq,
        kind=RecordKind.BASE,
        stamp=stamp,
        boot_id=boot_id,
        previous=recovery.head.digest,
        payload=payload,
    )
    data, digest = encode(record)
    file = disk.open(name_of(number))
    try:
        write_all(disk, file, data, 0)
        disk.fdatasync(file)
    finally:
        disk.close(file)
    remove(disk, [older for older in numbers(disk) if older < number])
    return Head(record.seq, digest)
