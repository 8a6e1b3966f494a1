"""The technician at a terminal: what is asked of him, and what comes of each step."""

import asyncio
import contextlib
import shutil
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

import click
import msgspec

from dealerbox.cli.exits import Exit
from dealerbox.diagnostics.spread import Spread, bars
from dealerbox.diagnostics.verdict import Step, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dealerbox.config.values import Config
    from dealerbox.diagnostics.borrowed import Loan

MARKS: Final = {Verdict.PASSED: "ok", Verdict.FAILED: "FAILED", Verdict.UNTESTED: "not tested"}
_STYLES: Final = {Verdict.PASSED: "green", Verdict.FAILED: "bold red", Verdict.UNTESTED: "yellow"}
BAR: Final = 40
"""Columns of the longest bar."""


file_option: Final = click.option(
    "--file",
    type=click.Path(readable=False),
    default="/etc/dealerbox/station.toml",
    show_default=True,
    help="The table's file.",
)


class Told(msgspec.Struct, frozen=True):
    """A step as a line of JSON."""

    code: str
    about: str
    verdict: str
    found: str
    todo: tuple[str, ...]
    figures: dict[str, float]


class Terminal:
    """A person at the terminal, and its screen (satisfies `Bench`). What is asked goes to standard error."""

    def __init__(self, *, bare: bool = False) -> None:
        """`bare`: the steps are told in JSON, and nothing is drawn."""
        self._bare = bare
        self._drawn: Any = None
        self._task: Any = None

    async def does(self, what: str) -> bool:
        answer = await self._asked(f"{what} [Enter: it is done, s: leave it out]")
        return not answer.lower().startswith("s")

    async def sees(self, what: str) -> bool | None:
        while True:
            answer = (await self._asked(f"{what} [y/n, s: cannot tell]")).lower()[:1]
            if answer in ("y", "n", "s"):
                return {"y": True, "n": False}.get(answer)

    def tells(self, what: str) -> bool:
        self.quiet()
        click.echo(click.style("> ", fg="cyan", bold=True) + what, err=True)
        return True

    def progress(self, what: str, part: float) -> None:
        if not sys.stderr.isatty() or self._bare:
            return
        if self._drawn is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
            self._drawn = Progress(*columns, console=Console(stderr=True), transient=True)
            self._drawn.start()
            self._task = self._drawn.add_task(what, total=1.0)
        self._drawn.update(self._task, completed=part, description=what)
        if part >= 1.0:
            self.quiet()

    def live(self, what: str) -> None:
        if sys.stderr.isatty() and not self._bare:
            room = shutil.get_terminal_size().columns - 3
            click.echo(f"\r\x1b[2K  {what[:room]}", nl=False, err=True)

    def quiet(self) -> None:
        """Take away what is shown for the moment."""
        if self._drawn is not None:
            self._drawn.stop()
            self._drawn = None
        elif sys.stderr.isatty():
            click.echo("\r\x1b[2K", nl=False, err=True)

    async def _asked(self, text: str) -> str:
        """Ask without keeping the wires waiting, or Ctrl-C for an answer. click.Abort when nobody will answer."""
        self.quiet()
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[str] = loop.create_future()

        def heard(line: str) -> None:
            if not answer.done():
                answer.set_result(line)

        def read() -> None:
            line = sys.stdin.readline()
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(heard, line)

        click.echo(click.style("> ", fg="cyan", bold=True) + text, err=True)
        threading.Thread(target=read, daemon=True).start()
        line = await answer
        if sys.stderr.isatty():  # what was shown at the moment stands above the line that was typed
            click.echo("\x1b[1A", nl=False, err=True)
            self.quiet()
        if not line:
            click.echo("nobody answers here: standard input is at its end; run it at a terminal", err=True)
            raise click.Abort
        return line.strip()


async def told(steps: AsyncIterator[Step], terminal: Terminal, *, bare: bool, keep: list[Step] | None = None) -> None:
    """Tell each step as it is done."""
    async for step in steps:
        terminal.quiet()
        if keep is not None:
            keep.append(step)
        click.echo(msgspec.json.encode(line_of(step)) if bare else drawn(step))


def line_of(step: Step) -> Told:
    return Told(step.code, step.about, step.verdict.value, step.found, step.todo, step.figures)


def drawn(step: Step) -> str:
    """Return a step in words: its verdict, what was found, and what to do."""
    mark = click.style(f"{MARKS[step.verdict]:<10}", **_colour(step.verdict))
    about = f" {step.about}" if step.about else ""
    lines = [f"{mark} {step.code}{about}: {step.found}"]
    lines += [f"{'':<11}{number}. {todo}" for number, todo in enumerate(step.todo, 1)]
    if len(step.values) > 1:
        lines += histogram(Spread(step.values))
    return "\n".join(lines)


def _colour(verdict: Verdict) -> dict[str, Any]:
    words = _STYLES[verdict].split()
    return {"fg": words[-1], "bold": "bold" in words}


def histogram(of: Spread) -> list[str]:
    """Return a bar a line: up to so many ms, how many."""
    shown = bars(of)
    most = max(bar.count for bar in shown)
    return [
        f"{'':<11}{f'{bar.limit:g}':>8} ms  {'█' * round(bar.count * BAR / most) or ('▏' if bar.count else '')} "
        f"{bar.count or ''}".rstrip()
        for bar in shown
    ]


def code_of(steps: Iterable[Step]) -> int:
    """Return the exit code: DONE only when every step was done and passed."""
    return Exit.DONE if all(step.verdict is Verdict.PASSED for step in steps) else Exit.FOUND


def run(
    test: Callable[[Terminal], AsyncIterator[Step]],
    *,
    bare: bool,
    loans: Iterable["Loan"] = (),
    keep: list[Step] | None = None,
) -> int:
    """Run one test at the terminal, tell its steps, and return the exit code. It ends with any of the loans.

    `keep` is given the steps.
    """
    done: list[Step] = [] if keep is None else keep
    terminal = Terminal(bare=bare)

    from dealerbox.diagnostics.borrowed import while_lent

    async def main() -> None:
        async with contextlib.aclosing(while_lent(test(terminal), loans)) as steps:
            await told(steps, terminal, bare=bare, keep=done)

    try:
        asyncio.run(main())
    finally:
        terminal.quiet()
    if not bare and len(done) > 1:
        counts = {verdict: sum(step.verdict is verdict for step in done) for verdict in Verdict}
        click.echo(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    return code_of(done)


def run_alone(file: str, name: str, test: Callable[["Loan", Terminal], AsyncIterator[Step]], *, bare: bool) -> int:
    """Run a test of one device of a table's file, borrowed meanwhile: by its name, a zone of its, or its role."""
    from dealerbox.config.station import load
    from dealerbox.diagnostics.borrowed import borrowed
    from dealerbox_drivers.registry import DRIVERS

    config = load(file, DRIVERS, decks=False)
    of_role = (device.name for device in config.devices if device.driver.role == name)
    with borrowed(config, next(of_role, name)) as loan:
        return run(lambda terminal: test(loan, terminal), bare=bare, loans=(loan,))


@contextlib.contextmanager
def readers_of(config: "Config") -> "Iterator[list[Loan]]":
    """Borrow every reader of a table."""
    from dealerbox.diagnostics.borrowed import borrowed

    with contextlib.ExitStack() as lending:
        names = [device.name for device in config.devices if device.driver.role == "reader"]
        yield [lending.enter_context(borrowed(config, name)) for name in names]
