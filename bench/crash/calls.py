"""A disk that fails at its n-th call, for every n: the first failure is the last, what was acknowledged is there."""

import errno
import threading
import time
from collections import Counter
from typing import Final

from bench.crash.disk import CrashDisk
from bench.crash.evening import Recorder
from bench.crash.states import Judge
from dealerbox.journal.record import BLOCK
from dealerbox.journal.recover import recover
from dealerbox.ports import JournalError

ERRORS: Final = (errno.EIO, errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EINTR)
FULL: Final = (errno.ENOSPC, errno.EDQUOT)
SEGMENT: Final = 8 * BLOCK
"""So small that a few records fill it: making and changing segments is among the calls that fail."""
STALL_S: Final = 0.75
"""The longest write that a card may take by the SD specification's own measure of speed class."""
LATE_S: Final = STALL_S / 3
"""A loop that waited for the disk would be late by the whole of it; one on a busy machine is by some of this."""


def prove(groups: list[list[bytes]], seed: int) -> tuple[Counter[str], list[str]]:
    """Write the groups with each error at each call, then with each write short; return the score and what is wrong."""
    score: Counter[str] = Counter()
    wrong: list[str] = []
    whole = Judge(seed, SEGMENT, disk=CrashDisk())
    whole.recorder.write(groups)
    calls = list(whole.disk.calls)
    for error in ERRORS:
        for at in range(len(calls)):
            disk = CrashDisk()
            disk.fail(at, error)
            score[errno.errorcode[error]] += 1
            may_go_on = {calls[at] == "pwrite"} if error == errno.EINTR else {False, error in FULL}
            what = f"{errno.errorcode[error]} at call {at} ({calls[at]})"
            wrong += [f"{what}: {each}" for each in _failed(disk, groups, seed, score, may_go_on)]
    for at, call in enumerate(calls, 1):
        if call == "pwrite":
            disk = CrashDisk()
            disk.short = {at}
            score["short write"] += 1
            wrong += _unharmed(disk, groups, seed, whole, f"short write at call {at}")
    score["read errors"], unread = _unread(whole.disk)
    return score, wrong + unread


def _failed(
    disk: CrashDisk, groups: list[list[bytes]], seed: int, score: Counter[str], may_go_on: set[bool]
) -> list[str]:
    """Write over a failing disk and say what is wrong.

    `may_go_on`: whether it may go unnoticed: a write that is made again, a segment for later without room now.
    """
    judge = Judge(seed, SEGMENT, samples=2, disk=disk)
    recorder = judge.recorder
    noticed = bool(recorder.write(groups)) or bool(recorder.failed)
    used = len(disk.calls)
    score["noticed" if noticed else "went on"] += 1
    wrong = list(recorder.faults)
    if (not noticed) not in may_go_on:
        wrong.append("told though nothing was lost" if noticed else "went unnoticed")
    if not noticed and recorder.told != 1 + sum(map(len, groups)):
        wrong.append(f"went unnoticed, and {recorder.told} is the last that was told")
    if len(recorder.failed) > 1:
        wrong.append(f"told {len(recorder.failed)} times")
    judge.look()
    judge.judge(disk.seen())
    score["states"] += judge.score["states"]
    if len(disk.calls) != used:
        wrong.append("the disk was used after its failure")
    return wrong + judge.wrong


def _unharmed(disk: CrashDisk, groups: list[list[bytes]], seed: int, whole: Judge, what: str) -> list[str]:
    judge = Judge(seed, SEGMENT, disk=disk)
    why = judge.recorder.write(groups)
    if why or judge.recorder.failed or disk.kept() != whole.disk.kept():
        return [f"{what}: {why or judge.recorder.failed or 'the log differs'}"]
    return []


def _unread(disk: CrashDisk) -> tuple[int, list[str]]:
    """Fail each read of a start in turn: the start is refused with a sentence, and nothing is changed."""
    wrong, before, number = [], disk.seen(), 0
    while True:
        after = CrashDisk(before)
        reads = 0

        def fails(call: str, at: int = number) -> None:
            nonlocal reads
            reads += 1
            if reads > at:
                raise OSError(errno.EIO, "Input/output error")

        after.before_read = fails
        try:
            recover(after, lambda record: None, segment_bytes=SEGMENT)
        except JournalError as error:
            if "cannot read the journal" not in str(error):
                wrong.append(f"read {number}: {error}")
        else:
            return number, wrong
        if after.calls or after.opened:
            wrong.append(f"read {number}: {after.calls} were called, {len(after.opened)} files left open")
        number += 1


def stalled(groups: list[list[bytes]]) -> tuple[dict[str, float], list[str]]:
    """Hold a sync up for 750 ms: what is appended meanwhile is taken at once and acknowledged after, not before.

    The loop waits for none of it.
    """
    disk = CrashDisk()
    recorder = Recorder(disk, SEGMENT)
    held = threading.Event()
    before = disk.before

    def stall(call: str) -> None:
        if call == "fdatasync" and recorder.told >= 2 and not held.is_set():
            held.set()
            time.sleep(STALL_S)
        before(call)

    disk.before = stall
    began = time.monotonic()
    why = recorder.write(groups)
    took = time.monotonic() - began
    wrong = [why] if why else []
    wrong += recorder.faults + recorder.failed
    if not held.is_set() or took < STALL_S or recorder.told != recorder.head.seq:
        wrong.append(f"stall: {took:.2f} s, {recorder.told} of {recorder.head.seq} told")
    if recorder.late_s > LATE_S:
        wrong.append(f"stall: the loop was {recorder.late_s:.2f} s late")
    return {"stall_s": STALL_S, "evening_s": round(took, 3), "loop_late_s": round(recorder.late_s, 3)}, wrong
