"""Old records go only when they were exported, and only between tournaments."""

import errno
from collections.abc import Iterator
from pathlib import Path

from dealerbox.config import Config
from dealerbox.engine.phases import Phase
from dealerbox.journal.disk import RealDisk
from dealerbox.journal.evidence import evidence
from dealerbox.journal.kept import read_kept, write_kept
from dealerbox.journal.prune import prune
from dealerbox.journal.record import Stamp
from dealerbox.journal.segment import numbers
from dealerbox.journal.signed import Signed
from dealerbox.ports import DealerboxError
from dealerbox.station.loop import boottime_ns
from dealerbox.station.past import base, recall
from dealerbox.station.state_dir import boot_id_of, own


class NotNow(DealerboxError):
    """The journal may not be pruned now; nothing was changed."""


def prune_journal(config: Config, exported: Path) -> str:
    """Remove every record of a closed table's journal that `exported` has, and say what was done.

    NotNow: a hand may still be played, or the export is not whole. JournalError, OSError.
    """
    if not (config.state_dir / "journal").is_dir():
        raise FileNotFoundError(errno.ENOENT, "no journal lies there", str(config.state_dir / "journal"))
    with open(own(config.state_dir), "rb"):
        disk = RealDisk(config.state_dir / "journal")
        kept = read_kept(config.head_file) if config.head_file else None
        past = recall(disk, anchor=kept, known_from=str(config.head_file))
        if past.state.phase is not Phase.CLOSED or not past.recovery.head.seq:
            raise NotNow(f"{disk.where}: the table is {past.state.phase.value}: the director closes it first (CLOSE)")
        _compare(disk, exported)
        before = numbers(disk)
        head = prune(
            disk,
            past.recovery,
            base(past),
            boot_id=bytes.fromhex(boot_id_of().replace("-", "")),
            stamp=Stamp(boottime_ns()),
        )
        if config.head_file:
            write_kept(config.head_file, Signed(head.seq, head.digest.hex()))
        removed = len(set(before) - set(numbers(disk)))
    return f"{disk.where}: {removed} segments removed; the journal begins with record {head.seq}"


def _compare(disk: RealDisk, exported: Path) -> None:
    """NotNow unless the file has every line of the journal, and nothing else."""
    with open(exported, "rb") as lines:
        theirs: Iterator[bytes] = iter(lines)
        number = 0

        def compare(line: bytes) -> None:
            nonlocal number
            number += 1
            if next(theirs, b"") != line:
                raise NotNow(f"{exported}: line {number} is not what the journal has; export it anew, whole")

        evidence(disk, compare)
        if next(theirs, b""):
            raise NotNow(f"{exported}: goes on after line {number}, where the journal ends; export it anew")
