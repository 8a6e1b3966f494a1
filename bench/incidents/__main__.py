"""`python -m bench.incidents`: write tests/incidents/*.jsonl and docs/incidents.md anew."""

import sys
from collections.abc import Iterator
from pathlib import Path

from bench.incidents.scenes import FINED, TOLD, Scene
from bench.narrator import MS
from dealerbox.model.events import CardsSeen, Event, KeyPressed

ROOT = Path(__file__).parents[2]
LOGS = "tests/incidents"
PAGE = "docs/incidents.md"
HEAD = """\
# Incidents, and where the station stops them

What went wrong at real tables, each told again as an event log that `dealerbox replay --expect` plays: the kind of
trouble, not the very cards. Each is stopped at the first event where it can be known, and no card is let out after it.
A tag is read twice before it is called a stranger, and a card has its settling time: there the stop comes a little
after the event that shows it.

Made by `python -m bench.incidents` from `bench/incidents`, as the logs are.
"""
TITLES = "{}| what happened, and how the log tells it | stopped at event | reason | clause |"


def main() -> int:
    """Write logs and page; a scene that is not stopped as it must be is named, and its log not written."""
    failed = 0
    for scene in (*FINED, *TOLD):
        table = scene.table()
        number, stop = table.stops()[scene.after]
        if (number, stop.reason) != (scene.stopped_at, scene.reason):
            said = f"{scene.name}: stopped at {number} by {stop.reason}, not at {scene.stopped_at} by {scene.reason}"
            print(said, file=sys.stderr)
            failed = 1
            continue
        (ROOT / LOGS / scene.file).write_bytes(table.lines())
    (ROOT / PAGE).write_text(page(), "utf-8")
    return failed


def page() -> str:
    """Return docs/incidents.md."""
    fined = ["## Fined or recorded", "", TITLES.format("| "), *_rows(FINED, lettered=True)]
    told = ["", "## Told by players, dealers and technicians", "", TITLES.format(""), *_rows(TOLD, lettered=False)]
    return "\n".join([HEAD, *fined, *told, ""])


def _rows(scenes: tuple[Scene, ...], lettered: bool) -> Iterator[str]:
    yield "|---|---|---|---|" + "---|" * lettered
    for scene in scenes:
        table = scene.table()
        known, stop = table.log[table.known - 1][0], table.log[scene.stopped_at - 1][0]
        when = f"{_said(stop)}, {(stop.at_ns - known.at_ns) // MS} ms after {_said(known)}"
        link = f"[{scene.stopped_at}](../{LOGS}/{scene.file}): {_said(stop) if stop == known else when}"
        letter = f"| {scene.name[0].upper()} " if lettered else ""
        yield f"{letter}| {scene.story} | {link} | `{scene.reason}` | {table.stops()[scene.after][1].clause} |"


def _said(event: Event) -> str:
    match event:
        case KeyPressed():
            return f"{event.key.name} pressed"
        case CardsSeen():
            return f"{'a card' if len(event.tokens) == 1 else 'cards'} seen at {event.zone}"
        case _:
            return type(event).__name__


if __name__ == "__main__":
    sys.exit(main())
