from typing import Any

from dealerbox.model.commands import Lamp, Show
from dealerbox.model.keys import Key
from dealerbox.model.menu import Choice
from dealerbox.model.reasons import Reason
from dealerbox.model.view import Standing, View
from dealerbox.station.show import show
from dealerbox_drivers.display.draw import width
from dealerbox_drivers.display.page import fits, page_of

HELD = Standing(
    reason=Reason.WRONG_SEAT, clause="1804A(3)", what="The card went to seat 4.", remedy="Move it to seat 3."
)
LATE = Standing(reason=Reason.MISDEAL_TOO_LATE, clause="1811(3)", what="Too late.", remedy="Play on.")


def viewed(**more: Any) -> View:
    return View(**({"table": "T", "phase": "betting", "hand": 3, "street": "flop", "prompt": "Betting."} | more))


def test_a_hold_is_shown_with_its_clause_what_happened_and_what_to_do() -> None:
    menu = (Choice(Key.MISDEAL, "MISDEAL"),)
    held = viewed(
        lamp=Lamp.RED,
        buzzer=True,
        holds=(HELD,),
        prompt=HELD.remedy,
        lit=(Key.MISDEAL,),
        go=Key.NEXT,
        menu=menu,
    )
    assert show(held) == Show(
        lamp=Lamp.RED,
        buzzer=True,
        head="HELD 1804A(3)",
        said="The card went to seat 4.",
        prompt="Move it to seat 3.",
        lit=("misdeal",),
        go=Key.NEXT,
        menu=menu,
    )


def test_a_hold_whose_remedy_is_not_asked_for_now_is_told_by_its_name() -> None:
    told = show(viewed(holds=(HELD,), prompt="52 read. ACK."))
    assert (told.head, told.said, told.prompt) == ("HELD 1804A(3)", "Wrong seat.", "52 read. ACK.")
    other = Standing(reason=Reason.JAM, clause="house", what="It is jammed.", remedy="Clear the jam.")
    assert show(viewed(holds=(HELD, other), prompt="Clear the jam.")).said == "It is jammed."


def test_without_a_hold_where_the_table_is_stands_above_the_prompt() -> None:
    told = show(viewed())
    assert (told.head, told.said, told.prompt) == ("Hand 3 flop", "", "Betting.")
    between = show(viewed(phase="between", street="", prompt="Ready."))
    assert (between.head, between.prompt) == ("Between hands", "Ready.")


def test_a_refusal_is_told_above_the_prompt_with_its_clause() -> None:
    told = show(viewed(refused=LATE))
    assert (told.head, told.said, told.prompt) == ("NO 1811(3)", "Too late.", "Betting.")


def test_a_refusal_that_the_prompt_tells_already_is_not_told_twice() -> None:
    told = show(viewed(refused=LATE, prompt="Too late. Play on."))
    assert (told.said, told.prompt) == ("", "Too late. Play on.")


def test_a_notice_is_told_where_nothing_is_more_pressing() -> None:
    assert show(viewed(notices=(LATE,))).said == "Too late."


def test_between_hands_the_journals_head_is_shown_and_in_a_hand_it_is_not() -> None:
    head = f"1234:{'ab' * 32}"
    assert show(viewed(phase="between", street="", prompt="Ready.", head=head)).head == "Between 1234:abababab"
    assert show(viewed(head=head)).head == "Hand 3 flop"


def test_a_head_of_a_long_evening_fits_on_the_display() -> None:
    for phase in ("opening", "between", "gathering", "closed"):
        told = show(viewed(phase=phase, street="", prompt="Ready.", head=f"99999:{'ab' * 32}"))
        assert fits(page_of(told), width), told.head


def test_a_table_with_twins_says_so_at_every_moment_that_nothing_is_held() -> None:
    head = f"99999:{'ab' * 32}"
    told = [show(viewed(twins=True, head=head)), show(viewed(phase="between", street="", head=head, twins=True))]
    told.append(show(viewed(phase="opening", street="", twins=True)))
    assert [one.head for one in told] == ["Twins hand 3 flop", "Twins 99999:abababab", "Twins opening"]
    assert all(fits(page_of(one), width) for one in told)
