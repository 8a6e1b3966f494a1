"""The few things the journal asks of a disk, so that a crash disk can stand in for the real one."""

import errno
import mmap
import os
from collections.abc import Collection
from pathlib import Path
from typing import Final, Protocol

STRAIGHT_BYTES: Final = 64 << 10
"""Most that one write past the kernel's cache takes; a record is 4 KiB nearly always."""


class Shelf(Protocol):
    """Files that can be read. Every call may raise OSError; names are names in one directory."""

    @property
    def where(self) -> str:
        """What people call it, for messages: its path."""

    def names(self) -> list[str]:
        """Return the names of all files, in any order."""

    def open(self, name: str) -> int:
        """Open a file; return its number."""

    def size(self, file: int) -> int:
        """Return the size in bytes."""

    def pread(self, file: int, length: int, offset: int) -> bytes:
        """Read up to `length` bytes."""

    def close(self, file: int) -> None:
        """Close the file."""


class Disk(Shelf, Protocol):
    """Files that can be written too; `open` opens to read and write."""

    def create(self, name: str) -> int:
        """Make an empty file (in the place of one of that name), open it to read and write; return its number."""

    def open_straight(self, name: str) -> int:
        """Open a file for writes of whole blocks that go past the kernel's cache, where there is a way past it."""

    def allocate(self, file: int, size: int) -> None:
        """Take the blocks for `size` bytes from the disk; none of them is written."""

    def pwrite(self, file: int, data: bytes, offset: int) -> int:
        """Write; return how many bytes were taken."""

    def fdatasync(self, file: int) -> None:
        """Return when the file's data are on the disk."""

    def fsync(self, file: int) -> None:
        """Return when the file's data and size are on the disk."""

    def rename(self, old: str, new: str) -> None:
        """Give a file another name, atomically."""

    def remove(self, name: str) -> None:
        """Remove a file."""

    def sync_directory(self) -> None:
        """Return when the names are on the disk."""


class RealShelf:
    """Files of the real file system, opened to be read and never changed: a whole directory, or some files of it."""

    def __init__(self, directory: Path, only: Collection[str] | None = None) -> None:
        self.directory = directory
        self._only = only

    @property
    def where(self) -> str:
        return str(self.directory)

    def names(self) -> list[str]:
        found = [path.name for path in self.directory.iterdir()]
        return found if self._only is None else [name for name in found if name in self._only]

    def open(self, name: str) -> int:
        return os.open(self.directory / name, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)

    def size(self, file: int) -> int:
        return os.fstat(file).st_size

    def pread(self, file: int, length: int, offset: int) -> bytes:
        return os.pread(file, length, offset)

    def close(self, file: int) -> None:
        os.close(file)


class RealDisk(RealShelf):
    """A directory of the real file system, made (0700) when it is missing."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._straight: dict[int, mmap.mmap] = {}
        """Of each file opened straight, the page-aligned memory that its writes are made from."""

    def create(self, name: str) -> int:
        flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
        return os.open(self.directory / name, flags, 0o600)

    def open(self, name: str) -> int:
        return os.open(self.directory / name, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)

    def open_straight(self, name: str) -> int:
        """As `open` where the file system knows no O_DIRECT, or not for blocks of this size."""
        memory = mmap.mmap(-1, STRAIGHT_BYTES)
        try:
            file = os.open(self.directory / name, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_DIRECT)
            try:
                os.preadv(file, [memoryview(memory)[: mmap.PAGESIZE]], 0)
            except OSError:
                os.close(file)
                raise
        except OSError as error:
            if error.errno != errno.EINVAL:
                raise
            return self.open(name)
        self._straight[file] = memory
        return file

    def close(self, file: int) -> None:
        self._straight.pop(file, None)
        super().close(file)

    def allocate(self, file: int, size: int) -> None:
        os.posix_fallocate(file, 0, size)

    def pwrite(self, file: int, data: bytes, offset: int) -> int:
        memory = self._straight.get(file)
        if memory is None:
            return os.pwrite(file, data, offset)
        data = data[:STRAIGHT_BYTES]
        memory[: len(data)] = data
        return os.pwrite(file, memoryview(memory)[: len(data)], offset)

    def fdatasync(self, file: int) -> None:
        os.fdatasync(file)

    def fsync(self, file: int) -> None:
        os.fsync(file)

    def rename(self, old: str, new: str) -> None:
        (self.directory / old).rename(self.directory / new)

    def remove(self, name: str) -> None:
        (self.directory / name).unlink()

    def sync_directory(self) -> None:
        directory = os.open(self.directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)
