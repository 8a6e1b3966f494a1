"""What a panel itself has to say on the display beside it: its open menu, and what its buttons mean now."""

from collections.abc import Callable

import msgspec


class OpenMenu(msgspec.Struct, frozen=True):
    """A menu as it is to be seen."""

    title: str
    lines: tuple[str, ...]
    at: int
    """The line that GO would choose."""


class Face:
    """Between one panel and one display; both live in the loop's thread."""

    def __init__(self) -> None:
        self.menu: OpenMenu | None = None
        self.foot = ""
        """What the buttons mean now."""
        self.lit = False
        """Whether a display shows what stands here: a menu that nobody can read must not be opened."""
        self._watching: list[Callable[[], None]] = []

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` whenever something new is to be shown."""
        self._watching.append(changed)

    def say(self, menu: OpenMenu | None, foot: str) -> None:
        """Show this from now on."""
        if (menu, foot) == (self.menu, self.foot):
            return
        self.menu, self.foot = menu, foot
        for changed in self._watching:
            changed()
