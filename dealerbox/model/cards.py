"""Cards as the station knows them: tags and tokens, never faces.

A *uid* is what a reader reads: upper-case hex, most significant byte first.
A *token* is an opaque number for one physical card of one enrolled deck, dealt
anew at every hand. Its thousands say which deck slot of the table it belongs to
(0: none of ours, a foreign tag), the rest which kind it is:

=========  ==========================================
n % 1000   kind
=========  ==========================================
1..52      a card (foreign tags use the whole 1..999)
61..68     a joker
70         a cut card
901..952   stands for a card that no reader could read (H10); never a tag's
=========  ==========================================
"""

from enum import StrEnum
from typing import Final, NewType

Uid = NewType("Uid", str)
Token = NewType("Token", int)

DECK_SIZE: Final = 52
"""Cards in a complete deck (1804A(1))."""


class Kind(StrEnum):
    """What a tag is attached to."""

    CARD = "card"
    JOKER = "joker"
    CUT = "cut"
    FOREIGN = "foreign"


def token(deck: int, number: int) -> Token:
    """Return the token for card `number` (1..52) of deck slot `deck` (1..9)."""
    return Token(deck * 1000 + number)


def joker(deck: int, number: int) -> Token:
    """Return the token for joker `number` (1..8) of deck slot `deck`."""
    return Token(deck * 1000 + 60 + number)


def cut_card(deck: int) -> Token:
    """Return the token for the cut card of deck slot `deck`."""
    return Token(deck * 1000 + 70)


def stand_in(deck: int, number: int) -> Token:
    """Return the token that stands for the `number`-th card of a hand that was let out unread (H10)."""
    return Token(deck * 1000 + 900 + number)


def is_unidentified(card: Token) -> bool:
    """Tell whether the token stands for a card that was let out unread (H10)."""
    return card > 1000 and card % 1000 > 900


def deck_of(card: Token) -> int:
    """Return the deck slot, 0 for a foreign tag."""
    return card // 1000


def is_card_of(card: Token, deck: int) -> bool:
    """Tell whether the token is one of the 52 cards of deck slot `deck`; no card is one of deck 0."""
    return deck > 0 and 0 < card - deck * 1000 <= DECK_SIZE


def kind_of(card: Token) -> Kind:
    """Return what the token's tag is attached to."""
    if card < 1000:
        return Kind.FOREIGN
    number = card % 1000
    if number <= DECK_SIZE:
        return Kind.CARD
    return Kind.CUT if number == 70 else Kind.JOKER
