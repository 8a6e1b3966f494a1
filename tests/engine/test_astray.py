"""Cards that lie elsewhere when the next one is asked for: each judged by itself, once it is steady (H11)."""

import pytest

from dealerbox.model import events as ev
from dealerbox.model.cards import token
from dealerbox.model.commands import Clear, Hold, Notice, Release
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Dispense, House
from dealerbox.model.zones import ASIDE, BOARD, BURN, EXIT, INFEED, MUCK, seat

SCAN_MS, SETTLING_MS = 150, 1500
NS = 1_000_000


def held(table):
    return [(h.reason.value, h.clause, h.zone, h.to, h.token) for h in table.state.holds]


def moved(table, card, zone, to):
    table.lose(zone, card)
    return table.see(to, card)


def asked_for(table) -> None:
    """NEXT, and the first card of the street is up: it is asked for."""
    table.wait(2 * SETTLING_MS)
    table.press(Key.NEXT)
    table.let_up()


@pytest.fixture
def dealt(make_table):
    """Four players, the hole cards in the order of the deal (seats 2, 3, 4, 1), a burn and a flop."""
    table = make_table(seats=(1, 2, 3, 4))
    return table, table.flop()


ROWS = [
    (0, seat(2), seat(3), "card_strayed", "1804B(10)"),
    (0, seat(2), BURN, "card_strayed", "1804B(10)"),
    (0, seat(2), ASIDE, "card_strayed", "1804B(10)"),
    (9, BOARD, seat(1), "card_strayed", "1804B(10)"),
    (9, BOARD, MUCK, "card_strayed", "1804B(10)"),
    (8, BURN, BOARD, "card_strayed", "1812"),
    (8, BURN, MUCK, "burn_in_muck", "1812"),
]


@pytest.mark.parametrize(("place", "home", "at", "reason", "clause"), ROWS)
def test_a_card_steadily_elsewhere_is_held_by_what_it_is(dealt, place, home, at, reason, clause) -> None:
    table, cards = dealt
    (told,) = [n for n in moved(table, cards[place], home, at) if isinstance(n, Notice)]
    assert (told.reason, told.zone) == ("card_strayed", at)
    asked_for(table)
    assert held(table) == [(reason, clause, at, home, cards[place])]


def test_each_of_several_is_held_and_the_release_waits_for_the_last(dealt) -> None:
    table, cards = dealt
    for place, home, at in ((0, seat(2), ASIDE), (9, BOARD, seat(1)), (8, BURN, MUCK)):
        moved(table, cards[place], home, at)
    asked_for(table)
    assert [row[4] for row in held(table)] == [cards[0], cards[9], cards[8]]
    for place, home, at in ((0, seat(2), ASIDE), (8, BURN, MUCK)):
        assert not [c for c in moved(table, cards[place], at, home) if isinstance(c, Clear | Hold)]
    assert table.state.memory.pending_kind == ""
    told = moved(table, cards[9], seat(1), BOARD)
    assert [type(c) for c in told if isinstance(c, Release)] == [Release]


# Harmless, with one behind it that is not.


def lifted(table, cards) -> None:
    """Seen elsewhere for a moment, and lifted: no reader reads it."""
    moved(table, cards[0], seat(2), seat(3))
    table.lose(seat(3), cards[0])


def dead_and_aside(table, cards) -> None:
    for card in (cards[1], cards[5]):
        moved(table, card, seat(3), MUCK)
    moved(table, cards[1], MUCK, ASIDE)


def read_twice(table, cards) -> None:
    table.see(seat(3), cards[0])


@pytest.mark.parametrize(
    ("harmless", "others"),
    [(lifted, []), (dead_and_aside, []), (read_twice, [("recount", "1804B(10)", seat(3), seat(2))])],
)
def test_one_that_costs_nothing_hides_none_that_does(dealt, harmless, others) -> None:
    table, cards = dealt
    harmless(table, cards)
    moved(table, cards[9], BOARD, seat(1))
    asked_for(table)
    strayed = ("card_strayed", "1804B(10)", seat(1), BOARD, cards[9])
    assert [row[:4] for row in held(table)] == [*others, strayed[:4]]


def test_a_card_that_its_seat_and_the_next_one_both_read_is_looked_for_at_the_other_S5(dealt) -> None:
    table, cards = dealt
    table.see(seat(3), cards[0])
    asked_for(table)
    assert held(table) == [("recount", "1804B(10)", seat(3), seat(2), cards[0])]


def test_one_that_came_home_and_is_read_where_it_was_still_is_looked_for_there_S5(dealt) -> None:
    table, cards = dealt
    table.see(seat(3), cards[0])
    table.see(seat(2), cards[0])
    asked_for(table)
    assert [row[0] for row in held(table)] in (["recount"], [])


# Steadily: longer than the settling time.


def test_by_hand_it_is_held_the_moment_after_the_settling_time_without_any_event(make_table, flop) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    flop(table)
    table.press(Key.NEXT)
    cards = [card for card, record in table.state.out.items() if record.at == BOARD]
    moved(table, cards[0], BOARD, seat(1))
    since_ns = table.now_ns
    table.wait(3 * SETTLING_MS)
    (at_ns,) = [event.at_ns for event, told in table.log if any(isinstance(c, Hold) for c in told)]
    assert (table.reasons, at_ns) == (["card_strayed"], since_ns + SETTLING_MS * NS + 1)


@pytest.mark.parametrize(("late_ms", "reasons"), [(0, []), (1, ["card_strayed"])])
def test_a_card_that_has_lain_there_for_the_settling_time_to_the_moment_is_not_steady_yet(
    dealt, late_ms, reasons
) -> None:
    table, cards = dealt
    moved(table, cards[9], BOARD, seat(1))
    table.wait(SETTLING_MS - SCAN_MS + late_ms - 30)
    table.press(Key.NEXT)
    table.card_up()
    table.see(EXIT, token(1, 40))
    table.wait(SCAN_MS)
    assert table.reasons == reasons


def test_a_card_fed_into_the_shuffler_is_held_at_once_whether_it_is_read_there_still_or_not(dealt) -> None:
    table, cards = dealt
    table.see(INFEED, cards[0])
    table.lose(INFEED, cards[0])
    table.press(Key.NEXT)
    table.let_up()
    assert held(table) == [("card_strayed", "1804B(10)", INFEED, seat(2), cards[0])]


@pytest.mark.parametrize(("place", "home", "at", "reason", "clause"), ROWS)
def test_a_card_that_is_held_astray_and_then_goes_in_is_held_as_one_that_went_in(
    dealt, place, home, at, reason, clause
) -> None:
    table, cards = dealt
    moved(table, cards[place], home, at)
    asked_for(table)
    before = table.state.memory.hold_key
    told = moved(table, cards[place], at, INFEED)
    table.lose(INFEED, cards[place])
    assert held(table) == [("card_strayed", clause, INFEED, home, cards[place])]
    assert [(command.key, command.zone) for command in told if isinstance(command, Hold)] == [(before + 1, INFEED)]
    assert not [command for command in told if isinstance(command, Clear)]
    assert table.view.prompt_code == ("went_in" if home in (BOARD, BURN) else "held")


@pytest.mark.parametrize(("place", "home", "at", "reason", "clause"), ROWS)
def test_a_card_held_as_one_that_went_in_and_got_out_again_is_held_for_where_it_lies(
    dealt, place, home, at, reason, clause
) -> None:
    table, cards = dealt
    moved(table, cards[place], home, INFEED)
    asked_for(table)
    moved(table, cards[place], INFEED, at)
    assert held(table) == [(reason, clause, at, home, cards[place])]
    moved(table, cards[place], at, home)
    assert held(table) == []


# H8: with one live hand this rests.


@pytest.mark.parametrize(("folded", "reasons"), [((2, 3, 4), []), ((2, 3), ["card_strayed"])])
def test_with_one_live_hand_a_card_astray_is_nobodys_business_H8(dealt, folded, reasons) -> None:
    table, cards = dealt
    for number in folded:
        for card in (cards[number - 2], cards[number + 2]):
            moved(table, card, seat(number), MUCK)
    assert table.state.dead == set(folded)
    moved(table, cards[9], BOARD, seat(1))
    asked_for(table)
    assert table.reasons == reasons


def test_nor_is_one_that_went_astray_before_the_others_folded_H8(dealt) -> None:
    table, cards = dealt
    moved(table, cards[9], BOARD, seat(1))
    for number in (2, 3, 4):
        for card in (cards[number - 2], cards[number + 2]):
            moved(table, card, seat(number), MUCK)
    asked_for(table)
    assert (table.state.strays, table.reasons) == ((cards[9],), [])


def test_a_dealt_card_back_at_the_exit_beside_the_next_one_has_strayed(dealt) -> None:
    table, cards = dealt
    moved(table, cards[9], BOARD, EXIT)
    asked_for(table)
    assert held(table) == [("card_strayed", "1804B(10)", EXIT, BOARD, cards[9])]
    assert token(1, 1) in table.state.out


def test_one_that_is_not_steady_yet_hides_none_that_is(dealt) -> None:
    """Judged in the order of the deal after a ruling, the fresh one first."""
    table, cards = dealt
    moved(table, cards[9], BOARD, seat(1))
    table.wait(2 * SETTLING_MS)
    table.press(Key.NEXT)
    moved(table, cards[0], seat(2), seat(3))
    table.rule(Ruling.HAND_DEAD, seat=4)
    table.let_up()
    assert table.state.strays == (cards[0], cards[9])
    assert held(table) == [("card_strayed", "1804B(10)", seat(1), BOARD, cards[9])]


def back_in_play(table, cards) -> None:
    """A card of the folded hand of seat 3 lies there again, and the next card is asked for."""
    for card in (cards[1], cards[5]):
        moved(table, card, seat(3), MUCK)
    moved(table, cards[1], MUCK, seat(3))
    asked_for(table)


def test_a_dead_card_in_play_again_is_held_until_it_is_back_in_the_muck_1815_3(dealt) -> None:
    table, cards = dealt
    back_in_play(table, cards)
    assert held(table) == [("dead_card_back", "1815(3)", seat(3), MUCK, cards[1])]
    assert [type(c) for c in moved(table, cards[1], seat(3), MUCK) if isinstance(c, Clear | Release)] == [
        Clear,
        Release,
    ]
    assert held(table) == []


def test_or_the_director_lets_it_stand_1830_2(dealt) -> None:
    table, cards = dealt
    back_in_play(table, cards)
    table.rule(Ruling.STAND)
    assert held(table) == []


# Not known yet: nobody saw how long it has lain there.


def lies_there(table, cards) -> None:
    moved(table, cards[9], BOARD, seat(1))


def came_there_while_its_reader_was_deaf(table, cards) -> None:
    table.tell(lambda at: ev.ZoneUnknown(at, seat(1), "deaf"))
    table.lose(BOARD, cards[9])
    table.wait(2 * SETTLING_MS)
    table.see(seat(1), cards[9])
    table.tell(lambda at: ev.ZoneKnown(at, seat(1)))


def the_button_lies_elsewhere(table, cards) -> None:
    table.button(3)


@pytest.mark.parametrize(
    ("astray", "reason"),
    [
        (lies_there, "card_strayed"),
        (came_there_while_its_reader_was_deaf, "card_strayed"),
        (the_button_lies_elsewhere, "button_moved"),
    ],
)
@pytest.mark.parametrize("stays", [True, False])
def test_no_card_goes_while_it_is_not_known_yet_whether_one_lies_astray(dealt, astray, reason, stays) -> None:
    table, cards = dealt
    table.press(Key.NEXT)
    table.card_up()
    table.see(EXIT, token(1, 40))
    astray(table, cards)
    table.wait(SETTLING_MS // 2)
    assert (table.reasons, table.pending) == ([], "")
    if not stays:
        table.button(1)
        table.see(BOARD, cards[9])
        table.lose(seat(1), cards[9])
    table.wait(SETTLING_MS)
    assert (table.reasons, table.pending) == (([reason], "") if stays else ([], "Release"))


@pytest.mark.parametrize(("button", "reason"), [(1, "card_strayed"), (3, "button_moved")])
def test_nor_after_a_restart_though_the_dealer_has_looked(dealt, button, reason) -> None:
    table, cards = dealt
    table.press(Key.NEXT)
    table.card_up()
    table.lose(BOARD, cards[9])
    table.started()
    table.meet(machine=table.state.memory.machine)
    table.button(button)
    if button == 1:
        table.see(seat(1), cards[9])
    for zone in table.state.blind:
        table.tell(lambda at, zone=zone: ev.ZoneKnown(at, zone))
    table.press(Key.ACK)
    table.see(EXIT, token(1, 40))
    table.wait(SCAN_MS + 1)
    assert (table.reasons, table.pending) == ([], "")
    table.wait(SETTLING_MS)
    assert (table.reasons, table.pending) == ([reason], "")
