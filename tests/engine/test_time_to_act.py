"""The time to act (1821) at what is no action: a doubt about the deck."""

import pytest

from dealerbox.model.commands import Notice
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import House

CLOCK_MS, WARNING_MS = 30_000, 8_000


@pytest.fixture
def betting(make_table):
    table = make_table(house=House(action_clock_s=30, action_warning_s=8))
    table.holes()
    return table


def told(table, ms) -> list[Reason]:
    return [said.reason for said in table.wait(ms) if isinstance(said, Notice) and said.reason.value.startswith("time")]


def test_a_key_that_says_nothing_of_the_player_gives_no_more_time(betting) -> None:
    betting.wait(CLOCK_MS - WARNING_MS - 1000)
    betting.press(Key.SUSPECT)
    assert betting.reasons == []
    assert told(betting, 1000) == [Reason.TIME_DUE]
