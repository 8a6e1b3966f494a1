"""Segments: the files of the journal, made whole and zero-written before the first record goes in.

A segment is made under a temporary name, written with zeros, synced, renamed and its
directory synced: after that a record's fdatasync has no size or name to commit, and a
segment that is shorter than it should be was cut by somebody, never by a crash.

Before that its blocks can be claimed, which takes no time: then the disk cannot be too full for it.
"""

import errno
import re
from collections.abc import Callable
from typing import Final

from dealerbox.journal.disk import Disk, Shelf
from dealerbox.journal.record import BLOCK, BadRecord, Record, blocks_of, decode

SEGMENT_BYTES: Final = 16 << 20
_CHUNK: Final = 64 * BLOCK
_NAME: Final = re.compile(r"(\d{8})\.journal")
_TEMPORARY: Final = ".making"
_CLAIM: Final = ".claimed"
_ZERO_CHUNK: Final = bytes(_CHUNK)
ZERO_BLOCK: Final = bytes(BLOCK)


def name_of(number: int) -> str:
    """Return the file name of segment `number` (from 1)."""
    return f"{number:08d}.journal"


def is_segment(name: str) -> bool:
    """Tell whether a file of this name is a segment."""
    return _NAME.fullmatch(name) is not None


def numbers(disk: Shelf) -> list[int]:
    """Return the numbers of all segments, ascending. OSError."""
    found = (_NAME.fullmatch(name) for name in disk.names())
    return sorted(int(match[1]) for match in found if match)


def is_full(error: Exception) -> bool:
    """Tell whether an error says that a disk, or what we may use of it, is full: bad, and no fault of the disk."""
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


def claims(disk: Shelf) -> list[int]:
    """Return the numbers of the claimed segments, ascending. OSError."""
    found = (_NAME.fullmatch(name.removesuffix(_CLAIM)) for name in disk.names() if name.endswith(_CLAIM))
    return sorted(int(match[1]) for match in found if match)


def claim(disk: Disk, number: int, size: int = SEGMENT_BYTES) -> None:
    """Take the blocks of segment `number`, which is to be made later; one that is claimed already stays so.

    OSError. Where there is no room nothing is left.
    """
    name = name_of(number) + _CLAIM
    file = disk.open(name) if name in disk.names() else disk.create(name)
    try:
        disk.allocate(file, size)
    except OSError as error:
        if is_full(error):
            disk.remove(name)
        raise
    finally:
        disk.close(file)


def make(
    disk: Disk,
    number: int,
    size: int = SEGMENT_BYTES,
    *,
    claimed: bool = False,
    stopped: Callable[[], bool] = lambda: False,
) -> bool:
    """Make segment `number`, all zeros, from its claim if it has one; return when it will survive a power cut.

    False when it was `stopped` before it was whole: the next start removes it. OSError. What was made of one for
    which there is no room is removed.
    """
    temporary = name_of(number) + _TEMPORARY
    if claimed:
        disk.rename(name_of(number) + _CLAIM, temporary)
    file = disk.open(temporary) if claimed else disk.create(temporary)
    try:
        for offset in range(0, size, _CHUNK):
            if stopped():
                return False
            write_all(disk, file, _ZERO_CHUNK[: size - offset], offset)
        disk.fsync(file)
    except OSError as error:
        if is_full(error):
            disk.remove(temporary)
        raise
    finally:
        disk.close(file)
    disk.rename(temporary, name_of(number))
    disk.sync_directory()
    return True


def sweep(disk: Disk) -> None:
    """Remove segments whose making a crash cut short, and claims that were made otherwise. OSError."""
    made = set(numbers(disk))
    for name in disk.names():
        if name.endswith(_TEMPORARY):
            disk.remove(name)
    for number in claims(disk):
        if number in made:
            disk.remove(name_of(number) + _CLAIM)


def remove(disk: Disk, those: list[int]) -> None:
    """Remove segments, the oldest first and each for good before the next. OSError."""
    for number in sorted(those):
        disk.remove(name_of(number))
        disk.sync_directory()


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


def read_all(disk: Shelf, file: int, length: int, offset: int) -> bytes:
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


class Reading:
    """A segment as it is read: any blocks by offset, and the next that is not zero. Every call may raise OSError."""

    def __init__(self, disk: Shelf, number: int) -> None:
        self.number = number
        self.name = name_of(number)
        self._disk = disk
        self._file = disk.open(self.name)
        self._at, self._chunk = 0, b""
        try:
            self.size = disk.size(self._file)
        except OSError:
            disk.close(self._file)
            raise

    def close(self) -> None:
        self._disk.close(self._file)

    def read(self, offset: int, blocks: int = 1) -> bytes:
        """Return so many blocks, fewer at the end of the file."""
        length = min(blocks * BLOCK, self.size - offset)
        if not self._at <= offset <= offset + length <= self._at + len(self._chunk):
            self._chunk = read_all(self._disk, self._file, max(length, min(_CHUNK, self.size - offset)), offset)
            self._at = offset
        return self._chunk[offset - self._at : offset - self._at + length]

    def record(self, offset: int) -> tuple[bytes, tuple[Record, bytes] | BadRecord]:
        """Return the blocks that a record starting here would take, and what they are."""
        data = self.read(offset, blocks_of(self.read(offset)))
        return data, decode(data)

    def nonzero(self, offset: int) -> int:
        """Return the offset of the first block from `offset` on that is not zero, or the size."""
        while offset < self.size:
            chunk = read_all(self._disk, self._file, min(_CHUNK, self.size - offset), offset)
            if chunk != _ZERO_CHUNK[: len(chunk)]:
                for start in range(0, len(chunk), BLOCK):
                    if chunk[start : start + BLOCK].strip(b"\0"):
                        return offset + start
            offset += len(chunk)
        return self.size
