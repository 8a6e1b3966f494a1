"""What five buttons can say: GO says what is asked for, the menu what may have gone wrong, the likeliest first."""

from typing import Any

import pytest

from bench.decided import only
from dealerbox.engine.menu import WORDS
from dealerbox.model.commands import Refuse
from dealerbox.model.events import DeviceLost, ShufflerLocked
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Dispense, House
from dealerbox.model.shuffler import Cycle
from dealerbox.model.zones import BOARD, BURN, MUCK, seat


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


@pytest.mark.parametrize(
    "phase", ["opening", "between", "dealing", "betting", "held", "showdown", "gathering", "by_hand"]
)
def test_the_menu_has_no_line_for_which_there_is_nothing_to_do(table: Any, brought_to: Any, phase: str) -> None:
    brought_to(table, phase)
    assert set(keys(table)) <= set(WORDS) | {Key.UNDO}
    before = table.state
    for choice in table.view.menu:
        for seat_ in choice.seats or (0,):
            table.state = before
            told = [one.reason for one in only(table.press(choice.key, seat_), Refuse)]
            assert told in ([], ["misdeal_too_late"]), choice


def test_a_first_flop_card_that_came_too_early_by_hand_is_in_the_menu_as_the_prompt_says_1811_2(
    make_table: Any, given: Any
) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = given(table)
    dealt.holes()
    dealt.lay(BURN)
    assert (table.reasons, "PREMATURE" in table.view.prompt) == (["round_open"], True)
    assert (keys(table)[0], table.view.go) == (Key.PREMATURE, Key.NEXT)


def test_a_misdeal_that_asks_whether_a_player_has_acted_is_taken_back_by_its_name(table: Any) -> None:
    holes = table.holes()
    table.see(MUCK, holes[0], holes[3])
    table.press(Key.MISDEAL)
    assert (table.view.menu[0].key, table.view.menu[0].words) == (Key.UNDO, "UNDO MISDEAL")


# GO goes past nothing that is asked or held.


@pytest.mark.parametrize("phase", ["betting", "showdown"])
@pytest.mark.parametrize("what", ["held", "shown"])
def test_GO_closes_no_round_and_ends_no_hand_while_something_is_held_or_asked(
    table: Any, brought_to: Any, phase: str, what: str
) -> None:
    brought_to(table, phase)
    if what == "held":
        table.tell(lambda at: ShufflerLocked(at, "door"))
    else:
        table.tell(lambda at: DeviceLost(at, "shuffler", "silent"))
        table.press(Key.MANUAL)
        table.press(Key.ACK)
        assert table.view.prompt_code == "manual_show"
    assert (table.view.go, Key.ACK in table.view.lit) == (Key.ACK, False)
    assert {Key.NEXT, Key.AWARD} & set(keys(table))


def test_GO_confirms_the_cut_that_the_prompt_asks_for_while_the_round_is_open_again_C16(table: Any) -> None:
    cards = table.flop()
    table.press(Key.PREMATURE)
    table.retracted()
    table.feed(*cards[-3:])
    table.returned(3)
    table.cycle(Cycle.SHUFFLE, len(table.state.out) and 52 - len(table.state.out))
    assert (table.view.phase, table.view.prompt_code, table.view.go) == ("betting", "cut", Key.CUT)
    assert Key.NEXT in keys(table)


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
