"""`dealerbox diag audit shuffle`: the order in against the order out."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from dealerbox.cli.exits import Exit
from dealerbox.cli.technician import file_option

if TYPE_CHECKING:
    from dealerbox.config.values import Config
    from dealerbox.diagnostics.shuffles.cycle import Cycle
    from dealerbox.diagnostics.shuffles.report import Audit


@click.command(
    short_help="Judge shuffles of play, or of a bench run.",
    epilog="Example: dealerbox diag audit shuffle --html audit.html night-1.jsonl night-2.jsonl",
)
@click.argument("logs", nargs=-1, metavar="[LOG]...", type=click.Path(readable=False, path_type=Path))
@file_option
@click.option("--png", type=click.Path(readable=False, path_type=Path), metavar="FILE", help="Draw a picture.")
@click.option(
    "--html",
    type=click.Path(readable=False, path_type=Path),
    metavar="FILE",
    help="Write a page with picture and table.",
)
@click.option("--json", "bare", is_flag=True, help="One line of JSON.")
def shuffle(logs: tuple[Path, ...], file: str, png: Path | None, html: Path | None, bare: bool) -> int:
    """Compare the order in which cards went into the shuffler with the order in which they came out.

    LOG: a journal or an exported log of this table (default: its journal), or bench runs of shuffles. Logs can be read
    so only with the table's token key, on its own machine, between hands; of play, 30 shuffles at the least are told of
    together, and only what the tests say. No card is named anywhere.

    Exit 0: nothing tells the machine from chance. 1: a test does, at the 99 % level corrected for all of them. 65: no
    log, or not of this table. 66: not there. 77: a hand is open, or too few shuffles of play.
    """
    from dealerbox.diagnostics.shuffles.cycle import is_bench_run, read
    from dealerbox.diagnostics.shuffles.drawing import page
    from dealerbox.diagnostics.shuffles.drawing import png as picture
    from dealerbox.diagnostics.shuffles.report import audit as audited

    runs = [log for log in logs if log.is_file() and is_bench_run(_first_line(log))]
    if runs and len(runs) < len(logs):
        raise click.UsageError("bench runs and logs of play are judged apart: name the one or the others")
    if runs:
        cycles = [cycle for log in runs for cycle in read(log)]
        found = audited(cycles, _names(runs), of_play=False)
    else:
        config = _table(file)
        files = logs or (config.state_dir / "journal",)
        found = audited(list(_of_play(config, files)), _names(files), of_play=True)
    if html:
        html.write_text(page(found), "utf-8")
    if png:
        png.write_bytes(picture(found))
    if bare:
        click.echo(msgspec.json.encode(found))
    else:
        _show(found)
    return Exit.FOUND if found.tells else Exit.DONE


def _first_line(file: Path) -> bytes:
    with file.open("rb") as lines:
        return lines.readline(1000)


def _names(files: Sequence[Path]) -> str:
    return ", ".join(file.name if file.name != "journal" else "the journal" for file in files)


def _table(file: str) -> "Config":
    from dealerbox.config.checks import checked
    from dealerbox_drivers.pins.budget import pin_faults
    from dealerbox_drivers.registry import DRIVERS

    return checked(file, DRIVERS, pin_faults)


def _of_play(config: "Config", files: Sequence[Path]) -> "Iterator[Cycle]":
    """Yield what each log shows; journals only between hands."""
    from dealerbox.cli.log_files import is_exported, lines_of, refuse_open_hand
    from dealerbox.diagnostics.shuffles.linked import Key, shuffles_of
    from dealerbox.station.build import deck_tags

    own = config.state_dir / "journal"
    refuse_open_hand([*files, *([own] if own.is_dir() else [])])
    key = Key(deck_tags(config), _secret(config.state_dir / "token.key"))
    marks = {deck.slot: deck.info().mark for deck in config.decks}
    for file in files:
        if is_exported(file):
            _refuse_anothers(file, config)
        with lines_of([file], None) as lines:
            yield from shuffles_of(_with_progress(lines.of), str(file), key, marks)


def _secret(file: Path) -> bytes:
    from dealerbox.ports import NotAllowed

    try:
        return file.read_bytes()
    except PermissionError as error:
        raise NotAllowed(f"{file}: only the station's own user may read it: ask as that user, or as root") from error


def _refuse_anothers(file: Path, config: "Config") -> None:
    """ShufflesError when a log was signed by another station: with this one's key it would look like chance."""
    from dealerbox.diagnostics.shuffles.cycle import ShufflesError
    from dealerbox.journal.evidence import verify
    from dealerbox.journal.signed import Signer

    with file.open("rb") as lines:
        signed = verify(lines, str(file), None).signed
    own = Signer(_secret(config.state_dir / "sign.key")).key
    if signed is None or signed.key != own:
        who = f"signed by {signed.key[:16]}..., another station" if signed else "not signed by any station"
        raise ShufflesError(f"{file}: {who}; audit it on the machine that wrote it, from `log export --view records`")


def _with_progress(lines: "Iterable[bytes]") -> "Iterator[bytes]":
    """Show whoever watches a terminal that something is done."""
    if not sys.stderr.isatty():
        yield from lines
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn

    columns = (SpinnerColumn(), TextColumn("{task.completed} records read"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield from bar.track(lines)


def _show(found: "Audit") -> None:
    what = "of play" if found.of_play else "on the bench"
    click.echo(
        f"{found.source}: {found.shuffles} shuffles {what}, {found.seen_twice} cards seen going in and coming out"
    )
    numbers = () if found.of_play else ("found", "by chance")
    head = ("test", "asks", *numbers, "p", "tells below", "")
    rows = [
        (
            one.name,
            one.asks,
            *(() if found.of_play else (f"{one.statistic:.2f}", f"{one.expected:.2f}")),
            f"{'under ' if found.of_play and one.p < 1 else ''}{one.p:.2g}" if one.p < 1 or numbers else "nothing",
            f"{one.needed:.2g}",
            "TELLS" if one.tells else "",
        )
        for one in found.outcomes
    ]
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table

        table = Table(*head)
        for one, row in zip(found.outcomes, rows, strict=True):
            table.add_row(*row, style="bold red" if one.tells else "")
        Console().print(table)
    else:
        widths = [max(len(row[at]) for row in (head, *rows)) for at in range(len(head))]
        for row in (head, *rows):
            click.echo("  ".join(f"{text:<{width}}" for text, width in zip(row, widths, strict=True)).rstrip())
    click.echo(f"{found.verdict}.")
