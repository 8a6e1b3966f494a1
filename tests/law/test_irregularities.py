"""Every row has a clause that is known, and words that can be filled in."""

import pytest

from dealerbox.law.clauses import CLAUSES
from dealerbox.law.irregularities import IRREGULARITIES


@pytest.mark.parametrize("reason", IRREGULARITIES)
def test_a_row_names_a_known_clause_and_says_what_to_do(reason) -> None:
    row = IRREGULARITIES[reason]
    assert row.clause in CLAUSES
    said = {"zone": "seat 3", "to": "the burns", "device": "The shuffler"}
    assert row.what.format(**said).endswith(".") or row.what.endswith("?")
    assert row.remedy.format(**said).endswith(".")
