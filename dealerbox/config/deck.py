"""Deck files: which tags a deck has, never which face a tag is glued to."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from dealerbox.config.tables import Place, convert
from dealerbox.model.cards import DECK_SIZE, Uid
from dealerbox.model.setup import DeckInfo


class Technology(StrEnum):
    """How a tag and a reader speak to each other."""

    ISO15693 = "iso15693"
    ISO14443A = "iso14443a"


MOST_DECKS: Final = 9
"""Slots 1..9: the thousands of a token."""

MOST_JOKERS: Final = 8


class Deck(msgspec.Struct, frozen=True, kw_only=True):
    """An enrolled deck as its file has it."""

    name: Annotated[str, Meta(min_length=1)]
    back: Annotated[str, Meta(min_length=1)]
    """Colour and markings of the backs, in words; the decks of a table differ (1804B(6))."""
    technology: Technology
    slot: Annotated[int, Meta(ge=0, le=MOST_DECKS)] = 0
    """1..9; 0: its place in the list of the table's decks."""
    tags: tuple[str, ...]
    """52 canonical uids in ascending order, so that their order says nothing about faces."""
    jokers: tuple[str, ...] = ()
    cut_card: str = ""
    numbers: tuple[int, ...] = ()
    """The number 1..52 of each tag, dealt at random by enrolment; (): it was not enrolled by number."""
    retired: str = ""
    """When and why the deck was taken out for good; '': it may be played."""

    def info(self) -> DeckInfo:
        """Return what the engine may know of this deck."""
        return DeckInfo(
            slot=self.slot,
            name=self.name,
            back=self.back,
            jokers=len(self.jokers),
            cut_card=bool(self.cut_card),
            cards=len(self.tags),
            mark=hashlib.sha256("\n".join(sorted(self.tags)).encode()).hexdigest(),
        )

    def uids(self) -> tuple[Uid, ...]:
        """Return the uids of the 52 cards."""
        return tuple(map(Uid, self.tags))

    def labels(self) -> Iterator[tuple[str, str]]:
        """Yield every uid of the deck with the key it stands under."""
        yield from (("tags", uid) for uid in self.tags)
        yield from (("jokers", uid) for uid in self.jokers)
        if self.cut_card:
            yield "cut_card", self.cut_card


SEALED: Final = "sealed"
"""The key of the faces, sealed to the director's key: nothing of the station reads what stands there (P4)."""

_SEALED_LINE: Final = re.compile(rb"^sealed[ \t]*=.*$", re.MULTILINE)


def unsealed_bytes(data: bytes) -> bytes:
    """Return a deck file without its sealed line: what two files of one deck with other faces have in common."""
    return _SEALED_LINE.sub(b"", data)


def deck_of(raw: Mapping[str, Any], at: Place, faults: list[str]) -> Deck | None:
    """Return the deck of a file's tables, or None with a sentence in `faults` for each thing wrong.

    `tags` is a list, or as enrolment writes it a table of tag = number. The sealed faces are left alone.
    """
    tags = raw.get("tags")
    if isinstance(tags, dict):
        raw = {**raw, "tags": list(tags), "numbers": list(tags.values())}
    return convert(raw, Deck, at, faults, known=(SEALED,))


def deck_faults(deck: Deck, at: Place) -> list[str]:
    """Return a sentence for each thing wrong with one deck by itself (1804A(1): a complete deck of 52; 1802(18))."""
    faults = []
    if len(deck.tags) != DECK_SIZE:
        faults.append(
            (at / "tags").says(f"{len(deck.tags)} tags; allowed: exactly {DECK_SIZE}, one for each card (1804A(1))")
        )
    if len(deck.jokers) > MOST_JOKERS:
        faults.append((at / "jokers").says(f"{len(deck.jokers)} jokers; allowed: at most {MOST_JOKERS}"))
    seen: dict[str, str] = {}
    for key, uid in deck.labels():
        why = _uid_fault(uid, deck.technology)
        if why:
            faults.append((at / key).says(f"'{uid}' {why}"))
        elif uid in seen:
            where = "twice" if key == seen[uid] else f"under {seen[uid]} too"
            faults.append((at / key).says(f"'{uid}' is there {where}; allowed: every tag once"))
        seen.setdefault(uid, key)
    if not faults and list(deck.tags) != sorted(deck.tags):
        faults.append((at / "tags").says("not in ascending order; sort them, so that their order hides the faces"))
    if deck.numbers and sorted(deck.numbers) != list(range(1, len(deck.tags) + 1)):
        faults.append((at / "tags").says(f"not numbered 1 to {len(deck.tags)}, each once; enrol the deck anew"))
    if deck.retired:
        faults.append((at / "retired").says(f"{deck.retired}; take the deck out of the table's list, name another"))
    return faults


def deck_set_faults(decks: Sequence[tuple[Deck, Place]]) -> list[str]:
    """Return a sentence for each way in which the decks of one table cannot lie there together (1804B(6))."""
    faults = []
    uids: dict[str, str] = {}
    firsts: dict[tuple[str, object], str] = {}
    for deck, at in decks:
        for key, value, why in (
            ("back", " ".join(deck.back.casefold().split()), "the backs of a table's decks must differ (1804B(6))"),
            ("name", deck.name, "give each deck a name of its own"),
            ("slot", deck.slot, "give each deck a slot of its own"),
        ):
            other = firsts.setdefault((key, value), at.file)
            if other != at.file:
                faults.append((at / key).says(f"the same as in {other} ({value}); {why}"))
        if deck.technology is not decks[0][0].technology:
            faults.append(
                (at / "technology").says(
                    f"{deck.technology}, but {decks[0][1].file} is {decks[0][0].technology}; "
                    "allowed: one technology for all decks of a table"
                )
            )
        for key, uid in deck.labels():
            other = uids.setdefault(uid, at.file)
            if other != at.file:
                faults.append((at / key).says(f"'{uid}' is in {other} too; a tag belongs to one deck"))
    return faults


_LENGTHS: Final = {Technology.ISO15693: (16,), Technology.ISO14443A: (8, 14, 20)}


def _uid_fault(uid: str, technology: Technology) -> str:
    """Return what keeps `uid` from being a canonical uid of a card's tag; '' if nothing does."""
    if not re.fullmatch("[0-9A-Fa-f]+", uid):
        return "is no uid; allowed: hex digits without separators"
    lengths = _LENGTHS[technology]
    if len(uid) not in lengths:
        return f"has {len(uid)} digits; allowed for {technology}: {' or '.join(map(str, lengths))}"
    if uid != uid.upper():
        return f"is not canonical; allowed: upper case, '{uid.upper()}'"
    if technology is Technology.ISO15693:
        turned = bytes.fromhex(uid)[::-1].hex().upper()
        if not uid.startswith("E0"):
            hint = f"; the bytes are turned round: '{turned}'" if turned.startswith("E0") else ""
            return f"is no {technology} uid; allowed: most significant byte first, which is E0{hint}"
        return ""
    if len(uid) == 8 and uid.startswith("08"):
        return "is a random uid, another at every read; allowed: tags with a fixed uid"
    if uid.startswith("88"):
        return "begins with the cascade tag 88; allowed: the uid without it"
    return ""
