"""`dealerbox check FILE`: 0 in order, 66 no file, 78 not usable, 1 with --ports when one is missing."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from dealerbox.config import load
from dealerbox.config.tables import read
from dealerbox.model.setup import House
from dealerbox_drivers.registry import DRIVERS

CONFIG = Path(__file__).parents[2] / "config"


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the shipped example, in the working directory."""
    shutil.copytree(CONFIG, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_shipped_house_rules_are_the_defaults_and_name_every_key() -> None:
    answer = read(CONFIG / "house/default.toml", "default.toml")
    assert not isinstance(answer, str)
    assert set(answer[0]) == set(House.__struct_fields__)
    assert load(str(CONFIG / "station.toml"), DRIVERS).house == House()


def test_a_wrong_key_is_one_sentence_and_78(dealerbox: Any, example: Path) -> None:
    text = (example / "station.toml").read_text().replace("baud = 115200", "buad = 115200")
    (example / "station.toml").write_text(text)
    assert dealerbox("check", "station.toml") == (
        78,
        "",
        "station.toml: devices.shuffler: unknown key 'buad' (nearest: 'baud'); known: baud, driver, port, serial\n",
    )


def test_a_deck_of_51_tags_is_one_sentence_and_78(dealerbox: Any, example: Path) -> None:
    file = example / "decks/example-red.toml"
    file.write_text(file.read_text().replace('"E004015003D71684", ', ""))
    assert dealerbox("check", "station.toml") == (
        78,
        "",
        "decks/example-red.toml: tags: 51 tags; allowed: exactly 52, one for each card (1804A(1))\n",
    )


def test_a_file_that_is_not_there_is_one_sentence_and_66(dealerbox: Any, example: Path) -> None:
    assert dealerbox("check", "sation.toml") == (66, "", "sation.toml: no such file or directory; check the path\n")


def test_a_folder_is_one_sentence_and_66(dealerbox: Any, example: Path) -> None:
    assert dealerbox("check", "decks") == (66, "", "decks: is a directory; name a file in it\n")
