import hashlib
import struct

import pytest

from dealerbox.journal.record import (
    BLOCK,
    MAX_PAYLOAD,
    BadRecord,
    ClockQuality,
    Record,
    RecordKind,
    Stamp,
    blocks_of,
    decode,
    encode,
)  # fmt: skip


def record(payload: bytes = b'{"event":{}}', **changes) -> Record:
    fields = {
        "seq": 7, "synced": 6, "kind": RecordKind.EVENT, "stamp": Stamp(123, -5, ClockQuality.HOLDOVER),
        "boot_id": bytes(range(16)), "previous": bytes(range(32)), "payload": payload,
    }  # fmt: skip
    return Record(**(fields | changes))


def test_the_layout_is_the_one_the_page_shows() -> None:
    # Built here with struct, zlib and hashlib alone.
    body = b"DLBX" + struct.pack("<HBBII", 1, 2, 1, 12, 0) + struct.pack("<QQQq", 7, 6, 123, -5)
    body += bytes(range(16)) + bytes(range(32)) + b'{"event":{}}'
    data, digest = encode(record())
    assert digest == hashlib.blake2b(body, digest_size=32).digest()
    assert data == (body + digest).ljust(BLOCK, b"\0")


@pytest.mark.parametrize("length", [0, 1, BLOCK - 128, BLOCK - 127, 2 * BLOCK, 3 * BLOCK - 128, MAX_PAYLOAD])
def test_a_record_of_any_length_comes_back_from_whole_blocks(length: int) -> None:
    given = record(b"x" * length)
    data, digest = encode(given)
    assert len(data) % BLOCK == 0
    assert blocks_of(data[:BLOCK]) * BLOCK == len(data)
    assert decode(data) == (given, digest)


def test_a_payload_beyond_the_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="record 7: payload of 1048577 bytes, at most 1048576"):
        encode(record(b"x" * (MAX_PAYLOAD + 1)))


@pytest.mark.parametrize(
    ("offset", "value", "why"),
    [
        (0, b"X", "no record starts here"),
        (8, b"\xff\xff\xff\x7f", "its length is impossible"),
        (8, b"\xff\x0f\0\0", "its length is impossible"),
        (20, b"\1", "its check is wrong"),
        (200, b"\1", "the rest of its block is not zero"),
    ],
)
def test_what_is_no_record_says_why(offset: int, value: bytes, why: str) -> None:
    data = bytearray(encode(record())[0])
    data[offset : offset + len(value)] = value
    assert decode(bytes(data)) == BadRecord(why)


def test_a_block_too_many_is_no_part_of_the_record() -> None:
    assert isinstance(decode(encode(record())[0] + bytes(BLOCK)), BadRecord)


def test_a_newer_version_is_told_apart_from_damage() -> None:
    data = bytearray(encode(record())[0])
    data[4] = 2
    data[108:140] = hashlib.blake2b(data[:108], digest_size=32).digest()
    assert decode(bytes(data)) == BadRecord("its version is 2; this software reads 1")
