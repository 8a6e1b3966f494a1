"""CCID bytes: messages from logs, manuals and public tests, split, joined, spoilt and in noise; and what is in them."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealerbox.ports import WireError
from dealerbox_drivers.rfid.ccid import apdu, wire
from dealerbox_drivers.rfid.ccid.wire import Decoder, Message, Notice
from dealerbox_drivers.rfid.pn532 import chip

FRAMES = [
    frame
    for frame in json.loads((Path(__file__).parents[3] / "firmware-protocols/readers/frames.json").read_text())
    if frame["check"] == "ccid" or frame["device"].startswith("CCID")
]
GOOD = [bytes.fromhex(frame["hex"]) for frame in FRAMES if frame["valid"]]
BAD = [bytes.fromhex(frame["hex"]) for frame in FRAMES if not frame["valid"]]
NOISE = [b"\x00", b"\xff\xff", b"\x90\x00", b"\x6f", b"\x80\xff", b"\x80\x00\x00\x00\x00", b"\x6f\xff\xff\xff\xff\xff"]


def read_by_hand(data: bytes) -> Message | Notice:
    """A second reading of the specification: cut at fixed places."""
    if data[0] == 0x50:
        return Notice(present=data[1] in (1, 3), changed=data[1] in (2, 3))
    return Message(data[0], data[5], data[6], data[7:10], data[10:])


def messages(items):
    return [item for item in items if not isinstance(item, WireError)]


def answer(hexed: str) -> bytes:
    """What a recorded message from the reader carries."""
    (message,) = Decoder().feed(bytes.fromhex(hexed))
    return message.data


def test_there_are_the_recorded_frames() -> None:
    assert (len(GOOD), len(BAD)) == (25, 1)


@pytest.mark.parametrize("data", GOOD, ids=bytes.hex)
def test_a_recorded_message_is_read_and_made_again(data) -> None:
    (item,) = Decoder().feed(data)
    assert item == read_by_hand(data)
    if isinstance(item, Message):
        assert wire.encode(item) == data


@pytest.mark.parametrize("data", GOOD, ids=bytes.hex)
def test_a_message_may_be_split_at_every_byte(data) -> None:
    decoder = Decoder()
    assert [item for byte in data for item in decoder.feed(bytes([byte]))] == [read_by_hand(data)]
    for cut in range(1, len(data)):
        decoder = Decoder()
        assert decoder.feed(data[:cut]) + decoder.feed(data[cut:]) == [read_by_hand(data)]


def test_messages_that_come_joined_are_told_apart() -> None:
    assert Decoder().feed(b"".join(GOOD)) == [read_by_hand(data) for data in GOOD]


@pytest.mark.parametrize("data", BAD, ids=bytes.hex)
def test_a_message_shorter_than_it_says_is_a_fault_once_the_line_is_silent(data) -> None:
    decoder = Decoder()
    items = decoder.feed(data) + decoder.gap()
    assert items
    assert not messages(items)
    assert decoder.feed(GOOD[0]) == [read_by_hand(GOOD[0])]


@pytest.mark.parametrize("noise", NOISE, ids=bytes.hex)
@pytest.mark.parametrize("data", GOOD, ids=bytes.hex)
def test_a_message_behind_noise_is_found_once_the_line_is_silent(data, noise) -> None:
    decoder = Decoder()
    assert read_by_hand(data) in messages(decoder.feed(noise + data) + decoder.gap())


@pytest.mark.parametrize("noise", NOISE, ids=bytes.hex)
@pytest.mark.parametrize("data", GOOD, ids=bytes.hex)
def test_a_message_after_noise_and_a_silence_is_read_at_once(data, noise) -> None:
    decoder = Decoder()
    decoder.feed(noise)
    decoder.gap()
    assert decoder.feed(data) == [read_by_hand(data)]


@pytest.mark.parametrize("data", GOOD, ids=bytes.hex)
def test_what_is_lost_or_added_inside_a_message_spoils_none_after_the_next_silence(data) -> None:
    """No check tells a spoilt byte within: USB has its own, so that packets are lost whole or not at all."""
    for cut in range(1, len(data)):
        for spoilt in (data[:cut], data[:cut] + b"\xa5" + data[cut:]):
            decoder = Decoder()
            decoder.feed(spoilt)
            decoder.gap()
            assert decoder.feed(data) == [read_by_hand(data)]


@given(st.lists(st.binary(max_size=60)))
def test_whatever_comes_in_nothing_raises_and_little_is_kept(chunks) -> None:
    decoder = Decoder()
    for chunk in chunks:
        for item in decoder.feed(chunk):
            assert isinstance(item, Message | Notice | WireError)
        assert len(decoder._buffer) <= wire.HEADER + wire.MOST_DATA + 60
    decoder.gap()
    assert not decoder.begun


@given(
    st.sampled_from([*wire.Ask, *wire.Say]),
    st.integers(0, 15),
    st.integers(0, 255),
    st.binary(min_size=3, max_size=3),
    st.binary(max_size=300),
)
def test_any_message_survives_the_way(kind, slot, seq, parameters, data) -> None:
    message = Message(kind, slot, seq, parameters, data)
    assert Decoder().feed(wire.encode(message)) == [message]


def test_a_megabyte_of_noise_is_dropped_in_little_room() -> None:
    decoder = Decoder()
    for _ in range(256):
        decoder.feed(bytes(range(256)) * 16)
        assert len(decoder._buffer) <= wire.HEADER + wire.MOST_DATA + 4096


def test_a_hardware_error_is_told_with_its_code() -> None:
    assert Decoder().feed(bytes.fromhex("51000301")) == [Notice(changed=True, fault=1)]


# What is in them: requests and answers of the recorded exchanges.


@pytest.mark.parametrize(
    ("data", "recorded"),
    [
        (apdu.ACR122_FIRMWARE, "6f050000000000000000ff00480000"),
        (apdu.ACR122_NO_POLLING, "6f050000000000000000ff00517f00"),
        (apdu.direct(bytes.fromhex("4a0100")), "6f090000000000000000ff00000004d44a0100"),
        (apdu.direct(bytes.fromhex("4400")), "6f080000000000000000ff00000003d44400"),
    ],
)
def test_requests_are_those_that_were_recorded(data, recorded) -> None:
    assert bytes.fromhex(recorded) in GOOD
    assert wire.encode(Message(wire.Ask.TRANSFER, data=data)).hex() == recorded


@pytest.mark.parametrize(
    ("recorded", "firmware"),
    [("800a000000000002810041435231323255323033", "2.03")],
)
def test_the_firmware_is_read_from_the_recorded_answer(recorded, firmware) -> None:
    assert apdu.acr122_version_of(answer(recorded)) == apdu.Version("ACR122U", firmware)


@pytest.mark.parametrize(
    ("recorded", "words"),
    [
        ("800a000000000002810041435231323255313033", "1.03 is too old"),
        ("80030000000000028100414352", "calls itself 'ACR'"),
    ],
)
def test_old_firmware_and_a_broken_name_are_refused(recorded, words) -> None:
    assert bytes.fromhex(recorded) in GOOD
    assert words in str(apdu.acr122_version_of(answer(recorded)))


@pytest.mark.parametrize(
    ("recorded", "words"),
    [
        ("80030000000000008100d50190", "status word 01 90"),
        ("80040000000000008100d4019000", "no answer to the PN532's command 00"),
        ("80040000000000008100d5019100", "status word 91 00"),
        ("800200000000000081009002", "status word 90 02"),
    ],
)
def test_a_pseudo_apdus_answer_that_is_none_says_why(recorded, words) -> None:
    assert bytes.fromhex(recorded) in GOOD
    assert words in str(apdu.direct_of(answer(recorded), b"\x00"))


def test_the_chips_answer_is_taken_out_of_the_recorded_one() -> None:
    """libnfc#476: D5 45 00 90 00 is the answer to InDeselect."""
    assert apdu.direct_of(answer("8005000000000000fe00d545009000"), b"\x44\x00") == b"\x45\x00"


def test_a_listed_tag_is_read_out_of_a_pseudo_apdu() -> None:
    listed = apdu.direct_of(bytes.fromhex("d54b01010044000704a1b2c3d4e5f69000"), chip.LIST_TYPE_A)
    assert chip.targets_of(listed) == ["04A1B2C3D4E5F6"]


@pytest.mark.parametrize(
    ("said", "last_first", "uid"),
    [
        ("1b969d00180104e09000", True, "E0040118009D961B"),  # pyscard#36
        ("e0040118009d961b9000", False, "E0040118009D961B"),
        ("04a1b2c3d4e5f69000", True, "04A1B2C3D4E5F6"),
        ("a1b2c3d49000", True, "A1B2C3D4"),
    ],
)
def test_a_uid_is_read_in_the_order_that_the_reader_gives_it(said, last_first, uid) -> None:
    assert apdu.uid_of(bytes.fromhex(said), last_first=last_first) == uid


@pytest.mark.parametrize(
    ("said", "last_first", "words"),
    [
        ("1b969d00180104e09000", False, "byte order reversed"),
        ("e0040118009d961b9000", True, "byte order reversed"),
        ("08a1b2c39000", True, "random"),
        ("6300", True, "the reader could not do it"),
        ("6a81", True, "not supported for this card"),
        ("90", True, "without its status word"),
        ("9000", True, "0 bytes"),
    ],
)
def test_a_uid_that_cannot_be_used_says_why(said, last_first, words) -> None:
    assert words in str(apdu.uid_of(bytes.fromhex(said), last_first=last_first))


@pytest.mark.parametrize(
    ("said", "words"),
    [("", "nothing is no answer"), ("e100000002aa", "is no answer"), ("e10000000441435233", "calls itself 'ACR3'")],
)
def test_another_reader_than_an_acr1552u_says_so(said, words) -> None:
    assert words in str(apdu.acr1552_version_of(bytes.fromhex(said)))


def test_an_acr1552u_is_known_by_its_name() -> None:
    text = b"ACR1552 R FW 1.00.00"
    version = apdu.acr1552_version_of(b"\xe1\0\0\0" + bytes([len(text)]) + text)
    assert version == apdu.Version("ACR1552U", "1.00.00")
