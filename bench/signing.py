"""`signing`: what the end of a hand costs the loop for its signed head: sign, encode, chain; us, p50 and p99."""

import json
import statistics
import time

import msgspec

from dealerbox.journal.evidence import Sealed
from dealerbox.journal.record import Record, RecordKind, Stamp, encode
from dealerbox.journal.recover import Head
from dealerbox.journal.signed import Signer, written

GATE_US = 1000.0
"""The most that a hand may cost the loop."""


def figure(hands: int = 2000) -> dict[str, object]:
    """Sign so many heads as the station does at a hand's end."""
    signer, previous, took = Signer(b"k" * 32), bytes(32), []
    for seq in range(1, hands + 1):
        begun = time.perf_counter_ns()
        signed = signer.sign(Head(seq, previous))
        written(signed)
        payload = msgspec.json.encode(Sealed(signed))
        _, previous = encode(Record(seq, seq - 1, RecordKind.SIGNED, Stamp(seq), bytes(16), previous, payload))
        took.append((time.perf_counter_ns() - begun) / 1000)
    took.sort()
    p99 = took[len(took) * 99 // 100]
    return {
        "figure": "signing",
        "us_p50": round(statistics.median(took), 1),
        "us_p99": round(p99, 1),
        "gate_us": GATE_US,
        "passes": p99 < GATE_US,
    }


if __name__ == "__main__":
    print(json.dumps(figure()))
