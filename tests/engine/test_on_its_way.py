"""The card on its way: judged once wherever it lies, alone or of a group, and asked for until it is seen (C10)."""

import pytest

from dealerbox.engine.state import Card
from dealerbox.model import events as ev
from dealerbox.model.commands import Hold
from dealerbox.model.keys import Key
from dealerbox.model.setup import Dispense, House
from dealerbox.model.zones import BOARD, BURN, MUCK, seat

SETTLING_MS = 1500


def held(table):
    return [(h.reason.value, h.zone, h.to, h.token) for h in table.state.holds]


@pytest.fixture
def on_its_way(table):
    table.begun()
    return table.let_out()


def test_laid_wrong_and_wrong_again_it_is_held_once_and_lies_where_it_was_seen_last(table, on_its_way) -> None:
    table.see(seat(3), on_its_way)
    told = table.see(BOARD, on_its_way)
    assert not [command for command in told if isinstance(command, Hold)]
    assert held(table) == [("wrong_seat", seat(3), seat(2), on_its_way)]
    assert table.state.out[on_its_way] == Card(BOARD, seat(2))


def test_what_else_is_held_hides_no_card_laid_wrong(table, on_its_way) -> None:
    table.button(3)
    table.wait(SETTLING_MS - 100)
    table.see(MUCK, on_its_way)
    table.wait(200)
    assert sorted(row[0] for row in held(table)) == ["button_moved", "wrong_zone"]


def test_seen_wrong_after_it_was_asked_for_it_is_not_asked_for_any_more(table, on_its_way) -> None:
    table.wait(2 * SETTLING_MS)
    assert table.view.prompt_code == "unseen"
    table.see(seat(3), on_its_way)
    assert (table.view.prompt_code, table.state.released.unseen) == ("held", False)
    assert table.state.released.token == on_its_way


def test_where_the_house_wants_a_ruling_it_lies_where_it_belongs_and_stays_held_C10(make_table) -> None:
    table = make_table(house=House(correct_misplaced=False))
    table.begun()
    card = table.let_out()
    table.see(seat(3), card)
    table.see(seat(2), card)
    assert (table.state.out[card], table.reasons) == (Card(seat(2), seat(2)), ["wrong_seat"])


def test_no_card_of_a_lawful_hand_is_a_persons_word(table) -> None:
    cards = table.flop()
    assert [table.state.out[card].inferred for card in cards] == [False] * len(cards)


# After UNBURN (1812).


def test_another_card_that_came_to_the_burns_by_way_of_the_board_is_held_as_another_burn(make_table, flop) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = flop(table)
    table.press(Key.NEXT)
    (card,) = dealt.lay(BURN)
    table.press(Key.UNBURN)
    table.lose(BURN, card)
    other = dealt.stub[1]
    table.see(BOARD, other)
    table.wait(1000)
    assert held(table) == [("burn_missing", BOARD, BURN, other)]
    table.button(3)
    table.wait(2 * SETTLING_MS)
    table.see(BURN, other)
    assert held(table) == [("button_moved", seat(3), seat(1), 0), ("unburn_other", BURN, "", other)]
    assert table.state.out[other] == Card(BURN, BURN)


# Of a group (1809).


@pytest.fixture
def group(make_table):
    table = make_table(house=House(dispense=Dispense.GROUP))
    table.begun()
    return table, table.let_out()


def test_of_a_group_whose_second_card_was_not_taken_the_first_is_on_its_way_and_the_second_owed(group) -> None:
    table, first = group
    table.let_up()
    release, exit_id = table.state.memory.pending, table.state.memory.exit_id
    table.tell(lambda at: ev.CardNotTaken(at, release, exit_id))
    second = table.let_out()
    assert [one.token for one in table.state.along] == [first]
    table.see(seat(2), first, second)
    assert (table.reasons, table.view.expect) == ([], seat(3))


@pytest.mark.parametrize("wrong", [0, 1])
def test_of_a_group_each_card_is_judged_where_it_lies(group, wrong) -> None:
    table, first = group
    second = table.let_out()
    cards = [first, second]
    table.see(seat(3), cards[wrong])
    assert held(table) == [("wrong_seat", seat(3), seat(2), cards[wrong])]
    table.see(seat(2), cards[1 - wrong])
    assert (len(held(table)), table.state.released.token) == (1, cards[wrong])
    table.see(seat(2), cards[wrong])
    assert (held(table), table.view.expect) == ([], seat(3))


def test_both_laid_wrong_are_held_each_and_end_each(group) -> None:
    table, first = group
    second = table.let_out()
    table.see(seat(3), first, second)
    assert [row[3] for row in held(table)] == [first, second]
    table.see(seat(2), second)
    assert [row[3] for row in held(table)] == [first]


# Two to each seat (1815(1)).


def test_a_seat_that_was_dealt_none_or_one_is_held_by_seat_and_card_1815_1(table) -> None:
    table.begun()
    first = table.deal()
    table.state.plan = tuple(step for step in table.state.plan if step.zone not in (seat(2), seat(3)))
    table.deal_street()
    assert held(table) == [("too_few_cards", seat(2), "", first), ("too_few_cards", seat(3), "", 0)]
