"""A table as people may see it, in rows of words: a rich table in a terminal, plain lines elsewhere."""

from collections.abc import Iterator
from typing import Final

import click

from dealerbox.law.clauses import cited
from dealerbox.model.commands import Certificate
from dealerbox.model.view import Standing, View

Row = tuple[str, str]

_COLOURS: Final = {"green": "green", "amber": "yellow", "red": "bold red"}


def rows(view: View) -> list[Row]:
    """Return what is to be said of a table, most urgent last: the eye rests at the end."""
    said = [
        *([("twins", "installed: this is no table for play")] if view.twins else []),
        ("table", f"{view.table}: {view.phase}" + (f", {view.street}" if view.street else "")),
        ("hand", str(view.hand) if view.hand else "none yet"),
        ("seats", _numbers(view.seats)),
    ]
    if view.folded:
        said.append(("folded", _numbers(view.folded)))
    said.append(("button", _button(view)))
    said.append(("cards", ", ".join(f"{zone} {number}" for zone, number in view.counts.items() if number) or "none"))
    if view.burns or view.burns_expected:
        said.append(("burns", f"{view.burns} of {view.burns_expected}"))
    if view.expect:
        said.append(("next", f"{view.expect}, {'on its way' if view.released else 'not let out yet'}"))
    if view.head:
        said.append(("journal", view.head))
    if view.head_signed:
        said.append(("signed", view.head_signed))
    if view.decks:
        said.append(("decks", ", ".join(f"{deck.name} {deck.status.replace('_', ' ')}" for deck in view.decks)))
    if view.certificate:
        said.append(("count", _count(view.certificate)))
    said.append(("lamp", view.lamp + (", buzzer" if view.buzzer else "")))
    said.extend(("notice", _standing(notice)) for notice in view.notices)
    if view.refused:
        said.append(("refused", _standing(view.refused)))
    said.extend(_holds(view.holds))
    if view.lit:
        said.append(("keys", ", ".join(key.upper() for key in view.lit)))
    if view.prompt:
        said.append(("do now", view.prompt))
    return said


def show(view: View, terminal: bool) -> None:
    """Print a table: with colour and frame on a terminal, else a line a row."""
    said = rows(view)
    if not terminal:
        width = max(len(label) for label, _ in said)
        for label, text in said:
            click.echo(f"{label:<{width}}  {text}")
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    frame = Table(show_header=False, border_style=_COLOURS[view.lamp])
    for label, text in said:
        style = _COLOURS[view.lamp] if label in ("lamp", "held", "as well", "do now") else ""
        frame.add_row(Text(label, style="dim"), Text(text, style=style))
    Console().print(frame)


def _holds(holds: tuple[Standing, ...]) -> Iterator[Row]:
    """Say each hold, of many with one reason the first in full and the others in what happened."""
    for reason in dict.fromkeys(hold.reason for hold in holds):
        first, *others = (hold for hold in holds if hold.reason == reason)
        yield "held", _standing(first)
        if first.why:
            yield "why", f"{cited(first.clause)}: {first.why}"
        if others:
            yield "as well", " ".join(hold.what for hold in others)


def _standing(standing: Standing) -> str:
    return f"{standing.what} {standing.remedy} [{standing.reason}, {standing.clause}]"


def _count(certificate: Certificate) -> str:
    """Return who confirmed the last count, of which deck, when: the certificate of 1804B(8)."""
    hour, minute, second = certificate.day_s // 3600, certificate.day_s // 60 % 60, certificate.day_s % 60
    when = f"{hour:02}:{minute:02}:{second:02}" if certificate.wall_s else "an unknown hour"
    unsure = "" if certificate.wall_sure else " (clock not known to be right)"
    what = "verified" if certificate.verification else "counted"
    by = certificate.by or "a dealer without a name"
    return f"{certificate.result} {what} in deck {certificate.deck} by {certificate.device}, {by} at {when}{unsure}"


def _button(view: View) -> str:
    seen = f"seen at {_numbers(view.button_seen)}"
    return f"seat {view.button}, {seen}" if view.button else f"to be set, {seen}"


def _numbers(seats: tuple[int, ...]) -> str:
    return " ".join(map(str, seats)) or "none"
