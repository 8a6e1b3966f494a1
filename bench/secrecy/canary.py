"""Marked tags and marked faces: after many hands every output is searched for them.

A face may be nowhere. A tag may be in the deck file and on the readers' own cables. A token may be in the journal, and
on no channel that anybody reads while a hand is open.
"""

import re
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from bench.secrecy.channels import Said, is_live
from dealerbox.enrolment.faces import FACES, named
from dealerbox.journal.record import BLOCK, MAGIC, BadRecord, blocks_of, decode
from dealerbox.model.cards import Token, Uid

MARK: Final = "canary ace of spades"
"""Stands sealed in the deck files in place of faces, for anybody who would read it there."""


SHORT: Final = 256
MOST_KNOWN: Final = 20_000

Marked = tuple[list[bytes], list[bytes], list[bytes]]
"""Faces, tags, tokens."""


class Finding(msgspec.Struct, frozen=True):
    """Something is where it may not be."""

    what: str
    """face, tag, token; standstill: nothing more could be searched."""
    where: str
    shown: str


_APART: Final = re.compile(rb"[:\- ]")
_SHORT: Final = re.compile(rb"(?<![\w+/=-])[2-9TJQKA][shdc](?![\w+/=-])")
_NUMBER: Final = re.compile(rb"(?<![\w.-])[1-9]\d{3}(?![\w.])")
_COUNTER: Final = re.compile(rb"(?<=[:,\[])-?\d+(?=[,}\]])")
"""A number of JSON that stands by itself."""
_PRINTABLE: Final = re.compile(rb"[ -~]{6,}")
_LONG: Final = re.compile(rb"\w+ of \w+")


class Marks:
    """What to look for: faces and tags in any spelling, tokens as numbers.

    The tags are of eight bytes and begin alike, so that a search is quick. ValueError when they do not.
    """

    def __init__(self, uids: Iterable[Uid], tokens: Iterable[Token]) -> None:
        self._raw = {bytes.fromhex(uid) for uid in uids}
        starts = {raw[:3] for raw in self._raw}
        if len(starts) != 1 or {len(raw) for raw in self._raw} != {8}:
            raise ValueError("tags of eight bytes that begin alike are looked for")
        (self._start,) = starts
        self._names = {named(face).encode() for face in FACES}
        self._marks = [MARK.encode(), *(b64encode(MARK.encode()[at:])[:20] for at in range(3))]
        self._tokens = {str(token).encode() for token in tokens}

    def in_all(self, data: bytes, *, counts: bool) -> Marked:
        """Return faces, tags and tokens in these bytes; `counts`: its own numbers are counters."""
        return self.faces_in(data), self.tags_in(data), self.tokens_in(uncounted(data) if counts else data)

    def faces_in(self, data: bytes) -> list[bytes]:
        """Return every face in these bytes; those of two letters (`As`) where the bytes are text."""
        found = [mark for mark in self._marks if mark in data]
        if b" of " in data:
            found += [words for words in _LONG.findall(data) if words.lower() in self._names]
        return found + (_SHORT.findall(data) if _is_text(data) else [])

    def tags_in(self, data: bytes) -> list[bytes]:
        """Return every tag in these bytes, each way round: as it is, in hex however it is parted, in base64."""
        found = _cut_out(data, self._start, 8)
        if _is_text(data):
            plain = _APART.sub(b"", data).lower()
            found += [_from_hex(each) for each in _cut_out(plain, self._start.hex().encode(), 16)]
            found += [_from_base64(each) for each in _cut_out(data, b64encode(self._start), 11)]
        return [each for each in found if each in self._raw or each[::-1] in self._raw]

    def tokens_in(self, data: bytes) -> list[bytes]:
        """Return every token in these bytes, if they are text."""
        return [each for each in _NUMBER.findall(data) if each in self._tokens] if _is_text(data) else []


def uncounted(data: bytes) -> bytes:
    """Return what gauges say without their counters, of which some are always like a token.

    That no counter depends on a card is shown byte for byte (bench/secrecy/same.py).
    """
    return _COUNTER.sub(b"0", data)


class Search:
    """Hears every channel and keeps what it finds."""

    def __init__(self, marks: Marks) -> None:
        self._marks = marks
        self._known: dict[tuple[bytes, bool], Marked] = {}
        """What was found in short things said: readers are asked and answer the same again and again."""
        self.found: list[Finding] = []
        self.bytes = Counter[str]()
        """Searched, by channel."""
        self.tags_heard = 0
        """Tags on the readers' cables: what was searched for is there."""
        self.tokens_kept = 0
        """Tokens in the journal and its log."""

    def heard(self, said: Said) -> None:
        """Search what a channel says."""
        self.bytes[said.channel] += len(said.data)
        live = is_live(said.channel)
        faces, tags, tokens = self._marked(said.data, counts=_counts(said))
        self._note("face", said.channel, faces)
        if said.channel.startswith("heard from"):
            self.tags_heard += len(tags)
            return
        self._note("tag", said.channel, tags)
        if live and said.in_hand:
            self._note("token", said.channel, tokens)
        self.tokens_kept += 0 if live else len(tokens)

    def _marked(self, data: bytes, *, counts: bool) -> Marked:
        found = self._known.get((data, counts))
        if found is None:
            found = self._marks.in_all(data.rstrip(b"\0"), counts=counts)
            if len(data) <= SHORT and len(self._known) < MOST_KNOWN:
                self._known[(data, counts)] = found
        return found

    def add(self, other: "Search") -> None:
        """Take what another search has found."""
        self.found += other.found
        self.bytes += other.bytes
        self.tags_heard += other.tags_heard
        self.tokens_kept += other.tokens_kept

    def file(self, where: str, data: bytes, *, tokens: bool) -> None:
        """Search a file or an answer; `tokens`: they may stand in it."""
        self.bytes[where] += len(data)
        self._note("tag", where, self._marks.tags_in(data))
        text = data if _is_text(data) else b"\n".join(_texts(data))
        self._note("face", where, self._marks.faces_in(text))
        self._note("tag", where, self._marks.tags_in(text))
        found = self._marks.tokens_in(text)
        if tokens:
            self.tokens_kept += len(found)
        else:
            self._note("token", where, found)

    def _note(self, what: str, where: str, found: list[bytes]) -> None:
        self.found += [Finding(what, where, each.decode("latin-1")) for each in found[:3]]


def _texts(data: bytes) -> Iterator[bytes]:
    """Yield what may be read in bytes that are no text; of a journal what its records hold, each by itself.

    The checks beside it may spell anything: in some hundred records one of them is like a face of two letters.
    """
    at = 0
    while data[at : at + len(MAGIC)] == MAGIC:
        length = blocks_of(data[at : at + BLOCK]) * BLOCK
        record = decode(data[at : at + length])
        if isinstance(record, BadRecord):
            break
        yield record[0].payload
        at += length
    yield from _PRINTABLE.findall(data[at:])


def _counts(said: Said) -> bool:
    return said.channel.endswith('"gauges"}')


def _cut_out(data: bytes, start: bytes, length: int) -> list[bytes]:
    """Return what begins with `start`, and what ends with it turned round, so many bytes each."""
    end = bytes.fromhex(start.decode())[::-1].hex().encode() if length == 16 else start[::-1]
    found = [data[at.start() : at.start() + length] for at in re.finditer(re.escape(start), data)]
    return found + [data[max(0, at.end() - length) : at.end()] for at in re.finditer(re.escape(end), data)]


def _from_hex(text: bytes) -> bytes:
    try:
        return bytes.fromhex(text.decode())
    except ValueError:
        return b""


def _from_base64(text: bytes) -> bytes:
    try:
        return b64decode(text + b"=")
    except ValueError:
        return b""


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in data.rstrip(b"\0")
