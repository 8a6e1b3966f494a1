"""The phases of a table, move by move."""

import pytest

from dealerbox.engine.phases import Phase, Trigger, move

MOVES = """
closed    open_table     opening
opening   verified       between
opening   change_deck    opening
opening   close_table    closed
between   start          dealing
between   change_deck    opening
between   close_table    closed
dealing   dealt          betting
dealing   last_dealt     showdown
dealing   round_reopened betting
dealing   over           gathering
betting   next_street    dealing
betting   owed_again     dealing
betting   round_reopened betting
betting   over           gathering
showdown  owed_again     dealing
showdown  round_reopened betting
showdown  over           gathering
gathering gathered       between
gathering change_deck    opening
gathering close_table    closed
"""
LAWFUL = {(Phase(one), Trigger(by)): Phase(other) for one, by, other in map(str.split, MOVES.strip().splitlines())}


@pytest.mark.parametrize("trigger", Trigger)
@pytest.mark.parametrize("phase", Phase)
def test_a_phase_leads_where_it_must_and_nowhere_else(phase: Phase, trigger: Trigger) -> None:
    if (phase, trigger) in LAWFUL:
        assert move(phase, trigger) is LAWFUL[phase, trigger]
    else:
        with pytest.raises(ValueError, match=f"no move '{trigger}' from phase '{phase}'"):
            move(phase, trigger)
