"""The page's plan of a hand, read a second time: which card is due where, and how many the stub holds (H2-H5)."""

from typing import Final

from dealerbox.model.cards import Token
from dealerbox.model.zones import BOARD, BURN, Zone, seat

STREETS: Final = ("preflop", "flop", "turn", "river")
BOARD_AFTER: Final = (0, 3, 4, 5)
BURNS_AFTER: Final = (0, 1, 2, 3)


def clockwise(seats: tuple[int, ...], button: int) -> list[int]:
    """Return the seats in the order of the deal: left of the button first, the button (or the last before it) last."""
    return [n for n in seats if n > button] + [n for n in seats if n <= button]


def buttons(seats: tuple[int, ...], last: int, highest: int, dead: bool) -> list[int]:
    """Return where the button may lie after a hand with it at `last` (C11)."""
    found = []
    for ahead in range(1, highest + 1):
        number = (last + ahead - 1) % highest + 1
        if number in seats:
            return [*found, number]
        if dead:
            found.append(number)
    return found


class Hand:
    """One hand as the page has it, whatever the station says of it."""

    def __init__(self, seats: tuple[int, ...], button: int) -> None:
        order = clockwise(seats, button)
        self.seats, self.button, self.order = seats, button, order
        self.street = 0
        self.due: list[Zone] = [seat(number) for _ in (1, 2) for number in order]
        """Zones of the cards of the open street still to come, in order."""
        self.live = list(order)
        self.acted = False
        self.cards: dict[Token, Zone] = {}
        """Where each card was dealt to."""
        self.unseen = 0
        self.settled = False
        """Every pot is awarded, or the hand is void."""

    @property
    def name(self) -> str:
        """The street's name."""
        return STREETS[self.street]

    @property
    def dealing(self) -> bool:
        """Whether a card is due now."""
        return bool(self.due)

    @property
    def last(self) -> bool:
        """Whether no street follows."""
        return self.street == 3

    def done(self, card: Token, zone: Zone) -> None:
        """The card due lies where it belongs."""
        assert self.due[0] == zone
        del self.due[0]
        self.cards[card] = zone

    def next(self) -> None:
        """The round is complete: the next street may come."""
        assert not self.due
        self.acted = True
        self.street += 1
        self.due = [BURN, BOARD, BOARD, BOARD] if self.street == 1 else [BURN, BOARD]

    def of(self, zone: Zone) -> list[Token]:
        """Return the cards dealt to a zone."""
        return [card for card, dealt in self.cards.items() if dealt == zone]

    def hole(self, number: int) -> list[Token]:
        """Return the cards dealt to a seat."""
        return self.of(seat(number))
