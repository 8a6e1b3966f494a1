"""Pruning: the log begins anew with a base, and no crash leaves anything that is neither the old log nor the new."""

import pytest

from dealerbox.journal.prune import prune
from dealerbox.journal.record import RecordKind, Stamp
from dealerbox.journal.recover import Head, Verdict, mend, recover
from dealerbox.journal.tape import Tape

BLOCK = 4096
SIZE = 4 * BLOCK


def read(disk, anchor: Head | None = None):
    taken = []
    return recover(disk, taken.append, segment_bytes=SIZE, anchor=anchor), taken


def begin_anew(disk) -> Head:
    return prune(disk, read(disk)[0], b'{"base":1}', boot_id=bytes(16), stamp=Stamp(1), segment_bytes=SIZE)


@pytest.fixture
def log(chain, crash_disk):
    """Ten records in three segments."""
    records = [chain.record(b"%d" % n, n) for n in range(10)]
    parts = [b"".join(records[start : start + 4]).ljust(SIZE, b"\0") for start in (0, 4, 8)]
    return crash_disk({f"{n:08d}.journal": part for n, part in enumerate(parts, 1)})


def test_after_a_pruning_the_log_is_its_base_and_goes_on(log, chain) -> None:
    head = begin_anew(log)
    assert log.names() == ["00000004.journal"]
    found, (base,) = read(log)
    assert (found.verdict, found.head, head.seq) == (Verdict.CLEAN, head, 11)
    assert (base.kind, base.seq, base.payload) == (RecordKind.BASE, 11, b'{"base":1}')
    tape = Tape(log, found.segment, found.offset, SIZE)
    chain.head = head
    tape.write(chain.record(b"after", 11))
    tape.sync()
    assert [record.seq for record in read(log)[1]] == [11, 12]


def test_a_pruning_that_a_crash_cuts_short_leaves_the_old_log_or_the_new_one(log, crash_disk) -> None:
    seen: set[int] = set()

    def cut(call: str) -> None:
        for files in log.states():
            after = crash_disk(files)
            found, taken = read(after)
            assert found.verdict in (Verdict.CLEAN, Verdict.TORN), (call, found.why)
            assert found.head.seq in (10, 11)
            assert [record.seq for record in taken] in (list(range(1, 11)), list(range(1, 12)), [11])
            mend(after, found, segment_bytes=SIZE)
            again, rest = read(after)
            assert (again.verdict, again.head, len(rest)) == (Verdict.CLEAN, found.head, len(taken))
            begins = "00000004.journal" if taken[0].seq == 11 else "00000001.journal"
            assert min(after.names()) == begins
            seen.add(len(after.names()))

    log.before = cut
    begin_anew(log)
    cut("the end")
    assert seen >= {1, 3, 4}


def test_a_torn_tail_is_mended_before_the_base_is_written(log) -> None:
    inode = log.inodes["00000003.journal"]
    inode.kept = inode.kept[: 2 * BLOCK] + b"DLBX torn".ljust(2 * BLOCK, b"\0")
    assert read(log)[0].verdict is Verdict.TORN
    calls = list(log.calls)
    begin_anew(log)
    assert log.calls[len(calls) : len(calls) + 2] == ["pwrite", "fsync"]
    assert read(log)[0].verdict is Verdict.CLEAN


def test_a_log_whose_base_is_damaged_or_gone_is_corrupt(log) -> None:
    begin_anew(log)
    inode = log.inodes["00000004.journal"]
    inode.kept = inode.kept[:100] + b"\xff" + inode.kept[101:]
    found, taken = read(log)
    assert (found.verdict, taken) == (Verdict.CORRUPT, [])
    assert found.why == ("/crash/00000004.journal, offset 0: the record that the log begins with: its check is wrong")
    inode.kept = bytes(SIZE)
    assert read(log)[0].why.endswith("the record that the log begins with: no record starts here")


def test_segments_taken_away_without_a_base_are_missed(log) -> None:
    del log.inodes["00000001.journal"]
    found, _ = read(log)
    assert (found.verdict, found.why) == (Verdict.CORRUPT, "/crash/00000001.journal is missing")


def test_a_head_kept_before_the_pruning_still_tells_another_log(log) -> None:
    before = read(log)[0].head
    begin_anew(log)
    assert read(log, before)[0].verdict is Verdict.CLEAN
    found, _ = read(log, Head(10, bytes(32)))
    assert (found.verdict, found.why) == (Verdict.ROLLED_BACK, "record 10 is not the one that is known from elsewhere")
    found, _ = read(log, Head(4, bytes(32)))
    assert (found.verdict, found.why) == (Verdict.ROLLED_BACK, "it begins after record 10; record 4 was known")
