"""The dealer's page has a place for every prompt, and its pictures are there."""

import re

from bench.dealer import PAGE, PICTURES, SECTIONS
from dealerbox.engine.questions import Question


def test_every_question_has_a_section() -> None:
    placed = {code for codes in SECTIONS.values() for code in codes.split()}
    assert {question.value for question in Question} - placed == {""}


def test_every_picture_of_the_page_is_there_and_no_other() -> None:
    named = set(re.findall(r"pictures/prompts/([^)]+\.png)", PAGE.read_text("utf-8")))
    assert named == {path.name for path in PICTURES.glob("*.png")}
