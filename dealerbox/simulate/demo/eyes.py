"""What a person sees of lamps and buzzer: one that blinks is lit in its dark moments too."""

from typing import Final

from dealerbox.model.commands import Lamp
from dealerbox.ports import Clock
from dealerbox_drivers.pins.twin import Look, PanelTwin, Watched

DARK_NS: Final = 650_000_000
"""Longer than any pattern is dark or silent: only after it is a lamp out."""


class Eyes:
    """Watches a panel."""

    def __init__(self, panel: PanelTwin, clock: Clock) -> None:
        self._panel, self._clock = panel, clock

    def lamps(self) -> dict[Lamp, Look]:
        """Return the lamps that are lit, and how they look; of several that were lit just now, the last one."""
        lit = {lamp: watched.lit_ns for lamp, watched in self._panel.lamps.items() if self._lately(watched)}
        last_ns = max(lit.values(), default=0)
        return {lamp: self._look(lamp) for lamp, at_ns in lit.items() if at_ns == last_ns}

    def buzzer(self) -> bool:
        """Tell whether it buzzes."""
        return self._lately(self._panel.buzzer)

    def _lately(self, watched: Watched) -> bool:
        return 0 < watched.lit_ns > self._clock() - DARK_NS

    def _look(self, lamp: Lamp) -> Look:
        seen = self._panel.lamps[lamp].look()
        return Look.STEADY if seen is Look.OFF else seen
