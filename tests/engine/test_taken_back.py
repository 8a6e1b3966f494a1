"""UNDO makes the state what it was before the key, but for what the machine was told meanwhile and what it has cost."""

import pytest

from bench.narrator import deck
from dealerbox.engine.state import State
from dealerbox.model import events as ev
from dealerbox.model.cards import token
from dealerbox.model.commands import Refuse
from dealerbox.model.keys import Key
from dealerbox.model.setup import House
from dealerbox.model.shuffler import Cycle
from dealerbox.model.zones import ASIDE, BOARD, BURN, EXIT, MUCK, seat

TIME = {"now_ns", "undo", "wakes", "clock_ns"}
TOLD = {"memory", "read_up"}
"""The machine was told something, and a number is never used twice."""
MIXED = TOLD | {"order_lost"}
"""It may have done that before it was taken back: the stub is shuffled before the next card."""

TAKEN_BACK = [
    ("between", Key.START, TOLD | {"hand", "shuffled"}),  # a number of a hand is never used twice either
    ("dealing", Key.EXPOSED, set()),
    ("dealing", Key.OFF_TABLE, set()),
    ("dealing", Key.FACED, set()),
    ("betting", Key.ACTION, set()),
    ("betting", Key.NEXT, TOLD),
    ("betting", Key.AWARD, MIXED),
    ("betting", Key.FACED, TOLD),
    ("betting", Key.PREMATURE, TOLD),
    ("held", Key.ACTION, set()),
    ("held", Key.NEXT, set()),
    ("held", Key.AWARD, TOLD),
    ("proved", Key.NEXT, set()),
    ("proved", Key.FACED, TOLD),
    ("proved", Key.PREMATURE, TOLD),
    ("showdown", Key.ACTION, set()),
    ("showdown", Key.NEXT, set()),
    ("showdown", Key.AWARD, MIXED),
    ("showdown", Key.FACED, TOLD),
    ("showdown", Key.PREMATURE, TOLD),
    ("by_hand", Key.ACTION, set()),
    ("by_hand", Key.NEXT, set()),
    ("by_hand", Key.AWARD, set()),
    ("by_hand", Key.PREMATURE, TOLD),
]


def changed(before: State, after: State) -> set[str]:
    fields = set(State.__struct_fields__) - TIME
    return {name for name in fields if getattr(before, name) != getattr(after, name)}


@pytest.mark.parametrize(("phase", "key", "cost"), TAKEN_BACK)
def test_a_key_taken_back_was_not_pressed(table, brought_to, phase, key, cost) -> None:
    brought_to(table, phase)
    before = table.state
    table.press(key)
    assert table.state.undo.key is key
    table.press(Key.UNDO)
    assert changed(before, table.state) <= cost
    assert (table.state.undo, table.state.refused) == (None, None)


@pytest.mark.parametrize("key", [Key.AWARD, Key.MISDEAL])
def test_a_hand_in_which_much_is_open_is_open_again_as_it_was(table, key) -> None:
    """A flashed card lies aside, another is to come, one is astray, and it is asked where it lies."""
    table.begun()
    first = table.deal()
    table.press(Key.EXPOSED, 2)
    table.lose(seat(2), first)
    table.see(ASIDE, first)
    table.see(seat(1), table.deal())
    table.button(3)
    table.wait(2000)
    assert table.reasons == ["button_moved"]
    before = table.state
    table.press(key)
    assert table.state.holds == ()
    told = table.press(Key.UNDO)
    assert changed(before, table.state) <= MIXED
    assert [type(command).__name__ for command in told][-1] == "Hold"


def test_a_premature_card_aside_and_cards_that_go_back_are_so_again(table) -> None:
    table.flop()
    table.press(Key.NEXT)
    turn = table.deal_street()[-1]
    table.press(Key.PREMATURE)
    table.lose(BOARD, turn)
    table.see(ASIDE, turn)
    for _ in range(2):
        table.press(Key.NEXT)
        if table.view.street == "turn":
            table.deal_street()
    assert (table.state.returning, table.state.waiting) == ({turn}, (turn,))
    before = table.state
    table.press(Key.AWARD)
    table.press(Key.UNDO)
    assert changed(before, table.state) <= TOLD


# START.


def test_start_before_the_machine_brought_a_card_up_costs_the_shuffle_it_was_told_to_spend_S1(table) -> None:
    table.ready()
    table.press(Key.START)
    table.press(Key.UNDO)
    assert (table.state.shuffled, table.view.phase, table.state.button) == (0, "between", 0)
    number = table.state.memory.pending
    table.tell(lambda at: ev.CommandVoid(at, number, "busy"))
    assert table.state.memory.pending_kind == "Shuffle"


def test_start_is_not_taken_back_with_a_card_on_its_way(table) -> None:
    table.begun()
    table.let_out()
    told = table.press(Key.UNDO)
    assert [c.asked for c in told if isinstance(c, Refuse)] == ["undo"]


def test_start_taken_back_with_a_card_out_asks_for_it(table) -> None:
    table.begun()
    table.tell(lambda at: ev.CardsSeen(at, BOARD, (token(1, 50),)))
    table.press(Key.UNDO)
    assert (table.view.phase, list(table.state.out)) == ("gathering", [token(1, 50)])


def test_after_a_misdeal_the_redeal_and_its_button_are_what_they_were_when_its_start_is_taken_back_C11(table) -> None:
    table.begun(button=2)
    table.press(Key.MISDEAL)
    table.card_up()
    table.retracted()
    table.cycle(Cycle.SHUFFLE, 52)
    table.press(Key.START)
    assert (table.state.redeal, table.state.button_set) == (False, 0)
    table.press(Key.UNDO)
    assert (table.state.redeal, table.state.button_set, table.state.button) == (True, 2, 2)


def test_the_tournament_has_not_begun_when_its_first_start_is_taken_back_T3(table) -> None:
    table.ready()
    before = table.state.tournament
    table.press(Key.START)
    assert table.state.tournament != before
    table.press(Key.UNDO)
    assert table.state.tournament == before


# What was called of a card ends when a card moves; what people laid down since stays.


@pytest.mark.parametrize("key", [Key.EXPOSED, Key.OFF_TABLE, Key.FACED])
def test_what_was_called_of_a_card_is_not_taken_back_once_a_card_has_moved(table, key) -> None:
    table.begun()
    first = table.deal()
    table.press(key, 0 if key is Key.FACED else 2)
    table.see(ASIDE, first)
    told = table.press(Key.UNDO)
    assert [c.reason.value for c in told if isinstance(c, Refuse)] == ["not_now"]


def test_the_hold_of_a_key_taken_back_ends_and_others_stay(table) -> None:
    table.flop()
    table.button(3)
    table.wait(2000)
    table.press(Key.PREMATURE)
    assert table.reasons == ["button_moved", "premature_flop"]
    table.press(Key.UNDO)
    assert table.reasons == ["button_moved"]


def test_a_card_that_went_to_the_muck_while_the_hand_was_over_lies_there_when_it_is_open_again(table) -> None:
    cards = table.flop()
    table.press(Key.AWARD)
    table.lose(BOARD, cards[-1])
    table.see(MUCK, cards[-1])
    table.press(Key.UNDO)
    assert (table.state.out[cards[-1]].at, table.state.strays, table.view.phase) == (MUCK, (cards[-1],), "betting")


def test_a_burn_on_its_way_when_the_hand_was_over_is_judged_where_it_lies_when_it_is_open_again(table) -> None:
    table.flop()
    table.press(Key.NEXT)
    burn = table.let_out()
    table.press(Key.AWARD)
    table.see(BURN, burn)
    table.press(Key.UNDO)
    assert (table.reasons, table.view.expect, table.state.released) == ([], BOARD, None)
    assert EXIT not in table.state.seen or burn not in table.state.seen[EXIT]


def test_a_device_that_is_lost_all_the_while_is_held_once(table) -> None:
    card = table.begun() or table.let_out()
    table.see(seat(3), card)
    table.tell(lambda at: ev.ZoneUnknown(at, BOARD, "deaf"))
    before = table.state
    table.press(Key.AWARD)
    assert table.reasons == ["device_lost"]
    told = table.press(Key.UNDO)
    assert table.state.holds == before.holds
    assert [type(command).__name__ for command in told if type(command).__name__ == "Hold"] == []


def test_next_after_action_is_taken_back_with_what_it_sent_back_C6(table) -> None:
    table.flop()
    table.press(Key.NEXT)
    turn = table.deal_street()[-1]
    table.press(Key.PREMATURE)
    table.lose(BOARD, turn)
    table.see(ASIDE, turn)
    table.press(Key.NEXT)
    table.deal_street()
    table.press(Key.ACTION)
    before = table.state
    table.press(Key.NEXT)
    assert (table.state.returning, table.state.street_acted) == ({turn}, False)
    table.press(Key.UNDO)
    assert changed(before, table.state) <= TOLD


@pytest.mark.parametrize("dealt", [1, 2, 3])
def test_premature_in_the_middle_of_a_street_is_taken_back(table, dealt) -> None:
    table.holes()
    table.press(Key.NEXT)
    for _ in range(dealt):
        table.deal()
    before = table.state
    table.press(Key.PREMATURE)
    table.press(Key.UNDO)
    assert changed(before, table.state) <= TOLD


def test_with_a_card_on_its_way_too_and_what_was_held_since_stays(table) -> None:
    table.holes()
    table.press(Key.NEXT)
    table.deal()
    table.let_out()
    before = table.state
    table.press(Key.PREMATURE)
    table.button(3)
    table.wait(1600)
    assert table.reasons == ["premature_flop", "button_moved"]
    table.press(Key.UNDO)
    assert table.reasons == ["button_moved"]
    assert changed(before, table.state) <= TOLD | {"holds", "button_seen", "button_since_ns", "released"}


def test_what_was_called_of_a_card_in_the_air_is_final_once_it_was_said_to_lie_aside_H10(table) -> None:
    table.begun()
    table.let_out()
    table.press(Key.EXPOSED)
    table.wait(2000)
    table.press(Key.ACK)
    told = table.press(Key.UNDO)
    assert [(c.reason.value, c.asked) for c in told if isinstance(c, Refuse)] == [("not_now", "undo")]


def test_start_by_hand_is_taken_back_with_the_hand_shuffle_kept_S1(table) -> None:
    table.holes()
    table.tell(lambda at: ev.DeviceLost(at, "shuffler", "dead"))
    table.press(Key.MANUAL)
    table.press(Key.AWARD)
    table.press(Key.ACK)
    table.show(*deck(1))
    table.press(Key.ACK)
    table.button(2)
    before = table.state
    assert before.shuffled == -1
    table.press(Key.START)
    assert table.state.phase == "dealing"
    table.press(Key.UNDO)
    assert changed(before, table.state) <= TOLD | {"hand", "seen"}


def test_a_street_called_too_soon_too_late_is_taken_back_with_its_hold_1830_2(table) -> None:
    table.flop()
    table.press(Key.ACTION)
    table.press(Key.PREMATURE)
    assert table.reasons == ["premature_late"]
    table.press(Key.UNDO)
    assert (table.reasons, table.view.phase, table.view.street) == ([], "betting", "flop")


def test_where_a_first_card_flashed_is_a_misdeal_it_is_none_when_that_is_taken_back_C9(make_table) -> None:
    table = make_table(house=House(first_card_exposed_is_misdeal=True))
    table.begun()
    table.let_out()
    table.press(Key.EXPOSED)
    assert table.reasons == ["misdeal"]
    table.press(Key.UNDO)
    assert (table.reasons, table.view.expect) == ([], seat(2))
