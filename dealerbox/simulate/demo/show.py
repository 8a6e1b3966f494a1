"""Where the demo is seen: a picture in a terminal, a line a change anywhere else."""

import io
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, Self

from rich.console import Console
from rich.live import Live

from dealerbox.simulate.demo.felt_seen import FINE, PLAIN
from dealerbox.simulate.demo.picture import COLUMNS, ROWS, Scene, picture


class Show(Protocol):
    """Shows a scene."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def say(self, line: str) -> None:
        """Tell a new line of the log."""

    def explain(self, line: str) -> None:
        """Tell a line that a picture says already."""

    def draw(self) -> None:
        """Show the scene as it is now."""


class Screen:
    """A terminal."""

    def __init__(self, scene: Scene, console: Console) -> None:
        self._scene, self._console = scene, console
        self._glyphs = FINE if console.encoding.lower().startswith("utf") else PLAIN
        self._live = Live(console=console, screen=True, auto_refresh=False)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def say(self, line: str) -> None:
        self._scene.said.append(line)
        del self._scene.said[:-100]

    def explain(self, line: str) -> None:
        return

    def draw(self) -> None:
        size = self._console.size
        self._live.update(picture(self._scene, size.height, size.width, self._glyphs), refresh=True)


class Lines:
    """No terminal: a line each."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return

    def say(self, line: str) -> None:
        self._write(line)

    def explain(self, line: str) -> None:
        self._write(line)

    def draw(self) -> None:
        return


class Snapshot:
    """Shows as `show` does, and keeps the first picture of a hold in an open hand as an SVG."""

    def __init__(self, show: Show, scene: Scene, file: Path) -> None:
        self._show, self._scene, self._file = show, scene, file
        self._taken = False

    def __enter__(self) -> Self:
        self._show.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._show.__exit__(*error)

    def say(self, line: str) -> None:
        if line not in self._scene.said[-1:]:
            self._scene.said.append(line)
        self._show.say(line)

    def explain(self, line: str) -> None:
        self._show.explain(line)

    def draw(self) -> None:
        self._show.draw()
        view = self._scene.view
        if view and view.holds and view.street and self._scene.buzzer and not self._taken:
            self._taken = True
            self._file.write_text(svg(self._scene))


def svg(scene: Scene) -> str:
    """Return the picture as an SVG that needs nothing from elsewhere."""
    console = Console(record=True, file=io.StringIO(), width=COLUMNS, height=ROWS, force_terminal=True)
    console.print(picture(scene))
    drawn = console.export_svg(title="make demo", unique_id="demo")
    return re.sub(r"@font-face \{.*?\}\s*", "", drawn, flags=re.DOTALL)


def stamped(began_s: float, line: str) -> str:
    """Return a line with the minutes and seconds since the demo began."""
    passed = int(time.monotonic() - began_s)
    return f"{passed // 60}:{passed % 60:02d}  {line}"


def show_for(scene: Scene, console: Console) -> Show:
    """Return what suits the console: `TERM=dumb` counts as no terminal."""
    if console.is_terminal and not console.is_dumb_terminal:
        return Screen(scene, console)

    def write(line: str) -> None:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    return Lines(write)
