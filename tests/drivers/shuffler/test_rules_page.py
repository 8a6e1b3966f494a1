"""RULES.md names a test for each rule of sections 4 to 7 of the page, by the page's own words."""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[3] / "firmware-protocols/shuffler/v1"
TESTS = Path(__file__).parents[2]
MARKS = {"model", "board", "engine"}
HEADS = ("| device state |", "| host state |", "| what the host has |", "| bit |")


def units(page):
    """Yield (section, text) of each paragraph, bullet and row of sections 4 to 7."""
    for section in "4567":
        part = re.search(rf"^## {section} .*?\n(.*?)(?=^## )", page, re.DOTALL | re.MULTILINE)[1]
        broken = re.sub(r"^\s*(?=- |\|)", "\n\n", part, flags=re.MULTILINE)
        for text in re.split(r"\n\s*\n", broken):
            flat = " ".join(text.split())
            if flat and not re.fullmatch(r"[-| ]+", flat) and not flat.startswith(HEADS):
                yield section, flat


@pytest.fixture(scope="module")
def rows():
    """(section, words, tests) of each row of RULES.md."""
    found = []
    for line in (FOLDER / "RULES.md").read_text().splitlines():
        if re.match(r"\| [4-7] \|", line):
            cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            found.append((cells[0], " ".join(cells[1].split()), cells[2]))
    return found


def test_every_rule_of_the_page_is_named_by_its_own_words(rows, page) -> None:
    unnamed = [
        text[:90]
        for section, text in units(page)
        if not any(section == other and words in text for other, words, _ in rows)
    ]
    assert unnamed == []


def test_every_row_quotes_the_page(rows, page) -> None:
    texts = list(units(page))
    assert [words for section, words, _ in rows if not any(s == section and words in text for s, text in texts)] == []


def test_every_test_that_is_named_is_there(rows) -> None:
    there = {
        name
        for file in (*TESTS.glob("drivers/shuffler/**/test_*.py"), *TESTS.glob("config/test_*.py"))
        for name in re.findall(r"^def (test_\w+)", file.read_text(), re.MULTILINE)
    }
    named = {name.strip() for _, _, tests in rows if not tests.startswith("none: ") for name in tests.split(",")}
    assert named - there - MARKS == set()
