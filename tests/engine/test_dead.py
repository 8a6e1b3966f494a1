"""Cards dead as they are dealt, where they lie or in a group on its way (1811(1), 1820, 1809, C9)."""

import pytest

from bench.decided import refused
from dealerbox.model import events as ev
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Dispense, House, Replacement
from dealerbox.model.shuffler import Cycle
from dealerbox.model.zones import ASIDE, BOARD, BURN, seat


def aside(table, card, zone) -> None:
    table.lose(zone, card)
    table.see(ASIDE, card)


@pytest.fixture
def by_hand(make_table):
    return make_table(house=House(dispense=Dispense.HAND))


@pytest.fixture
def grouped(make_table):
    def make(when=Replacement.AFTER_DEAL):
        return make_table(house=House(dispense=Dispense.GROUP, exposed_replacement=when))

    return make


# FACED, and the card lies already.


def test_a_card_that_lay_face_up_is_dead_where_it_lies_and_the_next_takes_its_step_by_1820(table) -> None:
    cards = table.holes()
    table.press(Key.FACED)
    assert (table.reasons, table.view.holds[0].to, table.view.expect) == (["faced_card"], ASIDE, seat(1))
    aside(table, cards[-1], seat(1))
    assert table.reasons == []
    table.deal()
    assert (table.view.phase, table.view.counts["seat:1"], table.view.counts["aside"]) == ("betting", 2, 1)


def test_only_the_card_itself_ends_that(table) -> None:
    cards = table.holes()
    table.press(Key.FACED)
    aside(table, cards[2], seat(1))
    assert table.reasons == ["faced_card"]


@pytest.mark.parametrize("street", ["flop", "turn", "river"])
def test_on_any_street_the_next_card_takes_its_step_by_1820(table, street) -> None:
    cards = table.flop()
    while table.view.street != street:
        table.press(Key.NEXT)
        cards = table.deal_street()
    table.press(Key.FACED)
    assert (table.view.phase, table.view.expect) == ("dealing", BOARD)
    aside(table, cards[-1], BOARD)
    table.deal()
    assert (table.reasons, table.view.counts["board"]) == ([], {"flop": 3, "turn": 4, "river": 5}[street])


def test_a_burn_that_lay_face_up_is_dead_and_another_one_is_burned(by_hand, flop) -> None:
    table = by_hand
    dealt = flop(table)
    table.press(Key.NEXT)
    (burn,) = dealt.lay(BURN)
    table.press(Key.FACED)
    assert table.view.expect == BURN
    aside(table, burn, BURN)
    dealt.lay(BURN)
    dealt.lay(BOARD)
    table.wait(1000)
    assert (table.reasons, table.view.phase, table.view.burns) == ([], "betting", 2)


@pytest.mark.parametrize("key", [Key.ACTION, Key.NEXT])
def test_after_action_no_lying_card_is_meant_by_FACED(table, key) -> None:
    table.flop()
    table.press(key)
    assert refused(table.press(Key.FACED)) == ["not_now"]


def test_a_flop_that_went_back_is_no_card_that_lies_C8(by_hand, given) -> None:
    table = by_hand
    dealt = given(table)
    dealt.holes()
    dealt.street(3)
    dealt.board_back()
    table.press(Key.CUT)
    assert refused(table.press(Key.FACED)) == ["not_now"]


def test_FACED_about_a_lying_card_is_taken_back_until_a_card_moves(table) -> None:
    table.holes()
    table.press(Key.FACED)
    table.press(Key.UNDO)
    assert (table.reasons, table.view.phase, table.view.counts["seat:1"]) == ([], "betting", 2)
    table.press(Key.FACED)
    assert table.reasons == ["faced_card"]


# A card that no reader can read (H10).


def let_out_unread(table):
    """The next card's tag is silent: ACK sends it to its step, and ACK says that it lies there."""
    table.card_up()
    table.wait(3000)
    assert table.view.prompt_code == "unread"
    table.press(Key.ACK)
    release, exit_id = table.state.memory.pending, table.state.memory.exit_id
    table.tell(lambda at: ev.CardPassed(at, release, exit_id))
    table.wait(3000)
    table.press(Key.ACK)


def test_ACK_stands_for_the_sight_of_an_unread_card_aside_H10(table) -> None:
    table.begun()
    let_out_unread(table)
    table.press(Key.EXPOSED, 2)
    assert (table.reasons, table.view.prompt_code, Key.ACK in table.view.lit) == (
        ["exposed_card"],
        "silent_aside",
        True,
    )
    table.press(Key.ACK)
    assert (table.reasons, table.view.counts["aside"]) == ([], 1)
    table.deal_street()
    assert (table.view.counts["seat:2"], table.reasons) == (2, [])


def test_ACK_stands_for_the_sight_of_an_unread_card_back_in_the_stub_H10(table) -> None:
    table.holes()
    table.press(Key.NEXT)
    table.deal()
    let_out_unread(table)
    board = [table.deal(), table.deal()]
    table.press(Key.PREMATURE)
    table.feed(*board)
    assert (table.view.prompt_code, Key.ACK in table.view.lit) == ("silent_back", True)
    table.returned(3)
    table.press(Key.ACK)
    assert (table.reasons, table.view.counts["stub"]) == ([], 52 - 7)
    table.returned(0) if table.state.memory.pending_kind == "Return" else None
    table.cycle(Cycle.SHUFFLE, 45)
    assert table.view.prompt_code == "cut"


# A group on its way.


@pytest.mark.parametrize("when", Replacement)
@pytest.mark.parametrize("key", [Key.EXPOSED, Key.OFF_TABLE])
def test_of_a_group_on_its_way_the_card_next_seen_aside_is_the_dead_one_by_1811_1(grouped, key, when) -> None:
    table = grouped(when)
    table.begun()
    first, second = table.let_out(), table.let_out()
    table.press(key, 2)
    reason = "exposed_card" if key is Key.EXPOSED else "off_table"
    assert (table.reasons, table.view.holds[0].zone) == ([reason], seat(2))
    table.see(ASIDE, second)
    assert table.reasons == []
    table.see(seat(2), first)
    table.deal_street()
    assert [table.view.counts[seat(number)] for number in (1, 2, 3)] == [2, 2, 2]
    assert (table.reasons, table.view.counts["aside"]) == ([], 1)


def test_the_group_may_be_laid_down_first_and_one_of_it_goes_aside_then(grouped) -> None:
    table = grouped()
    table.begun()
    first, second = table.let_out(), table.let_out()
    table.press(Key.EXPOSED)
    table.see(seat(2), first, second)
    assert table.reasons == ["exposed_card"]
    aside(table, first, seat(2))
    table.deal_street()
    assert (table.reasons, table.view.counts["seat:2"]) == ([], 2)


def test_a_card_of_the_flop_on_its_way_that_lay_face_up_is_replaced_at_once_by_1820(grouped) -> None:
    table = grouped()
    table.begun()
    table.deal_street()
    table.press(Key.NEXT)
    table.deal()
    cards = [table.let_out() for _ in range(3)]
    table.press(Key.FACED)
    assert table.reasons == ["faced_card"]
    table.see(ASIDE, cards[0])
    table.see(BOARD, *cards[1:])
    table.deal()
    assert (table.reasons, table.view.phase, table.view.counts["board"]) == ([], "betting", 3)


def test_one_card_of_a_group_is_called_dead_once(grouped) -> None:
    table = grouped()
    table.begun()
    table.let_out()
    table.let_out()
    table.press(Key.EXPOSED, 2)
    assert refused(table.press(Key.EXPOSED, 2)) == ["not_now"]
    assert refused(table.press(Key.FACED)) == ["not_now"]


def test_what_was_said_of_a_group_is_taken_back_until_a_card_moves(grouped) -> None:
    table = grouped()
    table.begun()
    first, second = table.let_out(), table.let_out()
    table.press(Key.EXPOSED, 2)
    table.press(Key.UNDO)
    assert table.reasons == []
    table.see(seat(2), first, second)
    assert (table.reasons, table.view.expect) == ([], seat(3))


def test_a_card_called_dead_in_the_air_that_goes_back_into_the_stub_is_waited_for_aside_no_more_1811_1(table) -> None:
    """Its step is the next one, and none behind it is forgotten."""
    table.begun()
    table.deal()
    card = table.let_out()
    before = table.state.plan
    table.press(Key.FACED)
    assert table.view.expect == ASIDE
    table.rule(Ruling.TO_STUB, tokens=(card,))
    table.card_up()
    table.retracted()
    table.feed(card)
    table.returned(1)
    table.cycle(Cycle.SHUFFLE, 51)
    table.press(Key.CUT)
    assert (table.reasons, table.state.plan) == ([], before)
    assert table.view.expect == seat(3)
