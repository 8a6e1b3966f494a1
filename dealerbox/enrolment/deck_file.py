"""Deck files as enrolment writes and reads them: the deck as the table may know it, and beside it the sealed faces."""

import binascii
import json
import os
import secrets
from base64 import b64decode, b64encode
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from dealerbox.config.deck import SEALED, Deck, Technology, deck_faults, deck_of
from dealerbox.config.tables import Place
from dealerbox.config.tables import read as read_tables
from dealerbox.enrolment.faces import CUT, FACES, JOKER
from dealerbox.enrolment.lists import Tagged
from dealerbox.enrolment.sealing import Faces, seal_fault, written
from dealerbox.model.cards import DECK_SIZE
from dealerbox.ports import DealerboxError

_HEAD = """\
# A deck of cards with RFID tags, written by `dealerbox deck enrol`. Which face a tag is glued to is sealed to the
# director's key; nothing of the station reads it. `dealerbox deck open` shows it, away from the table, and so does age:
#   sed -n 's/^sealed = "\\(.*\\)"$/\\1/p' FILE | base64 -d | age -d -i KEY
"""
_TAGS = """
# Each tag and its number, dealt at random; the station deals numbers of its own, anew at each hand.
[tags]
"""


class DeckFile(msgspec.Struct, frozen=True):
    """What a deck file holds."""

    deck: Deck
    sealed: bytes
    """The faces as an age file; b'': none."""


def enrolled(
    tagged: Sequence[Tagged], *, name: str, back: str, technology: Technology | None, slot: int
) -> tuple[Deck, Faces]:
    """Return the deck of these tags, numbered at random, and its faces. `technology` None: as the uids look.

    The tags must be a whole deck (`list_faults`). DealerboxError for a uid that no card's tag can have.
    """
    cards: dict[str, str] = {each.uid: each.face for each in tagged if each.face in FACES}
    numbers = list(range(1, DECK_SIZE + 1))
    secrets.SystemRandom().shuffle(numbers)
    looks = Technology.ISO15693 if all(len(uid) == 16 for uid in cards) else Technology.ISO14443A
    deck = Deck(
        name=name,
        back=back,
        technology=technology or looks,
        slot=slot,
        tags=tuple(sorted(cards)),
        numbers=tuple(numbers),
        jokers=tuple(sorted(each.uid for each in tagged if each.face == JOKER)),
        cut_card=next((each.uid for each in tagged if each.face == CUT), ""),
    )
    faults = deck_faults(deck, Place(name))
    if faults:
        raise DealerboxError("\n".join(faults))
    by_tag = {tag: (number, cards[tag]) for tag, number in zip(deck.tags, numbers, strict=True)}
    return deck, Faces(deck.info().mark, by_tag)


def text_of(file: DeckFile) -> str:
    """Return the TOML of a deck file."""
    deck = file.deck
    lines = [f"{key} = {_toml(getattr(deck, key))}" for key in ("name", "back", "technology")]
    lines += [
        f"{key} = {_toml(value)}" for key in ("slot", "jokers", "cut_card", "retired") if (value := getattr(deck, key))
    ]
    if file.sealed:
        lines.append(f"{SEALED} = {_toml(b64encode(file.sealed).decode())}")
    if not deck.numbers:
        return _HEAD + "\n".join([*lines, f"tags = {_toml(deck.tags)}", ""])
    numbered = [f"{tag} = {number}" for tag, number in zip(deck.tags, deck.numbers, strict=True)]
    return _HEAD + "\n".join([*lines, _TAGS.rstrip("\n"), *numbered, ""])


def read(path: Path) -> tuple[DeckFile | None, list[str]]:
    """Return what a deck file holds and a sentence for each thing wrong with it; OSError when it cannot be read."""
    name = str(path)
    answer = read_tables(path, name)
    if isinstance(answer, str):
        return None, [answer]
    faults: list[str] = []
    deck = deck_of(answer[0], Place(name), faults)
    if deck is None:
        return None, faults
    sealed = _sealed(answer[0].get(SEALED, ""))
    if sealed is None:
        return DeckFile(deck, b""), [Place(name, (SEALED,)).says("not what enrolment wrote; enrol the deck anew")]
    return DeckFile(deck, sealed), []


def file_faults(file: DeckFile, path: Path) -> list[str]:
    """Return a sentence for each thing wrong with a deck file as a file: others may read it, its seal is damaged."""
    at = Place(str(path))
    faults = deck_faults(file.deck, at)
    mode = path.stat().st_mode & 0o777
    if mode & 0o077:
        faults.append(at.says(f"others may read it (mode {mode:04o}); chmod 0600 it"))
    if not file.sealed:
        faults.append((at / SEALED).says("no faces are sealed in it; enrol the deck anew"))
    elif why := seal_fault(file.sealed, len(written(_example(file.deck)))):
        faults.append((at / SEALED).says(f"{why}; enrol the deck anew, or take its file from where it is kept"))
    return faults


def faces_faults(deck: Deck, faces: Faces, name: str) -> list[str]:
    """Return why opened faces are not those of this deck; [] when they are."""
    numbers = {tag: number for tag, (number, _) in faces.cards.items()}
    if faces.mark == deck.info().mark and numbers == dict(zip(deck.tags, deck.numbers, strict=True)):
        return []
    return [f"{name}: the sealed faces are of other tags or numbers; take the file from where it is kept"]


def write(path: Path, file: DeckFile, *, anew: bool) -> None:
    """Write a deck file whole or not at all, for its owner alone. FileExistsError when `anew` and it is there."""
    if anew and path.exists():
        raise FileExistsError(path)
    making = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(making, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        with open(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text_of(file))
            stream.flush()
            os.fsync(descriptor)
        if anew:
            os.link(making, path)
        else:
            _keep_owner(path, making)
            making.rename(path)
    finally:
        making.unlink(missing_ok=True)
    directory = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def retired(file: DeckFile, when: str, why: str) -> DeckFile:
    """Return the file of a deck that is taken out for good."""
    return replace(file, deck=replace(file.deck, retired=f"{when}: {why}"))


def _keep_owner(path: Path, making: Path) -> None:
    """A file that root rewrites stays the station's."""
    owner = path.stat()
    if (owner.st_uid, owner.st_gid) != (os.geteuid(), os.getegid()) and os.geteuid() == 0:
        os.chown(making, owner.st_uid, owner.st_gid)


def _example(deck: Deck) -> Faces:
    """Return faces as long as the deck's, whatever they are."""
    return Faces(deck.info().mark, dict.fromkeys(deck.tags, (1, FACES[0])))


def _sealed(value: object) -> bytes | None:
    if not isinstance(value, str):
        return None
    try:
        return b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return None


def _toml(value: object) -> str:
    """Return a value as TOML; JSON's strings, numbers and lists are TOML's too."""
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)
