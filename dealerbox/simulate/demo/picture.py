"""The live picture: a table seen from above, its lamps, what comes next, what is held and what to do.

Everything is told by shape and words; colour only says it again. 80 columns and 24 rows are enough.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from dealerbox.model.commands import Lamp
from dealerbox.model.view import View
from dealerbox.model.zones import BOARD, BURN, EXIT, MUCK, STUB, Zone, seat, seat_number
from dealerbox.simulate.demo.story import clause
from dealerbox_drivers.pins.twin import Look

COLOUR: Final[Mapping[Lamp, str]] = {Lamp.GREEN: "green", Lamp.AMBER: "yellow", Lamp.RED: "red"}
BLINK: Final[Mapping[Look, str]] = {Look.OFF: "", Look.STEADY: "", Look.SLOW: " blinks", Look.FAST: " blinks fast"}
ROWS: Final = 24
"""Least rows of a terminal that shows all of it."""
LOG_ROWS: Final = 6
"""Lines of the log at ROWS."""
LEGEND: Final = "real station, simulated people and table;  {card} a card's back, (D) the button"


class Scene(msgspec.Struct):
    """What the picture is made from."""

    view: View | None = None
    lamps: dict[Lamp, Look] = {}
    """Lamps that are lit, and how they look: read at their pins."""
    buzzer: bool = False
    played: int = 0
    goal: int = 0
    """Hands after which the demo ends; 0: it goes on until Ctrl-C."""
    max_seats: int = 6
    said: list[str] = []
    """The log, oldest first."""


class Glyphs(msgspec.Struct, frozen=True):
    """Shapes for a terminal that has them, and for one that has not."""

    card: str
    place: str
    lit: str
    dark: str
    here: str


FINE: Final = Glyphs(card="▮", place="▯", lit="●", dark="○", here="◄")
PLAIN: Final = Glyphs(card="#", place="_", lit="*", dark=".", here="<")


def picture(scene: Scene, rows: int = ROWS, glyphs: Glyphs = FINE) -> RenderableType:
    """Return the picture for a terminal of so many rows."""
    if scene.view is None:
        return Group(_title(scene, glyphs), Text("\nThe daemon starts ..."))
    view = scene.view
    return Group(
        _title(scene, glyphs),
        _table(view, scene.max_seats, glyphs),
        _lamps(scene, glyphs),
        _now(view),
        _log(scene, rows),
    )


def _title(scene: Scene, glyphs: Glyphs) -> Text:
    goal = f"{scene.played} of {scene.goal} hands played"
    played = goal if scene.goal else f"{scene.played} hands played, Ctrl-C ends"
    view = scene.view
    where = "starting"
    if view:
        where = f"hand {view.hand}, {view.street}: {view.phase}" if view.street else view.phase
        where = where.replace("between", "between hands")
    title = Text.assemble(("Dealerbox demo", "bold"), f"   {where}   ({played})\n", no_wrap=True)
    return title.append(LEGEND.format(card=glyphs.card), "dim")


def _table(view: View, max_seats: int, glyphs: Glyphs) -> Panel:
    """Seats clockwise: the first half along the top from left to right, the rest along the bottom and back."""
    top = list(range(1, (max_seats + 1) // 2 + 1))
    bottom = list(range(max_seats, len(top), -1))
    grid = Table.grid(expand=True)
    for _ in top:
        grid.add_column(ratio=1)
    grid.add_row(*(_seat(view, number, glyphs) for number in top))
    outer = Table.grid(expand=True)
    outer.add_row(grid)
    outer.add_row(_middle(view, glyphs))
    under = Table.grid(expand=True)
    for _ in top:
        under.add_column(ratio=1)
    under.add_row(*(_seat(view, number, glyphs) for number in bottom))
    outer.add_row(under)
    return Panel(outer, box=box.ROUNDED, padding=(0, 1))


def _seat(view: View, number: int, glyphs: Glyphs) -> Text:
    zone = seat(number)
    button = " (D)" if number in view.button_seen else ""
    cards = view.counts.get(zone, 0)
    if number not in view.seats and not cards:
        return Text(f"seat {number}{button}\nnobody", style="dim")
    shown = glyphs.card * cards if cards else "no cards"
    state = " folded" if number in view.folded else ""
    return Text.assemble(
        (f"seat {number}", "bold"), (button, "bold cyan"), _marks(view, zone, glyphs), f"\n{shown}{state}"
    )


def _marks(view: View, zone: Zone, glyphs: Glyphs) -> tuple[str, str]:
    """Return what is to be said of a place now: a card went wrong there, or the next one goes there."""
    if any(hold.to == zone for hold in view.holds):
        return f" {glyphs.here} IT BELONGS HERE", "bold red"
    if any(hold.zone == zone for hold in view.holds):
        return f" {glyphs.here} WRONG HERE", "bold red"
    if view.expect == zone and not view.holds:
        return f" {glyphs.here} next card", "green"
    return "", ""


def _middle(view: View, glyphs: Glyphs) -> Text:
    board = view.counts.get(BOARD, 0)
    empty = glyphs.place * max(0, 5 - board)
    places = [
        ("burn", BURN, glyphs.card * view.counts.get(BURN, 0) or "-"),
        ("board", BOARD, glyphs.card * board + empty),
        ("muck", MUCK, _pile(view.counts.get(MUCK, 0), glyphs)),
    ]
    text = Text("\n")
    for name, zone, shown in places:
        text.append(name, "bold").append(f" {shown}")
        text.append(*_marks(view, zone, glyphs)).append("    ")
    text.append("shuffler", "bold").append(f" {view.counts.get(STUB, 0)} cards")
    if view.counts.get(EXIT, 0):
        text.append(f", {view.counts[EXIT]} at its exit")
    return text.append("\n")


def _pile(cards: int, glyphs: Glyphs) -> str:
    return f"{glyphs.card} x{cards}" if cards else "-"


def _lamps(scene: Scene, glyphs: Glyphs) -> Text:
    text = Text(" lamps   ", no_wrap=True)
    for lamp in Lamp:
        look = scene.lamps.get(lamp, Look.OFF)
        if look is Look.OFF:
            text.append(f"{glyphs.dark} {lamp}    ", "dim")
        else:
            text.append(f"{glyphs.lit} {lamp.upper()}{BLINK[look]}    ", f"bold {COLOUR[lamp]}")
    return text.append("buzzer: BUZZES" if scene.buzzer else "buzzer: silent", "bold red" if scene.buzzer else "dim")


def _now(view: View) -> Panel:
    """What is held, why, and what to do; or what comes next."""
    lines = Table.grid(padding=(0, 2))
    lines.add_column(style="bold", width=4)
    lines.add_column()
    if view.holds:
        hold = view.holds[0]
        lines.add_row("WHAT", Text(hold.what, "bold"))
        lines.add_row("WHY", f"{hold.reason}, {clause(hold)}")
        lines.add_row("DO", Text(hold.remedy, "bold"))
        asked = "" if view.prompt == hold.remedy else view.prompt
        others = ", ".join(other.reason for other in view.holds[1:])
        lines.add_row("THEN" if asked else "", asked or (f"held too: {others}" if others else ""))
        title = "HELD: no card leaves the shuffler"
        return Panel(lines, title=title, box=box.DOUBLE, border_style="bold red", height=6)
    lines.add_row("NEXT", _next(view))
    lines.add_row("DO", view.prompt)
    lines.add_row("KEYS", ", ".join(key.upper() for key in view.lit) or "none is lit")
    refused = view.refused
    lines.add_row("NO" if refused else "", f"{refused.what} {refused.remedy}" if refused else "")
    style = COLOUR[view.lamp]
    return Panel(lines, title="nothing is held", box=box.ROUNDED, border_style=style, height=6)


def _next(view: View) -> str:
    if not view.expect:
        return "no card is due now"
    number = seat_number(view.expect)
    where = f"seat {number}" if number else f"the {view.expect}"
    return f"a card to {where}" + (", on its way" if view.released else "")


def _log(scene: Scene, rows: int) -> Text:
    lines: Sequence[str] = scene.said[-(LOG_ROWS + max(0, rows - ROWS)) :]
    return Text("\n".join(f" {line}" for line in lines), style="dim", no_wrap=True, overflow="ellipsis")
