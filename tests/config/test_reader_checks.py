"""Readers that could not see what their zones hold are refused; tags that are no cards have their places."""

from typing import Any

import pytest

REFERENCE = 'references = { 3 = "E0040000000000AA", 4 = "E0040000000000BB" }'
TAG = '[devices.button]\ndriver = "button-tag"\ntags = ["E0040000000000CC"]\n'


def refer(table: Any, references: str) -> None:
    table.change("station.toml", 'port = "tty-reader"', f'port = "tty-reader"\n{references}')


def pn532(zone: str, more: str = "") -> str:
    return f'[devices.small]\ndriver = "pn532"\nport = "tty-small"\nzone = "{zone}"\n{more}'


def tagged(table: Any, tag: str = TAG) -> None:
    table.change("station.toml", '[devices.button]\ndriver = "test-button"\n', tag)


def test_a_reference_tag_is_no_card_and_fixed_in_one_place(table: Any) -> None:
    refer(table, REFERENCE)
    assert table.faults() == []
    refer_again = REFERENCE.replace("E0040000000000BB", "E0040000000000AA")
    table.change("station.toml", REFERENCE, refer_again)
    assert table.faults() == [
        "station.toml: devices.reader: the reference tag of burn, E0040000000000AA, is that of board too; "
        "fix one at each"
    ]
    table.change("station.toml", refer_again, 'references = { 3 = "E004010000000100" }')
    assert table.faults() == [
        "station.toml: devices.reader: the reference tag of board, E004010000000100, is one of red.toml; "
        "fix one of no deck"
    ]


def test_a_reference_tag_of_an_antenna_that_is_not_there_is_refused(table: Any) -> None:
    refer(table, REFERENCE.replace("4 =", "8 ="))
    table.change("station.toml", ', 8 = "exit" }', " }")
    assert table.faults() == [
        "station.toml: devices.reader.references.8: no zone has channel 8; allowed: 1, 2, 3, 4, 5, 6, 7"
    ]


def small_tags(table: Any) -> None:
    """Two decks of ISO14443A."""
    for name in ("red.toml", "blue.toml"):
        table.change(name, "iso15693", "iso14443a")
        file = table.folder / name
        file.write_text(file.read_text().replace("E00401", "0401"))


def test_a_pn532_may_watch_the_exit_of_a_table_with_its_tags(table: Any) -> None:
    table.change("station.toml", ', 8 = "exit" }', " }")
    table.add("station.toml", pn532("exit"))
    small_tags(table)
    assert table.faults() == []


def test_a_pn532_with_a_reference_tag_has_one_place_left(table: Any) -> None:
    table.change("station.toml", ', 8 = "exit" }', " }")
    table.add("station.toml", pn532("exit", 'reference = "04A1B2C3D4E5F6"\n'))
    small_tags(table)
    assert table.faults() == [
        "station.toml: devices.small: pn532 reads at most 2 tags at once and exit holds 2 cards and 1 tag that is "
        "none; give this zone to a reader for many tags"
    ]


@pytest.mark.parametrize("zone", ["board", "burn", "muck"])
def test_a_pn532_where_more_cards_lie_than_it_reads_is_refused(table: Any, zone: str) -> None:
    text = (table.folder / "station.toml").read_text()
    channel = text[text.index(f'= "{zone}"') - 2]
    table.change("station.toml", f'{channel} = "{zone}", ', "")
    table.add("station.toml", pn532(zone))
    assert "pn532 reads at most 2 tags at once" in table.faults()[0]


def test_an_r321_has_no_seventh_antenna(table: Any) -> None:
    table.change("station.toml", 'driver = "feig"', 'driver = "r321"')
    assert table.faults() == [
        "station.toml: devices.reader.zones.7: it has no antenna 7; allowed: 0 alone, or 1..6",
        "station.toml: devices.reader.zones.8: it has no antenna 8; allowed: 0 alone, or 1..6",
    ]


def test_an_r321_may_watch_the_muck(table: Any) -> None:
    table.change("station.toml", '5 = "muck", ', "")
    table.add("station.toml", '[devices.anyid]\ndriver = "r321"\nport = "usb:0505:5050"\nzones = { 0 = "muck" }\n')
    assert table.faults() == []


def test_the_button_may_be_a_tag_that_the_seats_readers_read(table: Any) -> None:
    tagged(table)
    assert table.faults() == []


def test_the_buttons_tag_is_no_card_and_no_reference(table: Any) -> None:
    tagged(table, TAG.replace("E0040000000000CC", "E004010000000100"))
    assert table.faults() == [
        "station.toml: devices.button: the button's tag E004010000000100 is one of red.toml; take one of no deck"
    ]


def test_the_reference_of_a_zone_is_no_button(table: Any) -> None:
    tagged(table)
    refer(table, 'references = { 3 = "E0040000000000CC" }')
    assert table.faults() == [
        "station.toml: devices.button: the button's tag E0040000000000CC is the reference of board; take another"
    ]


def test_a_reader_of_two_has_no_room_for_two_cards_and_the_button(table: Any) -> None:
    tagged(table, TAG.replace("E0040000000000CC", "04A1B2C3D4E5F6"))
    table.change("station.toml", '1 = "seat:1", ', "")
    table.add("station.toml", pn532("seat:1"))
    assert [fault for fault in table.faults() if "tags at once" in fault] == [
        "station.toml: devices.small: pn532 reads at most 2 tags at once and seat:1 holds 2 cards and 1 tag that is "
        "none; give this zone to a reader for many tags"
    ]


def test_the_buttons_tag_must_be_one_that_the_seats_readers_read(table: Any) -> None:
    tagged(table, TAG.replace("E0040000000000CC", "04A1B2C3D4E5F6"))
    table.change("station.toml", 'driver = "feig"', 'driver = "r321"')
    table.change("station.toml", ', 7 = "infeed", 8 = "exit" }', " }")
    assert (
        "station.toml: devices.reader: r321 does not read iso14443a, the button's tag 04A1B2C3D4E5F6; it reads iso15693"
    ) in table.faults()


def test_a_button_without_a_tag_is_refused(table: Any) -> None:
    tagged(table, TAG.replace('"E0040000000000CC"', ""))
    assert table.faults() == [
        "station.toml: devices.button.tags: no tag; allowed: the number of the button's tag, at least one"
    ]
