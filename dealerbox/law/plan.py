"""The plan: the steps a lawful hand takes, computed from seats and button (1804A(3),(4),(6))."""

from enum import StrEnum
from typing import Final

import msgspec

from dealerbox.model.setup import ButtonRule
from dealerbox.model.zones import BOARD, BURN, Zone, seat


class Street(StrEnum):
    """The four deals of a hand."""

    PREFLOP = "preflop"
    FLOP = "flop"
    TURN = "turn"
    RIVER = "river"


FOLLOWING: Final = {Street.PREFLOP: Street.FLOP, Street.FLOP: Street.TURN, Street.TURN: Street.RIVER}
PRECEDING: Final = {later: street for street, later in FOLLOWING.items()}

BOARD_CARDS: Final = {Street.FLOP: 3, Street.TURN: 1, Street.RIVER: 1}
"""Board cards dealt on each street (1802(19), 1804A(4),(6))."""


_CLAUSES: Final = {
    Street.PREFLOP: "1804A(3)",
    Street.FLOP: "1804A(4)",
    Street.TURN: "1804A(6)",
    Street.RIVER: "1804A(6)",
}


class Step(msgspec.Struct, frozen=True):
    """One card: the street it belongs to and the zone it must be seen at."""

    street: Street
    zone: Zone

    @property
    def clause(self) -> str:
        """The clause that asks for this card."""
        return _CLAUSES[self.street]


def clockwise(seats: tuple[int, ...], after: int) -> tuple[int, ...]:
    """Return `seats` in clockwise order, beginning left of seat `after`, which (if occupied) comes last."""
    return tuple(sorted(number for number in seats if number > after)) + tuple(
        sorted(number for number in seats if number <= after)
    )


def plan(seats: tuple[int, ...], button: int, grouped: bool = False) -> tuple[Step, ...]:
    """Return the steps of a whole hand: hole cards twice round, then burn and board street by street (H2, H3).

    Each seat that was entered is dealt to, whoever sits there (T5).

    `button` may be an empty seat (dead button): the last occupied seat before it is then dealt last.
    `grouped`: both cards of a seat together, in the same order (1809).
    """
    order = clockwise(seats, button)
    rounds = [number for number in order for _ in range(2)] if grouped else [*order, *order]
    steps = [Step(Street.PREFLOP, seat(number)) for number in rounds]
    for street, cards in BOARD_CARDS.items():
        steps.append(Step(street, BURN))
        steps.extend(Step(street, BOARD) for _ in range(cards))
    return tuple(steps)


def button_seats(seats: tuple[int, ...], last: int, rule: ButtonRule, max_seats: int) -> tuple[int, ...]:
    """Return the seats where the button may lie for the hand after one with the button at `last` (C11).

    `moving`: the next occupied seat clockwise. `dead`: that, or an empty seat passed on the way to it.
    """
    following = clockwise(seats, last)[0]
    if rule is ButtonRule.MOVING:
        return (following,)
    way = clockwise(tuple(range(1, max(max_seats, *seats) + 1)), last)
    return tuple(sorted(way[: way.index(following) + 1]))
