"""A new hand knows nothing of the one before it (H1, T6, H7)."""

import pytest

from bench.decided import refused
from dealerbox.engine.state import State
from dealerbox.model.cards import token
from dealerbox.model.commands import Dispense
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Dispense as Way
from dealerbox.model.setup import House
from dealerbox.model.zones import ASIDE, BOARD, EXIT, INFEED, MUCK, seat

EVENING = {"now_ns", "undo", "wall", "daytime", "counted", "certificate", "tournament", "wakes", "cycle_ns", "up_ns"}
"""Of a state: what passes as time passes, whatever is played."""
COUNTED_ON = {"memory", "hand", "button", "button_seen", "button_since_ns", "plan"}
"""Of a state: what is another one in each hand."""


def of_the_hand(state):
    known = {name: getattr(state, name) for name in set(State.__struct_fields__) - EVENING - COUNTED_ON}
    return known | {"seen": {zone: there for zone, there in state.seen.items() if there}}


def eventful(table) -> None:
    """A hand in which much goes wrong, and is put right."""
    for number in (2, 3):
        table.let_out()
        table.wait(2000)
        table.press(Key.ACK)
        assert table.state.unseen == number - 1
    flashed = table.deal()
    table.press(Key.EXPOSED, 1)
    table.see(ASIDE, flashed)
    holes = table.deal_street()
    table.press(Key.ACTION)
    table.see(MUCK, holes[0])
    table.press(Key.ACK)
    table.press(Key.NEXT)
    table.deal_street()
    table.press(Key.ACTION)
    table.press(Key.NEXT)
    table.deal()
    early = table.deal()
    table.press(Key.PREMATURE)
    table.see(ASIDE, early)
    table.press(Key.ACTION)
    table.see(INFEED, flashed)
    table.see(BOARD, holes[0])
    assert (table.state.waiting, table.state.exposed, table.state.dead != frozenset()) == ((early,), 1, True)


@pytest.mark.parametrize("end", [Key.AWARD, Ruling.VOID_HAND])
def test_after_the_most_eventful_hand_the_next_one_begins_as_the_first(table, end) -> None:
    table.begun()
    first = of_the_hand(table.state)
    eventful(table)
    table.press(end) if end is Key.AWARD else table.rule(end)
    while table.state.memory.pending_kind != "Return":
        table.card_up()
        table.retracted()
    table.home()
    button = 2 if end is Key.AWARD else 1
    table.button(button)
    table.press(Key.START)
    assert (table.state.hand, table.state.button, table.state.memory.pending_kind) == (2, button, "Dispense")
    assert of_the_hand(table.state) == first


def test_the_first_card_of_a_hand_spends_the_shuffle_before_it_S1(table) -> None:
    table.ready()
    shuffle = table.state.shuffled
    (dispense,) = [command for command in table.press(Key.START) if isinstance(command, Dispense)]
    assert (dispense.deal_id, dispense.first, table.state.shuffled) == (shuffle, True, 0)


def test_a_card_that_was_read_somewhere_before_the_hand_means_nothing_in_it_T6(table) -> None:
    table.ready()
    table.see(EXIT, token(1, 5))
    table.press(Key.START)
    table.let_up()
    assert (table.reasons, table.state.memory.pending_kind) == ([], "Release")


def test_what_the_director_set_for_one_hand_is_not_for_the_next_C11(table) -> None:
    table.begun(button=3)
    table.deal_street()
    table.press(Key.AWARD)
    table.home()
    table.button(3)
    assert [c.reason.value for c in table.press(Key.START) if hasattr(c, "asked")] == ["button_wrong"]
    table.button(1)
    table.press(Key.START)
    assert (table.state.button, table.view.expect) == (1, seat(2))


def test_where_the_button_was_let_lie_in_one_hand_it_may_not_lie_in_the_next_1804A3(table) -> None:
    table.begun(button=3)
    table.deal_street()
    table.button(2)
    table.wait(2000)
    table.rule(Ruling.STAND)
    table.press(Key.AWARD)
    table.home()
    table.button(1)
    table.press(Key.START)
    table.button(2)
    table.wait(2000)
    assert table.reasons == ["button_moved"]


def test_NEXT_closes_the_last_round_of_every_hand_1821(make_table) -> None:
    table = make_table(house=House(action_clock_s=60))
    table.ready()
    for button in (1, 2):
        table.button(button)
        table.press(Key.START)
        table.deal_street()
        for _ in range(3):
            table.press(Key.NEXT)
            table.deal_street()
        assert (table.view.phase, Key.NEXT in table.view.lit) == ("showdown", True)
        assert not refused(table.press(Key.NEXT))
        assert refused(table.press(Key.NEXT)) == ["not_now"]
        table.press(Key.AWARD)
        table.home()
        table.dealt = 0


def test_a_hand_that_lives_again_is_not_counted_anew_at_the_flop_1815_1(make_table, given) -> None:
    table = make_table(house=House(dispense=Way.HAND))
    dealt = given(table)
    dealt.holes()
    dealt.lay(seat(2))
    table.press(Key.ACTION)
    table.rule(Ruling.HAND_DEAD, seat=2)
    table.see(MUCK, token(1, 1), token(1, 4))
    table.press(Key.RETRIEVE, 2)
    assert (table.reasons, table.view.folded) == ([], ())
    table.lose(MUCK, token(1, 1), token(1, 4))
    table.see(seat(2), token(1, 1), token(1, 4))
    dealt.street(3)
    table.wait(2000)
    assert (table.reasons, table.view.phase) == ([], "betting")
