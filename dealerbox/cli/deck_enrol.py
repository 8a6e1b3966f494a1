"""`dealerbox deck enrol`: from a maker's list, or card by card, to a deck file."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from msgspec.structs import replace

from dealerbox.ports import ConfigError, DealerboxError, NotAllowed

if TYPE_CHECKING:
    from dealerbox.config.deck import Deck
    from dealerbox.enrolment.lists import Tagged

STDIN: Final = "-"
_FILE = click.Path(readable=False, path_type=Path)


@click.command(
    epilog="Example: dealerbox deck enrol --list maker.csv --name red-1 --back 'red, lattice' "
    "--recipient age1... --output red-1.toml"
)
@click.option("--name", required=True, help="What people call the deck: another for each deck of a table.")
@click.option("--back", required=True, help="Colour and markings of the backs, in words (1804B(6)).")
@click.option("--output", required=True, type=_FILE, metavar="FILE", help="The deck file to write, a new one (0600).")
@click.option("--recipient", "recipients", multiple=True, metavar="age1...", help="Who may open the faces; repeatable.")
@click.option("--recipients-file", type=_FILE, metavar="FILE", help="A file of such, one a line, as `age -R` reads it.")
@click.option("--list", "listed", metavar="FILE", help="The maker's list, a line for each tag: uid, face. -: stdin.")
@click.option("--identity", type=_FILE, metavar="KEY", help="Opens a maker's list that is sealed with age.")
@click.option("--config", metavar="FILE", help="The table's station.toml: check against its other decks; --reader.")
@click.option("--reader", metavar="DEVICE", help="Read card by card with this reader of --config; else uids on stdin.")
@click.option("--zone", metavar="ZONE", help="With --reader: where cards are laid; default: its only or first zone.")
@click.option("--order", help="Printed order of a new deck, top card first; default s+d+c-h-.")
@click.option("--technology", type=click.Choice(["iso15693", "iso14443a"]), help="Default: as the uids look.")
@click.option("--slot", type=click.IntRange(0, 9), default=0, help="Slot at the table; 0: its place in the list.")
@click.option("--jokers", type=click.IntRange(0, 8), help="How many jokers with tags this house has; default: any.")
@click.option(
    "--cut-card/--no-cut-card", default=None, help="Whether this house's cut card has a tag; default: either."
)
@click.option("--json", "bare", is_flag=True, help="Print what was written as a line of JSON.")
def enrol(
    name: str,
    back: str,
    output: Path,
    recipients: tuple[str, ...],
    recipients_file: Path | None,
    listed: str | None,
    identity: Path | None,
    config: str | None,
    reader: str | None,
    zone: str | None,
    order: str | None,
    technology: str | None,
    slot: int,
    jokers: int | None,
    cut_card: bool | None,
    bare: bool,
) -> None:
    """Write a deck file: the deck's tags, numbered at random, and their faces sealed to the recipients.

    Two ways (1804A(1)). --list: by the maker's list; the deck's own seal stays whole. Without it, once the seal is
    broken at the table: each card in printed order, read by --reader (after them as many --jokers, and the
    --cut-card), or as a list of uids on stdin, one a line (after that of a joker or cut card stands `joker` or `cut`).
    Faces are never printed; nothing is written unless all is right.

    Exit 2: the options do not fit. 65: no deck, or no recipient, and why. 66: a file is not there. 69: pyrage is not
    installed, or the reader is silent. 77: the list is sealed to another key. 78: it does not fit the table's config.
    """
    from dealerbox.config.deck import Technology
    from dealerbox.enrolment.deck_file import DeckFile, enrolled, write
    from dealerbox.enrolment.faces import PRINTED
    from dealerbox.enrolment.lists import Wanted, list_faults
    from dealerbox.enrolment.sealing import recipients_of, seal, written

    if listed and (reader or order):
        raise click.UsageError("--list names the faces itself; leave --reader and --order out")
    if reader and not config:
        raise click.UsageError("--reader is a device of a table: name its --config")
    if output.exists():
        raise click.UsageError(f"--output {output} is there already; name a new file, or move that one away")
    if recipients_file:
        recipients += tuple(recipients_of(recipients_file.read_text()))
    aside = ["joker"] * (jokers or 0) + ["cut"] * bool(cut_card)
    seal(b"", recipients)  # before anybody lays 52 cards down
    tagged = _listed(listed, identity) if listed else _read_singly(order or PRINTED, config, reader, zone, aside)
    faults = list_faults(tagged, Wanted(jokers, cut_card), listed or "the deck")
    if faults:
        raise DealerboxError("\n".join(faults))
    kind = Technology(technology) if technology else None
    made, faces = enrolled(tagged, name=name, back=back, technology=kind, slot=slot)
    if config:
        _check_beside(config, made, str(output))
    write(output, DeckFile(made, seal(written(faces), recipients)), anew=True)
    told(made, str(output), len(recipients), bare)


def told(deck: "Deck", file: str, recipients: int, bare: bool) -> None:
    """Say what a deck file holds: no tag, no face."""
    if bare:
        said = {"file": file, "name": deck.name, "back": deck.back, "technology": deck.technology, "slot": deck.slot}
        counts = {"cards": len(deck.tags), "jokers": len(deck.jokers), "cut_card": bool(deck.cut_card)}
        click.echo(json.dumps({**said, **counts, "sealed_to": recipients, "retired": deck.retired}))
        return
    number = len(deck.jokers)
    jokers = f", {number} joker{'' if number == 1 else 's'}" if number else ""
    cut = ", a cut card" if deck.cut_card else ""
    sealed = f"sealed to {recipients}" if recipients else "no sealed faces"
    gone = f", retired {deck.retired}" if deck.retired else ""
    click.echo(
        f"{file}: {deck.name} ({deck.back}), {deck.technology}, {len(deck.tags)} cards{jokers}{cut}, {sealed}{gone}"
    )


def _listed(listed: str, identity: Path | None) -> "Sequence[Tagged]":
    from dealerbox.enrolment.lists import makers_list
    from dealerbox.enrolment.sealing import identities_of, is_age, opened

    name = "stdin" if listed == STDIN else listed
    data = sys.stdin.buffer.read() if listed == STDIN else Path(listed).read_bytes()
    if is_age(data):
        if identity is None:
            raise NotAllowed(f"{name}: sealed with age; name the --identity that opens it")
        data = opened(data, identities_of(identity.read_text(), str(identity)), name)
    try:
        return makers_list(data.decode(), name)
    except UnicodeDecodeError as error:
        raise DealerboxError(f"{name}: not UTF-8 text; save the list as UTF-8") from error


def _read_singly(
    order: str, config: str | None, reader: str | None, zone: str | None, aside: Sequence[str]
) -> "Sequence[Tagged]":
    """Return what was read card by card; with a reader also what lies `aside` of the 52: jokers and cut card."""
    from dealerbox.enrolment.faces import printed_order
    from dealerbox.enrolment.lists import in_order

    faces = printed_order(order)
    if not reader or not config:
        return in_order(sys.stdin, faces, "stdin")
    from dealerbox.cli.deck_reader import laid_singly

    uids = laid_singly(config, reader, zone, (*faces, *aside))
    kinds = [*("" for _ in faces), *aside]
    return in_order([f"{uid} {kind}" for uid, kind in zip(uids, kinds, strict=True)], faces, reader)


def _check_beside(config: str, made: "Deck", output: str) -> None:
    """ConfigError when the new deck cannot lie at the table beside its others (1804B(6))."""
    from dealerbox.config import load
    from dealerbox.config.deck import deck_set_faults
    from dealerbox.config.tables import Place
    from dealerbox_drivers.registry import DRIVERS

    table = load(config, DRIVERS)
    others = [(deck, Place(file)) for deck, file in zip(table.decks, table.deck_files, strict=True)]
    free = min(set(range(1, 10)) - {deck.slot for deck, _ in others}, default=0)
    faults = deck_set_faults([*others, (replace(made, slot=made.slot or free), Place(output))])
    if faults:
        raise ConfigError("\n".join(faults))
