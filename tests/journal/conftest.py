"""A disk that can fail at any call and lose power between any two, and records that follow one another."""

import pytest

from bench.crash.disk import CrashDisk


@pytest.fixture
def crash_disk() -> type[CrashDisk]:
    return CrashDisk


class Chain:
    """Makes records that follow one another."""

    def __init__(self) -> None:
        from dealerbox.journal.recover import Head

        self.head = Head()

    def record(self, payload: bytes, synced: int, kind: int = 2) -> bytes:
        from dealerbox.journal.record import Record, RecordKind, Stamp, encode
        from dealerbox.journal.recover import Head

        record = Record(
            seq=self.head.seq + 1,
            synced=synced,
            kind=RecordKind(kind),
            stamp=Stamp(5_000_000_000),
            boot_id=bytes(range(16)),
            previous=self.head.digest,
            payload=payload,
        )
        data, digest = encode(record)
        self.head = Head(record.seq, digest)
        return data


@pytest.fixture
def chain() -> Chain:
    return Chain()
