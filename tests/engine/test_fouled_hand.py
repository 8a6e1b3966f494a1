"""1810: a protected hand is not dead by accident unless it cannot be made up completely: the director asks by zones."""

import msgspec
import pytest

from dealerbox.engine.notices import fouled
from dealerbox.model.cards import deck_of
from dealerbox.model.commands import Notice, Refuse
from dealerbox.model.events import HandAsked
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason


def asked(table, seat):
    said = table.tell(lambda at: HandAsked(at, seat, "ann (1000)"))
    return [(type(command), command.reason) for command in said if isinstance(command, Notice | Refuse)]


def held(table, seat):
    return [card for card, record in table.state.out.items() if record.dealt == f"seat:{seat}"]


@pytest.fixture
def betting(table):
    table.holes()
    return table


def test_who_asked_is_told_on_record_and_nothing_changes(betting) -> None:
    before = betting.view
    assert asked(betting, 2) == [(Notice, Reason.FOULED_HAND)]
    assert betting.view == before


@pytest.mark.parametrize("seat", [0, -1, 9, 99])
def test_a_seat_that_has_no_hand_is_refused(betting, seat) -> None:
    assert asked(betting, seat) == [(Refuse, Reason.NOT_NOW)]
    assert (fouled(betting.state, seat).cards, fouled(betting.state, seat).whole) == (0, False)


def test_between_hands_there_is_none_to_make_up(table) -> None:
    table.ready()
    assert asked(table, 2) == [(Refuse, Reason.NOT_NOW)]
    assert not fouled(table.state, 2).whole


def test_a_hand_that_lies_at_its_seat_is_whole(betting) -> None:
    found = fouled(betting.state, 2)
    assert (found.cards, found.lie, found.whole) == (2, ("seat:2", "seat:2"), True)


def test_a_hand_taken_into_the_muck_is_whole_and_retrieved(betting) -> None:
    """The dealer took it in by accident: both cards lie in the pile, each known by its tag."""
    for seat in (3, 2):
        betting.see("muck", *held(betting, seat))
    found = fouled(betting.state, 2)
    assert (found.lie, found.whole) == (("muck", "muck"), True)
    assert "RETRIEVE 2" in found.said
    assert "FIND" in found.said
    betting.press(Key.RETRIEVE, 2)
    assert 2 not in betting.state.dead


def test_a_hand_of_which_a_card_went_into_the_shuffler_cannot_be_made_up(betting) -> None:
    first, _ = held(betting, 2)
    betting.feed(first)
    found = fouled(betting.state, 2)
    assert (found.cards, found.whole) == (2, False)


def test_a_hand_that_was_dealt_one_card_is_none(table) -> None:
    table.begun()
    for _ in range(2):
        table.deal()
    assert (fouled(table.state, 2).cards, fouled(table.state, 2).whole) == (1, False)


def test_no_card_is_named_while_the_hand_is_open(betting) -> None:
    """P4: whoever saw a hand at a showdown must not know a token again."""
    text = msgspec.json.encode(fouled(betting.state, 2)).decode()
    tokens = [str(card) for card in betting.state.out]
    assert tokens
    assert all(deck_of(card) == 1 for card in betting.state.out)
    assert not [token for token in tokens if token in text]


def test_what_was_asked_is_on_record_by_seat_and_a_refusal_by_its_name(betting) -> None:
    betting.press(Key.START)
    (told,) = betting.tell(lambda at: HandAsked(at, 2, "ann"))
    assert (told.reason, told.zone, betting.state.refused) == (Reason.FOULED_HAND, "seat:2", None)
    (refused,) = betting.tell(lambda at: HandAsked(at, 9, "ann"))
    assert (refused.reason, refused.asked) == (Reason.NOT_NOW, "fouled")


def test_one_that_cannot_be_made_up_is_said_to_be_so_1810(betting) -> None:
    card = next(iter(betting.state.out))
    betting.see("infeed", card)
    seat = next(number for number in (1, 2, 3) if not fouled(betting.state, number).whole)
    assert fouled(betting.state, seat).said == "It cannot be made up completely: no card of it may be guessed."
