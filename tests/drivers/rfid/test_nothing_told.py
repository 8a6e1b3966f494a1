"""No fault of a reader's wire names a tag: what is told of a reader is read where no card may be known (P4)."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealerbox.ports import WireError
from dealerbox_drivers.rfid.feig import wire as feig
from dealerbox_drivers.rfid.pn532 import chip as pn532
from dealerbox_drivers.rfid.r321 import wire as r321
from dealerbox_drivers.rfid.uid import iso14443a, iso15693


def r321_tags(params: bytes) -> list:
    listed = r321.tags_of(params)
    return list(listed.tags) if isinstance(listed, r321.Listed) else [listed]


UID = bytes.fromhex("e0040150abcdef12")
TYPE_A = bytes.fromhex("04a1b2c3d4e5f6")
LISTS = [
    (feig.tags_of, bytes.fromhex("00020300") + UID + bytes.fromhex("0300") + UID),
    (feig.tags_of, bytes.fromhex("0001040000") + TYPE_A),
    (r321_tags, (UID[::-1] + b"\xaa") * 2 + bytes(2)),
    (pn532.targets_of, bytes.fromhex("4b02010044000704a1b2c3d4e5f602004400070" + "4a1b2c3d4e5f6")),
]


def shown(items: list[object]) -> str:
    return " ".join(str(item) for item in items if isinstance(item, WireError)).upper()


@given(st.sampled_from(LISTS), st.data())
def test_a_spoilt_list_of_tags_is_told_without_a_tag(listed: tuple, data: st.DataObject) -> None:
    read, answer = listed
    spoilt = bytearray(answer[: data.draw(st.integers(2, len(answer)))])
    at = data.draw(st.integers(1, len(spoilt) - 1))
    spoilt[at] = data.draw(st.integers(0, 255))
    said = shown(read(bytes(spoilt))).replace("ISO14443A", "")  # of a standard's name six letters are hexadecimal
    assert not re.search("[0-9A-F]{6}", said), said


@pytest.mark.parametrize("raw", [UID[::-1], UID[:7], b"\xd0" + UID[1:]])
def test_a_uid_that_is_refused_is_not_repeated(raw: bytes) -> None:
    assert raw.hex().upper()[2:] not in str(iso15693(raw)).upper()


@pytest.mark.parametrize("raw", [TYPE_A[:6], b"\x08" + TYPE_A[1:4], b"\x88" + TYPE_A[1:4]])
def test_a_type_a_uid_that_is_refused_is_not_repeated(raw: bytes) -> None:
    assert raw.hex().upper()[2:] not in str(iso14443a(raw)).upper()
