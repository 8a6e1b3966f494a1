"""The far side of the display's wire: a chip on an I2C bus, and the picture on its glass.

Written from the SSD1306 data sheet (Solomon Systech, revision 1.1, sections 8 to 10) and, for the SH1106, Sino Wealth's
(revision 2.3): 132 columns, page addressing alone, the glass begins at column 2.
"""

import asyncio
import errno
import os
from collections.abc import Mapping
from random import Random
from typing import Final

from PIL import Image

WIDE, HIGH, PAGES = 128, 64, 8
BIT_S: Final = 1 / 400_000
"""Of a fast-mode bus; nine bits a byte."""
MORE: Final[Mapping[int, int]] = {
    0x20: 1, 0x21: 2, 0x22: 2, 0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5, 0x81: 1, 0x8D: 1, 0xA3: 2, 0xA8: 1,
    0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1,
}  # fmt: skip
"""Bytes that belong to a command of the SSD1306 beside its first."""
MORE_SH1106: Final[Mapping[int, int]] = {0x81: 1, 0xA8: 1, 0xAD: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1}


class DisplayTwin:
    """Satisfies `I2cBus`: a bus with one display, which acknowledges while `present`."""

    name = "a display's twin"

    def __init__(self, address: int = 0x3C, *, sh1106: bool = False, rng: Random | None = None) -> None:
        self._address, self._sh1106 = address, sh1106
        self._columns, self._gap = (132, 2) if sh1106 else (WIDE, 0)
        self._rng = rng or Random(1)
        self.present = True
        self.written = 0
        """Bytes of data taken since the start."""
        self.longest = 0
        """Bytes of the longest transfer."""
        self.power()

    def power(self) -> None:
        """Come up as after power-on: dark, memory as it happens to be, addressing by pages."""
        self._memory = [bytearray(self._rng.randbytes(self._columns)) for _ in range(PAGES)]
        self._page = self._column = 0
        self._horizontal = False
        self._window = [0, self._columns - 1, 0, PAGES - 1]
        self._on = self._all = self._inverse = self._mirrored = self._flipped = False
        self._pump = self._sh1106
        self._pending: list[int] = []

    async def transfer(self, address: int, write: bytes, read: int = 0) -> bytes:
        """Take a transfer in the time that it takes. OSError when nobody acknowledges."""
        await asyncio.sleep(9 * (len(write) + 1) * BIT_S)
        if not self.present or address != self._address:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        self.longest = max(self.longest, len(write))
        control, content = write[0], write[1:]
        for byte in content:
            if control & 0x40:
                self._data(byte)
            else:
                self._command(byte)
        return bytes(read)

    def image(self) -> Image.Image:
        """Return what is to be seen: 128 x 64, mode "1"."""
        image = Image.new("1", (WIDE, HIGH))
        if not self._on or not self._pump:
            return image
        for y in range(HIGH):
            for x in range(WIDE):
                lit = bool(self._memory[y // 8][x + self._gap] >> y % 8 & 1)
                if self._all or lit is not self._inverse:
                    at = (x if self._mirrored else WIDE - 1 - x, y if self._flipped else HIGH - 1 - y)
                    image.putpixel(at, 255)
        return image

    def _data(self, byte: int) -> None:
        self.written += 1
        self._memory[self._page][self._column] = byte
        first, last, top, bottom = self._window
        self._column += 1
        if not self._horizontal:
            self._column %= self._columns
        elif self._column > last:
            self._column = first
            self._page = top if self._page == bottom else self._page + 1

    def _command(self, byte: int) -> None:
        self._pending.append(byte)
        order, *values = self._pending
        if len(values) < (MORE_SH1106 if self._sh1106 else MORE).get(order, 0):
            return
        self._pending = []
        self._obey(order, values)

    def _obey(self, order: int, values: list[int]) -> None:
        match order:
            case _ if order < 0x10:
                self._column = self._column & 0xF0 | order
            case _ if order < 0x20:
                self._column = min((order & 0x0F) << 4 | self._column & 0x0F, self._columns - 1)
            case 0x20 if values:
                self._horizontal = values[0] == 0
            case 0x21 if values:
                self._window[:2] = values
                self._column = values[0]
            case 0x22 if values:
                self._window[2:] = values
                self._page = values[0]
            case 0x8D if values:
                self._pump = bool(values[0] & 0x04)
            case 0xA0 | 0xA1:
                self._mirrored = order == 0xA1
            case 0xA4 | 0xA5:
                self._all = order == 0xA5
            case 0xA6 | 0xA7:
                self._inverse = order == 0xA7
            case 0xAE | 0xAF:
                self._on = order == 0xAF
            case _ if 0xB0 <= order < 0xB0 + PAGES:
                self._page = order & 0x07
            case 0xC0 | 0xC8:
                self._flipped = order == 0xC8


def picture(image: Image.Image, scale: int = 4) -> Image.Image:
    """Return dots as a person sees them, each so many across: blue-white on black."""
    large = image.convert("L").resize((WIDE * scale, HIGH * scale), Image.Resampling.NEAREST)
    seen = Image.new("RGB", large.size, (4, 8, 16))
    seen.paste((150, 220, 255), (0, 0), large)
    return seen
