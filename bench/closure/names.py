"""What seats, their zones and decks go by in a key: seats turned to the button, the deck in play first."""

from typing import Any

import msgspec

from dealerbox.engine.state import Deck
from dealerbox.model.zones import Zone, seat


class Names(msgspec.Struct):
    """The names that seats, their zones and decks go by, and what is known to fold to what under them."""

    seats: dict[int, int]
    zones: dict[Zone, Zone]
    decks: dict[int, int]
    alike: bool = False
    """Two decks have one back."""
    kinds: dict[int, int] = {}
    """What a token is, all others of its kind being the same."""
    known: dict[Any, Any] = {}
    """What values that depend on no moment fold to."""


def named(seats: tuple[int, ...], button: int, deck: int, decks: tuple[Deck, ...]) -> Names:
    """Return the names that seats, their zones and decks go by."""
    alike = len({one.back for one in decks}) < len(decks)
    return Names(*_turned(seats, button), _slots(deck, decks), alike)


def _turned(seats: tuple[int, ...], button: int) -> tuple[dict[int, int], dict[Zone, Zone]]:
    number = len(seats)
    if button not in seats or seats != tuple(range(1, number + 1)) or button == number:
        return {}, {}
    turned = {one: (one - button - 1) % number + 1 for one in seats}
    return turned, {seat(one): seat(other) for one, other in turned.items()}


def _slots(deck: int, decks: tuple[Deck, ...]) -> dict[int, int]:
    ordered = sorted(decks, key=lambda one: (one.slot != deck, one.status.value, one.suspect, one.slot))
    return {one.slot: place for place, one in enumerate(ordered, 1)}
