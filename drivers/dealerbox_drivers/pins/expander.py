"""Button contacts behind an MCP23017 I2C expander (Microchip data sheet DS20001952, section 3).

Register addresses are those of IOCON.BANK = 0. GPA7 and GPB7 are made outputs: as inputs
they can corrupt the bus, used or not (revision D of the data sheet, 2022).
"""

from typing import Final

from dealerbox.ports import DeviceGone, DeviceWrong
from dealerbox_drivers.pins.i2c import I2cBus
from dealerbox_drivers.pins.sensors import ExpanderSettings

IODIR: Final = 0x00
IOCON_OF_BANK_1: Final = 0x05
"""Where IOCON stands when BANK = 1; GPINTENB, of no use here, when BANK = 0."""
IOCON: Final = 0x0A
GPPU: Final = 0x0C
GPIO: Final = 0x12

INPUTS: Final = 0x7F
"""Seven inputs of a port; bit 7 is an output."""

_SETTINGS: Final = bytes([INPUTS, INPUTS, *bytes(8)])
"""IODIR, IPOL, GPINTEN, DEFVAL and INTCON, A and B: inputs, not inverted, no interrupts."""
_PULL_UPS: Final = bytes([INPUTS, INPUTS])


class ExpanderContacts:
    """Satisfies `button.Contacts`."""

    def __init__(self, settings: ExpanderSettings, bus: I2cBus) -> None:
        self._address = settings.address
        self._inputs = settings.inputs()
        self._bus = bus

    async def open(self) -> None:
        """Set the expander up from whatever state it is in. DeviceWrong when it does not keep what it is told."""
        await self._transfer(bytes([IOCON_OF_BANK_1, 0]))
        await self._transfer(bytes([IOCON, 0]))
        await self._transfer(bytes([IODIR]) + _SETTINGS)
        await self._transfer(bytes([GPPU]) + _PULL_UPS)
        kept = await self._transfer(bytes([IODIR]), len(_SETTINGS))
        if kept != _SETTINGS:
            raise DeviceWrong(f"{self._where} answers, but is no MCP23017: it keeps {kept.hex()} of {_SETTINGS.hex()}")

    async def read(self) -> frozenset[int]:
        """Return the seats whose contact is closed now.

        One read from GPPU to GPIO: an expander that lost its power in between has lost its pull-ups too.
        """
        registers = await self._transfer(bytes([GPPU]), GPIO + 2 - GPPU)
        if registers[:2] != _PULL_UPS:
            raise DeviceGone(f"{self._where} was reset: its pull-ups read {registers[:2].hex()}; look at its supply")
        levels = int.from_bytes(registers[-2:], "little")
        return frozenset(seat for seat, place in self._inputs.items() if not levels >> place & 1)

    def close(self) -> None:
        """Do nothing: the expander keeps nothing that anyone else needs."""

    @property
    def _where(self) -> str:
        return f"expander {self._address:#04x} on {self._bus.name}"

    async def _transfer(self, write: bytes, read: int = 0) -> bytes:
        try:
            answer = await self._bus.transfer(self._address, write, read)
        except OSError as error:
            raise DeviceGone(f"{self._where}: {error}; look at its supply, its wires and its address") from error
        if len(answer) != read:
            raise DeviceGone(f"{self._where}: {len(answer)} bytes came where {read} were asked for")
        return answer
