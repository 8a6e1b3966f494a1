"""PN532 bytes: frames from logs, manuals and public tests, split, joined, spoilt and in noise."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealerbox.ports import WireError
from dealerbox_drivers.rfid.pn532 import chip, wire
from dealerbox_drivers.rfid.pn532.wire import CHIP, HOST, Decoder, Frame, Sign

FRAMES = [
    frame
    for frame in json.loads((Path(__file__).parents[3] / "firmware-protocols/readers/frames.json").read_text())
    if frame["device"] == "PN532 HSU"
]
WAKE_UPS = [bytes.fromhex(frame["hex"]) for frame in FRAMES if frame["hex"].startswith("55")]
GOOD = [bytes.fromhex(frame["hex"]) for frame in FRAMES if frame["valid"] and not frame["hex"].startswith("55")]
BAD = [bytes.fromhex(frame["hex"]) for frame in FRAMES if not frame["valid"]]
NOISE = [b"\x00", b"\xff", b"\x55\x55", b"\x00\xff", b"\x00\x00\xff\x05", b"\x00\xff\xff\xff", b"?\xdf\xff\xe9\xaf"]


def read_by_hand(data: bytes) -> list:
    """A second reading of the manual: cut at fixed places behind each start code."""
    if not data.strip(b"\0"):
        return []
    body = data[data.index(b"\x00\xff") + 2 :]
    if body[:2] in (b"\x00\xff", b"\xff\x00"):
        return [Sign.ACK if body[0] == 0 else Sign.NACK, *read_by_hand(body[2:])]
    return [Frame(body[2], body[3 : 2 + body[0]]), *read_by_hand(body[3 + body[0] :])]


def frames(items):
    return [item for item in items if not isinstance(item, WireError)]


def test_there_are_the_recorded_frames() -> None:
    assert (len(GOOD), len(BAD), len(WAKE_UPS)) == (19, 2, 2)


@pytest.mark.parametrize("data", GOOD, ids=bytes.hex)
def test_a_recorded_frame_is_read_and_made_again(data) -> None:
    items = Decoder().feed(data)
    assert items == read_by_hand(data)
    if data.startswith(b"\0\0\xff") and len(items) == 1:
        assert wire.encode(items[0]) == data


@pytest.mark.parametrize("data", GOOD, ids=bytes.hex)
def test_a_frame_may_be_split_at_every_byte(data) -> None:
    decoder = Decoder()
    assert [item for byte in data for item in decoder.feed(bytes([byte]))] == read_by_hand(data)
    for cut in range(1, len(data)):
        decoder = Decoder()
        assert decoder.feed(data[:cut]) + decoder.feed(data[cut:]) == read_by_hand(data)


def test_frames_that_come_joined_are_told_apart() -> None:
    assert Decoder().feed(b"".join(GOOD)) == [item for data in GOOD for item in read_by_hand(data)]


@pytest.mark.parametrize("data", BAD, ids=bytes.hex)
def test_a_frame_with_a_wrong_check_or_start_is_a_fault_and_no_frame(data) -> None:
    decoder = Decoder()
    items = decoder.feed(data) + decoder.gap()
    assert items
    assert not frames(items)


@pytest.mark.parametrize("noise", NOISE, ids=bytes.hex)
def test_a_frame_before_between_and_behind_noise_is_found_once_the_line_is_silent(noise) -> None:
    for data in GOOD:
        decoder = Decoder()
        items = decoder.feed(noise + data + noise + data + noise) + decoder.gap()
        assert [item for item in read_by_hand(data) * 2 if item not in frames(items)] == []


@pytest.mark.parametrize("data", GOOD, ids=bytes.hex)
def test_a_byte_of_noise_inside_a_frame_spoils_that_frame_and_no_other(data) -> None:
    for cut in range(2, len(data) - 1):
        decoder = Decoder()
        items = decoder.feed(data[:cut] + b"\x5a" + data[cut:]) + decoder.gap() + decoder.feed(data)
        assert frames(items)[-len(read_by_hand(data)) :] == read_by_hand(data)
        assert len(frames(items)) <= 2 * len(read_by_hand(data))


@pytest.mark.parametrize("data", WAKE_UPS, ids=bytes.hex)
def test_a_wake_up_is_no_frame(data) -> None:
    decoder = Decoder()
    assert not frames(decoder.feed(data) + decoder.gap())


def test_the_wake_up_is_that_of_a_known_driver() -> None:
    assert wire.WAKE_UP in WAKE_UPS


@given(st.lists(st.binary(max_size=400)))
def test_whatever_comes_in_nothing_raises_and_little_is_kept(chunks) -> None:
    decoder = Decoder()
    for chunk in chunks:
        decoder.feed(chunk)
        assert len(decoder._buffer) <= wire.MOST + 8
    decoder.gap()
    assert not decoder.begun


@given(st.sampled_from([HOST, CHIP]), st.binary(min_size=1, max_size=264))
def test_any_frame_survives_the_way(sender, payload) -> None:
    assert Decoder().feed(wire.encode(Frame(sender, payload))) == [Frame(sender, payload)]


def test_a_long_frame_is_the_extended_one_of_the_manual() -> None:
    """6.2.1.2, its sums by hand: LEN 0101, LCS FE; D4 and zeros, DCS 2C."""
    data = bytes.fromhex("00 00 FF FF FF 01 01 FE D4 00") + bytes(255) + bytes.fromhex("2C 00")
    assert Decoder().feed(data) == [Frame(HOST, bytes(256))]
    assert wire.encode(Frame(HOST, bytes(256))) == data
    with pytest.raises(ValueError, match="265"):
        wire.encode(Frame(HOST, bytes(265)))


def test_the_error_frame_is_told() -> None:
    assert Decoder().feed(bytes.fromhex("00 00 FF 01 FF 7F 81 00")) == [Frame(wire.ERROR)]
    assert wire.encode(Frame(wire.ERROR)) == bytes.fromhex("00 00 FF 01 FF 7F 81 00")


def test_requests_are_those_of_the_manual() -> None:
    made = [chip.NORMAL_MODE[:3], chip.NORMAL_MODE, chip.FIRMWARE_VERSION, chip.LIST_TYPE_A, chip.FIELD_OFF]
    assert [wire.encode(Frame(HOST, payload)).hex() for payload in made] == [
        "0000ff04fcd41401001700",
        "0000ff05fbd4140100001700",
        "0000ff02fed4022a00",
        "0000ff04fcd44a0200e000",
        "0000ff04fcd4320100f900",
    ]


def test_a_line_test_is_answered_by_what_it_said_alone() -> None:
    question = chip.line_test(7)
    assert question.hex() == "000000000007"
    assert chip.is_answer(bytes.fromhex("010000000007"), question)
    assert not chip.is_answer(bytes.fromhex("010000000006"), question)
    assert not chip.is_answer(b"", question)


def test_the_firmware_version_is_read_from_the_recorded_answer() -> None:
    (frame,) = Decoder().feed(bytes.fromhex("0000ff06fad50332010607e800"))
    assert chip.version_of(frame.payload) == chip.Version(0x32, "1.6", 7)


@pytest.mark.parametrize(
    ("answer", "words"), [("0333020701", "chip 33"), ("033201", "2 bytes"), ("0332010606", "no ISO14443A")]
)
def test_another_chip_is_named(answer, words) -> None:
    assert words in str(chip.version_of(bytes.fromhex(answer)))


def test_a_phone_of_the_recorded_answer_is_named_as_random() -> None:
    (frame,) = Decoder().feed(bytes.fromhex("0000ff11efd54b010103042004083f6c4a05788070024700"))
    (item,) = chip.targets_of(frame.payload)
    assert "random" in str(item)


TWO = "4b02 01 0044 00 07 04a1b2c3d4e5f6 02 0044 00 07 04a1b2c3d4e5f7"


def test_both_targets_are_read() -> None:
    assert chip.targets_of(bytes.fromhex(TWO)) == ["04A1B2C3D4E5F6", "04A1B2C3D4E5F7"]
    assert chip.targets_of(bytes.fromhex("4b00")) == []


def test_a_target_behind_one_with_an_answer_to_select_is_found() -> None:
    """7.3.5: the ATS follows where SEL_RES has bit 5; its length counts itself."""
    answer = "4b02 01 0304 20 04 11223344 05 78807002 02 0044 00 07 04a1b2c3d4e5f7"
    assert chip.targets_of(bytes.fromhex(answer)) == ["11223344", "04A1B2C3D4E5F7"]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("4b", "without their number"),
        ("4b10" + "01004400" * 16, "16 targets"),
        ("4b01 01 0044 00 07 04a1b2", "cut short"),
        ("4b02 01 0044 00 07 04a1b2c3d4e5f6", "target 2 cut short"),
        ("4b01 02 0044 00 07 04a1b2c3d4e5f6", "calls itself 2"),
        ("4b02 01 0044 00 07 04a1b2c3d4e5f6 02 0044 00 07 04a1b2c3d4e5f6", "twice in one reply"),
        ("4b01 01 0044 00 05 04a1b2c3d4", "5 bytes, must be 4, 7 or 10"),
        ("4b01 01 0044 00 04 88a1b2c3", "cascade tag"),
        ("4b01 01 0044 00 07 04a1b2c3d4e5f6 ff", "ends at byte 14 of 15"),
        ("4b01 01 0044 20 07 04a1b2c3d4e5f6 09 01", "ends at byte 23 of 16"),
        ("4b00 00", "ends at byte 2 of 3"),
    ],
)
def test_a_list_that_cannot_be_used_says_why(answer, words) -> None:
    assert words in str(chip.targets_of(bytes.fromhex(answer))[-1])


@given(st.binary(max_size=80))
def test_no_answer_makes_the_parser_raise(answer) -> None:
    assert all(isinstance(item, str | WireError) for item in chip.targets_of(b"\x4b" + answer))
