"""No burn goes back on top: into a stub that is not as it was, with a card behind it, while held (1812, C8, C15)."""

import pytest

from bench.decided import refused
from bench.narrator import deck
from dealerbox.model.cards import Token, token
from dealerbox.model.events import CommandVoid
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Dispense, House
from dealerbox.model.zones import BOARD, BURN, MUCK, seat

SCAN_MS = 150


@pytest.fixture
def table(make_table):
    return make_table(house=House(dispense=Dispense.HAND))


def refused_to_go_back(table) -> bool:
    counts = table.view.counts
    lit = Key.UNBURN in table.view.lit
    return refused(table.press(Key.UNBURN)) == ["not_now"] and (table.view.counts, lit) == (counts, False)


def test_no_burn_goes_back_once_a_card_was_dealt_behind_it(table, burned) -> None:
    dealt, _ = burned
    dealt.lay(BOARD)
    assert refused(table.press(Key.UNBURN)) == ["not_now"]
    assert Key.UNBURN not in table.view.lit


def test_no_burn_goes_back_into_a_stub_that_was_mixed_since_by_C8(table, given) -> None:
    dealt = given(table)
    dealt.holes()
    dealt.street(3)
    dealt.board_back()
    table.press(Key.CUT)
    assert refused(table.press(Key.UNBURN)) == ["not_now"]


def test_with_the_stub_in_the_shuffler_no_burn_goes_back(make_table) -> None:
    table = make_table()
    table.flop()
    table.press(Key.NEXT)
    table.deal()
    assert refused(table.press(Key.UNBURN)) == ["not_now"]
    assert Key.UNBURN not in [choice.key for choice in table.view.menu]


def test_a_hole_card_is_no_burn(table, given) -> None:
    dealt = given(table)
    dealt.lay(seat(2))
    assert refused(table.press(Key.UNBURN)) == ["not_now"]


def test_nothing_goes_back_on_top_while_something_is_held(table, burned) -> None:
    table.button(3)
    table.wait(2000)
    assert refused(table.press(Key.UNBURN)) == ["not_now"]


def test_a_burn_that_the_director_let_stand_in_the_muck_is_no_burn_to_be_taken_back(table, flop) -> None:
    dealt = flop(table)
    table.press(Key.NEXT)
    dealt.lay(MUCK)
    table.wait(SCAN_MS)
    table.rule(Ruling.STAND)
    assert (table.reasons, table.view.expect) == ([], BOARD)
    assert refused_to_go_back(table)


def by_hand_from_here(table, proved: bool) -> None:
    """The machine is given up; the stub is shown, and its order confirmed where it is `proved`."""
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    table.show(*deck(1)[table.dealt :])
    if proved:
        table.press(Key.ACK)
        assert table.state.manual.proved


@pytest.mark.parametrize("proved", [False, True])
def test_no_burn_goes_back_while_the_card_behind_it_is_on_its_way(make_table, proved) -> None:
    table = make_table()
    table.flop()
    table.press(Key.NEXT)
    table.deal()
    table.let_out()
    by_hand_from_here(table, proved)
    assert refused_to_go_back(table)


@pytest.mark.parametrize("proved", [False, True])
def test_a_burn_of_the_machine_goes_back_on_the_stub_in_the_hand_once_that_is_proved_C15(make_table, proved) -> None:
    table = make_table()
    table.flop()
    table.press(Key.NEXT)
    table.deal()
    number = table.state.memory.pending
    table.tell(lambda at: CommandVoid(at, number, "held"))
    by_hand_from_here(table, proved)
    if proved:
        assert not refused(table.press(Key.UNBURN))
        assert table.view.expect == BURN
    else:
        assert refused_to_go_back(table)


def test_nor_into_a_stub_that_was_shuffled_by_hand_since_C8(table, burned) -> None:
    dealt, _ = burned
    table.press(Key.MANUAL)
    table.show(*dealt.stub)
    table.press(Key.NO)
    assert (table.reasons, table.view.expect) == ([], BOARD)
    assert refused_to_go_back(table)


def test_nor_while_another_card_is_on_its_way_back_into_the_stub_1830_2(table, flop) -> None:
    dealt = flop(table)
    table.press(Key.NEXT)
    dealt.lay(MUCK)
    table.wait(SCAN_MS)
    table.rule(Ruling.STAND)
    (rest,) = (card for card, record in table.state.out.items() if record.at == MUCK)
    table.press(Key.UNDO)
    table.rule(Ruling.TO_STUB, tokens=(rest,))
    assert table.view.prompt_code == "return"
    assert refused_to_go_back(table)


def test_nor_while_a_folded_card_is_on_its_way_back_into_the_stub_1830_2(table, flop) -> None:
    dealt = flop(table)
    folded = token(1, 1), token(1, 4)
    table.see(MUCK, *folded)
    table.press(Key.NEXT)
    dealt.lay(BURN)
    table.rule(Ruling.TO_STUB, tokens=folded[:1])
    assert (table.view.prompt_code, table.view.expect) == ("return", BOARD)
    assert refused_to_go_back(table)


def test_nor_while_what_was_dealt_behind_it_is_not_judged_yet(table, burned) -> None:
    dealt, _ = burned
    table.see(BOARD, Token(17))
    table.see(MUCK, dealt.stub[0])
    assert (table.reasons, len(table.state.early)) == ([], 1)
    assert refused_to_go_back(table)
