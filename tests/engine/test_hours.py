"""T3 (1827): not before 13:30, six hours at most; what the director may say about it, and what he may not (C14)."""

import pytest

from bench.decided import only
from dealerbox.law.custody import since_now
from dealerbox.model.commands import Lamp, Notice, Refuse
from dealerbox.model.events import CardRetracted, Started, WallClock
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import House
from dealerbox.model.shuffler import Cycle, Memory

MINUTE_MS = 60_000
WALL_S = 1_767_294_000
HALF_PAST_ONE_S = 13 * 3600 + 30 * 60


def reasons(commands):
    return [refusal.reason for refusal in only(commands, Refuse)]


def refused(table):
    return reasons(table.press(Key.START))


def wall(table, day_s, sure=True):
    table.tell(lambda at: WallClock(at, WALL_S + at // 1_000_000_000, day_s, sure), 0)


def recount(table):
    """The deck's own clocks begin anew."""
    table.press(Key.COUNT)
    table.cycle(Cycle.COUNT, 52)
    table.press(Key.ACK)


@pytest.fixture
def noon(make_table):
    """A table ready at a moment when nobody knows the hour."""
    table = make_table(house=House(deck_change_every_min=120))
    table.ready()
    table.tell(lambda at: Started(at, setup=table.setup, memory=Memory(session=2), boot_id="second"))
    table.meet(machine=52)
    table.button(1)
    fresh(table)
    return table


def fresh(table):
    """The count and the change of the deck are no matter here."""
    table.state.counted = table.state.changed = since_now(table.state.now_ns)
    table.state.clock_ns = 0


def played(table):
    """One hand, won before its first card came out."""
    assert refused(table) == []
    table.card_up()
    table.press(Key.AWARD)
    back = table.state.memory.pending
    table.tell(lambda at: CardRetracted(at, back))
    table.cycle(Cycle.SHUFFLE, 52)
    table.button(table.view.button)


@pytest.mark.parametrize(("day_s", "expected"), [(HALF_PAST_ONE_S - 60, [Reason.OUTSIDE_HOURS]), (HALF_PAST_ONE_S, [])])
def test_no_tournament_begins_before_half_past_one(noon, day_s, expected) -> None:
    wall(noon, day_s)
    assert refused(noon) == expected


def test_setting_up_earlier_is_fine_and_at_half_past_one_the_first_hand_starts(noon) -> None:
    wall(noon, HALF_PAST_ONE_S - 600)
    assert refused(noon) == [Reason.OUTSIDE_HOURS]
    assert noon.view.prompt_code == "outside_hours"
    noon.wait(10 * MINUTE_MS)
    assert refused(noon) == []


def test_where_the_wall_clock_is_not_known_to_be_right_the_director_confirms_the_hour(noon) -> None:
    assert refused(noon) == [Reason.OUTSIDE_HOURS]
    wall(noon, 20 * 3600, sure=False)
    assert refused(noon) == [Reason.OUTSIDE_HOURS]
    noon.rule(Ruling.HOUR)
    assert refused(noon) == []


@pytest.mark.parametrize(("minutes", "expected"), [(13 * 60, [Reason.OUTSIDE_HOURS]), (14 * 60, [])])
def test_the_hour_may_be_said_where_no_clock_shows_it(noon, minutes, expected) -> None:
    noon.rule(Ruling.HOUR, value=minutes)
    assert refused(noon) == expected


@pytest.mark.parametrize("minutes", [-1, 0, 1440, 10**9])
def test_an_hour_that_is_none_is_refused(noon, minutes) -> None:
    assert reasons(noon.rule(Ruling.HOUR, value=minutes)) == [Reason.NO_AUTHORITY]


def test_a_right_wall_clock_is_not_overruled(noon) -> None:
    wall(noon, 12 * 3600)
    assert reasons(noon.rule(Ruling.HOUR, value=14 * 60)) == [Reason.NO_AUTHORITY]
    assert refused(noon) == [Reason.OUTSIDE_HOURS]


def test_no_hand_starts_within_five_minutes_of_six_hours_after_the_first(noon) -> None:
    wall(noon, HALF_PAST_ONE_S)
    played(noon)
    noon.wait(355 * MINUTE_MS - 60_000)
    fresh(noon)
    assert noon.view.prompt_code == "start"
    noon.wait(60_000)
    fresh(noon)
    assert refused(noon) == [Reason.TOURNAMENT_OVER]
    assert noon.view.prompt_code == "tournament_over"
    assert [n.reason for n in only(noon.wait(6 * MINUTE_MS), Notice)][-1] is Reason.TOURNAMENT_OVER


def test_the_director_says_when_the_tournament_began_if_that_was_before_the_first_hand_here(noon) -> None:
    wall(noon, 19 * 3600)
    noon.rule(Ruling.BEGAN, value=5 * 60)
    played(noon)
    noon.wait(56 * MINUTE_MS)
    fresh(noon)
    assert refused(noon) == [Reason.TOURNAMENT_OVER]


def test_he_cannot_say_that_it_began_after_the_first_hand_here(noon) -> None:
    wall(noon, HALF_PAST_ONE_S)
    played(noon)
    noon.wait(350 * MINUTE_MS)
    assert reasons(noon.rule(Ruling.BEGAN, value=60)) == [Reason.NO_AUTHORITY]
    noon.wait(10 * MINUTE_MS)
    fresh(noon)
    assert refused(noon) == [Reason.TOURNAMENT_OVER]


@pytest.mark.parametrize("minutes", [-1, 1441, 10**9])
def test_a_beginning_that_is_none_is_refused(noon, minutes) -> None:
    assert reasons(noon.rule(Ruling.BEGAN, value=minutes)) == [Reason.NO_AUTHORITY]


def test_a_beginning_before_half_past_one_is_refused(noon) -> None:
    wall(noon, 14 * 3600)
    assert reasons(noon.rule(Ruling.BEGAN, value=45)) == [Reason.OUTSIDE_HOURS]
    assert reasons(noon.rule(Ruling.BEGAN, value=30)) == []


def test_a_beginning_said_while_nobody_knew_the_hour_is_judged_when_the_hand_starts(noon) -> None:
    noon.rule(Ruling.BEGAN, value=60)
    noon.rule(Ruling.HOUR, value=14 * 60)
    assert refused(noon) == [Reason.OUTSIDE_HOURS]


def test_after_a_reboot_a_tournament_of_unknown_length_waits_for_the_director(noon) -> None:
    wall(noon, HALF_PAST_ONE_S)
    played(noon)
    noon.tell(lambda at: Started(at, setup=noon.setup, memory=Memory(session=3), boot_id="third"))
    noon.meet(machine=52)
    noon.button(noon.view.button)
    fresh(noon)
    assert refused(noon) == [Reason.CLOCK_UNSURE]
    assert (noon.view.prompt_code, noon.view.lamp) == ("began", Lamp.AMBER)
    noon.rule(Ruling.BEGAN, value=90)
    assert refused(noon) == []


def test_a_first_hand_taken_back_began_no_tournament(noon) -> None:
    wall(noon, HALF_PAST_ONE_S)
    noon.press(Key.START)
    noon.press(Key.UNDO)
    assert noon.state.tournament.began.latest_ns < 0


def test_hand_for_hand_no_hand_starts_before_resume(noon) -> None:
    """1830(2)."""
    wall(noon, HALF_PAST_ONE_S)
    noon.rule(Ruling.PAUSE)
    assert (refused(noon), noon.view.prompt_code, noon.view.lamp) == ([Reason.PAUSED], "paused", Lamp.AMBER)
    assert reasons(noon.rule(Ruling.PAUSE)) == [Reason.NOT_NOW]
    noon.rule(Ruling.RESUME)
    assert refused(noon) == []
    assert reasons(noon.rule(Ruling.RESUME)) == [Reason.NOT_NOW]


def test_a_pause_ruled_in_mid_hand_lets_the_hand_be_played(noon) -> None:
    wall(noon, HALF_PAST_ONE_S)
    noon.press(Key.START)
    noon.rule(Ruling.PAUSE)
    assert noon.state.memory.pending_kind == "Dispense"


def closed(table):
    table.rule(Ruling.CLOSE)


def test_closing_and_opening_again_does_not_give_another_six_hours(noon) -> None:
    wall(noon, HALF_PAST_ONE_S)
    played(noon)
    noon.wait(300 * MINUTE_MS)
    closed(noon)
    assert refused(noon) == [Reason.TABLE_CLOSED]
    noon.opened_again()
    assert reasons(noon.rule(Ruling.BEGAN, value=1)) == [Reason.NO_AUTHORITY]
    noon.wait(56 * MINUTE_MS)
    fresh(noon)
    assert refused(noon) == [Reason.TOURNAMENT_OVER]


def test_the_next_evening_another_tournament_begins_and_not_before_half_past_one(noon) -> None:
    wall(noon, HALF_PAST_ONE_S)
    played(noon)
    closed(noon)
    noon.wait(22 * 60 * MINUTE_MS)
    noon.opened_again()
    assert refused(noon) == [Reason.OUTSIDE_HOURS]
    noon.wait(2 * 60 * MINUTE_MS)
    fresh(noon)
    assert refused(noon) == []


def test_the_next_evening_after_a_reboot_the_wall_clock_or_the_director_says_that_it_is_another(noon) -> None:
    wall(noon, HALF_PAST_ONE_S)
    played(noon)
    closed(noon)
    noon.opened_again("third")
    assert refused(noon) == [Reason.CLOCK_UNSURE]
    noon.rule(Ruling.BEGAN, value=5)
    assert reasons(noon.rule(Ruling.BEGAN, value=0)) == []
    noon.rule(Ruling.HOUR, value=19 * 60)
    assert refused(noon) == []


def test_before_half_past_one_the_panel_waits_in_amber(noon) -> None:
    wall(noon, HALF_PAST_ONE_S - 60)
    assert (noon.view.prompt_code, noon.view.lamp) == ("outside_hours", Lamp.AMBER)
