"""A deck file: tags numbered at random, faces sealed, whole or not there, for its owner alone."""

import base64
import subprocess
from pathlib import Path
from typing import Any

import pyrage
import pytest
from msgspec.structs import replace

from dealerbox.enrolment import deck_file, sealing
from dealerbox.enrolment.deck_file import DeckFile
from dealerbox.enrolment.lists import makers_list
from dealerbox.ports import DealerboxError, NotAllowed

DIRECTOR = pyrage.x25519.Identity.generate()
OTHER = pyrage.x25519.Identity.generate()


def made(listed: str, **more: Any) -> DeckFile:
    words = {"name": "red-1", "back": 'red, "lattice"', "technology": None, "slot": 1, **more}
    deck, faces = deck_file.enrolled(makers_list(listed, "list"), **words)
    return DeckFile(deck, sealing.seal(sealing.written(faces), [str(DIRECTOR.to_public())]))


def test_what_is_written_is_read_back(listed: str, tmp_path: Path) -> None:
    file, path = made(listed), tmp_path / "red.toml"
    deck_file.write(path, file, anew=True)
    assert deck_file.read(path) == (file, [])
    assert deck_file.file_faults(file, path) == []
    assert path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["red.toml"]


def test_nothing_of_a_face_is_in_the_file(listed: str, faces: dict[str, str]) -> None:
    text = deck_file.text_of(made(listed))
    numbers = {line.split(" = ")[0]: int(line.split(" = ")[1]) for line in text.splitlines() if line.startswith("E0")}
    assert sorted(numbers.values()) == list(range(1, 53))
    assert list(numbers) == sorted(numbers)
    in_printed_order = [numbers[uid] for uid in faces]
    again = [made(listed) for _ in range(3)]
    assert len({each.deck.numbers for each in again} | {tuple(in_printed_order)}) == 4


def test_the_directors_key_opens_the_faces_and_no_other(listed: str, faces: dict[str, str]) -> None:
    file = made(listed)
    opened = sealing.read(sealing.opened(file.sealed, [str(DIRECTOR)], "red"))
    assert {tag: face for tag, (_, face) in opened.cards.items()} == faces
    assert deck_file.faces_faults(file.deck, opened, "red") == []
    with pytest.raises(NotAllowed, match="this key does not open it"):
        sealing.opened(file.sealed, [str(OTHER)], "red")


def test_two_recipients_can_each_open_it(listed: str) -> None:
    keys = [DIRECTOR, OTHER]
    sealed = sealing.seal(b"x", [str(key.to_public()) for key in keys])
    assert sealing.recipients_in(sealed) == 2
    assert {sealing.opened(sealed, [str(key)], "x") for key in keys} == {b"x"}


def test_the_sealed_part_is_as_long_whatever_the_faces(listed: str, faces: dict[str, str]) -> None:
    """P4: the length of what is sealed tells nothing of the order."""
    lines = listed.splitlines()
    turned = [f"{one[:16]}{other[16:]}" for one, other in zip(lines[:52], lines[51::-1], strict=True)]
    deck, sealed = deck_file.enrolled(
        makers_list("\n".join(turned), "list"), name="red", back="red", technology=None, slot=0
    )
    other, more = deck_file.enrolled(makers_list(listed, "list"), name="red", back="red", technology=None, slot=0)
    assert deck.tags == other.tags
    assert sealed.cards != more.cards
    assert len(sealing.written(sealed)) == len(sealing.written(more))


def test_the_command_in_the_files_head_hands_age_what_was_sealed(listed: str, tmp_path: Path) -> None:
    path, file = tmp_path / "red.toml", made(listed)
    deck_file.write(path, file, anew=True)
    command = next(line for line in path.read_text().splitlines() if "sed -n" in line).removeprefix("#")
    handed = subprocess.run(
        ["sh", "-c", command.partition("| age")[0].replace("FILE", "red.toml")],
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    assert handed.stdout == file.sealed
    assert file.sealed.startswith(b"age-encryption.org/v1\n")


def test_a_file_that_is_there_is_never_written_over(listed: str, tmp_path: Path) -> None:
    path = tmp_path / "red.toml"
    path.write_text("mine")
    with pytest.raises(FileExistsError):
        deck_file.write(path, made(listed), anew=True)
    assert path.read_text() == "mine"


def test_a_retired_deck_says_so_and_keeps_its_faces(listed: str, tmp_path: Path) -> None:
    path, file = tmp_path / "red.toml", made(listed)
    deck_file.write(path, file, anew=True)
    deck_file.write(path, deck_file.retired(file, "2026-11-30", "a bent corner"), anew=False)
    again, faults = deck_file.read(path)
    assert again is not None
    assert faults == []
    assert (again.sealed, again.deck.retired) == (file.sealed, "2026-11-30: a bent corner")
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda sealed: b"", "no faces are sealed in it; enrol the deck anew"),
        (lambda sealed: b"ace of spades", "no age file"),
        (lambda sealed: sealed[:100], "cut short within its header"),
        (lambda sealed: sealed[:-1], "1310 bytes sealed where faces take 1311"),
    ],
)
def test_a_damaged_seal_is_told_without_a_key(listed: str, tmp_path: Path, spoil: Any, sentence: str) -> None:
    path, file = tmp_path / "red.toml", made(listed)
    deck_file.write(path, replace(file, sealed=spoil(file.sealed)), anew=True)
    again, _ = deck_file.read(path)
    assert again is not None
    (told,) = deck_file.file_faults(again, path)
    assert told.startswith(f"{path}: sealed: {sentence}")


def test_what_is_no_base64_is_told(listed: str, tmp_path: Path) -> None:
    path, file = tmp_path / "red.toml", made(listed)
    path.write_text(deck_file.text_of(file).replace(base64.b64encode(file.sealed).decode(), "not so"))
    assert deck_file.read(path)[1] == [f"{path}: sealed: not what enrolment wrote; enrol the deck anew"]


def test_a_file_that_others_may_read_is_told(listed: str, tmp_path: Path) -> None:
    path, file = tmp_path / "red.toml", made(listed)
    deck_file.write(path, file, anew=True)
    path.chmod(0o640)
    assert deck_file.file_faults(file, path) == [f"{path}: others may read it (mode 0640); chmod 0600 it"]


def test_faces_of_another_deck_are_told(listed: str) -> None:
    file = made(listed)
    numbers = (*file.deck.numbers[1:], file.deck.numbers[0])
    opened = sealing.read(sealing.opened(file.sealed, [str(DIRECTOR)], "red"))
    assert deck_file.faces_faults(replace(file.deck, numbers=numbers), opened, "red") == [
        "red: the sealed faces are of other tags or numbers; take the file from where it is kept"
    ]


@pytest.mark.parametrize("text", [b"", b"dealerbox faces 1\nx\n", b"As Kd", b"\xff"])
def test_what_was_sealed_and_is_no_deck_is_told(text: bytes) -> None:
    with pytest.raises(DealerboxError, match="no faces of a deck"):
        sealing.read(text)


@pytest.mark.parametrize("recipient", ["age1xyz", "ssh-ed25519 AAAA", "bob"])
def test_a_recipient_that_is_none_is_named(recipient: str) -> None:
    with pytest.raises(DealerboxError, match=f"recipient '{recipient}': "):
        sealing.seal(b"", [recipient])


def test_a_maker_who_turns_the_uids_round_is_told(listed: str) -> None:
    turned = "\n".join(bytes.fromhex(line[:16])[::-1].hex().upper() + line[16:] for line in listed.splitlines()[:52])
    with pytest.raises(DealerboxError, match="the bytes are turned round: 'E00401"):
        made(turned)
