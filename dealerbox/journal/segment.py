"""Segments: the files of the journal, made whole and zero-written before the first record goes in.

A segment is made under a temporary name, written with zeros, synced, renamed and its
directory synced: after that a record's fdatasync has no size or name to commit, and a
segment that is shorter than it should be was cut by somebody, never by a crash.
"""

import errno
import re
from typing import Final

from dealerbox.journal.disk import Disk
from dealerbox.journal.record import BLOCK

SEGMENT_BYTES: Final = 16 << 20
_CHUNK: Final = 64 * BLOCK
_NAME: Final = re.compile(r"(\d{8})\.journal")
_TEMPORARY: Final = ".making"


def name_of(number: int) -> str:
    """Return the file name of segment `number` (from 1)."""
    return f"{number:08d}.journal"


def numbers(disk: Disk) -> list[int]:
    """Return the numbers of all segments, ascending. OSError."""
    found = (_NAME.fullmatch(name) for name in disk.names())
    return sorted(int(match[1]) for match in found if match)


def make(disk: Disk, number: int, size: int = SEGMENT_BYTES) -> None:
    """Make segment `number`, all zeros, and return when it will survive a power cut. OSError."""
    temporary = name_of(number) + _TEMPORARY
    file = disk.create(temporary)
    try:
        zeros = bytes(_CHUNK)
        for offset in range(0, size, _CHUNK):
            write_all(disk, file, zeros[: size - offset], offset)
        disk.fsync(file)
    finally:
        disk.close(file)
    disk.rename(temporary, name_of(number))
    disk.sync_directory()


def sweep(disk: Disk) -> None:
    """Remove segments whose making a crash cut short. OSError."""
    for name in disk.names():
        if name.endswith(_TEMPORARY):
            disk.remove(name)


def write_all(disk: Disk, file: int, data: bytes, offset: int) -> None:
    """Write all of `data`; a short or interrupted write goes on where it stopped. OSError."""
    while data:
        try:
            taken = disk.pwrite(file, data, offset)
        except InterruptedError:
            continue  # nothing was taken: the same bytes to the same place are the same write
        if taken <= 0:
            raise OSError(errno.ENOSPC, "the disk takes no more bytes")
        data = data[taken:]
        offset += taken


def read_all(disk: Disk, file: int, length: int, offset: int) -> bytes:
    """Read `length` bytes, fewer only at the end of the file. OSError."""
    parts = []
    while length > 0:
        part = disk.pread(file, length, offset)
        if not part:
            break
        parts.append(part)
        length -= len(part)
        offset += len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)
