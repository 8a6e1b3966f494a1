"""What stands on a display of 128 x 64 dots, in words and rows. Pure: no dot is drawn here.

A head, a body of 48 dots and a foot. In the body: what happened, small; below it the prompt, as large as it goes.
An open menu takes the whole body. Whatever is said, nothing that fits is cut, and `fits` tells of it.
"""

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from dealerbox.model.commands import Hold, Lamp, Show
from dealerbox_drivers.face import OpenMenu

WIDTH: Final = 128
HEIGHT: Final = 64
ROW: Final = 8
"""Height of a small row; a large one is twice as high and twice as wide."""
BODY: Final = range(ROW, HEIGHT - ROW)
BAR: Final = 3
"""Room for the line beside a small prompt, which tells it from what happened; left out where room is short."""
MENU_ROWS: Final = len(BODY) // ROW

Width = Callable[[str], int]
"""Dots that a text takes in a small row."""


class Page(msgspec.Struct, frozen=True):
    """What is to be read now."""

    head: str = ""
    said: str = ""
    prompt: str = ""
    foot: str = ""
    held: bool = False
    menu: OpenMenu | None = None


class Row(msgspec.Struct, frozen=True):
    """A line of text where it stands."""

    text: str
    top: int
    """Dots from the upper edge."""
    scale: int = 1
    dark: bool = False
    """Dark on a lit bar across the display."""
    bar: bool = False
    """With a line at its left."""


def page_of(show: Show, menu: OpenMenu | None = None, foot: str = "") -> Page:
    """Return what is read of a Show, with what the panel has to say itself."""
    return Page(show.head, show.said, show.prompt, foot, show.lamp is Lamp.RED, menu)


def held_page(hold: Hold) -> Page:
    """Return what is read from a hold on until the station's own words come."""
    return Page(f"HELD {hold.clause}", "", "Stop. No card moves.", "", True)


def rows(page: Page, width: Width) -> tuple[Row, ...]:
    """Return the rows of a page, from above; what does not fit is left out, what happened before the prompt."""
    return tuple(_rows(page, width))


def fits(page: Page, width: Width) -> bool:
    """Tell whether all of a page can be read."""
    head, foot = page.menu.title if page.menu else page.head, page.foot
    texts = page.menu.lines if page.menu else ()
    inside = all(width(text) < WIDTH for text in (head, foot, *texts))
    inside = inside and all(width(text) <= WIDTH for text in _wrapped(page.said, width))
    return inside and (page.menu is not None or _asked(page, width) is not None)


def _rows(page: Page, width: Width) -> Iterator[Row]:
    if page.menu is not None:
        yield Row(_counted(page.menu, width), 0, dark=True)
        yield from _lines(page.menu)
    else:
        yield Row(page.head, 0, dark=page.held)
        yield from _words(page, width)
    yield Row(page.foot, BODY.stop, dark=bool(page.foot))


def _counted(menu: OpenMenu, width: Width) -> str:
    """Return the title, and where one is in a menu of which not all is seen, if there is room to say so."""
    counted = f"{menu.title} {menu.at + 1}/{len(menu.lines)}"
    return counted if len(menu.lines) > MENU_ROWS and width(counted) < WIDTH else menu.title


def _lines(menu: OpenMenu) -> Iterator[Row]:
    first = max(0, min(menu.at - MENU_ROWS // 2, len(menu.lines) - MENU_ROWS))
    for place, text in enumerate(menu.lines[first : first + MENU_ROWS]):
        yield Row(text, BODY.start + place * ROW, dark=first + place == menu.at)


def _words(page: Page, width: Width) -> Iterator[Row]:
    asked = _asked(page, width) or _Asked(1, False, tuple(_wrapped(page.prompt, width)))
    height = len(asked.lines) * ROW * asked.scale
    said = _wrapped(page.said, width)[: max(0, (len(BODY) - height) // ROW)]
    for place, text in enumerate(said):
        yield Row(text, BODY.start + place * ROW)
    top = BODY.stop - height - max(0, len(BODY) - len(said) * ROW - height) // 2
    for text in asked.lines:
        if top + ROW * asked.scale <= BODY.stop:
            yield Row(text, top, asked.scale, bar=asked.bar)
        top += ROW * asked.scale


class _Asked(msgspec.Struct, frozen=True):
    """A prompt broken into rows."""

    scale: int
    bar: bool
    lines: tuple[str, ...]


def _asked(page: Page, width: Width) -> _Asked | None:
    """Return the prompt as large as it can be under all that is said; None: not even small."""
    above = len(_wrapped(page.said, width)) * ROW
    for scale, bar in ((2, False), (1, above > 0), (1, False)):
        room = WIDTH // scale - (BAR if bar else 0)
        lines = _wrapped(page.prompt, width, room)
        if all(width(text) <= room for text in lines) and above + len(lines) * ROW * scale <= len(BODY):
            return _Asked(scale, bar, tuple(lines))
    return None


def _wrapped(text: str, width: Width, room: int = WIDTH) -> list[str]:
    """Break a text between words into rows of so many dots; a word wider than that stands alone."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
