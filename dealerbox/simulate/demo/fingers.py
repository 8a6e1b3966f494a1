"""Which push to press for what, in words: the panel's layout, for what may be said now."""

import re
from typing import Final

from dealerbox.model.keys import Key, Ruling
from dealerbox.model.view import View
from dealerbox.station.show import show
from dealerbox_drivers.pins.fingers import way
from dealerbox_drivers.pins.layout import Wiring

RULINGS: Final = {
    Ruling.SET_BUTTON: "the button begins where it lies",
    Ruling.STAND: "it stands as it lies",
    Ruling.VOID_HAND: "the hand is void",
}
"""Rulings that the key switch gives, and what each says."""
IN_A_HOLD: Final = (Key.ACK, Key.NO, Key.MISDEAL, Key.UNDO)
"""Keys that may end a hold, or what led to it."""
ENDS: Final = (Key.AWARD, Key.MISDEAL)
"""Keys that end a hand."""
NAMED: Final = re.compile(r"\b[A-Z_]{2,}\b")
"""A key or a ruling in a prompt."""


def keys(view: View, layout: Wiring) -> str:
    """Return how to give the keys that are asked for now: lit, or named by the prompt."""
    named = [Key(word.lower()) for word in NAMED.findall(view.prompt) if word.lower() in set(Key)]
    lit = [key for key in view.lit if not view.holds or key in IN_A_HOLD]
    wanted = [*dict.fromkeys((*named, *lit))]
    if view.phase != "dealing" or view.holds:
        return _pushes(wanted, view, layout) or "none is asked for"
    asked = _pushes([key for key in wanted if key not in (*ENDS, Key.UNDO)], view, layout)
    ends = " or ".join(f"{key.upper()} ({gesture(key, view, layout)})" for key in lit if key in ENDS)
    undo = _pushes([key for key in lit if key is Key.UNDO], view, layout)
    said = [asked or "none is needed: deal on", f"{ends} ends the hand" if ends else "", undo]
    return "; ".join(filter(None, said))


def rulings(view: View, layout: Wiring) -> str:
    """Return how the director says what he may say now; '': he is not asked."""
    asked = [Ruling.SET_BUTTON] if view.prompt_code == "set_button" else []
    if view.holds and view.street and ("director" in view.prompt or "director" in view.holds[0].remedy):
        asked = [Ruling.STAND, Ruling.VOID_HAND]
    given = {push.ruling: name for name, push in layout.pushes.items() if push.ruling}
    said = [f"{given[one].upper()} ({RULINGS[one]})" for one in asked if one in given]
    return f"turn the key, then hold {' or '.join(said)}" if said else ""


def gesture(key: Key, view: View, layout: Wiring) -> str:
    """Return how to give a key now: `hold GO`, `MENU and hold NO`; '': there is no way."""
    seats = next((choice.seats for choice in view.menu if choice.key is key), ())
    presses = way(layout, key, show(view), seats[0] if seats else 0)
    if not presses:
        return ""
    how = presses[0]
    said = f"{'hold' if how.held else 'push'} {how.push.upper()}"
    if len(presses) > 1:
        return f"{said} for the menu"
    return f"hold {layout.second_push.upper()}, {said}" if how.second else said


def _pushes(wanted: list[Key], view: View, layout: Wiring) -> str:
    given = ((key, gesture(key, view, layout)) for key in wanted)
    return "; ".join(f"{key.upper()}: {how}" for key, how in given if how)
