"""The picture as a stranger reads it: in 80 by 24, without colour, from nothing but what is drawn."""

import io

import pytest
from msgspec.structs import replace
from rich.console import Console

from dealerbox.model.commands import Lamp
from dealerbox.model.keys import Key
from dealerbox.model.menu import Choice
from dealerbox.model.reasons import Reason
from dealerbox.model.view import Standing, View
from dealerbox.model.zones import seat
from dealerbox.simulate.demo.felt_seen import FINE, PLAIN
from dealerbox.simulate.demo.picture import Scene, picture
from dealerbox.simulate.demo.pins import Words
from dealerbox.simulate.demo.show import Lines, Screen, show_for, svg
from dealerbox_drivers.face import OpenMenu
from dealerbox_drivers.pins.layout import CompactSettings
from dealerbox_drivers.pins.twin import Look

WRONG_SEAT = Standing(
    reason=Reason.WRONG_SEAT,
    clause="1804A(3)",
    what="A card for seat 2 was dealt to seat 3.",
    remedy="Put it on seat 2. If you cannot: MISDEAL if nobody has acted yet, else call the director.",
    why="Each player gets two cards, face down, one at a time, in order from the button's left.",
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


def drawn(view: View | None, glyphs=FINE, columns: int = 80, rows: int = 24, **scene) -> list[str]:
    console = Console(file=io.StringIO(), width=columns, height=rows, color_system=None)
    with console.capture() as captured:
        console.print(picture(Scene(view=view, **scene), rows, columns, glyphs))
    return captured.get().splitlines()


def line_with(lines: list[str], text: str) -> str:
    (line,) = (line for line in lines if text in line)
    return line


@pytest.mark.parametrize(("columns", "rows"), [(100, 40), (80, 24), (60, 16), (50, 14), (40, 12)])
@pytest.mark.parametrize("view", [None, dealing(), held(), held(holds=(WRONG_SEAT,) * 9), dealing(refused=WRONG_SEAT)])
def test_it_fits_its_window_and_says_what_to_do_whole(view, columns, rows) -> None:
    told = [f"0:{number:02d}  something happened, and it takes many words " * 3 for number in range(40)]
    lines = drawn(view, columns=columns, rows=rows, said=told)
    assert len(lines) <= rows
    assert max(map(len, lines)) <= columns
    if view and columns >= 80:
        assert view.prompt in " ".join(" ".join(on_display(lines)).replace("|", "").split())
    elif view:
        said = " ".join(" ".join(lines).replace("║", "").replace("│", "").split())
        assert view.prompt in said


def test_a_window_too_small_for_the_table_has_the_panel_first_and_the_seats_in_words() -> None:
    lines = drawn(held(), columns=60, rows=16)
    assert "HELD" in lines[1]
    assert "3 ▮ ◄ WRONG" in line_with(lines, "seats")
    assert "2 - ◄ HERE" in line_with(lines, "seats")


def test_a_window_too_small_for_the_panel_says_so() -> None:
    lines = drawn(held(), columns=40, rows=12)
    assert lines[0].rstrip() == "HELD: A card for seat 2 was dealt to"
    assert line_with(lines, "DO: Put it on seat 2.")
    assert line_with(lines, "window too small")


def on_display(lines: list[str]) -> list[str]:
    """What stands on the panel's display, at the left of the frame that says what is held."""
    top = next(number for number, line in enumerate(lines) if "HELD: no" in line or "nothing is held" in line)
    return [line[2:30].strip() for line in lines[top + 1 : top + 9]]


def beside(lines: list[str]) -> str:
    """What is said beside the display, in one line."""
    top = next(number for number, line in enumerate(lines) if "HELD: no" in line or "nothing is held" in line)
    end = next(number for number, line in enumerate(lines) if "the panel's display" in line)
    return " ".join(" ".join(line[30:79] for line in lines[top + 1 : end]).split())


def test_the_display_shows_the_panels_open_menu_and_what_its_buttons_mean() -> None:
    menu = OpenMenu("WHAT WENT WRONG?", ("Card was flashed", "MISDEAL"), 1)
    assert on_display(drawn(dealing(), words=Words(menu, "GO this  PROBLEM next"))) == [
        "WHAT WENT WRONG?", "Card was flashed", "MISDEAL", "", "", "", "", "GO this  PROBLEM next",
    ]  # fmt: skip
    assert on_display(drawn(dealing(), words=Words(None, "GO NEXT")))[-1] == "GO NEXT"


def test_with_five_buttons_a_key_is_told_as_go_or_as_a_line_of_the_menu() -> None:
    menu = (Choice(Key.MISDEAL, "MISDEAL"),)
    betting = dealing(
        phase="betting", prompt_code="round", lit=(Key.NEXT, Key.MISDEAL), go=Key.NEXT, menu=menu, prompt="NEXT."
    )
    keys = line_with(drawn(betting, panel=CompactSettings()), "KEYS")
    assert "NEXT: push GO; MISDEAL: push PROBLEM" in keys


def test_a_hold_is_told_in_words_what_why_and_what_to_do() -> None:
    lines = drawn(held())
    said = " ".join(on_display(lines))
    assert " ".join(said.split()).startswith("HELD 1804A(3) A card for seat 2 was dealt to seat 3. |Put it on seat 2.")
    assert "Delaware Title 28 §1804A(3): Each player gets two cards" in beside(lines)
    assert "no card leaves the shuffler" in line_with(lines, "HELD: no")


def test_a_hold_is_told_by_its_frame_and_at_the_seats_too() -> None:
    assert any(line.startswith("╔") for line in drawn(held()))
    assert not any(line.startswith("╔") for line in drawn(dealing()))
    seats = line_with(drawn(held()), "seat 1")
    assert seats.index("seat 2") < seats.index("IT BELONGS HERE") < seats.index("seat 3") < seats.index("WRONG HERE")


def test_what_is_asked_now_is_what_to_do_whatever_the_hold_asked_first() -> None:
    lines = drawn(held(prompt="Everything agrees. Look, then press ACK.", prompt_code="restarted"))
    assert "|Everything agrees." in on_display(lines)
    assert not any("Put it on seat 2" in line for line in lines)


def test_another_hold_is_told_beside_the_first() -> None:
    other = replace(WRONG_SEAT, what="The reader of seat 5 does not answer.")
    assert "ALSO 1 more: The reader of seat 5" in beside(drawn(held(holds=(WRONG_SEAT, other))))


def test_a_zone_whose_reader_is_lost_is_not_called_wrong() -> None:
    lost = replace(WRONG_SEAT, reason=Reason.DEVICE_LOST, zone=seat(5), to="")
    assert "seat 5 ◄ NOT WATCHED" in line_with(drawn(held(holds=(lost,))), "NOT WATCHED")


def test_each_key_is_told_with_the_push_that_gives_it() -> None:
    betting = dealing(
        phase="betting", prompt_code="round", lit=(Key.NEXT, Key.AWARD, Key.MISDEAL), prompt="NEXT or AWARD."
    )
    assert "NEXT: push GO; AWARD: hold GO; MISDEAL: hold MISDEAL" in beside(drawn(betting))


def test_a_key_that_only_the_prompt_names_is_told_too() -> None:
    assert "MANUAL: hold MENU, hold NO" in beside(drawn(held(prompt="Or press MANUAL.", lit=())))


def test_in_the_middle_of_a_deal_no_key_is_asked_for() -> None:
    lines = drawn(dealing(prompt_code="deal", lit=(Key.AWARD, Key.UNDO)))
    assert "none is needed: deal on; AWARD (hold GO) ends the hand; UNDO" in beside(lines)
    asked = drawn(dealing(prompt_code="unseen", lit=(Key.ACK, Key.AWARD)))
    assert "ACK: push GO; AWARD (hold GO) ends the hand" in beside(asked)
    assert "AWARD" not in beside(drawn(held(lit=(Key.AWARD, Key.MISDEAL))))


def test_the_director_is_told_how_to_rule_when_called_and_only_then() -> None:
    assert "turn the key, then hold ACTION" in beside(drawn(held()))
    first = dealing(street="", prompt_code="set_button", prompt="The director lays the button.")
    assert "turn the key, then hold GO" in beside(drawn(first))
    assert not any("DIRECTOR" in line for line in drawn(dealing()))


def test_a_refused_key_is_told_apart_from_the_key_no() -> None:
    lines = drawn(dealing(refused=replace(WRONG_SEAT, what="There is nothing for that key to do now.")))
    assert "the last key. There is nothing for that key" in beside(lines)


def test_a_line_of_the_log_is_shown_in_whole_or_not_at_all() -> None:
    long = "0:02  " + "word " * 30 + "end"
    lines = drawn(dealing(), rows=28, said=["0:01  first", long])
    assert lines[-1].endswith("end")
    assert not any("first" in line for line in drawn(held(), said=["0:01  first", "0:02  second", long])[-1:])


def test_the_table_has_backs_and_counts_and_never_a_face() -> None:
    lines = drawn(dealing())
    assert "next card" in line_with(lines, "seat 1")
    assert "seat 6 (D)" in line_with(lines, "seat 4")
    middle = line_with(lines, "burn ▮ ")
    assert "board ▮▮▮▯▯" in middle
    assert "muck ▮ x4" in middle
    assert "shuffler 41" in middle
    assert line_with(lines, "▮▮  ").split()[1] == "▮▮"
    assert "a card to seat 2, on its way" in line_with(lines, "NEXT")


def test_lamps_are_told_by_shape_and_case() -> None:
    lines = drawn(held(), lamps={Lamp.RED: Look.FAST}, buzzer=True)
    assert "○ green   ○ amber   ● RED blinks fast   buzzer: BUZZES" in line_with(lines, "lamps")


def test_a_folded_hand_and_an_empty_seat_are_told() -> None:
    lines = drawn(dealing(folded=(5,), expect=""))
    assert "folded" in line_with(lines, "nobody")


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
