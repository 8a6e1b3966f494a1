"""The Python hosts of `wire_to_wire`, each a process at a pty: `python -m bench.hosts KIND FD FOLDER`."""

import asyncio
import gc
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from bench.held import Path as Held
from dealerbox.journal.disk import RealDisk
from dealerbox.journal.record import ClockQuality, Stamp
from dealerbox.journal.writer import Writer
from dealerbox.station.past import head, recall

FRAME_BYTES = 17
ANSWER = bytes.fromhex("0003010503061d010102010101070302f30a016500")
"""HOLD key 1, as PROTOCOL.md section 10 has it."""


def bare(descriptor: int) -> Callable[[], None]:
    """Return a reader that answers each frame's worth of bytes with fixed bytes."""
    have = 0

    def read() -> None:
        nonlocal have
        have += len(os.read(descriptor, 4096))
        while have >= FRAME_BYTES:
            have -= FRAME_BYTES
            os.write(descriptor, ANSWER)

    return read


def ours(descriptor: int, folder: Path) -> Callable[[], None]:
    """Return a reader that does all that the station does with a card at the wrong seat, its journal in `folder`."""
    disk = RealDisk(folder)
    past = recall(disk)

    def stamp() -> Stamp:
        return Stamp(time.clock_gettime_ns(time.CLOCK_BOOTTIME), time.time_ns() // 1000, ClockQuality.SYNCED)

    journal = Writer(
        disk,
        past.recovery,
        head=head("bench", "", past.recovery),
        boot_id=bytes(16),
        stamp=stamp,
        durable=lambda seq: None,
        failed=sys.exit,
    )
    path = Held(lambda data: os.write(descriptor, data), journal)

    def read() -> None:
        if path.feed(os.read(descriptor, 4096)):
            path.again()

    return read


async def serve(kind: str, descriptor: int, folder: Path) -> None:
    """Serve for ever; freeze the heap first, as the daemon does."""
    read = bare(descriptor) if kind == "bare" else ours(descriptor, folder)
    asyncio.get_running_loop().add_reader(descriptor, read)
    gc.collect()
    gc.freeze()
    print("ready", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])))
