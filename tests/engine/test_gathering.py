"""The deck comes back into the machine, or is taken out of it: what is asked, and what is final (S2, S3)."""

import pytest

from bench.decided import only
from bench.narrator import deck
from dealerbox.model import events as ev
from dealerbox.model.cards import token
from dealerbox.model.commands import Places, Refuse, Return
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import DeckInfo
from dealerbox.model.shuffler import Cycle

SETTLING_MS = 1500


def refused(commands):
    return [(c.reason.value, c.asked) for c in only(commands, Refuse)]


@pytest.fixture
def filled(table):
    """The machine counted 52 cards, of which 51 were read at the infeed."""
    table.started()
    table.meet()
    table.feed(*deck(1)[:51])
    table.returned(52)
    return table


def test_a_card_not_read_may_be_read_still_until_the_settling_time_is_over_S3(filled) -> None:
    filled.wait(SETTLING_MS - 1)
    assert filled.reasons == []
    filled.wait(1)
    assert filled.reasons == ["recount"]


def test_one_that_is_read_in_time_makes_the_deck_whole(filled) -> None:
    filled.feed(token(1, 52))
    filled.wait(SETTLING_MS)
    assert (filled.reasons, filled.view.prompt_code) == ([], "seal")


def said_empty(table):
    """The dealer has looked: the machine takes the word, and is met again."""
    told = table.press(Key.ACK)
    for places in only(told, Places):
        assert (places.machine, places.exit_id) == (0, 0)
        table.tell(lambda at, number=places.id: ev.PlacesSet(at, number))
    return table.meet()


def test_a_machine_said_to_be_empty_takes_in_the_whole_deck_though_it_had_waited_for_a_card_S2(table) -> None:
    table.holes()
    table.press(Key.AWARD)
    table.returned(0)
    assert table.view.prompt_code == "feed"
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    assert table.view.prompt_code == "empty"
    (taken,) = only(said_empty(table), Return)
    assert taken.expect == 52


def emptied(table) -> None:
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    table.returned(0)
    said_empty(table)


def closed(table) -> None:
    table.rule(Ruling.CLOSE)


@pytest.mark.parametrize("then", [emptied, closed])
def test_the_hand_before_is_not_open_again_once_the_machine_was_emptied_or_the_table_closed(table, then) -> None:
    table.holes()
    table.press(Key.AWARD)
    then(table)
    assert refused(table.press(Key.UNDO)) == [("not_now", "undo")]


def test_nor_once_the_deck_is_shown_by_hand_to_be_counted_C15(table) -> None:
    table.holes()
    table.tell(lambda at: ev.DeviceLost(at, "shuffler", "dead"))
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    table.show(*deck(1)[6:])
    table.press(Key.ACK)
    table.press(Key.AWARD)
    assert table.state.undo is not None
    table.press(Key.COUNT)
    assert refused(table.press(Key.UNDO)) == [("not_now", "undo")]


def test_a_count_that_nobody_confirmed_is_none_any_more_when_the_machine_was_opened(table) -> None:
    table.ready()
    table.press(Key.COUNT)
    table.cycle(Cycle.COUNT, 52)
    assert table.view.prompt_code == "counted"
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    said_empty(table)
    table.feed(*deck(1))
    table.returned(52)
    table.cycle(Cycle.SHUFFLE, 52)
    assert table.view.prompt_code != "counted"


def test_two_decks_with_one_back_are_not_verified_and_it_is_said_by_its_name_1804B6(make_table) -> None:
    table = make_table()
    decks = tuple(DeckInfo(slot=slot, name=name, back="Red ") for slot, name in ((1, "first"), (2, "second")))
    table.setup = type(table.setup)(table="7", seats=(1, 2), decks=decks)
    table.started()
    table.meet()
    table.feed(*deck(1))
    table.returned(52)
    assert refused(table.press(Key.ACK)) == [("decks_alike", "verify")]


def test_a_deck_that_the_dealer_says_is_not_new_is_out_and_it_is_said_by_its_name_1804A1(table) -> None:
    table.started()
    table.meet()
    table.feed(*deck(1))
    table.returned(52)
    assert refused(table.press(Key.NO)) == [("deck_not_new", "verify")]
    assert table.state.deck == 2
