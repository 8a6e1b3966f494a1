"""Looks through a finished bundle for what may be in none: a tag, a face, a key, in whatever spelling.

Known tags and keys are looked for as bytes, in hex however it is parted, in base64 and as numbers, each both ways
round. Of tags that nobody has enrolled the shape is looked for. A finding says where, and never shows what.
"""

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from dealerbox.diagnostics.captures.explained import explained
from dealerbox.diagnostics.captures.file import Capture, of_lines
from dealerbox.diagnostics.captures.pseudonyms import is_pseudonym
from dealerbox.ports import DealerboxError

SHORT: Final = 4
"""Bytes of the shortest tag: in so few digits anything may look like it, so it must stand alone."""
ALIKE: Final = 5
"""Bytes with which needles of a group begin or end."""
CAPTURES: Final = "captures/"

_APART: Final = re.compile(rb"(?:0x|\\x|[:\-_\s,;.%])+", re.IGNORECASE)
_DIGIT: Final = rb"0-9A-Fa-f"
_ALONE: Final = re.compile(
    rb"(?<![%b])(?:E0(?!FF)[%b]{14}|(?!FF)[%b]{14}E0)(?![%b])" % (_DIGIT, _DIGIT, _DIGIT, _DIGIT), re.IGNORECASE
)
"""An ISO15693 uid, either way round, that is no pseudonym."""
_PARTED: Final = re.compile(rb"(?<![%b:])(?:[%b]{2}[:\- ]){6,9}[%b]{2}(?![%b:])" % ((_DIGIT,) * 4))
"""Seven to ten bytes with something between."""
_RANK: Final = rb"(?:ace|two|three|four|five|six|seven|eight|nine|ten|jack|queen|king|[2-9]|10)"
_NAMED: Final = re.compile(rb"\b%b\s+of\s+(?:spades?|hearts?|diamonds?|clubs?)\b" % _RANK, re.IGNORECASE)
_SIGN: Final = b"|".join(sign.encode() for sign in "\u2660\u2661\u2662\u2663\u2664\u2665\u2666\u2667")
_SIGNED: Final = re.compile(rb"(?:[2-9TJQKA]|10)(?:%b)|(?:%b)(?:[2-9TJQKA]|10)" % (_SIGN, _SIGN))
_FACE: Final = rb"(?:[2-9TJQKA]|10)[shdc]"
_LETTERS: Final = re.compile(rb'"%b"|(?<![\w.])(?:%b[ ,]+)+%b(?![\w.])' % (_FACE, _FACE, _FACE))
_KEYS: Final = re.compile(
    rb"AGE-SECRET-KEY-|-----BEGIN|age-encryption\.org/v1|YWdlLWVuY3J5cHRpb24ub3Jn"
    rb"|^\s*sealed\s*=\s*\"[^\"]",
    re.MULTILINE,
)
_WIRE: Final = re.compile(rb"\"(?:in|out|bytes)\":\"[0-9a-f]*\"")


class Finding(msgspec.Struct, frozen=True):
    """Something that may not be there."""

    member: str
    line: int
    """From 1; 0: in what is no text."""
    what: str


class Secrets(msgspec.Struct, frozen=True):
    """What is known and may not leave."""

    uids: tuple[str, ...] = ()
    keys: tuple[bytes, ...] = ()


def examined(contents: Mapping[str, bytes], secrets: Secrets) -> list[Finding]:
    """Return everything that may not be there, by name first."""
    needles = [(what, *each) for what, raw, short in _known(secrets) for each in _spelled(raw, short=short)]
    groups = _grouped(needles)
    return [finding for name, data in contents.items() for finding in _in_member(name, data, groups)]


def names_a_face(data: bytes) -> bool:
    """Tell whether these words name a card's face."""
    return any(pattern.search(data) for pattern in (_NAMED, _SIGNED, _LETTERS))


def _known(secrets: Secrets) -> Iterator[tuple[str, bytes, bool]]:
    for uid in secrets.uids:
        raw = bytes.fromhex(uid)
        yield "a tag of this table", raw, len(raw) <= SHORT
    for key in secrets.keys:
        yield "a key of this station", key, False


_Needle = tuple[str, str, bytes, bool]
"""What it is, in which reading of the data it is looked for, the bytes, whether they must stand alone."""


def _spelled(raw: bytes, *, short: bool) -> Iterator[tuple[str, bytes, bool]]:
    for way in {raw, raw[::-1]}:
        if not short:
            yield "bytes", way, False
        yield "plain", way.hex().encode(), short
        for text in (way, way.hex().encode(), way.hex().upper().encode()):
            if len(text) > SHORT:
                yield from (("base64", part, False) for part in _in_base64(text))
        yield "text", str(int.from_bytes(way, "big")).encode(), True


def _in_base64(raw: bytes) -> Iterator[bytes]:
    """Yield what these bytes are in base64, wherever they begin in what was written so."""
    for before in range(3):
        whole = b64encode(bytes(before) + raw + bytes(-(before + len(raw)) % 3))
        first = -(-before * 8 // 6)
        last = (before + len(raw)) * 8 // 6
        yield whole[first:last]


_Groups = Mapping[tuple[str, bytes], list[_Needle]]
"""By reading and what its needles begin or end with."""


def _grouped(needles: Iterable[_Needle]) -> _Groups:
    """Put needles together that begin or end alike, as the tags of a deck do: where that is not, none of them is."""
    every = list(dict.fromkeys(needles))
    ends = Counter((reading, end) for _, reading, needle, _ in every for end in {needle[:ALIKE], needle[-ALIKE:]})
    groups: dict[tuple[str, bytes], list[_Needle]] = {}
    for one in every:
        _, reading, needle, _ = one
        first, last = (reading, needle[:ALIKE]), (reading, needle[-ALIKE:])
        groups.setdefault(first if ends[first] >= ends[last] else last, []).append(one)
    return groups


def _in_member(name: str, data: bytes, groups: _Groups) -> Iterator[Finding]:
    text = _WIRE.sub(b'""', data) if name.startswith(CAPTURES) else data
    readings = {
        "bytes": data,
        "text": text,
        "plain": _APART.sub(b"", data).lower(),
        "base64": data.replace(b"-", b"+").replace(b"_", b"/").replace(b"\n", b""),
    }
    for (reading, end), needles in groups.items():
        for what, _, needle, must_stand_alone in needles if end in readings[reading] else ():
            if must_stand_alone:
                at = _standing_alone(data, needle)
                if at >= 0:
                    yield Finding(name, _line(data, at), what)
            elif needle in readings[reading]:
                yield Finding(name, _line_of(data, reading, needle), what)
    for what, pattern in (("what looks like a tag", _ALONE), ("what looks like a tag", _PARTED), ("a key", _KEYS)):
        yield from (Finding(name, _line(text, found.start()), what) for found in pattern.finditer(text))
    for pattern in (_NAMED, _SIGNED, _LETTERS):
        yield from (Finding(name, _line(text, found.start()), "a face") for found in pattern.finditer(text))
    if name.startswith(CAPTURES):
        yield from _in_capture(name, data)


def _standing_alone(data: bytes, needle: bytes) -> int:
    """Return where these hex or decimal digits stand, parted or not, and no other beside them; -1: nowhere."""
    pairs = [needle[at : at + 2] for at in range(0, len(needle), 2)]
    found = re.search(rb"(?<![0-9a-z])" + rb"[:\-_ ]?".join(pairs) + rb"(?![0-9a-z])", data, re.IGNORECASE)
    return found.start() if found else -1


def _line(data: bytes, at: int) -> int:
    return data.count(b"\n", 0, at) + 1


def _line_of(data: bytes, reading: str, needle: bytes) -> int:
    """Return the line in which it is found in that reading; 0: it goes over several, or the data has no lines."""
    for number, line in enumerate(data.split(b"\n"), 1):
        if needle in (_APART.sub(b"", line).lower() if reading == "plain" else line):
            return number
    return 0


_UID: Final = re.compile(r"\b(?:[0-9A-F]{20}|[0-9A-F]{16}|[0-9A-F]{14}|[0-9A-F]{8})\b")


_NAMES_TAGS: Final = re.compile(r"\btags?: |\buids? ")


def _in_capture(name: str, data: bytes) -> Iterator[Finding]:
    """Read a capture's frames: every tag in them must be a pseudonym."""
    try:
        capture: Capture = of_lines(data.splitlines(keepends=True), name)
        if not capture.header.is_masked:
            yield Finding(name, 1, "a capture with tags as they were read")
        for one in explained(capture):
            named = _NAMES_TAGS.search(one.says)
            if named and any(not is_pseudonym(uid) for uid in _UID.findall(one.says, named.end())):
                yield Finding(name, 0, f"at {one.us} us a tag that is no pseudonym")
                return
    except DealerboxError as error:
        yield Finding(name, 0, f"a capture that cannot be read: {error}")
