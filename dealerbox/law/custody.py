"""Custody of a deck and the hours of a tournament: how long, since when, how sure (1804B(8), 1819, 1827).

Elapsed time counts, table open or not, station on or off (C12). Over a reboot it is known as an
interval: at least what the station saw pass; at most what a wall clock known to be right at both
ends says. Without that there is no upper end, and the conservative end counts.
"""

from enum import IntEnum
from typing import Final

import msgspec
from msgspec.structs import replace

from dealerbox.model.setup import House

SECOND_NS: Final = 1_000_000_000
MINUTE_NS: Final = 60 * SECOND_NS
DAY_S: Final = 86_400
WARNING_MIN: Final = 5
"""How long before the last hand may start the notice comes (house)."""
NEVER_NS: Final = -(1 << 60)
"""Time of something that has not happened, or not known to have: every limit since then is past."""
EARLIEST_DAY_S: Final = 13 * 3600 + 30 * 60
"""Local seconds since midnight before which no tournament begins (1827)."""
TOURNAMENT_NS: Final = 6 * 60 * MINUTE_NS
"""A tournament is limited to six consecutive hours (1827)."""
WALL_DOUBT_S: Final = 2
"""Two readings of a wall clock known to be right, each cut to whole seconds, may be so far from the truth."""


class Since(msgspec.Struct, frozen=True):
    """When something happened, in ns of this boot's clock: `earliest_ns` to `latest_ns`, as far as it is known."""

    earliest_ns: int = NEVER_NS
    """NEVER_NS: nothing says how long ago it may have been at most."""
    latest_ns: int = NEVER_NS
    """NEVER_NS: it has not happened."""
    wall_s: int = 0
    """The same moment by a wall clock known to be right, rather too early; 0: there was none."""
    here: bool = True
    """It happened in this boot: the interval is a moment."""


class Reach(IntEnum):
    """How a limit stands."""

    WITHIN = 0
    UNSURE = 1
    """The interval does not decide: treated as past, with the remedies of `clock_unsure`."""
    PAST = 2


def since_now(now_ns: int) -> Since:
    """Return what happens now."""
    return Since(now_ns, now_ns)


def reach(since: Since, now_ns: int, limit_ns: int) -> Reach:
    """Tell whether more than `limit_ns` have gone by."""
    if now_ns - since.latest_ns > limit_ns:
        return Reach.PAST
    return Reach.UNSURE if now_ns - since.earliest_ns > limit_ns else Reach.WITHIN


def rebooted(since: Since, before_ns: int, now_ns: int) -> Since:
    """Return the same moment by the clock of a new boot: no more is known than that the time before has passed.

    `before_ns` is the last time of the old clock, `now_ns` the first of the new one.
    """
    if since.latest_ns <= NEVER_NS:
        return since
    return replace(since, earliest_ns=NEVER_NS, latest_ns=since.latest_ns - before_ns + now_ns, here=False)


def dated(since: Since, now_ns: int, wall_s: int) -> Since:
    """Return what a wall clock known to be right adds: a date while its boot lasts, an upper end after it.

    Of readings that contradict each other the one that makes the time longer counts.
    """
    if since.latest_ns <= NEVER_NS or wall_s <= 0:
        return since
    if since.here:
        at_s = wall_s - -(-(now_ns - since.latest_ns) // SECOND_NS)
        return replace(since, wall_s=min(since.wall_s or at_s, at_s))
    if not since.wall_s:
        return since
    most_ns = (wall_s - since.wall_s + WALL_DOUBT_S) * SECOND_NS
    if now_ns - most_ns > since.latest_ns:  # it says less than what has passed for certain: it was set back
        return since
    known = since.earliest_ns > NEVER_NS
    return replace(since, earliest_ns=min(since.earliest_ns, now_ns - most_ns) if known else now_ns - most_ns)


def count_margin_ns(house: House) -> int:
    """Return how long after a confirmed count the last hand may start: the limit less the margin (C1)."""
    return (house.count_every_min - house.last_hand_margin_min) * MINUTE_NS


def change_margin_ns(house: House) -> int:
    """Return how long after a deck came into play the last hand may start with it (1804B(8), C1)."""
    return (house.deck_change_every_min - house.last_hand_margin_min) * MINUTE_NS


def tournament_margin_ns(house: House) -> int:
    """Return how long after a tournament began its last hand may start (1827, C1)."""
    return TOURNAMENT_NS - house.last_hand_margin_min * MINUTE_NS


def warning_ns(margin_ns: int) -> int:
    """Return how long after the count or change the notice comes."""
    return margin_ns - WARNING_MIN * MINUTE_NS
