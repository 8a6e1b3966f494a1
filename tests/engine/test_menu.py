"""What five buttons can say: GO says what is asked for, the menu what may have gone wrong, the likeliest first."""

from typing import Any

import pytest

from dealerbox.engine.menu import SEATED, WORDS
from dealerbox.model.events import ShufflerLocked
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.shuffler import Cycle
from dealerbox.model.zones import BOARD, MUCK, seat


def keys(table: Any) -> list[Key]:
    return [choice.key for choice in table.view.menu]


def seats(table: Any, key: Key) -> tuple[int, ...]:
    return next((choice.seats for choice in table.view.menu if choice.key is key), ())


def test_go_says_what_an_evening_asks_for_next(table: Any) -> None:
    table.started()
    assert table.view.go is Key.ACK
    table.ready()
    assert table.view.go is Key.START
    table.press(Key.START)
    assert table.view.go is Key.NEXT
    table.deal_street()
    assert table.view.go is Key.NEXT
    for _ in range(3):
        table.press(Key.NEXT)
        table.deal_street()
    assert (table.view.phase, table.view.go) == ("showdown", Key.AWARD)


def test_go_says_START_at_a_closed_table_and_while_cards_come_back_and_is_told_why_not(table: Any) -> None:
    assert table.view.go is Key.START
    table.holes()
    table.press(Key.AWARD)
    assert (table.view.phase, table.view.go) == ("gathering", Key.START)
    table.press(Key.START)
    assert table.view.refused.reason.value == "cards_out"


def test_go_says_COUNT_where_a_count_is_owed_and_CUT_where_the_stub_is_to_be_cut(table: Any) -> None:
    table.flop()
    table.tell(lambda at: ShufflerLocked(at, "door"))
    table.meet(machine=42)
    table.cycle(Cycle.COUNT, 42)
    assert table.view.go is Key.ACK
    table.press(Key.ACK)
    table.cycle(Cycle.SHUFFLE, 42)
    assert (table.view.prompt_code, table.view.go) == ("cut", Key.CUT)
    table.press(Key.NEXT)
    assert (table.view.phase, table.view.go) == ("dealing", Key.CUT)
    table.press(Key.AWARD)
    table.home()
    assert (table.view.prompt_code, table.view.go) == ("count", Key.COUNT)


def test_go_never_ends_a_hand_that_has_a_card_to_come(table: Any) -> None:
    table.begun()
    while table.view.phase == "dealing":
        assert Key.AWARD in table.view.lit
        assert table.view.go is Key.NEXT
        table.deal()


def test_with_one_live_hand_left_go_awards_the_pot_and_the_menu_goes_on(table: Any) -> None:
    holes = table.holes()
    table.see(MUCK, holes[0], holes[3])
    table.see(MUCK, holes[1], holes[4])
    assert table.view.go is Key.AWARD
    assert Key.NEXT in keys(table)


def test_go_answers_a_question_first(table: Any) -> None:
    table.begun()
    table.let_out()
    table.wait(2000)
    assert (table.view.prompt_code, table.view.go) == ("unseen", Key.ACK)


def test_while_hole_cards_are_dealt_a_flashed_card_is_the_likeliest(table: Any) -> None:
    table.begun()
    for _ in range(4):
        table.deal()
    assert keys(table)[:6] == [Key.EXPOSED, Key.MISDEAL, Key.OFF_TABLE, Key.FACED, Key.MANUAL, Key.SUSPECT]
    assert seats(table, Key.EXPOSED) == (0, 2, 1, 3)


def test_on_a_later_street_it_is_one_that_came_too_early(table: Any) -> None:
    table.flop()
    table.press(Key.NEXT)
    table.deal()
    assert keys(table)[0] is Key.PREMATURE


def test_what_can_be_taken_back_stands_first_and_by_name(table: Any) -> None:
    table.holes()
    table.press(Key.NEXT)
    assert (table.view.menu[0].key, table.view.menu[0].words) == (Key.UNDO, "UNDO NEXT")


def test_a_hold_brings_its_own_remedy_to_the_top(table: Any) -> None:
    table.begun()
    table.deal()
    card = table.let_out()
    table.see(seat(1), card)
    assert table.reasons == ["wrong_seat"]
    assert keys(table)[0] is Key.MISDEAL


def test_a_lost_shuffler_brings_manual_to_the_top(table: Any) -> None:
    from dealerbox.model import events as ev

    table.holes()
    table.tell(lambda at: ev.DeviceLost(at, "shuffler", "unplugged"))
    assert keys(table)[0] is Key.MANUAL


def test_a_hand_is_retrieved_only_where_one_is_mucked(table: Any) -> None:
    holes = table.holes()
    assert Key.RETRIEVE not in keys(table)
    table.see(MUCK, holes[0], holes[3])
    assert seats(table, Key.RETRIEVE) == (2,)


def test_no_line_names_a_card(table: Any) -> None:
    """P4: seats alone; the tokens of a table are four digits, its seats at most two."""
    table.flop()
    assert all(number <= 20 for choice in table.view.menu for number in choice.seats)
    assert not any(letter.isdigit() for choice in table.view.menu for letter in choice.words)


def test_a_closed_table_has_no_menu(table: Any) -> None:
    assert table.view.menu == ()
    table.opened()
    table.rule(Ruling.CLOSE)
    assert table.view.menu == ()


MEANT = {
    "opening": {Key.SUSPECT, Key.MANUAL, Key.CUT, Key.FIND},
    "between": {Key.SUSPECT, Key.MANUAL, Key.CUT, Key.FIND},
    "dealing": {
        Key.EXPOSED, Key.OFF_TABLE, Key.FACED, Key.MISDEAL, Key.PREMATURE, Key.CUT, Key.SUSPECT,
        Key.RETRIEVE, Key.MANUAL, Key.FIND, Key.AWARD,
    },
    "betting": {
        Key.EXPOSED, Key.OFF_TABLE, Key.FACED, Key.MISDEAL, Key.PREMATURE, Key.CUT, Key.SUSPECT,
        Key.RETRIEVE, Key.MANUAL, Key.FIND, Key.AWARD,
    },
    "showdown": {
        Key.FACED, Key.MISDEAL, Key.PREMATURE, Key.CUT, Key.SUSPECT, Key.RETRIEVE, Key.MANUAL, Key.FIND,
        Key.NEXT,
    },
    "gathering": {Key.SUSPECT, Key.MANUAL, Key.CUT, Key.FIND, Key.UNDO},
}  # fmt: skip
"""Phase -> the keys that the law gives a meaning in it, but for those with a button of their own and GO's."""


def brought_to(table: Any, phase: str) -> None:
    """Bring a table to a phase in which every key that can mean something there does."""
    if phase == "opening":
        table.started()
        return
    if phase == "between":
        table.ready()
        return
    holes = table.flop()
    table.see(MUCK, holes[0], holes[3])
    table.press(Key.NEXT)
    table.deal()
    if phase == "dealing":
        return
    table.deal_street()
    if phase == "betting":
        return
    table.press(Key.NEXT)
    table.deal_street()
    if phase == "gathering":
        table.press(Key.AWARD)


@pytest.mark.parametrize("phase", MEANT)
def test_every_key_that_means_something_is_in_the_menu(table: Any, phase: str) -> None:
    brought_to(table, phase)
    assert table.view.phase == phase
    assert MEANT[phase] <= set(keys(table))
    assert set(keys(table)) <= set(WORDS) | {Key.UNDO}
    assert all(seats(table, key) for key in SEATED & set(keys(table)))


def test_an_exposed_flop_card_is_the_one_let_out_last(table: Any) -> None:
    table.holes()
    table.press(Key.NEXT)
    table.deal()
    card = table.let_out()
    table.see(BOARD, card)
    assert seats(table, Key.EXPOSED)[0] == 0


def test_the_loss_of_a_display_is_a_notice_and_no_hold(table: Any) -> None:
    from msgspec.structs import replace

    from dealerbox.model import events as ev
    from dealerbox.model.commands import Notice
    from dealerbox.model.reasons import Reason

    table.setup = replace(table.setup, optional=("display",))
    table.begun()
    commands = table.tell(lambda at: ev.DeviceLost(at, "display", "unplugged"))
    assert commands == (Notice(Reason.DEVICE_LOST, "house"),)
    assert table.reasons == []
    table.tell(lambda at: ev.DeviceBack(at, "display"))
    table.deal_street()
