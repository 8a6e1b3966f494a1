"""Zones: the places at a table where a card can be seen or inferred to be."""

from typing import Final, NewType

Zone = NewType("Zone", str)

MAX_SEATS: Final = 20
"""Most seats at one table: 2n + 5 + 5 and two replacements fit in 52 (house reading of 1823)."""

INFEED: Final = Zone("infeed")
"""Mouth of the shuffler: every card passes its reader one by one on the way in."""
EXIT: Final = Zone("exit")
"""Outlet of the shuffler: behind the gate and just before it."""
BOARD: Final = Zone("board")
BURN: Final = Zone("burn")
MUCK: Final = Zone("muck")
ASIDE: Final = Zone("aside")
"""Where dead and premature cards wait."""
STUB: Final = Zone("stub")
"""Undealt cards: in the shuffler, or in the dealer's hand. No reader watches it."""

_SEATS: Final = tuple(Zone(f"seat:{number}") for number in range(MAX_SEATS + 1))
_NUMBERS: Final = {zone: number for number, zone in enumerate(_SEATS) if number}
SEATS: Final = frozenset(_NUMBERS)


def seat(number: int) -> Zone:
    """Return the zone of seat `number`, 1..MAX_SEATS; ValueError outside."""
    if not 1 <= number <= MAX_SEATS:
        raise ValueError(f"seat {number}: seats are numbered 1..{MAX_SEATS}")
    return _SEATS[number]


def seat_number(zone: Zone) -> int:
    """Return the seat's number, or 0 for a zone that is no seat."""
    return _NUMBERS.get(zone, 0)


FIXED: Final = (INFEED, EXIT, BOARD, BURN, MUCK, ASIDE, STUB)
"""Every zone that is no seat."""


def is_zone(text: str) -> bool:
    """Tell whether `text` names a zone."""
    return text in FIXED or text in _NUMBERS
