"""A machine whose commands come to nothing again and again is called jammed, whatever else is held (house S2)."""

from dealerbox.model import events as ev
from dealerbox.model.keys import Key
from dealerbox.model.shuffler import Cycle
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
