"""1811(2) with nine players, card by card: stub, burns and board, and what comes too late (C6-C8)."""

import pytest

from dealerbox.model import events as ev
from dealerbox.model.commands import Dispense, Notice
from dealerbox.model.keys import Key
from dealerbox.model.setup import Dispense as By
from dealerbox.model.setup import House
from dealerbox.model.shuffler import Cycle, Result
from dealerbox.model.zones import ASIDE, BOARD, BURN, seat

NINE = tuple(range(1, 10))


@pytest.fixture
def table(make_table):
    """The hole cards of nine players are dealt; 34 cards are in the stub."""
    table = make_table(seats=NINE)
    table.holes()
    assert stub(table) == 34
    return table


def stub(table) -> int:
    return table.view.counts["stub"]


def board(table):
    return [card for card, record in table.state.out.items() if record.at == BOARD]


def street(table, *left: int) -> list:
    """The round is played and complete; the street's cards: the stub has so many after each."""
    table.press(Key.ACTION)
    table.press(Key.NEXT)
    cards = []
    for number in left:
        cards.append(table.deal())
        assert stub(table) == number
    return cards


def back(table, *cards) -> None:
    """The machine takes the cards in, and the one that it was bringing up, and shuffles; the dealer cuts."""
    if table.state.memory.pending_kind == "Dispense":
        table.card_up()
        table.retracted()
    table.feed(*cards)
    table.returned(len(cards))
    assert table.state.memory.pending_kind == "Shuffle"
    table.cycle(Cycle.SHUFFLE, stub(table))
    table.press(Key.CUT)


def too_soon(table, card) -> None:
    """PREMATURE about the board card dealt last, which goes aside."""
    table.press(Key.PREMATURE)
    table.lose(BOARD, card)
    table.see(ASIDE, card)
    assert (table.reasons, table.view.phase) == ([], "betting")


def does_not_do(table, card) -> None:
    """Another board card goes aside and comes back: it is not the turn that is asked for."""
    table.lose(BOARD, card)
    table.see(ASIDE, card)
    assert table.reasons == ["premature_turn"]
    table.lose(ASIDE, card)
    table.see(BOARD, card)


def dealt_anew(table) -> None:
    """After the fourth street's card is back: burn and card are dealt again from 27."""
    assert stub(table) == 27
    assert [stub(table) for _ in range(2) if table.deal()] == [26, 25]


def ends(table, burns, left) -> None:
    assert (table.view.phase, table.view.counts[BOARD], table.view.burns, stub(table)) == ("showdown", 5, burns, left)
    assert table.reasons == []


def test_a_lawful_hand(table) -> None:
    street(table, 33, 32, 31, 30)
    street(table, 29, 28)
    street(table, 27, 26)
    ends(table, burns=3, left=26)


@pytest.mark.parametrize("out", [1, 2, 3])
def test_a_flop_too_soon_with_any_card_of_it_out_goes_back_and_comes_again_without_a_burn_C8(table, out) -> None:
    street(table, *(33, 32, 31, 30)[: 1 + out])
    table.press(Key.PREMATURE)
    assert table.reasons == ["premature_flop"]
    back(table, *board(table))
    assert (table.reasons, table.view.street, stub(table)) == ([], "preflop", 33)
    street(table, 32, 31, 30)
    street(table, 29, 28)
    street(table, 27, 26)
    ends(table, burns=3, left=26)


def test_a_turn_too_soon_C6(table) -> None:
    street(table, 33, 32, 31, 30)
    _, early = street(table, 29, 28)
    too_soon(table, early)
    street(table, 27, 26)
    table.press(Key.NEXT)
    back(table, early)
    dealt_anew(table)
    ends(table, burns=4, left=25)


def test_a_river_too_soon_C7(table) -> None:
    street(table, 33, 32, 31, 30)
    street(table, 29, 28)
    _, early = street(table, 27, 26)
    too_soon(table, early)
    table.press(Key.NEXT)
    back(table, early)
    dealt_anew(table)
    ends(table, burns=4, left=25)


def test_a_turn_and_then_a_river_too_soon_by_key_the_first_goes_back_before_the_second_comes_C6_C7(table) -> None:
    street(table, 33, 32, 31, 30)
    _, turn = street(table, 29, 28)
    too_soon(table, turn)
    street(table, 27, 26)
    table.press(Key.NEXT)
    back(table, turn)
    dealt_anew(table)
    river = board(table)[-1]
    too_soon(table, river)
    table.press(Key.NEXT)
    back(table, river)
    assert stub(table) == 26
    assert [stub(table) for _ in range(2) if table.deal()] == [25, 24]
    ends(table, burns=5, left=24)


# A card on its way.


def test_with_a_board_card_on_its_way_the_flop_is_out_C8(table) -> None:
    street(table, 33, 32)
    table.let_out()
    table.press(Key.PREMATURE)
    (held,) = table.state.holds
    assert (held.reason, held.clause, held.zone, table.view.phase) == ("premature_flop", "1811(2)", BOARD, "dealing")
    card = table.cards[max(table.cards)]
    table.see(BOARD, card)
    assert (table.view.phase, table.view.street, len(table.state.returning)) == ("betting", "preflop", 2)


def test_with_the_burn_on_its_way_only_the_burn_is_out_1812(table) -> None:
    street(table, 33, 32, 31, 30)
    table.press(Key.NEXT)
    burn = table.let_out()
    (told,) = [command for command in table.press(Key.PREMATURE) if isinstance(command, Notice)]
    assert (told.reason, told.clause, told.zone) == ("premature_burn", "1812", BURN)
    table.see(BURN, burn)
    assert (table.reasons, table.view.phase, table.view.street) == ([], "betting", "flop")
    assert not table.state.released


@pytest.mark.parametrize(("streets", "reason"), [(0, "premature_flop"), (1, "premature_turn"), (2, "premature_river")])
def test_with_a_board_card_that_had_its_permit_and_was_not_let_out_only_the_burn_is_out_1812(
    table, streets, reason
) -> None:
    for left in ((33, 32, 31, 30), (29, 28))[:streets]:
        street(table, *left)
    table.press(Key.ACTION)
    table.press(Key.NEXT)
    table.deal()
    lying, inside = len(board(table)), stub(table)
    card = table.let_up()
    table.press(Key.PREMATURE)
    assert table.reasons == [reason]
    release = table.state.memory.pending
    told = table.tell(lambda at: ev.CommandVoid(at, release, "held"))
    assert [(command.reason, command.zone) for command in told if isinstance(command, Notice)] == [
        ("premature_burn", BURN)
    ]
    assert (table.reasons, table.view.phase, stub(table)) == ([], "betting", inside)
    assert (len(board(table)), table.state.waiting, table.state.returning) == (lying, (), frozenset())
    table.press(Key.NEXT)
    assert table.state.released.token == card


def test_another_board_card_laid_aside_is_not_the_turn_that_came_too_soon_1811_2(table) -> None:
    flop = street(table, 33, 32, 31, 30)[1:]
    _, early = street(table, 29, 28)
    table.press(Key.PREMATURE)
    does_not_do(table, flop[0])
    table.lose(BOARD, early)
    table.see(ASIDE, early)
    assert (table.reasons, table.view.phase, table.view.counts[BOARD]) == ([], "betting", 3)


def test_a_turn_called_premature_on_its_way_may_go_aside_at_once_and_no_other_card_does_for_it_1811_2(table) -> None:
    flop = street(table, 33, 32, 31, 30)[1:]
    street(table, 29)
    early = table.let_out()
    table.press(Key.PREMATURE)
    does_not_do(table, flop[0])
    table.see(ASIDE, early)
    assert (table.reasons, table.view.phase, table.state.waiting) == ([], "betting", (early,))
    assert {table.state.out[card].home for card in flop} == {BOARD}
    street(table, 27, 26)
    table.press(Key.NEXT)
    back(table, early)
    dealt_anew(table)
    ends(table, burns=4, left=25)


# By hand: seen, not said.


@pytest.fixture
def dealt(make_table, flop):
    table = make_table(house=House(dispense=By.HAND))
    return table, flop(table)


def test_a_fourth_card_with_the_flop_after_action_is_the_directors_1830_2(dealt) -> None:
    table, hand = dealt
    table.press(Key.ACTION)
    (card,) = hand.lay(BOARD)
    (held,) = table.state.holds
    assert (held.reason, held.clause, held.zone, held.token) == ("premature_late", "1811(2)", BOARD, card)
    assert (table.view.phase, table.view.street) == ("betting", "flop")


def test_a_fourth_card_with_the_flop_before_any_action_is_held_at_the_board_1811_2(dealt) -> None:
    table, hand = dealt
    hand.lay(BOARD)
    (held,) = table.state.holds
    assert (held.reason, held.clause, held.zone) == ("too_many_flop", "1811(2)", BOARD)
    assert len(table.state.returning) == 4


def seen_too_soon(table, hand, *, answer) -> list:
    """Burn and board card lie there while the round is open: what the panel asks is answered."""
    hand.lay(BURN)
    cards = hand.lay(BOARD)
    table.press(answer)
    table.lose(BOARD, *cards)
    table.see(ASIDE, *cards)
    assert (table.reasons, table.view.phase) == ([], "betting")
    return cards


def test_a_turn_and_then_a_river_too_soon_by_sight_both_go_back_together_C6_C7(dealt) -> None:
    table, hand = dealt
    (turn,) = seen_too_soon(table, hand, answer=Key.PREMATURE)
    hand.street(1)
    assert (table.view.street, table.view.burns, stub(table)) == ("turn", 3, 52 - 6 - 4 - 2 - 2)
    (river,) = seen_too_soon(table, hand, answer=Key.PREMATURE)
    assert (table.view.street, table.view.burns, table.state.waiting) == ("turn", 4, (turn, river))
    table.press(Key.NEXT)
    for card in (turn, river):
        table.lose(ASIDE, card)
        table.see(BURN, card)
        table.lose(BURN, card)
    assert table.view.prompt_code == "cut"
    table.press(Key.CUT)
    hand.lay(BURN)
    hand.lay(BOARD)
    table.wait(1000)
    ends(table, burns=5, left=52 - 6 - 5 - 5)


def test_a_card_that_crosses_the_burns_while_others_go_back_is_not_one_of_them(dealt) -> None:
    table, _ = dealt
    holes = [card for card, record in table.state.out.items() if record.at == seat(2)]
    table.press(Key.PREMATURE)
    table.see(BURN, holes[0])
    assert (len(table.state.returning), holes[0] in table.state.out) == (3, True)


def test_no_card_comes_while_the_machine_still_shuffles_what_went_back_C16(table) -> None:
    street(table, 33, 32, 31, 30)
    table.press(Key.PREMATURE)
    table.feed(*board(table))
    table.returned(3)
    assert table.view.prompt_code != "cut"
    table.press(Key.NEXT)
    number = table.state.memory.pending
    told = table.tell(lambda at: ev.CycleEnded(at, number, Cycle.SHUFFLE, Result.DONE, stub(table)))
    assert not [command for command in told if isinstance(command, Dispense)]
