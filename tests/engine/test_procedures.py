"""Premature streets (1811(2)), cards dead as they are dealt (1811(1)), cards that go back to the stub."""

from copy import copy

import pytest
from msgspec.structs import replace

from dealerbox.engine.procedures import too_many
from dealerbox.engine.state import Manual
from dealerbox.model.cards import Token
from dealerbox.model.commands import Dispense, Notice, Refuse, Release
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import House, Replacement
from dealerbox.model.shuffler import Cycle
from dealerbox.model.zones import ASIDE, BOARD, BURN, seat


def kinds(commands) -> list[str]:
    return [type(command).__name__ for command in commands]


def stub(table) -> int:
    return table.view.counts["stub"]


def board(table) -> list[Token]:
    return [card for card, record in table.state.out.items() if record.at == BOARD]


def taken_back(table, *cards: Token) -> None:
    """The cards go in at the infeed, the stub is shuffled, the dealer cuts."""
    assert table.state.memory.pending_kind == "Return"
    table.feed(*cards)
    table.returned(len(cards))
    assert table.state.memory.pending_kind == "Shuffle"
    table.cycle(Cycle.SHUFFLE, stub(table))
    assert table.view.prompt_code == "cut"
    table.press(Key.CUT)


def test_a_premature_flop_goes_back_and_three_new_cards_come_with_no_burn_by_1811_2_C8(table) -> None:
    table.flop()
    before = stub(table)
    table.press(Key.PREMATURE)
    assert table.reasons == ["premature_flop"]
    taken_back(table, *board(table))
    assert (table.reasons, stub(table), table.view.phase, table.view.burns) == ([], before + 3, "betting", 1)
    table.press(Key.NEXT)
    assert table.view.expect == BOARD
    table.deal_street()
    assert (table.view.phase, table.view.street, stub(table)) == ("betting", "flop", before)


def test_a_premature_turn_waits_aside_and_is_the_stubs_before_the_river_by_1811_2_C6(table) -> None:
    table.flop()
    table.press(Key.NEXT)
    table.deal()
    early = table.deal()
    table.press(Key.PREMATURE)
    assert table.reasons == ["premature_turn"]
    table.see(ASIDE, early)
    assert (table.reasons, table.view.phase, table.view.street) == ([], "betting", "flop")
    table.press(Key.NEXT)
    table.deal()
    table.deal()
    assert (table.view.street, table.view.counts[BOARD], table.view.burns) == ("turn", 4, 3)
    before = stub(table)
    assert Dispense not in map(type, table.press(Key.NEXT))
    assert table.view.prompt_code == "return"
    taken_back(table, early)
    assert stub(table) == before + 1
    table.deal()
    table.deal()
    assert (table.view.phase, table.view.counts[BOARD], table.view.burns, stub(table)) == ("showdown", 5, 4, before - 1)


def test_a_street_is_too_late_to_be_called_premature_after_action_on_it_by_1811_2(table) -> None:
    table.flop()
    table.press(Key.ACTION)
    table.press(Key.PREMATURE)
    assert table.reasons == ["premature_late"]
    table.rule(Ruling.STAND)
    assert (table.reasons, table.view.phase) == ([], "betting")


def test_the_director_sends_a_street_back_that_players_have_acted_on_by_1830_2(table) -> None:
    table.flop()
    table.press(Key.ACTION)
    table.press(Key.PREMATURE)
    table.rule(Ruling.TO_STUB)
    taken_back(table, *board(table))
    assert (table.reasons, table.view.phase, table.view.expect) == ([], "dealing", BOARD)
    table.deal_street()
    assert (table.view.phase, table.view.counts[BOARD]) == ("betting", 3)


def test_premature_is_taken_back_until_a_card_moves(table) -> None:
    table.flop()
    table.press(Key.PREMATURE)
    assert Key.UNDO in table.view.lit
    table.press(Key.UNDO)
    assert (table.reasons, table.view.phase, table.view.street) == ([], "betting", "flop")
    assert not table.state.returning


@pytest.mark.parametrize(("when", "expect"), [(Replacement.AFTER_DEAL, seat(3)), (Replacement.AT_ONCE, seat(2))])
def test_a_flashed_hole_card_is_dead_and_replaced_as_the_house_has_it_by_1811_1_C9(make_table, when, expect) -> None:
    table = make_table(house=House(exposed_replacement=when))
    table.begun()
    card = table.deal()
    table.press(Key.EXPOSED, 2)
    assert (table.reasons, table.view.holds[0].to) == (["exposed_card"], ASIDE)
    table.see(ASIDE, card)
    assert (table.reasons, table.view.expect) == ([], expect)
    table.deal_street()
    assert [table.view.counts[seat(number)] for number in (1, 2, 3)] == [2, 2, 2]
    assert stub(table) == 52 - 7


def test_a_card_face_up_in_the_deck_is_dead_and_the_next_one_takes_its_step_by_1820(table) -> None:
    table.begun()
    card = table.let_out()
    table.press(Key.FACED)
    assert (table.view.expect, table.view.prompt_code) == (ASIDE, "aside")
    table.see(ASIDE, card)
    assert table.view.expect == seat(2)


def test_a_seat_with_three_cards_holds_until_its_hand_is_dead_by_1815_1(table) -> None:
    table.begun()
    for _ in range(5):
        table.deal()
    card = table.let_out()
    table.see(seat(2), card)
    table.rule(Ruling.STAND)
    table.deal_street()
    assert table.reasons == ["too_many_cards"]
    table.press(Key.ACTION)
    table.rule(Ruling.HAND_DEAD, seat=2)
    assert (table.reasons, table.view.folded) == ([], (2,))


def test_nothing_is_let_out_before_the_stub_is_shuffled_and_cut_by_C16(table) -> None:
    table.flop()
    table.press(Key.PREMATURE)
    cards = board(table)
    table.feed(*cards)
    table.returned(3)
    table.press(Key.NEXT)
    told = [*table.cycle(Cycle.SHUFFLE, stub(table)), *table.wait(5000)]
    assert not {Dispense, Release} & set(map(type, told))
    assert kinds(table.press(Key.CUT)) == ["Dispense"]


def test_a_premature_river_waits_aside_until_the_turns_round_is_complete_by_C7(table) -> None:
    table.flop()
    for _ in range(2):
        table.press(Key.NEXT)
        table.deal_street()
    early = board(table)[-1]
    before = stub(table)
    table.press(Key.PREMATURE)
    assert table.reasons == ["premature_river"]
    table.see(ASIDE, early)
    assert (table.reasons, table.view.phase, table.view.street) == ([], "betting", "turn")
    table.press(Key.NEXT)
    taken_back(table, early)
    assert (stub(table), table.view.expect) == (before + 1, BURN)
    table.deal_street()
    assert (table.view.phase, table.view.counts[BOARD], table.view.burns, stub(table)) == ("showdown", 5, 4, before - 1)


def test_a_premature_burn_stays_and_the_round_is_open_again_by_1812(table) -> None:
    """PREMATURE_BURN: goes on, and no second card is burned for that street."""
    table.holes()
    table.press(Key.NEXT)
    table.deal()
    told = table.press(Key.PREMATURE)
    assert [(command.reason.value, command.zone) for command in told if type(command) is Notice] == [
        ("premature_burn", BURN)
    ]
    assert (table.reasons, table.view.phase, table.view.street) == ([], "betting", "preflop")
    table.press(Key.NEXT)
    assert table.view.expect == BOARD
    table.deal_street()
    assert (table.view.burns, table.view.counts[BOARD]) == (1, 3)


def test_a_card_off_the_table_is_dead_until_action_by_1811_1(table) -> None:
    """OFF_TABLE: dead, aside, replaced; after ACTION it is the player's and stays live."""
    card = table.holes()[0]
    table.press(Key.OFF_TABLE, 2)
    assert table.reasons == ["off_table"]
    table.see(ASIDE, card)
    assert (table.reasons, table.view.phase, table.view.expect) == ([], "dealing", seat(2))
    table.deal_street()
    table.press(Key.ACTION)
    told = table.press(Key.OFF_TABLE, 2)
    assert [command.reason.value for command in told if type(command) is Refuse] == ["not_now"]


def test_a_card_face_up_behind_the_gate_is_let_out_to_lie_aside_by_1820(table) -> None:
    """FACED_CARD at the exit: it takes no step, the next card does."""
    table.begun()
    table.card_up()
    told = table.press(Key.FACED)
    assert [command.reason.value for command in told if type(command) is Notice] == ["faced_card"]
    assert table.view.expect == ASIDE


def test_a_seat_with_one_card_holds_when_the_deal_is_done_by_1815_1(table) -> None:
    """TOO_FEW_CARDS: whatever lost a step of the plan, a seat with one card is told before anybody acts."""
    table.begun()
    for _ in range(4):
        table.deal()
    plan = tuple(step for step in table.state.plan if step.zone != seat(1))
    table.state = replace(table.state, plan=plan)
    table.deal_street()
    assert (table.reasons, table.view.holds[0].zone) == (["too_few_cards"], seat(1))
    table.press(Key.ACTION)
    table.rule(Ruling.HAND_DEAD, seat=1)
    assert table.reasons == []


def test_four_cards_for_the_flop_go_back_into_the_stub_by_hand_by_C8(make_table) -> None:
    """TOO_MANY_FLOP: one burn so far and no ACTION since; the stub is in the dealer's hand."""
    table = make_table()
    table.flop()
    fourth = Token(1051)
    state = copy(table.state)
    state.manual, state.up = Manual(emptied=True, proved=True), False
    table.state = too_many(state, fourth)
    assert table.reasons == ["too_many_flop"]
    cards = board(table)
    assert len(cards) == 4
    table.show(*cards)
    assert (table.reasons, table.view.prompt_code, stub(table)) == ([], "cut", 52 - 6 - 1)
    table.press(Key.CUT)
    table.press(Key.NEXT)
    assert table.view.expect == BOARD


@pytest.mark.parametrize(
    ("house", "cards"),
    [(House(first_card_exposed_is_misdeal=True), 1), (House(exposed_is_misdeal_from=2), 2)],
    ids=["the first card", "the second one"],
)
@pytest.mark.parametrize("landed", [True, False], ids=["on the table", "in the air"])
def test_what_the_house_calls_a_misdeal_is_ended_by_misdeal_alone_by_C9(make_table, house, cards, landed) -> None:
    table = make_table(house=house)
    table.begun()
    for number in range(cards):
        assert table.reasons == []
        card = table.deal() if landed else table.let_out()
        table.press(Key.EXPOSED, 2 + number)
        if number + 1 < cards:
            table.see(ASIDE, card)
    assert table.reasons[-1] == "misdeal"
    assert table.view.holds[-1].remedy == "Press MISDEAL."
    table.see(ASIDE, card)
    assert table.reasons == ["misdeal"]
    table.press(Key.MISDEAL)
    assert (table.reasons, table.view.phase) == ([], "gathering")


def test_a_premature_card_still_waits_when_an_award_too_early_was_taken_back_by_C6(table) -> None:
    table.flop()
    table.press(Key.NEXT)
    early = table.deal_street()[-1]
    table.press(Key.PREMATURE)
    table.see(ASIDE, early)
    table.press(Key.AWARD)
    table.press(Key.UNDO)
    table.returned(0)
    assert table.state.memory.pending_kind == "Shuffle"
    table.cycle(Cycle.SHUFFLE, stub(table))
    table.press(Key.CUT)
    for _ in range(2):
        table.press(Key.NEXT)
        if table.view.street == "turn":
            table.deal_street()
    assert (table.view.street, table.view.prompt_code) == ("river", "return")
    taken_back(table, early)
    assert table.view.expect == BURN
