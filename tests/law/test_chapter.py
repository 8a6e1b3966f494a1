"""The chapter's numbered paragraphs, as the statute counts them."""

from dealerbox.law.chapter import PARAGRAPHS, chapter


def test_every_paragraph_is_cited_once_and_in_its_order() -> None:
    cited = chapter()
    assert len(set(cited)) == len(cited)
    assert cited[:4] == ("1801", "1802(1)", "1802(2)", "1802(3)")
    sections = [citation.partition("(")[0] for citation in cited]
    assert sections == sorted(sections, key=list(PARAGRAPHS).index)


def test_a_section_has_as_many_paragraphs_as_it_counts_but_for_the_one_that_is_vacant() -> None:
    cited = chapter()
    for section, number in PARAGRAPHS.items():
        paragraphs = [citation for citation in cited if citation.startswith(f"{section}(")]
        assert len(paragraphs) == (number - 1 if section == "1802" else number), section
        assert (section in cited) == (number == 0)
    definitions = [citation for citation in cited if citation.startswith("1802")]
    assert definitions[3:5] == [f"1802({number})" for number in (4, 6)]


NUMBERED = (
    *(0, 33, 3, 9, 15, 9, 0, 0, 0, 2, 0, 3, 0),
    *(0, 2, 6, 5, 0, 0, 0, 0, 0, 0, 0),
    *(0, 0, 5, 0, 0, 0, 2, 0, 4),
)
"""The number of the last paragraph of each section, both parts of the fourth, counted in the statute."""


def test_each_section_has_the_paragraphs_that_the_statute_numbers() -> None:
    assert tuple(PARAGRAPHS.values()) == NUMBERED
    assert {int(section.rstrip("AB")) for section in PARAGRAPHS} == set(range(1801, 1833))
