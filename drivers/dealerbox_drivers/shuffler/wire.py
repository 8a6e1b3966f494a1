"""Bytes of shuffler wire 1 to frames and back: `00 COBS(header body crc) 00` (PROTOCOL.md section 1)."""

from collections.abc import Iterator
from struct import Struct
from typing import Final
from zlib import crc32

import msgspec
from msgspec.structs import astuple

from dealerbox.ports import WireError
from dealerbox_drivers.shuffler.messages import BODIES, Body, Code, Flag, Type

VERSION = 1
MAX_PAYLOAD = 200
"""Longest header and body, in bytes."""

_HEADER = Struct("<BBBBI")
_CRC = Struct("<I")
_MAX_CODED = MAX_PAYLOAD + _CRC.size + 1
_FROZEN = (Type.HELLO, Type.HOLD)
"""Layouts that are the same in every version."""


class Frame(msgspec.Struct, frozen=True):
    """One frame. `type` is a `Type`, or for STATUS the request's type with `ANSWER`."""

    type: int
    flags: Flag
    seq: int
    session: int
    body: Body
    version: int = VERSION


class RefusedFrame(WireError):
    """A whole frame that says nothing usable. A device answers it with `code` (BAD_FRAME, BAD_VERSION)."""

    def __init__(self, message: str, *, code: Code, type_: int, seq: int, session: int) -> None:
        super().__init__(message)
        self.code = code
        self.type = type_
        self.seq = seq
        self.session = session


def encode(frame: Frame) -> bytes:
    """Bytes of one frame. struct.error when a number does not fit its field."""
    body = frame.body
    header = _HEADER.pack(frame.version, frame.type, frame.flags, frame.seq, frame.session)
    payload = header + body.layout.pack(*astuple(body))
    return b"\0%b\0" % cobs_encode(payload + _CRC.pack(crc32(payload)))


class Decoder:
    """Frames out of bytes that come in any pieces. Keeps at most one frame; noise costs the frame it hits."""

    def __init__(self) -> None:
        self._pending = bytearray()
        self._overlong = False

    def feed(self, data: bytes) -> list[Frame | WireError]:
        """Frames and faults that `data` completes, in their order. Never raises."""
        return list(self._feed(data))

    def _feed(self, data: bytes) -> Iterator[Frame | WireError]:
        *ended, rest = data.split(b"\0")
        for piece in ended:
            self._keep(piece)
            if self._overlong:
                yield WireError(f"frame longer than {MAX_PAYLOAD} bytes dropped")
            elif self._pending:
                yield decode(bytes(self._pending))
            self._pending.clear()
            self._overlong = False
        self._keep(rest)

    def _keep(self, piece: bytes) -> None:
        if len(self._pending) + len(piece) > _MAX_CODED:
            self._overlong = True
            self._pending.clear()
        if not self._overlong:
            self._pending += piece


def decode(coded: bytes) -> Frame | WireError:
    """The frame between two zero bytes, or what is wrong with it."""
    content = cobs_decode(coded)
    if content is None:
        return WireError(f"{len(coded)} bytes that are not COBS dropped")
    payload, crc = content[: -_CRC.size], content[-_CRC.size :]
    if len(payload) < _HEADER.size:
        return WireError(f"frame of {len(content)} bytes is shorter than header and crc: dropped")
    if crc != _CRC.pack(crc32(payload)):
        return WireError(f"frame of {len(content)} bytes with a wrong crc dropped")
    return _interpret(payload)


def _interpret(payload: bytes) -> Frame | RefusedFrame:
    version, type_, flags, seq, session = _HEADER.unpack_from(payload)

    def refused(code: Code, message: str) -> RefusedFrame:
        return RefusedFrame(message, code=code, type_=type_, seq=seq, session=session)

    if version != VERSION and type_ not in _FROZEN:
        return refused(Code.BAD_VERSION, f"frame type {type_:02X} of version {version}; this end speaks {VERSION}")
    body_class = BODIES.get(type_)
    if body_class is None:
        return refused(Code.BAD_FRAME, f"unknown frame type {type_:02X}")
    body = payload[_HEADER.size :]
    if len(body) < body_class.layout.size:
        return refused(
            Code.BAD_FRAME,
            f"frame type {type_:02X}: body of {len(body)} bytes, at least {body_class.layout.size} needed",
        )
    return Frame(type_, Flag(flags), seq, session, _body(body_class, body), version)


def _body(body_class: type[Body], data: bytes) -> Body:
    fields = dict(zip(body_class.__struct_fields__, body_class.layout.unpack_from(data), strict=True))
    for name, meaning in body_class.flags.items():
        fields[name] = meaning(fields[name])
    return body_class(**fields)


def cobs_encode(content: bytes) -> bytes:
    """`content` without zero bytes (Cheshire and Baker, 1999)."""
    if len(content) < 254:  # no block can be full: each zero-free piece is one
        return b"".join([_LENGTHS[len(block)] + block if block else b"\1" for block in content.split(b"\0")])
    coded = bytearray()
    rest = content + b"\0"
    while rest:
        block = rest[:254].partition(b"\0")[0]
        coded.append(len(block) + 1)
        coded += block
        full = len(block) == 254  # stands for no zero: nothing follows one that ends the content
        rest = rest[len(block) + (not full) :]
        if full and len(rest) == 1:
            break
    return bytes(coded)


_LENGTHS: Final = tuple(bytes((length + 1,)) for length in range(255))


def cobs_decode(coded: bytes) -> bytes | None:
    """What `coded` stands for, or None when it is not COBS."""
    content = bytearray()
    at = 0
    while at < len(coded):
        length = coded[at]
        block = coded[at + 1 : at + length]
        if length == 0 or len(block) != length - 1 or 0 in block:
            return None
        content += block
        at += length
        if length < 0xFF and at < len(coded):
            content.append(0)
    return bytes(content)
