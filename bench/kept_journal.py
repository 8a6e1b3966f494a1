"""A journal as a station leaves it, for whoever reads one: written by the real writer on a real disk."""

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from dealerbox.journal.disk import RealDisk
from dealerbox.journal.record import Stamp
from dealerbox.journal.recover import Head, recover
from dealerbox.journal.writer import Writer

EARLY: Final = Stamp(1)


def kept(folder: Path, events: Iterable[bytes] = (), *, sealed: bytes = b"", stamp: Stamp = EARLY) -> Head:
    """Write one run of a station into `folder`: its head, the events, and a signed head if there is one.

    Return the journal's head. JournalError as the writer.
    """

    async def run() -> Head:
        disk = RealDisk(folder)
        writer = Writer(
            disk,
            recover(disk, lambda record: None),
            head=b'{"format":1}',
            boot_id=bytes(16),
            stamp=lambda: stamp,
            durable=lambda seq: None,
            failed=print,
        )
        for payload in events:
            writer.append(payload)
        if sealed:
            writer.seal(sealed)
        writer.close()
        return writer.head

    return asyncio.run(run())
