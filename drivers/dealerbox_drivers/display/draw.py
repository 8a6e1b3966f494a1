"""From rows to dots, and from dots to the bytes of a display's pages."""

from functools import cache
from typing import Final

from luma.core.legacy.font import LCD_FONT
from PIL import Image

from dealerbox_drivers.display.page import BAR, HEIGHT, ROW, WIDTH, Page, rows

PAGES: Final = HEIGHT // ROW
_SPACE: Final = 3
_UNKNOWN: Final = "?"


def width(text: str) -> int:
    """Return how many dots a text takes in a small row."""
    return max(0, sum(_glyph(letter).width + 1 for letter in text) - 1)


def drawn(page: Page) -> Image.Image:
    """Return the picture of a page: 128 x 64, mode "1", lit dots 255."""
    image = Image.new("1", (WIDTH, HEIGHT))
    for row in rows(page, width):
        if row.dark:
            image.paste(255, (0, row.top, WIDTH, row.top + ROW * row.scale))
        if row.bar:
            image.paste(255, (0, row.top, 1, row.top + ROW))
        left = 1 if row.dark else BAR if row.bar else 0
        for letter in row.text:
            glyph = _glyph(letter, row.scale)
            image.paste(0 if row.dark else 255, (left, row.top), glyph)
            left += glyph.width + row.scale
    return image


def packed(image: Image.Image) -> tuple[bytes, ...]:
    """Return the bytes of each page: a byte a column, its lowest bit the uppermost dot."""
    strips = (image.crop((0, top, WIDTH, top + ROW)) for top in range(0, HEIGHT, ROW))
    return tuple(strip.transpose(Image.Transpose.ROTATE_270).tobytes() for strip in strips)


@cache
def _glyph(letter: str, scale: int = 1) -> Image.Image:
    """Return a letter without the dark columns beside it; what the font lacks is a question mark."""
    columns = bytes(LCD_FONT[ord(letter if letter.isascii() and letter.isprintable() else _UNKNOWN)])
    columns = columns.strip(b"\0") or bytes(_SPACE)
    image = Image.new("1", (len(columns), ROW))
    for x, column in enumerate(columns):
        for y in range(ROW):
            image.putpixel((x, y), 255 * (column >> y & 1))
    return image if scale == 1 else image.resize((image.width * scale, ROW * scale))
