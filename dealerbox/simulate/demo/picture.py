"""The live picture: a table seen from above, its lamps, what comes next, what is held and what to do.

Everything is told by shape and words; colour only says it again. 80 columns and 24 rows show all of it; in a
smaller window what is held and what to do come first.
"""

import io
import textwrap
from collections.abc import Mapping
from typing import Final

import msgspec
from rich import box
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from dealerbox.law.clauses import cited
from dealerbox.model.commands import Lamp
from dealerbox.model.view import View
from dealerbox.model.zones import BURN, seat_number
from dealerbox.simulate.demo import felt_seen
from dealerbox.simulate.demo.felt_seen import FINE, WIDE, Glyphs
from dealerbox.simulate.demo.fingers import keys, rulings
from dealerbox.simulate.demo.pins import Words
from dealerbox.station.show import show
from dealerbox_drivers.display.draw import width
from dealerbox_drivers.display.page import HEIGHT, ROW, page_of
from dealerbox_drivers.display.page import rows as page_rows
from dealerbox_drivers.pins.layout import PanelSettings, Wiring
from dealerbox_drivers.pins.twin import Look

COLOUR: Final[Mapping[Lamp, str]] = {Lamp.GREEN: "green", Lamp.AMBER: "yellow", Lamp.RED: "red"}
BLINK: Final[Mapping[Look, str]] = {Look.OFF: "", Look.STEADY: "", Look.SLOW: " blinks", Look.FAST: " blinks fast"}
ROWS, COLUMNS = 24, 80
"""Least rows and columns of a terminal that shows all of it."""
LEAST_ROWS, LEAST_COLUMNS = 14, 50
"""In less there is room for what to do alone."""
DISPLAY_ROWS: Final = HEIGHT // ROW
DISPLAY_COLUMNS: Final = 28
"""Letters in a row of the display at most: they are of different widths there."""
MORE: Final = 2
"""Holds beside the first that are told in words."""
LEGEND: Final = "real station, simulated people and table;  {card} a card's back, (D) the button"


class Scene(msgspec.Struct):
    """What the picture is made from."""

    view: View | None = None
    lamps: dict[Lamp, Look] = {}
    """Lamps that are lit, and how they look: read at their pins."""
    buzzer: bool = False
    words: Words = Words()
    """What the panel says on its display."""
    played: int = 0
    goal: int = 0
    """Hands after which the demo ends; 0: it goes on until Ctrl-C."""
    max_seats: int = 6
    panel: Wiring = PanelSettings()
    """Which push says what."""
    said: list[str] = []
    """The log, oldest first."""


def picture(scene: Scene, rows: int = ROWS, columns: int = COLUMNS, glyphs: Glyphs = FINE) -> RenderableType:
    """Return the picture for a terminal of so many rows and columns."""
    if scene.view is None:
        return Group(_title(scene), Text("\nThe daemon starts ..."))
    if rows < LEAST_ROWS or columns < LEAST_COLUMNS:
        return _least(scene.view)
    whole = rows >= ROWS and columns >= WIDE
    parts: list[RenderableType] = [_title(scene)]
    if whole:
        parts.append(Text(LEGEND.format(card=glyphs.card), "dim", no_wrap=True))
    now = _now(scene, whole=whole)
    lamps = _lamps(scene, glyphs, labelled=whole)
    table = felt_seen.drawn(scene.view, scene.max_seats, glyphs)
    left = rows - len(parts) - height(now, columns) - 1
    if left < 0:
        return _least(scene.view)
    if whole and left >= height(table, columns):
        parts += [table, lamps, now]
        left -= height(table, columns)
    else:
        small = felt_seen.listed(scene.view, scene.max_seats, glyphs)
        parts += [now, lamps]
        if left >= height(small, columns):
            parts.append(small)
            left -= height(small, columns)
    return Group(*parts, *_log(scene, left, columns))


def height(part: RenderableType, columns: int) -> int:
    """Return how many rows something takes."""
    return len(Console(file=io.StringIO(), width=columns).render_lines(part))


def _title(scene: Scene) -> Text:
    goal = f"{scene.played} of {scene.goal} hands played"
    played = goal if scene.goal else f"{scene.played} hands played, Ctrl-C ends"
    view = scene.view
    where = "starting"
    if view:
        where = f"hand {view.hand}, {view.street}: {view.phase}" if view.street else view.phase
        where = where.replace("between", "between hands")
    return Text.assemble(("Dealerbox demo", "bold"), f"   {where}   ({played})", no_wrap=True, overflow="ellipsis")


def _lamps(scene: Scene, glyphs: Glyphs, *, labelled: bool) -> Text:
    text = Text(" lamps  " if labelled else " ", no_wrap=True)
    for lamp in Lamp:
        look = scene.lamps.get(lamp, Look.OFF)
        if look is Look.OFF:
            text.append(f"{glyphs.dark} {lamp}   ", "dim")
        else:
            text.append(f"{glyphs.lit} {lamp.upper()}{BLINK[look]}   ", f"bold {COLOUR[lamp]}")
    return text.append("buzzer: BUZZES" if scene.buzzer else "buzzer: silent", "bold red" if scene.buzzer else "dim")


def _now(scene: Scene, *, whole: bool) -> Panel:
    """What is held, why, and what to do; or what comes next. `whole`: the panel's display beside it says what to do."""
    view = scene.view
    assert view is not None
    lines = Table.grid(padding=(0, 2))
    lines.add_column(style="bold", no_wrap=True)
    lines.add_column()
    if view.holds:
        _held(view, lines, whole=whole)
    else:
        lines.add_row("NEXT", _next(view))
        if not whole:
            lines.add_row("DO", Text(view.prompt, "bold"))
    lines.add_row("KEYS", keys(view, scene.panel))
    ruled = rulings(view, scene.panel)
    if ruled:
        lines.add_row("DIRECTOR", ruled)
    if view.refused and not view.holds:
        lines.add_row("REFUSED", f"the last key. {view.refused.what} {view.refused.remedy}")
    said: RenderableType = lines
    if whole:
        beside = Table.grid(padding=(0, 2))
        beside.add_column(width=DISPLAY_COLUMNS)
        beside.add_column()
        beside.add_row(_display(scene, view), lines)
        said = beside
    return Panel(
        said,
        title="HELD: no card leaves the shuffler" if view.holds else "nothing is held",
        subtitle="on the left: the panel's display" if whole else None,
        subtitle_align="left",
        box=box.DOUBLE if view.holds else box.ROUNDED,
        border_style="bold red" if view.holds else COLOUR[view.lamp],
    )


def _display(scene: Scene, view: View) -> Text:
    """The rows that a dealer reads, each where it stands; what is lit behind is told by reverse."""
    lines = [Text("") for _ in range(DISPLAY_ROWS)]
    for row in page_rows(page_of(show(view), scene.words.menu, scene.words.foot), width):
        text = f"|{row.text}" if row.bar else row.text
        style = "reverse" if row.dark else "bold" if row.scale > 1 else ""
        lines[row.top // ROW] = Text(text.ljust(DISPLAY_COLUMNS) if row.dark else text, style)
    return Text("\n").join(lines)


def _held(view: View, lines: Table, *, whole: bool) -> None:
    """Say the first hold; the prompt says what to do about it at this moment."""
    hold = view.holds[0]
    others = [other.what for other in view.holds[1:]]
    more = f"{len(others)} more: {' '.join(others[:MORE])}{' ...' if len(others) > MORE else ''}" if others else ""
    if not whole:
        lines.add_row("WHAT", Text.assemble((hold.what, "bold"), f" ({more})" if more else ""))
    lines.add_row("WHY", f"{cited(hold.clause)}: {hold.why}")
    if not whole:
        lines.add_row("DO", Text(view.prompt or hold.remedy, "bold"))
    elif more:
        lines.add_row("ALSO", more)


def _next(view: View) -> str:
    if not view.expect:
        return "no card is due now"
    number = seat_number(view.expect)
    where = f"seat {number}" if number else {BURN: "the burns"}.get(view.expect, f"the {view.expect}")
    return f"a card to {where}" + (", on its way" if view.released else "")


def _least(view: View) -> Text:
    """What to do, alone."""
    held = f"HELD: {view.holds[0].what}\n" if view.holds else "nothing is held\n"
    text = Text.assemble((held, "bold red" if view.holds else ""), ("DO: ", "bold"), view.prompt or "nothing")
    return text.append(
        f"\n(window too small: {LEAST_COLUMNS} by {LEAST_ROWS} says why, {COLUMNS} by {ROWS} all)", "dim"
    )


def _log(scene: Scene, rows: int, columns: int) -> tuple[Text, ...]:
    """Return the last lines of the log that fit in whole; of one that is longer, its beginning."""
    lines: list[str] = []
    for said in reversed(scene.said):
        wrapped = textwrap.wrap(said, columns - 1, initial_indent=" ", subsequent_indent=" " * 7)
        if len(wrapped) + len(lines) > rows:
            lines = lines or wrapped[: max(0, rows)]
            break
        lines = wrapped + lines
    return (Text("\n".join(lines), style="dim", no_wrap=True),) if lines else ()
