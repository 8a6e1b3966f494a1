"""A disk in memory that can fail at any call, and lose power between any two (satisfies the journal's `Disk`)."""

import errno
import itertools
import math
import threading
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Final

BLOCK: Final = 4096
SECTOR: Final = 512
TRASH: Final = b"\xa5\x5a" * (BLOCK // 2)
FATES: Final = ("dropped", "written", "shorn", "trashed")
"""Of each unsynced block: not there, there, its first sector alone, or rubbish."""

Files = dict[str, bytes]
"""What is found after a power cut, by name."""
Write = tuple[int, bytes]
Names = dict[str, "Inode"]
Move = Callable[[Names], Names]


class Inode:
    """A file: what is on the platter, and what was written since the last sync."""

    def __init__(self, kept: bytes = b"") -> None:
        self.kept = kept
        self.pending: list[Write] = []

    def seen(self) -> bytes:
        """Return what a reader sees now."""
        return merged(self.kept, self.pending)


def merged(base: bytes, writes: list[Write]) -> bytes:
    """Return `base` with the writes done to it."""
    if not writes:
        return base
    data = bytearray(base)
    for offset, chunk in writes:
        if len(data) < offset + len(chunk):
            data.extend(bytes(offset + len(chunk) - len(data)))
        data[offset : offset + len(chunk)] = chunk
    return bytes(data)


class CrashDisk:
    """Keeps only what was synced; `states()` yields every content that a power cut now could leave behind.

    `before(call)` and `after(call)` hear of every call that changes something; what `before` raises is what the
    call raises. `forgets`: from now on a sync is acknowledged and nothing is kept.
    """

    where = "/crash"

    def __init__(self, files: Mapping[str, bytes] | None = None) -> None:
        self.inodes = {name: Inode(data) for name, data in (files or {}).items()}
        self.kept_names: dict[str, Inode] = dict(self.inodes)
        self.moves: list[Move] = []
        """What was done to the names since the directory was synced, in order."""
        self.opened: dict[int, Inode] = {}
        self.names_of: dict[int, str] = {}
        self.calls: list[str] = []
        self.writes: list[tuple[str, int, bytes]] = []
        """Every write that was taken: file, offset, data."""
        self.before: Callable[[str], None] = lambda call: None
        self.after: Callable[[str], None] = lambda call: None
        self.before_read: Callable[[str], None] = lambda call: None
        self.short: set[int] = set()
        """Numbers of calls (from 1) that take only half of what they are given."""
        self.forgets = False
        self.lock = threading.RLock()

    def fail(self, at: int, error: int) -> None:
        """Make the `at`-th call from now on (counted from 0) raise, and only that one."""
        first = len(self.calls) + at

        def before(call: str) -> None:
            if len(self.calls) - 1 == first:
                raise OSError(error, errno.errorcode[error])

        self.before = before

    def states(self) -> Iterator[Files]:
        """Yield every mixture of fates of the unsynced blocks, under each set of names that may have survived."""
        yield from self._states(lambda inode: list(_contents(inode)))

    def number_of_states(self) -> int:
        """Return how many `states` would yield."""
        blocks = [[len(inode.pending) for name, inode in names.items() if _lasts(name)] for names in self._names()]
        return sum(math.prod(len(FATES) ** number for number in each) for each in blocks)

    def sampled(self, rng: Random, number: int) -> Iterator[Files]:
        """Yield so many states in which each sector of 512 bytes has a fate of its own."""
        for _ in range(number):
            names = rng.choice(self._names())
            yield {name: merged(inode.kept, _sectors(inode, rng)) for name, inode in names.items() if _lasts(name)}

    def seen(self) -> Files:
        """Return what a process that only ends would find again."""
        return {name: inode.seen() for name, inode in self.inodes.items()}

    def kept(self) -> Files:
        """Return what a power cut leaves at the least."""
        return {name: inode.kept for name, inode in self.kept_names.items()}

    def _names(self) -> list[dict[str, Inode]]:
        """Return every set of names that may have survived: so many moves in their order, or one without the others."""
        found = [self.kept_names]
        for move in self.moves:
            found.append(move(found[-1]))
        alone = [move(self.kept_names) for move in self.moves[1:]]
        return found + [names for names in alone if names not in found]

    def _states(self, contents: Callable[[Inode], list[bytes]]) -> Iterator[Files]:
        for names in self._names():
            whole = {name: inode for name, inode in names.items() if _lasts(name)}
            for chosen in itertools.product(*(contents(inode) for inode in whole.values())):
                yield dict(zip(whole, chosen, strict=True))

    def _call(self, call: str) -> None:
        self.calls.append(call)
        self.before(call)

    # The journal's `Disk`.

    def names(self) -> list[str]:
        self.before_read("names")
        return list(self.inodes)

    def create(self, name: str) -> int:
        with self.lock:
            self._call("create")
            inode = self.inodes[name] = Inode()
            self.moves.append(lambda names: {**names, name: inode})
            return self.open(name)

    def open(self, name: str) -> int:
        self.before_read("open")
        with self.lock:
            if name not in self.inodes:
                raise FileNotFoundError(errno.ENOENT, "no such file", name)
            number = max(self.opened, default=2) + 1
            self.opened[number] = self.inodes[name]
            self.names_of[number] = name
            return number

    def open_straight(self, name: str) -> int:
        return self.open(name)

    def size(self, file: int) -> int:
        self.before_read("size")
        return len(self.opened[file].seen())

    def pread(self, file: int, length: int, offset: int) -> bytes:
        self.before_read("pread")
        return self.opened[file].seen()[offset : offset + length]

    def allocate(self, file: int, size: int) -> None:
        with self.lock:
            self._call("allocate")

    def pwrite(self, file: int, data: bytes, offset: int) -> int:
        with self.lock:
            self._call("pwrite")
            if len(self.calls) in self.short:
                data = data[: len(data) // 2]
            inode = self.opened[file]
            for start in range(0, len(data), BLOCK):
                inode.pending.append((offset + start, data[start : start + BLOCK]))
            self.writes.append((self.names_of[file], offset, data))
            self.after("pwrite")
            return len(data)

    def fdatasync(self, file: int) -> None:
        self._sync("fdatasync", file)

    def fsync(self, file: int) -> None:
        self._sync("fsync", file)

    def _sync(self, call: str, file: int) -> None:
        with self.lock:
            self._call(call)
            inode = self.opened[file]
            if not self.forgets:
                inode.kept, inode.pending = inode.seen(), []
            self.after(call)

    def close(self, file: int) -> None:
        with self.lock:
            del self.opened[file]

    def rename(self, old: str, new: str) -> None:
        with self.lock:
            self._call("rename")
            inode = self.inodes[new] = self.inodes.pop(old)
            self.moves.append(lambda names: {**_without(names, old), new: inode})

    def remove(self, name: str) -> None:
        with self.lock:
            self._call("remove")
            del self.inodes[name]
            self.moves.append(lambda names: _without(names, name))

    def sync_directory(self) -> None:
        with self.lock:
            self._call("sync_directory")
            if not self.forgets:
                self.kept_names, self.moves = dict(self.inodes), []


def _without(names: Names, name: str) -> Names:
    return {each: inode for each, inode in names.items() if each != name}


def _lasts(name: str) -> bool:
    """Tell whether a file counts: one in the making, or only claimed, has no meaning to a start."""
    return not name.endswith((".making", ".claimed"))


def _contents(inode: Inode) -> Iterator[bytes]:
    """Each unsynced block dropped, written, shorn in its middle, or trashed."""
    for fates in itertools.product(FATES, repeat=len(inode.pending)):
        writes = []
        for (offset, data), fate in zip(inode.pending, fates, strict=True):
            left = {"dropped": b"", "written": data, "shorn": data[:SECTOR], "trashed": TRASH[: len(data)]}
            writes.append((offset, left[fate]))
        yield merged(inode.kept, writes)


def _sectors(inode: Inode, rng: Random) -> list[Write]:
    """Each unsynced sector dropped, written or trashed."""
    writes = []
    for offset, data in inode.pending:
        for start in range(0, len(data), SECTOR):
            sector = data[start : start + SECTOR]
            left = rng.choice((b"", sector, rng.randbytes(len(sector))))
            writes.append((offset + start, left))
    return writes
