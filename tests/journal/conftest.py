"""A disk that can fail at any call and lose power between any two."""

import errno
import itertools
from collections.abc import Callable, Iterator

import pytest

BLOCK = 4096
TRASH = b"\xa5\x5a" * (BLOCK // 2)


class Inode:
    def __init__(self) -> None:
        self.kept = b""
        self.pending: list[tuple[int, bytes]] = []

    def seen(self) -> bytes:
        return merged(self.kept, self.pending)


def merged(base: bytes, writes) -> bytes:
    data = bytearray(base)
    for offset, chunk in writes:
        if len(data) < offset + len(chunk):
            data.extend(bytes(offset + len(chunk) - len(data)))
        data[offset : offset + len(chunk)] = chunk
    return bytes(data)


class CrashDisk:
    """Keeps only what was synced; `states()` yields every content a power cut now could leave behind."""

    where = "/crash"

    def __init__(self, files: dict[str, bytes] | None = None) -> None:
        self.inodes: dict[str, Inode] = {}
        self.kept_names: dict[str, Inode] = {}
        self.moves: list[dict[str, Inode]] = []
        self.opened: dict[int, Inode] = {}
        self.calls: list[str] = []
        self.before: Callable[[str], None] = lambda call: None
        self.short: set[int] = set()
        for name, data in (files or {}).items():
            self.inodes[name] = Inode()
            self.inodes[name].kept = data
        self.kept_names = dict(self.inodes)

    def fail(self, at: int, error: int) -> None:
        """Make the `at`-th call from now on (counted from 0) raise, and only that one."""
        first = len(self.calls) + at

        def before(call: str) -> None:
            if len(self.calls) - 1 == first:
                raise OSError(error, errno.errorcode[error])

        self.before = before

    def _call(self, call: str) -> None:
        self.calls.append(call)
        self.before(call)

    def states(self) -> Iterator[dict[str, bytes]]:
        for names in [self.kept_names, *self.moves]:
            whole = {name: inode for name, inode in names.items() if not name.endswith(".making")}
            choices = [list(_contents(inode)) for inode in whole.values()]
            for contents in itertools.product(*choices):
                yield dict(zip(whole, contents, strict=True))

    # The journal's `Disk`.

    def names(self) -> list[str]:
        return list(self.inodes)

    def create(self, name: str) -> int:
        self._call("create")
        self.inodes[name] = Inode()
        self.moves.append(dict(self.inodes))
        return self.open(name)

    def open(self, name: str) -> int:
        if name not in self.inodes:
            raise FileNotFoundError(errno.ENOENT, "no such file", name)
        number = max(self.opened, default=2) + 1
        self.opened[number] = self.inodes[name]
        return number

    def size(self, file: int) -> int:
        return len(self.opened[file].seen())

    def pread(self, file: int, length: int, offset: int) -> bytes:
        return self.opened[file].seen()[offset : offset + length]

    def pwrite(self, file: int, data: bytes, offset: int) -> int:
        self._call("pwrite")
        if len(self.calls) in self.short:
            data = data[: len(data) // 2]
        inode = self.opened[file]
        for start in range(0, len(data), BLOCK):
            inode.pending.append((offset + start, data[start : start + BLOCK]))
        return len(data)

    def fdatasync(self, file: int) -> None:
        self._call("fdatasync")
        self.opened[file].kept, self.opened[file].pending = self.opened[file].seen(), []

    def fsync(self, file: int) -> None:
        self._call("fsync")
        self.opened[file].kept, self.opened[file].pending = self.opened[file].seen(), []

    def close(self, file: int) -> None:
        del self.opened[file]

    def rename(self, old: str, new: str) -> None:
        self._call("rename")
        self.inodes[new] = self.inodes.pop(old)
        self.moves.append(dict(self.inodes))

    def remove(self, name: str) -> None:
        self._call("remove")
        del self.inodes[name]
        self.moves.append(dict(self.inodes))

    def sync_directory(self) -> None:
        self._call("sync_directory")
        self.kept_names, self.moves = dict(self.inodes), []


def _contents(inode: Inode) -> Iterator[bytes]:
    """Each unsynced block dropped, written, shorn in its middle, or trashed."""
    for fates in itertools.product(("dropped", "written", "shorn", "trashed"), repeat=len(inode.pending)):
        writes = []
        for (offset, data), fate in zip(inode.pending, fates, strict=True):
            left = {"dropped": b"", "written": data, "shorn": data[: len(data) // 8], "trashed": TRASH[: len(data)]}
            writes.append((offset, left[fate]))
        yield merged(inode.kept, writes)


@pytest.fixture
def crash_disk() -> type[CrashDisk]:
    return CrashDisk


class Chain:
    """Makes records that follow one another."""

    def __init__(self) -> None:
        from dealerbox.journal.recover import Head

        self.head = Head()

    def record(self, payload: bytes, synced: int, kind: int = 2) -> bytes:
        from dealerbox.journal.record import Record, RecordKind, Stamp, encode
        from dealerbox.journal.recover import Head

        record = Record(
            seq=self.head.seq + 1,
            synced=synced,
            kind=RecordKind(kind),
            stamp=Stamp(5_000_000_000),
            boot_id=bytes(range(16)),
            previous=self.head.digest,
            payload=payload,
        )
        data, digest = encode(record)
        self.head = Head(record.seq, digest)
        return data


@pytest.fixture
def chain() -> Chain:
    return Chain()
