"""What a technician asks on an installed box needs no tag of a deck: the decks are the station's alone."""

import ast
from pathlib import Path

import pytest

DIAG = Path(__file__).parents[2] / "dealerbox" / "cli" / "diag"
READ_DECKS = {"audit/shuffle.py", "bundle.py"}
"""Tells the decks of a log apart; blots every tag out of what it gathers. For who may know them."""


@pytest.mark.parametrize("file", sorted(DIAG.rglob("*.py")), ids=lambda file: str(file.relative_to(DIAG)))
def test_a_command_of_diag_reads_no_deck(file: Path) -> None:
    calls = [node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.Call)]
    reads = [call for call in calls if getattr(call.func, "id", "") in ("load", "checked")]
    without = [call for call in reads if any(word.arg == "decks" for word in call.keywords)]
    assert without == ([] if str(file.relative_to(DIAG)) in READ_DECKS else reads)
