"""`dealerbox check FILE`: 0 in order, 66 no file, 78 not usable, 1 with --ports when one is missing."""

import re
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dealerbox.config import load
from dealerbox.config.checks import table_faults, table_warnings
from dealerbox.config.tables import read
from dealerbox.model.setup import House
from dealerbox_drivers.display.settings import DisplaySettings
from dealerbox_drivers.pins.budget import pin_faults
from dealerbox_drivers.registry import DRIVERS

CONFIG = Path(__file__).parents[2] / "config"


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the shipped example, in the working directory."""
    shutil.copytree(CONFIG, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_shipped_example_is_in_order(dealerbox: Any, example: Path) -> None:
    answer = dealerbox("check", "station.toml")
    assert answer.code == 0
    assert answer.out == "station.toml: in order: Table 1, 10 seats, 16 zones watched, 2 decks, 8 devices\n"


def test_the_shipped_example_lacks_nothing_but_its_ports() -> None:
    config = load(str(CONFIG / "station.toml"), DRIVERS)
    assert (table_faults(config, pin_faults), table_warnings(config)) == ([], [])


def test_the_display_of_the_shipped_example_needs_no_more_than_its_hashes_taken_away(example: Path) -> None:
    text = (example / "station.toml").read_text()
    (example / "station.toml").write_text(re.sub(r"^#(?=\S)", "", text, flags=re.MULTILINE))
    config = load("station.toml", DRIVERS)
    (display,) = (device.settings for device in config.devices if device.driver.role == "display")
    assert display == DisplaySettings()
    assert table_faults(config, pin_faults) == []


def test_the_shipped_house_rules_are_the_defaults_and_name_every_key() -> None:
    answer = read(CONFIG / "house/default.toml", "default.toml")
    assert not isinstance(answer, str)
    assert set(answer[0]) == set(House.__struct_fields__)
    assert load(str(CONFIG / "station.toml"), DRIVERS).house == House()


def test_ports_that_are_missing_are_one_note_after_the_verdict(dealerbox: Any, example: Path) -> None:
    assert dealerbox("check", "station.toml").err == (
        "note: 6 ports are not there now; `dealerbox check --ports station.toml` names them\n"
    )


UNPLAYABLE = [
    ("seats = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]", "seats = [1]", "table.seats: 1 of the two players"),
    ('decks = ["decks/example-red.toml", "decks/example-blue.toml"]', "decks = []", "files.decks: 0 of the two decks"),
]


@pytest.mark.parametrize(("before", "after", "sentence"), UNPLAYABLE)
def test_a_table_at_which_no_hand_can_be_dealt_is_not_in_order(
    dealerbox: Any, example: Path, before: str, after: str, sentence: str
) -> None:
    file = example / "station.toml"
    file.write_text(file.read_text().replace(before, after))
    answer = dealerbox("check", "station.toml")
    assert (answer.code, answer.out.split(": ")[1]) == (1, "can start, but no hand can be dealt")
    assert answer.err.startswith(f"station.toml: {sentence}")


def test_a_port_that_is_missing_is_a_fault_when_ports_are_asked_for(dealerbox: Any, example: Path) -> None:
    answer = dealerbox("check", "--ports", "station.toml")
    assert (answer.code, answer.out) == (1, "")
    assert len(answer.err.splitlines()) == 6


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


WIRINGS = [
    'driver = "button-matrix"\nrows = [4, 7, 8]\ncolumns = [9, 10, 11, 12]\n',
    'driver = "button-i2c"\n',
]


@pytest.mark.parametrize("wiring", WIRINGS)
def test_the_button_may_be_sensed_by_another_wiring(dealerbox: Any, example: Path, wiring: str) -> None:
    file = example / "station.toml"
    before, _, _ = file.read_text().partition("[devices.button]")
    file.write_text(f"{before}[devices.button]\n{wiring}")
    assert dealerbox("check", "station.toml").code == 0


def test_a_pin_used_twice_is_one_sentence_and_78(dealerbox: Any, example: Path) -> None:
    file = example / "station.toml"
    file.write_text(file.read_text().replace("green = 17", "green = 4"))
    answer = dealerbox("check", "station.toml")
    assert answer.code == 78
    assert answer.err.startswith(
        "station.toml: devices.button.seats.1: GPIO 4 is already used by devices.panel.green; still free: "
    )
    assert len(answer.err.splitlines()) == 1


def test_a_pin_that_is_missing_is_one_sentence_and_78(dealerbox: Any, example: Path) -> None:
    file = example / "station.toml"
    file.write_text(file.read_text().replace("10 = 20 }", "10 = 28 }"))
    assert dealerbox("check", "station.toml") == (
        78,
        "",
        "station.toml: devices.button.seats.10: 28 is not allowed; allowed: a GPIO (BCM) number of the header, 2..27\n",
    )


def test_the_example_shows_every_default(example: Path) -> None:
    """What the example says of a driver's own keys is what the driver does without them."""
    config = load("station.toml", DRIVERS)
    for name in ("shuffler", "seats-left", "panel", "button"):
        (device,) = (device for device in config.devices if device.name == name)
        fields = msgspec.structs.fields(device.driver.settings)
        shown = {field.name: getattr(device.settings, field.name) for field in fields if not field.required}
        needed = {field.name: getattr(device.settings, field.name) for field in fields if field.required}
        assert device.driver.settings(**needed) == device.settings, f"{name}: {shown}"
