"""Button contacts in rows and columns.

Every pin is an input with its pull-up; the row being read is low for that moment. So two
closed contacts never connect a high output with a low one, and no diodes are needed.
"""

import asyncio
from contextlib import ExitStack
from typing import Any

from dealerbox_drivers.pins.gpio import PinFactory, contact_input, given
from dealerbox_drivers.pins.sensors import MatrixSettings


class MatrixContacts:
    """Satisfies `button.Contacts`."""

    def __init__(self, settings: MatrixSettings, factory: PinFactory) -> None:
        self._settings = settings
        self._factory = given(factory)
        self._seats = {crossing: seat for seat, crossing in settings.crossings().items()}
        self._rows: list[Any] = []
        self._columns: list[Any] = []
        self._closing = ExitStack()

    async def open(self) -> None:
        """Take the pins of rows and columns, each pulled up."""
        for pins, devices in ((self._settings.rows, self._rows), (self._settings.columns, self._columns)):
            for pin in pins:
                devices.append(contact_input(self._factory, pin))
                self._closing.callback(devices[-1].close)

    async def read(self) -> frozenset[int]:
        """Return the seats whose contact is closed, row after row."""
        closed = set()
        for row_place, row in enumerate(self._rows):
            row.pin.output_with_state(False)
            try:
                await asyncio.sleep(self._settings.row_ms / 1000)
                for column_place, column in enumerate(self._columns):
                    seat = self._seats.get((row_place, column_place))
                    if seat is not None and column.value:
                        closed.add(seat)
            finally:
                row.pin.input_with_pull("up")
        return frozenset(closed)

    def close(self) -> None:
        """Give the pins back. Twice is once."""
        self._rows.clear()
        self._columns.clear()
        self._closing.close()
