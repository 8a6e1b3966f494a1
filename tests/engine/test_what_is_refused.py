"""What cannot be done now is refused by its name and for its reason, recorded, and changes nothing."""

import pytest
from msgspec.structs import replace

from dealerbox.model import events as ev
from dealerbox.model.commands import Refuse
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.zones import EXIT, seat

TAKEN = {
    "closed": set(),
    "opening": {Key.SUSPECT, Key.MANUAL, Key.FIND},
    "between": {Key.START, Key.COUNT, Key.DECK, Key.SUSPECT, Key.MANUAL},
    "dealing": {Key.AWARD, Key.MISDEAL, Key.EXPOSED, Key.OFF_TABLE, Key.FACED, Key.SUSPECT, Key.MANUAL},
    "betting": {Key.ACTION, Key.NEXT, Key.AWARD, Key.FACED, Key.PREMATURE, Key.SUSPECT, Key.MANUAL},
    "held": {Key.ACTION, Key.NEXT, Key.AWARD, Key.SUSPECT, Key.MANUAL, Key.UNDO},
    "proved": {Key.ACTION, Key.NEXT, Key.AWARD, Key.FACED, Key.PREMATURE, Key.SUSPECT, Key.MANUAL},
    "showdown": {Key.ACTION, Key.NEXT, Key.AWARD, Key.FACED, Key.PREMATURE, Key.SUSPECT, Key.MANUAL},
    "gathering": {Key.SUSPECT, Key.MANUAL, Key.FIND, Key.UNDO},
    "by_hand": {Key.ACTION, Key.NEXT, Key.AWARD, Key.FACED, Key.PREMATURE, Key.SUSPECT, Key.ACK},
}
"""Keys that mean something in each phase; MISDEAL after action is a case of its own (1811(3))."""
WHY = {
    ("closed", Key.START): ("table_closed", ""),
    ("opening", Key.START): ("device_lost", EXIT),
    ("gathering", Key.START): ("cards_out", seat(2)),
    **{
        (phase, Key.MISDEAL): ("misdeal_too_late", "") for phase in ("betting", "held", "proved", "showdown", "by_hand")
    },
}
"""Why and where, but for `not_now`."""
PLAYED = {"dealing", "betting", "held", "proved", "showdown", "by_hand"}
RULED = {
    Ruling.HAND_DEAD: PLAYED,
    Ruling.VOID_HAND: PLAYED,
    Ruling.SET_BUTTON: set(TAKEN) - PLAYED,
    Ruling.SEATS: set(TAKEN) - PLAYED,
    Ruling.CLOSE: {"opening", "between", "gathering"},
    Ruling.PAUSE: set(TAKEN) - {"closed"},
    Ruling.BEGAN: {"closed", "opening", "between"},
}
"""Phases in which a ruling about seat 2, and nothing else named, means something."""


def refusals(commands):
    return [(c.reason.value, c.asked, c.zone) for c in commands if isinstance(c, Refuse)]


@pytest.mark.parametrize("phase", TAKEN)
def test_a_key_that_means_nothing_now_is_refused_by_its_name_and_changes_nothing(table, brought_to, phase) -> None:
    brought_to(table, phase)
    for key in Key:
        before = replace(table.state, refused=None)
        told = refusals(table.tell(lambda at, key=key: ev.KeyPressed(at, key), after_ms=0))
        if key in TAKEN[phase]:
            assert told == [], key
            table.state = before
            continue
        reason, zone = WHY.get((phase, key), ("not_now", ""))
        assert told == [(reason, key, zone)]
        assert (table.state.refused, replace(table.state, refused=None)) == ((reason, zone), before), key


@pytest.mark.parametrize("phase", TAKEN)
def test_a_ruling_that_does_not_fit_is_refused_by_its_name_and_changes_nothing_by_1830_2(
    table, brought_to, phase
) -> None:
    brought_to(table, phase)
    for ruling in Ruling:
        before = replace(table.state, refused=None)
        told = refusals(table.tell(lambda at, r=ruling: ev.Ruled(at, ruling=r, by="ann", reason="so", seat=2), 0))
        if phase in RULED.get(ruling, ()):
            assert told == [], ruling
            table.state = before
            continue
        ((reason, asked, zone),) = told
        assert (reason in ("no_authority", "not_now"), asked, zone) == (True, ruling, "")
        assert replace(table.state, refused=None) == before, ruling


def test_the_next_key_that_is_taken_ends_what_the_panel_says_of_a_refusal(table, brought_to) -> None:
    brought_to(table, "betting")
    table.press(Key.START)
    assert table.state.refused == ("not_now", "")
    table.press(Key.ACTION)
    assert table.state.refused is None
