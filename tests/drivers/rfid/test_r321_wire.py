"""R321 bytes: frames of a USB capture, split, joined, spoilt and in noise; in reports and without."""

import json
from pathlib import Path

import pytest
from crccheck.crc import CrcX25
from hypothesis import given
from hypothesis import strategies as st

from dealerbox.ports import WireError
from dealerbox_drivers.memory_line import OneByte, memory_pair
from dealerbox_drivers.rfid import crc
from dealerbox_drivers.rfid.r321 import reports, wire
from dealerbox_drivers.rfid.r321.wire import Command, Decoder, Frame

FRAMES = [
    frame
    for frame in json.loads((Path(__file__).parents[3] / "firmware-protocols/readers/frames.json").read_text())
    if frame["device"].startswith("AnyID R321")
]
CARRIED = [bytes.fromhex(frame["hex"]) for frame in FRAMES if frame["valid"]]
"""As captured: each begins with the count of its report."""
WHOLE = [data[1:] for data in CARRIED if data[0] == len(data) - 1]
NOISE = [b"\x00", b"\x7e", b"\x7e\x55", b"\x7e\x7e\x55\x02", b"\x7e\x55\x00\x01", b"\x7e\x55\x20\x00", b"\xff" * 9]


def read_by_hand(data: bytes) -> Frame:
    """A second reading of the page: cut at fixed places."""
    at = 8 if data[7] == 0x1F else 7
    return Frame(data[4] << 8 | data[3], data[6] << 8 | data[5], data[at], data[at + 2 : -2], at == 8)


def frames(items):
    return [item for item in items if isinstance(item, Frame)]


def test_there_are_the_captured_frames() -> None:
    assert len(WHOLE) >= 10
    assert all(frame["valid"] for frame in FRAMES)


@pytest.mark.parametrize("data", WHOLE, ids=bytes.hex)
def test_a_captured_frame_is_read_and_made_again(data) -> None:
    assert Decoder().feed(data) == [read_by_hand(data)]
    assert wire.encode(read_by_hand(data)) == data


@pytest.mark.parametrize("data", WHOLE, ids=bytes.hex)
def test_a_frame_may_be_split_at_every_byte(data) -> None:
    decoder = Decoder()
    assert [item for byte in data for item in decoder.feed(bytes([byte]))] == [read_by_hand(data)]
    for cut in range(1, len(data)):
        decoder = Decoder()
        assert decoder.feed(data[:cut]) + decoder.feed(data[cut:]) == [read_by_hand(data)]


def test_frames_that_come_joined_are_told_apart() -> None:
    assert Decoder().feed(b"".join(WHOLE)) == [read_by_hand(data) for data in WHOLE]


@pytest.mark.parametrize("data", WHOLE, ids=bytes.hex)
def test_a_frame_with_any_byte_spoilt_is_a_fault_and_no_frame(data) -> None:
    for at in range(len(data)):
        decoder = Decoder()
        spoilt = data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]
        items = decoder.feed(spoilt) + decoder.gap()
        assert items
        assert not frames(items)


@pytest.mark.parametrize("noise", NOISE, ids=bytes.hex)
def test_a_frame_before_between_and_behind_noise_is_found_once_the_line_is_silent(noise) -> None:
    for data in WHOLE:
        decoder = Decoder()
        items = decoder.feed(noise + data + noise + data + noise) + decoder.gap()
        assert frames(items) == [read_by_hand(data)] * 2


@pytest.mark.parametrize("data", WHOLE, ids=bytes.hex)
def test_a_byte_of_noise_inside_a_frame_spoils_that_frame_and_no_other(data) -> None:
    for cut in range(1, len(data)):
        decoder = Decoder()
        items = decoder.feed(data[:cut] + b"\x5a" + data[cut:]) + decoder.gap() + decoder.feed(data)
        assert frames(items) == [read_by_hand(data)]


@given(st.lists(st.binary(max_size=600)))
def test_whatever_comes_in_nothing_raises_and_little_is_kept(chunks) -> None:
    decoder = Decoder()
    for chunk in chunks:
        decoder.feed(b"\x7e\x55" + chunk)
        assert len(decoder._buffer) <= wire.LONGEST
    decoder.gap()
    assert not decoder.begun


addresses = st.integers(0, 0xFFFF)
commands = st.integers(0, 255).filter(lambda code: code != wire.REPLY)


@given(addresses, addresses, commands, st.binary(max_size=900), st.booleans())
def test_any_frame_survives_the_way(source, target, command, params, is_reply) -> None:
    frame = Frame(source, target, command, params, is_reply)
    assert Decoder().feed(wire.encode(frame)) == [frame]


def test_the_long_form_is_that_of_the_page() -> None:
    """Table 1.4: length 00, then two bytes for that of the parameters; its check by another implementation."""
    body = bytes.fromhex("00 0100 0000 1F 22 00 2C01") + bytes(300)
    data = b"\x7e\x55" + body + CrcX25.calc(body).to_bytes(2, "little")
    assert Decoder().feed(data) == [Frame(1, 0, 0x22, bytes(300), is_reply=True)]
    assert wire.encode(Frame(1, 0, 0x22, bytes(300), is_reply=True)) == data


@given(st.binary(max_size=300))
def test_the_check_is_crc_16_x25(data) -> None:
    assert crc.x25(data) == CrcX25.calc(data)


def test_requests_are_those_of_the_capture() -> None:
    made = [wire.request(0xFFFF, Command.VERSION), wire.inventory(0x0001)]
    assert [wire.encode(frame).hex() for frame in made] == ["7e55080000fffff700bd60", "7e5509000001001100007dfb"]


@pytest.mark.parametrize(
    ("made", "params"),
    [
        (wire.rf(1, on=True), "0100"),
        (wire.rf(1, on=False), "0000"),
        (wire.rf_reset(1), "0200"),
        (wire.only_antenna(1, 3), "000001000000"),
    ],
)
def test_the_parameters_are_those_of_the_page(made, params) -> None:
    assert made.params.hex() == params


def test_settings_are_changed_in_nothing_but_what_is_needed() -> None:
    """Tables 3.3.1 to 3.3.3: mode, address (2), control (2), AFI."""
    factory = wire.Config(bytes.fromhex("12 3402 4B01 07"))
    assert not factory.is_fit
    assert factory.fitted().content.hex() == "0234023b0107"
    assert factory.fitted().is_fit
    assert not wire.Config(bytes.fromhex("02 0100 2B01 00")).is_fit  # tags fall quiet


def test_an_inventory_of_one_is_read_from_the_capture() -> None:
    (frame,) = Decoder().feed(bytes.fromhex("7e5514010000001f1100b951bdca500104e0aa0000ce2b"))
    assert wire.tags_of(frame.params) == wire.Listed(("E0040150CABD51B9",), 0)


def test_what_remains_is_told() -> None:
    (frame,) = Decoder().feed(bytes.fromhex("7e551d010000001f1100b951bdca500104e0aaba51bdca500104e0aa0300139e"))
    assert wire.tags_of(frame.params) == wire.Listed(("E0040150CABD51B9", "E0040150CABD51BA"), 3)


ONE = "b951bdca500104e0aa"


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ("", "0 bytes"),
        ("00", "1 bytes"),
        (ONE + "00", "10 bytes"),
        (ONE * 26 + "0000", "at most 25"),
        (ONE * 2 + "0000", "twice in one reply"),
        ("b951bdca500104e0ab0000", "must be AA"),
        ("e0040150cabd51b9aa0000", "byte order reversed"),
        ("b951bdca50010411aa0000", "does not begin with E0"),
    ],
)
def test_an_inventory_that_cannot_be_used_says_why(params, words) -> None:
    listed = wire.tags_of(bytes.fromhex(params))
    assert words in str(listed.tags[-1] if isinstance(listed, wire.Listed) else listed)


@given(st.binary(max_size=300))
def test_no_reply_makes_a_parser_raise(params) -> None:
    assert isinstance(wire.tags_of(params), wire.Listed | WireError)
    assert isinstance(wire.version_of(params), str | WireError)
    assert isinstance(wire.config_of(params), wire.Config | None)


REPORTS = [data for data in CARRIED if data not in [b"%c" % len(whole) + whole for whole in WHOLE]]


def test_the_byte_before_a_captured_frame_counts_its_report() -> None:
    assert all(reports.reports(data)[0][: len(data) + 1] == bytes((len(data),)) + data for data in WHOLE)


def test_a_frame_of_64_bytes_takes_two_reports_and_each_counts_its_own() -> None:
    """As captured: a version reply whose last byte came alone in a second report."""
    frame = wire.encode(Frame(1, 0, Command.VERSION, bytes(52), is_reply=True))
    first, second = reports.reports(frame)
    assert (len(frame), first[0], second[0]) == (64, 63, 1)
    assert second == (b"\x01" + frame[63:]).ljust(64, b"\0")
    assert reports.carried(first) + reports.carried(second) == frame


def test_a_version_in_two_reports_is_read_from_the_capture() -> None:
    """Packets 7 and 9 of the capture: text ended by 00, then what lay in its memory; the check is cut in two."""
    first = bytes.fromhex(
        "3f7e553d010000001ff7005233323147203231303432313030203135303530330000008"
        "0b5fef789fe01bd0248016831f004010160704700000020120100 00b1"
    )
    second = bytes.fromhex("0111").ljust(64, b"\0")
    (frame,) = Decoder().feed(reports.carried(first) + reports.carried(second))
    assert (frame.source, frame.command, frame.is_reply) == (1, Command.VERSION, True)
    assert wire.version_of(frame.params) == "R321G 21042100 150503"


@given(st.binary(max_size=400))
def test_what_goes_in_reports_comes_out_of_them(data) -> None:
    assert b"".join(reports.carried(report) for report in reports.reports(data)) == data


@pytest.mark.parametrize("report", [b"", b"\x01a", b"\x40" + bytes(63), bytes(65)], ids=bytes.hex)
def test_a_report_that_counts_more_than_it_has_is_a_fault(report) -> None:
    assert isinstance(reports.carried(report), WireError)


def test_a_frame_in_reports_comes_whole_over_a_line_of_single_bytes(run) -> None:
    async def whole():
        near, far = memory_pair()
        line = reports.Reports(OneByte(near))
        data = wire.encode(Frame(1, 0, Command.INVENTORY, bytes(92), is_reply=True))
        reports.Reports(far).write(data)
        far.write(b"\x40" + bytes(63))
        reports.Reports(far).write(data)
        came = b""
        while len(came) < 2 * len(data):
            came += await line.read()
        assert came == data * 2
        assert line.faults == 1

    run(whole())
