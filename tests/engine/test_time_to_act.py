"""The time to act (1821) at what is no action: a doubt about the deck."""

import pytest

from dealerbox.engine.notices import turn_told
from dealerbox.engine.state import Turn
from dealerbox.model.commands import Notice
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import House
from dealerbox.model.zones import MUCK

CLOCK_MS, WARNING_MS = 30_000, 8_000
SECOND_NS = 1_000_000_000


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


@pytest.mark.parametrize(
    ("passed_s", "before", "after"),
    [
        (21, None, None),
        (22, None, Reason.TIME_DUE),
        (29, Reason.TIME_DUE, Reason.TIME_DUE),
        (30, Reason.TIME_DUE, Reason.TIME_OVER),
    ],
)
def test_whenever_the_station_looks_it_says_no_more_than_is_so(betting, passed_s, before, after) -> None:
    state = betting.state
    state.turn = Turn(state.now_ns - passed_s * SECOND_NS, before)
    assert turn_told(state, state.turn).turn.told is after


def test_where_the_station_slept_over_both_limits_the_player_is_warned_and_has_the_rest(betting) -> None:
    state = betting.state
    state.turn = Turn(state.now_ns - 300 * SECOND_NS)
    assert turn_told(state, state.turn).turn == Turn(state.now_ns - 22 * SECOND_NS, Reason.TIME_DUE)


def test_after_an_action_taken_back_the_player_has_the_whole_time_1821(betting) -> None:
    betting.press(Key.ACTION)
    betting.wait(15_000)
    betting.press(Key.UNDO)
    assert told(betting, CLOCK_MS - WARNING_MS - 1) == []
    assert told(betting, 1) == [Reason.TIME_DUE]


def test_in_a_round_that_a_burn_too_soon_opens_again_the_player_has_the_whole_time_1821(betting) -> None:
    betting.press(Key.NEXT)
    betting.deal()
    assert betting.state.turn is None
    betting.press(Key.PREMATURE)
    assert (betting.reasons, betting.view.phase) == ([], "betting")
    assert told(betting, CLOCK_MS - WARNING_MS - 1) == []
    assert told(betting, 1) == [Reason.TIME_DUE]


def test_a_hand_that_is_brought_back_gives_the_player_the_whole_time_1821(make_table) -> None:
    table = make_table(house=House(action_clock_s=30, action_warning_s=8))
    cards = table.holes()
    table.see(MUCK, cards[0], cards[3])
    table.wait(15_000)
    table.press(Key.RETRIEVE, 2)
    assert (table.reasons, table.view.folded) == ([], ())
    assert told(table, CLOCK_MS - WARNING_MS - 1) == []
    assert told(table, 1) == [Reason.TIME_DUE]
