"""A hand that is over: nothing of it is open any more; and taken back, all of it is (C14, S2, 1824)."""

import pytest

from dealerbox.engine.state import State
from dealerbox.model import events as ev
from dealerbox.model.cards import Token, token
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Dispense, House
from dealerbox.model.shuffler import Cycle
from dealerbox.model.zones import ASIDE, BOARD, BURN, MUCK, seat

TOLD = {"memory", "read_up"}
"""The machine was told something, and a number is never used twice."""
MIXED = TOLD | {"order_lost"}


def changed(before: State, after: State) -> set[str]:
    fields = set(State.__struct_fields__) - {"now_ns", "undo", "wakes", "clock_ns"}
    return {name for name in fields if getattr(before, name) != getattr(after, name)}


def unaccounted(table) -> None:
    """The machine has let out a card that nobody asked for; it was told what it holds, and counts."""
    table.holes()
    table.meet(machine=-1, agreed=False, last_id=table.state.memory.next_id, why="content")
    table.press(Key.ACK)
    places = table.state.memory.pending
    table.tell(lambda at: ev.PlacesSet(at, places))
    table.meet(machine=46)


def flashed_flop(table, flop) -> None:
    """By machine: the flop goes back, and a card is on its way."""
    table.flop()
    table.press(Key.NEXT)
    table.deal()
    table.let_out()
    table.press(Key.PREMATURE)
    assert table.state.recalled


def cut_owed(table, flop) -> None:
    dealt = flop(table)
    dealt.board_back()
    assert (table.view.prompt_code, table.state.cut_owed) == ("cut", True)


def unburned(table, flop) -> None:
    dealt = flop(table)
    table.press(Key.NEXT)
    (card,) = dealt.lay(BURN)
    table.press(Key.UNBURN)
    table.lose(BURN, card)
    assert table.state.unburned == card


def half_read(table, flop) -> None:
    """A board card was read before its burn, within one scan."""
    dealt = flop(table)
    table.press(Key.NEXT)
    table.see(BOARD, dealt.stub[1])
    assert table.state.early


def asked_whether_acted(table, flop) -> None:
    holes = table.holes()
    table.lose(seat(2), holes[0])
    table.see(MUCK, holes[0])
    table.press(Key.MISDEAL)
    assert table.view.prompt_code == "acted"


def going_back(table, flop) -> None:
    table.flop()
    table.press(Key.PREMATURE)
    assert table.state.returning


def waiting_aside(table, flop) -> None:
    table.flop()
    table.press(Key.NEXT)
    turn = table.deal_street()[-1]
    table.press(Key.PREMATURE)
    table.lose(BOARD, turn)
    table.see(ASIDE, turn)
    assert table.state.waiting


def both_of_a_group(table, flop) -> None:
    table.begun()
    table.let_out()
    table.let_out()
    assert table.state.along


def doubted(table, flop) -> None:
    table.holes()
    table.press(Key.SUSPECT)


@pytest.mark.parametrize(
    ("open_", "by", "cost"),
    [
        (flashed_flop, Dispense.SINGLE, MIXED),
        (cut_owed, Dispense.HAND, TOLD),
        (unburned, Dispense.HAND, TOLD),
        (half_read, Dispense.HAND, TOLD | {"strays"}),
        (asked_whether_acted, Dispense.SINGLE, MIXED),
        (both_of_a_group, Dispense.GROUP, MIXED),
        (doubted, Dispense.SINGLE, MIXED | {"whole_read"}),
    ],
)
def test_an_award_taken_back_leaves_open_what_was_open(make_table, flop, open_, by, cost) -> None:
    table = make_table(house=House(dispense=by))
    open_(table, flop)
    before = table.state
    table.press(Key.AWARD)
    table.press(Key.UNDO)
    assert changed(before, table.state) <= cost


def test_by_hand_the_cut_that_was_owed_is_asked_for_and_the_hand_goes_on_C16(make_table, flop) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    cut_owed(table, flop)
    table.press(Key.AWARD)
    table.press(Key.UNDO)
    assert table.view.prompt_code == "cut"
    table.press(Key.CUT)
    table.press(Key.NEXT)
    table.see(BOARD, token(1, 40))
    assert (table.reasons, table.view.expect) == ([], BOARD)


# AWARD, not taken back: nothing of the hand is open any more.


def proving(table, flop) -> None:
    table.holes()
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    assert (table.state.proof is not None, table.state.order_lost) == (True, True)


def searching(table, flop) -> None:
    cards = table.flop()
    table.lose(BOARD, cards[-1])
    table.see(seat(1), cards[-1])
    table.press(Key.FIND)
    assert (table.state.search is not None, table.state.strays) == (True, (cards[-1],))


def doubting_a_tag(table, flop) -> None:
    table.holes()
    table.see(BOARD, Token(17))
    table.lose(BOARD, Token(17))
    table.see(MUCK, Token(18))
    assert table.state.suspects


def a_turn_running(table, flop) -> None:
    table.holes()
    assert table.state.turn is not None


OPEN = [
    flashed_flop, cut_owed, unburned, half_read, asked_whether_acted, going_back, waiting_aside, doubted, proving,
    searching, a_turn_running,
]  # fmt: skip
OVER = {
    "plan": (), "along": (), "early": (), "proof": None, "doubtful": None, "turn": None, "search": None, "last_out": 0,
    "unburned": 0, "strays": (), "suspects": (), "shuffled": 0, "opened": False, "order_lost": False, "recalled": False,
    "waiting": (), "returning": frozenset(), "cut_owed": False, "idle": False, "redeal": False, "button_set": 0,
}  # fmt: skip


@pytest.mark.parametrize("open_", OPEN)
def test_when_the_pot_is_awarded_nothing_of_the_hand_is_open(make_table, flop, open_) -> None:
    by = Dispense.HAND if open_ in (cut_owed, unburned, half_read) else Dispense.SINGLE
    table = make_table(house=House(dispense=by, action_clock_s=60))
    open_(table, flop)
    table.press(Key.AWARD)
    assert {name: getattr(table.state, name) for name in OVER} == OVER
    assert (table.state.memory.deal_id, table.view.phase) == (0, "opening" if open_ is doubted else "gathering")


@pytest.mark.parametrize(("key", "again"), [(Key.AWARD, False), (Key.MISDEAL, True)])
def test_after_a_misdeal_it_is_dealt_again_with_the_same_button_after_an_award_it_is_not_C11(table, key, again) -> None:
    table.begun(button=2)
    table.press(key)
    assert (table.state.redeal, table.state.button_set) == (again, 2 if again else 0)


def test_a_tag_that_meant_nothing_at_the_showdown_is_read_twice_and_means_something_after_it_1824(
    table, brought_to
) -> None:
    brought_to(table, "showdown")
    table.see(BOARD, Token(17))
    table.see(MUCK, Token(18))
    table.lose(MUCK, Token(18))
    table.press(Key.AWARD)
    table.wait(149)
    assert table.reasons == []
    table.wait(1)
    assert [(h.reason, h.clause, h.token) for h in table.state.holds] == [("recount", "1824", Token(17))]


def test_one_that_a_hold_names_already_is_not_named_again_1824(table) -> None:
    table.holes()
    table.see(BOARD, Token(17))
    table.wait(1000)
    assert [(h.reason, h.token) for h in table.state.holds] == [("foreign_card", Token(17))]
    table.press(Key.AWARD)
    assert table.state.suspects == ()
    table.wait(1000)
    assert [(h.reason, h.token) for h in table.state.holds] == [("foreign_card", Token(17))]


@pytest.mark.parametrize(
    ("why", "empty"), [("door", True), ("error", True), ("", False)], ids=["a door", "a jam", "nothing"]
)
def test_a_machine_that_was_opened_in_the_hand_is_emptied_after_it_S2(table, why, empty) -> None:
    table.holes()
    if why:
        table.tell(lambda at: ev.ShufflerLocked(at, why))
    table.press(Key.AWARD)
    assert (table.state.empty_owed, table.reasons) == (empty, [])


def test_so_is_one_that_disagrees_and_one_of_a_deck_that_did_not_add_up_S2_S3(table) -> None:
    table.holes()
    table.meet(machine=-1, agreed=False, last_id=table.state.memory.next_id, why="content")
    assert table.reasons == ["unaccounted_dispense"]
    table.press(Key.AWARD)
    assert (table.state.empty_owed, table.state.disagrees) == (True, True)


@pytest.mark.parametrize(
    ("counted", "reason", "out"), [(47, "recount", False), (45, "card_missing", True), (46, "", False)]
)
def test_a_proof_that_failed_costs_the_machine_or_the_deck_when_the_hand_is_over_S3_1819(
    table, counted, reason, out
) -> None:
    unaccounted(table)
    for _ in range(2 if reason else 1):
        table.cycle(Cycle.COUNT, counted)
    assert table.reasons == ["unaccounted_dispense", *([reason] if reason else [])]
    told = [command.reason.value for command in table.press(Key.AWARD) if type(command).__name__ == "Notice"]
    assert (table.state.empty_owed, table.state.decks[0].status == "quarantined") == (bool(reason), out)
    assert ("pot_returned" in told) is out


def test_of_a_group_whose_second_card_was_not_taken_the_first_is_on_its_way_again_1809(make_table) -> None:
    table = make_table(house=House(dispense=Dispense.GROUP))
    table.begun()
    first = table.let_out()
    table.let_up()
    release, exit_id = table.state.memory.pending, table.state.memory.exit_id
    table.press(Key.AWARD)
    table.tell(lambda at: ev.CardNotTaken(at, release, exit_id))
    table.press(Key.UNDO)
    assert (table.state.released.token, table.state.along) == (first, ())


def test_the_time_to_act_ends_with_a_hand_that_is_void_1821(make_table) -> None:
    table = make_table(house=House(action_clock_s=60))
    table.holes()
    table.rule(Ruling.VOID_HAND)
    assert table.state.turn is None


@pytest.mark.parametrize("why", ["door", "error"])
def test_a_machine_held_before_the_award_is_held_for_that_alone_when_it_is_taken_back_S2(table, why) -> None:
    table.holes()
    table.tell(lambda at: ev.ShufflerLocked(at, why))
    before = table.state.holds
    assert len(before) == 1
    table.press(Key.AWARD)
    assert (table.state.holds, table.state.empty_owed) == ((), True)
    table.press(Key.UNDO)
    assert table.state.holds == before


def test_a_deck_that_did_not_add_up_before_the_award_is_held_for_that_alone_when_it_is_taken_back_S3(table) -> None:
    unaccounted(table)
    for _ in range(2):
        table.cycle(Cycle.COUNT, 47)
    before = table.state.holds
    assert table.reasons[-1] == "recount"
    table.press(Key.AWARD)
    assert table.state.empty_owed
    table.press(Key.UNDO)
    assert table.state.holds == before
