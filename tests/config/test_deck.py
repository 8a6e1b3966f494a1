"""Deck files: 52 canonical tags that belong to this deck alone (1804A(1), 1804B(6))."""

from typing import Any

import pytest

FIRST = "E004010000000100"
SECOND = "E004010000000101"
LAST = "E004010000000133"


def test_a_deck_with_51_tags_is_refused_under_1804a1(table: Any) -> None:
    """1802(18)."""
    table.change("red.toml", f', "{LAST}"', "")
    assert table.faults() == ["red.toml: tags: 51 tags; allowed: exactly 52, one for each card (1804A(1))"]


def test_a_deck_with_53_tags_is_refused_under_1804a1(table: Any) -> None:
    """1802(18)."""
    table.change("red.toml", f', "{LAST}"', f', "{LAST}", "E004010000000134"')
    assert table.faults() == ["red.toml: tags: 53 tags; allowed: exactly 52, one for each card (1804A(1))"]


def test_a_tag_twice_in_a_deck_is_refused(table: Any) -> None:
    table.change("red.toml", f'"{SECOND}"', f'"{FIRST}"')
    assert table.faults() == [f"red.toml: tags: '{FIRST}' is there twice; allowed: every tag once"]


def test_a_joker_that_is_a_card_too_is_refused(table: Any) -> None:
    table.add("red.toml", f'jokers = ["{FIRST}"]\n')
    assert table.faults() == [f"red.toml: jokers: '{FIRST}' is there under tags too; allowed: every tag once"]


def test_jokers_and_a_cut_card_are_tags_of_their_own_kind(table: Any) -> None:
    table.add("red.toml", 'jokers = ["E004010000000F01", "E004010000000F02"]\ncut_card = "E004010000000F03"\n')
    assert table.faults() == []
    info = table.load().setup().decks[0]
    assert (info.cards, info.jokers, info.cut_card) == (52, 2, True)


UIDS = [
    (
        FIRST.lower(),
        f"'{FIRST.lower()}' is not canonical; allowed: upper case, '{FIRST}'",
    ),
    (
        "00010000000104E0",
        "'00010000000104E0' is no iso15693 uid; allowed: most significant byte first, which is E0; "
        "the bytes are turned round: 'E004010000000100'",
    ),
    (
        "D004010000000100",
        "'D004010000000100' is no iso15693 uid; allowed: most significant byte first, which is E0",
    ),
    ("E0:04:01:00", "'E0:04:01:00' is no uid; allowed: hex digits without separators"),
    ("", "'' is no uid; allowed: hex digits without separators"),
    ("E00401", "'E00401' has 6 digits; allowed for iso15693: 16"),
]


@pytest.mark.parametrize(("uid", "sentence"), UIDS)
def test_a_uid_is_canonical(table: Any, uid: str, sentence: str) -> None:
    table.change("red.toml", f'"{FIRST}"', f'"{uid}"')
    assert table.faults() == [f"red.toml: tags: {sentence}"]


TYPE_A = [
    ("0812AB34", "'0812AB34' is a random uid, another at every read; allowed: tags with a fixed uid"),
    ("88041234567890", "'88041234567890' begins with the cascade tag 88; allowed: the uid without it"),
    ("0412345678", "'0412345678' has 10 digits; allowed for iso14443a: 8 or 14 or 20"),
]


@pytest.mark.parametrize(("uid", "sentence"), TYPE_A)
def test_a_type_a_uid_is_fixed_and_whole(table: Any, uid: str, sentence: str) -> None:
    tags = [f"04{number:012X}" for number in range(1, 52)]
    listed = ", ".join(f'"{tag}"' for tag in [*tags, uid])
    (table.folder / "red.toml").write_text(f'name = "red"\nback = "red"\ntechnology = "iso14443a"\ntags = [{listed}]\n')
    assert table.faults()[0] == f"red.toml: tags: {sentence}"


def test_the_order_of_tags_hides_the_faces(table: Any) -> None:
    table.change("red.toml", f'"{FIRST}", "{SECOND}"', f'"{SECOND}", "{FIRST}"')
    assert table.faults() == ["red.toml: tags: not in ascending order; sort them, so that their order hides the faces"]


def test_a_tag_in_two_decks_is_refused(table: Any) -> None:
    table.change("blue.toml", '"E004010000000200"', f'"{FIRST}"')
    assert table.faults() == [f"blue.toml: tags: '{FIRST}' is in red.toml too; a tag belongs to one deck"]


def test_two_decks_with_the_same_back_are_refused_under_1804b6(table: Any) -> None:
    """T2."""
    table.change("blue.toml", 'back = "blue"', 'back = " Red "')
    assert table.faults() == [
        "blue.toml: back: the same as in red.toml (red); the backs of a table's decks must differ (1804B(6))"
    ]


def test_two_decks_in_one_slot_are_refused(table: Any) -> None:
    table.add("blue.toml", "slot = 1\n")
    assert table.faults() == ["blue.toml: slot: the same as in red.toml (1); give each deck a slot of its own"]


def test_two_technologies_at_one_table_are_refused(table: Any) -> None:
    tags = ", ".join(f'"04{number:012X}"' for number in range(1, 53))
    (table.folder / "blue.toml").write_text(
        f'name = "blue"\nback = "blue"\ntechnology = "iso14443a"\ntags = [{tags}]\n'
    )
    assert table.faults() == [
        "blue.toml: technology: iso14443a, but red.toml is iso15693; allowed: one technology for all decks of a table"
    ]


def test_the_station_neither_reads_nor_hashes_the_sealed_faces_p4(table: Any) -> None:
    table.add("red.toml", 'sealed = "YWNlIG9mIHNwYWRlcw=="\n')
    before = table.load()
    table.change("red.toml", "YWNlIG9mIHNwYWRlcw==", "no base64 at all")
    assert table.faults() == []
    assert table.load() == before
    assert "sealed" not in before.decks[0].__struct_fields__


def numbered(table: Any, numbers: range) -> None:
    tags = "\n".join(f"E00401{0x100 + place:010X} = {number}" for place, number in enumerate(numbers))
    head = (table.folder / "red.toml").read_text().partition("tags = ")[0]
    (table.folder / "red.toml").write_text(f"{head}\n[tags]\n{tags}\n")


def test_a_deck_may_give_each_tag_a_number(table: Any) -> None:
    by_list = table.load().decks[0]
    numbered(table, range(52, 0, -1))
    assert table.faults() == []
    deck = table.load().decks[0]
    assert (deck.tags, deck.info()) == (by_list.tags, by_list.info())
    assert deck.numbers == tuple(range(52, 0, -1))


def test_a_number_twice_is_refused(table: Any) -> None:
    numbered(table, range(2, 54))
    assert table.faults() == ["red.toml: tags: not numbered 1 to 52, each once; enrol the deck anew"]


def test_a_retired_deck_is_refused_under_1804b8(table: Any) -> None:
    table.add("red.toml", 'retired = "2026-11-30: worn"\n')
    assert table.faults() == [
        "red.toml: retired: 2026-11-30: worn; take the deck out of the table's list, name another"
    ]


def test_an_unknown_technology_is_refused(table: Any) -> None:
    table.change("red.toml", '"iso15693"', '"uhf"')
    assert table.faults() == ['red.toml: technology: "uhf" is not allowed; allowed: iso15693, iso14443a']


def test_a_table_has_at_most_nine_decks(table: Any) -> None:
    table.change("station.toml", '["red.toml", "blue.toml"]', str([f"{number}.toml" for number in range(10)]))
    assert table.faults()[0] == "station.toml: files.decks: 10 decks; allowed: at most 9"


def test_a_deck_has_at_most_eight_jokers(table: Any) -> None:
    table.add("red.toml", f"jokers = {[f'E004010000000F{number:02}' for number in range(9)]}\n")
    assert table.faults() == ["red.toml: jokers: 9 jokers; allowed: at most 8"]
