"""Pages of docs/ name tests: each is there, and each field check and each threat has a line that names one."""

import ast
import re
from pathlib import Path

import pytest

import dealerbox

ROOT = Path(dealerbox.__file__).parents[1]
NAMED = re.compile(r"`((?:tests|bench)/[\w/]+\.py)(?:::(\w+))?`")
RAN = re.compile(r"`python -m (bench(?:\.\w+)*)(?: (\w+))?`")
CHECKS = (
    *(f"TR-{number:02}" for number in (1, 2, 4, 5, 6, 7, 9, 10, 11)),
    *(f"JR-{number:02}" for number in (1, 3, 4, 5)),
    *(f"ST-{number:02}" for number in (1, 3, 4)),
    *(f"CK-{number:02}" for number in (1, 2, 3)),
    *(f"SD-{number:02}" for number in range(1, 8)),
    *(f"PS-{number:02}" for number in (1, 2, 3, 4, 5, 8, 10, 11, 13, 14, 15)),
    *(f"PA-{number:02}" for number in (1, 2, 4, 6)),
    *(f"SX-{number:02}" for number in (1, 2)),
    *(f"GP-{number:02}" for number in (1, 2, 3, 4, 6, 7, 8, 9, 10, 12)),
    *(f"SP-{number:02}" for number in range(1, 6)),
    *(f"HA-{number:02}" for number in range(1, 5)),
    *(f"PU-{number:02}" for number in (1, 2, 4, 6, 7)),
    "RF-01",
    "AS-01",
)


def functions(file: Path) -> set[str]:
    return {
        node.name
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def missing(page: str) -> list[str]:
    """Return what a page names and is not there."""
    found = []
    for path, name in NAMED.findall(page):
        if not (ROOT / path).is_file():
            found.append(path)
        elif name and name not in functions(ROOT / path):
            found.append(f"{path}::{name}")
    for module, _ in RAN.findall(page):
        parts = ROOT.joinpath(*module.split("."))
        if not (parts / "__main__.py").is_file() and not parts.with_suffix(".py").is_file():
            found.append(module)
    return found


@pytest.mark.parametrize("page", ["field-checks.md", "security.md", "reliability.md", "readers.md"])
def test_every_test_that_is_named_is_there(page: str) -> None:
    text = (ROOT / "docs" / page).read_text("utf-8")
    assert missing(text) == []
    assert NAMED.search(text)


@pytest.mark.parametrize("check", CHECKS)
def test_every_check_has_one_line_with_an_answer_and_a_place(check: str) -> None:
    lines = (ROOT / "docs" / "field-checks.md").read_text("utf-8").splitlines()
    (row,) = [line for line in lines if line.startswith(f"| {check} |")]
    assert NAMED.search(row.split("|")[3])


def test_the_checks_are_sorted_by_their_ids() -> None:
    lines = (ROOT / "docs" / "field-checks.md").read_text("utf-8").splitlines()
    ids = [line.split("|")[1].strip() for line in lines if line.startswith("| ")][1:]
    assert ids == sorted(set(ids))


def test_every_threat_has_a_line_with_what_stops_it_and_a_place() -> None:
    """Rows of the tables of who tries what: four columns, the last names what shows it."""
    text = (ROOT / "docs" / "security.md").read_text("utf-8")
    tables = re.findall(r"\| who \| tries \|.*?\n\n", text + "\n\n", re.DOTALL)
    rows = [line.split("|")[1:-1] for table in tables for line in table.strip().splitlines()[2:]]
    assert len(rows) > 20
    for row in rows:
        assert len(row) == 4, row
        assert all(cell.strip() for cell in row), row
        assert NAMED.search(row[3]), row


def test_what_is_not_there_is_noticed() -> None:
    assert missing("`tests/none.py` `tests/field/test_answers.py::test_nothing` `python -m bench.nothing`") == [
        "tests/none.py",
        "tests/field/test_answers.py::test_nothing",
        "bench.nothing",
    ]
