"""How a search ends: what lies at the burns then lies there, and once (1812)."""

import pytest

from bench.decided import refused
from dealerbox.engine.find import looked_for
from dealerbox.model.cards import Token, token
from dealerbox.model.events import DeviceLost
from dealerbox.model.keys import Key
from dealerbox.model.zones import BURN, MUCK, seat


@pytest.fixture
def mixed(table):
    """The flop's burn and a folded hand lie in the muck; return the fold."""
    cards = table.flop()
    burn, fold = cards[6], (cards[0], cards[3])
    for card in fold:
        table.lose(seat(2), card)
    table.see(MUCK, *fold)
    table.lose(BURN, burn)
    table.see(MUCK, burn)
    table.wait(3000)
    table.press(Key.NEXT)
    table.let_up()
    assert table.reasons == ["burn_in_muck"]
    table.lose(MUCK, *fold, burn)
    return fold


def test_a_stranger_at_the_burns_hides_no_card_that_lies_there_when_the_search_ends(table, mixed) -> None:
    table.press(Key.FIND)
    table.see(BURN, Token(2001))
    table.see(BURN, mixed[0])
    table.press(Key.NO)
    assert (table.state.search, table.state.out[mixed[0]].at) == (None, BURN)


def test_a_retrieved_card_left_at_the_burns_is_astray_once(table, mixed) -> None:
    table.press(Key.RETRIEVE, 2)
    table.press(Key.FIND)
    table.see(BURN, mixed[0])
    table.press(Key.NO)
    assert (table.state.out[mixed[0]].at, table.state.out[mixed[0]].home) == (BURN, seat(2))
    assert table.state.strays.count(mixed[0]) == 1


def test_by_hand_between_hands_every_card_is_shown_and_none_looked_for_C15(table) -> None:
    table.ready()
    table.tell(lambda at: DeviceLost(at, "shuffler", "dead"))
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    table.see(BURN, token(1, 1))
    table.lose(BURN, token(1, 1))
    assert len(table.state.out) == 51
    assert looked_for(table.state) == frozenset()
    assert refused(table.press(Key.FIND)) == ["not_now"]
