"""1827 from evening to evening: what begins a tournament's six hours, and for how long the hour is known."""

import pytest

from dealerbox.law.custody import since_now
from dealerbox.model.commands import Notice, Refuse
from dealerbox.model.events import CardRetracted, Started, WallClock
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.shuffler import Cycle, Memory

MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
WALL_S = 1_767_294_000
SEVEN = 19 * 3600


def reasons(commands):
    return [command.reason.value for command in commands if isinstance(command, Refuse)]


def told(commands):
    return [command.reason.value for command in commands if isinstance(command, Notice)]


def fresh(table):
    """Count and change of the deck are no matter here."""
    table.state.counted = table.state.changed = since_now(table.state.now_ns)
    table.state.clock_ns = 0


def start(table):
    fresh(table)
    return reasons(table.press(Key.START))


def wall(table, day_s=SEVEN, later_s=0, sure=True):
    table.tell(lambda at: WallClock(at, WALL_S + later_s + at // 1_000_000_000, day_s, sure), 0)


def booted(table, name):
    table.tell(lambda at: Started(at, setup=table.setup, memory=Memory(session=9), boot_id=name))
    table.meet(machine=52)
    table.button(max(table.view.button, 1))


def played(table):
    """One hand, won before its first card came out."""
    assert start(table) == []
    table.card_up()
    table.press(Key.AWARD)
    back = table.state.memory.pending
    table.tell(lambda at: CardRetracted(at, back))
    table.cycle(Cycle.SHUFFLE, 52)
    table.button(table.view.button)


@pytest.fixture
def evening(make_table):
    """A table ready at a moment when nobody knows the hour."""
    table = make_table()
    table.ready()
    booted(table, "second")
    return table


# The hour.


@pytest.mark.parametrize(("minutes", "refused"), [(13 * 60 + 29, True), (13 * 60 + 30, False), (23 * 60 + 59, False)])
def test_the_hour_is_said_in_minutes_since_midnight(evening, minutes, refused) -> None:
    evening.rule(Ruling.HOUR, value=minutes)
    assert start(evening) == (["outside_hours"] if refused else [])


def test_the_hour_goes_on_from_the_moment_when_it_was_said(evening) -> None:
    evening.wait(31 * MINUTE_MS)
    evening.rule(Ruling.HOUR, value=13 * 60)
    assert start(evening) == ["outside_hours"]
    evening.wait(29 * MINUTE_MS)
    assert start(evening) == ["outside_hours"]
    evening.wait(MINUTE_MS)
    assert start(evening) == []


def test_an_hour_said_before_a_reboot_is_not_known_after_it(evening) -> None:
    evening.rule(Ruling.HOUR, value=SEVEN // 60)
    booted(evening, "third")
    assert start(evening) == ["outside_hours"]


def test_that_it_began_at_a_lawful_hour_is_known_though_the_clock_is_not_any_more(evening) -> None:
    wall(evening)
    evening.rule(Ruling.BEGAN, value=60)
    booted(evening, "third")
    assert start(evening) == ["clock_unsure"]
    evening.rule(Ruling.BEGAN, value=70)
    assert start(evening) == []


# Six hours from the first hand, or from when the director says.


def test_the_second_hand_begins_no_new_six_hours(evening) -> None:
    wall(evening)
    played(evening)
    evening.wait(2 * HOUR_MS)
    played(evening)
    evening.wait(4 * HOUR_MS - 5 * MINUTE_MS)
    assert start(evening) == ["tournament_over"]


def test_it_began_no_later_than_the_first_hand_whatever_was_said_before(evening) -> None:
    wall(evening)
    played(evening)
    first_ns = evening.state.tournament.played.latest_ns
    evening.wait(HOUR_MS)
    played(evening)
    assert evening.state.tournament.played.latest_ns == first_ns
    assert reasons(evening.rule(Ruling.BEGAN, value=90)) == []
    assert reasons(evening.rule(Ruling.BEGAN, value=30)) == ["no_authority"]


def test_it_may_have_begun_with_the_first_hand_to_the_moment_and_a_day_ago_at_most(evening) -> None:
    wall(evening)
    assert reasons(evening.rule(Ruling.BEGAN, value=24 * 60)) == []
    evening.rule(Ruling.BEGAN, value=0)
    assert start(evening) == []
    at_ns = evening.state.tournament.played.latest_ns
    evening.wait((at_ns + 60 * MINUTE_MS * 1_000_000 - evening.now_ns) // 1_000_000 - 10)
    assert reasons(evening.rule(Ruling.BEGAN, value=60)) == []


def test_that_it_is_over_is_told_again_where_the_director_has_said_that_it_began_later(evening) -> None:
    wall(evening)
    assert told(evening.rule(Ruling.BEGAN, value=5 * 60)) == []
    assert told(evening.wait(HOUR_MS))[-1:] == ["tournament_over"]
    evening.rule(Ruling.BEGAN, value=5 * 60)
    assert "tournament_over" in told(evening.wait(HOUR_MS))


# From evening to evening.


def test_a_pause_ends_with_the_evening(evening) -> None:
    wall(evening)
    played(evening)
    evening.rule(Ruling.PAUSE)
    evening.rule(Ruling.CLOSE)
    evening.opened_again()
    assert start(evening) == []


@pytest.mark.parametrize("before_ms", [0, 5 * HOUR_MS])
def test_two_hours_of_break_are_no_other_evening_however_long_the_station_has_run(evening, before_ms) -> None:
    evening.wait(before_ms)
    wall(evening)
    played(evening)
    began = evening.state.tournament.began
    evening.rule(Ruling.CLOSE)
    evening.wait(2 * HOUR_MS)
    evening.opened_again()
    wall(evening, SEVEN + 2 * 3600)
    assert evening.state.tournament.began.latest_ns == began.latest_ns


def test_a_wall_clock_known_to_be_right_says_after_a_reboot_that_it_is_another_evening(evening) -> None:
    wall(evening)
    played(evening)
    wall(evening)
    evening.rule(Ruling.CLOSE)
    evening.opened_again("third")
    wall(evening, later_s=24 * 3600)
    assert start(evening) == []


def test_the_next_evening_is_over_after_its_own_six_hours_and_that_is_told_again(evening) -> None:
    wall(evening)
    played(evening)
    assert "tournament_over" in told(evening.wait(6 * HOUR_MS))
    evening.rule(Ruling.CLOSE)
    evening.wait(18 * HOUR_MS)
    evening.opened_again()
    wall(evening)
    played(evening)
    assert "tournament_over" in told(evening.wait(6 * HOUR_MS))
    wall(evening)
    assert start(evening) == ["tournament_over"]


def test_one_whose_beginning_the_director_said_is_over_too_and_no_clock_begins_another(evening) -> None:
    wall(evening)
    played(evening)
    evening.rule(Ruling.CLOSE)
    evening.opened_again("third")
    evening.rule(Ruling.BEGAN, value=5)
    evening.rule(Ruling.HOUR, value=SEVEN // 60)
    played(evening)
    evening.wait(7 * HOUR_MS)
    wall(evening, later_s=30 * 3600)
    assert start(evening) == ["tournament_over"]


def test_an_evening_that_the_director_said_had_begun_is_over_though_no_hand_was_dealt(evening) -> None:
    wall(evening)
    played(evening)
    evening.rule(Ruling.CLOSE)
    evening.opened_again("third")
    evening.rule(Ruling.BEGAN, value=5)
    evening.wait(7 * HOUR_MS)
    wall(evening, later_s=30 * 3600)
    assert start(evening) == ["tournament_over"]


def test_after_a_reboot_a_right_wall_clock_says_that_it_may_be_over_1827(evening) -> None:
    wall(evening)
    played(evening)
    wall(evening)
    booted(evening, "third")
    wall(evening, later_s=7 * 3600)
    assert start(evening) == ["tournament_over"]
