"""1819: what becomes of the pot, of the chips of those who knew, and of pots won before, the deck being defective."""

import pytest

from bench.narrator import deck
from dealerbox.model.cards import Token, joker
from dealerbox.model.commands import Notice
from dealerbox.model.events import PlacesSet
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.shuffler import Cycle, Result

POTS = [Reason.POT_STANDS, Reason.POT_RETURNED, Reason.POT_FORFEITED]


def pots(commands):
    return [c.reason for c in commands if isinstance(c, Notice) and c.clause == "1819"]


def shown(table):
    return [notice.reason for notice in table.view.notices]


def a_joker_comes_up(table):
    table.press(Key.NEXT)
    table.card_up()
    table.see("exit", joker(1, 1))
    table.wait(500)
    assert "defective_deck" in table.reasons


@pytest.fixture
def defective(table):
    table.holes()
    a_joker_comes_up(table)
    return table


def test_the_panel_says_that_the_chips_go_back_and_whose_do_not(defective) -> None:
    assert "chips go back as contributed" in defective.view.prompt
    assert "who knew" in defective.view.prompt


def test_the_void_pot_goes_back_who_knew_forfeits_and_earlier_pots_stand(defective) -> None:
    assert pots(defective.press(Key.ACK)) == POTS
    assert shown(defective) == POTS
    assert all(notice.clause == "1819" and notice.remedy for notice in defective.view.notices)


@pytest.mark.parametrize("how", ["void_hand", "award"])
def test_however_the_hand_ends_it_is_told(defective, how) -> None:
    ended = defective.rule(Ruling.VOID_HAND) if how == "void_hand" else defective.press(Key(how))
    assert pots(ended) == POTS


def test_of_a_whole_deck_nothing_is_told(table) -> None:
    table.holes()
    assert pots(table.rule(Ruling.VOID_HAND)) == []
    assert shown(table) == []


def test_an_undone_award_tells_nothing_of_a_hand_that_is_open_again(defective) -> None:
    defective.press(Key.AWARD)
    defective.press(Key.UNDO)
    assert defective.view.street
    assert shown(defective) == []


def emptied(table):
    """Every card is taken away, out of the machine too, which takes the dealer's word for it."""
    table.retracted()
    for zone, there in table.state.seen.items():
        if there:
            table.lose(zone, *there)
    table.press(Key.ACK)
    number = table.state.memory.pending
    table.tell(lambda at: PlacesSet(at, number))


def missing_twice(table, card: Token):
    """After a pot the count and the tags say twice that one card is missing (S3)."""
    said = ()
    for _ in range(2):
        if table.view.prompt_code == "empty":
            emptied(table)
        table.retracted()
        table.feed(*(c for c in table.state.out if c != card))
        said += table.cycle(Cycle.RETURN, 51 - table.state.memory.machine, Result.WRONG_NUMBER)
        said += table.press(Key.NO)
    return said


def test_a_card_that_is_missing_after_the_award_leaves_the_pot_with_its_winner(table) -> None:
    holes = table.holes()
    table.press(Key.AWARD)
    said = missing_twice(table, holes[0])
    assert "card_missing" in table.reasons
    assert pots(said) == [Reason.POT_STANDS]
    assert shown(table) == [Reason.POT_STANDS]


def test_of_a_deck_that_was_never_in_play_no_pot_is_told(table) -> None:
    table.started()
    table.meet()
    said = missing_twice(table, Token(1007))
    assert "card_missing" in table.reasons
    assert pots(said) == []


def test_it_is_told_until_the_next_hand(defective) -> None:
    table = defective
    table.press(Key.ACK)
    emptied(table)
    table.feed(*deck(2))
    table.cycle(Cycle.RETURN, 52)
    table.press(Key.ACK)
    table.cycle(Cycle.SHUFFLE, 52)
    table.button(1)
    assert shown(table) == POTS
    assert table.view.prompt_code == "start"
    table.press(Key.START)
    assert table.view.street == "preflop"
    assert shown(table) == []
