"""The open hand as the law page has it: what is owed on which street, and where each card belongs."""

from typing import Final

import msgspec
from msgspec.structs import replace

from dealerbox.model.cards import Token
from dealerbox.model.zones import BOARD, BURN, Zone, seat

NOWHERE: Final = Zone("")
NO_CARD: Final = Token(0)


class Hand(msgspec.Struct, frozen=True):
    """The open hand as the law has it."""

    button: int
    owed: tuple[tuple[int, Zone], ...]
    """Steps still to come: street 0..3 and zone."""
    street: int = 0
    acted: bool = False
    flying: Token = NO_CARD
    """The card let out last and not laid yet where it must go."""
    along: tuple[Token, ...] = ()
    """Those of its group that were let out before it, and are laid with it (1809)."""
    homes: dict[Token, Zone] = {}
    """Where each card that was dealt belongs."""
    folded: frozenset[int] = frozenset()
    """Seats whose hand was folded."""
    dead: frozenset[int] = frozenset()
    """Seats whose hand was said to be dead."""
    mucked: frozenset[Token] = frozenset()
    """Cards of seats that the muck's reader has read, wherever they lie now."""
    uncounted: bool = False
    """It began before the full count that a mid-hand proof of an earlier hand had left owing (S2)."""
    back: frozenset[Token] = frozenset()
    """Cards that go back into the stub: by the director's word, or because their street came too early."""
    unmixed: int = 0
    """What the stub still needs since: 2 to be shuffled, and to be cut; 1 to be cut."""
    recalled: bool = False
    """Its street came too early, and is taken back once no card is on its way."""
    followed: bool = True
    """The law of this hand is still what this world knows: no ruling or procedure has changed the plan."""

    @property
    def due(self) -> Zone:
        """Where the card on its way goes, or else the next one; '' when the street is dealt."""
        return self.owed[0][1] if self.owed and (self.flying or self.owed[0][0] == self.street) else NOWHERE

    def together(self) -> bool:
        """Tell whether the next card goes where the one on its way does, and on the same street."""
        number = 1 + len(self.along)
        return bool(self.flying) and self.owed[:1] == self.owed[number : number + 1]


def dealt(seats: tuple[int, ...], button: int, group: bool = False) -> Hand:
    """Return a hand before its first card: twice round from the button's left, then burn and board (1804A).

    `group`: once round, both cards of a seat together (1809).
    """
    round_ = [seat(one) for one in (*(s for s in seats if s > button), *(s for s in seats if s <= button))]
    owed = [(0, zone) for zone in (sorted(round_ * 2, key=round_.index) if group else round_ * 2)]
    for street, cards in ((1, 3), (2, 1), (3, 1)):
        owed += [(street, BURN), *[(street, BOARD)] * cards]
    return Hand(button, tuple(owed))


def strayed_from(hand: Hand) -> Hand:
    """Return a hand whose plan has changed: what is owed, and on which street, is no longer known."""
    return replace(hand, followed=False, owed=(), street=0, unmixed=0, recalled=False)
