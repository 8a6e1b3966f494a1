"""Where the dealer button lies: contacts at the seats, read again and again until they stand still."""

import asyncio
from typing import Protocol

from dealerbox.model.commands import Command
from dealerbox.model.events import ButtonAt
from dealerbox.ports import Clock, Emit
from dealerbox_drivers.pins.debounce import Steady
from dealerbox_drivers.pins.direct import DirectContacts
from dealerbox_drivers.pins.expander import ExpanderContacts
from dealerbox_drivers.pins.gpio import PinFactory, told
from dealerbox_drivers.pins.i2c import I2cBus, LinuxI2c
from dealerbox_drivers.pins.matrix import MatrixContacts
from dealerbox_drivers.pins.sensors import ButtonSettings, DirectSettings, ExpanderSettings, MatrixSettings


class Contacts(Protocol):
    """The contacts of all seats, however they are wired."""

    async def open(self) -> None:
        """Take what is needed to read them."""

    async def read(self) -> frozenset[int]:
        """Return the seats whose contact is closed now."""

    def close(self) -> None:
        """Give it back. Twice is once."""


class Button:
    """Satisfies `Device`. Emits ButtonAt once it knows, and at each change that lasts for `settle_ms`.

    A button in the air is on no seat: ButtonAt(()) comes when it is away for that long.
    It obeys nothing.
    """

    def __init__(self, name: str, settings: ButtonSettings, contacts: Contacts, clock: Clock) -> None:
        self.name = name
        self._settings = settings
        self._contacts = contacts
        self._clock = clock
        self._closed: tuple[int, ...] = ()

    def pins(self) -> dict[str, str]:
        """Return the contacts that were closed at the last look."""
        return {f"seat {number}": "closed" for number in self._closed}

    def obey(self, command: Command) -> None:
        """Ignore every command: there is nothing to do at a sensor."""

    async def run(self, emit: Emit) -> None:
        """Serve until cancelled. DeviceGone when the contacts cannot be read, DeviceWrong when they are others."""
        lies: Steady[tuple[int, ...]] = Steady(self._settings.settle_ms)
        with told(self.name):
            try:
                await self._contacts.open()
                while True:
                    seats = self._closed = tuple(sorted(await self._contacts.read()))
                    if lies.read(seats, self._clock()):
                        emit(ButtonAt(self._clock(), seats))
                    await asyncio.sleep(self._settings.poll_ms / 1000)
            finally:
                self._contacts.close()


def direct_button(name: str, settings: DirectSettings, factory: PinFactory, clock: Clock) -> Button:
    """Return a button sensor with a pin for each seat."""
    return Button(name, settings, DirectContacts(settings, factory), clock)


def matrix_button(name: str, settings: MatrixSettings, factory: PinFactory, clock: Clock) -> Button:
    """Return a button sensor wired in rows and columns."""
    return Button(name, settings, MatrixContacts(settings, factory), clock)


def expander_button(
    name: str, settings: ExpanderSettings, _factory: PinFactory, clock: Clock, bus: I2cBus | None = None
) -> Button:
    """Return a button sensor behind an I2C expander: it takes no pin of a factory.

    `bus` None: the Linux bus that the settings name.
    """
    return Button(name, settings, ExpanderContacts(settings, bus or LinuxI2c(settings.bus)), clock)
