"""A dealer's stub that fell on the muck is put together again exactly: 52 less those that are out, by their tags."""

import pytest

from bench.incidents.table import Table
from dealerbox.model.keys import Key
from dealerbox.model.zones import BURN, MUCK


def shown(table: Table, *cards) -> None:
    for card in cards:
        table.see(BURN, card)
        table.lose(BURN, card)


@pytest.fixture
def fallen() -> tuple[Table, list]:
    """By hand (C15): two cards of seat 2 are folded, and the stub lies among them."""
    table = Table()
    holes = table.holes()
    table.press(Key.MANUAL, Key.ACK)
    shown(table, *table.stub)
    table.press(Key.ACK)
    folded = [holes[0], holes[4]]
    table.see(MUCK, *folded)
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    return table, folded


def test_the_panel_asks_for_each_card_of_it_and_is_satisfied_with_no_other(fallen) -> None:
    """1812, 1819: no card of the muck comes back into the stub by guess, and none of the stub stays behind."""
    table, folded = fallen
    *most, last = table.stub
    assert table.prompt == "manual_show"
    shown(table, *most)
    assert table.prompt == "manual_show"
    shown(table, folded[0])
    assert table.prompt != "manual_order"
    shown(table, last)
    assert table.prompt == "manual_order"


def test_as_many_cards_as_the_stub_has_are_not_enough(fallen) -> None:
    table, folded = fallen
    shown(table, *table.stub[:-1], folded[0])
    assert table.prompt != "manual_order"
