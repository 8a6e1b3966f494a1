"""The table seen from above, in shapes and words."""

from typing import Final

import msgspec
from rich import box
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from dealerbox.model.reasons import Reason
from dealerbox.model.view import View
from dealerbox.model.zones import BOARD, BURN, EXIT, MUCK, STUB, Zone, seat

WIDE: Final = 72
"""Least columns for marks in full words."""


class Glyphs(msgspec.Struct, frozen=True):
    """Shapes for a terminal that has them, and for one that has not."""

    card: str
    place: str
    lit: str
    dark: str
    here: str


FINE: Final = Glyphs(card="▮", place="▯", lit="●", dark="○", here="◄")
PLAIN: Final = Glyphs(card="#", place="_", lit="*", dark=".", here="<")


def drawn(view: View, max_seats: int, glyphs: Glyphs) -> Panel:
    """Return seats clockwise: the first half along the top from left to right, the rest along the bottom and back."""
    top = list(range(1, (max_seats + 1) // 2 + 1))
    bottom = list(range(max_seats, len(top), -1))
    outer = Table.grid(expand=True)
    outer.add_row(_side(view, top, len(top), glyphs))
    outer.add_row(_middle(view, glyphs))
    outer.add_row(_side(view, bottom, len(top), glyphs))
    return Panel(outer, box=box.ROUNDED, padding=(0, 1))


def listed(view: View, max_seats: int, glyphs: Glyphs) -> Text:
    """Return the same in two or three lines of words, for a small window."""
    text = Text(" seats ", "bold")
    for number in range(1, max_seats + 1):
        zone = seat(number)
        if number in view.seats or view.counts.get(zone, 0):
            button = "(D)" if number in view.button_seen else ""
            shown = glyphs.card * view.counts.get(zone, 0) or "-"
            text.append(f" {number}{button}").append(f" {shown}").append(*_mark(view, zone, glyphs, short=True))
            text.append(" ")
    text.append("\n")
    for name, zone, shown in _places(view, glyphs):
        text.append(f" {name}", "bold").append(f" {shown}").append(*_mark(view, zone, glyphs, short=True))
    return text.append(" shuffler", "bold").append(f" {view.counts.get(STUB, 0)}")


def _side(view: View, numbers: list[int], columns: int, glyphs: Glyphs) -> Table:
    grid = Table.grid(expand=True)
    for _ in range(columns):
        grid.add_column(ratio=1)
    grid.add_row(*(_seat(view, number, glyphs) for number in numbers))
    return grid


def _seat(view: View, number: int, glyphs: Glyphs) -> Text:
    zone = seat(number)
    button = " (D)" if number in view.button_seen else ""
    mark = _mark(view, zone, glyphs)
    cards = view.counts.get(zone, 0)
    if number not in view.seats and not cards:
        return Text.assemble((f"seat {number}{button}", "dim"), mark, ("\nnobody", "dim"))
    state = "folded" if number in view.folded else "no cards"
    shown = glyphs.card * cards if cards else state
    return Text.assemble((f"seat {number}", "bold"), (button, "bold cyan"), mark, f"\n{shown}")


def _mark(view: View, zone: Zone, glyphs: Glyphs, *, short: bool = False) -> tuple[str, str]:
    """Return what is to be said of a place now: a card went wrong there, or the next one goes there."""
    if any(hold.to == zone for hold in view.holds):
        return f" {glyphs.here} {'HERE' if short else 'IT BELONGS HERE'}", "bold red"
    wrong = [hold.reason for hold in view.holds if hold.zone == zone]
    if Reason.DEVICE_LOST in wrong:
        return f" {glyphs.here} {'UNSEEN' if short else 'NOT WATCHED'}", "bold red"
    if wrong:
        return f" {glyphs.here} {'WRONG' if short else 'WRONG HERE'}", "bold red"
    if view.expect == zone and not view.holds:
        return f" {glyphs.here} {'next' if short else 'next card'}", "green"
    return "", ""


def _places(view: View, glyphs: Glyphs) -> tuple[tuple[str, Zone, str], ...]:
    board = view.counts.get(BOARD, 0)
    muck = view.counts.get(MUCK, 0)
    return (
        ("burn", BURN, glyphs.card * view.counts.get(BURN, 0) or "-"),
        ("board", BOARD, glyphs.card * board + glyphs.place * max(0, 5 - board)),
        ("muck", MUCK, f"{glyphs.card} x{muck}" if muck else "-"),
    )


def _middle(view: View, glyphs: Glyphs) -> Text:
    text = Text("\n")
    for name, zone, shown in _places(view, glyphs):
        text.append(name, "bold").append(f" {shown}").append(*_mark(view, zone, glyphs, short=True)).append("   ")
    text.append("shuffler", "bold").append(f" {view.counts.get(STUB, 0)}")
    if view.counts.get(EXIT, 0):
        text.append(f", {view.counts[EXIT]} at its exit")
    return text.append("\n")
