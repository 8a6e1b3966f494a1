"""What the dealer says with his fingers: touches of pushes in, keys and rulings out. Pure.

A press answers what was lit `reaction_ms` before it: a finger already on its way when
the prompt changed meant the prompt before. So a second tap after START is one more
START, which the station refuses, and never the answer to a question nobody has read.
"""

from collections.abc import Mapping, Sequence

from dealerbox.model.events import Event, KeyFreed, KeyPressed, KeyStuck, Ruled
from dealerbox.model.keys import Key, Ruling
from dealerbox_drivers.pins.debounce import MS, Feel
from dealerbox_drivers.pins.layout import PanelSettings, Push, chosen, listed


class _Press:
    """A press under way: what it can still give."""

    def __init__(self, short: Key | None, long: Key | Ruling | None) -> None:
        self.short = short
        self.long = long


class Presses:
    """Turns what fingers did into what they said, by a panel's layout."""

    def __init__(self, panel: PanelSettings) -> None:
        self._panel = panel
        self._pushes: Mapping[str, Push] = panel.push
        self._lit: list[tuple[int, tuple[str, ...]]] = [(0, ())]  # newest last; the first one stands long enough
        self._under_way: dict[str, _Press] = {}
        self._second_used = False
        self._director_until_ns = 0

    def light(self, lit: Sequence[str], at_ns: int) -> None:
        """Take which keys are lit from now on, the one asked for first."""
        if tuple(lit) != self._lit[-1][1]:
            self._lit.append((at_ns, tuple(lit)))

    def switch(self, on: bool, at_ns: int) -> None:
        """Take a turn of the director's key switch."""
        self._director_until_ns = at_ns + self._panel.director_s * 1000 * MS if on else 0

    def felt(self, name: str, feel: Feel, at_ns: int) -> tuple[Event, ...]:
        """Take what a finger did to the push `name`; return what was said."""
        match feel:
            case Feel.PRESSED:
                return self._pressed(name, at_ns)
            case Feel.HELD:
                return self._held(name, at_ns)
            case Feel.RELEASED:
                return self._released(name, at_ns)
            case Feel.STUCK:
                self._under_way.pop(name, None)
                return (KeyStuck(at_ns, self._pushes[name].keys()[0]),)
            case Feel.FREED:
                return (KeyFreed(at_ns, self._pushes[name].keys()[0]),)

    def _pressed(self, name: str, at_ns: int) -> tuple[Event, ...]:
        push, lit, with_second = self._pushes[name], self._lit_before(at_ns), self._panel.second in self._under_way
        if name == self._panel.second:
            self._second_used = False
            self._under_way[name] = _Press(chosen(push.short, lit), None)
            return ()
        self._second_used = self._second_used or with_second
        ruled = at_ns < self._director_until_ns and not with_second
        short = chosen(listed(push, held=False, second=with_second), lit)
        long = chosen(listed(push, held=True, second=with_second), lit)
        press = _Press(short, push.ruling if ruled and push.ruling else long)
        self._under_way[name] = press
        if press.long is not None or short is None:
            return ()
        press.short = None
        return self._said(short, at_ns)

    def _held(self, name: str, at_ns: int) -> tuple[Event, ...]:
        press = self._under_way.get(name)
        if press is None:
            return ()
        press.short = None  # for the second push: held and let go without another was no short press
        if press.long is None or (isinstance(press.long, Ruling) and at_ns >= self._director_until_ns):
            return ()
        return self._said(press.long, at_ns)

    def _released(self, name: str, at_ns: int) -> tuple[Event, ...]:
        press = self._under_way.pop(name, None)
        if press is None or press.short is None or (name == self._panel.second and self._second_used):
            return ()
        return self._said(press.short, at_ns)

    def _said(self, said: Key | Ruling, at_ns: int) -> tuple[Event, ...]:
        if isinstance(said, Key):
            return (KeyPressed(at_ns, said),)
        self.switch(True, at_ns)
        return (Ruled(at_ns=at_ns, ruling=said, by="key switch", reason="panel"),)

    def _lit_before(self, at_ns: int) -> tuple[str, ...]:
        """What was lit `reaction_ms` ago; what was lit before that is forgotten."""
        seen_ns = at_ns - self._panel.reaction_ms * MS
        while len(self._lit) > 1 and self._lit[1][0] <= seen_ns:
            self._lit.pop(0)
        return self._lit[0][1]
