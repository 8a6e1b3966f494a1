"""The far side of the button sensor: contacts at the seats that close where a button lies on the felt."""

from typing import Any, Final

from dealerbox_drivers.felt import Felt
from dealerbox_drivers.pins.sensors import DirectSettings, ExpanderSettings, MatrixSettings
from dealerbox_drivers.pins.twin_pins import wired


class Magnets:
    """Which contacts are closed: those under a button of the felt, but for the broken ones."""

    def __init__(self, felt: Felt) -> None:
        self._felt = felt
        self.dead: set[int] = set()
        """Seats whose contact never closes."""
        self.welded: set[int] = set()
        """Seats whose contact never opens."""

    def closed(self) -> frozenset[int]:
        """Return the seats whose contact is closed now."""
        return frozenset({*self._felt.button, *self.welded} - self.dead)


def wire_direct(factory: Any, settings: DirectSettings, magnets: Magnets) -> None:
    """Put a contact at the pin of each seat, of a `wired_factory`."""

    def level(seat: int) -> bool | None:
        return False if seat in magnets.closed() else None

    for seat, pin in settings.seats.items():
        wired(factory, pin).reading = lambda seat=seat: level(seat)


def wire_matrix(factory: Any, settings: MatrixSettings, magnets: Magnets) -> None:
    """Put a contact at each crossing: a low row pulls down whatever closed contacts connect with it."""
    rows = [wired(factory, pin) for pin in settings.rows]
    crossings = settings.crossings()

    def column_level(column: int) -> bool | None:
        closed = {crossings[seat] for seat in magnets.closed() if seat in crossings}
        low_rows = {place for place, row in enumerate(rows) if row.function == "output" and not row.state}
        low_columns: set[int] = set()
        while True:
            more_columns = {c for r, c in closed if r in low_rows} - low_columns
            more_rows = {r for r, c in closed if c in low_columns | more_columns} - low_rows
            if not more_columns and not more_rows:
                return False if column in low_columns else None
            low_columns |= more_columns
            low_rows |= more_rows

    for place, pin in enumerate(settings.columns):
        wired(factory, pin).reading = lambda place=place: column_level(place)


_REGISTERS: Final = 11
"""IODIR, IPOL, GPINTEN, DEFVAL, INTCON, IOCON, GPPU, INTF, INTCAP, GPIO, OLAT: one each of ports A and B."""
_IODIR, _IPOL, _IOCON, _GPPU, _GPIO, _OLAT = 0, 1, 5, 6, 9, 10


class ExpanderTwin:
    """An MCP23017 in memory, on an I2C bus of its own. Satisfies `I2cBus`.

    An input with neither contact nor pull-up floats, and reads low here.
    """

    def __init__(self, settings: ExpanderSettings, magnets: Magnets) -> None:
        self.name = settings.bus
        self.present = True
        self._address = settings.address
        self._seats = {place: seat for seat, place in settings.inputs().items()}
        self._magnets = magnets
        self._ports: list[list[int]] = []
        self.reset()

    def reset(self) -> None:
        """Lose power and get it back: every register as at power-on."""
        self._ports = [[0xFF, *bytes(_REGISTERS - 1)] for _ in "AB"]

    def poke(self, register: int, value: int) -> None:
        """Set a register (0 is IODIR, 5 is IOCON, ...) of both ports behind the driver's back."""
        for port in self._ports:
            port[register] = value

    async def transfer(self, address: int, write: bytes, read: int = 0) -> bytes:
        """Take the address pointer and the bytes for it on; return bytes from there on."""
        if address != self._address or not self.present:
            raise OSError(121, "Remote I/O error")
        pointer = write[0]
        for value in write[1:]:
            self._write(pointer, value)
            pointer += 1
        return bytes(self._read(pointer + place) for place in range(read))

    def _place(self, pointer: int) -> tuple[int, int]:
        """Return (port, register) of an address, as IOCON.BANK says."""
        if self._ports[0][_IOCON] & 0x80:
            return pointer >> 4 & 1, pointer & 0x0F
        return pointer & 1, pointer >> 1

    def _write(self, pointer: int, value: int) -> None:
        port, register = self._place(pointer)
        if register == _IOCON:  # one register, seen at two addresses
            self.poke(_IOCON, value)
        elif register < _REGISTERS:
            self._ports[port][_OLAT if register == _GPIO else register] = value

    def _read(self, pointer: int) -> int:
        port, register = self._place(pointer)
        if register >= _REGISTERS:
            return 0
        return self._levels(port) if register == _GPIO else self._ports[port][register]

    def _levels(self, port: int) -> int:
        registers = self._ports[port]
        closed = self._magnets.closed()
        high = 0
        for bit in range(8):
            if registers[_IODIR] >> bit & 1:
                pulled_up = bool(registers[_GPPU] >> bit & 1) and self._seats.get(8 * port + bit) not in closed
                high |= (pulled_up ^ (registers[_IPOL] >> bit & 1)) << bit
            else:
                high |= registers[_OLAT] & 1 << bit
        return high
