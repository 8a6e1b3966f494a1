"""`noise`: a megabyte of noise at each decoder, in bounded memory and three seconds at most."""

import random
import time
from collections.abc import Iterator
from typing import Any

from bench.decoders import Wire, kept, wires

SIZE = 1_000_000
CHUNK = 512
"""Bytes that come at once."""
GATE_S = 3.0


def kinds(wire: Wire, size: int, rng: random.Random) -> Iterator[tuple[str, bytes]]:
    """Yield kinds of noise: chance, silence, starts of frames that go nowhere, and frames each with a byte spoilt."""
    yield "chance", rng.randbytes(size)
    yield "zeros", bytes(size)
    start = next(frame for frame in wire.frames if len(frame) > 8)[:4]
    yield "starts", (start * (size // len(start) + 1))[:size]
    spoilt = bytearray()
    while len(spoilt) < size:
        frame = bytearray(rng.choice(wire.frames))
        frame[rng.randrange(len(frame))] ^= 1 << rng.randrange(8)
        spoilt += frame
    yield "spoilt", bytes(spoilt[:size])


def decoded(wire: Wire, noise: bytes) -> tuple[float, int]:
    """Return the seconds that a decoder takes for it, and the most bytes that it keeps on the way."""
    decoder: Any = wire.decoder()
    most, begun_s = 0, time.process_time()
    for at in range(0, len(noise), CHUNK):
        decoder.feed(noise[at : at + CHUNK])
        most = max(most, kept(decoder))
        if at // CHUNK % 100 == 99 and hasattr(decoder, "gap"):
            decoder.gap()
    return time.process_time() - begun_s, most


def figure(size: int = SIZE) -> dict[str, object]:
    """Return the worst kind's seconds of processor time and bytes kept, for each decoder."""
    rng = random.Random(1)
    worst: dict[str, dict[str, object]] = {}
    passes = True
    for wire in wires():
        runs = {kind: decoded(wire, noise) for kind, noise in kinds(wire, size, rng)}
        kind = max(runs, key=lambda kind: runs[kind][0])
        most = max(most for _, most in runs.values())
        worst[wire.name] = {"seconds": round(runs[kind][0], 2), "kind": kind, "kept": most}
        passes = passes and runs[kind][0] <= GATE_S and most <= wire.most
    return {"figure": "noise", "bytes": size, "gate_s": GATE_S, "decoders": worst, "passes": passes}
