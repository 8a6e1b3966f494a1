"""The Python hosts of `wire_to_wire`, each a process at a pty: `python -m bench.hosts KIND FD FOLDER PORTS`.

`ours` has every driver of a full table running beside; PORTS says, as JSON, where their twins are plugged in.
"""

import asyncio
import gc
import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from bench.full_table import READERS, near_side, on_usb
from bench.held import Path as Held
from dealerbox.journal.disk import RealDisk
from dealerbox.journal.record import ClockQuality, Stamp
from dealerbox.journal.writer import Writer
from dealerbox.model.events import Event, ZoneKnown
from dealerbox.station.health import Health
from dealerbox.station.loop import boottime_ns
from dealerbox.station.past import head, recall

FRAME_BYTES = 17
WHOLE_S = 20.0
"""Until every zone of the table is known."""
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


async def beside(ports: Mapping[str, str]) -> object:
    """Run every driver of a full table; return once each zone is known, with what keeps them running."""
    unknown = {zone for reader in READERS.values() for zone in reader.zones.values()}
    whole = asyncio.Event()

    def emit(event: Event) -> None:
        if isinstance(event, ZoneKnown):
            unknown.discard(event.zone)
        if not unknown:
            whole.set()

    ccid, serving = on_usb()
    health = Health([*near_side(ports), *ccid], emit, boottime_ns, sys.exit)
    health.start()
    async with asyncio.timeout(WHOLE_S):
        await whole.wait()
    return health, serving


async def serve(kind: str, descriptor: int, folder: Path, ports: Mapping[str, str]) -> None:
    """Serve for ever; freeze the heap first, as the daemon does."""
    read = bare(descriptor) if kind == "bare" else ours(descriptor, folder)
    asyncio.get_running_loop().add_reader(descriptor, read)
    running = None if kind == "bare" else await beside(ports)
    gc.collect()
    gc.freeze()
    print("ready", flush=True)
    await asyncio.Event().wait()
    del running


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), json.loads(sys.argv[4])))
