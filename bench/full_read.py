"""`full_read`: a whole deck read by a FEIG reader at 38400 baud, and what the driver adds to what the wire allows.

`python -m bench.full_read`: the far side, a twin that takes no time of its own behind a wire that takes its time for
every byte; prints where it is plugged in.
"""

import asyncio
import os
import socket
import statistics
import subprocess
import sys
import threading
import time
import tty
from random import Random
from typing import Any, Final

from dealerbox.model.cards import DECK_SIZE, Uid
from dealerbox.model.events import Event, TagsSeen
from dealerbox.ports import WireError
from dealerbox.station.loop import boottime_ns
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.line import SerialLine, open_serial
from dealerbox_drivers.rfid.feig.device import FeigReader
from dealerbox_drivers.rfid.feig.talk import Talk
from dealerbox_drivers.rfid.feig.twin import FeigTwin, Timings
from dealerbox_drivers.rfid.settings import FeigSettings

BAUD: Final = 38_400
BYTE_S: Final = 11 / BAUD
"""Start bit, eight data bits, parity, stop bit."""
SILENCE_S: Final = 0.005
"""Before each question (H60301-3e, p. 18)."""
FIFO: Final = 8
"""Bytes that a port gives on at once."""
FULL: Final = 24
"""Tags of ten bytes that fit into a frame of 255."""
GATE: Final = 1.05
LONGEST_S: Final = 3.0
"""A look, and its share of the start."""
CARDS: Final = tuple(Uid(f"E0040150A05F{number:04X}") for number in range(1, DECK_SIZE + 1))
IDLE: Final = Timings(answer=0, inventory=0, each_tag=0, rf_reset=0, config=0)


def _carry(into: int, out: int) -> None:
    """Be one direction of a wire: what goes in comes out at the pace of its baud rate."""
    free_s = 0.0
    while data := os.read(into, 4096):
        free_s = max(free_s, time.monotonic())
        for at in range(0, len(data), FIFO):
            piece = data[at : at + FIFO]
            free_s += len(piece) * BYTE_S
            time.sleep(max(0.0, free_s - time.monotonic()))
            os.write(out, piece)


async def _serve() -> None:
    felt = Felt([CARDS], Random(1))
    for uid in CARDS:
        felt.put(uid, "muck")
    near, far = os.openpty()
    tty.setraw(far)
    this, other = socket.socketpair()
    line = SerialLine("far", this.detach(), lambda: None)
    descriptor = other.detach()
    for into, out in ((near, descriptor), (descriptor, near)):
        threading.Thread(target=_carry, args=(into, out), daemon=True).start()
    twin = FeigTwin(line, felt, {0: "muck"}, IDLE)
    twin.page = FULL
    print(os.ttyname(far), flush=True)
    await twin.run()


class _Timed(FeigReader):
    """Notes how long each look takes that reads anything, from the answer before."""

    def __init__(self, looks: int, *args: Any) -> None:
        super().__init__(*args)
        self.took_s: list[float] = []
        self.enough = asyncio.Event()
        self._looks = looks

    async def _look(self, talk: Talk, channel: int) -> tuple[Uid, ...] | WireError:
        begun_s = time.monotonic()
        found = await super()._look(talk, channel)
        if isinstance(found, WireError):
            return found
        self.took_s.append(time.monotonic() - begun_s)
        if len(self.took_s) == self._looks:
            self.enough.set()
        return found


async def _read(port: str, looks: int) -> tuple[list[float], set[Uid]]:
    seen: set[Uid] = set()

    def emit(event: Event) -> None:
        seen.update(event.uids if isinstance(event, TagsSeen) else ())

    settings = FeigSettings(port=port, zones={0: "muck"})
    reader = _Timed(looks, "muck", open_serial(port, BAUD, "E"), boottime_ns, settings)
    running = asyncio.create_task(reader.run(emit))
    async with asyncio.timeout(LONGEST_S * looks):
        await reader.enough.wait()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    return reader.took_s, seen


def figure(looks: int = 40) -> dict[str, object]:
    """Return the figure: the median look at 52 cards, of the bytes' time and the silences that the page asks for."""
    command = [sys.executable, "-m", "bench.full_read"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as far:
        assert far.stdout is not None
        took_s, seen = asyncio.run(_read(far.stdout.readline().strip(), looks))
        far.kill()
    pages = -(-DECK_SIZE // FULL)
    byte_count = pages * (7 + 7) + DECK_SIZE * 10  # a question, and an answer without its tags, of seven bytes each
    wire_s = byte_count * BYTE_S
    page_s = wire_s + pages * SILENCE_S
    look_s = statistics.median(took_s)
    ratio = look_s / page_s
    return {
        "figure": "full_read",
        "cards": len(seen),
        "bytes": byte_count,
        "wire_ms": round(wire_s * 1000, 1),
        "page_ms": round(page_s * 1000, 1),
        "look_ms": round(look_s * 1000, 1),
        "ratio": round(ratio, 3),
        "ratio_of_bytes_alone": round(look_s / wire_s, 3),
        "gate": GATE,
        "looks": looks,
        "passes": ratio <= GATE and len(seen) == DECK_SIZE,
    }


if __name__ == "__main__":
    asyncio.run(_serve())
