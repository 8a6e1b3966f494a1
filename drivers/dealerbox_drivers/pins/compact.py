"""Five buttons that say everything: GO, ACTION, PROBLEM, COUNT and DECK, with a display beside them. Pure.

GO says the key that is asked for. PROBLEM says NO while a question can be answered so; otherwise (and held, always)
it opens the menu of what may have gone wrong: PROBLEM moves on, GO chooses, ACTION or `menu_s` without a press leaves.
A line whose key names a seat opens the list of seats. What a hold or a new question overtakes is closed.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from dealerbox.model.commands import Show
from dealerbox.model.events import Event, KeyPressed
from dealerbox.model.keys import Key
from dealerbox.model.menu import Choice
from dealerbox_drivers.face import Face, OpenMenu
from dealerbox_drivers.pins.debounce import MS, Feel
from dealerbox_drivers.pins.layout import CompactSettings
from dealerbox_drivers.pins.presses import NOTHING, Press, Presses

TITLE: Final = "WHAT WENT WRONG?"
LAST_CARD: Final = "The card dealt last"
MENU_FOOT: Final = "GO this  PROBLEM next"


class Push(StrEnum):
    """The buttons, by the names that they have in the config."""

    GO = "go"
    ACTION = "action"
    PROBLEM = "problem"
    COUNT = "count"
    DECK = "deck"


class Compact(Presses):
    """Turns what fingers did into what they said, with the menu between."""

    def __init__(self, panel: CompactSettings, face: Face) -> None:
        super().__init__(panel)
        self._face = face
        self._menu_ns = panel.menu_s * 1000 * MS
        self._show = NOTHING
        self._open: list[tuple[Choice, int]] = []
        """The lines of the open menu, each with the seat that it names; empty: it is shut."""
        self._title = TITLE
        self._at = 0
        self._until_ns = 0
        self._deaf_until_ns = 0

    def shown(self, show: Show, at_ns: int) -> None:
        """Take what the station shows from now on."""
        before, self._show = self._show, show
        super().shown(show, at_ns)
        if self._open and _overtaken(before, show):
            self._shut(at_ns)
        self._tell()

    def look(self, at_ns: int) -> None:
        """Shut a menu that nobody touches."""
        if self._open and at_ns >= self._until_ns:
            self._shut(at_ns)

    def felt(self, name: str, feel: Feel, at_ns: int) -> tuple[Event, ...]:
        """Take what a finger did to the push `name`; return what was said."""
        self.look(at_ns)
        if feel is Feel.PRESSED and (self._open or at_ns < self._deaf_until_ns):
            return self._in_menu(name, at_ns)
        if name == Push.PROBLEM and at_ns >= self._director_until_ns:
            if feel is Feel.PRESSED and Key.NO in self._before(at_ns).lit:
                self._under_way[name] = Press(Key.NO, None, self._show.prompt)  # on letting go: held, it opens the menu
                return ()
            if feel in (Feel.PRESSED, Feel.HELD) and self._face.lit and self._show.menu:
                self._under_way.pop(name, None)
                self._turn_to(_lines(self._show), TITLE, at_ns)
                return ()
        return super().felt(name, feel, at_ns)

    def _in_menu(self, name: str, at_ns: int) -> tuple[Event, ...]:
        if not self._open:
            return ()
        self._until_ns = at_ns + self._menu_ns
        match name:
            case Push.GO:
                return self._choose(at_ns)
            case Push.PROBLEM:
                self._at = (self._at + 1) % len(self._open)
                self._tell()
            case Push.ACTION:
                self._shut(0)
        return ()

    def _choose(self, at_ns: int) -> tuple[Event, ...]:
        choice, seat = self._open[self._at]
        if seat < 0:
            self._turn_to([(choice, number) for number in choice.seats], choice.words, at_ns)
            return ()
        self._shut(0)
        self._last[Push.GO] = (at_ns, choice.key, self._show.prompt)
        return (KeyPressed(at_ns, choice.key, seat),)

    def _turn_to(self, lines: list[tuple[Choice, int]], title: str, at_ns: int) -> None:
        self._open, self._title, self._at = lines, title, 0
        self._until_ns = at_ns + self._menu_ns
        self._tell()

    def _shut(self, at_ns: int) -> None:
        """Shut the menu; `at_ns`: it shuts by itself, and a finger on its way then means nothing; 0: as was asked."""
        self._open = []
        self._deaf_until_ns = at_ns + self._panel.reaction_ms * MS if at_ns else 0
        self._tell()

    def _tell(self) -> None:
        if self._open:
            lines = tuple(_words(choice, seat) for choice, seat in self._open)
            self._face.say(OpenMenu(self._title, lines, self._at), MENU_FOOT)
        else:
            self._face.say(None, foot_of(self._show, self._pushes[Push.GO].long))

    def _chosen(self, name: str, keys: Sequence[Key], at_ns: int) -> Key | None:
        """GO says the key that is asked for, and no other of its list that is lit: AWARD is lit in every hand."""
        if name == Push.GO and keys == self._pushes[name].short:
            asked = self._before(at_ns).go
            return asked if asked in keys else keys[0]
        return super()._chosen(name, keys, at_ns)


def _overtaken(before: Show, now: Show) -> bool:
    """Tell whether something more pressing came up: a hold, or a question."""
    asks = Key.ACK in now.lit and Key.ACK not in before.lit
    return asks or (now.buzzer and (now.head, now.said) != (before.head, before.said))


def _lines(show: Show) -> list[tuple[Choice, int]]:
    """Return the lines of a menu; the seat is -1 where it is still to be chosen."""
    return [(choice, -1 if any(choice.seats) else 0) for choice in show.menu]


def _words(choice: Choice, seat: int) -> str:
    return choice.words if not any(choice.seats) or seat < 0 else seat_words(seat)


def seat_words(seat: int) -> str:
    """Return what a list of seats says of a seat, 0 being the card dealt last."""
    return f"Seat {seat}" if seat else LAST_CARD


def foot_of(show: Show, held: Sequence[Key] = (Key.AWARD,)) -> str:
    """Return what GO says now, short and held, and that PROBLEM answers a question."""
    go = f"GO {show.go.upper()}" if show.go in show.lit else ""
    if Key.NO in show.lit:
        return f"{go or 'GO -'}  PROBLEM NO"
    other = next((f"held {key.upper()}" for key in held if key in show.lit and key is not show.go), "")
    return ", ".join(filter(None, (go, other))) if go else f"GO {other}" if other else ""
