"""A capture holds no tag in any spelling, has every frame in its place, and plays into its driver again."""

import base64
from collections.abc import Callable
from typing import Any

import pytest

from dealerbox.diagnostics.captures.explained import explained
from dealerbox.diagnostics.captures.played import played
from dealerbox.diagnostics.captures.pseudonyms import is_pseudonym

Captured = Callable[..., Any]


def spellings(uid: str) -> list[bytes]:
    """A uid as it may stand in a file; its last bytes alone tell one card from another."""
    raw = bytes.fromhex(uid)
    apart = raw.hex(":")
    texts = [raw.hex(), raw[::-1].hex(), apart, apart.upper(), raw[-4:].hex(), raw[-4:][::-1].hex()]
    return [text.encode() for text in (*texts, uid, base64.b64encode(raw).decode())]


@pytest.mark.parametrize("loss", [0.0, 0.01])
def test_no_tag_is_in_it_on_a_good_line_and_on_a_bad_one(captured: Captured, kind: str, loss: float) -> None:
    session = captured(kind, loss=loss)
    text = b"".join(session.lines)
    assert [uid for uid in session.cards for one in spellings(uid) if one in text] == []


def test_the_search_finds_tags_that_a_director_wants_as_they_are(captured: Captured, kind: str) -> None:
    session = captured(kind, as_read_by="anna")
    text = b"".join(session.lines)
    found = [uid for uid in session.cards if any(one in text for one in spellings(uid))]
    assert session.cards[0] in found
    assert (session.capture.header.uids, session.capture.header.is_masked) == ("as read by anna", False)


def test_the_driver_told_the_same_tag_by_one_pseudonym_and_another_by_another(captured: Captured, kind: str) -> None:
    told = [entry.told for entry in captured(kind).capture.entries if entry.told]
    seen = [event["uids"] for event in told if event["event"] == "TagsSeen"]
    gone = [event["uids"] for event in told if event["event"] == "TagsGone"]
    assert gone[0] == seen[0]
    assert len({uid for uids in seen for uid in uids}) == (1 if kind == "acr1552u" else 2)
    assert all(is_pseudonym(uid) for uids in seen for uid in uids)


def test_a_capture_has_pseudonyms_of_its_own(captured: Captured) -> None:
    first, second = (captured("feig").capture for _ in range(2))
    tags = [
        {uid for entry in each.entries if entry.told for uid in entry.told.get("uids", ())} for each in (first, second)
    ]
    assert tags[0].isdisjoint(tags[1])


def test_a_capture_plays_into_its_driver_again(captured: Captured, kind: str) -> None:
    found = played(captured(kind).capture)
    assert (found.difference, found.told > 0, found.asked > 0) == ("", True, True)


@pytest.mark.parametrize("machine", ["shuffler-v1", "reshuffled"])
def test_a_machines_capture_is_as_it_was_and_plays_again(captured: Captured, machine: str) -> None:
    session = captured(machine)
    found = played(session.capture)
    assert (found.difference, found.asked > 0, found.told > 0) == ("", True, True)
    assert sum(entry.spoilt for entry in session.capture.entries) == 0


def test_what_a_bad_line_spoilt_is_counted_and_not_kept(captured: Captured) -> None:
    session = captured("feig", loss=0.01)
    spoilt = [entry for entry in session.capture.entries if entry.spoilt]
    assert spoilt
    assert sum(len(entry.came) // 2 for entry in session.capture.entries) == session.taken.bytes_in
    assert played(session.capture).difference == ""


def test_a_cable_pulled_and_put_back_is_in_it(captured: Captured) -> None:
    session = captured("pn532", cut_s=0.8)
    gone = [entry.gone for entry in session.capture.entries if entry.gone]
    assert gone == ["near: the line was closed at the other end"]
    assert sum(entry.open for entry in session.capture.entries) == 2
    assert played(session.capture).difference == ""


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("feig", "inventory: ok, 1 tag: E0FF"),
        ("pn532", "list passive target: 1 tag: FF"),
        ("r321", "inventory: 1 tag: E0FF"),
        ("acr122u", "done, card active: list passive target: 1 tag: FF"),
        ("acr1552u", "done, card active: uid E0FF"),
        ("feig", "hardware 44, reader_type 53"),
        ("shuffler-v1", "QUERY answered seq"),
        ("shuffler-v1", "vendor 1234, model 0001, serial A1B2C3D4, firmware 00010203"),
        ("reshuffled", "OK"),
    ],
)
def test_a_frame_is_explained_in_the_codecs_words(captured: Captured, kind: str, says: str) -> None:
    every = list(explained(captured(kind).capture))
    assert [one.says for one in every if one.way == "!"] == []
    words = "".join(f"{one.way} {one.says}\n" for one in every)
    assert says in words
