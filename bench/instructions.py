"""`instructions`: of a card event from its bytes to the HOLD's, journal encoded inline, counted by callgrind.

The same to the instruction from run to run of one interpreter with one set of locked versions, so CI
compares it with the figure kept in `instructions.json`.
"""

import gc
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

GATE = 100_000
AIM = 60_000
SLACK = 1.02
"""How much above the kept figure counts as worse."""
KEPT = Path(__file__).with_name("instructions.json")
FRAME = bytes.fromhex("1100b000010300e0040150a05f02b7d7be")
FEW, MANY = 50, 250


class Inline:
    """Encodes records as the journal's writer does, and keeps none."""

    def __init__(self) -> None:
        from dealerbox.journal.record import ClockQuality, Record, RecordKind, Stamp, encode

        self.seq, self._previous = 0, bytes(32)
        self._kind, self._quality, self._boot_id = RecordKind.EVENT, ClockQuality.SYNCED, bytes(16)
        self._record, self._stamp, self._encode = Record, Stamp, encode

    def append(self, payload: bytes) -> int:
        self.seq = seq = self.seq + 1
        stamp = self._stamp(1, 1, self._quality)
        record = self._record(seq, seq, self._kind, stamp, self._boot_id, self._previous, payload)
        _, self._previous = self._encode(record)
        return seq

    def close(self) -> None:
        """Nothing is kept."""


def play(count: int) -> None:
    """Take `count` frames, each to its hold; what is counted."""
    from bench.held import Path as Held

    sent: list[bytes] = []
    path = Held(sent.append, Inline())
    gc.collect()
    gc.freeze()  # as the daemon does after its start
    for _ in range(count):
        path.feed(FRAME)
        path.again()
    assert len(sent) == count


def counted(count: int) -> int:
    """Return the instructions of a process that plays `count` frames."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", sys.executable, "-m"]
        environ = {**os.environ, "PYTHONHASHSEED": "0"}
        told = subprocess.run(
            [*command, "bench.instructions", str(count)], env=environ, capture_output=True, text=True, check=True
        )
    found = re.search(r"Collected : (\d+)", told.stderr)
    if found is None:
        raise RuntimeError(f"valgrind told no count: {told.stderr[-300:]}")
    return int(found[1])


def figure() -> dict[str, object]:
    """Return the figure, and whether it is within the gate and not above the one kept for this interpreter."""
    instructions = (counted(MANY) - counted(FEW)) // (MANY - FEW)
    interpreter = f"{platform.python_implementation()} {platform.python_version()} {platform.machine()}"
    kept = json.loads(KEPT.read_text()).get(interpreter)
    return {
        "figure": "instructions",
        "per_card_event": instructions,
        "interpreter": interpreter,
        "lock": f"msgspec {msgspec.__version__}",
        "kept": kept,
        "gate": GATE,
        "aim": AIM,
        "passes": instructions <= GATE and (kept is None or instructions <= kept * SLACK),
    }


def gate() -> int:
    """Return 1, and say so, when a card event costs more than the figure kept for this interpreter."""
    told = figure()
    print(json.dumps(told))
    kept, cost = told["kept"], told["per_card_event"]
    if not isinstance(kept, int) or not isinstance(cost, int):
        print(f"bench: no figure is kept for {told['interpreter']}: nothing to compare with", file=sys.stderr)
        return 0
    return int(cost > kept * SLACK)


def keep() -> int:
    """Put the figure of this interpreter down as the one to compare with."""
    told = figure()
    kept = json.loads(KEPT.read_text())
    kept[told["interpreter"]] = told["per_card_event"]
    KEPT.write_text(json.dumps(kept, indent=2, sort_keys=True) + "\n")
    print(json.dumps(told))
    return 0


def main(word: str) -> int:
    """`gate` and `keep` are for people and CI; a number is for callgrind."""
    if word == "gate":
        return gate()
    if word == "keep":
        return keep()
    play(int(word))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
