"""Lamps and buzzer: patterns on output pins, and whether the pins do as they were told."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any, Final

from dealerbox.model.commands import Lamp
from dealerbox.ports import DealerboxError
from dealerbox_drivers.pins.gpio import PinFactory, signal_output, told

Pattern = tuple[int, ...]
"""Milliseconds on, off, on, ... over and over, beginning with on; () is off."""

OFF: Final[Pattern] = ()
STEADY: Final[Pattern] = (1,)
"""A pattern without off time is steady."""

LAMPS: Final[Mapping[Lamp, Pattern]] = {Lamp.GREEN: STEADY, Lamp.AMBER: (500, 500), Lamp.RED: (125, 125)}
"""Green steady, amber 1 Hz, red 4 Hz: told apart without colours too."""
SOUND: Final[Pattern] = (200, 300)

MISREADS: Final = 2
"""So many readings in a row that differ from what was told make a fault."""


class _Output:
    """One output pin that plays a pattern by timers of the running loop."""

    def __init__(self, name: str, device: Any, failed: Callable[[DealerboxError], None]) -> None:
        self._name = name
        self._device = device
        self._failed = failed
        self._pattern: Pattern = OFF
        self._timer: asyncio.TimerHandle | None = None
        self._on = False
        self._misread = 0

    @property
    def plays(self) -> bool:
        """Tell whether it plays a pattern, in whose pauses it is off."""
        return self._pattern != OFF

    def play(self, pattern: Pattern) -> None:
        """Begin a pattern at once; one that plays already goes on."""
        if pattern == self._pattern:
            return
        self._pattern = pattern
        self._stop()
        self._step(0)

    def differs(self) -> bool:
        """Read the pin back; True when it was not as told, again and again."""
        self._misread = 0 if bool(self._device.value) == self._on else self._misread + 1
        return self._misread >= MISREADS

    def close(self) -> None:
        """Stop, and leave the pin an input: the lamp is off."""
        self._stop()
        self._device.close()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _step(self, place: int) -> None:
        self._on = bool(self._pattern) and place % 2 == 0
        try:
            with told(self._name):
                self._device.value = self._on
        except DealerboxError as error:  # a timer has no caller: the panel asks
            self._failed(error)
            return
        if len(self._pattern) > 1:
            wait_s = self._pattern[place] / 1000
            self._timer = asyncio.get_running_loop().call_later(wait_s, self._step, (place + 1) % len(self._pattern))


class Signals:
    """Every output of a panel. `failed` is told, once or more, when a pin cannot be set."""

    def __init__(self, failed: Callable[[DealerboxError], None]) -> None:
        self._failed = failed
        self._outputs: dict[str, _Output] = {}
        self._closing = ExitStack()

    def open(self, factory: PinFactory, pins: Mapping[str, int]) -> None:
        """Take the pins, all off; gpiozero's errors when one cannot be had (`close` gives the others back)."""
        for name, pin in pins.items():
            output = _Output(name, signal_output(factory, pin), self._failed)
            self._closing.callback(output.close)
            self._outputs[name] = output

    def lamp(self, lamp: Lamp) -> None:
        """Light one lamp, then put the others out: the panel is never dark between."""
        for other in sorted(LAMPS, key=lambda other: other is not lamp):
            self._outputs[other].play(LAMPS[other] if other is lamp else OFF)

    def play(self, name: str, pattern: Pattern) -> None:
        """Play a pattern on the output `name`."""
        self._outputs[name].play(pattern)

    def playing(self) -> dict[str, bool]:
        """Return each output, and whether it is told to be lit or heard."""
        return {name: output.plays for name, output in self._outputs.items()}

    def differing(self) -> list[str]:
        """Read every pin back; return the outputs that are not as told."""
        return [name for name, output in self._outputs.items() if output.differs()]

    def close(self) -> None:
        """Put everything out and give the pins back. Twice is once."""
        self._outputs.clear()
        self._closing.close()
