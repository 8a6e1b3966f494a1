"""The clocks of a simulated table: the truth, what this boot's clock says, and what the wall clock shows."""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from dealerbox.model.events import Event

EVENING_S: Final = 19 * 3600
DAY_ZERO_S: Final = 1_767_225_600 + EVENING_S
"""19:00 of the first day of 2026."""
BOOT_S: Final = 8
"""From power to a daemon: what a boot's clock has counted when the daemon starts."""
DAY_S: Final = 86_400


class Clocks:
    """True time goes on whatever happens to the clocks that the station reads. Until a reboot its own is the truth."""

    def __init__(self, now_ns: Callable[[], int]) -> None:
        """`now_ns`: true time."""
        self._now_ns = now_ns
        self._booted_ns = 0
        self._boots = 1
        self.wrong_s = 0
        """How far the wall clock is before the truth."""
        self.sure = True
        """The system says that the wall clock is right."""

    @property
    def boot_id(self) -> str:
        """This boot's."""
        return "simulated" if self._boots == 1 else f"simulated {self._boots}"

    def boot_ns(self) -> int:
        """Return what this boot's clock says now (CLOCK_BOOTTIME)."""
        return self._now_ns() - self._booted_ns

    def wall(self) -> tuple[int, int, bool]:
        """Return the wall clock: seconds since the epoch, local seconds since midnight, known to be right."""
        seconds = self._now_ns() // 1_000_000_000 + self.wrong_s
        return DAY_ZERO_S + seconds, (EVENING_S + seconds) % DAY_S, self.sure

    def set_wall(self, wrong_s: int, *, sure: bool) -> None:
        """Let the wall clock show another time from now on."""
        self.wrong_s, self.sure = wrong_s, sure

    def reboot(self) -> None:
        """The computer starts anew: another boot, whose clock has just begun."""
        self._boots += 1
        self._booted_ns = self._now_ns() - BOOT_S * 1_000_000_000

    def true_ns(self, boot_ns: int) -> int:
        """Return the true time of a time of this boot's clock."""
        return boot_ns + self._booted_ns

    def said(self, event: Event) -> Event:
        """Return an event that was told in true time as this station tells it."""
        return replace(event, at_ns=event.at_ns - self._booted_ns) if self._booted_ns else event

    def true(self, event: Event) -> Event:
        """Return the station's event in true time, for whoever knows it."""
        return replace(event, at_ns=event.at_ns + self._booted_ns) if self._booted_ns else event
