"""`dealerbox diag selftest`: the whole table, and a card for its log book."""

import sys
from collections.abc import AsyncIterator
from pathlib import Path
from time import gmtime, strftime
from typing import TYPE_CHECKING

import click
import msgspec

from dealerbox.cli.exits import Exit
from dealerbox.cli.technician import MARKS, Terminal, run
from dealerbox.config.station import load
from dealerbox.diagnostics.verdict import Step, Verdict
from dealerbox.ports import ConfigError, DealerboxError
from dealerbox_drivers.registry import DRIVERS

if TYPE_CHECKING:
    from dealerbox.config.values import Config
    from dealerbox.diagnostics.card import Card

FILE = "/etc/dealerbox/station.toml"
SOCKET = "/run/dealerbox/tech.sock"


@click.command(
    short_help="Test the whole table; a signed card for the log book.",
    epilog="Example: dealerbox diag selftest --card 2026-12-01.json",
)
@click.argument("file", type=click.Path(readable=False), default=FILE)
@click.option(
    "--guided/--unattended",
    "guided",
    default=None,
    help="With a person, step by step; or only what needs no hand. [default: guided at a terminal]",
)
@click.option(
    "--card",
    "kept",
    type=click.Path(readable=False, dir_okay=False, path_type=Path),
    help="Keep the card in this new file.",
)
@click.option(
    "--verify",
    "given",
    type=click.Path(readable=False, path_type=Path),
    help="Test nothing: is this card as it was signed?",
)
@click.option(
    "--since",
    type=click.Path(readable=False, path_type=Path),
    help="Guided: the card of the last service, for the counters.",
)
@click.option("--socket", "path", metavar="PATH", help="The technician's socket. [default: as FILE has it]")
@click.option("--json", "bare", is_flag=True, help="A line of JSON for each step, the card last.")
def selftest(
    file: str,
    guided: bool | None,
    kept: Path | None,
    given: Path | None,
    since: Path | None,
    path: str | None,
    bare: bool,
) -> int:
    """Test the table that FILE describes and make a card of it, signed with the station's key.

    Unattended, a running station is asked how its devices, wires, journal and clock are; nothing moves and nothing is
    borrowed. Guided, the table must be in service (`dealerbox diag service begin`), or its station stopped.

    Exit 0: every step passed; unattended, none failed. 1: one failed; guided, one could not be done. With --verify 1:
    the card is not as it was signed, or is not signed.
    """
    from dealerbox.diagnostics import selftest as tests
    from dealerbox.diagnostics.card import made, read_card
    from dealerbox.diagnostics.shuffler import counters

    if given is not None:
        card = read_card(given)
        _show(card)
        return Exit.DONE if card.is_genuine() else Exit.FOUND
    if kept is not None:
        _could_be_kept(kept)
    guided = sys.stdin.isatty() and not bare if guided is None else guided
    config = _config(file, needed=guided or file != FILE)
    socket = path or (str(config.socket.with_name("tech.sock")) if config else SOCKET)
    before = counters(read_card(since).steps) if since else None
    done: list[Step] = []

    def steps(terminal: Terminal) -> AsyncIterator[Step]:
        if guided and config:
            return tests.guided(config, terminal, since=before)
        return tests.unattended(socket, config)

    run(steps, bare=bare, keep=done)
    card = _signed(made(config.table if config else "", done, guided=guided), socket, config)
    if kept is not None:
        kept.write_bytes(msgspec.json.format(msgspec.json.encode(card), indent=1) + b"\n")
    if bare:
        click.echo(msgspec.json.encode(card))
    else:
        _show(card)
        if guided:
            click.echo("where its station runs, give the table back: dealerbox diag service end")
    return (
        Exit.FOUND if card.verdict is Verdict.FAILED or (guided and card.verdict is not Verdict.PASSED) else Exit.DONE
    )


def _could_be_kept(file: Path) -> None:
    """UsageError, or OSError, where a card could not be kept: told before the test, and not after it."""
    if file.exists():
        raise click.UsageError(f"{file} is there already: name a new file")
    file.open("xb").close()
    file.unlink()


def _config(file: str, *, needed: bool) -> "Config | None":
    """Return the table's config; None where it may not be read and the station can be asked without."""
    try:
        return load(file, DRIVERS, decks=False)
    except (OSError, ConfigError):
        if needed:
            raise
        return None


def _signed(card: "Card", socket: str, config: "Config | None") -> "Card":
    """Return the card, signed by the station, or with its key; said where neither can be."""
    from dealerbox.diagnostics.card import signed_by_key, signed_by_station
    from dealerbox.station.peer import myself

    try:
        return signed_by_station(card, socket)
    except DealerboxError as error:
        why = str(error)
    if config is not None:
        try:
            return signed_by_key(card, config.state_dir / "sign.key", str(myself() or "nobody known"))
        except (DealerboxError, OSError, ImportError) as error:
            why = str(error)
    click.echo(f"the card is not signed: {why}", err=True)
    return card


def _show(card: "Card") -> None:
    from rich.box import ASCII, ROUNDED
    from rich.console import Console
    from rich.panel import Panel
    from rich.table import Table

    counts = {verdict: sum(step.verdict is verdict for step in card.steps) for verdict in Verdict}
    rows = Table.grid(padding=(0, 2))
    rows.add_row("table", card.table or (card.vouched.table if card.vouched else "?"))
    rows.add_row("when", strftime("%Y-%m-%d %H:%M UTC", gmtime(card.made_s)))
    rows.add_row("how", "with a person, step by step" if card.guided else "unattended: what needs no hand")
    rows.add_row("software", f"dealerbox {card.software}")
    rows.add_row("steps", ", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    for step in card.steps:
        if step.verdict is not Verdict.PASSED:
            rows.add_row(MARKS[step.verdict], f"{step.code} {step.about}".strip())
    rows.add_row("by", card.vouched.by if card.vouched else "")
    rows.add_row("key", _key(card))
    word = {Verdict.PASSED: "PASS", Verdict.FAILED: "FAIL", Verdict.UNTESTED: "INCOMPLETE"}[card.verdict]
    console = Console()
    box = ROUNDED if console.is_terminal else ASCII
    console.print(Panel(rows, title=f"self-test: {word}", box=box, expand=False))


def _key(card: "Card") -> str:
    if card.vouched is None:
        return "not signed"
    if not card.is_genuine():
        return "WRONG: this card is not the one that was signed"
    return f"{card.vouched.key[:16]}, signature {card.vouched.signature[:16]}"
