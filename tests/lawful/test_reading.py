"""The second reading by itself: the deal's order, the button, and the page's table of stub counts card by card."""

import pytest

from bench.lawful.reading import TRACES, Hand, buttons
from dealerbox.model.cards import token
from dealerbox.model.zones import BOARD, BURN, seat


class Dealt:
    """A hand of nine dealt on paper."""

    def __init__(self) -> None:
        self.hand = Hand(tuple(range(1, 10)), 9)
        self.card = 0
        self.deal(18)

    def deal(self, cards: int) -> None:
        for _ in range(cards):
            self.card += 1
            self.hand.done(token(1, self.card), self.hand.due[0])

    def street(self, cards: int) -> None:
        self.hand.next()
        if self.hand.last and self.hand.waiting:
            self.back(self.hand.waiting)
            self.hand.waiting = []
        assert len(self.hand.due) >= cards
        self.deal(cards)

    def back(self, cards) -> None:
        self.hand.back(cards)


def flop_again(dealt: Dealt, out: int) -> None:
    dealt.street(1 + out)
    dealt.back(dealt.hand.premature())
    dealt.street(3)
    dealt.street(2)
    dealt.street(2)


def turn_again(dealt: Dealt) -> None:
    dealt.street(4)
    dealt.street(2)
    dealt.hand.premature()
    dealt.street(2)
    dealt.street(2)


def river_again(dealt: Dealt) -> None:
    dealt.street(4)
    dealt.street(2)
    dealt.street(2)
    dealt.hand.premature()
    dealt.street(2)


def both_again(dealt: Dealt) -> None:
    turn_again(dealt)
    dealt.hand.premature()
    dealt.street(2)


PLAYED = {
    "": lambda dealt: [dealt.street(4), dealt.street(2), dealt.street(2)],
    "C8, 1 out": lambda dealt: flop_again(dealt, 1),
    "C8, 2 out": lambda dealt: flop_again(dealt, 2),
    "C8, 3 out": lambda dealt: flop_again(dealt, 3),
    "C6": turn_again,
    "C7": river_again,
    "C6, C7": both_again,
}
BURNS = {"C6": 4, "C7": 4, "C6, C7": 5}


@pytest.mark.parametrize("path", PLAYED)
def test_the_stub_counts_of_the_page_card_by_card(path) -> None:
    dealt = Dealt()
    PLAYED[path](dealt)
    hand = dealt.hand
    assert (hand.path, tuple(hand.trace)) == (path, TRACES[path])
    assert len(hand.of(BOARD)) == 5
    assert len(hand.of(BURN)) == BURNS.get(path, 3)
    assert 18 + 5 + len(hand.of(BURN)) + hand.left() == 52


def test_hole_cards_twice_round_left_of_the_button_first_and_in_groups_two_together() -> None:
    assert Hand((2, 4, 9), 4).due == [seat(n) for n in (9, 2, 4, 9, 2, 4)]
    assert Hand((2, 4, 9), 4, grouped=True).due == [seat(n) for n in (9, 9, 2, 2, 4, 4)]


def test_a_dead_button_may_lie_at_an_empty_seat() -> None:
    assert buttons((2, 5), 2, 10, dead=False) == [5]
    assert buttons((2, 5), 2, 10, dead=True) == [3, 4, 5]
    assert buttons((2, 5), 5, 6, dead=True) == [6, 1, 2]
