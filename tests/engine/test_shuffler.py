"""What the shuffler tells, command by command: what it has done with, what it holds, what is owed again (S1, S2)."""

import pytest

from bench.decided import only
from dealerbox.engine.state import Condition
from dealerbox.model import events as ev
from dealerbox.model.cards import token
from dealerbox.model.commands import Count, Dispense, Hold, Places, Refuse, Return, Shuffle
from dealerbox.model.keys import Key
from dealerbox.model.shuffler import Cap, Cycle, Result, Scope
from dealerbox.model.zones import EXIT

# One command at a time.


def test_a_command_is_settled_when_the_machine_says_what_came_of_it_and_stays_so(table) -> None:
    table.begun()
    number = table.state.memory.pending
    assert table.state.memory.settled == number - 1
    table.tell(lambda at: ev.CardUp(at, number))
    memory = table.state.memory
    assert (memory.settled, memory.pending, memory.pending_kind, memory.exit_id) == (number, 0, "", number)
    table.tell(lambda at: ev.CardNotTaken(at, number - 1, 0))
    assert table.state.memory.settled == number


def test_a_feed_of_another_command_that_went_wrong_spends_no_shuffle_S1(table) -> None:
    table.begun()
    number = table.state.memory.pending
    table.tell(lambda at: ev.Misfed(at, number - 1, Result.NO_FEED))
    (again,) = only(table.tell(lambda at: ev.CommandVoid(at, number, "busy")), Dispense)
    assert again.first


@pytest.mark.parametrize("kind", ["Dispense", "Release"])
def test_a_command_that_a_hold_stopped_is_no_fault_of_the_machine(table, kind) -> None:
    table.begun()
    for _ in range(8):
        if kind == "Release":
            table.let_up() if table.pending == "Dispense" else table.wait(200)
        assert table.pending == kind
        number = table.state.memory.pending
        table.button(3)
        table.wait(2000)
        table.tell(lambda at, number=number: ev.CommandVoid(at, number, "held"))
        assert table.reasons == ["button_moved"]
        table.button(1)
    assert table.reasons == []


def test_a_card_that_went_back_into_the_machine_has_no_place_there_and_the_stub_is_shuffled(table) -> None:
    """H10, C16."""
    table.begun()
    table.card_up()
    table.wait(2000)
    table.press(Key.NO)
    assert table.pending == "Retract"
    retract = table.state.memory.pending
    assert only(table.press(Key.ACK), Refuse)  # it is on its way back: nothing is asked of it any more
    (shuffle,) = only(table.tell(lambda at: ev.CardRetracted(at, retract)), Shuffle)
    assert (shuffle.expect, shuffle.scope, table.reasons) == (52, Scope.STUB, [])
    (dispense,) = only(table.cycle(Cycle.SHUFFLE, 52) + table.press(Key.CUT), Dispense)
    assert (dispense.deal_id, dispense.first) == (shuffle.id, True)


def test_a_card_with_its_permit_when_the_hand_ended_is_out_and_on_no_way_any_more(table) -> None:
    table.begun()
    card = table.let_up()
    release, exit_id = table.state.memory.pending, table.state.memory.exit_id
    table.press(Key.MISDEAL)
    assert table.state.released is not None
    table.tell(lambda at: ev.CardPassed(at, release, exit_id))
    assert (table.state.released, table.state.out[card].at) == (None, EXIT)


# What it did unasked, and what it cannot do.


@pytest.mark.parametrize(("why", "reason"), [("door", "door_open"), ("error", "jam"), ("selftest", "jam")])
def test_a_machine_that_shut_itself_is_held_and_counted_only_once_it_answers_S2(table, why, reason) -> None:
    table.holes()
    commands = table.tell(lambda at: ev.ShufflerLocked(at, why))
    assert (table.device_holds, only(commands, Count)) == ([(reason, Condition.PROOF, "shuffler")], [])
    assert only(table.meet(machine=46), Count)


def unasked(table):
    return table.tell(lambda at: ev.CardUp(at, 999))


def test_a_card_that_came_up_unasked_is_on_record_held_and_the_stub_is_counted_at_once(table) -> None:
    """1804A(3)."""
    table.holes()
    commands = unasked(table)
    ((refused,), (held,)) = only(commands, Refuse), only(commands, Hold)
    assert (refused.reason, refused.asked, refused.zone) == ("unaccounted_dispense", "shuffler", EXIT)
    assert (held.reason, held.clause) == ("unaccounted_dispense", "1804A(3)")
    assert [count.scope for count in only(commands, Count)] == [Scope.STUB]


def test_of_a_machine_that_is_away_it_is_counted_when_it_is_met(table) -> None:
    table.holes()
    table.tell(lambda at: ev.DeviceLost(at, "shuffler", "silent"))
    assert not only(unasked(table), Count)
    assert not only(table.meet(machine=46, agreed=False, why="content"), Count)
    assert table.view.prompt_code == "places"


@pytest.mark.parametrize("why", ["busy", ""])
def test_a_word_that_the_machine_did_not_take_is_asked_for_again(table, why) -> None:
    table.holes()
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    table.meet(machine=-1, agreed=False, why="content")
    for _ in range(2):
        assert table.view.prompt_code == "places"
        (places,) = only(table.press(Key.ACK), Places)
        assert table.view.prompt_code != "places"
        table.tell(lambda at, places=places: ev.CommandVoid(at, places.id, why))
    assert table.view.prompt_code == "places"


def test_a_persons_word_says_how_many_are_inside_that_none_is_at_the_exit_and_that_the_order_is_lost(table) -> None:
    table.holes()
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    table.meet(machine=-1, agreed=False, why="content")
    (places,) = only(table.tell(lambda at: ev.KeyPressed(at, Key.ACK, badge="17")), Places)
    assert (places.machine, places.exit_id, places.order_lost, places.person) == (46, 0, True, 17)
    table.tell(lambda at: ev.PlacesSet(at, places.id))
    assert (table.state.memory.machine, table.state.memory.exit_id) == (46, 0)


def test_a_card_that_nobody_ordered_and_the_exit_reads_is_placed_there_by_the_number_of_the_word(table) -> None:
    table.holes()
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    table.meet(machine=-1, agreed=False, why="content")
    table.see(EXIT, token(1, 7))
    (places,) = only(table.press(Key.ACK), Places)
    assert (places.machine, places.exit_id) == (45, places.id)
    table.tell(lambda at: ev.PlacesSet(at, places.id))
    assert (table.state.memory.machine, table.state.memory.exit_id) == (45, places.id)


# Cycles.


def gathering(table, back) -> None:
    """AWARD, and so many of the six cards have passed the infeed."""
    holes = table.holes()
    table.press(Key.AWARD)
    number = table.state.memory.pending
    if table.pending == "Retract":
        table.tell(lambda at: ev.CardRetracted(at, number))
    table.feed(*holes[:back])


@pytest.mark.parametrize(
    ("number", "result", "asked"),
    [(1, Result.DONE, True), (0, Result.DONE, False), (1, Result.INTERRUPTED, False)],
)
def test_what_the_machine_took_in_is_in_it_and_it_goes_on_taking_in_while_some_come_H7(
    table, number, result, asked
) -> None:
    gathering(table, number)
    returns = only(table.cycle(Cycle.RETURN, number, result), Return)
    inside = 46 + number * (result is Result.DONE)
    assert ([r.expect for r in returns], table.state.memory.machine) == ([52 - inside] if asked else [], inside)
    assert (table.view.prompt_code == "feed") is not asked


@pytest.mark.parametrize(("number", "result"), [(51, Result.DONE), (51, Result.WRONG_NUMBER), (52, Result.INTERRUPTED)])
def test_a_shuffle_that_was_not_of_52_or_not_to_its_end_earns_nothing_S1(table, number, result) -> None:
    table.started()
    table.meet()
    table.feed(*(token(1, card) for card in range(1, 53)))
    table.returned(52)
    table.press(Key.ACK)
    table.cycle(Cycle.SHUFFLE, number, result)
    assert table.state.shuffled == 0


def test_a_shuffle_that_found_another_number_is_a_recount_of_that_machine_S3(table) -> None:
    table.holes()
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    table.meet(machine=46)
    table.cycle(Cycle.COUNT, 46)
    table.press(Key.ACK)
    table.cycle(Cycle.SHUFFLE, 45, Result.WRONG_NUMBER)
    assert table.device_holds == [("recount", Condition.DECK, "shuffler")]


def test_a_machine_whose_count_mixes_earns_its_shuffle_again_after_it_S1(table) -> None:
    table.ready()
    table.meet(machine=52, caps=int(~Cap.COUNT_KEEPS_ORDER), token_id=table.state.shuffled)
    table.press(Key.COUNT)
    (shuffle,) = only(table.cycle(Cycle.COUNT, 52), Shuffle)
    assert (shuffle.expect, shuffle.scope) == (52, Scope.DECK)


def test_a_card_is_not_asked_about_before_it_has_had_its_time_to_be_read_H10(table) -> None:
    table.begun()
    table.card_up()
    assert only(table.press(Key.ACK), Refuse)
