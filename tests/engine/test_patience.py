"""A machine whose commands come to nothing again and again is called jammed, whatever else is held (house S2)."""

import pytest

from dealerbox.model import events as ev
from dealerbox.model.keys import Key
from dealerbox.model.shuffler import Cycle, Result
from dealerbox.model.zones import seat

OFTEN = 8


def void(table, times: int = 1) -> None:
    for _ in range(times):
        number = table.state.memory.pending
        if number:
            table.tell(lambda at, number=number: ev.CommandVoid(at, number, "busy"))


def test_counts_that_come_to_nothing_while_a_hold_stands_end_in_a_jam(table) -> None:
    table.holes()
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    table.meet(machine=46)
    assert (table.reasons, table.state.memory.pending_kind) == (["door_open"], "Count")
    void(table, OFTEN)
    assert (table.reasons, table.state.memory.pending) == (["door_open", "jam"], 0)
    table.meet(machine=46)
    table.cycle(Cycle.COUNT, 46)
    table.press(Key.ACK)
    assert table.reasons == []


def test_releases_that_a_hold_stops_are_no_fault_of_the_machine(table) -> None:
    table.begun()
    for _ in range(OFTEN):
        table.let_up() if table.state.memory.pending_kind == "Dispense" else table.wait(200)
        release, exit_id = table.state.memory.pending, table.state.memory.exit_id
        table.button(3)
        table.wait(2000)
        table.tell(lambda at, r=release, e=exit_id: ev.CardNotTaken(at, r, e))
        table.button(1)
    assert table.reasons == []
    table.let_out()
    assert table.view.expect == seat(2)


PATIENCE = 5
"""So many commands in a row may come to nothing."""


def brings_no_card(table) -> None:
    number = table.state.memory.pending
    table.tell(lambda at: ev.Misfed(at, number, Result.NO_FEED))


def is_not_done(table) -> None:
    void(table)


def is_not_taken(table) -> None:
    """The card is up and has its permit, and nobody takes it out of the gate."""
    if table.state.memory.pending_kind == "Dispense":
        table.let_up()
    release, exit_id = table.state.memory.pending, table.state.memory.exit_id
    table.tell(lambda at: ev.CardNotTaken(at, release, exit_id))


NOTHING = [brings_no_card, is_not_done, is_not_taken]


def again(table, nothing, times) -> None:
    for _ in range(times):
        nothing(table)
        table.wait(200)


@pytest.mark.parametrize("nothing", NOTHING)
def test_a_command_that_comes_to_nothing_is_given_again_so_many_times_and_then_it_is_a_jam_S2(table, nothing) -> None:
    table.begun()
    again(table, nothing, PATIENCE)
    assert (table.reasons, table.state.memory.pending > 0) == ([], True)
    again(table, nothing, 1)
    assert table.reasons == ["jam"]


@pytest.mark.parametrize("nothing", NOTHING)
def test_one_that_moved_a_card_begins_the_count_anew(table, nothing) -> None:
    table.begun()
    again(table, nothing, PATIENCE)
    table.deal()
    again(table, nothing, PATIENCE)
    assert table.reasons == []


def test_after_a_jam_that_was_put_right_the_count_begins_anew(table) -> None:
    table.begun()
    again(table, brings_no_card, PATIENCE + 1)
    table.cycle(Cycle.COUNT, 52)
    table.press(Key.ACK)
    table.cycle(Cycle.SHUFFLE, 52)
    table.press(Key.CUT)
    again(table, brings_no_card, PATIENCE)
    assert table.reasons == []


def test_a_shuffle_that_it_will_not_begin_is_asked_for_so_many_times_and_then_it_is_to_be_emptied_S2(table) -> None:
    table.begun()
    number = table.state.memory.pending
    table.press(Key.MISDEAL)
    table.tell(lambda at: ev.CardUp(at, number))
    table.retracted()
    for refused in range(PATIENCE + 1):
        assert (table.state.memory.pending_kind, table.view.prompt_code == "empty") == ("Shuffle", False), refused
        table.cycle(Cycle.SHUFFLE, 0, Result.REFUSED)
    assert table.view.prompt_code == "empty"
