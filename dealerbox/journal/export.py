"""The journal as an event log: JSON Lines that `dealerbox replay` plays.

Each line is `{"seq":N,"event":{...},"commands":[...]}`; the first holds `Started`.
Heads of runs are left out, so seqs rise and may skip.
"""

from collections.abc import Callable

from dealerbox.journal.disk import Disk
from dealerbox.journal.record import Record, RecordKind
from dealerbox.journal.recover import Recovery, recover
from dealerbox.journal.segment import SEGMENT_BYTES


def line(seq: int, payload: bytes) -> bytes:
    """Return the log's line (with its newline) for an event record's payload, a JSON object."""
    return b'{"seq":%d,%s\n' % (seq, payload[1:])


def export(disk: Disk, write: Callable[[bytes], object], *, segment_bytes: int = SEGMENT_BYTES) -> Recovery:
    """Write every event record as a line and return the verdict: lines before a corrupt place are still good.

    JournalError when the disk cannot be read.
    """

    def take(record: Record) -> None:
        if record.kind is RecordKind.EVENT:
            write(line(record.seq, record.payload))

    return recover(disk, take, segment_bytes=segment_bytes)
