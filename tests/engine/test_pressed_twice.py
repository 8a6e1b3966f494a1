"""A key pressed twice in a row, by a tired dealer: it does no second thing that nobody wanted."""

import pytest

from bench.decided import only
from dealerbox.engine.state import DeckStatus
from dealerbox.model.cards import Token
from dealerbox.model.commands import Refuse
from dealerbox.model.events import DeviceLost, ShufflerLocked
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Dispense, House
from dealerbox.model.zones import BOARD, BURN, MUCK, seat

NOT_NOW = ["not_now"]


def why(commands) -> list[str]:
    return [told.reason.value for told in only(commands, Refuse)]


@pytest.mark.parametrize("key", [Key.DECK, Key.SUSPECT])
def test_the_deck_that_comes_next_is_not_worn_out_with_the_one_before_C13(table, key) -> None:
    table.ready()
    assert why(table.press(key)) == []
    assert why(table.press(key)) == NOT_NOW
    assert (table.state.deck, table.state.decks[1].status) == (2, DeckStatus.NEW)


def test_a_new_deck_is_doubted_once_the_one_before_is_out_of_the_shuffler_S4(table) -> None:
    table.ready()
    table.press(Key.DECK)
    table.press(Key.ACK)
    assert why(table.press(Key.SUSPECT)) == []
    assert table.state.decks[1].status is DeckStatus.QUARANTINED


def test_NO_to_cards_that_are_shown_by_hand_is_no_second_whole_read_S3(table) -> None:
    table.holes()
    table.tell(lambda at: DeviceLost(at, "shuffler", "silent"))
    table.press(Key.AWARD)
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    cards = [Token(1000 + number) for number in range(1, 53)]
    table.show(*cards[:51])
    assert why(table.press(Key.NO)) == []
    assert ("recount" in table.reasons, Key.NO in table.view.lit) == (True, False)
    for _ in range(3):
        assert why(table.press(Key.NO)) == NOT_NOW
    assert table.state.decks[0].status is DeckStatus.IN_PLAY
    table.show(*cards[:51])
    assert why(table.press(Key.NO)) == []
    assert table.state.decks[0].status is DeckStatus.QUARANTINED


@pytest.mark.parametrize("burn", [True, False])
def test_PREMATURE_takes_no_second_street_back_1811_2(table, burn) -> None:
    table.flop()
    table.press(Key.NEXT)
    table.deal()
    if not burn:
        table.deal()
    assert why(table.press(Key.PREMATURE)) == []
    holds, street = table.state.holds, table.state.street
    assert why(table.press(Key.PREMATURE)) == NOT_NOW
    assert (table.state.holds, table.state.street) == (holds, street)
    assert sum(record.home == BOARD for record in table.state.out.values()) == 3


@pytest.mark.parametrize("key", [Key.EXPOSED, Key.OFF_TABLE, Key.FACED])
def test_a_card_on_its_way_dies_once_and_one_more_card_is_dealt_for_it_1811_1(table, key) -> None:
    table.begun()
    table.deal()
    table.let_out()
    owed = len(table.state.plan)
    assert why(table.press(key)) == []
    assert why(table.press(key)) == NOT_NOW
    assert len(table.state.plan) == owed + 1
    assert [step.zone for step in table.state.plan].count(seat(3)) == 2


def test_a_card_at_the_exit_lies_face_up_once_1820(table) -> None:
    table.begun()
    table.let_up()
    table.tell(lambda at: ShufflerLocked(at, "door"))
    table.press(Key.FACED)
    owed = len(table.state.plan)
    table.press(Key.FACED)
    assert len(table.state.plan) == owed


def test_MANUAL_says_of_no_machine_that_it_is_empty_before_the_dealer_has_looked_S2(table) -> None:
    table.ready()
    table.meet(agreed=False, why="content")
    assert why(table.press(Key.MANUAL)) == []
    assert table.view.prompt_code == "manual_empty"
    assert why(table.press(Key.MANUAL)) == NOT_NOW
    assert (table.view.prompt_code, table.pending) == ("manual_empty", "")
    table.press(Key.ACK)
    assert why(table.press(Key.MANUAL)) == []
    assert table.pending == "Places"


def test_PREMATURE_where_the_panel_asks_takes_no_second_street_back_and_UNDO_asks_again_1811_2(
    make_table, flop
) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = flop(table)
    dealt.lay(BURN)
    before, asked = table.state, table.view
    assert why(table.press(Key.PREMATURE)) == []
    holds, street = table.state.holds, table.state.street
    assert why(table.press(Key.PREMATURE)) == NOT_NOW
    assert (table.state.holds, table.state.street) == (holds, street)
    assert "UNDO PREMATURE" in [choice.words for choice in table.view.menu]
    assert why(table.press(Key.UNDO)) == []
    assert (table.view.prompt, table.reasons, table.state.plan) == (asked.prompt, ["round_open"], before.plan)
    assert why(table.press(Key.NEXT)) == []
    assert (table.reasons, table.view.expect) == ([], BOARD)


def test_MANUAL_lets_the_hand_go_on_and_asks_for_no_showing_of_the_stub_C15(make_table, flop) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    flop(table)
    table.tell(lambda at: DeviceLost(at, "shuffler", "silent"))
    assert why(table.press(Key.MANUAL)) == []
    assert why(table.press(Key.MANUAL)) == NOT_NOW
    assert (table.reasons, table.view.prompt_code) == ([], "round")
    table.wait(1000)
    assert why(table.press(Key.MANUAL)) == []
    assert table.view.prompt_code == "manual_show"


def test_RETRIEVE_without_a_seat_brings_one_hand_back_until_a_card_moves_H6(table) -> None:
    cards = table.holes()
    table.see(MUCK, cards[1], cards[4])
    table.see(MUCK, cards[0])
    assert table.view.prompt_code == "half_muck"
    assert why(table.press(Key.RETRIEVE)) == []
    for _ in range(2):
        assert why(table.press(Key.RETRIEVE)) == NOT_NOW
        table.wait(3000)
    assert table.view.folded == (3,)
    table.see(seat(2), cards[0])
    assert why(table.press(Key.RETRIEVE)) == []
    assert table.view.folded == ()


def test_RETRIEVE_answers_for_the_next_hand_that_is_asked_about_H6(table) -> None:
    cards = table.holes()
    table.see(MUCK, cards[0])
    table.see(MUCK, cards[1])
    assert why(table.press(Key.RETRIEVE)) == []
    assert table.view.prompt_code == "half_muck"
    assert why(table.press(Key.RETRIEVE)) == []
    assert (table.view.prompt_code, table.state.strays) == ("round", (cards[0], cards[1]))


def test_PREMATURE_may_be_said_again_once_the_director_has_let_the_street_stand_C14(table) -> None:
    table.flop()
    table.press(Key.ACTION)
    for _ in range(2):
        assert why(table.press(Key.PREMATURE)) == []
        assert table.reasons == ["premature_late"]
        assert why(table.press(Key.PREMATURE)) == NOT_NOW
        table.rule(Ruling.STAND)
        assert (table.reasons, Key.UNDO in table.view.lit) == ([], False)
