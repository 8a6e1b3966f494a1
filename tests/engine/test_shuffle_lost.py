"""A shuffle that was earned is worth nothing once the machine took a card in, or its content is in doubt (S1, S2)."""

import pytest
from msgspec.structs import replace

from dealerbox.model import events as ev
from dealerbox.model.shuffler import Cycle, Result


def disagrees(table) -> None:
    table.meet(machine=52, agreed=False, why="content")


def was_without_power(table) -> None:
    table.meet(machine=52, unpowered=True)


def says_what_cannot_be(table) -> None:
    table.meet(machine=-1)


def forgot_the_shuffle(table) -> None:
    table.meet(machine=52, token_id=table.state.shuffled - 1)


def retracted(table) -> None:
    pending(table, "Retract")
    table.state.memory = replace(table.state.memory, machine=51, exit_id=5)
    table.tell(lambda at: ev.CardRetracted(at, 900))


def took_cards_in(table) -> None:
    pending(table, "Return")
    table.tell(lambda at: ev.CycleEnded(at, 900, Cycle.RETURN, Result.DONE, 0))


def pending(table, kind: str) -> None:
    table.state.memory = replace(table.state.memory, pending=900, pending_kind=kind, next_id=901)


@pytest.mark.parametrize(
    "what",
    [
        disagrees,
        was_without_power,
        says_what_cannot_be,
        forgot_the_shuffle,
        retracted,
        took_cards_in,
    ],
)
def test_between_hands_the_next_hand_needs_another_shuffle(table, what) -> None:
    table.ready()
    before = table.state.shuffled
    assert before > 0
    what(table)
    assert table.state.shuffled != before
    assert table.state.shuffled <= 0


def test_a_machine_that_still_knows_it_has_it(table) -> None:
    table.ready()
    before = table.state.shuffled
    table.meet(machine=52)
    assert table.state.shuffled == before > 0
