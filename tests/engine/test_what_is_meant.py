"""Which card, which seat, which key is meant where nobody names it (H6, C15)."""

from bench.decided import only
from bench.narrator import deck
from dealerbox.model import events as ev
from dealerbox.model.cards import token
from dealerbox.model.commands import Refuse
from dealerbox.model.keys import Key
from dealerbox.model.setup import Dispense, House
from dealerbox.model.zones import BOARD, BURN, MUCK, seat


def test_RETRIEVE_means_the_seat_whose_dead_card_is_back_whatever_else_is_held_H6(make_table) -> None:
    table = make_table(seats=(1, 2, 3, 4))
    cards = table.flop()
    for number in (2, 3):
        table.see(MUCK, cards[number - 2], cards[number + 2])
    table.lose(MUCK, cards[0])
    table.see(seat(4), cards[0])
    table.lose(BOARD, cards[-1])
    table.see(seat(2), cards[-1])
    table.wait(2000)
    table.press(Key.NEXT)
    table.let_up()
    assert table.reasons == ["dead_card_back", "card_strayed"]
    assert not only(table.press(Key.RETRIEVE), Refuse)
    assert table.view.folded == (3,)


def test_a_hand_that_lives_again_and_of_which_one_card_is_folded_anew_is_dead_with_both_H6(table) -> None:
    holes = table.flop()
    table.see(MUCK, holes[0], holes[3])
    table.press(Key.RETRIEVE)
    assert (table.view.folded, table.state.out[holes[3]].home) == ((), seat(2))
    table.lose(MUCK, holes[0])
    table.see(MUCK, holes[0])
    assert table.view.prompt_code == "half_muck"
    table.press(Key.ACK)
    assert (table.view.folded, table.state.out[holes[3]].home) == ((2,), MUCK)


def test_ACTION_is_not_taken_back_once_NEXT_let_the_burn_stand(make_table, flop) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = flop(table)
    dealt.lay(BURN)
    table.press(Key.ACTION)
    table.press(Key.NEXT)
    (refused,) = only(table.press(Key.UNDO), Refuse)
    assert (refused.reason, table.state.acted, table.view.expect) == ("not_now", True, BOARD)


def test_a_strange_card_among_those_that_are_shown_by_hand_has_the_dealer_look_again_once_all_are_shown_C15(
    table,
) -> None:
    table.ready()
    table.tell(lambda at: ev.DeviceLost(at, "shuffler", "dead"))
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    table.show(token(2, 9), *deck(1)[:51])
    assert table.view.prompt_code == "gather"
    table.show(token(1, 52))
    assert table.view.prompt_code == "manual_empty"
