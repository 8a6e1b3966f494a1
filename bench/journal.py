"""`record` and `recovery`: the journal beside a bare pwrite and fdatasync on the same disk; an evening read back."""

import asyncio
import os
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path

from bench.evening import events
from dealerbox.journal.disk import RealDisk
from dealerbox.journal.record import BLOCK, Record, RecordKind, Stamp, encode
from dealerbox.journal.recover import Head, Recovery, Verdict, recover
from dealerbox.journal.reserve import reserve
from dealerbox.journal.segment import SEGMENT_BYTES, make, name_of, write_all
from dealerbox.journal.writer import Writer
from dealerbox.station.entry import encode as entry
from dealerbox.station.past import recall

RECORDS = 2_000
GATE = 1.3
SECTOR, BATCH, BATCHES = 512, 50, 20
"""Others write to the disk too: of so many batches the one that brought it least is ours alone."""
BYTES = (4 * 1024, 5 * 1024)
EVENING = 21_000
RECOVERY_S = 2.0
BOOT = bytes(16)


def figure(count: int = RECORDS) -> dict[str, object]:
    """Return the figure `record`: from giving a record to hearing that it is durable, beside the bare calls.

    Beside both a bare hop: the same write and sync on a thread that does nothing else, and back, without a record made
    or told: less than that no journal can cost whose disk must not keep the loop waiting. All take turns in random
    order, each in a file of its own that was written with zeros and synced before.
    """
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as name:
        times, each = asyncio.run(_side_by_side(Path(name), count))
    p50 = {party: statistics.median(took) for party, took in times.items()}
    ratio = p50["ours"] / p50["bare"]
    return {
        "figure": "record",
        **{f"{party}_us": _spread(took) for party, took in times.items()},
        "ratio": round(ratio, 2),
        "hop_ratio": round(p50["hop"] / p50["bare"], 2),
        "gate": GATE,
        "device_bytes_per_event": each,
        "bytes_gate": BYTES,
        "records": count,
        "passes": ratio <= GATE and (each is None or BYTES[0] <= each <= BYTES[1]),
    }


async def _side_by_side(folder: Path, count: int) -> tuple[dict[str, list[float]], int | None]:
    """Return the times of each, in us, and how many bytes a record brings to the device; None: no device is known."""
    disk = RealDisk(folder / "journal")
    found = recover(disk, lambda record: None)
    reserve(disk, found, 1)
    ended = asyncio.Event()
    ended_s = 0.0

    def end() -> None:
        nonlocal ended_s
        ended_s = time.perf_counter()
        ended.set()

    def told(seq: int) -> None:
        if seq == writer.newest:
            end()

    writer = Writer(
        disk, found, head=b"{}", boot_id=BOOT, stamp=lambda: Stamp(1), durable=told, failed=lambda why: None
    )
    payload = entry(events()[40], ())

    async def until(begin: Callable[[], object]) -> float:
        ended.clear()
        began_s = time.perf_counter()
        begin()
        await ended.wait()
        return (ended_s - began_s) * 1e6

    await ended.wait()
    make(disk, 98)
    make(disk, 99)
    hop = _Hop(disk, name_of(98), end)
    plain = disk.open(name_of(99))
    block = os.urandom(BLOCK)
    times: dict[str, list[float]] = {"ours": [], "bare": [], "hop": []}
    for turn in random.Random(1).sample([*times] * count, len(times) * count):
        if turn == "ours":
            times[turn].append(await until(lambda: writer.append(payload)))
        elif turn == "hop":
            times[turn].append(await until(hop.go))
        else:
            began_s = time.perf_counter()
            os.pwrite(plain, block, (len(times[turn]) * BLOCK) % SEGMENT_BYTES)
            os.fdatasync(plain)
            times[turn].append((time.perf_counter() - began_s) * 1e6)
    hop.close()
    batches = []
    device = _device(folder)
    for _ in range(BATCHES if device else 0):
        before = _sectors(device)
        for _ in range(BATCH):
            await until(lambda: writer.append(payload))
        batches.append((_sectors(device) - before) * SECTOR // BATCH)
    writer.close()
    disk.close(plain)
    return times, min(batches, default=None)


class _Hop:
    """A thread that writes and syncs one block for each `go`, and rings back."""

    def __init__(self, disk: RealDisk, name: str, rung: Callable[[], object]) -> None:
        self._disk, self._file, self._rung = disk, disk.open_straight(name), rung
        self._there, self._back = os.eventfd(0), os.eventfd(0, os.EFD_NONBLOCK)
        self._going = True
        asyncio.get_running_loop().add_reader(self._back, self._hear)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def go(self) -> None:
        os.eventfd_write(self._there, 1)

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._back)
        self._going = False
        self.go()
        self._thread.join()
        for file in (self._there, self._back, self._file):
            os.close(file)

    def _hear(self) -> None:
        os.eventfd_read(self._back)
        self._rung()

    def _serve(self) -> None:
        block = os.urandom(BLOCK)
        for offset in cycle(range(0, SEGMENT_BYTES, BLOCK)):
            os.eventfd_read(self._there)
            if not self._going:
                return
            self._disk.pwrite(self._file, block, offset)
            os.fdatasync(self._file)
            os.eventfd_write(self._back, 1)


def _device(folder: Path) -> Path | None:
    """Return the kernel's account of the disk that a folder is on; None: it has none."""
    number = folder.stat().st_dev
    account = Path(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}/stat")
    return account if account.exists() else None


def _sectors(account: Path) -> int:
    return int(account.read_text().split()[6])


def _spread(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)
    shares = {"p50": 0.5, "p99": 0.99}
    spread = {name: ordered[int(len(ordered) * share)] for name, share in shares.items()}
    return {name: round(value, 1) for name, value in {**spread, "max": ordered[-1]}.items()}


def recovery(records: int = EVENING) -> dict[str, object]:
    """Return the figure `recovery`: a journal with so many records read, judged and played to its state."""
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as name:
        disk = RealDisk(Path(name) / "journal")
        _fill(disk, records)
        began = time.perf_counter()
        past = recall(disk)
        seconds = time.perf_counter() - began
    return {
        "figure": "recovery",
        "records": past.recovery.head.seq,
        "seconds": round(seconds, 2),
        "us_per_record": round(seconds / records * 1e6, 1),
        "gate_s": RECOVERY_S,
        "passes": seconds <= RECOVERY_S and past.recovery.verdict is Verdict.CLEAN,
    }


def _fill(disk: RealDisk, records: int) -> None:
    """Write a chain of the evening's events, over and over, as a writer would but without a sync for each."""
    empty = Recovery(verdict=Verdict.CLEAN, head=Head(), segment=0, offset=0)
    reserve(disk, empty, 1)
    head, number, offset = Head(), 1, 0
    file = disk.open(name_of(number))
    for event in islice(cycle(events()), records):
        record = Record(
            head.seq + 1, head.seq, RecordKind.EVENT, Stamp(event.at_ns), BOOT, head.digest, entry(event, ())
        )
        data, digest = encode(record)
        if offset + len(data) > SEGMENT_BYTES:
            disk.close(file)
            number, offset = number + 1, 0
            make(disk, number)
            file = disk.open(name_of(number))
        write_all(disk, file, data, offset)
        head, offset = Head(record.seq, digest), offset + len(data)
    disk.fsync(file)
    disk.close(file)
