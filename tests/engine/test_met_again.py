"""The shuffler answers again: what it did since we last spoke, what it is told anew, what is still pending (S2)."""

import pytest

from bench.decided import only
from dealerbox.engine.state import Condition
from dealerbox.model import events as ev
from dealerbox.model.commands import Count, Dispense, Hold, Places, Return
from dealerbox.model.keys import Key
from dealerbox.model.shuffler import Cycle
from dealerbox.model.zones import seat


def test_what_the_machine_knows_when_it_is_met_again_is_settled(table) -> None:
    table.begun()
    number = table.state.memory.pending
    table.meet(machine=51, exit_id=number, last_id=number, deal_id=table.state.memory.deal_id)
    memory = table.state.memory
    assert (memory.settled, memory.pending, memory.exit_id, memory.machine) == (number, 0, number, 51)
    assert (memory.pending_kind, table.state.opened) == ("", True)


@pytest.mark.parametrize(("ahead", "reason"), [(0, "jam"), (1, "unaccounted_dispense"), (5, "unaccounted_dispense")])
def test_in_a_hand_a_machine_that_disagrees_is_held_by_what_it_did_since_we_last_spoke(table, ahead, reason) -> None:
    """1804A(3), S2."""
    table.holes()
    last_id = table.state.memory.next_id - 1 + ahead
    table.meet(machine=-1, agreed=False, last_id=last_id, why="content")
    assert table.device_holds == [(reason, Condition.PROOF, "shuffler")]
    assert table.state.memory.next_id == last_id + 1


def test_the_next_command_has_a_number_that_the_machine_never_heard(table) -> None:
    table.ready()
    table.meet(machine=52, last_id=500, token_id=table.state.shuffled)
    (dispense,) = only(table.press(Key.START), Dispense)
    assert dispense.id == 501


@pytest.mark.parametrize("why", ["content", ""])
def test_what_was_counted_before_it_disagreed_is_counted_again_S2(table, why) -> None:
    table.holes()
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    table.meet(machine=46)
    table.cycle(Cycle.COUNT, 46)
    assert table.view.prompt_code == "proof"
    table.meet(machine=-1, agreed=False, why=why)
    assert (table.view.prompt_code, table.device_holds) == ("places", [("door_open", Condition.PROOF, "shuffler")])
    (places,) = only(table.press(Key.ACK), Places)
    table.tell(lambda at: ev.PlacesSet(at, places.id))
    assert only(table.meet(machine=46), Count)


@pytest.mark.parametrize("phase", ["between hands", "in a hand"])
def test_a_machine_that_came_back_and_still_disagrees_is_told_of_the_hold_anew(table, phase) -> None:
    table.ready() if phase == "between hands" else table.holes()
    (first,) = only(table.meet(machine=-1, agreed=False, why="content"), Hold)
    (again,) = only(table.meet(machine=-1, agreed=False, why="content"), Hold)
    assert (again.key > first.key, again.reason, again.clause) == (True, first.reason, first.clause)


def test_a_machine_that_came_back_and_agrees_is_told_of_a_hold_of_the_hand_anew(table) -> None:
    card = table.begun() or table.let_out()
    (first,) = only(table.see(seat(3), card), Hold)
    (again,) = only(table.meet(machine=51, deal_id=table.state.memory.deal_id), Hold)
    assert again == Hold(key=first.key + 1, reason=first.reason, clause=first.clause, zone=seat(3), to=seat(2))


@pytest.mark.parametrize("found", [False, True])
def test_a_machine_that_came_back_is_told_of_no_hold_that_its_answer_ends(table, found) -> None:
    """The cards that were missed are in it; a hold that it has of its own stands on and is what it is told."""
    table.ready()
    table.press(Key.COUNT)
    table.cycle(Cycle.COUNT, 51)
    table.tell(lambda at: ev.DeviceLost(at, "shuffler", "cable"))
    if found:
        table.tell(lambda at: ev.HoldFound(at, 1, 1, 1))
    assert table.reasons == ["recount", "device_lost", *["restarted"] * found]
    told = [hold.reason.value for hold in only(table.meet(machine=52), Hold)]
    assert told == table.reasons == ["restarted"] * found


def test_a_command_that_it_never_heard_of_is_pending_still_when_it_is_met(table) -> None:
    table.begun()
    number = table.state.memory.pending
    table.meet(machine=52, last_id=number - 1, token_id=table.state.memory.deal_id)
    assert (table.state.memory.pending, table.pending, table.state.opened) == (number, "Dispense", False)


def test_the_first_command_of_all_is_settled_when_the_machine_knows_it(table) -> None:
    table.started()
    (taken,) = only(table.meet(), Return)
    assert taken.id == 1
    (again,) = only(table.meet(last_id=1), Return)
    assert again.id == 2


def test_its_session_and_shuffle_are_remembered_and_one_before_the_first_card_is_worth_what_it_was_S1(table) -> None:
    table.begun()
    memory = table.state.memory
    table.meet(machine=52, last_id=memory.pending - 1, token_id=memory.deal_id, deal_id=0, session=77)
    assert (table.state.order_lost, table.state.memory.session) == (False, 77)


def test_a_count_that_failed_before_it_was_met_again_has_failed_once_S2(table) -> None:
    table.holes()
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    table.meet(machine=46)
    table.cycle(Cycle.COUNT, 45)
    table.meet(machine=46)
    table.cycle(Cycle.COUNT, 45)
    assert table.reasons == ["door_open", "card_missing"]


def test_what_was_held_otherwise_is_ended_by_no_proof_of_a_machine_without_power_S2(table) -> None:
    table.holes()
    table.button(3)
    table.wait(2000)
    table.meet(machine=46, unpowered=True)
    table.cycle(Cycle.COUNT, 46)
    table.press(Key.ACK)
    assert table.reasons == ["button_moved"]


def test_each_time_the_hold_is_told_its_number_is_a_greater_one(table) -> None:
    table.holes()
    keys = []
    for _ in range(3):
        keys += [hold.key for hold in only(table.meet(machine=-1, agreed=False, why="content"), Hold)]
    table.button(3)
    keys += [hold.key for hold in only(table.wait(2000), Hold)]
    assert (len(keys), keys) == (4, sorted(set(keys)))
