"""The writer: takes records at once, puts them on the disk on its own thread, tells when they are there.

One thread, nothing but system calls in it. Records that wait together share one
fdatasync. Loop and thread wake each other by an eventfd each way: both wait in a system
call, outside the interpreter's lock (docs/performance.md has what that saves). The first
write or sync that fails is the last: the kernel may have dropped the pages, so nothing is
tried again and nothing more is ever called durable.
"""

import asyncio
import contextlib
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final

from dealerbox.journal.disk import Disk
from dealerbox.journal.record import Record, RecordKind, Stamp, encode
from dealerbox.journal.recover import Head, Recovery, mend
from dealerbox.journal.segment import SEGMENT_BYTES
from dealerbox.journal.tape import Tape
from dealerbox.ports import JournalError

CLOSE_S: Final = 1.0
"""Longest wait at closing: beyond the slowest sync that an SD card may take (750 ms)."""
_SHARED: Final = 64
"""Most records that share one sync."""
_REMEMBERED: Final = 256
"""Batches of which it is remembered how long they took."""

_Item = tuple[Head, bytes] | None
"""A record's head and blocks; no blocks: a question whether the thread lives; None: close."""


class Writer:
    """The journal on a disk (satisfies `ports.Journal`).

    `durable(seq)` is called in the loop when that record and all before it are on the disk;
    `failed(why)` once, when no further record ever will be.
    """

    def __init__(
        self,
        disk: Disk,
        recovery: Recovery,
        *,
        head: bytes,
        boot_id: bytes,
        stamp: Callable[[], Stamp],
        durable: Callable[[int], None],
        failed: Callable[[str], None],
        segment_bytes: int = SEGMENT_BYTES,
        reserve: int = 0,
    ) -> None:
        """Continue the log where `recovery` says, with the record `head` (JSON: format, software, config).

        `reserve`: records for which room is kept ready, as far as the disk has it. Call it in the running
        loop. JournalError when the log may not go on or the disk fails.
        """
        self._boot_id, self._stamp = boot_id, stamp
        self._durable, self._failed = durable, failed
        self._loop = asyncio.get_running_loop()
        self._head = self._synced = recovery.head
        self._given: deque[_Item] = deque()
        self._said: deque[tuple[Callable[..., None], tuple[object, ...]]] = deque()
        self._asked = self._answered = 0
        self._why = ""
        try:
            mend(disk, recovery, segment_bytes=segment_bytes)
            self._tape = Tape(disk, max(recovery.segment, 1), recovery.offset, segment_bytes, reserve)
        except OSError as error:
            raise JournalError(f"{disk.where}: cannot continue the journal: {error}") from error
        self._left = self._tape.left
        self.took_ns: deque[int] = deque(maxlen=_REMEMBERED)
        """How long the last batches took, from the first write to the sync's end, the newest last."""
        self._to_thread = os.eventfd(0, os.EFD_CLOEXEC)
        self._to_loop = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._loop.add_reader(self._to_loop, self._hear)
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name="journal", daemon=True)
        self._thread.start()
        self._add(RecordKind.HEAD, head)

    @property
    def head(self) -> Head:
        """Seq and hash of the newest record given, durable or not."""
        return self._head

    @property
    def synced(self) -> Head:
        """Seq and hash of the newest record that was told durable."""
        return self._synced

    @property
    def left(self) -> int:
        """For about how many records there was room when the last was told durable."""
        return self._left

    def append(self, payload: bytes) -> int:
        """Queue one event record; return its seq at once."""
        return self._add(RecordKind.EVENT, payload)

    def seal(self, payload: bytes) -> int:
        """Queue a signed head; return its seq at once."""
        return self._add(RecordKind.SIGNED, payload)

    def lives(self) -> bool:
        """Tell whether the thread has answered the question asked by the last call, and ask anew."""
        answered = self._answered == self._asked
        if answered:
            self._asked += 1
            self._give((self._head, b""))
        return answered

    def close(self) -> None:
        """Write what is queued, sync, close. JournalError when that fails or takes longer than CLOSE_S."""
        self._give(None)
        self._thread.join(CLOSE_S)
        if self._thread.is_alive():
            raise JournalError(f"the journal's disk did not answer for {CLOSE_S} s: the last records may be missing")
        if not self._closed:
            self._closed = True
            self._loop.remove_reader(self._to_loop)
            self._hear()
            os.close(self._to_loop)
            os.close(self._to_thread)
        if self._why:
            raise JournalError(self._why)

    def _add(self, kind: RecordKind, payload: bytes) -> int:
        seq = self._head.seq + 1
        record = Record(seq, self._synced.seq, kind, self._stamp(), self._boot_id, self._head.digest, payload)
        data, digest = encode(record)
        self._head = Head(seq, digest)
        self._give((self._head, data))
        return seq

    def _give(self, item: _Item) -> None:
        """Hand over to the thread; what comes after it has ended goes nowhere and is never called durable."""
        self._given.append(item)
        if not self._closed:
            os.eventfd_write(self._to_thread, 1)

    def _hear(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.eventfd_read(self._to_loop)
        while self._said:
            call, values = self._said.popleft()
            call(*values)

    def _now_durable(self, head: Head, left: int, took_ns: int) -> None:
        self._synced, self._left = head, left
        self.took_ns.append(took_ns)
        self._durable(head.seq)

    # From here on: the thread.

    def _serve(self) -> None:
        going = True
        while going:
            going, batch = self._next_batch()
            if batch and not self._why:
                try:
                    began_ns = time.perf_counter_ns()
                    for _, data in batch:
                        self._tape.write(data)
                    self._tape.sync()
                    took_ns = time.perf_counter_ns() - began_ns
                    self._tell(self._now_durable, batch[-1][0], self._tape.left, took_ns)
                    self._tape.prepare()
                except Exception as error:  # whatever it is, nothing more will ever be durable
                    self._why = f"{self._tape.name}: {error or type(error).__name__}"
                    self._tell(self._failed, self._why)
        try:
            self._tape.close()
        except OSError as error:
            self._why = self._why or f"{self._tape.name}: {error}"

    def _next_batch(self) -> tuple[bool, list[tuple[Head, bytes]]]:
        """Wait for work; return False with the last of it."""
        batch: list[tuple[Head, bytes]] = []
        while not self._given:
            os.eventfd_read(self._to_thread)
        while self._given and len(batch) < _SHARED:
            item = self._given.popleft()
            if item is None:
                return False, batch
            if item[1]:
                batch.append(item)
            else:
                self._answered += 1
        return True, batch

    def _tell(self, call: Callable[..., None], *values: object) -> None:
        self._said.append((call, values))
        os.eventfd_write(self._to_loop, 1)
