"""By hand, cards that arrive within one scan of a reader are judged as a set; what comes later by itself (P1)."""

from itertools import permutations

import pytest

from dealerbox.engine.state import Card
from dealerbox.model.commands import Hold, Refuse
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Dispense, House
from dealerbox.model.zones import ASIDE, BOARD, BURN, EXIT, MUCK, seat

SCAN_MS = 150
HAND = House(dispense=Dispense.HAND)


def held(table):
    return [(h.reason.value, h.zone, h.to, h.token) for h in table.state.holds]


@pytest.fixture
def table(make_table):
    return make_table(house=HAND)


@pytest.fixture
def dealt(table, given):
    """The hole cards are dealt, and the round is complete: the flop is due."""
    dealt = given(table)
    dealt.holes()
    table.press(Key.NEXT)
    return dealt


# A set, in whatever order.


@pytest.mark.parametrize("order", sorted(set(permutations([BURN, BOARD, BOARD, BOARD]))))
@pytest.mark.parametrize("apart_ms", [1, SCAN_MS // 4])
def test_a_flop_with_its_burn_is_lawful_in_any_order_of_one_scan(table, dealt, order, apart_ms) -> None:
    for zone, card in zip(order, dealt.stub[:4], strict=True):
        table.see(zone, card)
        table.wait(apart_ms - 10 if apart_ms > 10 else 0)
    table.wait(1000)
    assert (table.view.phase, table.reasons, table.state.early) == ("betting", [], ())
    assert [table.state.out[card] for card in dealt.stub[:4]] == [Card(zone, zone, zone) for zone in order]
    assert table.state.strays == ()


@pytest.mark.parametrize("order", sorted(set(permutations([2, 3, 1]))))
def test_a_round_of_hole_cards_too(table, given, order) -> None:
    dealt = given(table)
    for number, card in zip(order, dealt.stub[:3], strict=True):
        table.see(seat(number), card)
    table.wait(1000)
    assert (table.reasons, table.view.expect, table.state.last_out != 0) == ([], seat(2), True)


def test_a_set_that_waits_for_its_first_card_is_held_after_one_scan_and_no_moment_sooner(table, dealt) -> None:
    (card,) = dealt.lay(BOARD)
    table.wait(SCAN_MS - 1)
    assert held(table) == []
    told = table.wait(1)
    assert held(table) == [("burn_missing", BOARD, BURN, card)]
    assert [command.clause for command in told if isinstance(command, Hold)] == ["1804A(4)"]


def test_a_card_where_no_step_of_the_street_wants_one_is_held_at_once(table, dealt) -> None:
    (card,) = dealt.lay(seat(2))
    assert held(table) == [("wrong_zone", seat(2), BURN, card)]


def test_what_lies_where_a_later_step_wants_it_waits_the_one_too_many_was_never_let_out(table, dealt) -> None:
    first, second, third, fourth = dealt.lay(BOARD, 4)
    fifth = dealt.stub[0]
    table.see(BOARD, fifth)
    table.wait(SCAN_MS)
    assert held(table) == [("burn_missing", BOARD, BURN, first), ("not_released", BOARD, EXIT, fifth)]
    assert [one.token for one in table.state.early] == [second, third, fourth]


def test_one_that_comes_a_scan_after_the_held_one_was_never_let_out(table, dealt) -> None:
    (first,) = dealt.lay(BOARD)
    table.wait(2 * SCAN_MS)
    (late,) = dealt.lay(BOARD)
    assert held(table) == [("burn_missing", BOARD, BURN, first), ("not_released", BOARD, EXIT, late)]


def test_one_that_comes_within_a_scan_of_the_held_one_waits_for_it(table, given) -> None:
    dealt = given(table)
    (first,) = dealt.lay(MUCK)
    (second,) = dealt.lay(seat(3))
    assert held(table) == [("wrong_zone", MUCK, seat(2), first)]
    table.lose(MUCK, first)
    table.see(seat(2), first)
    assert (held(table), table.view.expect, table.state.out[second].dealt) == ([], seat(1), seat(3))


# The set put right.


@pytest.fixture
def without_burn(table, dealt):
    """Three cards on the board, and none was burned."""
    cards = dealt.lay(BOARD, 3)
    table.wait(SCAN_MS)
    assert table.reasons == ["burn_missing"]
    return cards


@pytest.mark.parametrize("burned", [0, 1, 2])
def test_any_card_of_the_set_may_be_burned_and_the_others_count(table, dealt, without_burn, burned) -> None:
    table.lose(BOARD, without_burn[burned])
    table.see(BURN, without_burn[burned])
    assert (held(table), table.view.expect, table.view.burns) == ([], BOARD, 1)
    left = [card for place, card in enumerate(without_burn) if place != burned]
    assert [table.state.out[card].home for card in left] == [BOARD, BOARD]
    dealt.lay(BOARD)
    assert (table.view.phase, held(table)) == ("betting", [])


def test_a_card_of_the_set_laid_where_nothing_wants_it_ends_nothing(table, without_burn) -> None:
    table.see(MUCK, without_burn[1])
    assert (table.reasons, table.state.out[without_burn[1]].at) == (["burn_missing"], MUCK)


def test_of_a_set_that_waits_still_one_may_be_laid_where_it_is_due(table, dealt) -> None:
    (card,) = dealt.lay(BOARD)
    table.lose(BOARD, card)
    table.see(BURN, card)
    table.wait(1000)
    assert (held(table), table.view.expect, table.view.burns) == ([], BOARD, 1)


def test_another_hold_about_the_held_card_is_not_ended_by_its_fellow(table, dealt, without_burn) -> None:
    table.button(3)
    table.wait(2000)
    table.see(BURN, without_burn[1])
    assert table.reasons == ["button_moved"]


# While the round is open.


def test_a_burn_too_soon_before_the_flop_and_a_card_behind_it_is_no_fourth(table, given) -> None:
    dealt = given(table)
    dealt.holes()
    (burn,) = dealt.lay(BURN)
    assert held(table) == [("round_open", BURN, "", burn)]
    table.wait(2 * SCAN_MS)
    (card,) = dealt.lay(BOARD)
    assert held(table)[1:] == [("not_released", BOARD, EXIT, card)]


def test_with_burn_and_board_card_of_one_scan_unburn_is_refused_1812(table, flop) -> None:
    dealt = flop(table)
    dealt.lay(BURN)
    dealt.lay(BOARD)
    told = table.press(Key.UNBURN)
    assert [(c.reason.value, c.asked) for c in told if isinstance(c, Refuse)] == [("not_now", "unburn")]
    assert table.reasons == ["round_open"]


def test_a_burn_that_was_moved_to_the_board_does_not_go_back_on_top_1812(table, flop) -> None:
    dealt = flop(table)
    (burn,) = dealt.lay(BURN)
    table.see(BOARD, burn)
    told = table.press(Key.UNBURN)
    assert [c.reason.value for c in told if isinstance(c, Refuse)] == ["not_now"]


@pytest.mark.parametrize("streets", [0, 1])
def test_a_board_card_seen_behind_the_burn_a_scan_later_came_too_soon_1811_2(table, flop, streets) -> None:
    dealt = flop(table)
    for _ in range(streets):
        dealt.street(1)
    table.press(Key.ACTION)
    table.press(Key.UNDO)
    dealt.lay(BURN)
    table.wait(2 * SCAN_MS)
    (card,) = dealt.lay(BOARD)
    assert table.reasons == ["premature_turn" if not streets else "premature_river"]
    assert (table.state.undo, table.state.waiting, table.state.nexted) == (None, (card,), False)
    table.lose(BOARD, card)
    table.see(ASIDE, card)
    assert (held(table), table.view.phase) == ([], "betting")


def test_at_the_showdown_a_card_of_the_stub_is_a_record_H8(table, flop) -> None:
    dealt = flop(table)
    dealt.street(1)
    dealt.street(1)
    (rabbit,) = dealt.lay(BOARD)
    assert (held(table), table.state.out[rabbit].at, table.state.early) == ([], BOARD, ())


@pytest.mark.parametrize(("late_ms", "reasons"), [(0, ["burn_missing"]), (1, ["burn_missing", "not_released"])])
def test_one_scan_to_the_moment_behind_the_held_one_is_of_its_scan_still(table, dealt, late_ms, reasons) -> None:
    (first,) = dealt.lay(BOARD)
    table.wait(SCAN_MS)
    held_ns = table.state.released.passed_ns
    passed_ms = (table.now_ns - held_ns) // 1_000_000
    table.wait(SCAN_MS - passed_ms + late_ms - 10)
    dealt.lay(BOARD)
    assert (table.state.released.token, table.reasons) == (first, reasons)


def test_a_second_river_card_of_one_scan_is_a_record_once_all_is_dealt_H8(table, flop) -> None:
    dealt = flop(table)
    dealt.street(1)
    table.press(Key.NEXT)
    burn, *both = (dealt.stub.pop(0) for _ in range(3))
    table.see(BOARD, *both)
    table.see(BURN, burn)
    table.wait(2000)
    assert (table.view.phase, table.reasons, table.state.early) == ("showdown", [], ())
    assert table.view.counts["board"] == 6


def test_the_burn_and_the_turn_that_came_too_soon_do_not_change_places_when_the_turn_is_laid_on_the_burns(
    table, flop
) -> None:
    dealt = flop(table)
    burn, turn = dealt.stub[:2]
    table.see(BURN, burn)
    table.see(BOARD, turn)
    assert table.reasons == ["round_open"]
    table.see(BURN, turn)
    assert (table.reasons, table.state.released.token) == (["round_open"], burn)


def test_where_the_house_corrects_nothing_no_fellow_takes_the_place_of_the_held_card_C10(make_table, given) -> None:
    table = make_table(house=House(dispense=Dispense.HAND, correct_misplaced=False))
    dealt = given(table)
    dealt.holes()
    table.press(Key.NEXT)
    first, second, _ = dealt.lay(BOARD, 3)
    table.wait(SCAN_MS)
    assert held(table) == [("burn_missing", BOARD, BURN, first)]
    table.lose(BOARD, second)
    table.see(BURN, second)
    assert held(table) == [("burn_missing", BOARD, BURN, first)]
    assert table.state.released.token == first


def test_a_burn_that_came_while_the_round_was_open_may_stand_by_ruling_1830_2(table, flop) -> None:
    dealt = flop(table)
    (burn,) = dealt.lay(BURN)
    assert table.reasons == ["round_open"]
    table.rule(Ruling.STAND)
    assert (table.reasons, table.state.out[burn].home) == ([], BURN)
