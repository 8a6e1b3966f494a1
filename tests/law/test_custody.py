"""Clocks over restarts (C12): what is known of a moment, and when a limit is reached. Every edge by its number."""

import pytest
from msgspec.structs import replace

from dealerbox.law.clauses import cited
from dealerbox.law.custody import (
    DAY_S,
    MINUTE_NS,
    NEVER_NS,
    SECOND_NS,
    Reach,
    Since,
    dated,
    reach,
    rebooted,
    since_now,
    warning_ns,
)

HOUR_NS = 3600 * SECOND_NS
NOW_NS = 100 * HOUR_NS


@pytest.mark.parametrize(
    ("earliest_ns", "latest_ns", "reached"),
    [(0, 0, Reach.WITHIN), (-1, 0, Reach.UNSURE), (-1, -1, Reach.PAST), (-2, -1, Reach.PAST), (5, 5, Reach.WITHIN)],
)
def test_a_limit_is_past_only_when_more_than_it_has_gone_by(earliest_ns, latest_ns, reached) -> None:
    since = Since(NOW_NS + earliest_ns, NOW_NS + latest_ns)
    assert reach(since, NOW_NS + HOUR_NS, HOUR_NS) is reached


def test_after_a_reboot_the_time_before_has_passed_and_no_more_is_known() -> None:
    again = rebooted(since_now(30 * SECOND_NS), 50 * SECOND_NS, 7 * SECOND_NS)
    assert again == Since(NEVER_NS, (30 - 50 + 7) * SECOND_NS, here=False)


def test_what_never_was_stays_so_over_a_reboot_and_has_no_date() -> None:
    never = Since(NEVER_NS, NEVER_NS)
    assert rebooted(never, 50, 7) == never
    assert dated(never, NOW_NS, 1000) == never


def test_a_moment_of_this_boot_is_dated_by_whole_seconds_rather_too_early() -> None:
    since = since_now(NOW_NS - 10 * SECOND_NS - 1)
    assert dated(since, NOW_NS, 1000) == replace(since, wall_s=989)
    assert dated(since_now(NOW_NS), NOW_NS, 1).wall_s == 1


def test_of_two_readings_in_this_boot_the_earlier_date_counts() -> None:
    since = replace(since_now(NOW_NS - 10 * SECOND_NS), wall_s=985)
    assert dated(since, NOW_NS, 1000).wall_s == 985
    assert dated(replace(since, wall_s=995), NOW_NS, 1000).wall_s == 990


@pytest.mark.parametrize("wall_s", [0, -1])
def test_a_clock_that_says_nothing_dates_nothing(wall_s) -> None:
    since = since_now(NOW_NS - 10 * SECOND_NS)
    assert dated(since, NOW_NS, wall_s) == since


def test_a_date_of_a_boot_before_is_an_upper_end_and_wider_by_the_doubt() -> None:
    since = Since(NEVER_NS, NOW_NS - 5 * SECOND_NS, wall_s=900, here=False)
    found = dated(since, NOW_NS, 1000)
    assert found == replace(since, earliest_ns=NOW_NS - 102 * SECOND_NS)
    assert dated(found, NOW_NS, 1000) == found
    assert dated(replace(found, earliest_ns=found.earliest_ns - 1), NOW_NS, 1000).earliest_ns == found.earliest_ns - 1


def test_a_clock_that_was_set_back_adds_nothing() -> None:
    latest_ns = NOW_NS - 102 * SECOND_NS
    since = Since(NEVER_NS, latest_ns, wall_s=900, here=False)
    assert dated(since, NOW_NS, 1000).earliest_ns == latest_ns
    earlier = replace(since, latest_ns=latest_ns - 1)
    assert dated(earlier, NOW_NS, 1000) == earlier


def test_a_boot_without_a_date_before_it_has_no_upper_end() -> None:
    since = Since(NEVER_NS, NOW_NS, here=False)
    assert dated(since, NOW_NS, 1000) == since


def test_a_citation_says_whose_rule_it_is() -> None:
    assert cited("1804A(3)") == "Delaware Title 28 §1804A(3)"
    assert cited("house") == "house rule"
    assert cited("") == "house rule"


def test_times_are_counted_in_whole_days_minutes_and_seconds_and_the_notice_comes_five_minutes_before() -> None:
    assert (DAY_S, MINUTE_NS, SECOND_NS) == (24 * 60 * 60, 60 * 10**9, 10**9)
    assert warning_ns(30 * 60 * 10**9) == 25 * 60 * 10**9
