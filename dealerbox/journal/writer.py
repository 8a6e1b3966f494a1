"""The writer: takes records at once, puts them on the disk on its own thread, tells when they are there.

One thread, nothing but system calls in it. What comes while a sync is out waits in the
loop, is made into records when that is back, and shares the next: so every record names
in `synced` exactly what was on the disk before it was written, and a start knows which
records shared a sync. Loop and thread wake each other by an eventfd each way: both wait
in a system call, outside the interpreter's lock (docs/performance.md has what that
saves). The first write or sync that fails is the last: the kernel may have dropped the
pages, so nothing is tried again and nothing more is ever called durable.
"""

import asyncio
import os
import select
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final

from dealerbox.journal.disk import Disk
from dealerbox.journal.record import MAX_PAYLOAD, Record, RecordKind, Stamp, encode
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

_Batch = tuple[Head, list[bytes]]
"""Records for one sync: head of the last, blocks of each; none: a question whether the thread lives."""
_Given = tuple[RecordKind, Stamp, bytes]


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
        self._newest = recovery.head.seq
        self._waiting: deque[_Given] = deque()
        self._out = False
        """Records are on their way to the disk, or never will be again."""
        self._batches: deque[_Batch | None] = deque()
        """For the thread; None: close."""
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
        self._loop.add_reader(self._to_loop, self._rung)
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name="journal", daemon=True)
        self._thread.start()
        self._add(RecordKind.HEAD, head)

    @property
    def newest(self) -> int:
        """Seq of the newest record given, durable or not."""
        return self._newest

    @property
    def head(self) -> Head:
        """Seq and hash of the newest record given to the disk, durable or not."""
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
        """Queue one event record; return its seq at once. ValueError when it is longer than MAX_PAYLOAD."""
        return self._add(RecordKind.EVENT, payload)

    def seal(self, payload: bytes) -> int:
        """Queue a signed head; return its seq at once."""
        return self._add(RecordKind.SIGNED, payload)

    def lives(self) -> bool:
        """Tell whether the thread has answered the question asked by the last call, and ask anew."""
        answered = self._answered == self._asked
        if answered:
            self._asked += 1
            self._give((self._head, []))
        return answered

    def close(self) -> None:
        """Write what is queued, sync, close. JournalError when that fails or takes longer than CLOSE_S."""
        if self._closed:
            return
        until_s = time.monotonic() + CLOSE_S
        while self._waiting:
            self._hear_within(until_s)
        self._give(None)
        self._thread.join(max(0.0, until_s - time.monotonic()))
        if self._thread.is_alive():
            raise self._late()
        self._closed = True
        self._loop.remove_reader(self._to_loop)
        self._hear()
        os.close(self._to_loop)
        os.close(self._to_thread)
        if self._why:
            raise JournalError(self._why)

    def _late(self) -> JournalError:
        return JournalError(f"the journal's disk did not answer for {CLOSE_S} s: the last records may be missing")

    def _add(self, kind: RecordKind, payload: bytes) -> int:
        if len(payload) > MAX_PAYLOAD:
            raise ValueError(f"record {self._newest + 1}: payload of {len(payload)} bytes, at most {MAX_PAYLOAD}")
        self._newest += 1
        if not self._why:
            self._waiting.append((kind, self._stamp(), payload))
            if not self._out:
                self._send()
        return self._newest

    def _send(self) -> None:
        """Make records of what waits and let the thread have them: all before them are on the disk."""
        head = self._head
        blocks: list[bytes] = []
        while self._waiting and len(blocks) < _SHARED:
            kind, stamp, payload = self._waiting.popleft()
            record = Record(head.seq + 1, self._synced.seq, kind, stamp, self._boot_id, head.digest, payload)
            data, digest = encode(record)
            head = Head(head.seq + 1, digest)
            blocks.append(data)
        self._head, self._out = head, True
        self._give((head, blocks))

    def _give(self, batch: _Batch | None) -> None:
        """Hand over to the thread; what comes after it has ended goes nowhere and is never called durable."""
        self._batches.append(batch)
        if not self._closed:
            os.eventfd_write(self._to_thread, 1)

    def _rung(self) -> None:
        try:
            os.eventfd_read(self._to_loop)
        except BlockingIOError:
            return  # close() has heard it already
        self._hear()

    def _hear(self) -> None:
        while self._said:
            call, values = self._said.popleft()
            call(*values)

    def _hear_within(self, until_s: float) -> None:
        if not select.select([self._to_loop], [], [], max(0.0, until_s - time.monotonic()))[0]:
            raise self._late()
        self._rung()

    def _now_durable(self, head: Head, left: int, took_ns: int) -> None:
        self._synced, self._left, self._out = head, left, False
        self.took_ns.append(took_ns)
        if self._waiting:
            self._send()
        self._durable(head.seq)

    def _now_failed(self, why: str) -> None:
        self._waiting.clear()
        self._failed(why)

    # From here on: the thread.

    def _serve(self) -> None:
        while (batch := self._next()) is not None:
            head, blocks = batch
            if not blocks:
                self._answered += 1
            elif not self._why:
                try:
                    began_ns = time.perf_counter_ns()
                    for data in blocks:
                        self._tape.write(data)
                    left = self._tape.left
                    self._tape.sync()
                    self._tell(self._now_durable, head, left, time.perf_counter_ns() - began_ns)
                    self._tape.prepare()
                except Exception as error:  # whatever it is, nothing more will ever be durable
                    self._why = f"{self._tape.name}: {error or type(error).__name__}"
                    self._tell(self._now_failed, self._why)
        try:
            self._tape.close()
        except OSError as error:
            self._why = self._why or f"{self._tape.name}: {error}"

    def _next(self) -> _Batch | None:
        while not self._batches:
            os.eventfd_read(self._to_thread)
        return self._batches.popleft()

    def _tell(self, call: Callable[..., None], *values: object) -> None:
        self._said.append((call, values))
        os.eventfd_write(self._to_loop, 1)
