"""Whatever happens to an answer that lists tags, on the wire or before it, no part of a tag is kept."""

from collections.abc import Iterator
from random import Random
from types import SimpleNamespace

import pytest

from dealerbox.diagnostics.captures.families import family_of
from dealerbox.diagnostics.captures.masked import InReports, Masked
from dealerbox.diagnostics.captures.pseudonyms import Pseudonyms
from dealerbox_drivers.rfid.ccid import apdu
from dealerbox_drivers.rfid.ccid import wire as ccid
from dealerbox_drivers.rfid.feig import wire as feig
from dealerbox_drivers.rfid.metratec import wire as metratec
from dealerbox_drivers.rfid.pn532 import chip
from dealerbox_drivers.rfid.pn532 import wire as pn532
from dealerbox_drivers.rfid.r321 import wire as r321
from dealerbox_drivers.rfid.r321.reports import reports

CARDS = (bytes.fromhex("E004A5C3965A1E2D"), bytes.fromhex("E004B4D2877B3C4F"))
SEVEN = (bytes.fromhex("04A5C3965A1E2D"), bytes.fromhex("04B4D2877B3C4F"))
TELLING = 3
"""Bytes in a row by which a card could be known again; what its maker's code has is every card's."""
_TARGETS = b"\x4b\x02" + b"".join(bytes((n, 0, 0x44, 0x08, 7)) + uid for n, uid in enumerate(SEVEN, 1))
_SEQ = 7
LISTS = {
    "feig": feig.encode(feig.Frame(0, 0xB0, b"\x00\x02" + b"".join(b"\x03\x00" + uid for uid in CARDS))),
    "feig long": feig.encode(
        feig.Frame(0, 0xB0, b"\x00\x02" + b"".join(b"\x04\x00\x00" + uid for uid in SEVEN)), advanced=True
    ),
    "pn532": pn532.encode(pn532.Frame(pn532.CHIP, _TARGETS)),
    "r321": r321.encode(
        r321.Frame(1, 0, 0x11, b"".join(uid[::-1] + b"\xaa" for uid in CARDS) + b"\x00\x00", is_reply=True)
    ),
    "metratec": metratec.encode("\r".join([*(uid.hex().upper() for uid in CARDS), "IVF 02"])),
    "acr122u": ccid.encode(ccid.Message(0x80, seq=_SEQ, data=b"\xd5" + _TARGETS + b"\x90\x00")),
    "acr1552u": ccid.encode(ccid.Message(0x80, seq=_SEQ, data=CARDS[0][::-1] + b"\x90\x00")),
}
ASKED = {
    "acr122u": ccid.encode(ccid.Message(ccid.Ask.TRANSFER, seq=_SEQ, data=apdu.direct(chip.LIST_TYPE_A))),
    "acr1552u": ccid.encode(ccid.Message(ccid.Ask.TRANSFER, seq=_SEQ, data=apdu.GET_UID)),
}


def parts_of_tags() -> set[bytes]:
    """Every three bytes of a card's own number, both ways round, and their digits."""
    own = [raw for uid in (*CARDS, *SEVEN) for raw in (uid[-6:], uid[-6:][::-1])]
    parts = {raw[at : at + TELLING] for raw in own for at in range(len(raw) - TELLING + 1)}
    return parts | {part.hex().upper().encode() for part in parts}


PARTS = parts_of_tags()


def kept(name: str, chunks: list[bytes], asked: bytes = b"") -> bytes:
    """What a capture has of these readings."""
    driver = name.partition(" ")[0]
    rng = Random(1)
    family = family_of(driver, Pseudonyms(rng.randbytes), SimpleNamespace(last_first=True))
    assert family is not None
    family.asked(asked)
    masked: Masked | InReports = Masked(family, 15_000)
    if name == "r321 in reports":
        masked = InReports(masked)
    pieces = [piece for number, chunk in enumerate(chunks) for piece in masked.came(number * 1000, chunk)]
    pieces += masked.rest()
    assert [len(piece.data) for piece in pieces] == list(map(len, chunks))
    return b"".join(piece.data for piece in pieces)


def leaks(data: bytes) -> list[bytes]:
    return [part for part in PARTS if part in data]


def spoilt(whole: bytes) -> Iterator[bytes]:
    """The answer cut short at either end, with each byte lost, and with each byte turned into another."""
    for at in range(1, len(whole)):
        yield whole[:at]
        yield whole[at:]
        yield whole[:at] + whole[at + 1 :]
        yield whole[:at] + bytes((whole[at] ^ 0x41,)) + whole[at + 1 :]


@pytest.fixture(params=LISTS)
def name(request: pytest.FixtureRequest) -> str:
    """Each wire in turn."""
    text: str = request.param
    return text


def test_the_whole_answer_is_kept_with_other_numbers(name: str) -> None:
    whole = LISTS[name]
    data = kept(name, [whole], ASKED.get(name, b""))
    assert (len(data), leaks(data), data == whole) == (len(whole), [], False)
    assert leaks(whole)


def test_no_part_of_a_tag_is_kept_of_a_spoilt_one(name: str) -> None:
    whole = LISTS[name]
    for one in spoilt(whole):
        data = kept(name, [one + whole], ASKED.get(name, b""))
        assert leaks(data) == [], one.hex()


def test_nor_byte_by_byte(name: str) -> None:
    whole = LISTS[name]
    assert leaks(kept(name, [bytes((byte,)) for byte in whole * 2], ASKED.get(name, b""))) == []


@pytest.mark.parametrize("driver", ["acr122u", "acr1552u"])
def test_an_answer_to_another_question_or_to_none_keeps_its_length_alone(driver: str) -> None:
    for asked in (b"", ccid.encode(ccid.Message(ccid.Ask.TRANSFER, seq=_SEQ, data=apdu.ACR122_FIRMWARE))):
        data = kept(driver, [LISTS[driver]], asked)
        assert (leaks(data), len(data)) == ([], len(LISTS[driver]))


def test_an_answer_with_a_tag_where_the_page_has_none_keeps_its_length_alone() -> None:
    for command in (0x10, 0x33, 0xA0, 0xB0, 0xFE):
        answer = feig.encode(feig.Frame(0, command, b"\x95" + b"".join(CARDS)))
        assert leaks(kept("feig", [answer])) == []
    for code in (0x41, 0x4B, 0x8D, 0xFF):
        answer = pn532.encode(pn532.Frame(pn532.CHIP, bytes((code,)) + b"".join(SEVEN)))
        assert leaks(kept("pn532", [answer])) == []


def test_what_lies_behind_a_reports_own_bytes_is_not_kept() -> None:
    """A buffer that is not cleared has the answer before in it."""
    whole = reports(LISTS["r321"])
    stale = whole[0][:1] + whole[0][1 : 1 + whole[0][0]] + (CARDS[0] * 8)[: 63 - whole[0][0]]
    data = kept("r321 in reports", [stale])
    assert (len(data), leaks(data)) == (64, [])


def test_a_report_that_is_none_is_counted_and_not_kept() -> None:
    data = kept("r321 in reports", [bytes((200,)) + CARDS[0] * 7 + bytes(7), reports(LISTS["r321"])[0][:40]])
    assert leaks(data) == []


@pytest.mark.parametrize("uid", [*CARDS, *SEVEN, bytes.fromhex("1FA2B3C4"), bytes(range(1, 11))], ids=bytes.hex)
def test_a_pseudonym_is_as_long_the_same_each_time_and_another_for_another(uid: bytes) -> None:
    names = Pseudonyms(Random(3).randbytes)
    first = names.of(uid)
    assert (len(first), names.of(uid), first != uid) == (len(uid), first, True)
    assert names.of(bytes((*uid[:-1], uid[-1] ^ 1))) != first
    assert names.of(uid[::-1], last_first=True) == (first[::-1] if len(uid) == 8 else names.of(uid[::-1]))
