"""Each question says in words what the dealer is to do, and names the keys that answer it and no other."""

import re

import pytest

from bench.narrator import deck
from dealerbox.model import events as ev
from dealerbox.model.cards import token
from dealerbox.model.keys import Key
from dealerbox.model.setup import Dispense, House
from dealerbox.model.shuffler import Cycle
from dealerbox.model.zones import BURN, EXIT, MUCK, seat


def void(table) -> None:
    table.begun()
    table.card_up()
    table.see(EXIT, token(2, 9))
    table.wait(1000)


def door_opened(table) -> None:
    table.holes()
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))


def not_known(table) -> None:
    door_opened(table)
    table.meet(machine=-1, agreed=False, why="content")


def proved(table) -> None:
    door_opened(table)
    table.meet(machine=46)
    table.cycle(Cycle.COUNT, 46)


def to_cut(table) -> None:
    proved(table)
    table.press(Key.ACK)
    table.cycle(Cycle.SHUFFLE, 46)


def started_anew(table) -> None:
    table.holes()
    table.started()
    table.meet(machine=46)


def asked_whether_acted(table) -> None:
    holes = table.holes()
    table.lose(seat(2), holes[0])
    table.see(MUCK, holes[0])
    table.press(Key.MISDEAL)


def nothing_came_in(table) -> None:
    table.holes()
    table.press(Key.AWARD)
    table.returned(0)


def read_whole(table) -> None:
    table.started()
    table.meet()
    table.feed(*deck(1))
    table.returned(52)


def counted(table) -> None:
    table.ready()
    table.press(Key.COUNT)
    table.cycle(Cycle.COUNT, 52)


def shown_whole(table) -> None:
    table.holes()
    table.tell(lambda at: ev.DeviceLost(at, "shuffler", "silent"))
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    table.press(Key.AWARD)
    table.show(*deck(1))


def silent_up(table) -> None:
    table.card_up()
    table.wait(3000)


def silent_first(table) -> None:
    table.begun()
    silent_up(table)


def silent_dealt(table) -> None:
    silent_up(table)
    table.press(Key.ACK)
    release, exit_id = table.state.memory.pending, table.state.memory.exit_id
    table.tell(lambda at: ev.CardPassed(at, release, exit_id))
    table.wait(3000)
    table.press(Key.ACK)


def silent_flashed(table) -> None:
    table.begun()
    silent_dealt(table)
    table.press(Key.EXPOSED, 2)


def silent_on_the_board(table) -> None:
    table.holes()
    table.press(Key.NEXT)
    table.deal()
    silent_dealt(table)
    board = [table.deal(), table.deal()]
    table.press(Key.PREMATURE)
    table.feed(*board)


ASKED = {
    "defective": (void, ("void", "chips go back as contributed"), {Key.ACK}),
    "manual_shuffled": (shown_whole, ("Shuffle", "by hand", "cut"), {Key.ACK}),
    "places": (not_known, ("every card", "not on the table", "in the shuffler"), {Key.ACK}),
    "proof": (proved, ("count is right", "go on"), {Key.ACK}),
    "restarted": (started_anew, ("agrees", "Look at the table"), {Key.ACK}),
    "acted": (asked_whether_acted, ("in the muck", "has that player acted?"), {Key.ACK, Key.NO}),
    "feed": (nothing_came_in, ("Feed the missing cards in", "none can be found"), {Key.ACK, Key.NO}),
    "seal": (read_whole, ("52 cards read", "seal whole", "backs alike"), {Key.ACK, Key.NO}),
    "counted": (counted, ("52 cards counted", "confirm"), {Key.ACK}),
    "cut": (to_cut, ("Cut the stub",), {Key.CUT}),
    "unread": (silent_first, ("at the exit", "dealt unread", "shuffled and cut"), {Key.ACK, Key.NO}),
    "silent_aside": (silent_flashed, ("dead card aside", "cannot be read"), {Key.ACK}),
    "silent_back": (silent_on_the_board, ("cannot be read", "back into the stub"), {Key.ACK}),
}
"""Code -> how it comes to it, what the words are about, and what may be pressed."""


def keys_named(said: str) -> set[str]:
    return set(re.findall(r"\b[A-Z]{2,}\b", said))


@pytest.mark.parametrize("code", ASKED)
def test_a_question_says_what_to_do_and_names_the_keys_that_answer_it(table, code) -> None:
    brought, about, keys = ASKED[code]
    brought(table)
    assert table.view.prompt_code == code
    assert [words for words in about if words not in table.view.prompt] == []
    assert keys_named(table.view.prompt) == {key.upper() for key in keys}
    assert keys <= set(table.view.lit)


@pytest.fixture
def by_hand(make_table):
    return make_table(house=House(dispense=Dispense.HAND))


def test_a_shuffler_that_should_be_empty_is_looked_into_S2(by_hand, flop) -> None:
    flop(by_hand)
    by_hand.tell(lambda at: ev.DeviceLost(at, "shuffler", "silent"))
    by_hand.meet(machine=-1, agreed=False, why="content")
    assert by_hand.view.prompt_code == "looked"
    assert by_hand.view.prompt.startswith("Look into the shuffler.")
    assert keys_named(by_hand.view.prompt) == {"ACK"}


def test_the_second_burn_is_put_back_before_the_first_one_is_burned_again_1812(make_table, flop) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = flop(table)
    table.press(Key.NEXT)
    (first,) = dealt.lay(BURN)
    table.press(Key.UNBURN)
    table.lose(BURN, first)
    second = dealt.stub.pop(0)
    table.see(BURN, second)
    table.wait(200)
    table.see(BURN, first)
    table.lose(BURN, second)
    assert table.view.prompt_code == "on_top"
    assert "back on top of the stub" in table.view.prompt
    assert keys_named(table.view.prompt) == {"ACK"}


# What FIND says of what was shown.


def test_FIND_says_of_what_is_shown_whether_it_is_looked_for_and_asks_for_the_next_1810(table) -> None:
    cards = table.holes()
    table.see(MUCK, cards[0], cards[3], cards[1], cards[4])
    table.lose(MUCK, cards[0], cards[3], cards[1], cards[4])
    table.press(Key.RETRIEVE, 2)
    table.press(Key.FIND)
    said = {}
    for shown in ((), (cards[1],), (cards[0], cards[1]), (cards[0],)):
        table.see(BURN, *shown)
        said[table.view.prompt_code] = table.view.prompt
        table.lose(BURN, *shown)
    assert "singly" in said["find"]
    assert keys_named(said["find"]) == {"NO"}
    assert said["find_no"].startswith("NO, ")
    assert "Put it back" in said["find_no"]
    assert "show the next" in said["find_no"]
    assert said["find_many"].startswith("Show one card at a time")
    assert said["find_yes"].startswith("YES, ")
    assert "where it belongs" in said["find_yes"]


# What is asked for although a hold stands: a deck is taken out and shown whatever else is held.


def asked_under_a_hold(table) -> list[str]:
    """A reader is away; return what is asked, and what is held."""
    table.tell(lambda at: ev.DeviceLost(at, "feig-1", "cable"))
    return [table.view.prompt_code, *table.reasons]


def test_the_deck_that_the_shuffler_gives_is_taken_out_while_a_reader_is_away_C4(make_table, opened) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    opened(table)
    assert asked_under_a_hold(table) == ["given", "device_lost"]


def test_by_hand_the_stub_is_taken_out_and_shown_while_a_reader_is_away_C15(table, brought_to) -> None:
    brought_to(table, "by_hand")
    assert asked_under_a_hold(table) == ["manual_empty", "device_lost"]
    table.press(Key.ACK)
    assert table.view.prompt_code == "manual_show"
    table.show(*[card for card in deck(1) if card not in table.state.out])
    assert table.view.prompt_code == "manual_order"


def test_missing_cards_are_fed_in_while_a_reader_is_away_H7(table) -> None:
    nothing_came_in(table)
    assert asked_under_a_hold(table) == ["feed", "device_lost"]
