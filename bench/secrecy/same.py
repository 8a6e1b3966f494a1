"""Non-interference: what must be the same, byte for byte, whatever lies on the cards (P4).

Two things are changed, one at a time, and the same evening is played again:

faces  which face each tag is glued to. Everything must be the same: every channel, the journal, what the readers say.
tags   which card each tag is glued to, so that every card that is dealt is another. All that anybody can read while a
       hand is open must be the same; only the readers' own cables and the journal may differ, and the journal in
       nothing but the numbers of its tokens.
"""

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pyrage

from bench.secrecy import wired
from bench.secrecy.channels import LOG, Said, Taps, is_live
from dealerbox.config.deck import Deck, Technology
from dealerbox.config.station import load
from dealerbox.enrolment import deck_file, sealing
from dealerbox.enrolment.faces import FACES
from dealerbox.model.cards import DECK_SIZE, Kind, Token, Uid, deck_of, is_card_of, kind_of
from dealerbox.simulate.pack import BACKS, pack
from dealerbox_drivers.registry import DRIVERS

SLOTS = (1, 2)
Tags = Mapping[Uid, Token]
Play = Callable[..., int]
"""Plays hands of a seed before taps, with certain tags; returns how many hands."""

STATION = """
[table]
name = "Proof"
time_zone = "UTC"
seats = [1, 2]

[files]
house = "house.toml"
decks = ["red.toml", "blue.toml"]
"""


class Compared(msgspec.Struct, frozen=True):
    """What came of one comparison."""

    changed: str
    hands: int
    channels: int
    bytes: int
    differences: tuple[str, ...]
    """The first of each channel that differs, and what shows that nothing was changed."""


def pack_tags() -> dict[Uid, Token]:
    """Return both decks: tag -> the thing it is glued to."""
    return {uid: name for slot in SLOTS for uid, name in pack(slot).items()}


def other_tags(tags: Tags, seed: str) -> dict[Uid, Token]:
    """Return the same tags on other cards of the same decks."""
    moved: dict[Uid, Token] = dict(tags)
    for slot in SLOTS:
        mine = [uid for uid, name in tags.items() if is_card_of(name, slot)]
        others = Random(f"{seed}:{slot}").sample(mine, DECK_SIZE)
        moved.update({other: tags[uid] for uid, other in zip(mine, others, strict=True)})
    return dict(sorted(moved.items(), key=lambda each: each[1]))


def deck_of_tags(tags: Tags, slot: int) -> Deck:
    """Return the deck as enrolment would have it, but for its numbers."""
    here = {uid: kind_of(name) for uid, name in tags.items() if deck_of(name) == slot}
    mine = {kind: sorted(uid for uid in here if here[uid] is kind) for kind in Kind}
    return Deck(
        name=f"deck {slot}",
        back=BACKS[slot - 1],
        technology=Technology.ISO15693,
        slot=slot,
        tags=tuple(mine[Kind.CARD]),
        numbers=tuple(Random(slot).sample(range(1, DECK_SIZE + 1), DECK_SIZE)),
        jokers=tuple(mine[Kind.JOKER]),
        cut_card=mine[Kind.CUT][0],
    )


def lay_out(folder: Path, tags: Tags, order: str, key: str) -> list[bytes]:
    """Write a table's files, its faces in an order by `order`, sealed to `key`; return the sealed faces."""
    (folder / "station.toml").write_text(STATION)
    (folder / "house.toml").write_text("")
    sealed = []
    for slot in SLOTS:
        deck = deck_of_tags(tags, slot)
        faces = Random(f"{order}:{slot}").sample(FACES, DECK_SIZE)
        cards = {tag: (number, face) for tag, number, face in zip(deck.tags, deck.numbers, faces, strict=True)}
        sealed.append(sealing.seal(sealing.written(sealing.Faces(deck.info().mark, cards)), [key]))
        path = folder / f"{BACKS[slot - 1]}.toml"
        path.unlink(missing_ok=True)
        deck_file.write(path, deck_file.DeckFile(deck, sealed[-1]), anew=True)
    return sealed


def over_wires(seed: str, hands: int, taps: Taps, **more: Any) -> int:
    """Play at the `wires` level, evening after evening: a fault may end one early. Return how many hands there were."""
    played = 0
    for number in range(hands):
        if played < hands:
            played += wired.evening(f"{seed}:{number}", min(10, hands - played), taps, **more).dealer.hands
    return played


def other_faces(seed: str, hands: int, play: Play = over_wires) -> Compared:
    """Play an evening with two orders of the faces, from deck files as enrolment writes them."""
    tags, key = pack_tags(), str(pyrage.x25519.Identity.generate().to_public())
    evenings, sealed = list[list[Said]](), list[list[bytes]]()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for order in ("one", "another"):
            sealed.append(lay_out(folder, tags, f"{seed}:{order}", key))
            config = load(str(folder / "station.toml"), DRIVERS)
            evenings.append([Said("config", 0, False, repr(config).encode())])
            decks = tuple(deck.info() for deck in config.decks)
            played = play(seed, hands, Taps(evenings[-1].append), tags=tags, decks=decks, config=config.sha256)
    found = (*_unchanged("sealed faces", *sealed), *differences(*evenings))
    return Compared("faces", played, *_told(*evenings), found)


def other_cards(seed: str, hands: int, play: Play = over_wires, **more: Any) -> Compared:
    """Play an evening with the tags on other cards; `more` goes to `play`."""
    tags, evenings = pack_tags(), list[list[Said]]()
    for each in (tags, other_tags(tags, seed)):
        evenings.append([])
        played = play(seed, hands, Taps(evenings[-1].append), tags=each, **more)
    return cards_compared(played, evenings)


def cards_compared(played: int, evenings: Sequence[Sequence[Said]]) -> Compared:
    """Compare two evenings of so many hands that had the tags on different cards."""
    live = [[said for said in each if is_live(said.channel)] for each in evenings]
    others = [[said.data for said in each if not is_live(said.channel)] for each in evenings]
    logs = [canonical(said.data for said in each if said.channel == LOG) for each in evenings]
    found = (*_unchanged("readers and journals", *others), *differences(*live), *_first("log but for tokens", *logs))
    return Compared("tags", played, *_told(*live), found)


def canonical(lines: Iterable[bytes]) -> list[str]:
    """Return event log lines with each token as where it was first seen since a START: all that it may tell."""
    told, seen = [], dict[int, str]()
    for place, text in enumerate(lines):
        entry = msgspec.json.decode(text)
        event = entry["event"]
        if event.get("key") == "start" or event["event"] == "Started":  # numbered anew, or another evening
            seen = {}
        if "tokens" in event:
            for number in event["tokens"]:
                seen.setdefault(number, f"seen in {place}")
            event["tokens"] = sorted(seen[number] for number in event["tokens"])
        told.append(msgspec.json.encode(entry).decode())
    return told


def differences(one: Sequence[Said], other: Sequence[Said]) -> list[str]:
    """Return the first difference of each channel that has one, times and all."""
    found = []
    for channel in sorted({said.channel for said in (*one, *other)}):
        found += _first(channel, *([said for said in each if said.channel == channel] for each in (one, other)))
    return found


def _first(what: str, one: Sequence[object], other: Sequence[object]) -> list[str]:
    for number, (mine, theirs) in enumerate(zip_longest(one, other), 1):
        if mine != theirs:
            return [f"{what}, thing {number}: {mine} and {theirs}"]
    return []


def _unchanged(what: str, one: Sequence[object], other: Sequence[object]) -> list[str]:
    return [f"the {what} are the same: nothing was changed"] if one == other else []


def _told(one: Sequence[Said], _other: Sequence[Said]) -> tuple[int, int]:
    return len({said.channel for said in one}), sum(len(said.data) for said in one)
