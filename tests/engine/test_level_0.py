"""A machine that only shuffles: the tags read at the infeed are its count, and a person's word its memory."""

import pytest

from dealerbox.model import events as ev
from dealerbox.model.cards import Token
from dealerbox.model.commands import Places, Refuse
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import Dispense, House
from dealerbox.model.shuffler import Cap, Cycle
from dealerbox.model.zones import MUCK


@pytest.fixture
def table(make_table):
    return make_table(house=House(dispense=Dispense.HAND))


def filled(table, deck):
    """The table opens, and the deck goes in past the infeed reader; returns what it then owes."""
    table.started()
    table.meet(caps=Cap.SHUFFLE)
    table.feed(*deck)
    return table.state.memory.pending_kind


def deck():
    return [Token(1000 + number) for number in range(1, 53)]


def taken(table):
    """The machine has taken that number for its own."""
    table.tell(lambda at: ev.PlacesSet(at, table.state.memory.pending))


def test_it_is_told_that_it_holds_52_when_52_tags_have_passed_and_is_never_asked_to_take_them_in(table) -> None:
    assert filled(table, deck()) == "Places"
    (places,) = [command for _, told in table.log for command in told if isinstance(command, Places)]
    assert (places.machine, places.exit_id, places.person) == (52, 0, 0)  # the readers' word, and nobody's


def test_with_51_of_them_it_waits(table) -> None:
    assert filled(table, deck()[:-1]) == ""


def test_its_count_is_what_the_infeed_read_and_the_dealer_confirms_it_by_name(table) -> None:
    filled(table, deck())
    taken(table)
    table.press(Key.ACK)
    assert table.state.memory.pending_kind == "Shuffle"
    table.cycle(Cycle.SHUFFLE, 52)
    before = table.state.shuffled
    table.press(Key.COUNT)
    assert table.state.count_read
    assert Key.ACK in table.view.lit
    table.press(Key.ACK)
    assert (table.state.count_read, table.state.shuffled, table.state.memory.pending) == (False, before, 0)


def test_with_a_card_out_there_is_nothing_to_confirm(table) -> None:
    filled(table, deck())
    taken(table)
    table.press(Key.ACK)
    table.cycle(Cycle.SHUFFLE, 52)
    table.see(MUCK, Token(1001))
    assert table.press(Key.COUNT)[-1] == Refuse(Reason.NOT_NOW, "house", "count", "")


def emptied(table):
    """The dealer has taken every card out of it, and said so."""
    table.press(Key.ACK)
    if table.state.memory.pending_kind == "Places":
        taken(table)
        table.meet(caps=Cap.SHUFFLE, machine=0)


def test_when_no_more_card_is_found_the_dealer_says_NO_and_the_whole_deck_goes_in_anew_by_S3(table) -> None:
    filled(table, deck()[:-1])
    assert (table.view.prompt_code, table.view.lit) == ("open", (Key.NO,))
    table.press(Key.NO)
    assert (table.reasons, table.view.prompt_code) == (["recount"], "empty")
    emptied(table)
    table.feed(*deck())
    taken(table)
    assert (table.reasons, table.view.prompt_code) == ([], "seal")


def test_a_card_that_two_whole_reads_miss_is_missing_for_nothing_else_counts_them_by_S3(table) -> None:
    filled(table, deck()[:-1])
    table.press(Key.NO)
    emptied(table)
    table.feed(*deck()[:-1])
    table.press(Key.NO)
    assert (table.reasons, table.state.deck) == (["recount", "card_missing"], 2)


def test_after_a_hand_the_way_is_the_same(table) -> None:
    filled(table, deck())
    taken(table)
    table.press(Key.ACK)
    table.cycle(Cycle.SHUFFLE, 52)
    table.meet(caps=Cap.SHUFFLE, agreed=False, why="content")
    emptied(table)
    table.feed(*deck()[:-1])
    assert (table.view.prompt_code, table.view.lit) == ("gather", (Key.NO,))
    table.press(Key.NO)
    assert table.view.prompt_code == "empty"
