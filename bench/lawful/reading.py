"""The page's plan of a hand, read a second time: which card is due where, and how many the stub holds (H2-H5)."""

from typing import Final

from dealerbox.model.cards import Token
from dealerbox.model.zones import ASIDE, BOARD, BURN, Zone, seat, seat_number

STREETS: Final = ("preflop", "flop", "turn", "river")
TRACES: Final[dict[str, tuple[int, ...]]] = {
    "": (33, 32, 31, 30, 29, 28, 27, 26),
    "C8, 1 out": (33, 32, 33, 32, 31, 30, 29, 28, 27, 26),
    "C8, 2 out": (33, 32, 31, 33, 32, 31, 30, 29, 28, 27, 26),
    "C8, 3 out": (33, 32, 31, 30, 33, 32, 31, 30, 29, 28, 27, 26),
    "C6": (33, 32, 31, 30, 29, 28, 27, 26, 27, 26, 25),
    "C7": (33, 32, 31, 30, 29, 28, 27, 26, 27, 26, 25),
    "C6, C7": (33, 32, 31, 30, 29, 28, 27, 26, 27, 26, 25, 26, 25, 24),
}
"""The page's table of stub counts, card by card, for nine players (34 in the stub after the deal)."""


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

    def __init__(self, seats: tuple[int, ...], button: int, grouped: bool = False) -> None:
        """`grouped`: both cards of a seat come together (1809)."""
        order = clockwise(seats, button)
        self.seats, self.button, self.order = seats, button, order
        self.street = 0
        rounds = [order, order]
        holes = [n for n in order for _ in rounds] if grouped else [n for once in rounds for n in once]
        self.due: list[Zone] = [seat(number) for number in holes]
        """Zones of the cards of the open street still to come, in order."""
        self.live = list(order)
        self.acted = False
        self.cards: dict[Token, Zone] = {}
        """Where each card was dealt to."""
        self.unseen = 0
        self.again: list[Zone] = []
        """What is due after the reopened round, where it is not the street's usual cards."""
        self.waiting: list[Token] = []
        """Premature cards aside that go back into the stub before the river (C6, C7)."""
        self.acted_on_street = False
        """ACTION was pressed since the street's cards, or its round was reopened."""
        self.path = ""
        """The premature procedure that was taken, '': none."""
        self.trace: list[int] = []
        """Cards in the stub after each burn, board card or return."""

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
        if not seat_number(zone):
            self.trace.append(self.left() - 1)

    def next(self) -> None:
        """The round is complete: the next street may come."""
        assert not self.due
        self.acted = True
        self.acted_on_street = False
        self.street += 1
        self.due = self.again or ([BURN, BOARD, BOARD, BOARD] if self.street == 1 else [BURN, BOARD])
        self.again = []

    def left(self) -> int:
        """Return how many cards the stub holds after the deal, by the trace."""
        return self.trace[-1] if self.trace else 52 - 2 * len(self.seats)

    def premature(self) -> list[Token]:
        """This street came too early (C6-C8): its round is open again. Return the cards that go back now (the flop)."""
        board = self.of(BOARD)
        if self.street == 1:
            self.path = f"C8, {len(board)} out"
            self.reopen([BOARD, BOARD, BOARD])
            return board
        name = "C6" if self.street == 2 else "C7"
        self.path = f"{self.path}, {name}" if self.path else name
        self.cards[board[-1]] = ASIDE
        self.waiting = [board[-1]]
        self.reopen([BURN, BOARD])
        return []

    def reopen(self, due: list[Zone]) -> None:
        """The round before this street is open again; when it is complete, `due` is dealt."""
        self.street, self.due, self.again = self.street - 1, [], due
        self.acted_on_street = True

    def back(self, cards: list[Token]) -> None:
        """These cards are the stub's again."""
        for card in cards:
            del self.cards[card]
        self.trace.append(self.left() + len(cards))

    def of(self, zone: Zone) -> list[Token]:
        """Return the cards dealt to a zone."""
        return [card for card, dealt in self.cards.items() if dealt == zone]

    def hole(self, number: int) -> list[Token]:
        """Return the cards dealt to a seat."""
        return self.of(seat(number))
