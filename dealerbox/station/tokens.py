"""From tags to tokens: where a uid stops being a uid.

A token stands for the same card only as long as its deck plays one hand: with every
hand that a deck plays its 52 numbers are dealt anew, so that a token seen at a
showdown says nothing about the next hand. Without the key nobody can tell which.
"""

import hashlib
import hmac
from collections.abc import Iterable

import msgspec

from dealerbox.model.cards import Token, Uid, cut_card, joker, token
from dealerbox.model.events import CardsGone, CardsSeen, Event, TagsGone, TagsSeen
from dealerbox.model.zones import Zone


class DeckTags(msgspec.Struct, frozen=True):
    """The tags of one enrolled deck."""

    slot: int
    cards: tuple[Uid, ...]
    """52, in any order: the order has no part in the numbering."""
    jokers: tuple[Uid, ...] = ()
    cut_card: Uid = Uid("")


class Tokens:
    """The numbering of every tag that a reader may read."""

    def __init__(self, decks: Iterable[DeckTags], key: bytes) -> None:
        self._key = key
        self._decks: dict[int, DeckTags] = {}
        self._tokens: dict[Uid, Token] = {}
        self._told: dict[tuple[Zone, Uid], Token] = {}
        self.enrol(decks)

    def enrol(self, decks: Iterable[DeckTags]) -> None:
        """Take the table's decks anew: one that was here keeps its numbers, a new one gets its first."""
        before, self._decks = self._decks, {deck.slot: deck for deck in decks}
        here = {
            slot for slot, deck in self._decks.items() if slot in before and set(before[slot].cards) == set(deck.cards)
        }
        for slot, deck in before.items():
            for uid in (*deck.jokers, deck.cut_card, *(() if slot in here else deck.cards)):
                self._tokens.pop(uid, None)
        for slot, deck in self._decks.items():
            self._tokens.update((uid, joker(slot, number)) for number, uid in enumerate(deck.jokers, 1))
            if deck.cut_card:
                self._tokens[deck.cut_card] = cut_card(slot)
            if slot not in here:
                self.renumber(slot, 0)

    def renumber(self, slot: int, hand: int) -> None:
        """Number the cards of deck `slot` for `hand`; hand 0: before its first. An unknown slot: nothing."""
        deck = self._decks.get(slot)
        if deck is None:
            return
        salt = b"deal" + hand.to_bytes(8, "big") + bytes([slot])
        order = sorted(deck.cards, key=lambda uid: self._mac(salt, uid))
        self._tokens.update((uid, token(slot, number)) for number, uid in enumerate(order, 1))

    def of(self, uid: Uid) -> Token:
        """Return the token of a tag now; 1..999 for a tag of no deck, the same for the life of the key."""
        known = self._tokens.get(uid)
        if known is not None:
            return known
        return Token(1 + int.from_bytes(self._mac(b"foreign", uid)[:8], "big") % 999)

    def translate(self, event: Event) -> Event:
        """Return what the engine may see of a driver's event.

        A tag that goes takes the token with which it came, whatever was renumbered meanwhile.
        """
        if type(event) is TagsSeen:
            zone, told, known = event.zone, self._told, self._tokens
            seen = []
            for uid in event.uids:
                number = told[zone, uid] = known.get(uid) or self.of(uid)
                seen.append(number)
            if len(seen) > 1:
                seen.sort()
            return CardsSeen(event.at_ns, zone, tuple(seen))
        if isinstance(event, TagsGone):
            gone = [self._gone(event.zone, uid) for uid in event.uids]
            return CardsGone(event.at_ns, event.zone, tuple(sorted(gone)))
        return event

    def _gone(self, zone: Zone, uid: Uid) -> Token:
        told = self._told.pop((zone, uid), None)
        return self.of(uid) if told is None else told

    def _mac(self, salt: bytes, uid: Uid) -> bytes:
        return hmac.digest(self._key, salt + uid.encode(), hashlib.sha256)
