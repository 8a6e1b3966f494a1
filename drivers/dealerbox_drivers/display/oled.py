"""A display of 128 x 64 dots on I2C: set up by luma.oled, drawn page by page, and only what changed.

A transfer is at most 128 bytes, some 3 ms at 400 kHz, on a thread that waits in the kernel; the loop goes on. The
chips answer no question: that one is there shows in a write that it acknowledges.
"""

import asyncio
import contextlib
from typing import Any, Final

from luma.oled import device as luma
from PIL import Image

from dealerbox.model.commands import Command, Hold, Show
from dealerbox.ports import Clock, DeviceGone, Emit
from dealerbox_drivers.display.draw import drawn, packed
from dealerbox_drivers.display.page import Page, held_page, page_of
from dealerbox_drivers.display.settings import Chip, DisplaySettings
from dealerbox_drivers.face import Face
from dealerbox_drivers.pins.i2c import I2cBus, LinuxI2c

COMMANDS: Final = 0x00
DATA: Final = 0x40
"""Control bytes: what follows in this transfer (SSD1306 data sheet, section 8.1.5.2)."""
NOP: Final = bytes([COMMANDS, 0xE3])
OFF: Final = bytes([COMMANDS, 0xAE])
BY_PAGES: Final = bytes([0x20, 0x02])
"""Page addressing, which all three chips have; the SH1106 has no other and no such command."""
GAP: Final = {Chip.SSD1306: 0, Chip.SSD1309: 0, Chip.SH1106: 2}
"""Columns of the chip's memory left of the glass."""


class Display:
    """Satisfies `Device`. Shows what Show and Hold say, and what the panel beside it says on `face`; emits nothing."""

    def __init__(
        self, name: str, settings: DisplaySettings, clock: Clock, face: Face | None = None, bus: I2cBus | None = None
    ) -> None:
        self.name = name
        self._settings = settings
        self._bus = bus or LinuxI2c(settings.bus)
        self._face = face or Face()
        self._face.watch(self._changed)
        self._said: Show | Hold | None = None
        self._glass: list[bytes] = []
        """What each page of the display shows; []: not known."""
        self._wake = asyncio.Event()
        self._orders = _setting_up(settings)

    def obey(self, command: Command) -> None:
        """Show what is to be read, soon; ignore every other command."""
        if isinstance(command, Show | Hold):
            self._said = command
            self._changed()

    async def run(self, emit: Emit) -> None:
        """Show until cancelled, then go dark. DeviceGone when nobody acknowledges."""
        try:
            while True:
                await self._set_up()
                await self._serve(asyncio.get_running_loop().time() + self._settings.again_s)
        except OSError as error:
            where = f"display {self._settings.address:#04x} on {self._bus.name}"
            raise DeviceGone(f"{where}: {error}; look at its supply, its wires and its address") from error
        finally:
            self._face.lit = False
            with contextlib.suppress(OSError):
                await self._bus.transfer(self._settings.address, OFF)

    def page(self) -> Page:
        """Return what is to be read now."""
        if isinstance(self._said, Hold):
            return held_page(self._said)
        shown = Page(head="Dealerbox", prompt="Wait.") if self._said is None else page_of(self._said)
        return Page(shown.head, shown.said, shown.prompt, self._face.foot, shown.held, self._face.menu)

    def _changed(self) -> None:
        self._wake.set()

    async def _set_up(self) -> None:
        """Set the chip up from whatever state it is in; what stands on it stands on."""
        self._glass = []
        for order in self._orders:
            await self._send(COMMANDS, order)

    async def _serve(self, until_s: float) -> None:
        """Draw whatever changes, and ask whether the display is still there."""
        loop = asyncio.get_running_loop()
        while loop.time() < until_s:
            self._wake.clear()
            await self._draw(self.page())
            self._face.lit = True
            try:
                async with asyncio.timeout(self._settings.alive_ms / 1000):
                    await self._wake.wait()
            except TimeoutError:
                await self._bus.transfer(self._settings.address, NOP)

    async def _draw(self, page: Page) -> None:
        image = drawn(page)
        if self._settings.upside_down:
            image = image.transpose(Image.Transpose.ROTATE_180)
        wanted = packed(image)
        for number, new in enumerate(wanted):
            old = self._glass[number] if number < len(self._glass) else None
            if new != old:
                await self._write(number, new, old)
        self._glass = list(wanted)

    async def _write(self, page: int, new: bytes, old: bytes | None) -> None:
        """Write the columns of a page from the first to the last that changed."""
        changed = [column for column in range(len(new)) if old is None or new[column] != old[column]]
        first, last = changed[0], changed[-1]
        column = first + GAP[self._settings.chip]
        await self._send(COMMANDS, bytes([0xB0 | page, column & 0x0F, 0x10 | column >> 4]))
        await self._send(DATA, new[first : last + 1])

    async def _send(self, control: int, content: bytes) -> None:
        await self._bus.transfer(self._settings.address, bytes([control]) + content)


def _setting_up(settings: DisplaySettings) -> tuple[bytes, ...]:
    """Return what sets the chip up. Asked once: luma registers something at exit for each object that it makes."""
    orders = _Orders()
    glass: Any = type("_Glass", (_NoDots, _CHIPS[settings.chip]), {})(orders)
    glass.contrast(settings.brightness)
    return (*orders.taken, *(() if settings.chip is Chip.SH1106 else (BY_PAGES,)))


class _Orders:
    """Stands where luma would have a bus: takes the commands of setting up, and what it says at exit."""

    def __init__(self) -> None:
        self.taken: list[bytes] = []

    def command(self, *order: int) -> None:
        self.taken.append(bytes(order))

    def cleanup(self) -> None:
        return


class _NoDots:
    """luma clears the display while setting up, dot by dot in Python: left out, all pages are drawn anew after it."""

    def display(self, image: object) -> None:
        return


_CHIPS: Final[dict[Chip, Any]] = {Chip.SSD1306: luma.ssd1306, Chip.SSD1309: luma.ssd1309, Chip.SH1106: luma.sh1106}
