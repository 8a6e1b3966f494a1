"""How full the journal is, as events."""

from typing import Final

from dealerbox.model.events import Space, SpaceLeft
from dealerbox.ports import Clock, Emit

LEVELS: Final = ((5, Space.FULL), (10, Space.LAST_HAND), (20, Space.LOW))
"""Below so many percent of an evening's records."""


def space_of(left: int, evening: int) -> Space:
    """Return how it stands with room for `left` of the `evening` records that were to be reserved."""
    return next((space for percent, space in LEVELS if 100 * left < percent * evening), Space.ENOUGH)


class SpaceWatch:
    """Tells each change of the level."""

    def __init__(self, evening: int, emit: Emit, clock: Clock) -> None:
        self._evening, self._emit, self._clock = evening, emit, clock
        self._space = Space.ENOUGH

    def look(self, left: int) -> None:
        """Emit SpaceLeft when the level is another than the last."""
        space = space_of(left, self._evening)
        if space is not self._space:
            self._space = space
            self._emit(SpaceLeft(self._clock(), space, left))
