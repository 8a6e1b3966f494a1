"""The codec against oracles and against anything that can come out of a cable."""

import re
import struct
import zlib

import pytest
from cobs import cobs
from crccheck.crc import Crc32
from hypothesis import given
from hypothesis import strategies as st

from dealerbox_drivers.shuffler import messages as m
from dealerbox_drivers.shuffler import wire
from dealerbox_drivers.shuffler.messages import Flag

BITS = {"B": 8, "H": 16, "I": 32, "Q": 64}


def numbers(body):
    """Field values that fit a body."""
    sizes = struct_sizes(body)
    return st.tuples(*(st.integers(0, 2 ** BITS[size] - 1) for size in sizes)).map(lambda values: build(body, values))


def struct_sizes(body):
    sizes = ""
    for count, size in re.findall(r"(\d*)([BHIQ])", body.layout.format):
        sizes += size * int(count or 1)
    return sizes


def build(body, values):
    fields = dict(zip(body.__struct_fields__, values, strict=True))
    return body(**{name: body.flags[name](value) if name in body.flags else value for name, value in fields.items()})


def frames():
    return st.sampled_from(sorted(m.BODIES)).flatmap(
        lambda kind: st.builds(
            wire.Frame,
            st.just(kind),
            st.integers(0, 255).map(Flag),
            st.integers(0, 255),
            st.integers(0, 2**32 - 1),
            numbers(m.BODIES[kind]),
        )
    )


@given(st.binary(max_size=700))
def test_cobs_is_that_of_the_cobs_package(content):
    assert wire.cobs_encode(content) == cobs.encode(content)
    assert wire.cobs_decode(cobs.encode(content)) == content


@pytest.mark.parametrize("length", [0, 1, 253, 254, 255, 507, 508, 509])
@pytest.mark.parametrize("byte", [b"\0", b"\1"])
def test_cobs_holds_at_the_ends_of_its_blocks(length, byte):
    for content in (byte * length, byte * length + b"\0", b"\0" + byte * length):
        assert wire.cobs_encode(content) == cobs.encode(content)
        assert wire.cobs_decode(cobs.encode(content)) == content


@given(st.binary(max_size=60))
def test_what_is_no_cobs_is_what_the_cobs_package_refuses(coded):
    try:
        expected = cobs.decode(coded)
    except cobs.DecodeError:
        expected = None
    assert wire.cobs_decode(coded) == expected


@given(st.binary(max_size=200))
def test_the_crc_is_crc_32_iso_hdlc(content):
    assert zlib.crc32(content) == Crc32.calc(content)


def test_the_crc_has_the_check_value_of_its_catalogue():
    assert zlib.crc32(b"123456789") == 0xCBF43926


@given(frames())
def test_a_frame_comes_back_as_it_was(frame):
    assert wire.Decoder().feed(wire.encode(frame)) == [frame]


@given(st.lists(frames(), max_size=4), st.lists(st.integers(1, 40), min_size=1, max_size=6))
def test_frames_come_back_in_any_pieces(sent, pieces):
    stream = b"".join(wire.encode(frame) for frame in sent)
    decoder = wire.Decoder()
    got = []
    at = 0
    turn = 0
    while at < len(stream):
        piece = pieces[turn % len(pieces)]
        got += decoder.feed(stream[at : at + piece])
        at += piece
        turn += 1
    assert got == sent


@given(st.lists(st.binary(max_size=400), max_size=6), frames())
def test_whatever_comes_in_raises_nothing_keeps_one_frame_and_costs_no_later_frame(noise, frame):
    decoder = wire.Decoder()
    for piece in noise:
        decoder.feed(piece)
        assert len(decoder._pending) <= wire.MAX_PAYLOAD + 5
    assert decoder.feed(wire.encode(frame))[-1] == frame


@given(frames(), st.binary(min_size=1, max_size=40))
def test_a_longer_body_is_accepted_and_its_rest_ignored(frame, rest):
    content = cobs.decode(wire.encode(frame)[1:-1])[:-4] + rest
    longer = cobs.encode(content + struct.pack("<I", Crc32.calc(content)))
    assert wire.Decoder().feed(longer + b"\0") == [frame]


def test_a_refused_frame_names_its_sender(vectors):
    (short,) = (table for table in vectors["edge"] if table["name"] == "a body one byte short")
    (refused,) = wire.Decoder().feed(bytes.fromhex(short["bytes"]))
    assert isinstance(refused, wire.RefusedFrame)
    assert (refused.code, refused.type, refused.seq, refused.session) == (m.Code.BAD_FRAME, m.Type.HOLD, 1, 29)
    assert str(refused) == "frame type 05: body of 5 bytes, at least 6 needed"


def test_a_number_that_does_not_fit_is_no_frame():
    with pytest.raises(struct.error):
        wire.encode(wire.Frame(m.Type.EVENT_ACK, Flag(0), 0, 1, m.EventAck(2**32)))
