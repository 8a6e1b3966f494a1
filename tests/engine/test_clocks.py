"""C1, C3, C12: elapsed time counts over breaks, restarts and reboots; where it is not known, the stricter end does."""

import pytest

from bench.decided import only
from dealerbox.model.commands import Notice, Refuse
from dealerbox.model.events import Started, WallClock
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.shuffler import Cycle, Memory

MINUTE_MS = 60_000
WALL_S = 1_767_294_000
"""19:00 of the evening."""


def refused(table):
    return [refusal.reason for refusal in only(table.press(Key.START), Refuse)]


def noticed(commands):
    return [notice.reason for notice in only(commands, Notice)]


def wall(table, wall_s, sure=True):
    table.tell(lambda at: WallClock(at, wall_s, 19 * 3600, sure))


def boot(table, name, at_ms=1000):
    """The station comes up again; another name of the boot: its clock began at zero."""
    if name:
        table.now_ns = 0
    table.tell(
        lambda at: Started(at, setup=table.setup, memory=Memory(session=table.state.memory.session + 1), boot_id=name),
        at_ms,
    )


def up(table):
    table.meet(machine=52)
    table.button(1)


def counted(table):
    table.press(Key.COUNT)
    table.cycle(Cycle.COUNT, 52)
    table.press(Key.ACK)


@pytest.fixture
def ready(table):
    table.ready()
    wall(table, WALL_S)
    return table


def test_a_restart_within_a_boot_keeps_the_count_clock_to_the_moment(ready) -> None:
    ready.wait(23 * MINUTE_MS)
    boot(ready, "")
    up(ready)
    assert ready.view.prompt_code == "start"
    ready.wait(2 * MINUTE_MS)
    assert refused(ready) == [Reason.COUNT_OVERDUE]


def test_suspended_for_half_an_hour_the_count_is_overdue(ready) -> None:
    ready.now_ns += 31 * MINUTE_MS * 1_000_000
    assert refused(ready) == [Reason.COUNT_OVERDUE]


def test_after_a_reboot_no_hand_starts_while_the_wall_clock_is_not_known_to_be_right(ready) -> None:
    boot(ready, "second")
    wall(ready, WALL_S + 120, sure=False)
    up(ready)
    assert refused(ready) == [Reason.CLOCK_UNSURE]
    assert ready.view.prompt_code == "count"
    counted(ready)
    assert refused(ready) == [Reason.CLOCK_UNSURE]
    assert ready.view.prompt_code == "change"


@pytest.mark.parametrize(
    ("away_s", "expected"), [(10, []), (20 * 60, []), (26 * 60, [Reason.COUNT_OVERDUE]), (3 * 3600, None)]
)
def test_over_a_reboot_two_right_wall_clocks_say_how_long_it_was(ready, away_s, expected) -> None:
    boot(ready, "second")
    wall(ready, WALL_S + away_s)
    up(ready)
    if expected is None:
        counted(ready)
        expected = [Reason.DECK_CHANGE_OVERDUE]
    assert refused(ready) == expected


@pytest.mark.parametrize("step_s", [-31_536_000, -3600, -60])
def test_a_wall_clock_that_says_less_than_what_passed_proves_nothing(ready, step_s) -> None:
    ready.wait(10 * MINUTE_MS)
    wall(ready, WALL_S + 600)
    boot(ready, "second")
    wall(ready, WALL_S + 600 + step_s - 600)
    up(ready)
    assert refused(ready) == [Reason.CLOCK_UNSURE]


@pytest.mark.parametrize("step_s", [-31_536_000, -3600, -2, 2, 3600, 31_536_000])
def test_within_a_boot_no_step_of_the_wall_clock_moves_the_clocks(ready, step_s) -> None:
    ready.wait(20 * MINUTE_MS)
    wall(ready, WALL_S + 20 * 60 + step_s)
    assert ready.view.prompt_code == "start"
    ready.wait(5 * MINUTE_MS)
    assert refused(ready) == [Reason.COUNT_OVERDUE]


def test_of_two_right_wall_clocks_that_contradict_each_other_the_later_one_counts(ready) -> None:
    boot(ready, "second")
    up(ready)
    wall(ready, WALL_S + 60)
    wall(ready, WALL_S + 3600)
    wall(ready, WALL_S + 61)
    assert refused(ready) == [Reason.COUNT_OVERDUE]


def test_what_surely_passed_before_and_after_a_reboot_is_overdue_and_not_unsure(ready) -> None:
    ready.wait(20 * MINUTE_MS)
    boot(ready, "second")
    up(ready)
    ready.wait(6 * MINUTE_MS)
    assert refused(ready) == [Reason.COUNT_OVERDUE]


def test_over_two_reboots_the_date_of_the_count_is_kept(ready) -> None:
    boot(ready, "second")
    wall(ready, WALL_S, sure=False)
    boot(ready, "third")
    wall(ready, WALL_S + 26 * 60)
    up(ready)
    assert refused(ready) == [Reason.COUNT_OVERDUE]
    counted(ready)
    assert refused(ready) == []


def test_a_wall_clock_that_comes_right_after_the_count_dates_it_too(table) -> None:
    table.ready()
    table.wait(10 * MINUTE_MS)
    wall(table, WALL_S)
    boot(table, "second")
    wall(table, WALL_S + 14 * 60)
    up(table)
    assert table.view.prompt_code == "start"
    wall(table, WALL_S + 16 * 60)
    assert refused(table) == [Reason.COUNT_OVERDUE]


def test_an_overrun_is_recorded_and_the_hand_played_to_its_end(table) -> None:
    table.holes()
    assert noticed(table.wait(29 * MINUTE_MS)) == [Reason.COUNT_DUE]
    assert noticed(table.wait(2 * MINUTE_MS)) == [Reason.COUNT_OVERDUE]
    assert noticed(table.wait(100 * MINUTE_MS)) == [Reason.DECK_CHANGE_DUE, Reason.DECK_CHANGE_OVERDUE]
    assert table.reasons == []
    table.press(Key.NEXT)
    assert len(table.deal_street()) == 4


def test_a_start_told_with_time_running_backwards_in_the_same_boot_is_unsure(ready) -> None:
    ready.wait(10 * MINUTE_MS)
    ready.now_ns = 0
    boot(ready, "")
    up(ready)
    assert refused(ready) == [Reason.CLOCK_UNSURE]


def test_the_break_counts_for_the_deck_too(ready) -> None:
    ready.wait(116 * MINUTE_MS)
    counted(ready)
    assert refused(ready) == [Reason.DECK_CHANGE_OVERDUE]


def test_the_clocks_go_on_while_the_table_waits_hand_for_hand(ready) -> None:
    ready.rule(Ruling.PAUSE)
    ready.wait(26 * MINUTE_MS)
    ready.rule(Ruling.RESUME)
    assert refused(ready) == [Reason.COUNT_OVERDUE]


def test_of_a_deck_that_is_in_play_again_by_undo_the_clocks_are_looked_at(ready) -> None:
    ready.press(Key.START)
    ready.deal()
    ready.press(Key.SUSPECT)
    ready.press(Key.AWARD)
    wall(ready, WALL_S)
    ready.wait(5000)
    assert (ready.state.deck, ready.state.clock_ns > ready.state.counted.latest_ns + 3600 * 10**9) == (2, True)
    ready.press(Key.UNDO)
    assert noticed(ready.wait(20 * MINUTE_MS)) == [Reason.COUNT_DUE]


def test_that_the_count_or_the_change_is_due_is_told_again_for_the_next_count_and_the_next_deck(table) -> None:
    table.ready()
    first = noticed(table.wait(29 * MINUTE_MS))
    counted(table)
    assert first == noticed(table.wait(29 * MINUTE_MS)) == [Reason.COUNT_DUE]
