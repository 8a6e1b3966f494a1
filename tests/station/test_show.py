from dealerbox.model.commands import Lamp, Show
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.view import Standing, View
from dealerbox.station.show import show

HELD = Standing(
    reason=Reason.WRONG_SEAT, clause="1804A(3)", what="The card went to seat 4.", remedy="Move it to seat 3."
)


def test_a_hold_is_shown_with_what_to_do_and_its_clause() -> None:
    view = View(table="T", phase="dealing", hand=1, lamp=Lamp.RED, buzzer=True, holds=(HELD,), lit=(Key.MISDEAL,))
    assert show(view) == Show(
        lamp=Lamp.RED,
        buzzer=True,
        lines=("The card went to seat 4.", "Move it to seat 3.", "wrong_seat (§1804A(3))"),
        lit=("misdeal",),
    )


def test_without_a_hold_the_prompt_is_shown_after_a_refusal() -> None:
    view = View(table="T", phase="betting", hand=1, prompt="Betting.")
    assert show(view).lines == ("Betting.",)
    late = Standing(reason=Reason.MISDEAL_TOO_LATE, clause="house", what="Too late.", remedy="Play on.")
    assert show(View(table="T", phase="betting", hand=1, prompt="Betting.", refused=late)).lines == (
        "Too late.", "Play on.", "misdeal_too_late (house)", "Betting.",
    )  # fmt: skip
