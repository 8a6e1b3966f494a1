"""Which push to press for what, in words: the panel's layout, for what may be said now."""

import re
from typing import Final

from dealerbox.model.keys import Key, Ruling
from dealerbox.model.view import View
from dealerbox_drivers.pins.layout import PanelSettings

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


def keys(view: View, layout: PanelSettings) -> str:
    """Return how to give the keys that are asked for now: lit, or named by the prompt."""
    named = [Key(word.lower()) for word in NAMED.findall(view.prompt) if word.lower() in set(Key)]
    lit = [key for key in view.lit if not view.holds or key in IN_A_HOLD]
    if view.prompt_code == "deal" and not view.holds:
        ends = " or ".join(f"{key.upper()} ({gesture(key, view, layout)})" for key in lit if key in ENDS)
        others = _pushes([key for key in lit if key not in ENDS], view, layout)
        return "; ".join(
            ["none is needed: deal on", *([f"{ends} ends the hand"] if ends else []), *filter(None, [others])]
        )
    return _pushes([*dict.fromkeys((*named, *lit))], view, layout) or "none is asked for"


def rulings(view: View, layout: PanelSettings) -> str:
    """Return how the director says what he may say now; '': he is not asked."""
    asked = [Ruling.SET_BUTTON] if view.prompt_code == "set_button" else []
    if view.holds and view.street and ("director" in view.prompt or "director" in view.holds[0].remedy):
        asked = [Ruling.STAND, Ruling.VOID_HAND]
    given = {push.ruling: name for name, push in layout.push.items() if push.ruling}
    said = [f"{given[one].upper()} ({RULINGS[one]})" for one in asked if one in given]
    return f"turn the key, then hold {' or '.join(said)}" if said else ""


def gesture(key: Key, view: View, layout: PanelSettings) -> str:
    """Return how to give a key now: `hold GO`, `MENU and hold NO`; '': there is no way."""
    how = layout.gesture(key, view.lit)
    if how is None:
        return ""
    verb = "hold" if how.held else "push"
    return f"hold {layout.second.upper()}, {verb} {how.push.upper()}" if how.second else f"{verb} {how.push.upper()}"


def _pushes(wanted: list[Key], view: View, layout: PanelSettings) -> str:
    given = ((key, gesture(key, view, layout)) for key in wanted)
    return "; ".join(f"{key.upper()}: {how}" for key, how in given if how)
