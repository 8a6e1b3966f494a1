"""What is to be read fits the glass: the measure of every word of the project, and the rows of a page."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

import dealerbox.engine
import dealerbox.law
from dealerbox.engine import menu as engine_menu
from dealerbox.engine import prompt as engine_prompt
from dealerbox.law.clauses import CLAUSES
from dealerbox.law.irregularities import IRREGULARITIES
from dealerbox.model.commands import Hold, Lamp, Show
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.view import Standing, View
from dealerbox.station.show import show
from dealerbox_drivers.display.draw import drawn, packed, width
from dealerbox_drivers.display.page import BODY, Page, fits, held_page, page_of, rows
from dealerbox_drivers.face import OpenMenu
from dealerbox_drivers.pins.compact import LAST_CARD, MENU_FOOT, TITLE

WIDEST = {"zone": "the infeed", "to": "the burns", "device": "the reader of seat 10"}
FOOT = "GO ACK  PROBLEM NO"


def test_every_irregularity_is_read_whole_with_its_remedy() -> None:
    for reason, row in IRREGULARITIES.items():
        standing = Standing(
            reason=reason, clause=row.clause, what=row.what.format(**WIDEST), remedy=row.remedy.format(**WIDEST)
        )
        held = View(table="T", phase="dealing", hand=1, lamp=Lamp.RED, holds=(standing,), prompt=standing.remedy)
        assert fits(page_of(show(held), foot=FOOT), width), f"{reason}: say it in fewer words: {held.holds[0]}"
        refused = View(table="T", phase="between", hand=1, refused=standing, prompt="Ready. START the hand.")
        assert fits(page_of(show(refused), foot=FOOT), width), f"{reason}, refused: say it in fewer words: {standing}"


def sentences(source: Path) -> Iterator[str]:
    """Every sentence that a module spells and could show: its texts that end as sentences do, but for docstrings."""
    tree = ast.parse(source.read_text())
    apart = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    apart |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str() as text) if id(node) not in apart:
                pass
            case ast.JoinedStr(values=parts):
                text = "".join(part.value if isinstance(part, ast.Constant) else "the infeed" for part in parts)
            case _:
                continue
        if " " in text and text.rstrip().endswith((".", "?", "!")):
            yield text


ROOMS = [Path(room.__file__).parent for room in (dealerbox.engine, dealerbox.law)]
DOCUMENTS = {"rules.py"}
"""Sentences of docs/law.md, which no panel shows."""
SENTENCES = sorted(
    {
        text
        for room in ROOMS
        for source in room.glob("*.py")
        if source.name not in DOCUMENTS
        for text in sentences(source)
    }
)


def test_the_sentences_of_the_engine_and_the_law_were_found() -> None:
    assert {"Ready. START the hand.", "Burn one card: lay it on the infeed.", *engine_prompt.ASKED.values()} <= set(
        SENTENCES
    )
    assert {row.remedy for row in IRREGULARITIES.values()} <= set(SENTENCES)
    assert set(CLAUSES.values()) <= set(SENTENCES)


@pytest.mark.parametrize("text", SENTENCES)
def test_every_prompt_clause_and_remedy_is_read_whole(text: str) -> None:
    assert fits(Page("Hand 100 preflop", "", text.format(**WIDEST), FOOT), width), f"say it in fewer words: {text}"


def test_an_irregularity_that_keeps_a_hand_from_starting_is_a_prompt_as_a_whole() -> None:
    for reason, row in IRREGULARITIES.items():
        assert fits(Page("Between hands", "", f"{row.what} {row.remedy}".format(**WIDEST), FOOT), width), reason


@pytest.mark.parametrize("clause", CLAUSES)
def test_every_clause_fits_the_line_above(clause: str) -> None:
    assert width(f"HELD {clause}") < 128


def test_every_line_of_every_menu_fits() -> None:
    seats = (LAST_CARD, *(f"Seat {number}" for number in range(1, 21)))
    undo = tuple(f"UNDO {key.upper()}" for key in Key)
    lines = (*engine_menu.WORDS.values(), *seats, *undo)
    assert width(f"{TITLE} 10/12") < 128
    assert fits(Page(menu=OpenMenu(TITLE, lines, 0), foot=MENU_FOOT), width)


def test_every_foot_fits() -> None:
    for key in (*engine_menu._ASKED, *engine_menu._PHASES.values()):
        assert max(width(f"GO {key.upper()}  PROBLEM NO"), width(f"GO {key.upper()}, held AWARD")) < 128, key


def test_what_does_not_fit_is_told() -> None:
    long = "Do this and that and the other thing and then begin again from the start. " * 3
    assert not fits(Page("", "", long), width)
    assert not fits(Page("", "", "Incomprehensibilitiesandmore"), width)
    assert not fits(Page("a head that is far too long for it", "", ""), width)
    assert not fits(Page(menu=OpenMenu("", ("a line that is far too long for it",), 0)), width)


def test_a_short_prompt_is_large_and_a_long_one_small_under_what_happened() -> None:
    short = rows(Page("Hand 1 flop", "", "Deal to the board."), width)
    assert [row.scale for row in short] == [1, 2, 2, 1]
    page = Page("HELD 1804A(3)", "A card for seat 3 was dealt to seat 4.", "Put it on seat 3. " * 3, "GO ACK", True)
    head, *said, foot = rows(page, width)
    assert (head.text, head.dark, foot.top) == ("HELD 1804A(3)", True, BODY.stop)
    assert [row.bar for row in said] == [False, False, True, True, True]


def test_of_what_does_not_fit_the_prompt_stays() -> None:
    page = Page("", "What happened. " * 20, "Do this.")
    assert [row.text for row in rows(page, width)][-2] == "Do this."
    assert all(row.top + 8 * row.scale <= 64 for row in rows(page, width))
    flood = rows(Page("", "", "Do this. " * 40), width)
    assert all(row.top + 8 * row.scale <= 64 for row in flood)


def test_a_long_menu_moves_under_its_chosen_line() -> None:
    lines = tuple(f"Seat {number}" for number in range(1, 11))
    for at in range(10):
        shown = rows(Page(menu=OpenMenu("Card was flashed", lines, at)), width)[1:-1]
        assert [row.text for row in shown if row.dark] == [f"Seat {at + 1}"]
        assert len(shown) == 6
    assert rows(Page(menu=OpenMenu("Seats", lines, 4)), width)[0].text == "Seats 5/10"


def test_until_the_stations_words_come_a_hold_says_to_stop() -> None:
    page = held_page(Hold(key=1, reason=Reason.JAM, clause="house"))
    assert (page.head, page.held) == ("HELD house", True)
    assert fits(page, width)


def test_a_page_of_a_show_says_no_more_than_it_says() -> None:
    shown = Show(lamp=Lamp.GREEN, buzzer=False, head="Hand 3 flop", prompt="Deal to the board.")
    assert page_of(shown) == Page("Hand 3 flop", "", "Deal to the board.")


def test_dots_are_packed_a_byte_a_column_the_lowest_bit_above() -> None:
    image = Image.new("1", (128, 64))
    image.putpixel((0, 0), 255)
    image.putpixel((127, 15), 255)
    pages = packed(image)
    assert [len(page) for page in pages] == [128] * 8
    assert (pages[0][0], pages[1][127], sum(map(sum, pages))) == (0x01, 0x80, 0x81)


def test_a_letter_that_the_font_lacks_is_a_question_mark() -> None:
    assert drawn(Page("§")).tobytes() == drawn(Page("?")).tobytes()
