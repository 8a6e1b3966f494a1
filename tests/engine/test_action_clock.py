"""1821: an optional limit on the time to act, of which the dealer warns the player before it is over."""

import pytest

from dealerbox.model.commands import Hold, Lamp, Notice
from dealerbox.model.events import Started
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import House
from dealerbox.model.shuffler import Memory

CLOCK_MS, WARNING_MS = 30_000, 8_000
HOUSE = House(action_clock_s=30, action_warning_s=8)


def noticed(commands):
    return [command.reason for command in commands if isinstance(command, Notice)]


@pytest.fixture
def betting(make_table):
    """Three players have their cards; the first is to act."""
    table = make_table(house=HOUSE)
    table.holes()
    return table


def told(table, ms):
    return noticed(table.wait(ms))


def test_the_player_is_warned_before_the_time_is_over_and_told_when_it_is(betting) -> None:
    assert told(betting, CLOCK_MS - WARNING_MS - 1) == []
    assert betting.view.lamp is Lamp.GREEN
    assert told(betting, 2) == [Reason.TIME_DUE]
    assert (betting.view.lamp, betting.view.buzzer, betting.view.prompt_code) == (Lamp.AMBER, False, "time_due")
    assert betting.view.prompt == "Warn the player: 8 seconds left. Then ACTION, or NEXT."
    assert told(betting, WARNING_MS - 2) == []
    assert told(betting, 2) == [Reason.TIME_OVER]
    assert (betting.view.lamp, betting.view.prompt_code) == (Lamp.AMBER, "time_over")
    assert "checks" in betting.view.prompt
    assert "dead" in betting.view.prompt
    assert told(betting, 600_000) == [], "it is told once"
    assert betting.view.holds == ()


def test_it_blocks_nothing_and_next_ends_it(betting) -> None:
    betting.wait(CLOCK_MS)
    assert not [c for c in betting.press(Key.NEXT) if isinstance(c, Hold)]
    assert (betting.view.phase, betting.view.lamp, betting.view.notices) == ("dealing", Lamp.GREEN, ())


def test_each_action_gives_the_next_player_the_whole_time(betting) -> None:
    for _ in range(3):
        assert told(betting, CLOCK_MS - WARNING_MS - 100) == []
        betting.press(Key.ACTION)
    assert told(betting, CLOCK_MS - WARNING_MS) == [Reason.TIME_DUE]
    betting.press(Key.ACTION)
    assert (betting.view.lamp, betting.view.prompt_code, betting.view.notices) == (Lamp.GREEN, "round", ())


def test_undo_of_the_second_action_leaves_the_first(betting) -> None:
    """1811(3): action has occurred all the same."""
    betting.press(Key.ACTION)
    betting.press(Key.ACTION)
    betting.press(Key.UNDO)
    assert betting.state.acted
    assert told(betting, CLOCK_MS - WARNING_MS) == [Reason.TIME_DUE]


def test_every_street_has_its_clock_and_no_card_has_one(betting) -> None:
    betting.press(Key.NEXT)
    assert told(betting, 2 * CLOCK_MS) == []
    betting.deal_street()
    assert told(betting, CLOCK_MS) == [Reason.TIME_DUE, Reason.TIME_OVER]


def test_the_last_round_ends_by_next_and_the_showdown_has_no_clock(betting) -> None:
    for _ in range(3):
        betting.press(Key.NEXT)
        betting.deal_street()
    assert Key.NEXT in betting.view.lit
    assert told(betting, CLOCK_MS) == [Reason.TIME_DUE, Reason.TIME_OVER]
    betting.press(Key.NEXT)
    assert told(betting, 10 * CLOCK_MS) == []
    assert (betting.view.prompt_code, betting.view.lamp) == ("award", Lamp.GREEN)
    assert Key.NEXT not in betting.view.lit


def test_with_one_live_hand_nobody_has_to_act(betting) -> None:
    """H8."""
    betting.press(Key.ACTION)
    for seat in (1, 2):
        betting.rule(Ruling.HAND_DEAD, seat=seat)
    assert told(betting, 10 * CLOCK_MS) == []


def test_a_hold_stops_it_and_gives_the_player_the_whole_time_again(betting) -> None:
    betting.wait(CLOCK_MS - WARNING_MS - 5000)
    betting.button(2)
    assert told(betting, 10 * CLOCK_MS) == []
    assert betting.reasons == ["button_moved"]
    betting.button(1)
    assert betting.reasons == []
    assert told(betting, CLOCK_MS - WARNING_MS - 1) == []
    assert told(betting, 2) == [Reason.TIME_DUE]


def test_a_restart_gives_the_player_the_whole_time_again(betting) -> None:
    """C12 is about the clocks of the deck and the evening: this one is the dealer's comfort."""
    betting.wait(CLOCK_MS - 1000)
    betting.tell(lambda at: Started(at, setup=betting.setup, memory=Memory(session=9), boot_id=""))
    assert told(betting, 10 * CLOCK_MS) == []
    betting.meet(machine=46, agreed=True)
    betting.button(1)
    betting.press(Key.ACK)
    assert betting.reasons == []
    assert told(betting, CLOCK_MS - WARNING_MS - 1) == []
    assert told(betting, 2) == [Reason.TIME_DUE]


def test_pause_is_about_the_next_hand_and_stops_no_clock_of_this_one(betting) -> None:
    betting.rule(Ruling.PAUSE)
    assert told(betting, CLOCK_MS - WARNING_MS) == [Reason.TIME_DUE]


def test_time_that_leaps_over_the_limit_is_warned_of_first(betting) -> None:
    """1821: the warning comes before the time is over, whatever the station slept through."""
    betting.now_ns += 10 * CLOCK_MS * 1_000_000
    assert told(betting, 0) == [Reason.TIME_DUE]
    assert told(betting, WARNING_MS - 1) == []
    assert told(betting, 1) == [Reason.TIME_OVER]


def test_award_and_misdeal_end_it(betting) -> None:
    betting.wait(CLOCK_MS)
    betting.press(Key.MISDEAL)
    assert betting.view.notices == ()
    assert told(betting, 10 * CLOCK_MS) == []


def test_without_the_setting_nothing_is_told(make_table) -> None:
    table = make_table()
    table.holes()
    assert told(table, 1000 * CLOCK_MS // 100) == []
    assert table.state.turn is None


def test_with_two_live_hands_the_clock_runs_by_1821(betting) -> None:
    betting.rule(Ruling.HAND_DEAD, seat=1)
    betting.press(Key.ACTION)
    assert betting.state.turn is not None
