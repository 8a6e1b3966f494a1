"""What a dealer knows of a lawful hand: which card goes where next. From the law page alone."""

from collections.abc import Sequence
from typing import Final

from dealerbox.model.cards import Uid
from dealerbox.model.zones import BOARD, BURN, Zone, seat

ROUNDS: Final = ("preflop", "flop", "turn", "river")
FLOP: Final = 3
"""Cards of one."""


def deal_order(seats: Sequence[int], button: int) -> tuple[int, ...]:
    """Return the seats in dealing order: clockwise from the button's left, the button's own seat last (H2)."""
    left = sorted(seat for seat in seats if seat > button)
    return tuple(left + sorted(seat for seat in seats if seat <= button))


def buttons_after(button: int, seats: Sequence[int], table: int = 0) -> tuple[int, ...]:
    """Return where the button may lie after `button` (C11): the next occupied seat, last of those returned.

    `table`: seats at the table, where the dead-button rule lets it lie on the empty ones on the way; 0: it does not.
    """
    following = deal_order(seats, button)[0]
    if not table:
        return (following,)
    way = [(button + steps - 1) % table + 1 for steps in range(1, table + 1)]
    return tuple(way[: way.index(following) + 1])


class LawfulHand:
    """The steps of one hand, and how far it has come."""

    def __init__(self, seats: Sequence[int], button: int, grouped: bool = False) -> None:
        """`grouped`: both cards of a seat come together (1809)."""
        self.order = deal_order(seats, button)
        holes = [seat(number) for number in self.order]
        self.grouped = grouped
        self._streets = [
            [zone for zone in holes for _ in range(2)] if grouped else [*holes, *holes],
            [BURN, BOARD, BOARD, BOARD],
            [BURN, BOARD],
            [BURN, BOARD],
        ]
        self.street = 0
        self.placed = 0
        """Cards of this street that have been dealt."""
        self.folded: set[int] = set()
        self.action = False

    @property
    def next(self) -> Zone:
        """Zone of the street's next card, '' when the street is dealt."""
        steps = self._streets[self.street]
        return steps[self.placed] if self.placed < len(steps) else Zone("")

    @property
    def next_but_one(self) -> bool:
        """Tell whether the street's next card is not its last for that zone."""
        return self.next in self._streets[self.street][self.placed + 1 :]

    @property
    def together(self) -> int:
        """How many cards are laid down together next: one, or the group that the zone still waits for."""
        steps = self._streets[self.street][self.placed :]
        alike = next((index for index, zone in enumerate(steps) if zone != steps[0]), len(steps))
        return alike if self.grouped else min(1, alike)

    @property
    def live(self) -> tuple[int, ...]:
        """Seats whose hand lives, in dealing order."""
        return tuple(number for number in self.order if number not in self.folded)

    @property
    def last_street(self) -> bool:
        """Tell whether this is the river."""
        return self.street == len(ROUNDS) - 1

    def dealt(self) -> None:
        """The next card was dealt."""
        self.placed += 1

    def dead(self, zone: Zone, at_once: bool) -> None:
        """A card that was dealt there, or was to be, is dead (C9, 1820): its step is done again, now or as the last."""
        steps = self._streets[self.street]
        if self.next != zone:
            steps.append(zone)
        elif not at_once:
            steps.append(steps.pop(self.placed))

    def closed(self) -> None:
        """The betting round is complete: the next street is dealt."""
        self.street += 1
        self.placed = 0
        self.action = True

    def too_soon(self) -> int:
        """PREMATURE: the round before is open again (C6-C8, 1812); return how many board cards came too early."""
        steps = self._streets[self.street]
        came = steps[: self.placed].count(BOARD)
        if not came:
            self._streets[self.street] = steps[self.placed :]
        elif self.street == 1:
            self._streets[1] = [BOARD] * FLOP
        else:
            self._streets[self.street] = [BURN, BOARD]
        self.street -= 1
        self.placed = len(self._streets[self.street])
        return came

    def dealt_anew(self, board: Sequence[Uid]) -> list[Uid]:
        """The director has the board cards of this street dealt again; return which they are."""
        cards = FLOP if self.street == 1 else 1
        self._streets[self.street] += [BOARD] * cards
        return list(board[-cards:])

    def stand(self, zone: Zone) -> None:
        """The director lets a misplaced card stand at `zone`: it counts there, a burn step is done."""
        steps = self._streets[self.street]
        wanted = self.next
        if wanted == BURN:
            del steps[self.placed]
            if zone == BOARD:
                steps.remove(BOARD)
        elif zone == wanted == BOARD:
            self.placed += 1
