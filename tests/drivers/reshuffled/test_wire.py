"""Frames of the text protocol: of the table, split and joined at every byte, among noise and what the board prints."""

import tomllib
from pathlib import Path

import pytest
from crccheck.crc import Crc32
from hypothesis import given
from hypothesis import strategies as st

from dealerbox.ports import WireError
from dealerbox_drivers.reshuffled.wire import LONGEST, Decoder, Message, Trouble, encode

FOLDER = Path(__file__).parents[3] / "firmware-protocols/reshuffled"
FRAMES = tomllib.loads((FOLDER / "vectors.toml").read_text())["frame"]
DATA = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", min_size=1, max_size=16)


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame["name"])
def test_a_frame_of_the_table_is_its_bytes_and_comes_back_split_at_every_byte(frame) -> None:
    data = frame["bytes"].encode()
    assert encode(frame["data"]) == data
    for place in range(len(data)):
        decoder = Decoder()
        assert decoder.feed(data[:place]) + decoder.feed(data[place:]) == [Message(frame["data"])]


def test_all_frames_of_the_table_come_back_at_once() -> None:
    joined = "".join(frame["bytes"] for frame in FRAMES).encode()
    assert Decoder().feed(joined) == [Message(frame["data"]) for frame in FRAMES]


@given(DATA)
def test_the_check_is_that_of_a_second_implementation(data) -> None:
    assert encode(data) == f":{data}#{Crc32.calc(data.encode()):X}\n".encode()


def test_leading_zeros_of_a_check_are_taken_too() -> None:
    assert Decoder().feed(b":D50#0C3A0E14\n") == [Message("D50")]


@pytest.mark.parametrize(
    ("printed", "told"),
    [
        (b"Fehler: 4\r\n", [Trouble(4)]),
        (b"Error", [Trouble(0)]),
        (b"Fehler: 1\r\nError", [Trouble(1), Trouble(0)]),
        (b"ErrorError", [Trouble(0), Trouble(0)]),
        (b"\r\n\n", []),
    ],
)
def test_what_the_board_prints_between_frames_is_told_and_costs_no_frame(printed, told) -> None:
    ok = encode("OK")
    assert Decoder().feed(ok + printed + ok) == [Message("OK"), *told, Message("OK")]


@pytest.mark.parametrize(
    "noise", [b"request check ok\n", b"\x00\xff", b":OK#1\n", b":ok#47DCA0B3\n", b":OK\n", b":IN#F10", b"::", b"#" * 99]
)
def test_noise_is_a_wire_error_and_the_frame_after_it_is_read(noise) -> None:
    found = Decoder().feed(noise + encode("SH"))
    assert found[-1] == Message("SH")
    assert found[:-1]
    assert all(isinstance(item, WireError) for item in found[:-1])


@given(st.binary(max_size=200), DATA)
def test_whatever_came_before_a_frame_is_read(noise, data) -> None:
    decoder = Decoder()
    decoder.feed(noise)
    found = decoder.feed(b"\n" + encode(data))
    assert found[-1] == Message(data)


@given(st.lists(st.binary(max_size=40), max_size=10))
def test_nothing_raises_and_little_is_kept(pieces) -> None:
    decoder = Decoder()
    for piece in pieces:
        decoder.feed(piece)
        assert len(decoder._kept) < LONGEST
