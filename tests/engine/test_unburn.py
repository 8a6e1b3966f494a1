"""UNBURN: a burn that came when no card could follow goes back on top and is the next to be burned (1812, H4)."""

import pytest

from dealerbox.model.commands import Clear
from dealerbox.model.events import KeyPressed
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Dispense, House
from dealerbox.model.zones import BOARD, BURN, MUCK

SCAN_MS = 150


@pytest.fixture
def table(make_table):
    return make_table(house=House(dispense=Dispense.HAND))


def taken_up(table, dealt, card) -> None:
    table.press(Key.UNBURN)
    table.lose(BURN, card)
    dealt.stub.insert(0, card)


def other_burned(table, burned):
    """The burn went back on top, and another card is burned than that."""
    dealt, card = burned
    taken_up(table, dealt, card)
    other = dealt.stub.pop(1)
    table.see(BURN, other)
    table.wait(SCAN_MS)
    return dealt, card, other


def test_a_burn_goes_back_on_top_and_its_step_is_owed_again_under_1812(table, burned) -> None:
    dealt, card = burned
    assert Key.UNBURN in table.view.lit
    before = table.view.counts
    taken_up(table, dealt, card)
    assert (table.view.expect, table.view.counts["burn"], table.view.burns) == (BURN, before["burn"] - 1, 1)
    assert table.view.counts["stub"] == before["stub"] + 1
    assert "went back on top" in table.view.prompt
    dealt.lay(BURN)
    dealt.lay(BOARD)
    table.wait(1000)
    assert (table.reasons, table.view.phase, table.view.burns) == ([], "betting", 2)


def test_another_card_burned_after_that_is_held_under_1812_and_the_first_one_ends_it_H4(table, burned) -> None:
    dealt, _card, other = other_burned(table, burned)
    assert table.reasons == ["unburn_other"]
    table.lose(BURN, other)
    dealt.stub.insert(1, other)
    dealt.lay(BURN)
    table.wait(1000)
    assert (table.reasons, table.view.expect, table.view.burns) == ([], BOARD, 2)
    assert other not in table.state.out
    dealt.lay(BOARD)
    table.wait(1000)
    assert table.reasons == []


def test_the_first_one_laid_upon_the_other_leaves_it_to_the_dealer_to_say_that_it_is_on_top(table, burned) -> None:
    _dealt, card, other = other_burned(table, burned)
    table.see(BURN, card)
    assert (table.reasons, Key.ACK in table.view.lit) == (["unburn_other"], False)
    table.lose(BURN, other)
    assert table.view.prompt_code == "on_top"
    table.press(Key.ACK)
    assert (table.reasons, table.view.expect, other in table.state.out) == ([], BOARD, False)


def test_the_director_lets_the_other_burn_stand_by_1830_2(table, burned) -> None:
    dealt, card = burned
    taken_up(table, dealt, card)
    table.see(BURN, dealt.stub.pop(1))
    table.wait(SCAN_MS)
    table.rule(Ruling.STAND)
    assert (table.reasons, table.view.expect, table.view.burns) == ([], BOARD, 2)
    table.see(BOARD, card)
    assert (table.reasons, table.view.phase) == ([], "betting")


def test_the_director_sends_the_other_burn_back_and_after_shuffle_and_cut_any_card_is_burned(table, burned) -> None:
    dealt, _card, other = other_burned(table, burned)
    table.rule(Ruling.TO_STUB)
    table.lose(BURN, other)
    table.see(BURN, other)
    table.lose(BURN, other)
    table.press(Key.CUT)
    dealt.lay(BURN)
    assert (table.reasons, table.view.expect) == ([], BOARD)


def test_of_two_cards_burned_in_one_scan_the_first_one_is_the_burn_and_the_other_one_too_many(table, burned) -> None:
    dealt, card = burned
    taken_up(table, dealt, card)
    other = dealt.stub[1]
    table.see(BURN, other, card)
    table.wait(2 * SCAN_MS)
    assert table.reasons == ["burn_extra"]
    assert table.state.released.token == other


def test_a_premature_burn_goes_back_on_top_while_the_round_goes_on(table, burned) -> None:
    dealt, card = burned
    table.press(Key.PREMATURE)
    assert (table.view.phase, Key.UNBURN in table.view.lit) == ("betting", True)
    taken_up(table, dealt, card)
    assert (table.view.phase, table.view.street) == ("betting", "flop")
    table.press(Key.NEXT)
    assert table.view.expect == BURN
    dealt.lay(BURN)
    dealt.lay(BOARD)
    table.wait(1000)
    assert (table.reasons, table.view.burns) == ([], 2)


def test_a_burn_about_which_the_panel_asks_goes_back_and_the_round_is_open(table, flop) -> None:
    dealt = flop(table)
    (card,) = dealt.lay(BURN)
    assert table.reasons == ["round_open"]
    taken_up(table, dealt, card)
    assert (table.reasons, table.view.phase, table.view.street, table.view.burns) == ([], "betting", "flop", 1)


@pytest.mark.parametrize(("by", "person"), [("sight", 0), ("word", 17)])
def test_who_ended_it_is_the_readers_or_the_dealer_H4(table, burned, by, person) -> None:
    dealt, card = burned
    taken_up(table, dealt, card)
    assert table.state.plan[0].street == "turn"
    other = dealt.stub.pop(1)
    table.see(BURN, other)
    table.wait(SCAN_MS)
    if by == "sight":
        table.lose(BURN, other)
        told = table.see(BURN, card)
    else:
        table.see(BURN, card)
        table.lose(BURN, other)
        told = table.tell(lambda at: KeyPressed(at, Key.ACK, badge="17"))
    assert [command.person for command in told if isinstance(command, Clear)] == [person]
    assert (other in table.state.out, table.state.strays) == (False, ())


# Where it lay.


def test_a_burn_that_strayed_before_it_went_back_is_not_missed_when_the_turn_comes(table, burned) -> None:
    dealt, card = burned
    table.lose(BURN, card)
    table.see(MUCK, card)
    table.press(Key.UNBURN)
    table.lose(MUCK, card)
    dealt.stub.insert(0, card)
    assert table.state.strays == ()
    dealt.lay(BURN)
    dealt.lay(BOARD)
    table.wait(2000)
    assert (table.reasons, table.view.phase) == ([], "betting")


def test_the_other_card_that_strayed_before_it_went_back_is_not_missed_either(table, burned) -> None:
    dealt, _card, other = other_burned(table, burned)
    table.lose(BURN, other)
    table.see(MUCK, other)
    table.lose(MUCK, other)
    dealt.stub.insert(1, other)
    dealt.lay(BURN)
    assert (table.state.strays, other in table.state.out) == ((), False)
    dealt.lay(BOARD)
    table.wait(2000)
    assert (table.reasons, table.view.phase) == ([], "betting")


def test_said_to_be_on_top_again_it_is_astray_no_more_wherever_it_lay_meanwhile(table, burned) -> None:
    _dealt, card, other = other_burned(table, burned)
    table.see(BURN, card)
    table.lose(BURN, other)
    table.see(MUCK, other)
    assert table.state.strays == (other,)
    table.lose(MUCK, other)
    assert table.view.prompt_code == "on_top"
    table.press(Key.ACK)
    assert (table.reasons, table.state.strays, other in table.state.out) == ([], (), False)
