"""Limits of the house's settings: each refusal cites the clause that it would loosen."""

import msgspec
import pytest

from dealerbox.law.clauses import CLAUSES
from dealerbox.law.house import LIMITS, Fault, house_faults
from dealerbox.model.setup import House


def test_the_defaults_are_lawful() -> None:
    assert house_faults(House()) == []


def test_a_count_later_than_30_minutes_is_refused_under_1819_and_1804b8() -> None:
    assert house_faults(House(count_every_min=31)) == [
        Fault("count_every_min", "31 is not allowed; allowed: 1..30 minutes", "1819, 1804B(8)")
    ]


def test_a_count_oftener_than_30_minutes_is_the_houses_right() -> None:
    assert house_faults(House(count_every_min=10)) == []


def test_a_deck_kept_longer_than_two_hours_is_refused_under_1804b8() -> None:
    assert house_faults(House(deck_change_every_min=121)) == [
        Fault("deck_change_every_min", "121 is not allowed; allowed: 1..120 minutes", "1804B(8)")
    ]


@pytest.mark.parametrize("seats", [1, 21])
def test_a_table_has_2_to_20_seats(seats: int) -> None:
    """T4, 1823."""
    assert house_faults(House(max_seats=seats)) == [
        Fault("max_seats", f"{seats} is not allowed; allowed: 2..20 seats", "1823")
    ]


@pytest.mark.parametrize("settling_ms", [199, 5001])
def test_settling_takes_200_to_5000_ms(settling_ms: int) -> None:
    house = House(settling_ms=settling_ms, scan_ms=50)
    assert house_faults(house) == [
        Fault("settling_ms", f"{settling_ms} is not allowed; allowed: 200..5000 ms", "house")
    ]


def test_two_scans_fit_in_the_settling_time() -> None:
    assert house_faults(House(settling_ms=400, scan_ms=200)) == []
    assert house_faults(House(settling_ms=400, scan_ms=201)) == [
        Fault("scan_ms", "201 ms leaves no room for two scans in settling_ms = 400; allowed: at most 200 ms", "house")
    ]


def test_the_margin_before_a_limit_is_never_nothing() -> None:
    assert house_faults(House(last_hand_margin_min=0)) == [
        Fault("last_hand_margin_min", "0 is not allowed; allowed: 1..29 minutes", "1819, 1804B(8)")
    ]


def test_a_count_interval_within_the_margin_leaves_no_hand_to_play() -> None:
    assert house_faults(House(count_every_min=5)) == [
        Fault(
            "count_every_min",
            "5 minutes leaves no time to play before last_hand_margin_min = 5; allowed: 6..30 minutes",
            "1819, 1804B(8)",
        )
    ]


def test_zero_turns_off_what_may_be_off() -> None:
    assert house_faults(House(action_clock_s=0, exposed_is_misdeal_from=0)) == []
    assert house_faults(House(action_clock_s=5)) == [
        Fault("action_clock_s", "5 is not allowed; allowed: 10..600 seconds, or 0 (no action clock)", "1821")
    ]


def test_every_fault_is_told_not_the_first_alone() -> None:
    faults = house_faults(House(max_seats=1, count_every_min=60, deck_change_every_min=240))
    assert [fault.key for fault in faults] == ["max_seats", "count_every_min", "deck_change_every_min"]


def test_every_number_of_the_house_has_a_limit() -> None:
    numbers = {field.name for field in msgspec.structs.fields(House) if field.type is int}
    assert numbers == set(LIMITS)


def test_every_clause_cited_is_in_the_table_of_clauses() -> None:
    cited = {citation for limit in LIMITS.values() for citation in limit.clause.split(", ")}
    assert cited <= set(CLAUSES)


BOUNDS = {
    "max_seats": (2, 20),
    "settling_ms": (200, 5000),
    "scan_ms": (20, 1000),
    "unseen_per_hand": (0, 10),
    "exposed_is_misdeal_from": (1, 10),
    "count_every_min": (1, 30),
    "deck_change_every_min": (1, 120),
    "last_hand_margin_min": (1, 29),
    "action_clock_s": (10, 600),
    "action_warning_s": (3, 60),
}
"""Setting -> both ends, as the law and the house's own care have them."""


def outside(key: str, value: int) -> bool:
    """Tell whether a value is refused for itself, whatever others it contradicts."""
    return any(fault.key == key and "is not allowed" in fault.sentence for fault in house_faults(House(**{key: value})))


def test_every_number_of_the_house_has_both_its_ends() -> None:
    assert set(LIMITS) == set(BOUNDS)


@pytest.mark.parametrize(("key", "low", "high"), [(key, *ends) for key, ends in BOUNDS.items()])
def test_a_setting_is_taken_to_its_ends_and_no_further(key: str, low: int, high: int) -> None:
    below = -1 if LIMITS[key].zero else low - 1
    assert [outside(key, value) for value in (below, low, high, high + 1)] == [True, False, False, True]


def test_the_warning_of_the_action_clock_comes_before_its_end() -> None:
    """1821."""
    assert house_faults(House(action_clock_s=20, action_warning_s=19)) == []
    assert house_faults(House(action_clock_s=20, action_warning_s=20)) == [
        Fault(
            "action_warning_s",
            "20 seconds leaves no time before the warning in action_clock_s = 20; allowed: 3..19 seconds",
            "1821",
        )
    ]
    assert house_faults(House(action_clock_s=10, action_warning_s=10))[0].key == "action_warning_s"
    assert house_faults(House(action_clock_s=0, action_warning_s=60)) == []


def test_how_many_cards_the_dealer_may_say_are_there_unseen_is_the_houses_choice() -> None:
    """H10: no clause says it, and none unseen is a choice too."""
    assert house_faults(House(unseen_per_hand=0)) == []
    assert house_faults(House(unseen_per_hand=11)) == [
        Fault("unseen_per_hand", "11 is not allowed; allowed: 0..10 cards", "house")
    ]
