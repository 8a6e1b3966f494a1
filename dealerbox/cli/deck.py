"""`dealerbox deck`: decks before they come to the table and after they have left it. Never part of the daemon."""

import datetime
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from dealerbox.cli.deck_enrol import STDIN, enrol, told
from dealerbox.cli.exits import Exit
from dealerbox.ports import DealerboxError, NotAllowed

if TYPE_CHECKING:
    from dealerbox.config.deck import Deck

RUNTIME: Final = Path("/run/dealerbox")
"""Is there while a station runs on this machine (systemd/dealerbox.service)."""
_FILE = click.Path(readable=False, path_type=Path)


@click.group(
    short_help="Enrol, verify, list, retire or open a deck.",
    epilog="Example: dealerbox deck verify /etc/dealerbox/decks/red-1.toml",
)
def deck() -> None:
    """Decks of cards with RFID tags: which tags a deck has, and, sealed to the director's key, their faces.

    docs/decks.md says who does what, where. Exit codes: docs/codes.md.
    """


deck.add_command(enrol)


@deck.command(epilog="Example: dealerbox deck verify --tags uids.txt /etc/dealerbox/decks/red-1.toml")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=_FILE)
@click.option("--identity", type=_FILE, metavar="KEY", help="Open the faces and check them too; none is shown.")
@click.option("--tags", metavar="FILE", help="Uids read from one deck, a line each (-: stdin): is it whole?")
@click.option("--json", "bare", is_flag=True, help="A line of JSON for each file.")
def verify(files: tuple[Path, ...], identity: Path | None, tags: str | None, bare: bool) -> int:
    """Check deck files: 52 tags once each, numbered; readable by their owner alone; the seal undamaged.

    Exit 0: all in order. 1: something is wrong, and what. 66: not there. 77: the key opens none of it.
    """
    from dealerbox.enrolment import deck_file, sealing

    if tags and len(files) > 1:
        raise click.UsageError("--tags are of one deck: name one FILE")
    found = 0
    for path in files:
        file, faults = deck_file.read(path)
        if file and not faults:
            faults = deck_file.file_faults(file, path)
            if identity and file.sealed:
                keys = sealing.identities_of(identity.read_text(), str(identity))
                faces = sealing.read(sealing.opened(file.sealed, keys, str(path)))
                faults += deck_file.faces_faults(file.deck, faces, str(path))
            if tags:
                faults += _tag_faults(file.deck, _text(tags), str(path))
        found += bool(faults)
        for sentence in faults:
            click.echo(sentence, err=True)
        if bare:
            click.echo(json.dumps({"file": str(path), "in_order": not faults, "faults": faults}))
        elif file and not faults:
            told(file.deck, str(path), sealing.recipients_in(file.sealed), bare)
    return Exit.FOUND if found else Exit.DONE


@deck.command("list", epilog="Example: dealerbox deck list /etc/dealerbox/decks")
@click.argument("places", nargs=-1, required=True, metavar="FILE|FOLDER...", type=_FILE)
@click.option("--json", "bare", is_flag=True, help="A line of JSON for each deck.")
def list_decks(places: tuple[Path, ...], bare: bool) -> int:
    """Name the decks of deck files, or of all in a folder: back, tags, to how many sealed, whether retired.

    Exit 1: one cannot be read as a deck, and why. 66: not there.
    """
    from dealerbox.enrolment import deck_file, sealing

    found = 0
    for path in (each for place in places for each in (sorted(place.glob("*.toml")) if place.is_dir() else [place])):
        file, faults = deck_file.read(path)
        found += bool(faults)
        for sentence in faults:
            click.echo(sentence, err=True)
        if file:
            told(file.deck, str(path), sealing.recipients_in(file.sealed), bare)
    return Exit.FOUND if found else Exit.DONE


@deck.command(epilog="Example: dealerbox deck retire --why 'a corner is bent' /etc/dealerbox/decks/red-1.toml")
@click.argument("path", metavar="FILE", type=_FILE)
@click.option("--why", required=True, help="The reason; it stands in the file.")
def retire(path: Path, why: str) -> int:
    """Take a deck out for good: no table takes its file any more. Its tags and sealed faces stay readable for evidence.

    Exit 1: it is retired already. 65: no deck file. 66: not there.
    """
    from dealerbox.enrolment import deck_file

    file, faults = deck_file.read(path)
    if file is None or faults:
        raise DealerboxError("\n".join(faults))
    if not why.strip() or not why.isprintable():
        raise click.UsageError("--why: some words on one line")
    if file.deck.retired:
        click.echo(f"{path}: retired already: {file.deck.retired}", err=True)
        return Exit.FOUND
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    deck_file.write(path, deck_file.retired(file, today, why.strip()), anew=False)
    click.echo(f"{path}: {file.deck.name} is retired; take it out of the table's list")
    return Exit.DONE


@deck.command("open", epilog="Example: dealerbox deck open --identity director.key red-1.toml")
@click.argument("path", metavar="FILE", type=_FILE)
@click.option(
    "--identity", required=True, type=_FILE, metavar="KEY", help="The director's key, as age-keygen wrote it."
)
@click.option("--hand", type=click.IntRange(0), help="Show the tokens that the cards had in this hand, too.")
@click.option("--token-key", type=_FILE, metavar="FILE", help="With --hand: token.key, out of the station's folder.")
@click.option("--json", "bare", is_flag=True, help="A line of JSON for each card.")
def open_deck(path: Path, identity: Path, hand: int | None, token_key: Path | None, bare: bool) -> int:
    """Show which face each tag is glued to. For the director, away from the table, when a hand is looked into.

    Refused on a machine on which a station runs. With --hand and --token-key a journal's tokens become cards.

    Exit 1: the sealed faces are not this deck's. 65: no deck file. 66: not there. 77: another key, or at a table.
    """
    from dealerbox.enrolment import deck_file, sealing

    if RUNTIME.exists():
        raise NotAllowed(f"{RUNTIME}: a station runs on this machine; open decks on another, away from the table")
    if (hand is None) != (token_key is None):
        raise click.UsageError("--hand and --token-key go together")
    file, faults = deck_file.read(path)
    if file is None or faults:
        raise DealerboxError("\n".join(faults))
    if not file.sealed:
        raise DealerboxError(f"{path}: no faces are sealed in it")
    keys = sealing.identities_of(identity.read_text(), str(identity))
    faces = sealing.read(sealing.opened(file.sealed, keys, str(path)))
    wrong = deck_file.faces_faults(file.deck, faces, str(path))
    for sentence in wrong:
        click.echo(sentence, err=True)
    tokens = _tokens(file.deck, hand, token_key) if hand is not None and token_key else {}
    for tag, (number, face) in sorted(faces.cards.items(), key=lambda each: each[1][0]):
        if bare:
            token = {"token": tokens[tag]} if tokens else {}
            click.echo(json.dumps({"number": number, "tag": tag, "face": face, **token}))
        else:
            click.echo("  ".join([f"{number:>2}", tag, face, *([str(tokens[tag])] if tokens else [])]))
    return Exit.FOUND if wrong else Exit.DONE


def _tag_faults(deck: "Deck", text: str, name: str) -> list[str]:
    """Return what a reading of the deck lacks or has too many, without saying which card that is."""
    read = [line.split()[0].upper() for line in text.splitlines() if line.split()]
    known = {uid for _, uid in deck.labels()}
    missing = len(set(deck.tags) - set(read))
    strange = [uid for uid in dict.fromkeys(read) if uid not in known]
    faults = [f"{name}: {missing} of its 52 cards were not read; look for them, and read again (1804A(1))"] * bool(
        missing
    )
    return faults + [f"{name}: {len(strange)} tags that are not of this deck were read; take them out"] * bool(strange)


def _tokens(deck: "Deck", hand: int, token_key: Path) -> dict[str, int]:
    from dealerbox.model.cards import Uid
    from dealerbox.station.state_dir import secret as read_key
    from dealerbox.station.tokens import DeckTags, Tokens

    if not deck.slot:
        raise DealerboxError(f"{deck.name}: no slot in its file; put `slot` in as its place in the table's list")
    if not token_key.exists():
        raise FileNotFoundError(2, "no such file", str(token_key))
    numbering = Tokens([DeckTags(deck.slot, deck.uids())], read_key(token_key))
    numbering.renumber(deck.slot, hand)
    return {tag: numbering.of(Uid(tag)) for tag in deck.tags}


def _text(name: str) -> str:
    return sys.stdin.read() if name == STDIN else Path(name).read_text()
