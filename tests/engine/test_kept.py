"""What UNDO keeps is one state: not what UNDO would take back in it, nor what was answered on the way to it (P5)."""

from dealerbox.engine.state import change, kept
from dealerbox.model.commands import WakeAt
from dealerbox.model.keys import Key


def test_what_is_kept_is_as_it_was_whatever_is_made_of_the_state_later(table) -> None:
    table.flop()
    table.press(Key.ACTION)
    state = change(table.state, out_commands=(WakeAt(5),))
    was = kept(state)
    assert (was.undo, was.out_commands, was.acted) == (None, (), True)
    assert change(state, acted=False) is state
    assert was.acted
