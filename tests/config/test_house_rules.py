"""1822, 1826: the house's own rules. Each is there to be chosen, and none can loosen the statute."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from dealerbox.law.house import LIMITS
from dealerbox.model.setup import House
from dealerbox.ports import ConfigError

DEFAULT = Path(__file__).parents[2] / "config" / "house" / "default.toml"

CHOICES = [
    "max_seats = 6",
    "settling_ms = 2500",
    "scan_ms = 200",
    'button_rule = "dead"',
    'dispense = "group"',
    'dispense = "hand"',
    "correct_misplaced = false",
    "unseen_per_hand = 0",
    'exposed_replacement = "at_once"',
    "first_card_exposed_is_misdeal = true",
    "exposed_is_misdeal_from = 2",
    "count_every_min = 15",
    "deck_change_every_min = 60",
    "last_hand_margin_min = 10",
    "count_by_name = true",
    "two_persons = true",
    "action_clock_s = 30",
    "action_clock_s = 60\naction_warning_s = 15",
]

BEYOND = [
    ("max_seats = 21", "1823"),
    ("settling_ms = 60000", "house"),
    ("scan_ms = 0", "house"),
    ("unseen_per_hand = 52", "house"),
    ("exposed_is_misdeal_from = -1", "1811(3)"),
    ("count_every_min = 60", "1819, 1804B(8)"),
    ("count_every_min = 0", "1819, 1804B(8)"),
    ("deck_change_every_min = 0", "1804B(8)"),
    ("deck_change_every_min = 180", "1804B(8)"),
    ("last_hand_margin_min = 0", "1819, 1804B(8)"),
    ("action_clock_s = 601", "1821"),
    ("action_clock_s = -1", "1821"),
    ("action_clock_s = 30\naction_warning_s = 0", "1821"),
    ("action_clock_s = 30\naction_warning_s = 30", "1821"),
]


def refusal(table: Any, setting: str) -> str:
    (table.folder / "house.toml").write_text(setting + "\n")
    with pytest.raises(ConfigError) as error:
        table.load()
    return str(error.value)


@pytest.mark.parametrize("setting", CHOICES)
def test_what_the_statute_leaves_open_is_the_houses_choice(table: Any, setting: str) -> None:
    (table.folder / "house.toml").write_text(setting + "\n")
    house = table.load().house
    for line in setting.splitlines():
        key, value = line.split(" = ")
        assert str(getattr(house, key)).lower() == value.strip('"').lower()


def test_every_choice_of_the_house_was_made_once_in_these_tests() -> None:
    assert {line.split(" = ")[0] for setting in CHOICES for line in setting.splitlines()} == set(
        House.__struct_fields__
    )


@pytest.mark.parametrize(("setting", "clause"), BEYOND)
def test_a_setting_beyond_the_law_refuses_the_start_and_cites_the_clause(table: Any, setting: str, clause: str) -> None:
    said = refusal(table, setting)
    assert said.endswith(f"({clause})")
    assert "allowed: " in said


def test_every_number_of_the_house_was_taken_too_far_in_these_tests() -> None:
    assert {line.split(" = ")[0] for setting, _ in BEYOND for line in setting.splitlines()} == set(LIMITS)


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ('button_rule = "stays"', "allowed: moving, dead"),
        ('dispense = "player"', "allowed: single, group, hand"),
        ('exposed_replacement = "never"', "allowed: after_deal, at_once"),
        ("count_by_name = 1", "allowed: true or false"),
        ("exposed_stays_live = true", "unknown key 'exposed_stays_live'"),
    ],
)
def test_a_rule_that_is_none_of_the_houses_is_refused(table: Any, setting: str, said: str) -> None:
    """1811(1), 1804A(3): nothing lets a flashed card live, a button lie anywhere, or a player deal."""
    assert said in refusal(table, setting)


def test_the_file_of_house_rules_shows_every_one_and_its_default() -> None:
    shown = tomllib.loads(DEFAULT.read_text("utf-8"))
    assert shown == {
        name: value.value if hasattr(value := getattr(House(), name), "value") else value
        for name in House.__struct_fields__
    }
