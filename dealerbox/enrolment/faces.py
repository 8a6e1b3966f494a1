"""What is printed on a card, and in which order a new deck has it."""

import re
from typing import Final

from dealerbox.ports import DealerboxError

RANKS: Final = "A23456789TJQK"
SUITS: Final = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
FACES: Final = tuple(f"{rank}{suit}" for suit in SUITS for rank in RANKS)
"""All 52 as `As` or `Td`: rank, suit."""
JOKER: Final = "joker"
CUT: Final = "cut"
PRINTED: Final = "s+d+c-h-"
"""The order of most new decks: spades and diamonds from ace to king, clubs and hearts from king to ace."""

_NAMES: Final = {"A": "ace", "T": "ten", "J": "jack", "Q": "queen", "K": "king"} | {
    str(rank): word for rank, word in enumerate(["two", "three", "four", "five", "six", "seven", "eight", "nine"], 2)
}
_SYMBOLS: Final = {"\N{BLACK SPADE SUIT}": "s", "\N{BLACK HEART SUIT}": "h", "\N{WHITE HEART SUIT}": "h"} | {
    "\N{BLACK DIAMOND SUIT}": "d",
    "\N{WHITE DIAMOND SUIT}": "d",
    "\N{BLACK CLUB SUIT}": "c",
}
_WORDS: Final = {"joker": JOKER, "jk": JOKER, "cut": CUT, "cut card": CUT, "cutcard": CUT}


def named(face: str) -> str:
    """Return a face as people say it: `ace of spades`."""
    return f"{_NAMES[face[0]]} of {SUITS[face[1]]}" if face in FACES else {CUT: "cut card"}.get(face, face)


def face_of(text: str) -> str:
    """Return `As`, `Td`, `joker` or `cut` for how a list may write it (as, 10D, Q with a suit's sign); '' for none."""
    word = " ".join(text.casefold().split())
    if word in _WORDS:
        return _WORDS[word]
    for symbol, suit in _SYMBOLS.items():
        word = word.replace(symbol, suit)
    found = re.fullmatch(r"(10|[2-9atjqk])[ -]?([shdc])", word)
    if not found:
        return ""
    return ("T" if found[1] == "10" else found[1].upper()) + found[2]


def printed_order(suits: str = PRINTED) -> tuple[str, ...]:
    """Return the 52 faces as a new deck has them, the top card first.

    `suits`: each suit's letter once, with + for ace to king or - for king to ace. DealerboxError.
    """
    runs = re.findall(r"([shdc])([+-])", suits.lower())
    if "".join(map("".join, runs)) != suits.lower() or sorted(suit for suit, _ in runs) != sorted(SUITS):
        raise DealerboxError(f"order {suits!r}: no order of suits; each of s h d c once with + or -, as in {PRINTED}")
    return tuple(f"{rank}{suit}" for suit, way in runs for rank in (RANKS if way == "+" else reversed(RANKS)))
