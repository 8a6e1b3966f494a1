"""The journal's disk: a slow one, a full one, one that cannot be written and a damaged log are each told."""

import asyncio
import errno
from pathlib import Path

import pytest

from bench.kept_journal import kept
from dealerbox.diagnostics.journal import WRITES, journal
from dealerbox.diagnostics.verdict import Nobody, Verdict
from dealerbox.journal.disk import RealDisk

PLENTY = 10**12


class Clock:
    """A disk's own time: what each sync takes is told, never waited for."""

    def __init__(self, sync_ms: float = 0.2, slowest_ms: float = 0.0) -> None:
        self.now_ns = 0
        self._sync_ms, self._slowest_ms = sync_ms, slowest_ms

    def __call__(self) -> int:
        return self.now_ns

    def disk(self, folder: Path) -> RealDisk:
        clock = self

        class Slow(RealDisk):
            syncs = 0

            def fdatasync(self, file: int) -> None:
                self.syncs += 1
                clock.now_ns += round(((self.syncs == 7 and clock._slowest_ms) or clock._sync_ms) * 1e6)

        return Slow(folder)


def found(folder: Path, clock: Clock, free: int = PLENTY, disk=None, records: int = 21_000) -> dict:
    async def run() -> dict:
        steps = journal(folder, records, Nobody(), disk=disk or clock.disk(folder), clock=clock, free=lambda _: free)
        return {step.code: step async for step in steps}

    return asyncio.run(run())


def test_a_quick_disk_with_room_passes_and_leaves_nothing_behind(tmp_path) -> None:
    steps = found(tmp_path, Clock())
    assert (steps["journal-sync"].verdict, steps["journal-space"].verdict) == (Verdict.PASSED, Verdict.PASSED)
    assert len(steps["journal-sync"].values) == WRITES
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("clock", [Clock(sync_ms=120), Clock(slowest_ms=750)], ids=["slow", "stalls"])
def test_a_slow_disk_fails_with_its_times(tmp_path, clock) -> None:
    step = found(tmp_path, clock)["journal-sync"]
    assert step.verdict is Verdict.FAILED
    assert "max" in step.found
    assert step.todo[0].startswith("Another card or disk")


def test_while_a_hand_is_open_nothing_is_written_beside_its_records(tmp_path) -> None:
    async def run() -> list:
        return [step async for step in journal(tmp_path, 9, Nobody(), in_hand=True, disk=Clock().disk(tmp_path))]

    _, sync, space = asyncio.run(run())
    assert (sync.code, sync.verdict) == ("journal-sync", Verdict.UNTESTED)
    assert space.verdict is Verdict.PASSED
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_never_ends_is_not_waited_for(tmp_path) -> None:
    assert len(found(tmp_path, Clock(sync_ms=2000))["journal-sync"].values) == 11


def test_a_full_disk_fails_and_says_for_how_many_records_it_has_room(tmp_path) -> None:
    step = found(tmp_path, Clock(), free=4096 * 500)["journal-space"]
    assert (step.verdict, step.found) == (Verdict.FAILED, "the disk has room for 500 records; an evening has 21,000")


def test_a_disk_that_became_read_only_fails_and_one_that_is_not_ours_is_not_tested(tmp_path) -> None:
    class ReadOnly(RealDisk):
        number = errno.EROFS

        def create(self, name: str) -> int:
            raise OSError(self.number, "Read-only file system")

    class Others(ReadOnly):
        number = errno.EACCES

    assert found(tmp_path, Clock(), disk=ReadOnly(tmp_path))["journal-sync"].verdict is Verdict.FAILED
    assert found(tmp_path, Clock(), disk=Others(tmp_path))["journal-sync"].verdict is Verdict.UNTESTED


def test_where_no_station_has_run_nothing_is_made(tmp_path) -> None:
    steps = found(tmp_path / "state", Clock(), disk=RealDisk(tmp_path))
    assert {step.verdict for step in steps.values()} == {Verdict.UNTESTED}
    assert not (tmp_path / "state").exists()


def test_a_whole_journal_counts_with_what_is_reserved_and_a_damaged_one_fails(tmp_path, evening) -> None:
    begun, ended = evening
    kept(tmp_path / "journal", begun)
    steps = found(tmp_path, Clock(), free=0, records=3500)
    assert steps["journal-whole"].verdict is Verdict.PASSED
    assert steps["journal-space"].verdict is Verdict.PASSED  # a segment of 16 MiB is made beforehand
    kept(tmp_path / "journal", [ended])
    with (tmp_path / "journal" / "00000001.journal").open("r+b") as file:
        file.seek(4096 * 3 + 200)
        file.write(b"\xff\xff\xff")
    assert found(tmp_path, Clock())["journal-whole"].verdict is Verdict.FAILED
