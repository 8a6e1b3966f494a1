"""Every row has a clause that is known, and words that can be filled in."""

import pytest

from dealerbox.law.clauses import CLAUSES, cited
from dealerbox.law.irregularities import IRREGULARITIES


@pytest.mark.parametrize("reason", IRREGULARITIES)
def test_a_row_names_a_known_clause_and_says_what_to_do(reason) -> None:
    row = IRREGULARITIES[reason]
    assert row.clause in CLAUSES
    said = {"zone": "seat 3", "to": "the burns", "device": "The shuffler"}
    assert row.what.format(**said).endswith(".") or row.what.endswith("?")
    assert row.remedy.format(**said).endswith(".")


def test_a_clause_is_cited_as_a_stranger_finds_it_and_a_house_rule_as_what_it_is() -> None:
    assert cited("1804A(3)") == "Delaware Title 28 §1804A(3)"
    assert cited("house") == "house rule"


@pytest.mark.parametrize("clause", CLAUSES)
def test_what_a_clause_asks_is_one_sentence(clause) -> None:
    assert CLAUSES[clause].endswith(".")
    assert len(CLAUSES[clause]) <= 100


@pytest.mark.parametrize("reason", IRREGULARITIES)
def test_a_reason_of_a_house_rule_alone_says_why(reason) -> None:
    row = IRREGULARITIES[reason]
    assert row.clause != "house" or row.why or row.remedy in _OBVIOUS


_OBVIOUS = ("Start the station.", "Free it, or call the technician.", "Do what the panel asks.")


def test_no_two_clauses_ask_the_same() -> None:
    assert len(set(CLAUSES.values())) == len(CLAUSES)


OUTLIVE = {
    *("foreign_card", "joker_present", "other_deck"),
    *("defective_deck", "card_missing", "duplicate_tag", "recount"),
    *("jam", "door_open", "device_lost", "journal_fault", "journal_full", "not_empty", "service"),
}
"""Holds of 1824, of the deck and of devices."""


def test_what_is_brought_the_deck_and_devices_outlive_the_hand_and_nothing_else_C14() -> None:
    assert {reason.value for reason, row in IRREGULARITIES.items() if row.outlives} == OUTLIVE
