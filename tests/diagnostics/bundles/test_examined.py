"""A tag, a face or a key is found in a bundle in whatever spelling it was planted; what is none is let through."""

from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path

import pytest

from dealerbox.diagnostics.bundles.examined import Secrets, examined

UID = "E0040150A05F3C7B"
RAW = bytes.fromhex(UID)
SHORT = "1FA2B3C4"
KEY = bytes(range(3, 35))
SECRETS = Secrets((UID, "04A1B2C3D4E5F6", SHORT), (KEY,))
CAPTURES = Path(__file__).parents[2] / "captures"


def found(data: bytes, name: str = "x.txt", secrets: Secrets = SECRETS) -> list[str]:
    return [one.what for one in examined({name: b"first line\n" + data + b"\nlast"}, secrets)]


SPELLED: dict[str, Callable[[bytes], bytes]] = {
    "upper": lambda raw: raw.hex().upper().encode(),
    "lower": lambda raw: raw.hex().encode(),
    "as a number with 0x": lambda raw: b"0x" + raw.hex().encode(),
    "colons": lambda raw: raw.hex(":").upper().encode(),
    "dashes": lambda raw: raw.hex("-").encode(),
    "spaces": lambda raw: raw.hex(" ").encode(),
    "lines": lambda raw: raw.hex("\n").encode(),
    "list in C": lambda raw: ", ".join(f"0x{byte:02X}" for byte in raw).encode(),
    "escaped": lambda raw: "".join(f"\\x{byte:02x}" for byte in raw).encode(),
    "in an address": lambda raw: "".join(f"%{byte:02X}" for byte in raw).encode(),
    "reversed": lambda raw: raw[::-1].hex().upper().encode(),
    "reversed with colons": lambda raw: raw[::-1].hex(":").encode(),
    "bytes": lambda raw: raw,
    "reversed bytes": lambda raw: raw[::-1],
    "within a frame": lambda raw: b"0eff6503" + raw.hex().encode() + b"ab12",
    "base64": b64encode,
    "base64 of more, begun one byte sooner": lambda raw: b64encode(b"a" + raw + b"zzzz"),
    "base64 of more, begun two bytes sooner": lambda raw: b64encode(b"ab" + raw + b"zzzz"),
    "base64 of the reversed": lambda raw: b64encode(raw[::-1]),
    "base64 for addresses": urlsafe_b64encode,
    "base64 of the text": lambda raw: b64encode(b"uid " + raw.hex().upper().encode()),
    "base64 of the text in lower case": lambda raw: b64encode(raw.hex().encode()),
    "decimal": lambda raw: str(int.from_bytes(raw, "big")).encode(),
    "decimal of the reversed": lambda raw: str(int.from_bytes(raw, "little")).encode(),
}


@pytest.mark.parametrize("spelling", SPELLED)
def test_a_tag_of_the_table_is_found_however_it_is_spelled(spelling: str) -> None:
    assert "a tag of this table" in found(b"tag " + SPELLED[spelling](RAW) + b" .")


@pytest.mark.parametrize("spelling", SPELLED)
def test_a_key_of_the_station_is_found_however_it_is_spelled(spelling: str) -> None:
    assert "a key of this station" in found(b"key " + SPELLED[spelling](KEY) + b" .")


def test_a_tag_is_found_in_what_is_no_text_and_in_the_manifest() -> None:
    assert "a tag of this table" in found(b"\x00\xff" + RAW + b"\x00")
    finding = examined({"bundle.json": b'{\n"left_out": {"' + UID.encode() + b'": ""}}'}, SECRETS)[0]
    assert (finding.member, finding.line) == ("bundle.json", 2)


def test_a_short_tag_must_stand_alone() -> None:
    assert "a tag of this table" in found(SHORT.encode())
    assert "a tag of this table" in found(b"1f:a2:b3:c4")
    assert found(b"00" + SHORT.encode() + b"77") == []


@pytest.mark.parametrize("shape", ["E004015099887766", "e004015099887766", "6677889950010 4E0".replace(" ", "")])
def test_a_tag_that_nobody_enrolled_is_known_by_its_shape(shape: str) -> None:
    assert found(shape.encode()) == ["what looks like a tag"]


def test_seven_bytes_with_colons_look_like_a_tag() -> None:
    assert found(b"04:99:88:77:66:55:44") == ["what looks like a tag"]


@pytest.mark.parametrize(
    "words",
    ['"As"', "the Ace of Spades", "TEN OF HEARTS", "Ah Kd", "2c,3c,4c", "10\N{BLACK HEART SUIT}", "queen  of\nclubs",
     "\N{BLACK SPADE SUIT}A"],
)  # fmt: skip
def test_a_face_is_found(words: str) -> None:
    assert found(words.encode()) == ["a face"]


@pytest.mark.parametrize(
    "words",
    [
        "AGE-SECRET-KEY-1QQPQQQ",
        "-----BEGIN OPENSSH PRIVATE KEY-----",
        'sealed = "YWdl"',
        "YWdlLWVuY3J5cHRpb24ub3JnL3Yx",
    ],
)
def test_keys_and_sealed_faces_of_anybody_are_found(words: str) -> None:
    assert found(words.encode())[0] == "a key"


@pytest.mark.parametrize(
    "words",
    [
        "sha256 e0b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b1",
        "a pseudonym E0FFA6BC6E90950E, another FF15D782F67379",
        '"took 3s" and 2d ago, the As of now; 5h',
        "boot 3f2a7c1e-9b4d-4f6a-8e2c-1a2b3c4d5e6f",
        "12:30:45 2026-11-30",
        "three of the decks",
    ],
)
def test_what_is_none_is_let_through(words: str) -> None:
    assert found(words.encode()) == []


@pytest.mark.parametrize("file", sorted(CAPTURES.glob("*.capture")), ids=lambda file: file.stem)
def test_a_capture_by_pseudonyms_is_let_through(file: Path) -> None:
    assert examined({f"captures/{file.name}": file.read_bytes()}, SECRETS) == []


def test_a_tag_in_a_captures_frame_is_found_enrolled_or_not() -> None:
    data = (CAPTURES / "feig-two-seats.capture").read_bytes()
    first = data.index(b"e0ff")
    pseudonym = data[first : first + 16]
    for uid, enrolled in ((UID.lower().encode(), True), (b"e004000011223344", False)):
        planted = data.replace(pseudonym, uid).replace(pseudonym.upper(), uid.upper())
        what = {one.what for one in examined({"captures/c": planted}, SECRETS)}
        assert ("a tag of this table" in what) is enrolled
        assert "what looks like a tag" in what
