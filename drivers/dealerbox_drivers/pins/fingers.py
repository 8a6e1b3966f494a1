"""How a person gives a key on a panel: which presses, in which order. For twins, pictures and proofs."""

from dealerbox.model.commands import Show
from dealerbox.model.keys import Key
from dealerbox_drivers.pins.layout import CompactSettings, Gesture, PanelSettings, Wiring

GO, PROBLEM = Gesture(push="go"), Gesture(push="problem")


def way(panel: Wiring, key: Key, show: Show, seat: int = 0) -> tuple[Gesture, ...]:
    """Return the presses that give `key` for `seat` while `show` is shown; (): there is no way to it now."""
    if isinstance(panel, CompactSettings):
        return _direct(key, show) or _by_menu(key, show, seat)
    gesture = panel.gesture(key, show.lit) if isinstance(panel, PanelSettings) else None
    return () if gesture is None else (gesture,)


def _direct(key: Key, show: Show) -> tuple[Gesture, ...]:
    if key is show.go:
        return (GO,)
    match key:
        case Key.AWARD:
            return (Gesture(push="go", held=True),)
        case Key.ACTION | Key.COUNT:
            return (Gesture(push=key.value),)
        case Key.DECK:
            return (Gesture(push="deck", held=True),)
        case Key.NO if Key.NO in show.lit:
            return (PROBLEM,)
    return ()


def _by_menu(key: Key, show: Show, seat: int) -> tuple[Gesture, ...]:
    opening = Gesture(push="problem", held=Key.NO in show.lit)
    for place, choice in enumerate(show.menu):
        if choice.key is key:
            chosen = (opening, *place * (PROBLEM,), GO)
            if not any(choice.seats):
                return chosen if seat == 0 else ()
            return (*chosen, *choice.seats.index(seat) * (PROBLEM,), GO) if seat in choice.seats else ()
    return ()
