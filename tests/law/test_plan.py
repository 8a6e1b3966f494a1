"""The plan of a lawful hand, against examples worked by hand (H2, H3, C11)."""

import pytest

from dealerbox.law.plan import Street, button_seats, clockwise, plan
from dealerbox.model.setup import ButtonRule


def zones(steps):
    return [str(step.zone) for step in steps]


def test_the_first_card_goes_left_of_the_button_and_the_last_to_it() -> None:
    assert clockwise((1, 4, 6, 9), 6) == (9, 1, 4, 6)


def test_heads_up_the_button_is_dealt_last() -> None:
    assert zones(plan((3, 8), 3))[:4] == ["seat:8", "seat:3", "seat:8", "seat:3"]


def test_a_dead_button_has_the_last_occupied_seat_before_it_dealt_last() -> None:
    assert zones(plan((1, 4, 9), 6))[:3] == ["seat:9", "seat:1", "seat:4"]


def test_every_seat_that_is_entered_is_dealt_to_whoever_sits_there_1804B15() -> None:
    """T5: the plan is made of the seats that were told, and of nothing that could be seen there."""
    assert [zones(plan((1, 2, 3), 1)).count(f"seat:{number}") for number in (1, 2, 3)] == [2, 2, 2]


@pytest.mark.parametrize("players", range(2, 21))
def test_a_normal_hand_takes_two_cards_a_player_and_eight_more(players) -> None:
    """H3, 1802(19), 1804A(3),(4),(6)."""
    steps = plan(tuple(range(1, players + 1)), 1)
    assert len(steps) == 2 * players + 8
    assert zones(steps)[-8:] == ["burn", "board", "board", "board", "burn", "board", "burn", "board"]
    assert [step.street for step in steps[-8:]] == [Street.FLOP] * 4 + [Street.TURN] * 2 + [Street.RIVER] * 2


@pytest.mark.parametrize(
    ("rule", "last", "allowed"),
    [
        (ButtonRule.MOVING, 2, (5,)),
        (ButtonRule.MOVING, 9, (2,)),
        (ButtonRule.DEAD, 2, (3, 4, 5)),
        (ButtonRule.DEAD, 5, (6, 7, 8, 9)),
        (ButtonRule.DEAD, 9, (1, 2, 10)),
    ],
)
def test_the_button_moves_to_the_next_occupied_seat_or_dead_to_an_empty_one_on_the_way(rule, last, allowed) -> None:
    assert button_seats((2, 5, 9), last, rule, 10) == allowed


def test_in_groups_both_cards_of_a_seat_come_together_in_the_same_order_by_1809() -> None:
    steps = plan((2, 4, 9), 4, grouped=True)
    assert zones(steps[:6]) == ["seat:9", "seat:9", "seat:2", "seat:2", "seat:4", "seat:4"]
    assert steps[6:] == plan((2, 4, 9), 4)[6:]


def test_each_card_is_asked_for_by_the_clause_of_its_street_1804A3() -> None:
    steps = plan((1, 2), 1)
    assert [step.clause for step in steps] == ["1804A(3)"] * 4 + ["1804A(4)"] * 4 + ["1804A(6)"] * 4
