"""A layout gives a dealer every key that he needs, and says what is wrong with it."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from dealerbox.model.keys import Key, Ruling
from dealerbox_drivers.pins.layout import NEEDED, PanelSettings, Push, five_pushes

Play = Callable[..., Any]


def test_the_default_layout_is_without_fault() -> None:
    assert PanelSettings().faults() == ()
    assert len(PanelSettings().push) == 5


def test_a_go_while_nothing_is_lit_is_a_start_so_that_the_station_says_why_not() -> None:
    gesture = PanelSettings().gesture(Key.START)
    assert gesture is not None
    assert (gesture.push, gesture.held, gesture.second) == ("go", False, False)


@pytest.mark.parametrize("key", NEEDED)
def test_a_layout_that_lacks_a_needed_key_is_refused(key: Key) -> None:
    def without(keys: tuple[Key, ...]) -> tuple[Key, ...]:
        return tuple(other for other in keys if other is not key) or (Key.RETRIEVE,)

    pushes = {
        name: replace(
            push,
            short=without(push.short),
            long=without(push.long) if push.long else (),
            second=without(push.second) if push.second else (),
            second_long=without(push.second_long) if push.second_long else (),
        )
        for name, push in five_pushes().items()
    }
    assert ("push", f"no push gives {key}; add them to a list of one") in PanelSettings(push=pushes).faults()


def test_a_layout_says_what_else_is_wrong_with_it() -> None:
    assert PanelSettings(second="shift").faults()[0] == (
        "second",
        "there is no push 'shift'; known: action, go, menu, misdeal, no, or \"\" for none",
    )
    idle = PanelSettings(push={**five_pushes(), "idle": Push(pin=12)})
    assert idle.faults()[0][0] == "push.idle"
    both = PanelSettings(second="go").faults()
    assert both[0] == ("push.go", "is held down to give others their second keys; allowed: short alone")
    assert PanelSettings(director=0).faults()[0][0] == "director"


def test_a_panel_names_every_pin_it_takes() -> None:
    pins = PanelSettings(push={"go": Push(pin=5, light=12)}, director=0).pins()
    assert pins == {"green": 17, "amber": 27, "red": 22, "buzzer": 23, "push.go.pin": 5, "push.go.light": 12}


def test_a_ruling_is_spelled_as_the_model_has_it() -> None:
    assert five_pushes()["misdeal"].ruling is Ruling.VOID_HAND
