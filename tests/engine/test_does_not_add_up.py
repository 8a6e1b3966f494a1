"""What a deck that does not add up costs, whatever was counted and shuffled before (S1, S3)."""

import pytest

from dealerbox.engine.witnesses import does_not_add_up, stranger_lies
from dealerbox.model.cards import Token, token
from dealerbox.model.events import DeviceLost
from dealerbox.model.keys import Key
from dealerbox.model.zones import BOARD, BURN


def shuffled_and_counted(state):
    state.shuffled, state.count_read = 7, True
    return state


def by_machine(table) -> None:
    table.ready()


def by_hand(table) -> None:
    table.ready()
    table.tell(lambda at: DeviceLost(at, "shuffler", "dead"))
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    for number in range(1, 53):
        table.see(BURN, token(1, number))
        table.lose(BURN, token(1, number))
    table.press(Key.ACK)


def numbers_disagree(state):
    return does_not_add_up(state)


def stranger_is_seen(state):
    return stranger_lies(state, BOARD, Token(17))


@pytest.mark.parametrize("why", [numbers_disagree, stranger_is_seen])
def test_by_hand_the_shuffle_is_worth_nothing_and_each_card_is_shown_anew_C15(table, why) -> None:
    by_hand(table)
    state = why(shuffled_and_counted(table.state))
    assert (state.shuffled, state.count_read, len(state.out)) == (0, False, 52)


@pytest.mark.parametrize("why", [numbers_disagree, stranger_is_seen])
def test_by_machine_the_shuffle_is_worth_nothing_and_the_machine_is_emptied_S2(table, why) -> None:
    by_machine(table)
    state = why(shuffled_and_counted(table.state))
    assert (state.shuffled, state.empty_owed) == (0, True)


def test_while_the_machine_is_to_be_emptied_that_machine_is_what_the_recount_is_of(table) -> None:
    by_machine(table)
    table.state.empty_owed = True
    state = does_not_add_up(table.state)
    assert [(held.reason, held.clause, held.device) for held in state.holds] == [("recount", "1804A(1)", "shuffler")]
    assert state.reading is None
