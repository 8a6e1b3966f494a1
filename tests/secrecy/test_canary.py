"""Marked tags, faces and tokens are searched for on every channel, and are where they may be alone (P4)."""

from base64 import b64encode
from typing import Any

import pytest

from bench.secrecy import quick
from bench.secrecy.canary import MARK, Search
from bench.secrecy.channels import Said, Taps
from bench.secrecy.process import sealed_line
from bench.secrecy.searched import marks
from dealerbox.journal.record import NO_HASH, ClockQuality, Record, RecordKind, Stamp, encode
from dealerbox.simulate.pack import tag

TAG = tag(1, 7)


@pytest.fixture(scope="module")
def looked_for() -> Any:
    return marks()


def test_twenty_hands_leave_no_face_no_tag_and_no_token_where_they_may_not_be(looked_for: Any) -> None:
    search = Search(looked_for)
    assert quick.evenings("suite", 20, Taps(search.heard)) == 20
    assert search.found == []
    assert search.tokens_kept > 1_000


def test_tags_are_on_the_readers_cables_and_nowhere_else(looked_for: Any, wired_night: list[Said]) -> None:
    search = Search(looked_for)
    for each in wired_night:
        search.heard(each)
    assert search.found == []
    assert search.tags_heard > 100
    assert {"display", "lamp red", "buzzer", "said to shuffler", "said to mouth", "status line"} <= set(search.bytes)


def test_a_token_in_a_prompt_is_found(looked_for: Any, tells_tokens: Any) -> None:
    search = Search(looked_for)
    quick.evenings("suite", 1, Taps(search.heard), engine=tells_tokens)
    assert {(each.what, each.where) for each in search.found} == {
        ("token", "panel"),
        ("token", 'socket {"ask":"status"}'),
    }


def said(data: bytes, channel: str = "status line", *, in_hand: bool = True) -> Said:
    return Said(channel, 0, in_hand, data)


RAW = bytes.fromhex(TAG)


@pytest.mark.parametrize(
    "data",
    [
        b"tag " + TAG.encode(),
        b"tag " + TAG.lower().encode(),
        RAW.hex(":").encode(),
        RAW.hex("-").upper().encode(),
        RAW[::-1].hex().encode(),
        b"\x00\xff" + RAW + b"\x01",
        b"\xff" + RAW[::-1],
        b'"' + b64encode(RAW) + b'"',
    ],
)
def test_a_tag_is_found_however_it_is_written(looked_for: Any, data: bytes) -> None:
    search = Search(looked_for)
    search.heard(said(data))
    assert [each.what for each in search.found] == ["tag"]


@pytest.mark.parametrize(
    "data", [b"the Queen of hearts", b'{"face":"Qh"}', b"Td", MARK.encode(), sealed_line().encode()]
)
def test_a_face_is_found_however_it_is_written(looked_for: Any, data: bytes) -> None:
    search = Search(looked_for)
    search.file("standard error", data, tokens=False)
    assert {each.what for each in search.found} == {"face"}


def test_words_and_numbers_that_are_no_cards_are_not_found(looked_for: Any) -> None:
    search = Search(looked_for)
    search.heard(said(b'{"clause":"1804A(3)","why":"As a rule 2 of them","at_ns":100112345678,"cards":1053}'))
    assert [each.shown for each in search.found] == ["As"]  # the one word of English that is a card


def test_a_token_is_allowed_between_hands_and_in_the_journal(looked_for: Any) -> None:
    search = Search(looked_for)
    search.heard(said(b"1017", in_hand=False))
    search.heard(said(b'{"tokens":[1017]}', "log"))
    assert (search.found, search.tokens_kept) == ([], 1)
    search.heard(said(b"1017"))
    assert [each.what for each in search.found] == ["token"]


def journaled(payload: bytes, like: str) -> bytes:
    """A journal of one record whose check begins with these letters, which say nothing: the n-th that was tried."""
    for wall_us in range(1_000_000):
        stamp = Stamp(1, wall_us, ClockQuality.SYNCED)
        data, check = encode(Record(1, 0, RecordKind.EVENT, stamp, bytes(16), NO_HASH, payload))
        if check.startswith(like.encode()) and not chr(check[2]).isalnum():
            return data + bytes(4096)
    raise AssertionError("no such check")


def test_a_check_in_a_journal_that_is_spelt_like_a_face_is_none_and_a_face_in_a_record_is(looked_for: Any) -> None:
    search = Search(looked_for)
    search.file("a journal", journaled(b'{"event":"Tick","at_ns":1}', "Kh"), tokens=True)
    assert search.found == []
    search.file("a journal", journaled(b'{"event":"Tick","face":"Kh"}', "x"), tokens=True)
    assert [(each.what, each.shown) for each in search.found] == [("face", "Kh")]
