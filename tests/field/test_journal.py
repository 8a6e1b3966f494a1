"""What journald, SD cards and clocks did to others' records."""

import asyncio
import io
import os
import signal
from pathlib import Path

import pytest

from bench.edits import evening, exported
from dealerbox.cli.main import run as dealerbox
from dealerbox.journal.disk import RealDisk
from dealerbox.journal.evidence import evidence, verify
from dealerbox.journal.record import ClockQuality, Record, RecordKind, Stamp, encode
from dealerbox.journal.recover import Verdict, recover
from dealerbox.journal.writer import Writer
from dealerbox.ports import JournalError
from dealerbox.station import daemon
from dealerbox.station.past import recall

YEAR_US = 366 * 86_400 * 1_000_000


class Deaf(io.StringIO):
    """Standard error when whoever read it is gone."""

    def write(self, text: str) -> int:
        raise BrokenPipeError(32, "Broken pipe")


class Counted(RealDisk):
    """A disk that counts what it is asked for."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.written = self.syncs = 0

    def pwrite(self, file: int, data: bytes, offset: int) -> int:
        self.written += len(data)
        return super().pwrite(file, data, offset)

    def fdatasync(self, file: int) -> None:
        self.syncs += 1
        super().fdatasync(file)


def written(disk: RealDisk, events: int, walls: list[int] | None = None) -> None:
    """Write so many events, each durable before the next; `walls`: what the wall clock says at each record."""

    async def run() -> None:
        stamps = iter(walls or [0] * (events + 1))
        durable: list[asyncio.Future[None]] = []
        writer = Writer(
            disk,
            recover(disk, lambda record: None),
            head=b'{"format":1}',
            boot_id=bytes(16),
            stamp=lambda: Stamp(1, next(stamps), ClockQuality.SYNCED),
            durable=lambda seq: durable[-1].set_result(None) if durable else None,
            failed=print,
        )
        while writer.synced.seq < 1:
            await asyncio.sleep(0)
        if isinstance(disk, Counted):
            disk.written = disk.syncs = 0
        for number in range(events):
            durable.append(asyncio.get_running_loop().create_future())
            writer.append(b'{"event":{"event":"Tick","at_ns":%d},"commands":[]}' % number)
            await durable[-1]
        writer.close()

    asyncio.run(run())


def test_with_nobody_to_read_what_the_station_says_its_own_journal_is_whole_JR_01(config, monkeypatch) -> None:
    """The system's log is for people: a station whose words are heard by nobody plays on, and records."""

    class Quiet:
        name = "shuffler"

        def obey(self, command) -> None: ...

        async def run(self, emit) -> None:
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.Event().wait()

    monkeypatch.setattr(daemon, "_checked", lambda file: config)
    code = daemon.main(["--config", "x"], Deaf(), build=lambda *_: [Quiet()])
    assert code == 0
    assert recover(RealDisk(config.state_dir / "journal"), lambda record: None).verdict is Verdict.CLEAN


def test_records_are_in_the_order_of_their_numbers_whatever_the_wall_clock_does_JR_03(tmp_path) -> None:
    """Years back, years on, two days back: every record is there, verified, with the time that the clock told."""
    walls = [YEAR_US * 50, YEAR_US * 49, YEAR_US * 51, YEAR_US * 50 - 2 * 86_400_000_000]
    written(RealDisk(tmp_path / "journal"), 3, walls)
    records: list[Record] = []
    assert recover(RealDisk(tmp_path / "journal"), records.append).verdict is Verdict.CLEAN
    assert [(record.seq, record.stamp.wall_us) for record in records] == list(enumerate(walls, 1))
    lines: list[bytes] = []
    evidence(RealDisk(tmp_path / "journal"), lines.append)
    assert verify(lines, "night").verdict is Verdict.CLEAN


def test_every_byte_that_is_another_is_found_and_its_place_named_JR_04() -> None:
    lines = exported(evening(1))[:6]
    whole = b"".join(lines)
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 0x01
        found = verify(bytes(changed).splitlines(keepends=True), "night")
        assert found.verdict is Verdict.CORRUPT
        assert ": line " in found.why or "cut short" in found.why


def test_a_damaged_log_ends_with_another_code_and_the_place_JR_04(tmp_path, capsys) -> None:
    file = tmp_path / "night.jsonl"
    file.write_bytes(b"".join(exported(evening(1))).replace(b'"at_ns":', b'"at_ns":1', 1))
    assert dealerbox(["log", "verify", str(file)]) == 65
    assert f"{file}: line 2: " in capsys.readouterr().out


def test_an_event_costs_the_card_one_block_and_one_flush_ST_01(tmp_path) -> None:
    """4 KiB and one flush an event: 21,000 of a day are 86 MB, of at most 200."""
    disk = Counted(tmp_path / "journal")
    written(disk, 40)
    assert disk.syncs == 40
    assert disk.written == 40 * 4096
    assert 21_000 * disk.written / 40 < 200e6


@pytest.mark.parametrize("payload", [b'{"event":{"event":"Prophecy"},"commands":[]}', b'{"event":{"event":"Tick"}}'])
def test_a_journal_of_other_software_refuses_the_start_and_is_not_skipped_TR_10(tmp_path, payload: bytes) -> None:
    disk = RealDisk(tmp_path / "journal")
    written(disk, 1)
    put(tmp_path / "journal", RecordKind.EVENT, payload)
    with pytest.raises(JournalError, match="record 3 of the journal was written by other software"):
        recall(RealDisk(tmp_path / "journal"))


def test_a_journal_of_a_later_format_refuses_the_start_TR_10(tmp_path) -> None:
    disk = RealDisk(tmp_path / "journal")
    written(disk, 0)
    put(tmp_path / "journal", RecordKind.HEAD, b'{"format":2,"software":"9.0"}')
    with pytest.raises(JournalError, match="record 2 of the journal was written by other software: format 2"):
        recall(RealDisk(tmp_path / "journal"))


def put(folder: Path, kind: RecordKind, payload: bytes) -> None:
    """Put a record behind the journal's last."""
    disk = RealDisk(folder)
    found = recover(disk, lambda record: None)
    record = Record(found.head.seq + 1, found.head.seq, kind, Stamp(1), bytes(16), found.head.digest, payload)
    with (folder / "00000001.journal").open("r+b") as file:
        file.seek(found.offset)
        file.write(encode(record)[0])
