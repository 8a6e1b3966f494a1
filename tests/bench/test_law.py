"""docs/law.md is what the tables, the source and the tests say; what the scanner reads."""

from pathlib import Path

import pytest

from bench.citations import citations, clauses_in, clauses_in_name, rules_in
from bench.law import PAGE, ROOT, Law
from bench.sentences import faults, sentences
from dealerbox.law.chapter import PARAGRAPHS, PEOPLE, chapter
from dealerbox.law.clauses import CLAUSES
from dealerbox.law.rules import RULES


@pytest.fixture(scope="module")
def law() -> Law:
    return Law(ROOT)


def test_the_page_is_what_source_and_tests_say_now(law: Law) -> None:
    assert (ROOT / PAGE).read_text("utf-8") == law.page(), f"write {PAGE} anew: make pages"


def test_every_clause_is_kept_and_shown_or_the_peoples_business(law: Law) -> None:
    assert law.faults() == []


def test_the_chapter_has_32_sections_and_one_of_them_two_parts() -> None:
    sections = {int(section.rstrip("AB")) for section in PARAGRAPHS}
    assert (sections, len(PARAGRAPHS)) == (set(range(1801, 1833)), 33)


def test_every_table_cites_what_is_in_the_chapter() -> None:
    known = {*chapter(), *PARAGRAPHS, "house"}
    cited = [clause for rule in RULES.values() for clause in rule.clauses]
    assert [clause for clause in (*CLAUSES, *PEOPLE, *cited) if clause not in known] == []


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("after 1804A(3),(4), before action", ["1804A(3)", "1804A(4)"]),
        ("(1819, 1804B(8))", ["1819", "1804B(8)"]),
        ("1804.A(1)", ["1804A(1)"]),
        ("18000 ms, 1800, id 21819", []),
    ],
)
def test_clauses_are_read_from_texts(text: str, cited: list[str]) -> None:
    assert [clause for clause in clauses_in(text) if clause != "1800"] == cited


@pytest.mark.parametrize(
    ("name", "cited"),
    [
        ("test_no_card_under_1804A3", ["1804A(3)"]),
        ("test_misdeal_by_1811_3_is_refused", ["1811(3)"]),
        ("test_1819_and_1804b8", ["1819", "1804B(8)"]),
        ("test_1802_words", ["1802"]),
    ],
)
def test_clauses_are_read_from_names(name: str, cited: list[str]) -> None:
    assert list(clauses_in_name(name)) == cited


def test_readings_are_read_one_by_one_and_in_rows() -> None:
    assert list(rules_in("C1-C3, H6; not C99, XS1 or S1x")) == ["C1", "C2", "C3", "H6"]


def test_every_reading_has_its_sentences_and_each_its_code_and_a_test_or_is_the_peoples() -> None:
    listed = sentences()
    assert {one.rule for one in listed} == RULES.keys()
    assert len({(one.rule, one.text) for one in listed}) == len(listed) > 100
    assert [one.rule for one in listed if not one.code] == ["T1"]


def test_a_reading_that_nobody_keeps_and_a_place_that_is_gone_are_told(small: Path) -> None:
    (small / "bench").mkdir()
    (small / "bench/sentences.toml").write_text(
        '[H4]\n"A burn stays." = ["engine/burn:burned", "engine/test_burn:it"]\n"It does." = ["engine/burn:unburned"]\n'
    )
    assert [fault for fault in faults(small, ("H4", "H5")) if fault] == [
        "bench/sentences.toml: H5: no sentence",
        "bench/sentences.toml: H4: It does.: no test",
        "bench/sentences.toml: H4: dealerbox/engine/burn.py has no unburned",
    ]
    told = Law(small).faults()
    assert "H4: no code cites it" in told
    assert "H4: no test cites it" in told


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A tree of one source file, which keeps two clauses and a reason, and one test, which shows a clause."""
    source, tests = tmp_path / "dealerbox/engine/burn.py", tmp_path / "tests/engine/test_burn.py"
    for path in (source, tests):
        path.parent.mkdir(parents=True)
    source.write_text('def burned(state):\n    """Keep it apart (1812, 1820, 1899)."""\n    hold(state, Reason.JAM)\n')
    tests.write_text(
        'CASES = ["1812"]\n\n\n@given(CASES)\ndef test_it(case):\n    pass\n\n\ndef case():\n    """1820."""\n'
    )
    return tmp_path


def test_a_table_is_shown_by_the_test_that_takes_it(small: Path) -> None:
    assert [(one.what, one.name) for one in citations(small, ("tests",))][:2] == [
        ("1812", "CASES"),
        ("1812", "test_it"),
    ]


def test_what_code_keeps_and_no_test_shows_is_told(small: Path) -> None:
    assert Law(small).faults() == [
        "dealerbox/engine/burn.py: burned: cites 1899, which the chapter has not",
        *(
            f"{what}: dealerbox/engine/burn.py: burned keeps it and no test cites it; "
            "name it in a test's name or docstring"
            for what in ("1820", "Reason.JAM")
        ),
    ]
