"""Every crash state of an evening: what a start finds in it must be what was acknowledged, no less and nothing else."""

from collections import Counter
from random import Random
from typing import Final

from bench.crash.disk import CrashDisk, Files
from bench.crash.evening import BOOT_ID, HEAD, Recorder, batches
from dealerbox.journal.prune import prune
from dealerbox.journal.record import BLOCK, MAGIC, Record, Stamp
from dealerbox.journal.recover import Recovery, Verdict, mend, recover

SEGMENT: Final = 16 * BLOCK
RUN: Final = 40
"""Groups between two prunings in the long form: what a start must read stays small, and pruning is under fire too."""
EXHAUSTIVE: Final = 300
"""Beyond so many mixtures at one moment a sample is taken."""
SAMPLES: Final = 6
"""States by the sector at each moment, beside those by the block."""
BASE: Final = b'{"base":true}'


class Judge:
    """Looks at each state and keeps the score; `wrong` names the first of each kind of error."""

    def __init__(
        self, seed: int, segment_bytes: int = SEGMENT, samples: int = SAMPLES, disk: CrashDisk | None = None
    ) -> None:
        """`disk`: one that fails; it is looked at only when told to."""
        self.rng = Random(seed)
        self.segment_bytes, self.samples = segment_bytes, samples
        self.disk = disk or CrashDisk()
        self.recorder = Recorder(self.disk, segment_bytes, self._note if disk else self.look)
        self.given: dict[int, bytes] = {}
        """Payload of every record ever given to the disk, by seq: the first write of a seq that may still count."""
        self.score: Counter[str] = Counter()
        self.wrong: list[str] = []
        self._noted = 0
        self._seen: tuple[object, ...] = ()

    def look(self) -> None:
        """Judge every state that a power cut at this moment could leave."""
        self._note()
        now = tuple((name, len(inode.kept), len(inode.pending)) for name, inode in self.disk.inodes.items())
        moment = (now, len(self.disk.writes), self.recorder.synced, len(self.disk.moves))
        if moment == self._seen:
            return
        self._seen = moment
        self.score["moments"] += 1
        whole = self.disk.number_of_states() <= EXHAUSTIVE
        for files in self.disk.states() if whole else self.disk.sampled(self.rng, EXHAUSTIVE):
            self.judge(files)
        if any(inode.pending for inode in self.disk.inodes.values()):
            for files in self.disk.sampled(self.rng, self.samples):
                self.judge(files)

    def judge(self, files: Files) -> None:
        """Start from one state: the records, the verdict, and whether the log can go on."""
        self.score["states"] += 1
        after = CrashDisk(files)
        taken: list[Record] = []
        found = recover(after, taken.append, segment_bytes=self.segment_bytes)
        self.score[found.verdict.value] += 1
        if found.verdict not in (Verdict.CLEAN, Verdict.TORN):
            self._error("called corrupt", found.why)
            return
        if found.head.seq < self.recorder.synced:
            self._error("lost", f"{found.head.seq} found, {self.recorder.synced} acknowledged")
        if [record.seq for record in taken] != list(range(found.head.seq - len(taken) + 1, found.head.seq + 1)):
            self._error("gap", f"up to {found.head.seq}")
        if any(self.given.get(record.seq) != record.payload for record in taken):
            self._error("invented", f"within {found.head.seq}")
        if (found.verdict is Verdict.TORN) != bool(_left(files, found)):
            self._error("wrong verdict", f"{found.verdict}, {_left(files, found)} blocks left")
        if self.score["states"] % 17 == 0:
            self._go_on(after, found)

    def _go_on(self, after: CrashDisk, found: Recovery) -> None:
        """Mend and look again: the same head, clean, and nothing behind it."""
        self.score["mended"] += 1
        mend(after, found, segment_bytes=self.segment_bytes)
        again = recover(after, lambda record: None, segment_bytes=self.segment_bytes)
        if (again.verdict, again.head) != (Verdict.CLEAN, found.head):
            self._error("not mended", f"{again.verdict} at {again.head.seq} after {found.verdict} at {found.head.seq}")

    def _note(self) -> None:
        """Keep the books of what was given, by what reaches the disk."""
        for _, _, data in self.disk.writes[self._noted :]:
            if data[:4] == MAGIC:
                length = int.from_bytes(data[8:12], "little")
                self.given[int.from_bytes(data[16:24], "little")] = data[96 : 96 + length]
        self._noted = len(self.disk.writes)

    def _error(self, kind: str, what: str) -> None:
        self.score[kind] += 1
        if self.score[kind] == 1:
            self.wrong.append(f"{kind}: after {len(self.disk.calls)} calls: {what}")


def _left(files: Files, found: Recovery) -> int:
    """Count the blocks behind the end of the chain that are not zero, with no help of the code that is judged."""
    left = 0
    for name, data in files.items():
        number = int(name[:8])
        if number >= found.segment:
            start = found.offset if number == found.segment else 0
            left += sum(1 for at in range(start, len(data), BLOCK) if data[at : at + BLOCK].count(0) != BLOCK)
    return left


def prove(payloads: list[bytes], seed: int, *, pruned: bool) -> Judge:
    """Write an evening and judge every state on the way; `pruned`: in runs, with a pruning between any two."""
    judge = Judge(seed)
    groups = batches(payloads, judge.rng)
    runs = [groups[at : at + RUN] for at in range(0, len(groups), RUN)] if pruned else [groups]
    for number, run in enumerate(runs):
        if number:
            _prune(judge)
        why = judge.recorder.write(run, HEAD)
        judge.wrong += [why] if why else []
        judge.look()
    judge.wrong += judge.recorder.faults + judge.recorder.failed
    if judge.recorder.synced != judge.recorder.head.seq:
        judge.wrong.append(f"{judge.recorder.head.seq} records given, {judge.recorder.synced} synced")
    return judge


def _prune(judge: Judge) -> None:
    disk, size = judge.disk, judge.segment_bytes
    found = recover(disk, lambda record: None, segment_bytes=size)
    prune(disk, found, BASE, boot_id=BOOT_ID, stamp=Stamp(5_000_000_000), segment_bytes=size)
    judge.score["prunings"] += 1
