"""A recorded evening, and its way to the disk: through the real writer, with the batches that the proof wants."""

import asyncio
import io
import threading
from collections.abc import Callable
from random import Random

from bench.crash.disk import CrashDisk
from dealerbox.journal.record import MAGIC, Stamp
from dealerbox.journal.recover import Head, recover
from dealerbox.journal.writer import Writer
from dealerbox.ports import JournalError
from dealerbox.simulate.run import simulate

BOOT_ID = bytes(range(16))
HEAD = b'{"format":1}'
SHARED = 0.25
"""How often records wait together for one sync."""
MOST_SHARED = 3
LOOK_S = 0.01


def record_evening(hands: int, seed: int) -> list[bytes]:
    """Play and return the payloads of the journal, in order."""
    log = io.StringIO()
    simulate(hands, "2-10", seed, log=log)
    return [b"{" + line.split(b",", 1)[1] for line in log.getvalue().encode().splitlines()]


def batches(payloads: list[bytes], rng: Random) -> list[list[bytes]]:
    """Cut an evening into groups: a record alone, or one and those that came while it was synced."""
    cut: list[list[bytes]] = []
    at = 0
    while at < len(payloads):
        size = 1 + rng.randint(2, MOST_SHARED) if rng.random() < SHARED else 1
        cut.append(payloads[at : at + size])
        at += size
    return cut


class Recorder:
    """Puts records on a crash disk through the real writer, and keeps the books that a proof judges by.

    `synced` is the newest record whose sync has returned: it counts as acknowledged from that moment, before
    anybody was told; `told` is the newest that the writer called durable.
    """

    def __init__(self, disk: CrashDisk, segment_bytes: int, look: Callable[[], None] = lambda: None) -> None:
        """`look` is called before every call that changes the disk."""
        self.disk, self.segment_bytes, self._look = disk, segment_bytes, look
        self.synced = self.told = self._written = 0
        self.began: dict[int, int] = {}
        """Of each record that was given, the first of those with which it waited for one sync."""
        self.failed: list[str] = []
        self.faults: list[str] = []
        """What the writer did that it never may."""
        self.head = Head()
        self.late_s = 0.0
        """How late the loop was at most, of looks each LOOK_S."""
        self._gate = threading.Event()
        self._gate.set()
        disk.after = self._after
        self._fails = disk.before
        disk.before = self._before

    def write(self, groups: list[list[bytes]], head: bytes = HEAD) -> str:
        """Write one run of a station, its head first; return why it could not be begun or closed, '' if it could."""
        try:
            asyncio.run(self._write(groups, head))
        except JournalError as error:
            return str(error)
        return ""

    async def _write(self, groups: list[list[bytes]], head: bytes) -> None:
        self._loop = asyncio.get_running_loop()
        self._news, self._syncing = asyncio.Event(), asyncio.Event()
        found = recover(self.disk, lambda record: None, segment_bytes=self.segment_bytes)
        self.told = max(self.told, found.head.seq)
        self.began[found.head.seq + 1] = found.head.seq + 1
        looking = asyncio.create_task(self._look_at_the_loop())
        writer = Writer(
            self.disk,
            found,
            head=head,
            boot_id=BOOT_ID,
            stamp=lambda: Stamp(5_000_000_000),
            durable=self._durable,
            failed=self._has_failed,
            segment_bytes=self.segment_bytes,
        )
        try:
            await self._until(lambda: self.told == writer.newest)
            for group in groups:
                if self.failed:
                    break
                await self._give(writer, group)
            self.head = writer.head
        finally:
            looking.cancel()
            self._gate.set()
            writer.close()

    async def _look_at_the_loop(self) -> None:
        while True:
            due_s = self._loop.time() + LOOK_S
            await asyncio.sleep(LOOK_S)
            self.late_s = max(self.late_s, self._loop.time() - due_s)

    async def _give(self, writer: Writer, group: list[bytes]) -> None:
        """Append the first; while its sync is held up append the others, so that they share the next."""
        first, *others = group
        if others:
            self._syncing.clear()
            self._gate.clear()
        alone = writer.newest + 1
        self.began[alone] = alone
        writer.append(first)
        if others:
            await self._until(lambda: self._syncing.is_set())
            for payload in others:
                self.began[writer.newest + 1] = alone + 1
                writer.append(payload)
            self._gate.set()
        await self._until(lambda: self.told == writer.newest)

    async def _until(self, condition: Callable[[], bool]) -> None:
        while not condition() and not self.failed:
            self._news.clear()
            await self._news.wait()

    def _durable(self, seq: int) -> None:
        if seq > self.synced:
            self.faults.append(f"record {seq} was called durable, and {self.synced} was the newest that was synced")
        if self.failed:
            self.faults.append(f"record {seq} was called durable after the journal had failed")
        self.told = seq
        self._news.set()

    def _has_failed(self, why: str) -> None:
        self.failed.append(why)
        self._news.set()

    # In the writer's threads.

    def _before(self, call: str) -> None:
        self._look()
        if call == "fdatasync" and not self._gate.is_set():
            self._loop.call_soon_threadsafe(self._held_up)
            self._gate.wait()
        self._fails(call)

    def _held_up(self) -> None:
        self._syncing.set()
        self._news.set()

    def _after(self, call: str) -> None:
        if call == "fdatasync":
            self.synced = self._written
        elif call == "pwrite" and self.disk.writes[-1][2][:4] == MAGIC:
            self._written = int.from_bytes(self.disk.writes[-1][2][16:24], "little")
