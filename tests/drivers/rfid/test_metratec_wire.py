"""metraTec lines: answers that its maker printed, split, joined, spoilt and in noise."""

import json
from pathlib import Path

import pytest
from crccheck.crc import Crc16Mcrf4XX
from hypothesis import given
from hypothesis import strategies as st

from dealerbox.ports import WireError
from dealerbox_drivers.rfid.metratec import wire
from dealerbox_drivers.rfid.metratec.wire import Decoder

FRAMES = [
    frame
    for frame in json.loads((Path(__file__).parents[3] / "firmware-protocols/readers/frames.json").read_text())
    if frame["device"] == "metraTec ASCII"
]
PRINTED = [bytes.fromhex(frame["hex"]) for frame in FRAMES]
INVENTORY = next(data for data in PRINTED if b"IVF" in data)
NOISE = [b"\x00", b"\xff", b"IVF 01", b"E0040150954F02B1", b"E0040150954F02B1\rE004", b"\n", b"OK\x80!"]
UIDS = st.binary(min_size=7, max_size=7).map(lambda rest: "E0" + rest.hex().upper())


def answers(items: list) -> list[str]:
    return [item for item in items if not isinstance(item, WireError)]


def test_all_that_was_printed_is_here() -> None:
    assert len(PRINTED) == 7


@pytest.mark.parametrize("data", PRINTED, ids=bytes.hex)
def test_what_was_printed_is_one_item_however_it_is_split_and_joined(data) -> None:
    whole = [data[:-1].decode()]
    assert Decoder().feed(data) == whole
    for cut in range(len(data)):
        decoder = Decoder()
        assert decoder.feed(data[:cut]) + decoder.feed(data[cut:]) == whole
    assert Decoder().feed(data + INVENTORY + data) == [*whole, INVENTORY[:-1].decode(), *whole]


@pytest.mark.parametrize("noise", NOISE, ids=bytes.hex)
def test_noise_costs_what_it_touches_and_a_silence_ends_it(noise) -> None:
    decoder = Decoder()
    decoder.feed(noise)
    decoder.gap()
    assert not decoder.begun
    assert decoder.feed(INVENTORY) == [INVENTORY[:-1].decode()]
    half = len(INVENTORY) // 2
    spoilt = answers(Decoder().feed(INVENTORY[:half] + b"\x00" + INVENTORY[half:]))
    assert not any(isinstance(wire.tags_of(item.encode()), tuple) for item in spoilt)


@given(uids=st.lists(UIDS, max_size=60))
def test_an_inventory_gives_its_tags_if_they_are_as_many_as_it_says(uids) -> None:
    lines = [*uids, f"IVF {len(uids):02}"]
    assert wire.tags_of("\r".join(lines).encode()) == tuple(uids)
    for short in range(len(uids)):
        left = "\r".join(lines[:short] + lines[short + 1 :])
        assert "it says" in str(wire.tags_of(left.encode()))


def test_a_line_that_is_no_tag_makes_a_look_that_could_not_look() -> None:
    assert isinstance(wire.tags_of(b"E0040150954F02B\rIVF 01"), WireError)


@given(noise=st.binary(max_size=3000))
def test_nothing_is_kept_without_bound(noise) -> None:
    decoder = Decoder()
    decoder.feed(noise)
    assert sum(len(value) for value in vars(decoder).values()) <= wire.LONGEST


def test_the_antenna_report_belongs_to_the_inventory_and_the_printed_second_number_is_no_tag() -> None:
    (whole,) = Decoder().feed(INVENTORY)
    assert "does not begin with E0" in str(wire.tags_of(whole.encode()))
    assert wire.tags_of(whole.replace("E2006", "E0046").encode()) == ("E0040150954F02B1", "E004600311753E33")


def test_who_it_is_and_who_it_is_not() -> None:
    assert wire.version_of(b"DESKID_ISO     01000218") == "DESKID_ISO 0218"
    assert isinstance(wire.version_of(b"UCO"), WireError)


def test_the_check_of_the_mode_with_checks_is_the_one_that_the_page_names() -> None:
    """What was printed: `COF 4F5E` and `WAK 5E70`, of the text before them with its space."""
    assert f"{Crc16Mcrf4XX.calc(b'COF '):04X}" == "4F5E"
    assert f"{Crc16Mcrf4XX.calc(b'WAK '):04X}" == "5E70"
