import asyncio
import errno
import threading
from pathlib import Path

import pytest

from dealerbox.journal import writer as writer_module
from dealerbox.journal.disk import RealDisk
from dealerbox.journal.record import RecordKind, Stamp
from dealerbox.journal.recover import Verdict, recover
from dealerbox.journal.writer import Writer
from dealerbox.ports import JournalError

SIZE = 16 * 4096


class Told:
    """What the writer said, and something to wait on."""

    def __init__(self) -> None:
        self.durable: list[int] = []
        self.failed: list[str] = []
        self._news = asyncio.Event()

    def is_durable(self, seq: int) -> None:
        self.durable.append(seq)
        self._news.set()

    def has_failed(self, why: str) -> None:
        self.failed.append(why)
        self._news.set()

    async def until(self, condition) -> None:
        async with asyncio.timeout(10):
            while not condition():
                self._news.clear()
                await self._news.wait()


def read(disk):
    taken = []
    return recover(disk, taken.append, segment_bytes=SIZE), taken


def opened(disk, told: Told, head: bytes = b'{"format":1}') -> Writer:
    return Writer(
        disk,
        read(disk)[0],
        head=head,
        boot_id=bytes(16),
        stamp=lambda: Stamp(1),
        durable=told.is_durable,
        failed=told.has_failed,
        segment_bytes=SIZE,
    )


def test_records_are_told_durable_in_order_and_come_back_from_a_real_disk(tmp_path: Path) -> None:
    disk = RealDisk(tmp_path / "journal")

    async def write() -> None:
        told = Told()
        writer = opened(disk, told)
        assert [writer.append(b"%d" % n) for n in range(50)] == list(range(2, 52))
        await told.until(lambda: told.durable and told.durable[-1] == 51)
        assert told.durable == sorted(set(told.durable))
        assert not told.failed
        writer.close()
        assert read(disk)[0].head == writer.head

    asyncio.run(write())
    found, taken = read(disk)
    assert found.verdict is Verdict.CLEAN
    assert [record.payload for record in taken] == [b'{"format":1}', *(b"%d" % n for n in range(50))]
    assert [record.kind for record in taken] == [RecordKind.HEAD] + [RecordKind.EVENT] * 50
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in disk.directory.iterdir())
    assert disk.directory.stat().st_mode & 0o777 == 0o700


def test_a_restart_continues_the_chain_in_place(tmp_path: Path) -> None:
    disk = RealDisk(tmp_path)

    async def run(payload: bytes) -> None:
        writer = opened(disk, Told(), head=b"head of " + payload)
        writer.append(payload)
        writer.close()

    for payload in (b"one", b"two", b"three"):
        asyncio.run(run(payload))
    found, taken = read(disk)
    assert found.verdict is Verdict.CLEAN
    assert found.offset == 6 * 4096
    assert [record.payload.decode() for record in taken] == [
        "head of one", "one", "head of two", "two", "head of three", "three",
    ]  # fmt: skip
    assert [record.seq for record in taken] == [1, 2, 3, 4, 5, 6]


def test_append_returns_while_the_disk_is_stalled_and_waiting_records_share_one_sync(crash_disk) -> None:
    async def write() -> None:
        disk, told = crash_disk(), Told()
        writer = opened(disk, told)
        await told.until(lambda: told.durable == [1])
        stalled, go_on = threading.Event(), threading.Event()

        def stall(call: str) -> None:
            if call == "fdatasync":
                stalled.set()
                assert go_on.wait(10)

        disk.before = stall
        writer.append(b"first")
        assert await asyncio.to_thread(stalled.wait, 10)
        syncs = disk.calls.count("fdatasync")
        for _ in range(10):
            writer.append(b"later")
        assert told.durable == [1]
        go_on.set()
        await told.until(lambda: told.durable[-1] == 12)
        assert told.durable == [1, 2, 12]
        assert disk.calls.count("fdatasync") == syncs + 1
        writer.close()
        assert [record.synced for record in read(disk)[1]] == [0, 1, *[2] * 10], "each names what was there before it"

    asyncio.run(write())


def test_what_waits_for_a_sync_when_it_is_closed_is_written(crash_disk) -> None:
    async def write() -> None:
        disk, told = crash_disk(), Told()
        writer = opened(disk, told)
        await told.until(lambda: told.durable == [1])
        disk.before = lambda call: threading.Event().wait(0.01) if call == "fdatasync" else None
        for _ in range(100):
            writer.append(b"x")
        writer.close()
        assert told.durable == [1, 2, 66, 101]
        assert read(disk)[0].head == writer.head

    asyncio.run(write())


@pytest.mark.parametrize("error", [errno.EIO, errno.ENOSPC, errno.EROFS, errno.EDQUOT], ids=errno.errorcode.get)
@pytest.mark.parametrize("at", range(8))
def test_the_first_failed_call_is_final_and_told_once(crash_disk, at: int, error: int) -> None:
    async def write() -> None:
        disk, told = crash_disk(), Told()
        writer = opened(disk, told)
        await told.until(lambda: told.durable == [1])
        disk.fail(at, error)
        for number in range(2, 12):
            if told.failed:
                break
            assert writer.append(b"x") == number
            await told.until(lambda n=number: told.durable[-1] == n or told.failed)
        calls = len(disk.calls)
        lost = writer.append(b"after the fault")
        with pytest.raises(JournalError, match=errno.errorcode[error]):
            writer.close()
        assert len(told.failed) == 1
        assert told.failed[0].startswith("/crash/00000001.journal: ")
        assert lost not in told.durable
        assert len(disk.calls) == calls, "nothing is tried again"
        found, taken = read(disk)
        assert found.verdict in (Verdict.CLEAN, Verdict.TORN)
        assert len(taken) >= told.durable[-1]

    asyncio.run(write())


def test_a_log_that_cannot_be_opened_or_continued_is_a_journal_error(crash_disk) -> None:
    async def write(disk) -> None:
        opened(disk, Told())

    disk = crash_disk()
    disk.fail(0, errno.ENOSPC)
    with pytest.raises(JournalError, match=r"/crash: cannot continue the journal: .*ENOSPC"):
        asyncio.run(write(disk))
    with pytest.raises(JournalError, match="the journal is corrupt"):
        asyncio.run(write(crash_disk({"00000001.journal": b""})))


def test_a_disk_that_never_answers_does_not_keep_the_daemon_from_ending(crash_disk, monkeypatch) -> None:
    monkeypatch.setattr(writer_module, "CLOSE_S", 0.05)
    go_on = threading.Event()

    async def write() -> None:
        disk, told = crash_disk(), Told()
        writer = opened(disk, told)
        await told.until(lambda: told.durable == [1])
        assert writer.lives()
        disk.before = lambda call: go_on.wait(10)
        writer.append(b"stuck")
        writer.lives()
        assert not writer.lives()
        with pytest.raises(JournalError, match="did not answer"):
            writer.close()

    asyncio.run(write())
    go_on.set()


def test_the_thread_answers_while_it_lives(crash_disk) -> None:
    async def write() -> None:
        told = Told()
        writer = opened(crash_disk(), told)
        for _ in range(3):
            assert writer.lives()
            writer.append(b"x")
            await told.until(lambda seq=writer.newest: told.durable[-1:] == [seq])
        writer.close()

    asyncio.run(write())


def test_a_record_given_after_the_end_goes_nowhere_and_is_never_called_durable(crash_disk) -> None:
    async def write() -> None:
        disk, told = crash_disk(), Told()
        writer = opened(disk, told)
        writer.append(b"last")
        writer.close()
        assert told.durable[-1] == 2, "what was synced is told before the end"
        calls = len(disk.calls)
        writer.seal(b"late")
        writer.close()
        assert (told.durable[-1], len(disk.calls)) == (2, calls)

    asyncio.run(write())


def test_a_writer_that_is_closed_leaves_no_descriptor_open(tmp_path: Path) -> None:
    def opens() -> set[Path]:
        return set(Path("/proc/self/fd").iterdir())

    async def write() -> None:
        before = opens()
        writer = opened(RealDisk(tmp_path), Told())
        writer.append(b"one")
        writer.close()
        assert opens() == before

    asyncio.run(write())
