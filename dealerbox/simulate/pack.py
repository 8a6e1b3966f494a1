"""The tags that lie on a simulated table: two decks with jokers and cut cards, and strangers."""

from collections.abc import Mapping
from typing import Final

from dealerbox.model.cards import DECK_SIZE, Kind, Token, Uid, cut_card, deck_of, joker, kind_of, token
from dealerbox.model.setup import DeckInfo
from dealerbox.station.tokens import DeckTags

JOKERS: Final = 2
BACKS: Final = ("red", "blue")


def tag(slot: int, number: int) -> Uid:
    """Return the tag that is glued to thing `number` of deck slot `slot` (slot 0: a stranger)."""
    return Uid(f"E004015{slot:01X}{number * 2654435761 % 2**32:08X}")


def pack(slot: int) -> dict[Uid, Token]:
    """Return the tags of one deck slot with their tokens: 52 cards, two jokers, the cut card."""
    tokens = [token(slot, number) for number in range(1, DECK_SIZE + 1)]
    tokens += [joker(slot, number) for number in range(1, JOKERS + 1)]
    return {tag(slot, name % 1000): name for name in [*tokens, cut_card(slot)]}


def deck_info(slot: int) -> DeckInfo:
    """Return what the engine is told of a deck."""
    return DeckInfo(slot=slot, name=f"deck {slot}", back=BACKS[(slot - 1) % 2], jokers=JOKERS, cut_card=True)


class Names:
    """Tag -> token, as the station keeps it: renumbered within a deck at will, strangers numbered as they come."""

    def __init__(self, known: Mapping[Uid, Token]) -> None:
        self.truth = dict(known)
        self._names = dict(known)

    def __call__(self, uid: Uid) -> Token:
        """Return the token of a tag; a tag never met gets the next number of a stranger."""
        if uid not in self._names:
            self._names[uid] = Token(1 + sum(1 for name in self._names.values() if name < 1000))
        return self._names[uid]


def deck_tags(tags: Mapping[Uid, Token], slot: int) -> DeckTags:
    """Return one deck of these tags as it is enrolled."""
    mine = {uid: kind_of(name) for uid, name in tags.items() if deck_of(name) == slot}
    return DeckTags(
        slot,
        tuple(uid for uid, kind in mine.items() if kind is Kind.CARD),
        tuple(uid for uid, kind in mine.items() if kind is Kind.JOKER),
        next(uid for uid, kind in mine.items() if kind is Kind.CUT),
    )
