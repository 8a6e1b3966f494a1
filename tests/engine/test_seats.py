"""H9, C11, C14: seats change between hands, the button after them, and what no ruling can waive."""

import pytest

from dealerbox.model.commands import Refuse
from dealerbox.model.events import CardRetracted, ShufflerLocked
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import ButtonRule, House
from dealerbox.model.shuffler import Cycle
from dealerbox.model.zones import seat


def reasons(commands):
    return [command.reason for command in commands if isinstance(command, Refuse)]


def hand(table, button):
    """A hand with the button there, won before its first card came out."""
    table.button(button)
    assert reasons(table.press(Key.START)) == []
    table.card_up()
    table.press(Key.AWARD)
    back = table.state.memory.pending
    table.tell(lambda at: CardRetracted(at, back))
    table.cycle(Cycle.SHUFFLE, 52)


@pytest.fixture
def four(make_table):
    table = make_table(seats=(1, 3, 5, 7))
    table.ready(button=1)
    hand(table, 1)
    return table


@pytest.fixture
def four_dead(make_table):
    table = make_table(seats=(1, 3, 5, 7), house=House(button_rule=ButtonRule.DEAD))
    table.ready(button=1)
    hand(table, 1)
    return table


def test_seats_do_not_change_in_mid_hand(four) -> None:
    four.button(3)
    four.press(Key.START)
    assert reasons(four.rule(Ruling.SEATS, seats=(1, 3))) == [Reason.NO_AUTHORITY]
    assert four.state.seats == (1, 3, 5, 7)


@pytest.mark.parametrize(
    ("seats", "due"), [((1, 5, 7), 5), ((1, 2, 3, 5, 7), 2), ((1,), 1), ((3, 5, 7), 3), ((1, 7), 7)]
)
def test_the_moving_button_goes_to_the_next_seat_that_is_taken(four, seats, due) -> None:
    four.rule(Ruling.SEATS, seats=seats)
    assert four.view.button == due


def test_the_dead_button_may_lie_at_a_seat_that_was_left_and_the_last_one_before_it_is_dealt_last(four_dead) -> None:
    four_dead.rule(Ruling.SEATS, seats=(1, 5, 7))
    four_dead.button(3)
    assert reasons(four_dead.press(Key.START)) == []
    assert [step.zone for step in four_dead.state.plan[:3]] == [seat(5), seat(7), seat(1)]


def test_the_dead_button_may_not_pass_a_seat_that_is_taken(four_dead) -> None:
    four_dead.button(5)
    assert reasons(four_dead.press(Key.START)) == [Reason.BUTTON_WRONG]


@pytest.mark.parametrize("change", [{"seats": (1, 3, 5, 7), "value": 1}, {"seats": (2, 4, 6)}])
def test_after_a_draw_or_merged_tables_the_director_sets_the_button(four, change) -> None:
    four.rule(Ruling.SEATS, **change)
    assert (four.view.button, four.view.prompt_code) == (0, "set_button")
    assert reasons(four.press(Key.START)) == [Reason.BUTTON_WRONG]
    first = change["seats"][0]
    four.rule(Ruling.SET_BUTTON, seat=first)
    four.button(first)
    assert reasons(four.press(Key.START)) == []


def test_from_three_players_to_two_the_director_may_set_the_button(four) -> None:
    four.rule(Ruling.SEATS, seats=(1, 3))
    assert four.view.button == 3
    four.rule(Ruling.SET_BUTTON, seat=1)
    four.button(1)
    assert reasons(four.press(Key.START)) == []


def test_after_a_misdeal_the_button_stays_though_its_player_has_left(four) -> None:
    four.button(3)
    four.press(Key.START)
    four.card_up()
    four.press(Key.MISDEAL)
    four.rule(Ruling.SEATS, seats=(1, 5, 7))
    assert four.view.button == 3


@pytest.mark.parametrize("seats", [(0,), (-1, 2), (11,), tuple(range(1, 12))])
def test_seats_that_are_none_are_refused_and_recorded(four, seats) -> None:
    assert reasons(four.rule(Ruling.SEATS, seats=seats)) == [Reason.NO_AUTHORITY]


# C14


def counted_short(table):
    table.press(Key.COUNT)
    table.cycle(Cycle.COUNT, 51)
    return "recount"


def overdue(table):
    table.wait(26 * 60_000)
    return "count_overdue"


def opened_machine(table):
    table.tell(lambda at: ShufflerLocked(at, "door"))
    return "not_empty"


def one_deck(table):
    table.press(Key.SUSPECT)
    return "one_deck"


@pytest.mark.parametrize("trouble", [counted_short, overdue, opened_machine, one_deck])
@pytest.mark.parametrize("ruling", [Ruling.STAND, Ruling.VOID_HAND, Ruling.HAND_DEAD, Ruling.TO_STUB, Ruling.RETRIEVE])
def test_no_ruling_waives_the_deck_its_count_or_the_machine(table, trouble, ruling) -> None:
    table.ready()
    refused = trouble(table)
    assert len(reasons(table.rule(ruling, seat=1))) == 1
    assert reasons(table.press(Key.START)) == [refused]


def test_a_ruling_that_is_taken_shows_no_refusal_of_before(four) -> None:
    four.press(Key.NEXT)
    assert four.view.refused is not None
    four.rule(Ruling.SEATS, seats=(1, 3))
    assert four.view.refused is None
