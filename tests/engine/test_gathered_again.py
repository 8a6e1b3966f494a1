"""Between hands: what a closed table, a found card, a machine that is full again and one that is given up change."""

from bench.decided import only, refused
from bench.narrator import deck
from dealerbox.model import events as ev
from dealerbox.model.commands import Permit, Places
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.shuffler import Cycle


def by_hand(table) -> None:
    """The machine is lost; every card is shown and the deck is shuffled by hand."""
    table.tell(lambda at: ev.DeviceLost(at, "shuffler", "dead"))
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    table.show(*deck(1))
    table.press(Key.ACK)


def test_a_closed_table_asks_nothing_of_its_machine(table) -> None:
    table.ready()
    table.rule(Ruling.CLOSE)
    assert only(table.meet(machine=0), Permit) == []


def test_a_search_between_hands_ends_when_every_card_is_back_H7(table) -> None:
    table.holes()
    table.press(Key.AWARD)
    table.press(Key.FIND)
    assert table.view.prompt_code == "find"
    table.feed(*tuple(table.state.out))
    assert (table.state.search, table.view.prompt_code == "find") == (None, False)


def test_a_machine_that_was_opened_while_it_took_the_deck_back_and_has_all_52_is_not_emptied_again_S2(table) -> None:
    table.ready()
    table.tell(lambda at: ev.DeviceLost(at, "shuffler", "dead"))
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    table.meet(machine=0)
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    table.meet(machine=0)
    table.feed(*deck(1))
    table.returned(52)
    table.cycle(Cycle.SHUFFLE, 52)
    assert (table.state.manual, table.state.empty_owed, table.view.prompt_code) == (None, False, "start")


def test_a_deck_that_was_shuffled_by_hand_is_not_shuffled_any_more_once_it_goes_into_the_machine_S1(table) -> None:
    table.ready()
    by_hand(table)
    assert table.state.shuffled == -1
    table.meet(machine=-1, agreed=False, why="content")
    assert only(table.press(Key.MANUAL), Places)
    assert table.state.shuffled == 0


def test_a_count_that_nobody_confirmed_before_the_machine_was_given_up_is_none_C2(table) -> None:
    table.ready()
    table.press(Key.COUNT)
    table.cycle(Cycle.COUNT, 52)
    assert table.view.prompt_code == "counted"
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    assert table.state.count_read is False


def test_a_deck_of_which_the_machine_counted_fewer_than_were_read_is_not_asked_to_be_confirmed_S3(table) -> None:
    table.started()
    table.meet()
    table.feed(*deck(1))
    table.returned(51)
    assert table.view.prompt_code != "seal"


def test_with_no_deck_left_an_overdue_count_is_a_count_and_no_new_set_C1(table) -> None:
    table.ready()
    table.press(Key.DECK)
    table.press(Key.ACK)
    table.tell(lambda at: ev.PlacesSet(at, table.state.memory.pending))
    table.meet()
    table.feed(*deck(2))
    table.returned(52)
    table.press(Key.ACK)
    table.cycle(Cycle.SHUFFLE, 52)
    table.wait(31 * 60_000)
    assert refused(table.press(Key.START)) == ["count_overdue"]
