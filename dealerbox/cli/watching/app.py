"""The live screen, drawn by Textual: fits 80 columns and 24 lines, and says everything in words."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar, Final

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Static

from dealerbox.cli.watching import words
from dealerbox.cli.watching.trials import TRIALS, arguments, barred
from dealerbox.cli.watching.words import Line
from dealerbox.diagnostics.seen import Lookout, Seen
from dealerbox.ports import DeviceGone, NotAllowed

EVERY_S: Final = 1.0
"""Between two looks: an answer costs the station some thousandths of a second."""
_STYLES: Final = {"": "", "amber": "yellow", "red": "bold red", "head": "bold underline"}
_MARKS: Final = {"": " ", "amber": "!", "red": "!", "head": " "}
"""What is urgent has a mark of its own: there are screens and eyes without colour."""

Run = Callable[[Sequence[str]], object]
"""Runs `dealerbox diag` with these words, and comes back when the person has read what it said."""


class Watching(App[None]):
    """A station at a glance, once a second."""

    TITLE = "dealerbox diag watch"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { layout: vertical; }
    Static { width: 100%; height: auto; }
    #title { text-style: bold; }
    #holds { max-height: 5; }
    #middle { height: 1fr; min-height: 8; }
    #left { width: 28; }
    VerticalScroll { scrollbar-size: 0 0; }
    #right { width: 1fr; }
    #rows { height: 1fr; }
    #detail { max-height: 5; }
    #said { color: $warning; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,escape", "quit", "quit"),
        Binding("up,k", "choose(-1)", "the wire above"),
        Binding("down", "choose(1)", "the wire below"),
        Binding("t", "take", "take the table, or give it back"),
        *(Binding(each.key, f"test('{each.key}')", each.command) for each in TRIALS),
    ]

    def __init__(
        self,
        lookout: Lookout,
        file: str,
        run: Run,
        *,
        outside: Callable[[], AbstractContextManager[Any]] | None = None,
        every_s: float = EVERY_S,
    ) -> None:
        """`file`: the table's, for tests. `outside` leaves the screen to `run`; None: as Textual does."""
        super().__init__()
        self.seen: Seen | None = None
        self._lookout, self._file, self._run, self._every_s = lookout, file, run, every_s
        self._outside = outside or self.suspend
        self._chosen = 0
        self._said_at = self._stage()

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        yield Static(id="holds")
        with Horizontal(id="middle"):
            with VerticalScroll(id="left", can_focus=False):
                yield Static(id="zones")
            with Vertical(id="right"):
                with VerticalScroll(id="rows", can_focus=False):
                    yield Static(id="wires")
                yield Static(id="detail")
        yield Static(id="pins")
        yield Static(id="journal")
        yield Static(id="clocks")
        yield Static(id="said")
        yield Static(id="keys")

    async def on_mount(self) -> None:
        await self.look()
        self.set_interval(self._every_s, self.look)

    async def look(self) -> None:
        """Ask the station, and show what it says, or that it says nothing."""
        try:
            self.seen = await self._lookout.look()
        except (DeviceGone, NotAllowed) as error:
            self.seen = None
            self._put("title", [Line(f"no station: {error}", "red")])
            self._put("holds", [Line("what is shown below is old; it is asked again each second", "amber")])
        else:
            self._show(self.seen)
        if self._said_at != self._stage():
            self._say("")
        self._show_keys()

    def action_choose(self, by: int) -> None:
        """Choose the wire above or below."""
        number = len(self._lookout.rates())
        self._chosen = (self._chosen + by) % number if number else 0
        self._show_wires()

    async def action_test(self, key: str) -> None:
        """Run a test, if it may run now."""
        trial = next(each for each in TRIALS if each.key == key)
        await self.look()
        why = barred(trial, self.seen)
        if why:
            self._say(why)
            return
        rates = self._lookout.rates()
        device = rates[self._chosen].health.name if rates else ""
        await self._leave(arguments(trial, self._file, device, in_service=bool(self.seen and self.seen.in_service)))

    async def action_take(self) -> None:
        """Take the table for service, or give it back."""
        await self.look()
        if self.seen is None:
            self._say("no station runs: there is no table to take")
        elif self.seen.in_hand:
            self._say(f"hand {self.seen.view.hand} is open; the table is taken between hands")
        else:
            socket = self._lookout.path.rpartition("/")[0] + "/tech.sock"
            await self._leave(["service", "end" if self.seen.in_service else "begin", "--socket", socket])

    def _stage(self) -> tuple[bool, bool] | None:
        """Return what decides which keys may be pressed; what was said of a key ends with it."""
        return (self.seen.in_hand, self.seen.in_service) if self.seen else None

    async def _leave(self, command: Sequence[str]) -> None:
        await self._lookout.end()
        with self._outside():
            self._run(command)
        self._say("")
        self.refresh(layout=True)

    def _say(self, text: str) -> None:
        self._said_at = self._stage()
        self._put("said", [Line(text, "amber")] if text else [])

    def _show(self, seen: Seen) -> None:
        self._put("title", [words.title(seen)])
        self._put("holds", words.holds(seen))
        self._put("zones", [Line("zone     cards", "head"), *words.zones(seen)])
        self._put("pins", words.pins(seen.gauges.devices))
        self._put("journal", [_joined("journal", words.journal(seen))])
        self._put("clocks", [_joined("clocks", words.clocks(seen))])
        self._show_wires()

    def _show_wires(self) -> None:
        rates = self._lookout.rates()
        self._put("wires", words.wires(rates), chosen=self._chosen + 1)
        rows = self.query_one("#rows")
        rows.scroll_to(y=max(0, self._chosen + 2 - rows.size.height), animate=False)
        self._put("detail", words.detail(rates[self._chosen % len(rates)]) if rates else [])

    def _show_keys(self) -> None:
        free = [f"{each.key} {each.short}" for each in TRIALS if not barred(each, self.seen)]
        later = [f"{each.key} {each.short}" for each in TRIALS if barred(each, self.seen)]
        taken = "give the table back" if self.seen and self.seen.in_service else "take the table"
        lines = [Line("  ".join(["q quit", "up/down wire", f"t {taken}", *free]))]
        if later:
            lines.append(Line(f"not now: {'  '.join(later)}"))
        self._put("keys", lines)

    def _put(self, where: str, lines: Iterable[Line], chosen: int = -1) -> None:
        text = Text()
        for number, line in enumerate(lines):
            style = f"{_STYLES[line.level]} reverse".strip() if number == chosen else _STYLES[line.level]
            text.append("\n" if number else "").append(f"{_MARKS[line.level]}{line.text}", style)
        self.query_one(f"#{where}", Static).update(text)


def _joined(name: str, lines: Sequence[Line]) -> Line:
    """Return lines as one, as urgent as the most urgent of them."""
    levels = [line.level for line in lines]
    level = "red" if "red" in levels else "amber" if "amber" in levels else ""
    return Line(f"{name}: {'; '.join(line.text for line in lines)}", level)
