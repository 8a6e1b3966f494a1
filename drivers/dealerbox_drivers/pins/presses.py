"""What the dealer says with his fingers: touches of pushes in, keys and rulings out. Pure.

A press answers what was lit `reaction_ms` before it: a finger already on its way when
the prompt changed meant the prompt before. So a second tap after START is one more
START, which the station refuses, and never the answer to a question nobody has read: nor
is a push that is pressed again within `AGAIN_MS`, when the prompt has gone on meanwhile
to what that press would now answer or end. It says nothing then.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from dealerbox.model.commands import Lamp, Show
from dealerbox.model.events import Event, KeyFreed, KeyPressed, KeyStuck, Ruled
from dealerbox.model.keys import Key, Ruling
from dealerbox_drivers.pins.debounce import MS, Feel
from dealerbox_drivers.pins.layout import Push, Wiring, chosen, listed

AGAIN_MS: Final = 1000
"""Sooner than this nobody has read the next prompt: a tired finger came down twice."""
NOTHING: Final = Show(lamp=Lamp.AMBER, buzzer=False)
"""What is shown before the station shows anything: no key is lit."""


class Press:
    """A press under way: what it can still give."""

    def __init__(self, short: Key | None, long: Key | Ruling | None, prompt: str = "") -> None:
        self.short = short
        self.long = long
        self.prompt = prompt
        """What the display asked for when the finger came down."""


class Presses:
    """Turns what fingers did into what they said, by a panel's layout."""

    def __init__(self, panel: Wiring) -> None:
        self._panel = panel
        self._pushes: Mapping[str, Push] = panel.pushes
        self._second = panel.second_push
        self._shown: list[tuple[int, Show]] = [(0, NOTHING)]  # newest last; the first one stands long enough
        self._under_way: dict[str, Press] = {}
        self._second_used = False
        self._director_until_ns = 0
        self._last: dict[str, tuple[int, Key, str]] = {}
        """What each push said last by a short press: when, which key, and at which prompt."""
        self._now = NOTHING

    def shown(self, show: Show, at_ns: int) -> None:
        """Take what the station shows from now on: which keys are lit, and which one is asked for."""
        last, self._now = self._shown[-1][1], show
        if (show.lit, show.go) != (last.lit, last.go):
            self._shown.append((at_ns, show))

    def look(self, at_ns: int) -> None:
        """Take that time has passed."""

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
        push, with_second = self._pushes[name], self._second in self._under_way
        if name == self._second:
            self._second_used = False
            self._under_way[name] = Press(self._chosen(name, push.short, at_ns), None, self._now.prompt)
            return ()
        self._second_used = self._second_used or with_second
        ruled = at_ns < self._director_until_ns and not with_second
        short = self._chosen(name, listed(push, held=False, second=with_second), at_ns)
        long = self._chosen(name, listed(push, held=True, second=with_second), at_ns)
        press = Press(short, push.ruling if ruled and push.ruling else long, self._now.prompt)
        self._under_way[name] = press
        if press.long is not None or short is None:
            return ()
        press.short = None
        return self._said_short(name, short, press.prompt, at_ns)

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
        if press is None or press.short is None or (name == self._second and self._second_used):
            return ()
        return self._said_short(name, press.short, press.prompt, at_ns)

    def _said_short(self, name: str, key: Key, asked: str, at_ns: int) -> tuple[Event, ...]:
        if self._doubled(name, key, at_ns):
            return ()
        self._last[name] = (at_ns, key, asked)
        return self._said(key, at_ns)

    def _doubled(self, name: str, key: Key, at_ns: int) -> bool:
        """Tell whether this push was pressed a moment ago and its key would now be taken for another prompt."""
        since_ns, last, prompt = self._last.get(name, (at_ns - AGAIN_MS * MS, key, ""))
        soon = at_ns - since_ns < AGAIN_MS * MS and self._now.prompt != prompt and key in self._now.lit
        return soon and (key is not last or key in (Key.ACK, Key.NO, Key.RETRIEVE))

    def _said(self, said: Key | Ruling, at_ns: int) -> tuple[Event, ...]:
        if isinstance(said, Key):
            return (KeyPressed(at_ns, said),)
        self.switch(True, at_ns)
        return (Ruled(at_ns=at_ns, ruling=said, by="key switch", reason="panel"),)

    def _chosen(self, name: str, keys: Sequence[Key], at_ns: int) -> Key | None:
        """Return which of the keys in a list of the push `name` a finger means now."""
        return chosen(keys, self._before(at_ns).lit)

    def _before(self, at_ns: int) -> Show:
        """Return what was shown `reaction_ms` ago; what was shown before that is forgotten."""
        seen_ns = at_ns - self._panel.reaction_ms * MS
        while len(self._shown) > 1 and self._shown[1][0] <= seen_ns:
            self._shown.pop(0)
        return self._shown[0][1]
