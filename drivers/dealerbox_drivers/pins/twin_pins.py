"""Pins of gpiozero's mock factory with a world at their other end.

The mock drives an input to its pull when it is opened, as if nothing were wired to it,
and models no short. A `WiredPin` keeps what the outside does to it. Callbacks come in
the thread that drives the pin: a twin that runs in the loop calls them in the loop.
"""

from collections.abc import Callable
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin

PI_4 = "c03115"
"""Revision of the Pi that the mock is: `GPIOZERO_MOCK_REVISION` must not decide it."""


class WiredPin(MockPin):  # type: ignore[misc]  # gpiozero ships no types, so its class is Any, which strict bars as a base
    """A mock pin that something outside can hold high or low, and that tells of its changes."""

    def __init__(self, factory: Any, info: Any) -> None:
        self.outside: bool | None = None
        self.deaf = False
        self.watching: Callable[[bool], None] | None = None
        self.reading: Callable[[], bool | None] | None = None
        super().__init__(factory, info)

    def drive(self, level: bool | None) -> None:
        """Hold the pin high or low from outside; None: let it go."""
        self.outside = level
        if self._function == "input":
            self._follow()

    def _follow(self) -> None:
        high = self._pull == "up" if self.outside is None else self.outside
        if self.deaf:
            self._change_state(high)
        elif high:
            self.drive_high()
        else:
            self.drive_low()

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self._follow()

    def _get_state(self) -> bool:
        """Return what the pin reads: what the outside does wins, as a short does over an output."""
        outside = self.reading() if self.reading is not None else self.outside
        return bool(self._state) if outside is None else outside

    def _change_state(self, value: bool) -> bool:
        changed = bool(super()._change_state(value))
        if changed and self.watching is not None:
            self.watching(bool(value))
        return changed


def wired_factory() -> Any:
    """Return a mock factory whose pins a twin can wire; its own, no process-wide state."""
    return MockFactory(revision=PI_4, pin_class=WiredPin)


def wired(factory: Any, pin: int) -> WiredPin:
    """Return a pin of a `wired_factory` before or after a device has opened it."""
    found = factory.pin(pin)
    if not isinstance(found, WiredPin):
        raise TypeError(f"GPIO {pin} is a {type(found).__name__}: make the factory with wired_factory()")
    return found
