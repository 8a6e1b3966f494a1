"""The picture as a stranger reads it: in 80 by 24, without colour, from nothing but what is drawn."""

import io

import pytest
from rich.console import Console

from dealerbox.model.commands import Lamp
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.view import Standing, View
from dealerbox.model.zones import seat
from dealerbox.simulate.demo.picture import PLAIN, Scene, picture
from dealerbox.simulate.demo.show import Lines, Screen, show_for, svg
from dealerbox_drivers.pins.twin import Look

WRONG_SEAT = Standing(
    reason=Reason.WRONG_SEAT,
    clause="1804A(3)",
    what="A card for seat 2 was dealt to seat 3.",
    remedy="Put it on seat 2. Otherwise MISDEAL before action, the director after.",
    zone=seat(3),
    to=seat(2),
)


def dealing(**more) -> View:
    told = {
        "table": "Demo",
        "phase": "dealing",
        "hand": 2,
        "street": "preflop",
        "seats": (1, 2, 3, 5, 6),
        "button": 6,
        "button_seen": (6,),
        "expect": seat(2),
        "released": True,
        "prompt": "Deal to seat 2.",
        "lit": (Key.MISDEAL,),
        "counts": {"seat:1": 2, "seat:3": 1, "muck": 4, "board": 3, "burn": 1, "stub": 41},
    }
    return View(**told | more)


def held(**more) -> View:
    return dealing(**{"holds": (WRONG_SEAT,), "lamp": Lamp.RED, "prompt": WRONG_SEAT.remedy} | more)


def drawn(view: View | None, glyphs=None, **scene) -> list[str]:
    console = Console(file=io.StringIO(), width=80, height=24, color_system=None)
    drawing = picture(Scene(view=view, **scene), 24, glyphs) if glyphs else picture(Scene(view=view, **scene))
    with console.capture() as captured:
        console.print(drawing)
    return captured.get().splitlines()


def line_with(lines: list[str], text: str) -> str:
    (line,) = (line for line in lines if text in line)
    return line


@pytest.mark.parametrize("view", [None, dealing(), held(), held(holds=(WRONG_SEAT,) * 3), dealing(refused=WRONG_SEAT)])
def test_it_fits_a_terminal_of_80_by_24(view) -> None:
    lines = drawn(
        view, said=[f"0:{number:02d}  something happened, and it takes many words " * 3 for number in range(40)]
    )
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80


def test_a_hold_is_told_in_words_what_why_and_what_to_do() -> None:
    lines = drawn(held())
    assert "A card for seat 2 was dealt to seat 3." in line_with(lines, "WHAT")
    assert "wrong_seat, §1804A(3)" in line_with(lines, "WHY")
    assert "Put it on seat 2." in line_with(lines, "DO ")
    assert "no card leaves the shuffler" in line_with(lines, "HELD")


def test_a_hold_is_told_by_its_frame_and_at_the_seats_too() -> None:
    assert any(line.startswith("╔") for line in drawn(held()))
    assert not any(line.startswith("╔") for line in drawn(dealing()))
    seats = line_with(drawn(held()), "seat 1")
    assert seats.index("seat 2") < seats.index("IT BELONGS HERE") < seats.index("seat 3") < seats.index("WRONG HERE")


def test_a_hold_that_asks_for_more_than_its_remedy_says_so() -> None:
    assert "Everything agrees." in line_with(drawn(held(prompt="Everything agrees. Look, then ACK.")), "THEN")


def test_the_table_has_backs_and_counts_and_never_a_face() -> None:
    lines = drawn(dealing())
    assert "next card" in line_with(lines, "seat 1")
    assert "seat 6 (D)" in line_with(lines, "seat 4")
    middle = line_with(lines, "burn ▮ ")
    assert "board ▮▮▮▯▯" in middle
    assert "muck ▮ x4" in middle
    assert "shuffler 41 cards" in middle
    assert line_with(lines, "▮▮  ").split()[1] == "▮▮"
    assert "a card to seat 2, on its way" in line_with(lines, "NEXT")


def test_lamps_are_told_by_shape_and_case() -> None:
    lines = drawn(held(), lamps={Lamp.RED: Look.FAST}, buzzer=True)
    assert "○ green    ○ amber    ● RED blinks fast    buzzer: BUZZES" in line_with(lines, "lamps")


def test_a_folded_hand_and_an_empty_seat_are_told() -> None:
    lines = drawn(dealing(folded=(5,), expect=""))
    assert "no cards folded" in line_with(lines, "nobody")


def test_a_terminal_of_plain_characters_gets_plain_shapes() -> None:
    lines = drawn(dealing(), glyphs=PLAIN, lamps={Lamp.GREEN: Look.STEADY})
    assert "board ###__" in line_with(lines, "burn #")
    assert "* GREEN" in line_with(lines, "lamps")


@pytest.mark.parametrize(
    ("term", "terminal", "kind"), [("xterm", True, Screen), ("dumb", True, Lines), ("", False, Lines)]
)
def test_what_is_no_terminal_gets_lines(term, terminal, kind) -> None:
    console = Console(file=io.StringIO(), force_terminal=terminal, _environ={"TERM": term})
    assert isinstance(show_for(Scene(), console), kind)


def test_the_picture_for_the_readme_needs_nothing_from_elsewhere() -> None:
    kept = svg(Scene(view=held()))
    assert "HELD" in kept
    assert "url(" not in kept.replace("url(#", "")
