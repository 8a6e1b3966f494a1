import pytest

from dealerbox.journal.recover import Head, Verdict, mend, recover
from dealerbox.journal.segment import name_of
from dealerbox.ports import JournalError

BLOCK = 4096
SIZE = 4 * BLOCK


def judged(disk, anchor: Head | None = None):
    taken = []
    return recover(disk, lambda record: taken.append(record.payload), segment_bytes=SIZE, anchor=anchor), taken


@pytest.fixture
def log(chain, crash_disk):
    """Six records in two segments: the second of two blocks, the fifth moved on to the next segment."""
    payloads = [b"one", b"two" * 2000, b"three", b"four" * 2000, b"five", b"six"]
    records = [chain.record(payload, synced) for synced, payload in enumerate(payloads)]
    first = b"".join(records[:3])
    second = b"".join(records[3:5])
    third = records[5]
    files = {name_of(n): part.ljust(SIZE, b"\0") for n, part in enumerate((first, second, third, b""), start=1)}
    return crash_disk(files), payloads


def test_nothing_is_a_clean_beginning(crash_disk) -> None:
    found, taken = judged(crash_disk())
    assert (found.verdict, found.head, found.segment, found.offset, taken) == (Verdict.CLEAN, Head(), 0, 0, [])


def test_whole_records_are_clean_and_taken_in_order(log) -> None:
    disk, payloads = log
    found, taken = judged(disk)
    assert (found.verdict, found.why) == (Verdict.CLEAN, "")
    assert (found.head.seq, found.segment, found.offset) == (6, 3, BLOCK)
    assert taken == payloads


def test_every_flipped_bit_is_noticed(chain, crash_disk) -> None:
    records = [chain.record(payload, synced) for synced, payload in enumerate((b"one", b"two", b"three"))]
    whole = b"".join(records).ljust(SIZE, b"\0")
    disk = crash_disk({name_of(1): whole})
    inode = disk.inodes[name_of(1)]
    for offset in range(SIZE):
        for bit in range(8):
            flipped = bytearray(whole)
            flipped[offset] ^= 1 << bit
            inode.kept = bytes(flipped)
            found, taken = judged(disk)
            if offset < 2 * BLOCK:
                assert found.verdict is Verdict.CORRUPT, (offset, bit)
            else:
                assert found.verdict is Verdict.TORN, (offset, bit)
            assert taken == [b"one", b"two", b"three"][: offset // BLOCK]


def test_damage_before_a_record_that_proves_it_was_whole_is_corrupt_and_named(log) -> None:
    disk, _ = log
    inode = disk.inodes[name_of(1)]
    inode.kept = inode.kept[:BLOCK] + b"\1" + inode.kept[BLOCK + 1 :]
    before = inode.kept
    found, _ = judged(disk)
    assert found.why == (
        "/crash/00000001.journal, offset 4096: record 2: no record starts here;"
        " record 3 behind it proves that it was once whole"
    )
    with pytest.raises(JournalError, match="the journal is corrupt: /crash/00000001"):
        mend(disk, found, segment_bytes=SIZE)
    assert inode.kept == before


def test_a_lost_record_before_a_later_one_of_the_same_sync_is_a_torn_tail(chain, crash_disk) -> None:
    one = chain.record(b"one", 0)
    chain.record(b"never written", 1)
    three = chain.record(b"three", 1)
    disk = crash_disk({name_of(1): (one + bytes(BLOCK) + three).ljust(SIZE, b"\0")})
    found, taken = judged(disk)
    assert (found.verdict, taken, found.dropped) == (Verdict.TORN, [b"one"], 1)
    assert "record 3 without record 2 before it" in found.why


@pytest.mark.parametrize(
    "order", [[0, 2], [1, 0, 2], [0, 0, 1, 2], [0, 1, 1, 2], [0, 1, 2, 1], [0, 2, 1], [1, 2]], ids=str
)
def test_records_taken_out_doubled_or_changed_round_are_corrupt(chain, crash_disk, order) -> None:
    records = [chain.record(payload, synced) for synced, payload in enumerate((b"one", b"two", b"three"))]
    disk = crash_disk({name_of(1): b"".join(records[n] for n in order).ljust(SIZE, b"\0")})
    assert judged(disk)[0].verdict is Verdict.CORRUPT


def test_a_record_spliced_in_from_another_log_is_corrupt(chain, crash_disk) -> None:
    records = [chain.record(payload, synced) for synced, payload in enumerate((b"one", b"two"))]
    other = type(chain)()
    other.record(b"uno", 0)
    disk = crash_disk({name_of(1): (records[0] + other.record(b"due", 1)).ljust(SIZE, b"\0")})
    found, _ = judged(disk)
    assert found.verdict is Verdict.CORRUPT
    assert found.why == "/crash/00000001.journal, offset 4096: record 2 does not follow record 1"


@pytest.mark.parametrize("cut", [0, 1, BLOCK, SIZE - BLOCK, SIZE - 1])
def test_a_segment_that_was_cut_is_corrupt(log, cut: int) -> None:
    disk, _ = log
    inode = disk.inodes[name_of(3)]
    inode.kept = inode.kept[:cut]
    found, _ = judged(disk)
    assert found.verdict is Verdict.CORRUPT
    assert found.why == (
        f"/crash/00000003.journal has {cut} bytes and must have {SIZE}:"
        f" what came after record {6 if cut >= BLOCK else 5} may be cut off"
    )


def test_a_missing_segment_is_corrupt(log) -> None:
    disk, _ = log
    del disk.inodes[name_of(2)]
    found, _ = judged(disk)
    assert (found.verdict, found.why) == (Verdict.CORRUPT, "/crash/00000002.journal is missing")


def test_a_log_that_ends_before_a_known_head_is_rolled_back(log) -> None:
    disk, _ = log
    head = judged(disk)[0].head
    assert judged(disk, anchor=head)[0].verdict is Verdict.CLEAN
    disk.inodes[name_of(3)].kept = bytes(SIZE)
    found, _ = judged(disk, anchor=head)
    assert (found.verdict, found.why) == (Verdict.ROLLED_BACK, "it ends with record 5; record 6 was known")


def test_a_log_with_another_history_is_rolled_back(log) -> None:
    disk, _ = log
    found, _ = judged(disk, anchor=Head(4, bytes(32)))
    assert (found.verdict, found.why) == (
        Verdict.ROLLED_BACK,
        "record 4 is not the one that is known from elsewhere",
    )


def test_mending_drops_the_torn_tail_and_what_a_crash_left_in_the_making(chain, crash_disk) -> None:
    one, torn = chain.record(b"one", 0), chain.record(b"two", 1)
    disk = crash_disk({name_of(1): (one + torn[:50]).ljust(SIZE, b"\0"), name_of(2) + ".making": b"\0" * 99})
    found, _ = judged(disk)
    mend(disk, found, segment_bytes=SIZE)
    assert {name: inode.kept for name, inode in disk.inodes.items()} == {name_of(1): one.ljust(SIZE, b"\0")}
    assert judged(disk)[0].verdict is Verdict.CLEAN
