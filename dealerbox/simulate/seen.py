"""A table as its people meet it, whichever level it is simulated at."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Setup
from dealerbox.model.view import View
from dealerbox_drivers.felt import Felt


class Table(Protocol):
    """What people need of a table, whichever level it is simulated at."""

    level: str
    """`events`, or `wires`: there a panel has no seat to name."""
    felt: Felt
    setup: Setup
    losable: tuple[str, ...]
    """What `lose` can cut off: `shuffler`, `button`, `panel`, and the reader of a zone by the zone's name."""

    @property
    def down(self) -> bool:
        """The station is down."""

    @property
    def now_ns(self) -> int:
        """True time."""

    def view(self) -> View:
        """Return what the panel shows."""

    def start(self, process: Iterator[float]) -> None:
        """Let a process act."""

    def press(self, key: Key, seat: int = 0, badge: str = "") -> None:
        """Press a key."""

    def rule(self, ruling: Ruling, why: str, *, seat: int = 0, seats: tuple[int, ...] = (), value: int = 0) -> None:
        """Rule as the director."""

    def lay_button(self, seats: Iterable[int]) -> None:
        """Lay the dealer button."""

    def taking(self) -> bool:
        """Tell whether the shuffler's infeed is open."""

    def open_door(self) -> None:
        """Open the shuffler's door."""

    def close_door(self) -> None:
        """Shut it."""

    def lose(self, device: str) -> None:
        """Cut off a device."""

    def find(self, device: str) -> None:
        """Bring a device back."""

    def restart(self) -> None:
        """Kill the daemon; it comes back by itself."""

    def set_wall(self, wrong_s: int, *, sure: bool) -> None:
        """Let the station's wall clock show another time, and say whether it is known to be right."""

    def reboot(self, away_s: float) -> None:
        """Take the computer's power away for so long; it comes up with another boot."""
