"""How full the journal is: three thresholds, each told once."""

import pytest

from dealerbox.model.events import Space, SpaceLeft
from dealerbox.station.space import SpaceWatch, space_of


@pytest.mark.parametrize(
    ("left", "space"),
    [
        (1000, Space.ENOUGH), (200, Space.ENOUGH), (199, Space.LOW), (100, Space.LOW), (99, Space.LAST_HAND),
        (50, Space.LAST_HAND), (49, Space.FULL), (0, Space.FULL),
    ],
)  # fmt: skip
def test_at_20_percent_a_warning_at_10_no_new_hand_at_5_a_hold(left: int, space: Space) -> None:
    assert space_of(left, 1000) is space


def test_a_table_that_reserves_nothing_is_never_low() -> None:
    assert space_of(0, 0) is Space.ENOUGH


def test_each_level_is_told_once_on_the_way_down_and_up() -> None:
    told: list[SpaceLeft] = []
    watch = SpaceWatch(1000, told.append, lambda: 7)
    for left in (1000, 200, 199, 198, 99, 49, 48, 700):
        watch.look(left)
    assert told == [
        SpaceLeft(7, Space.LOW, 199),
        SpaceLeft(7, Space.LAST_HAND, 99),
        SpaceLeft(7, Space.FULL, 49),
        SpaceLeft(7, Space.ENOUGH, 700),
    ]
