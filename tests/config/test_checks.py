"""A table that could not notice what the law asks for is refused."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from dealerbox.config.checks import checked, expected_max, missing_ports, no_hands, table_faults, table_warnings
from dealerbox.model.setup import Dispense
from dealerbox.model.zones import Zone
from dealerbox.ports import ConfigError

NEEDED = [
    ("seat:2", "1804A(3)"),
    ("board", "1804A(4)"),
    ("burn", "1812"),
    ("muck", "1812"),
    ("infeed", "1804A(1)"),
    ("exit", "1804B(7)"),
]


@pytest.mark.parametrize(("zone", "clause"), NEEDED)
def test_every_zone_that_the_law_needs_has_a_reader(table: Any, zone: str, clause: str) -> None:
    text = (table.folder / "station.toml").read_text()
    channel = text[text.index(f'= "{zone}"') - 2]
    table.change("station.toml", f'{channel} = "{zone}"', "")
    tidy = (table.folder / "station.toml").read_text().replace(", ,", ",").replace("{ ,", "{").replace(",  }", " }")
    (table.folder / "station.toml").write_text(tidy)
    assert table.faults() == [
        f"station.toml: devices: no reader watches {zone}; add it to the zones of a reader ({clause})"
    ]


def test_aside_may_be_inferred_and_is_told(table: Any) -> None:
    table.change("station.toml", '6 = "aside", ', "")
    assert table.faults() == []
    assert table_warnings(table.load()) == [
        "station.toml: devices: no reader watches aside; what lies there is inferred and must be confirmed by key"
    ]


def test_a_seat_that_the_house_allows_and_nobody_watches_is_refused(table: Any) -> None:
    table.change("house.toml", "max_seats = 2", "max_seats = 3")
    assert table.faults() == [
        "station.toml: devices: no reader watches seat:3; add it to the zones of a reader (1804A(3))",
        "station.toml: devices.button: no contact at seat 3; add it, or lower max_seats (1804A(3))",
    ]


def test_a_reader_beyond_the_last_seat_is_refused(table: Any) -> None:
    table.change("station.toml", '6 = "aside"', '6 = "seat:3"')
    assert table.faults() == [
        "station.toml: devices.reader: watches seat:3; allowed: seat:1..seat:2, as max_seats of house.toml"
    ]


def test_a_zone_watched_by_two_readers_is_refused(table: Any) -> None:
    table.add("station.toml", '[devices.second]\ndriver = "feig"\nport = "tty-second"\nzones = { 0 = "exit" }\n')
    assert table.faults() == ["station.toml: devices.second: watches exit, as reader does; allowed: one reader a zone"]


def test_a_zone_watched_twice_by_one_reader_is_refused(table: Any) -> None:
    table.change("station.toml", '6 = "aside"', '6 = "exit"')
    assert table.faults() == ["station.toml: devices.reader: watches exit twice; allowed: one reader a zone"]


def test_a_reader_of_two_cards_cannot_watch_the_board(table: Any) -> None:
    table.change("station.toml", '3 = "board", ', "")
    table.add("station.toml", '[devices.pair]\ndriver = "test-pair"\nzone = "board"\n')
    assert table.faults()[0] == (
        "station.toml: devices.pair: test-pair reads at most 2 tags at once and board holds 5 cards; "
        "give this zone to a reader for many tags"
    )


def test_a_reader_that_cannot_read_the_decks_tags_is_refused(table: Any) -> None:
    table.change("station.toml", ', 8 = "exit"', "")
    table.add("station.toml", '[devices.pair]\ndriver = "test-pair"\nzone = "exit"\n')
    assert table.faults() == [
        f"station.toml: devices.pair: test-pair does not read iso15693, the tags of {file}; it reads iso14443a"
        for file in ("red.toml", "blue.toml")
    ]


@pytest.mark.parametrize(
    ("zone", "cards"),
    [("seat:9", 2), ("board", 5), ("burn", 5), ("muck", 20), ("exit", 2), ("infeed", 1), ("aside", 4)],
)
def test_a_reader_must_tell_apart_what_its_zone_holds(zone: str, cards: int) -> None:
    """A flop of too many cards lies on the board before it goes back (1811(2))."""
    assert expected_max(Zone(zone), 10) == cards


ROLES = [
    ("shuffler", "no shuffler; add a device that lets the cards out (1809)"),
    ("button", "no button sensor; add a device that tells where the button lies (1804A(3))"),
    ("panel", "no panel; add a device with the dealer's keys and lamps (1804B(9))"),
]


@pytest.mark.parametrize(("role", "sentence"), ROLES)
def test_a_table_has_a_shuffler_a_button_and_a_panel(table: Any, role: str, sentence: str) -> None:
    config = table.load()
    kept = tuple(device for device in config.devices if device.driver.role != role)
    assert table_faults(msgspec.structs.replace(config, devices=kept), lambda claims: []) == [
        f"station.toml: devices: {sentence}"
    ]


def test_a_seat_without_a_contact_for_the_button_is_refused(table: Any) -> None:
    table.change("station.toml", 'driver = "test-button"', 'driver = "test-button"\nseats = 1')
    assert table.faults() == [
        "station.toml: devices.button: no contact at seat 2; add it, or lower max_seats (1804A(3))"
    ]


def test_a_second_shuffler_is_refused(table: Any) -> None:
    table.add("station.toml", '[devices.spare]\ndriver = "shuffler-v1"\nport = "tty-spare"\n')
    assert table.faults() == ["station.toml: devices.spare: a second shuffler beside shuffler; allowed: one"]


def test_a_port_of_two_devices_is_refused_whatever_link_leads_to_it(table: Any) -> None:
    (table.folder / "tty-reader").symlink_to(table.folder / "tty-shuffler")
    assert table.faults() == [
        "station.toml: devices.reader.port: tty-reader is the port of shuffler too; give each its own"
    ]


def test_a_port_that_is_not_there_is_told_with_where_to_look(table: Any) -> None:
    (table.folder / "tty-shuffler").touch()
    assert missing_ports(table.load()) == [
        "station.toml: devices.reader.port: tty-reader is not there now; "
        "plug the device in, or see `ls -l /dev/serial/by-path` for its name"
    ]


def test_one_deck_alone_is_told_under_1804b6(table: Any) -> None:
    table.change("station.toml", ', "blue.toml"', "")
    assert table.faults() == []
    assert no_hands(table.load()) == [
        "station.toml: files.decks: 1 of the two decks that every table has; name their files (1804B(6))"
    ]


@pytest.mark.parametrize("way", ["single", "group", "hand"])
def test_every_way_of_dealing_is_allowed_where_the_readers_see_it_under_1809(table: Any, way: str) -> None:
    table.add("house.toml", f'dispense = "{way}"\n')
    assert table.faults() == []


@pytest.mark.parametrize(
    ("zone", "cards"),
    [("seat:9", 3), ("board", 6), ("burn", 6), ("muck", 21), ("exit", 2), ("infeed", 1), ("aside", 5)],
)
def test_by_hand_one_card_too_many_is_noticed_wherever_cards_lie_under_1804B7(zone: str, cards: int) -> None:
    assert expected_max(Zone(zone), 10, Dispense.HAND) == cards


def test_at_the_exit_a_double_feed_is_told_from_the_group_before_it_under_1809() -> None:
    assert expected_max(Zone("exit"), 10, Dispense.GROUP) == 4
    assert expected_max(Zone("seat:9"), 10, Dispense.GROUP) == 2


def test_a_shuffler_without_gate_and_counter_is_refused_unless_each_card_is_judged_where_it_is_seen_1804B7(
    table: Any,
) -> None:
    table.change("station.toml", 'driver = "shuffler-v1"', 'driver = "reshuffled"\nbaud = 38400')
    (fault,) = table.faults()
    assert fault.startswith("station.toml: devices.shuffler: reshuffled has no gate and counts no cards")
    assert 'set dispense = "hand" in' in fault
    assert fault.endswith("(1804B(7))")
    table.add("house.toml", 'dispense = "hand"\n')
    assert table.faults() == []


def test_by_hand_a_table_where_nobody_looks_aside_is_refused_under_1804B7(table: Any) -> None:
    table.change("station.toml", ' 6 = "aside",', "")
    assert table.faults() == []
    table.add("house.toml", 'dispense = "hand"\n')
    assert table.faults() == [
        "station.toml: devices: no reader watches aside; add it to the zones of a reader (1804B(7))"
    ]


@pytest.mark.parametrize(
    "setting",
    [
        'exposed_replacement = "at_once"',
        "first_card_exposed_is_misdeal = true",
        "exposed_is_misdeal_from = 2",
    ],
)
def test_the_house_may_choose_what_becomes_of_an_exposed_card_by_C9(table: Any, setting: str) -> None:
    table.add("house.toml", setting + "\n")
    assert table.faults() == []


def test_a_pin_of_two_devices_is_refused(table: Any) -> None:
    for device in ("button", "panel"):
        table.change("station.toml", f'driver = "test-{device}"', f'driver = "test-{device}"\npin = 5')
    assert table.faults() == ["station.toml: devices.panel.pin: GPIO 5 is devices.button.pin's"]


def test_a_table_is_known_without_its_decks_to_who_may_not_know_their_tags(table: Any) -> None:
    whole = checked("station.toml", table.drivers, lambda claims: [])
    for name in ("red.toml", "blue.toml"):
        Path(name).unlink()
    known = checked("station.toml", table.drivers, lambda claims: [], decks=False)
    assert known == msgspec.structs.replace(whole, decks=(), deck_files=(), sha256="")


def test_a_config_with_faults_is_not_handed_out(table: Any) -> None:
    assert checked("station.toml", table.drivers, lambda claims: []) == table.load()
    table.change("station.toml", '3 = "board", ', "")
    with pytest.raises(ConfigError, match="no reader watches board"):
        checked("station.toml", table.drivers, lambda claims: [])


def test_a_panel_whose_menu_is_read_on_a_display_needs_one(table: Any) -> None:
    table.change("station.toml", 'driver = "test-panel"', 'driver = "panel-compact"')
    assert table.faults() == ["station.toml: devices.panel: panel-compact needs a display beside it; add one"]
    table.add("station.toml", '[devices.display]\ndriver = "display-oled"\n')
    assert table.faults() == []


def test_a_table_has_one_display_at_most(table: Any) -> None:
    table.add("station.toml", '[devices.display]\ndriver = "display-oled"\n[devices.tv]\ndriver = "display-oled"\n')
    assert table.faults() == ["station.toml: devices.tv: a second display beside display; allowed: one, or none"]
