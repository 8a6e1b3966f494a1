"""One bit of the log is not what it was: the record is named, and nothing behind it is believed or touched."""

from collections import Counter
from random import Random
from typing import Final

from bench.crash.disk import CrashDisk
from bench.crash.evening import BOOT_ID, Recorder, batches
from dealerbox.journal.prune import prune as begin_anew
from dealerbox.journal.record import BLOCK, CHECK_BYTES, Record, Stamp, encode
from dealerbox.journal.recover import Verdict, recover

SEGMENT: Final = 4 * BLOCK
RUN: Final = 2
"""Groups in a log before it begins anew: small logs, so that every bit of every record can be tried."""
ZEROS: Final = 24
"""Bits tried in the unused rest of each block."""
HEADER: Final = 96


def prove(payloads: list[bytes], seed: int, every: int = 1) -> tuple[Counter[str], list[str]]:
    """Flip each bit of each record of an evening, `every` n-th of them; return the score and what is wrong."""
    rng, score, wrong = Random(seed), Counter[str](), []
    disk = CrashDisk()
    recorder = Recorder(disk, SEGMENT)
    groups = batches(payloads, rng)
    for at in range(0, len(groups), RUN):
        recorder.write(groups[at : at + RUN])
        wrong += _flip_all(disk, recorder.began, rng, score, every)
        found = recover(disk, lambda record: None, segment_bytes=SEGMENT)
        begin_anew(disk, found, b"{}", boot_id=BOOT_ID, stamp=Stamp(1), segment_bytes=SEGMENT)
    return score, wrong + recorder.faults + recorder.failed


def _flip_all(disk: CrashDisk, began: dict[int, int], rng: Random, score: Counter[str], every: int) -> list[str]:
    files = disk.seen()
    records: list[Record] = []
    recover(CrashDisk(files), records.append, segment_bytes=SEGMENT)
    wrong: list[str] = []
    newest = began[records[-1].seq] - 1
    """Beyond it are those of the last sync: there a lost record and a flipped bit look alike."""
    for record in records:
        score["records"] += 1
        data, _ = encode(record)
        name, start = _place(files, data)
        used = 8 * (HEADER + len(record.payload) + CHECK_BYTES)
        spare = range(used, 8 * len(data))
        for bit in [*range(0, used, every), *rng.sample(spare, min(ZEROS, len(spare)))]:
            wrong += _flip(files, name, start * 8 + bit, record.seq, record.seq <= newest, score)
    return wrong[:3]


def _place(files: dict[str, bytes], data: bytes) -> tuple[str, int]:
    return next((name, whole.index(data)) for name, whole in files.items() if data in whole)


def _flip(files: dict[str, bytes], name: str, bit: int, seq: int, proved: bool, score: Counter[str]) -> list[str]:
    flipped = bytearray(files[name])
    flipped[bit // 8] ^= 1 << bit % 8
    disk = CrashDisk({**files, name: bytes(flipped)})
    taken: list[int] = []
    found = recover(disk, lambda record: taken.append(record.seq), segment_bytes=SEGMENT)
    score["flips"] += 1
    score[found.verdict] += 1
    named = f"record {seq}:" in found.why or "the record that the log begins with" in found.why
    wanted = Verdict.CORRUPT if proved else Verdict.TORN
    if found.verdict is wanted and named and seq not in taken and not disk.calls:
        return []
    return [f"bit {bit} of {name}, in record {seq}: {found.verdict}: {found.why}"]
