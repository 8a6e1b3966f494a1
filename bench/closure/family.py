"""One part of the closure, and the table it is played at."""

from typing import Any, Final

import msgspec
from msgspec.structs import replace

from dealerbox.model.setup import DeckInfo, Dispense, House, Setup
from dealerbox.model.zones import ASIDE, BOARD, BURN, EXIT, INFEED, MUCK, seat

HOUSE: Final = House(scan_ms=20, settling_ms=5000)
"""A scan is so much shorter than the settling time that scans never add up to it."""


class Family(msgspec.Struct, frozen=True):
    """One part of the closure: seats, the faults that are switched on, how many at once, how far a hand goes."""

    name: str
    seats: int = 2
    first: tuple[str, ...] = ()
    """Kinds of fault that may come when none is outstanding."""
    second: tuple[str, ...] = ()
    """Kinds that may come while one is."""
    streets: int = 4
    """Streets that a hand may have: 1 ends it before the flop."""
    until: int = 4
    """Streets on which a first fault may come."""
    since: int = 0
    action_clock_s: int = 0
    """The house's limit on the time to act (1821)."""
    dispense: Dispense = Dispense.SINGLE
    house: dict[str, Any] = {}
    """What else this house has chosen."""
    backs: tuple[str, ...] = ("back 1", "back 2")
    """Of the decks that are listed at the start."""
    eager: bool = False
    """The machine is quick: while it has something to do that nothing stops, people wait for it."""


def setup_of(family: Family) -> Setup:
    """Return the table of a family."""
    seats = tuple(range(1, family.seats + 1))
    house = replace(HOUSE, action_clock_s=family.action_clock_s, dispense=family.dispense, **family.house)
    decks = tuple(DeckInfo(slot=slot, name=f"{slot}.1", back=back) for slot, back in enumerate(family.backs, 1))
    readers = (EXIT, INFEED, BOARD, BURN, MUCK, ASIDE, *(seat(number) for number in seats))
    return Setup(table="1", seats=seats, house=house, decks=decks, readers=readers)
