"""A deck's tags with what is printed on their cards, as a maker lists them or a table reads them."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from dealerbox.enrolment.faces import CUT, FACES, JOKER, face_of, named
from dealerbox.model.cards import DECK_SIZE, Uid
from dealerbox.ports import DealerboxError

_HEADS: Final = {"face", "card", "uid", "tag", "tag uid", "epc", "value"}
_MOST_SHOWN: Final = 6


class Tagged(msgspec.Struct, frozen=True):
    """One tag and what it is glued to."""

    uid: Uid
    face: str
    """One of FACES, JOKER or CUT."""
    where: str
    """Where that was said, for messages: `list.csv: line 3`."""


class Wanted(msgspec.Struct, frozen=True):
    """What the house wants of a deck besides its 52 cards; None: whatever it has."""

    jokers: int | None = None
    cut_card: bool | None = None


def makers_list(text: str, name: str) -> tuple[Tagged, ...]:
    """Return what a maker's list says: a line for each tag, its uid and its face in either order.

    Fields are parted by comma, semicolon, tab or spaces; a line of headings may come first, `#` begins a comment; a
    uid may have its bytes parted by colons or dashes, in either case. DealerboxError with a sentence a line.
    """
    found: list[Tagged] = []
    faults: list[str] = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        where = f"{name}: line {number}"
        fields = _fields(line.partition("#")[0])
        if not fields or (not found and {field.casefold() for field in fields} <= _HEADS):
            continue
        ways = (fields, fields[::-1]) if len(fields) == 2 else ()
        pairs = {(_uid(uid), face_of(face)) for uid, face in ways if _uid(uid) and face_of(face)}
        if len(pairs) != 1:
            faults.append(f"{where}: no tag and face; write one uid and one face, as in E004015012345678,As")
            continue
        uid, face = pairs.pop()
        found.append(Tagged(Uid(uid), face, where))
    _refuse(faults)
    return tuple(found)


def in_order(uids: Iterable[str], faces: Sequence[str], name: str) -> tuple[Tagged, ...]:
    """Return tags that were read card by card, a line each, with the faces they had in that order. DealerboxError.

    A line may say `joker` or `cut` beside its uid: it takes no place in the order.
    """
    left = list(faces)
    found, faults = [], []
    for number, line in enumerate(uids, 1):
        where = f"{name}: line {number}"
        text, _, aside = line.partition("#")[0].strip().partition(" ")
        if not text:
            continue
        kind = face_of(aside) if aside.strip() else ""
        if not _uid(text) or (aside.strip() and kind not in (JOKER, CUT)):
            faults.append(f"{where}: no uid; write hex digits alone, or with `joker` or `cut` after them")
        elif kind:
            found.append(Tagged(Uid(_uid(text)), kind, where))
        elif not left:
            faults.append(f"{where}: a tag more than the {len(faces)} cards; take it out, or say what it is")
        else:
            found.append(Tagged(Uid(_uid(text)), left.pop(0), where))
    if left and not faults:
        faults.append(f"{name}: {len(faces) - len(left)} of {len(faces)} cards read; the next is the {named(left[0])}")
    _refuse(faults)
    return tuple(found)


def list_faults(tagged: Sequence[Tagged], wanted: Wanted, name: str) -> list[str]:
    """Return a sentence for each way in which these are no deck: 52 faces once each, jokers and cut card (1804A(1))."""
    faults: list[str] = []
    faces: dict[str, str] = {}
    uids: dict[str, str] = {}
    for each in tagged:
        if each.face in FACES and each.face in faces:
            faults.append(f"{each.where}: the {named(each.face)} again, as in {faces[each.face]}; each is there once")
        if each.uid in uids:
            faults.append(f"{each.where}: tag {each.uid} again, as in {uids[each.uid]}; a tag is on one card")
        faces.setdefault(each.face, each.where)
        uids.setdefault(each.uid, each.where)
    missing = [named(face) for face in FACES if face not in faces]
    if missing:
        more = f" and {len(missing) - _MOST_SHOWN} more" if len(missing) > _MOST_SHOWN else ""
        shown = ", ".join(missing[:_MOST_SHOWN])
        faults.append(f"{name}: {DECK_SIZE - len(missing)} of {DECK_SIZE} faces; missing: {shown}{more} (1804A(1))")
    jokers = sum(1 for each in tagged if each.face == JOKER)
    if wanted.jokers is not None and jokers != wanted.jokers:
        faults.append(f"{name}: {jokers} jokers, and this house has {wanted.jokers}; list them all, or change --jokers")
    cuts = sum(1 for each in tagged if each.face == CUT)
    if cuts > 1:
        faults.append(f"{name}: {cuts} cut cards; a deck has one at most")
    elif wanted.cut_card is not None and wanted.cut_card != bool(cuts):
        said = "no cut card, and this house has one" if wanted.cut_card else "a cut card, and this house has none"
        faults.append(f"{name}: {said}; mend the list, or change --cut-card")
    return faults


def _fields(line: str) -> list[str]:
    for mark in ",;\t":
        if mark in line:
            return [field.strip().strip('"') for field in line.split(mark) if field.strip()]
    return line.split()


def _uid(text: str) -> str:
    digits = re.sub(r"(?<=[0-9A-Fa-f]{2})[:-](?=[0-9A-Fa-f]{2})", "", text.strip()).upper()
    return digits if re.fullmatch("[0-9A-F]{8,20}", digits) else ""


def _refuse(faults: list[str]) -> None:
    if faults:
        raise DealerboxError("\n".join(faults))
