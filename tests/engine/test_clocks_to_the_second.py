"""The hours of the tournament and the deck's clocks at their very limits, and where an end of them is not known."""

import pytest
from msgspec.structs import replace

from dealerbox.engine import clocks
from dealerbox.engine.state import Daytime, State, Tournament
from dealerbox.law.custody import DAY_S, EARLIEST_DAY_S, MINUTE_NS, NEVER_NS, SECOND_NS, TOURNAMENT_NS, Since, since_now
from dealerbox.model.commands import Notice, Refuse
from dealerbox.model.events import WallClock
from dealerbox.model.reasons import Reason

HOUR_NS = 60 * MINUTE_NS


@pytest.mark.parametrize(("late_ns", "another"), [(0, False), (1, True)])
def test_another_evening_begins_once_the_six_hours_of_the_last_are_over_and_not_with_them_1827(
    table, late_ns, another
) -> None:
    table.ready()
    began = since_now(table.state.now_ns - TOURNAMENT_NS - late_ns)
    table.state.tournament = Tournament(began=began, played=began, closed=True)
    assert (clocks.opened(table.state).tournament == Tournament()) is another


@pytest.mark.parametrize(("half_seconds", "may"), [(-2, False), (-1, True), (0, True), (2, True)])
def test_a_tournament_that_began_in_the_second_of_half_past_one_began_lawfully_1827(table, half_seconds, may) -> None:
    """The hour is told in whole seconds: half a second is none."""
    table.ready()
    state = table.state
    passed_ns = HOUR_NS - half_seconds * SECOND_NS // 2
    state.hour, state.wall = None, None
    state.daytime = Daytime(state.now_ns, EARLIEST_DAY_S + 3600)
    state.tournament = Tournament(began=since_now(state.now_ns - passed_ns))
    fault = clocks.hour_fault(state)
    assert (fault is None) is may


def test_no_clock_is_unsure_of_what_has_not_happened_C12(table) -> None:
    table.ready()
    table.state.tournament, table.state.counted, table.state.changed = Tournament(), Since(), Since()
    assert clocks.unsure(table.state) is None


@pytest.mark.parametrize(
    ("clock", "limit"), [("counted", Reason.COUNT_OVERDUE), ("changed", Reason.DECK_CHANGE_OVERDUE)]
)
def test_the_clock_that_a_reboot_made_unsure_is_named_C12(table, clock, limit) -> None:
    table.ready()
    now = since_now(table.state.now_ns)
    table.state.counted = table.state.changed = now
    table.state.tournament = Tournament(began=now)
    setattr(table.state, clock, replace(now, earliest_ns=NEVER_NS, here=False))
    assert clocks.unsure(table.state) is limit


def test_a_limit_whose_earliest_end_is_not_known_is_told_by_its_latest_C1(table) -> None:
    table.ready()
    state = table.state
    state.counted = Since(NEVER_NS, state.now_ns - 3 * HOUR_NS, here=False)
    state.changed = since_now(state.now_ns)
    told = [told.reason for told in clocks.clocks(state).out_commands if isinstance(told, Notice)]
    assert told == [Reason.COUNT_DUE, Reason.COUNT_OVERDUE]


def test_a_limit_whose_earliest_end_is_known_is_told_by_that_C1(table) -> None:
    table.ready()
    state = table.state
    state.counted = Since(state.now_ns - 3 * HOUR_NS, state.now_ns, here=False)
    state.changed = since_now(state.now_ns)
    told = [told.reason for told in clocks.clocks(state).out_commands if isinstance(told, Notice)]
    assert told == [Reason.COUNT_DUE, Reason.COUNT_OVERDUE]


# A reading that no right clock gives.

LATEST_S = 8_589_934_592
"""In the year 2242."""


@pytest.mark.parametrize(
    ("wall_s", "day_s", "taken"),
    [
        (0, 0, True),
        (LATEST_S, DAY_S, True),
        (-1, 0, False),
        (LATEST_S + 1, 0, False),
        (1, -1, False),
        (1, DAY_S + 1, False),
    ],
)
def test_a_wall_clock_is_right_between_its_ends_and_beyond_them_it_is_refused_and_taken_as_not_sure(
    table, wall_s, day_s, taken
) -> None:
    state = State(now_ns=SECOND_NS)
    told = clocks.told_time(state, WallClock(SECOND_NS, wall_s, day_s, True))
    assert (told.wall.sure, told.daytime == Daytime(SECOND_NS, day_s)) == (taken, taken)
    refusals = [(c.reason, c.asked) for c in told.out_commands if isinstance(c, Refuse)]
    assert refusals == ([] if taken else [(Reason.CLOCK_UNSURE, "time")])


def test_a_first_hand_of_this_boot_is_dated_by_a_wall_clock_that_comes_right_later_T3(table) -> None:
    state = State(now_ns=10 * SECOND_NS, tournament=Tournament(began=since_now(0), played=since_now(SECOND_NS)))
    dated = clocks.told_time(state, WallClock(state.now_ns, 1000, 60_000, True)).tournament
    assert (dated.began.wall_s, dated.played.wall_s) == (990, 991)


def test_what_was_told_of_the_deck_before_is_told_anew_of_the_next_1804B8(table) -> None:
    deck = {Reason.DECK_CHANGE_DUE, Reason.DECK_CHANGE_OVERDUE}
    state = clocks.came_into_play(State(now_ns=5, warned=frozenset({*deck, Reason.COUNT_DUE})))
    assert (state.changed, state.warned) == (since_now(5), {Reason.COUNT_DUE})
