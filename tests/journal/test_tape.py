"""Power cuts between any two calls, in every state that unsynced writes can be left in."""

import errno

import pytest

from dealerbox.journal import tape as tape_module
from dealerbox.journal.recover import Verdict, mend, recover
from dealerbox.journal.reserve import reserve
from dealerbox.journal.segment import make
from dealerbox.journal.tape import Tape
from dealerbox.ports import JournalError

SMALL = 4 * 4096
PAYLOADS = [b"head", b"one", b"two" * 2000, b"three", b"four", b"five" * 1500, b"six", b"seven", b"eight"]


class Inline:
    """A thread that has run before it is started."""

    def __init__(self, target, args, **_) -> None:
        self._call = lambda: target(*args)

    def start(self) -> None:
        self._call()

    def join(self) -> None: ...


@pytest.fixture
def inline(monkeypatch) -> None:
    monkeypatch.setattr(tape_module.threading, "Thread", Inline)


def read(disk, size: int = SMALL):
    taken = []
    return recover(disk, lambda record: taken.append(record.payload), segment_bytes=size), taken


def write_log(disk, chain, told: list[int], size: int = SMALL, shared=(1, 1, 3, 1, 3)) -> None:
    """Write PAYLOADS, so many sharing each sync; the last of `told` is what has been called durable."""
    mend(disk, read(disk, size)[0], segment_bytes=size)
    tape = Tape(disk, 1, 0, size)
    todo = list(PAYLOADS)
    for group in shared:
        records = [chain.record(todo.pop(0), told[-1]) for _ in range(group)]
        for data in records:
            tape.write(data)
        tape.sync()
        tape.prepare()
        told.append(told[-1] + group)
    tape.close()


@pytest.mark.parametrize(
    ("size", "shared", "least"),
    [(SMALL, (1,) * 9, 90), (SMALL, (1, 1, 3, 1, 3), 150), (2 * SMALL, (4, 5), 1400), (2 * SMALL, (1, 3, 2, 3), 300)],
)
def test_no_power_cut_loses_what_was_called_durable_or_looks_like_corruption(
    inline, crash_disk, chain, size: int, shared, least: int
) -> None:
    disk, told, states, torn = crash_disk(), [0], 0, 0

    def cut(call: str) -> None:
        nonlocal states, torn
        for files in disk.states():
            states += 1
            after = crash_disk(files)
            found, taken = read(after, size)
            assert found.verdict in (Verdict.CLEAN, Verdict.TORN), (len(disk.calls), call, found.why)
            assert taken == PAYLOADS[: len(taken)]
            assert len(taken) >= told[-1], (len(disk.calls), call)
            torn += found.verdict is Verdict.TORN
            go_on(after, chain, found)

    def go_on(after, chain, found) -> None:
        mend(after, found, segment_bytes=size)
        tape = Tape(after, max(found.segment, 1), found.offset, size)
        later = type(chain)()
        later.head = found.head
        tape.write(later.record(b"after", found.head.seq))
        tape.sync()
        tape.prepare()
        again, taken = read(after, size)
        assert (again.verdict, again.head.seq, taken[-1]) == (Verdict.CLEAN, found.head.seq + 1, b"after")

    disk.before = cut
    write_log(disk, chain, told, size, shared)
    cut("the end")
    assert told[-1] == len(PAYLOADS)
    assert states >= least
    assert torn > least // 3


def test_a_power_cut_while_mending_changes_no_verdict(inline, crash_disk, chain) -> None:
    whole, lost, later = chain.record(b"one", 0), chain.record(b"two" * 2000, 1), chain.record(b"three", 1)
    files = {
        "00000001.journal": (whole + lost[:4096]).ljust(SMALL, b"\0"),
        "00000002.journal": later.ljust(SMALL, b"\0"),
    }
    disk, states = crash_disk(files), 0

    def cut(call: str) -> None:
        nonlocal states
        for left in disk.states():
            states += 1
            found, taken = read(crash_disk(left))
            assert found.verdict in (Verdict.CLEAN, Verdict.TORN), found.why
            assert taken == [b"one"]

    disk.before = cut
    mend(disk, read(disk)[0], segment_bytes=SMALL)
    assert states > 5
    assert read(disk)[0].verdict is Verdict.CLEAN


def test_short_and_interrupted_writes_go_on_where_they_stopped(inline, crash_disk, chain) -> None:
    disk = crash_disk()
    interrupted = []

    def before(call: str) -> None:
        if call == "pwrite" and len(disk.calls) % 3 == 0:
            interrupted.append(call)
            raise InterruptedError

    disk.before = before
    disk.short = set(range(0, 200, 2))
    write_log(disk, chain, [0])
    assert interrupted
    assert read(disk) == (read(disk)[0], PAYLOADS)
    assert read(disk)[0].verdict is Verdict.CLEAN


def test_the_next_segment_is_made_before_it_is_needed(inline, crash_disk, chain) -> None:
    disk = crash_disk()
    mend(disk, read(disk)[0], segment_bytes=SMALL)
    tape = Tape(disk, 1, 0, SMALL)
    made = []
    for payload in (b"one", b"two", b"three", b"four", b"five"):
        tape.write(chain.record(payload, 0))
        tape.sync()
        tape.prepare()
        made.append(sorted(disk.names())[-1])
    assert made == ["00000001.journal", *["00000002.journal"] * 4]


class Full:
    """A disk that has no room for another segment while `is_full`."""

    def __init__(self, disk, error: int = errno.ENOSPC) -> None:
        self.is_full, self.error, self.tries = True, error, 0
        self._making = False
        disk.before = self._before

    def _before(self, call: str) -> None:
        if call == "create":
            self.tries += 1
            self._making = self.is_full
        elif call in ("pwrite", "allocate") and self._making:
            self._making = False
            raise OSError(self.error, errno.errorcode[self.error])


def write_one(tape, chain) -> None:
    tape.write(chain.record(b"x", 0))
    tape.sync()
    tape.prepare()


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EDQUOT], ids=errno.errorcode.get)
def test_a_full_disk_is_no_fault_while_blocks_are_left_and_nothing_is_left_lying(
    inline, crash_disk, chain, error
) -> None:
    disk = crash_disk()
    mend(disk, read(disk)[0], segment_bytes=SMALL)
    tape = Tape(disk, 1, 0, SMALL)
    full = Full(disk, error)
    left = []
    for _ in range(4):
        write_one(tape, chain)
        left.append(tape.left)
    assert left == [3, 2, 1, 0]
    assert full.tries == 1
    assert disk.names() == ["00000001.journal"]
    with pytest.raises(OSError, match=errno.errorcode[error]):
        write_one(tape, chain)


def test_room_that_somebody_made_is_found_half_a_minute_later(inline, crash_disk, chain) -> None:
    disk, now_s = crash_disk(), [0.0]
    mend(disk, read(disk)[0], segment_bytes=SMALL)
    tape = Tape(disk, 1, 0, SMALL, clock_s=lambda: now_s[0])
    full = Full(disk)
    for _ in range(3):
        write_one(tape, chain)
    full.is_full = False
    assert tape.left == 1
    now_s[0] = tape_module.AGAIN_S
    write_one(tape, chain)
    assert tape.left == 4


def test_a_disk_that_fails_while_the_next_segment_is_made_stops_today(inline, crash_disk, chain) -> None:
    disk = crash_disk()
    mend(disk, read(disk)[0], segment_bytes=SMALL)
    tape = Tape(disk, 1, 0, SMALL)
    Full(disk, errno.EIO)
    write_one(tape, chain)
    write_one(tape, chain)
    with pytest.raises(OSError, match="EIO"):
        write_one(tape, chain)


def test_half_of_the_reserve_used_is_made_up_for(inline, crash_disk, chain) -> None:
    disk = crash_disk()
    assert reserve(disk, read(disk)[0], 12, segment_bytes=SMALL) == 12
    tape = Tape(disk, 1, 0, SMALL, reserve=12)
    left = []
    for _ in range(8):
        write_one(tape, chain)
        left.append(tape.left)
    assert left == [11, 10, 9, 8, 7, 10, 9, 8]


def test_an_evening_is_claimed_at_once_and_made_once_records_are_written(inline, crash_disk, chain) -> None:
    disk = crash_disk()
    assert reserve(disk, read(disk)[0], 12, segment_bytes=SMALL) == 12
    assert disk.names() == ["00000001.journal", "00000002.journal.claimed", "00000003.journal.claimed"]
    assert (disk.calls.count("allocate"), disk.calls.count("pwrite")) == (2, 1)
    tape = Tape(disk, 1, 0, SMALL, reserve=12)
    assert tape.left == 12
    write_one(tape, chain)
    assert sorted(disk.names()) == ["00000001.journal", "00000002.journal", "00000003.journal"]
    assert tape.left == 11


def test_what_a_death_left_claimed_is_claimed_still_and_what_it_left_half_made_is_made_anew(crash_disk, chain) -> None:
    disk = crash_disk()
    reserve(disk, read(disk)[0], 12, segment_bytes=SMALL)
    assert not make(disk, 2, SMALL, claimed=True, stopped=lambda: True)
    assert "00000002.journal.making" in disk.names()
    assert reserve(disk, read(disk)[0], 12, segment_bytes=SMALL) == 12
    assert sorted(disk.names()) == ["00000001.journal", "00000002.journal.claimed", "00000003.journal.claimed"]


def test_a_claim_of_a_segment_that_is_there_is_removed(crash_disk) -> None:
    disk = crash_disk()
    reserve(disk, read(disk)[0], 12, segment_bytes=SMALL)
    make(disk, 2, SMALL)
    mend(disk, read(disk)[0], segment_bytes=SMALL)
    assert sorted(disk.names()) == ["00000001.journal", "00000002.journal", "00000003.journal.claimed"]


def test_a_disk_that_does_not_keep_its_word_about_claims_is_told_as_full(inline, crash_disk, chain) -> None:
    disk = crash_disk()
    reserve(disk, read(disk)[0], 12, segment_bytes=SMALL)
    tape = Tape(disk, 1, 0, SMALL, reserve=12)

    def full(call: str) -> None:
        if call == "rename":
            raise OSError(errno.ENOSPC, "a file system that copies what it writes")

    disk.before = full
    write_one(tape, chain)
    assert tape.left == 3


def test_a_claimed_segment_that_is_needed_before_it_is_made_is_made_then(crash_disk, chain, monkeypatch) -> None:
    class Never(Inline):
        """A thread that has ended without a turn."""

        def start(self) -> None:
            tape._busy = False

    monkeypatch.setattr(tape_module.threading, "Thread", Never)
    disk = crash_disk()
    reserve(disk, read(disk)[0], 12, segment_bytes=SMALL)
    tape = Tape(disk, 1, 0, SMALL, reserve=12)
    for _ in range(6):
        write_one(tape, chain)
    assert sorted(disk.names()) == ["00000001.journal", "00000002.journal", "00000003.journal.claimed"]
    assert tape.left == 6
    assert len(read(disk)[1]) == 6


def test_a_thread_that_makes_segments_ends_when_the_tape_is_closed(crash_disk, chain) -> None:
    disk = crash_disk()
    reserve(disk, read(disk)[0], 400, segment_bytes=SMALL)
    tape = Tape(disk, 1, 0, SMALL, reserve=400)
    write_one(tape, chain)
    tape.close()
    assert tape.left == 399


def test_what_a_full_disk_can_reserve_is_told(crash_disk) -> None:
    disk = crash_disk()
    mend(disk, read(disk)[0], segment_bytes=SMALL)
    Full(disk)
    assert reserve(disk, read(disk)[0], 9, segment_bytes=SMALL) == 4


def test_a_disk_that_fails_while_it_is_reserved_refuses_the_start(crash_disk) -> None:
    disk = crash_disk()
    disk.fail(at=6, error=errno.EIO)
    with pytest.raises(JournalError, match="cannot continue the journal"):
        reserve(disk, read(disk)[0], 9, segment_bytes=SMALL)
