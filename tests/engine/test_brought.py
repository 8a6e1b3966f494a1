"""A strange tag on the table between hands: taken away, and a clean read of the whole deck (1804A(1), 1824)."""

import pytest

from bench.decided import refused
from bench.narrator import deck
from dealerbox.model import events as ev
from dealerbox.model.cards import Token, cut_card, joker
from dealerbox.model.commands import Hold
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.shuffler import Cycle
from dealerbox.model.zones import ASIDE, BOARD, BURN, MUCK, seat

STRANGER = Token(77)


def read_anew(table) -> None:
    """The machine is emptied, and takes all 52."""
    table.press(Key.ACK)
    while table.state.memory.pending_kind == "Places":
        pending = table.state.memory.pending
        table.tell(lambda at, pending=pending: ev.PlacesSet(at, pending))
    table.feed(*deck(1))
    table.returned(52)


@pytest.mark.parametrize("zone", [BOARD, BURN, MUCK, ASIDE, seat(2)])
def test_a_strange_tag_on_the_table_is_a_recount_once_it_was_read_twice_S5(table, zone) -> None:
    table.ready()
    assert table.see(zone, STRANGER) != ()
    assert table.reasons == []
    (hold,) = [command for command in table.wait(200) if isinstance(command, Hold)]
    assert (hold.reason, hold.clause, hold.zone) == ("recount", "1824", zone)
    assert refused(table.press(Key.START)) == ["recount"]


def test_it_is_taken_away_first_and_then_the_whole_deck_is_read_anew(table) -> None:
    table.ready()
    table.see(BOARD, STRANGER)
    table.wait(200)
    assert table.view.prompt == "Take it away. The deck is then read anew."
    assert refused(table.press(Key.ACK)) == ["not_now"]
    table.lose(BOARD, STRANGER)
    assert table.view.prompt_code == "empty"
    read_anew(table)
    assert table.reasons == []
    table.cycle(Cycle.SHUFFLE, 52)
    table.press(Key.START)
    assert table.view.phase == "dealing"


def test_one_that_lies_there_again_while_the_deck_is_read_makes_that_read_worth_nothing(table) -> None:
    table.ready()
    table.see(BOARD, STRANGER)
    table.wait(200)
    table.lose(BOARD, STRANGER)
    table.press(Key.ACK)
    table.see(MUCK, STRANGER)
    table.wait(200)
    table.lose(MUCK, STRANGER)
    assert table.view.prompt_code == "empty"


def test_a_tag_read_once_and_never_again_is_nothing_S5(table) -> None:
    table.ready()
    table.see(BOARD, STRANGER)
    table.lose(BOARD, STRANGER)
    table.wait(3000)
    table.press(Key.START)
    assert (table.reasons, table.view.phase) == ([], "dealing")


def test_cards_of_the_tables_own_decks_lie_where_they_like_T6(table) -> None:
    table.ready()
    table.see(BOARD, Token(2001), joker(1, 1), cut_card(1), cut_card(2))
    table.wait(3000)
    assert table.reasons == []


def test_a_tag_that_meant_nothing_at_the_showdown_is_a_recount_when_the_hand_is_over(table) -> None:
    table.flop()
    for _ in range(2):
        table.press(Key.NEXT)
        table.deal_street()
    table.see(BOARD, STRANGER)
    table.wait(1000)
    assert table.reasons == []
    table.press(Key.AWARD)
    table.wait(200)
    assert table.reasons == ["recount"]


def test_an_award_taken_back_makes_it_a_card_brought_in_mid_hand_1824(table) -> None:
    table.flop()
    table.press(Key.AWARD)
    table.see(BOARD, STRANGER)
    table.wait(200)
    table.press(Key.UNDO)
    assert table.reasons == ["foreign_card"]
    table.lose(BOARD, STRANGER)
    table.returned(0)
    table.cycle(Cycle.COUNT, table.view.counts["stub"])
    table.press(Key.ACK)
    table.rule(Ruling.STAND)
    assert table.reasons == []


def test_by_hand_the_52_are_shown_again(table) -> None:
    table.ready()
    table.tell(lambda at: ev.DeviceLost(at, "shuffler", "silent"))
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    table.show(*deck(1))
    table.see(BOARD, STRANGER)
    table.wait(200)
    assert table.reasons == ["recount"]
    assert Key.ACK not in table.view.lit
    table.lose(BOARD, STRANGER)
    assert (table.view.prompt_code, table.view.prompt[:4]) == ("gather", "Show")
    table.show(*deck(1))
    table.press(Key.ACK)
    assert table.reasons == []


def test_the_machine_is_not_said_to_be_empty_while_it_takes_cards(table) -> None:
    table.holes()
    table.press(Key.AWARD)
    table.retracted()
    assert table.state.memory.pending_kind == "Return"
    table.see(BOARD, STRANGER)
    table.wait(200)
    table.lose(BOARD, STRANGER)
    assert (table.view.prompt_code, Key.ACK in table.view.lit) == ("empty", False)
    assert refused(table.press(Key.ACK)) == ["not_now"]
    assert table.state.memory.pending_kind == "Return"
