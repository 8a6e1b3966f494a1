"""FEIG frames: every recorded one, whole, byte by byte, joined, and in noise."""

import json
from pathlib import Path

import pytest
from crccheck.crc import Crc16Mcrf4XX
from hypothesis import given
from hypothesis import strategies as st

from dealerbox.ports import WireError
from dealerbox_drivers.rfid import crc
from dealerbox_drivers.rfid.feig import wire
from dealerbox_drivers.rfid.feig.wire import Decoder, Frame

FRAMES = [
    frame
    for frame in json.loads((Path(__file__).parents[3] / "firmware-protocols/readers/frames.json").read_text())
    if frame["device"] == "FEIG OBID"
]
GOOD = [bytes.fromhex(frame["hex"]) for frame in FRAMES if frame["valid"]]
BAD = [bytes.fromhex(frame["hex"]) for frame in FRAMES if not frame["valid"]]


def read_by_hand(data: bytes) -> Frame:
    """A second reading of the manual: cut at fixed places."""
    return Frame(data[3], data[4], data[5:-2]) if data[0] == 2 else Frame(data[1], data[2], data[3:-2])


def frames(items):
    return [item for item in items if isinstance(item, Frame)]


def test_there_are_the_recorded_frames() -> None:
    assert (len(GOOD), len(BAD)) == (18, 3)


@pytest.mark.parametrize("data", GOOD, ids=bytes.hex)
def test_a_recorded_frame_is_read_and_made_again(data) -> None:
    assert Decoder().feed(data) == [read_by_hand(data)]
    assert wire.encode(read_by_hand(data), advanced=data[0] == 2) == data


@pytest.mark.parametrize("data", GOOD, ids=bytes.hex)
def test_a_frame_may_be_split_at_every_byte(data) -> None:
    decoder = Decoder()
    assert [item for byte in data for item in decoder.feed(bytes([byte]))] == [read_by_hand(data)]
    for cut in range(1, len(data)):
        decoder = Decoder()
        assert decoder.feed(data[:cut]) + decoder.feed(data[cut:]) == [read_by_hand(data)]


def test_frames_that_come_joined_are_told_apart() -> None:
    assert Decoder().feed(b"".join(GOOD)) == [read_by_hand(data) for data in GOOD]


@pytest.mark.parametrize("data", BAD, ids=bytes.hex)
def test_a_frame_with_a_wrong_check_or_length_is_a_fault_and_no_frame(data) -> None:
    decoder = Decoder()
    items = decoder.feed(data) + decoder.gap()
    assert not frames(items)
    assert any(isinstance(item, WireError) for item in items)


@pytest.mark.parametrize("noise", [b"\x00", b"\xff", b"\x02", b"\x02\x00", b"\x00\x01\x03\x04", b"\x20\x41\x42\x43"])
@pytest.mark.parametrize("data", GOOD, ids=bytes.hex)
def test_a_frame_behind_noise_is_found_once_the_line_is_silent(data, noise) -> None:
    decoder = Decoder()
    items = decoder.feed(noise + data) + decoder.gap()
    assert read_by_hand(data) in frames(items)


@pytest.mark.parametrize("data", GOOD, ids=bytes.hex)
def test_a_frame_after_a_bad_one_is_found(data) -> None:
    decoder = Decoder()
    spoilt = bytes([data[0], *(byte ^ 0x10 for byte in data[1:])])
    items = decoder.feed(spoilt) + decoder.gap() + decoder.feed(data)
    assert frames(items)[-1:] == [read_by_hand(data)]


@pytest.mark.parametrize("data", GOOD, ids=bytes.hex)
def test_a_byte_of_noise_inside_a_frame_spoils_that_frame_and_no_other(data) -> None:
    for cut in range(1, len(data)):
        decoder = Decoder()
        items = decoder.feed(data[:cut] + b"\xa5" + data[cut:]) + decoder.gap()
        assert read_by_hand(data) not in frames(items)
        assert decoder.feed(data) == [read_by_hand(data)]


@pytest.mark.parametrize("noise", [b"\x00", b"\xff", b"\x02\x00", b"\x20\x41\x42\x43"])
def test_noise_between_frames_costs_none_of_them_once_the_line_is_silent(noise) -> None:
    decoder = Decoder()
    items = decoder.feed(noise.join(GOOD)) + decoder.gap()
    assert [frame for frame in frames(items) if frame in map(read_by_hand, GOOD)] == [
        read_by_hand(data) for data in GOOD
    ]


@given(st.lists(st.binary(max_size=60)))
def test_whatever_comes_in_nothing_raises_and_little_is_kept(chunks) -> None:
    decoder = Decoder()
    for chunk in chunks:
        for item in decoder.feed(chunk):
            assert isinstance(item, Frame | WireError)
        assert len(decoder._buffer) <= wire.LONGEST + 60
    decoder.gap()
    assert not decoder._buffer


@given(st.binary(max_size=300))
def test_the_check_is_crc_16_mcrf4xx(data) -> None:
    assert crc.mcrf4xx(data) == Crc16Mcrf4XX.calc(data)


def test_the_check_value_of_the_catalogue() -> None:
    assert crc.mcrf4xx(b"123456789") == 0x6F91


@given(st.integers(0, 255), st.integers(0, 255), st.binary(max_size=900), st.booleans())
def test_any_frame_survives_the_way(address, command, payload, advanced) -> None:
    frame = Frame(address, command, payload)
    assert Decoder().feed(wire.encode(frame, advanced=advanced)) == [frame]


def test_the_software_version_is_read_from_the_recorded_answer() -> None:
    (frame,) = Decoder().feed(bytes.fromhex("0d00650003030044530d303309"))
    assert wire.version_of(frame.payload) == wire.Version("03.03.00", 0x44, 0x53, 0x0D30)


def test_requests_are_those_of_the_manual() -> None:
    made = [
        wire.inventory(0xFF),
        wire.inventory(0xFF, more=True),
        Frame(0xFF, wire.Command.SOFTWARE_VERSION),
        Frame(0xFF, wire.Command.RF_RESET),
        wire.read_config(0x12, 7),
    ]
    assert [wire.encode(frame).hex() for frame in made] == [
        "07ffb001001c56",
        "07ffb0018014d2",
        "05ff65e5cb",
        "05ff698901",
        "06128007e580",
    ]


def test_an_inventory_of_one_is_read_from_the_recorded_answer() -> None:
    (frame,) = Decoder().feed(bytes.fromhex("1100b000010300e0040150a05f02b7d7be"))
    assert wire.tags_of(frame.payload) == ["E0040150A05F02B7"]


def test_every_data_set_is_parsed_and_the_same_tag_twice_is_named() -> None:
    """A public parser never advances: two cards come back as the first one twice. So does this recorded reply."""
    (frame,) = Decoder().feed(bytes.fromhex("1b00b094020300e0040150a05f02b70300e0040150a05f02b85af8"))
    assert wire.tags_of(frame.payload) == ["E0040150A05F02B7", "E0040150A05F02B8"]
    first, second = wire.tags_of(frame.payload[:-1] + b"\xb7")
    assert first == "E0040150A05F02B7"
    assert "twice" in str(second)


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        ("00010300b7025fa0500104e0", "byte order reversed"),
        ("00010300110150a05f02b711", "does not begin with E0"),
        ("00010300e00401", "cut short"),
        ("000109aabb", "unknown transponder type 09"),
        ("00020300e0040150a05f02b7", "cut short"),
        ("00010300e0040150a05f02b7ff", "after its last data set"),
        ("00", "no number of data sets"),
    ],
)
def test_a_reply_that_cannot_be_used_says_why(payload, words) -> None:
    assert words in str(wire.tags_of(bytes.fromhex(payload))[-1])


def test_a_seven_byte_uid_is_read() -> None:
    assert wire.tags_of(bytes.fromhex("0001040000" + "04a1b2c3d4e5f6")) == ["04A1B2C3D4E5F6"]
