"""A crash tears the sync that several records share, and one bit of what is left flips: each has its verdict.

What is wanted is worked out from the books of what was written with which sync, never from the records themselves.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Final

import msgspec

from bench.crash.disk import CrashDisk, Files
from bench.crash.evening import Recorder
from dealerbox.journal.record import BLOCK, MAGIC
from dealerbox.journal.recover import Recovery, Verdict, mend, recover

SEGMENT: Final = 24 * BLOCK
GROUPS: Final = ((1, 4), (1, 3, 1), (4, 3))
"""How many records come together in the logs that are tried: the first of each has a sync of its own."""
MENDED: Final = 97
"""Every so many-th torn tail is mended, and read again."""
FREE: Final = 5
"""Bits tried in blocks that nothing was written to."""


class Moment(msgspec.Struct, kw_only=True):
    """A sync that has not returned."""

    states: list[Files]
    acknowledged: int
    """Newest record of the syncs that have."""
    places: dict[int, tuple[str, int, bytes]]
    """Of each record that was written: file, offset, blocks."""
    began: dict[int, int]


def prove(payloads: list[bytes], seed: int, every: int) -> tuple[Counter[str], list[str]]:
    """Flip each `every`-th bit in each state of each sync of short logs; return the score and what is wrong."""
    rng, score, wrong = Random(seed), Counter[str](), []
    given = iter(payloads)
    for sizes in GROUPS:
        for moment in _moments([[next(given) for _ in range(size)] for size in sizes]):
            for files in moment.states:
                score["states"] += 1
                wrong += _flip_all(files, moment, rng, every, score)
    return score, wrong


def _moments(groups: list[list[bytes]]) -> list[Moment]:
    """Write the groups through the real writer, and keep what every sync could leave if the power went in it."""
    disk, found = CrashDisk(), list[Moment]()

    def look() -> None:
        if disk.calls[-1] == "fdatasync":
            written = [write for write in disk.writes if write[2][:4] == MAGIC]
            places = {int.from_bytes(data[16:24], "little"): (name, at, data) for name, at, data in written}
            states = list(disk.states())
            found.append(Moment(states=states, acknowledged=recorder.synced, places=places, began=dict(recorder.began)))

    recorder = Recorder(disk, SEGMENT, look)
    recorder.write(groups)
    return found


def _flip_all(files: Files, moment: Moment, rng: Random, every: int, score: Counter[str]) -> list[str]:
    whole = {
        seq for seq, (name, at, data) in moment.places.items() if files.get(name, b"")[at : at + len(data)] == data
    }
    wrong = []
    for seq, bit in _bits(files, moment, rng, every):
        wanted = _wanted(seq, whole, moment)
        name = moment.places[seq or 1][0]
        flipped = bytearray(files[name])
        flipped[bit // 8] ^= 1 << bit % 8
        wrong += _judge(CrashDisk({**files, name: bytes(flipped)}), wanted, seq, score)
    return wrong[:3]


def _bits(files: Files, moment: Moment, rng: Random, every: int) -> Iterator[tuple[int, int]]:
    """Yield record and bit: each so many-th of the last two syncs, a few of older ones, some of no record (0)."""
    newest = max(moment.places)
    before = moment.began.get(moment.acknowledged, 1)
    for seq, (name, at, data) in moment.places.items():
        if name in files:
            step = every if seq >= before else every * 10
            yield from ((seq, bit) for bit in range(at * 8 + rng.randrange(step), (at + len(data)) * 8, step))
    name, at, data = moment.places[newest]
    if name in files:
        free = range((at + len(data)) * 8, len(files[name]) * 8)
        yield from ((0, rng.choice(free)) for _ in range(FREE))


def _wanted(seq: int, whole: set[int], moment: Moment) -> tuple[Verdict, int]:
    """Return verdict and newest record: a whole one of a later sync proves that the damaged one was once there."""
    newest = moment.acknowledged
    while newest + 1 in whole:
        newest += 1
    if seq not in whole:  # what is hit was torn already, or nothing
        return Verdict.TORN, newest
    proved = any(moment.began[other] > seq for other in whole)
    return Verdict.CORRUPT if proved else Verdict.TORN, min(newest, seq - 1)


def _judge(disk: CrashDisk, wanted: tuple[Verdict, int], seq: int, score: Counter[str]) -> list[str]:
    taken: list[int] = []
    found = recover(disk, lambda record: taken.append(record.seq), segment_bytes=SEGMENT)
    score["flips"] += 1
    score[found.verdict] += 1
    named = found.verdict is Verdict.TORN or f"record {seq}:" in found.why
    if (found.verdict, found.head.seq, taken) != (*wanted, list(range(1, found.head.seq + 1))) or not named:
        return [f"a bit of record {seq}: {found.verdict} at {found.head.seq}, wanted {wanted}: {found.why}"]
    if found.verdict is Verdict.TORN and score["flips"] % MENDED == 0:
        return _mended(disk, found, score)
    return []


def _mended(disk: CrashDisk, found: Recovery, score: Counter[str]) -> list[str]:
    score["mended"] += 1
    mend(disk, found, segment_bytes=SEGMENT)
    again = recover(disk, lambda record: None, segment_bytes=SEGMENT)
    return [] if (again.verdict, again.head) == (Verdict.CLEAN, found.head) else [f"not mended: {again.why}"]
