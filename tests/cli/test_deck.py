"""`dealerbox deck`: enrol, verify, list, retire, open; what each says and with which code it ends."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pyrage
import pytest

from dealerbox.cli import deck as deck_command
from dealerbox.enrolment.faces import FACES, printed_order

UIDS = [f"E00401{number * 2654435761 % 2**40:010X}" for number in range(1, 53)]
KEY = pyrage.x25519.Identity.generate()
TO = str(KEY.to_public())


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A director's folder, on no table's machine: a maker's list and a key."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(deck_command, "RUNTIME", tmp_path / "no-station-here")
    (tmp_path / "list.csv").write_text("".join(f"{uid},{face}\n" for uid, face in zip(UIDS, FACES, strict=True)))
    (tmp_path / "key").write_text(f"# a director's\n{KEY}\n")
    (tmp_path / "other").write_text(f"{pyrage.x25519.Identity.generate()}\n")
    return tmp_path


@pytest.fixture
def enrol(dealerbox: Any) -> Any:
    """Enrol with these arguments too."""

    def call(*more: str, by: tuple[str, ...] = ("--list", "list.csv"), to: str = TO) -> Any:
        fixed = ("--name", "red-1", "--back", "red, lattice", "--output", "red.toml", "--recipient", to)
        return dealerbox("deck", "enrol", *fixed, *by, *more)

    return call


SAID = "red.toml: red-1 (red, lattice), iso15693, 52 cards, sealed to 1\n"


def test_a_makers_list_becomes_a_deck_that_is_in_order(dealerbox: Any, enrol: Any) -> None:
    assert enrol() == (0, SAID, "")
    assert dealerbox("deck", "verify", "red.toml") == (0, SAID, "")
    assert dealerbox("deck", "verify", "--identity", "key", "red.toml") == (0, SAID, "")
    assert dealerbox("deck", "list", ".") == (0, SAID, "")


def test_json_tells_neither_tags_nor_faces(enrol: Any) -> None:
    said = json.loads(enrol("--json").out)
    assert said == {
        "file": "red.toml",
        "name": "red-1",
        "back": "red, lattice",
        "technology": "iso15693",
        "slot": 0,
        "cards": 52,
        "jokers": 0,
        "cut_card": False,
        "sealed_to": 1,
        "retired": "",
    }


def test_a_deck_is_enrolled_from_uids_in_printed_order(
    dealerbox: Any, enrol: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T1: the seal is broken at the table."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join([*UIDS, "E004010000000001 joker"])))
    answer = enrol("--jokers", "1", by=())
    assert answer == (0, "red.toml: red-1 (red, lattice), iso15693, 52 cards, 1 joker, sealed to 1\n", "")
    shown = dealerbox("deck", "open", "--identity", "key", "--json", "red.toml").out.splitlines()
    faces = {card["tag"]: card["face"] for card in map(json.loads, shown)}
    assert faces == dict(zip(UIDS, printed_order(), strict=True))


def test_a_makers_list_that_is_sealed_never_lies_open_on_the_disk(enrol: Any, folder: Path) -> None:
    """1804A(1)."""
    sealed = pyrage.encrypt((folder / "list.csv").read_bytes(), [KEY.to_public()])
    (folder / "list.csv").write_bytes(sealed)
    assert enrol() == (77, "", "list.csv: sealed with age; name the --identity that opens it\n")
    assert enrol("--identity", "other").code == 77
    assert enrol("--identity", "key").code == 0


def test_the_director_opens_it_with_the_tokens_of_a_hand(dealerbox: Any, enrol: Any, folder: Path) -> None:
    enrol("--slot", "1")
    (folder / "token.key").write_bytes(bytes(32))
    (folder / "token.key").chmod(0o600)
    arguments = ("deck", "open", "--identity", "key", "--json", "--token-key", "token.key", "red.toml", "--hand")
    hands = [[json.loads(line) for line in dealerbox(*arguments, hand).out.splitlines()] for hand in ("1", "2")]
    tokens = [{card["token"]: card["face"] for card in hand} for hand in hands]
    assert [sorted(each) for each in tokens] == [list(range(1001, 1053))] * 2
    assert tokens[0] != tokens[1]


def test_a_deck_is_not_opened_on_a_tables_machine(dealerbox: Any, enrol: Any, folder: Path) -> None:
    enrol()
    (folder / "no-station-here").mkdir()
    answer = dealerbox("deck", "open", "--identity", "key", "red.toml")
    assert answer.code == 77
    assert answer.err.endswith("a station runs on this machine; open decks on another, away from the table\n")
    assert answer.out == ""


def test_another_key_opens_nothing(dealerbox: Any, enrol: Any) -> None:
    enrol()
    answer = dealerbox("deck", "open", "--identity", "other", "red.toml")
    assert (answer.code, answer.out) == (77, "")
    assert answer.err.startswith("red.toml: this key does not open it")


def test_a_deck_of_51_is_refused_and_nothing_is_written(enrol: Any, folder: Path) -> None:
    """1804A(1)."""
    (folder / "list.csv").write_text("\n".join((folder / "list.csv").read_text().splitlines()[1:]))
    assert enrol() == (65, "", "list.csv: 51 of 52 faces; missing: ace of spades (1804A(1))\n")
    assert not (folder / "red.toml").exists()


def test_nothing_is_asked_for_before_the_recipient_is_known_to_be_one(enrol: Any, folder: Path) -> None:
    answer = enrol(to="age1nobody")
    assert (answer.code, answer.out) == (65, "")
    assert answer.err.startswith("recipient 'age1nobody': ")
    assert not (folder / "red.toml").exists()


def test_a_file_that_is_there_is_not_written_over(enrol: Any, folder: Path) -> None:
    (folder / "red.toml").write_text("mine")
    answer = enrol()
    assert answer.code == 2
    assert "--output red.toml is there already; name a new file, or move that one away" in answer.err
    assert (folder / "red.toml").read_text() == "mine"


def test_without_pyrage_the_command_says_what_to_install(enrol: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyrage", None)
    assert enrol() == (69, "", "pyrage is not installed; pip install 'dealerbox[decks]'\n")


def test_a_deck_that_looks_like_another_of_the_table_is_refused(enrol: Any, folder: Path) -> None:
    """1804B(6)."""
    import shutil

    shutil.copytree(Path(__file__).parents[2] / "config", folder / "config")
    example = (folder / "config/decks/example-red.toml").read_text()
    back = next(line.split('"')[1] for line in example.splitlines() if line.startswith("back"))
    answer = enrol("--config", "config/station.toml", "--back", back)
    assert answer.code == 78
    assert "the backs of a table's decks must differ (1804B(6))" in answer.err
    assert not (folder / "red.toml").exists()
    assert enrol("--config", "config/station.toml").code == 0


def test_a_retired_deck_is_told_by_every_command(dealerbox: Any, enrol: Any) -> None:
    enrol()
    answer = dealerbox("deck", "retire", "--why", "a corner is bent", "red.toml")
    assert (answer.code, answer.out) == (0, "red.toml: red-1 is retired; take it out of the table's list\n")
    assert dealerbox("deck", "retire", "--why", "again", "red.toml").code == 1
    assert "a corner is bent" in dealerbox("deck", "list", "red.toml").out
    verified = dealerbox("deck", "verify", "red.toml")
    assert verified.code == 1
    assert "a corner is bent; take the deck out of the table's list, name another" in verified.err
    assert dealerbox("deck", "open", "--identity", "key", "red.toml").code == 0


def test_a_reading_of_the_deck_tells_how_many_are_missing_and_not_which(
    dealerbox: Any, enrol: Any, folder: Path
) -> None:
    enrol()
    (folder / "uids").write_text("\n".join([*UIDS[2:], "E004019999999999"]))
    assert dealerbox("deck", "verify", "--tags", "uids", "red.toml") == (
        1,
        "",
        "red.toml: 2 of its 52 cards were not read; look for them, and read again (1804A(1))\n"
        "red.toml: 1 tags that are not of this deck were read; take them out\n",
    )
    (folder / "uids").write_text("\n".join(UIDS))
    assert dealerbox("deck", "verify", "--tags", "uids", "red.toml").code == 0


@pytest.mark.parametrize("command", ["verify", "list", "retire", "open"])
def test_a_file_that_is_not_there_ends_with_66(dealerbox: Any, command: str) -> None:
    more = {"retire": ("--why", "x"), "open": ("--identity", "key")}.get(command, ())
    assert dealerbox("deck", command, *more, "none.toml") == (
        66,
        "",
        "none.toml: no such file or directory; check the path\n",
    )


@pytest.mark.parametrize("command", ["enrol", "verify", "list", "retire", "open"])
def test_every_command_explains_itself_with_an_example(dealerbox: Any, command: str) -> None:
    answer = dealerbox("deck", command, "--help")
    assert answer.code == 0
    assert f"Example: dealerbox deck {command} " in answer.out
    assert "Exit" in answer.out
