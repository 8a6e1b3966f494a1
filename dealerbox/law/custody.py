"""Custody of a deck: how long it may be played between counts, and how long at all (1804B(8), 1819)."""

from typing import Final

from dealerbox.model.setup import House

MINUTE_NS: Final = 60_000_000_000
WARNING_MIN: Final = 5
"""How long before the last hand may start the notice comes (house)."""
NEVER_NS: Final = -(1 << 60)
"""Time of something that has not happened, or not known to have: every limit since then is past."""


def count_margin_ns(house: House) -> int:
    """Return how long after a confirmed count the last hand may start: the limit less the margin (C1)."""
    return (house.count_every_min - house.last_hand_margin_min) * MINUTE_NS


def change_margin_ns(house: House) -> int:
    """Return how long after a deck came into play the last hand may start with it (1804B(8), C1)."""
    return (house.deck_change_every_min - house.last_hand_margin_min) * MINUTE_NS


def warning_ns(margin_ns: int) -> int:
    """Return how long after the count or change the notice comes."""
    return margin_ns - WARNING_MIN * MINUTE_NS
