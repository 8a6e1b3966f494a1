"""UNBURN: a burn that came when no card could follow goes back on top and is the next to be burned (1812, H4)."""

import pytest

from bench.decided import refused
from dealerbox.model.cards import Token, token
from dealerbox.model.commands import Clear
from dealerbox.model.events import CommandVoid, KeyPressed
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Dispense, House
from dealerbox.model.zones import BOARD, BURN, MUCK, seat

SCAN_MS = 150


@pytest.fixture
def table(make_table):
    return make_table(house=House(dispense=Dispense.HAND))


@pytest.fixture
def burned(table, flop):
    """The turn's burn lies there, and the turn has not come."""
    dealt = flop(table)
    table.press(Key.NEXT)
    (card,) = dealt.lay(BURN)
    return dealt, card


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


def test_no_burn_goes_back_once_a_card_was_dealt_behind_it(table, burned) -> None:
    dealt, _ = burned
    dealt.lay(BOARD)
    assert refused(table.press(Key.UNBURN)) == ["not_now"]
    assert Key.UNBURN not in table.view.lit


def test_no_burn_goes_back_into_a_stub_that_was_mixed_since_by_C8(table, given) -> None:
    dealt = given(table)
    dealt.holes()
    dealt.street(3)
    cards = [card for card, record in table.state.out.items() if record.at == BOARD]
    table.press(Key.PREMATURE)
    for card in cards:
        table.lose(BOARD, card)
        table.see(BURN, card)
        table.lose(BURN, card)
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


def test_nothing_goes_back_on_top_while_something_is_held(table, burned) -> None:
    table.button(3)
    table.wait(2000)
    assert refused(table.press(Key.UNBURN)) == ["not_now"]


# What does not go back.


def refused_to_go_back(table) -> bool:
    counts = table.view.counts
    lit = Key.UNBURN in table.view.lit
    return refused(table.press(Key.UNBURN)) == ["not_now"] and (table.view.counts, lit) == (counts, False)


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
    for number in range(table.dealt + 1, 53):
        table.see(BURN, token(1, number))
        table.lose(BURN, token(1, number))
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
    for card in dealt.stub:
        table.see(BURN, card)
        table.lose(BURN, card)
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


def test_nor_while_what_was_dealt_behind_it_is_not_judged_yet(table, burned) -> None:
    dealt, _ = burned
    table.see(BOARD, Token(17))
    table.see(MUCK, dealt.stub[0])
    assert (table.reasons, len(table.state.early)) == ([], 1)
    assert refused_to_go_back(table)


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


def test_nor_while_a_folded_card_is_on_its_way_back_into_the_stub_1830_2(table, flop) -> None:
    dealt = flop(table)
    folded = token(1, 1), token(1, 4)
    table.see(MUCK, *folded)
    table.press(Key.NEXT)
    dealt.lay(BURN)
    table.rule(Ruling.TO_STUB, tokens=folded[:1])
    assert (table.view.prompt_code, table.view.expect) == ("return", BOARD)
    assert refused_to_go_back(table)


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
