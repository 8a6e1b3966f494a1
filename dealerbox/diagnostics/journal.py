"""The journal's disk: is what lies there whole, how soon is a record on it, and is there room for an evening?"""

import os
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Final

from dealerbox.diagnostics.spread import Spread, spread
from dealerbox.diagnostics.verdict import Bench, Step, judged, untested
from dealerbox.diagnostics.verdict import Verdict as Passed
from dealerbox.journal.disk import Disk, RealDisk, RealShelf
from dealerbox.journal.record import BLOCK
from dealerbox.journal.recover import Recovery, Verdict, recover
from dealerbox.journal.segment import SEGMENT_BYTES, numbers
from dealerbox.ports import JournalError

WRITES: Final = 200
LONGEST_S: Final = 20.0
"""A disk that is so slow has shown it by then."""
P99_MS: Final = 100.0
"""A card waits for two records, and takes some two seconds to come up."""
MOST_MS: Final = 500.0
FILE: Final = "sync.trial"
IN_HAND: Final = (
    "a hand is open, and its records come first; `diag selftest --unattended` has the times of the station's own"
)


async def journal(
    state_dir: Path,
    records: int,
    bench: Bench,
    *,
    in_hand: bool = False,
    disk: Disk | None = None,
    clock: Callable[[], int] = time.perf_counter_ns,
    free: Callable[[Path], int] | None = None,
) -> AsyncIterator[Step]:
    """Test the disk under a station's folder, which may go on writing to it.

    `records`: those of an evening. `in_hand`: a hand is open, whose records nothing may keep waiting. `disk` writes in
    `state_dir`; `clock` in ns; `free` tells the bytes left there.
    """
    folder = state_dir / "journal"
    found, whole = _whole(folder)
    yield whole
    written = _written(state_dir, disk, bench, clock) if not in_hand else untested("journal-sync", IN_HAND)
    yield written
    if written.verdict is Passed.UNTESTED and not in_hand:
        return
    room = (free or free_bytes)(state_dir) // BLOCK + _reserved(folder, found)
    yield judged(
        "journal-space",
        f"the disk has room for {room:,} records; an evening has {records:,}",
        right=room >= records,
        records=room,
    )


def free_bytes(folder: Path) -> int:
    """Return the bytes that the station may still take there."""
    there = os.statvfs(folder)
    return there.f_bavail * there.f_frsize


def _whole(folder: Path) -> tuple[Recovery | None, Step]:
    try:
        if not folder.exists():
            return None, untested("journal-whole", f"{folder}: no journal yet")
        found = recover(RealShelf(folder), lambda record: None)
    except JournalError as error:
        return None, untested("journal-whole", str(error))
    except OSError as error:
        return None, untested("journal-whole", f"{folder}: {(error.strerror or str(error)).lower()}")
    return found, judged("journal-whole", _verdict(found), right=found.verdict in (Verdict.CLEAN, Verdict.TORN))


def _written(state_dir: Path, disk: Disk | None, bench: Bench, clock: Callable[[], int]) -> Step:
    if not state_dir.is_dir():
        return untested("journal-sync", f"{state_dir}: no station has run here yet")
    try:
        times = _synced(disk or RealDisk(state_dir), bench, clock)
    except OSError as error:
        why = f"{state_dir}: {(error.strerror or str(error)).lower()}"
        if isinstance(error, PermissionError):
            return untested("journal-sync", why)
        return judged("journal-sync", why, right=False)
    return judged(
        "journal-sync",
        f"{len(times.values)} records written and synced: {times.said()}",
        right=times.at(0.99) <= P99_MS and times.most <= MOST_MS,
        values=times.values,
        p50_ms=times.at(0.5),
        p99_ms=times.at(0.99),
        max_ms=times.most,
    )


def _verdict(found: Recovery) -> str:
    return f"{found.verdict}, {found.head.seq:,} records{f': {found.why}' if found.why else ''}"


def _synced(disk: Disk, bench: Bench, clock: Callable[[], int]) -> Spread:
    """Write as the journal does, block by block into a file of zeros, and return how long each took, in ms."""
    file = disk.create(FILE)
    try:
        disk.pwrite(file, bytes(WRITES * BLOCK), 0)
        disk.fsync(file)
        block, times, began_ns = os.urandom(BLOCK), [], clock()
        for number in range(WRITES):
            before_ns = clock()
            disk.pwrite(file, block, number * BLOCK)
            disk.fdatasync(file)
            after_ns = clock()
            times.append((after_ns - before_ns) / 1e6)
            bench.progress("writing and syncing records", (number + 1) / WRITES)
            if after_ns - began_ns > LONGEST_S * 1e9:
                break
        return spread(times)
    finally:
        bench.progress("writing and syncing records", 1.0)
        disk.close(file)
        disk.remove(FILE)


def _reserved(folder: Path, found: Recovery | None) -> int:
    """Return how many more records have room in segments that were made beforehand."""
    if found is None:
        return 0
    made = numbers(RealShelf(folder))
    if not made:
        return 0
    return max(0, ((made[-1] - max(found.segment, 1) + 1) * SEGMENT_BYTES - found.offset) // BLOCK)
