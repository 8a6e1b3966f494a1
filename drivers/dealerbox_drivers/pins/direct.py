"""Button contacts with a pin for each seat."""

from contextlib import ExitStack
from typing import Any

from dealerbox_drivers.pins.gpio import PinFactory, contact_input, given
from dealerbox_drivers.pins.sensors import DirectSettings


class DirectContacts:
    """Satisfies `button.Contacts`."""

    def __init__(self, settings: DirectSettings, factory: PinFactory) -> None:
        self._seats = settings.seats
        self._factory = given(factory)
        self._inputs: dict[int, Any] = {}
        self._closing = ExitStack()

    async def open(self) -> None:
        """Take the pins, each pulled up."""
        for seat, pin in self._seats.items():
            self._inputs[seat] = contact_input(self._factory, pin)
            self._closing.callback(self._inputs[seat].close)

    async def read(self) -> frozenset[int]:
        """Return the seats whose contact is closed now."""
        return frozenset(seat for seat, contact in self._inputs.items() if contact.value)

    def close(self) -> None:
        """Give the pins back. Twice is once."""
        self._inputs.clear()
        self._closing.close()
