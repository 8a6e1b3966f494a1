"""Another deck is opened as the first was: nothing of the one before it counts for it (1804A(1), S1, S3, S4)."""

import pytest

from bench.decided import refused
from dealerbox.model import events as ev
from dealerbox.model.cards import Token, token
from dealerbox.model.commands import Notice, Refuse
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.shuffler import Cycle
from dealerbox.model.zones import INFEED


def cards(slot, first=1):
    return [token(slot, number) for number in range(first, 53)]


def told(commands):
    return [command.reason.value for command in commands if isinstance(command, Notice)]


def emptied(table) -> None:
    """The dealer has taken every card out of the machine, looked, and said so."""
    assert table.view.prompt_code == "empty"
    table.press(Key.ACK)
    number = table.state.memory.pending
    if table.state.memory.pending_kind == "Places":
        table.tell(lambda at: ev.PlacesSet(at, number))
        table.meet()


def read(table, *deck) -> list[str]:
    """The machine takes these in, and no more come."""
    before = len(table.log)
    table.feed(*deck)
    table.returned(len(deck))
    if len(deck) < 52:
        table.returned(0)
        table.press(Key.NO)
    return told(command for _, commands in table.log[before:] for command in commands)


@pytest.fixture
def counted(table):
    """A deck shuffled, and counted by the machine; the dealer has not confirmed it."""
    table.ready()
    table.press(Key.COUNT)
    table.cycle(Cycle.COUNT, 52)
    assert (table.state.count_read, table.state.shuffled > 0) == (True, True)
    return table


def test_neither_shuffle_nor_count_nor_seal_of_the_deck_before_is_the_next_ones(counted) -> None:
    counted.press(Key.DECK)
    assert (counted.state.shuffled, counted.state.count_read, counted.state.sealed) == (0, False, False)
    emptied(counted)
    read(counted, *cards(2))
    assert counted.view.prompt_code == "seal"
    counted.press(Key.ACK)
    assert counted.state.memory.pending_kind == "Shuffle"
    counted.cycle(Cycle.SHUFFLE, 52)
    assert (counted.state.sealed, counted.view.prompt_code) == (True, "start")


def test_a_hand_played_with_the_deck_before_is_not_open_again(table) -> None:
    holes = table.holes()
    table.press(Key.AWARD)
    table.home()
    assert holes
    table.press(Key.DECK)
    assert refused(table.press(Key.UNDO)) == ["not_now"]


def test_pots_stand_when_a_deck_that_was_played_lacks_a_card_and_none_are_spoken_of_for_one_that_was_not_1819(
    table,
) -> None:
    table.ready()
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    emptied(table)
    assert "pot_stands" not in read(table, *cards(1, first=2))
    emptied(table)
    assert read(table, *cards(1, first=2))[-1:] == ["pot_stands"]
    assert (table.reasons[-1], table.state.deck) == ("card_missing", 2)
    emptied(table)
    first = read(table, *cards(2, first=2))
    emptied(table)
    assert (first, read(table, *cards(2, first=2))) == ([], [])
    assert (table.state.deck, table.state.out) == (0, {})


def test_a_deck_doubted_before_a_restart_goes_out_after_the_hand_S4(table) -> None:
    table.holes()
    table.press(Key.SUSPECT)
    table.started()
    assert [deck.suspect for deck in table.state.decks] == [True, False]
    table.meet(machine=46)
    table.press(Key.ACK)
    table.press(Key.AWARD)
    assert ([deck.status.value for deck in table.state.decks], table.state.deck) == (["quarantined", "new"], 2)


def test_decks_that_are_brought_end_what_the_panel_says_of_a_refusal_before(table) -> None:
    table.opened()
    table.press(Key.UNDO)
    assert table.state.refused is not None
    table.tell(lambda at: ev.DecksEnrolled(at, table.setup.decks, "ann"))
    assert table.state.refused is None


# A closed table takes no used deck again (C13).


def opened_again(table) -> None:
    table.rule(Ruling.CLOSE)
    table.started()
    table.meet(machine=0)
    emptied(table)


def test_a_table_that_opens_again_opens_a_deck_that_was_not_in_play_C13(table) -> None:
    table.ready()
    opened_again(table)
    assert [deck.status.value for deck in table.state.decks] == ["used", "new"]
    assert (table.state.deck, table.state.sealed, table.view.phase) == (2, False, "opening")


def test_with_both_used_it_opens_none_and_asks_for_a_new_set_1804B8(table) -> None:
    table.ready()
    opened_again(table)
    read(table, *cards(2))
    table.press(Key.ACK)
    table.cycle(Cycle.SHUFFLE, 52)
    table.rule(Ruling.CLOSE)
    table.started()
    table.meet(machine=0)
    table.button(1)
    assert (table.state.deck, refused(table.press(Key.START))) == (0, ["new_set_required"])
    (told,) = [command for command in table.press(Key.DECK) if isinstance(command, Refuse)]
    assert (told.reason, told.asked) == ("new_set_required", "deck")


@pytest.mark.parametrize(("stranger", "reason"), [(Token(17), "deck_not_enrolled"), (token(1, 3), "deck_used")])
def test_a_deck_that_may_not_be_opened_is_refused_at_the_infeed_1804A1(table, stranger, reason) -> None:
    table.ready()
    opened_again(table)
    (told,) = [command for command in table.see(INFEED, stranger) if isinstance(command, Refuse)]
    assert (told.reason, told.asked, told.zone) == (reason, "verify", INFEED)
