"""One record of the journal as bytes: pure, no disk.

A record is a whole number of 4 KiB blocks, so that a torn write never touches a
record that was acknowledged before. Little endian:

======  ====  =====================================================================
offset  size  field
======  ====  =====================================================================
0       4     magic ``DLBX``
4       2     version, 1
6       1     kind: 1 head of a run, 2 event, 3 base, 4 signed head
7       1     clock quality: 0 unsynced, 1 holdover, 2 synced
8       4     payload length
12      4     zero
16      8     seq, from 1, without gaps
24      8     synced: highest seq known to be on the disk when this record was made
32      8     boottime, ns of CLOCK_BOOTTIME
40      8     wall clock, us since the epoch (an attribute, never an order)
48      16    boot id
64      32    the check of the record before; zeros for seq 1
96      n     payload
96+n    32    BLAKE2b-256 of all before: the check, and what the next record names
..            zeros to the end of the block
======  ====  =====================================================================
"""

import struct
from enum import IntEnum
from hashlib import blake2b
from typing import Final

import msgspec
from msgspec.structs import astuple

BLOCK: Final = 4096
MAGIC: Final = b"DLBX"
VERSION: Final = 1
NO_HASH: Final = bytes(32)
MAX_PAYLOAD: Final = 1 << 20
"""Longest payload, bytes: an event is some hundred bytes; more is a fault of ours."""

_HEADER: Final = struct.Struct("<4sHBBI4xQQQq16s32s")
_ZEROS: Final = bytes(BLOCK)
_CHECK: Final = blake2b(digest_size=32)
"""The check of nothing yet: to copy it is cheaper than to make one."""
CHECK_BYTES: Final = _CHECK.digest_size


class RecordKind(IntEnum):
    """What a record holds."""

    HEAD = 1
    """First record of a run: format, software and config by hash, as JSON."""
    EVENT = 2
    """One event and the commands that the engine gave for it, as JSON."""
    BASE = 3
    """First record of a segment: what all records before it have led to, as JSON, so that they may be removed."""
    SIGNED = 4
    """The head after a hand, with the station's signature, as JSON (signed.py)."""


class ClockQuality(IntEnum):
    """How far the wall clock of a record can be trusted."""

    UNSYNCED = 0
    HOLDOVER = 1
    SYNCED = 2


class Stamp(msgspec.Struct, frozen=True):
    """The clocks when a record was made."""

    boottime_ns: int
    wall_us: int = 0
    quality: ClockQuality = ClockQuality.UNSYNCED


class Record(msgspec.Struct, frozen=True):
    """One record, decoded."""

    seq: int
    synced: int
    kind: RecordKind
    stamp: Stamp
    boot_id: bytes
    previous: bytes
    payload: bytes


class BadRecord(msgspec.Struct, frozen=True):
    """Why bytes are no record."""

    why: str


def check_of(body: bytes) -> bytes:
    """Return the check of a record's header and payload, 32 bytes (`b2sum -l 256`).

    BLAKE2b (RFC 7693): a Pi 4 has no instructions for SHA-2.
    """
    check = _CHECK.copy()
    check.update(body)
    return check.digest()


def encode(record: Record) -> tuple[bytes, bytes]:
    """Return the record's blocks and its check. ValueError when the payload is longer than MAX_PAYLOAD."""
    seq, synced, kind, stamp, boot_id, previous, payload = astuple(record)
    length = len(payload)
    if length > MAX_PAYLOAD:
        raise ValueError(f"record {seq}: payload of {length} bytes, at most {MAX_PAYLOAD}")
    body = (
        _HEADER.pack(
            MAGIC, VERSION, kind, stamp.quality, length, seq, synced, stamp.boottime_ns, stamp.wall_us, boot_id,
            previous,
        )
        + payload
    )  # fmt: skip
    check = check_of(body)
    over = (len(body) + CHECK_BYTES) % BLOCK
    return body + check + (_ZEROS[over:] if over else b""), check


def header(record: Record) -> bytes:
    """Return the 96 bytes before the payload."""
    return encode(record)[0][: _HEADER.size]


def blocks_of(head: bytes) -> int:
    """Return how many blocks the record takes whose first block is `head`; 1 when it is none."""
    length = int.from_bytes(head[8:12], "little")
    if head[:4] != MAGIC or length > MAX_PAYLOAD:
        return 1
    return -(-(_HEADER.size + length + CHECK_BYTES) // BLOCK)


def decode(data: bytes) -> tuple[Record, bytes] | BadRecord:
    """Decode the one record that `data` (whole blocks) is; return it with its check, or why it is none."""
    if len(data) < BLOCK or data[:4] != MAGIC:
        return BadRecord("no record starts here")
    _, version, kind, quality, length, seq, synced, boottime_ns, wall_us, boot_id, previous = _HEADER.unpack_from(data)
    end = _HEADER.size + length
    if length > MAX_PAYLOAD or end + CHECK_BYTES > len(data):
        return BadRecord("its length is impossible")
    body = data[:end]
    check = check_of(body)
    if data[end : end + CHECK_BYTES] != check:
        return BadRecord("its check is wrong")
    tail = data[end + CHECK_BYTES :]
    if len(tail) >= BLOCK or tail != _ZEROS[: len(tail)]:
        return BadRecord("the rest of its block is not zero")
    if version != VERSION:
        return BadRecord(f"its version is {version}; this software reads {VERSION}")
    try:
        stamp = Stamp(boottime_ns, wall_us, ClockQuality(quality))
        kind = RecordKind(kind)
    except ValueError as error:
        return BadRecord(str(error))
    record = Record(
        seq=seq, synced=synced, kind=kind, stamp=stamp, boot_id=boot_id, previous=previous, payload=body[_HEADER.size :]
    )
    return record, check
