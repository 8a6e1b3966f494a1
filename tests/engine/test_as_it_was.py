"""UNDO, field by field: what a key changed is as it was before that key, and a card that has its permit keeps it."""

import pytest

from dealerbox.engine.phases import Phase
from dealerbox.engine.state import Undo, kept
from dealerbox.engine.undo import undone
from dealerbox.law.plan import Step, Street
from dealerbox.model.cards import token
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.shuffler import Memory
from dealerbox.model.zones import BOARD

OTHER = {
    "acted": False,
    "nexted": True,
    "street_acted": False,
    "street": Street.RIVER,
    "phase": Phase.DEALING,
    "returning": frozenset({token(1, 7)}),
    "last_out": token(1, 9),
    "plan": (Step(Street.RIVER, BOARD),),
    "recalled": True,
    "waiting": (token(1, 8),),
    "exposed": 3,
    "unburned": token(1, 9),
    "cut_owed": True,
    "button_set": 3,
    "redeal": True,
    "doubtful": Key.MISDEAL,
    "set_used": 2,
    "spent": frozenset({"another"}),
    "sealed": False,
}
"""Another value than a field has at the flop, players having acted."""

BY_KEY = {
    Key.ACTION: "acted street_acted",
    Key.NEXT: "acted nexted street_acted street phase returning last_out",
    **dict.fromkeys(
        (Key.EXPOSED, Key.OFF_TABLE, Key.FACED, Key.PREMATURE),
        "plan phase street street_acted recalled waiting returning exposed last_out",
    ),
    **dict.fromkeys(
        (Key.AWARD, Key.MISDEAL),
        "phase plan doubtful last_out unburned button_set redeal recalled waiting returning cut_owed "
        "set_used spent sealed",
    ),
}
"""The fields that a key may change, and UNDO puts back."""


@pytest.fixture
def acted(table):
    """The flop, with a player's action in its round."""
    table.flop()
    table.press(Key.ACTION)
    return table.state


@pytest.mark.parametrize(("key", "field"), [(key, field) for key, fields in BY_KEY.items() for field in fields.split()])
def test_what_the_key_changed_is_as_it_was(acted, key, field) -> None:
    was = getattr(acted, field)
    assert was != OTHER[field]
    acted.undo = Undo(key, kept(acted))
    setattr(acted, field, OTHER[field])
    if field == "doubtful":
        acted.acted = True
    state = undone(acted)
    assert (getattr(state, field), state.undo, state.refused) == (was, None, None)


@pytest.mark.parametrize("key", [Key.ACTION, Key.NEXT, Key.AWARD, Key.MISDEAL, Key.START])
def test_while_the_permit_of_a_card_is_out_no_key_is_taken_back(acted, key) -> None:
    acted.undo = Undo(key, kept(acted))
    acted.memory = Memory(pending=5, pending_kind="Release")
    assert acted.released is None
    state = undone(acted)
    assert (state.refused, state.undo is None) == ((Reason.NOT_NOW, ""), False)


@pytest.mark.parametrize("key", [Key.AWARD, Key.MISDEAL])
def test_a_hand_that_is_open_again_has_no_shuffle_for_the_next_one_S1(acted, key) -> None:
    acted.undo = Undo(key, kept(acted))
    acted.shuffled = 9
    assert undone(acted).shuffled == 0
