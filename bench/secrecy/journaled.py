"""The journal's bytes as the disk would have them, for a table whose journal is simulated."""

import json

from bench.secrecy.channels import JOURNAL, LOG, Taps
from dealerbox import __version__
from dealerbox.journal.export import line
from dealerbox.journal.record import NO_HASH, Record, RecordKind, Stamp, encode

BOOT: bytes = bytes(16)


class Chain:
    """Tells each record of a journal as its blocks and as a line of its export."""

    def __init__(self, taps: Taps, config_sha256: str) -> None:
        self._taps, self._previous, self._seq = taps, NO_HASH, 0
        head = {"format": 1, "software": __version__, "config": config_sha256}
        self.add(0, json.dumps(head).encode(), RecordKind.HEAD)

    def add(self, at_ns: int, payload: bytes, kind: RecordKind = RecordKind.EVENT) -> None:
        """Tell one record more."""
        self._seq += 1
        stamp = Stamp(at_ns, at_ns // 1000)
        blocks, self._previous = encode(
            Record(
                seq=self._seq,
                synced=self._seq - 1,
                kind=kind,
                stamp=stamp,
                boot_id=BOOT,
                previous=self._previous,
                payload=payload,
            )
        )
        self._taps.tell(JOURNAL, at_ns, blocks)
        if kind is RecordKind.EVENT:
            self._taps.tell(LOG, at_ns, line(self._seq, payload))
