"""A machine that takes no card in itself is filled by people: when the deck is on its way into it (S3)."""

import pytest
from msgspec.structs import replace

from dealerbox.engine.facts import filled_by_hand
from dealerbox.model.shuffler import Cap
from dealerbox.model.zones import INFEED


@pytest.fixture
def filling(table):
    """A new deck, of which ten cards have passed the reader of the infeed."""
    table.started()
    table.meet(caps=0x7FFF & ~int(Cap.RETURN))
    state = table.state
    state.out = dict(list(state.out.items())[10:])
    state.memory = replace(state.memory, machine=10, pending=0, pending_kind="")
    assert INFEED not in state.blind
    return state


def takes_them_in(state) -> None:
    state.caps |= int(Cap.RETURN)


def silent(state) -> None:
    state.up = False


def full(state) -> None:
    state.memory = replace(state.memory, machine=52)


def all_in(state) -> None:
    state.out = {}


def to_be_emptied(state) -> None:
    state.empty_owed = True


def busy(state) -> None:
    state.memory = replace(state.memory, pending=7, pending_kind="Places")


def test_while_cards_are_out_and_it_is_ready_for_them(filling) -> None:
    assert filled_by_hand(filling)


@pytest.mark.parametrize("why", [takes_them_in, silent, full, all_in, to_be_emptied, busy])
def test_not_where_one_thing_speaks_against_it(filling, why) -> None:
    why(filling)
    assert not filled_by_hand(filling)
