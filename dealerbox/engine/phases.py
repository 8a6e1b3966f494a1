"""The phases of a table, kept by `transitions` in its cage.

The only import of `transitions`: one table, no automatic transitions, no callbacks, strings in
and out. `move` is a pure function of its arguments; the machine is a table, not a state.
"""

from enum import StrEnum
from typing import Final

from transitions import Machine, MachineError


class Phase(StrEnum):
    """Where a table is in its evening."""

    CLOSED = "closed"
    OPENING = "opening"
    BETWEEN = "between"
    DEALING = "dealing"
    BETTING = "betting"
    SHOWDOWN = "showdown"
    GATHERING = "gathering"


DEALING: Final = Phase.DEALING
"""Names for what is asked at every event: a member of an enum costs Python 3.11 as much as three calls."""
BETTING: Final = Phase.BETTING
SHOWDOWN: Final = Phase.SHOWDOWN
CLOSED: Final = Phase.CLOSED


class Trigger(StrEnum):
    """What moves a table from phase to phase."""

    OPEN = "open_table"
    VERIFIED = "verified"
    START = "start"
    DEALT = "dealt"
    LAST_DEALT = "last_dealt"
    NEXT = "next_street"
    OWED = "owed_again"
    REOPENED = "round_reopened"
    OVER = "over"
    GATHERED = "gathered"
    CHANGE = "change_deck"
    CLOSE = "close_table"


TABLE: Final = (
    (Trigger.OPEN, (Phase.CLOSED,), Phase.OPENING),
    (Trigger.VERIFIED, (Phase.OPENING,), Phase.BETWEEN),
    (Trigger.START, (Phase.BETWEEN,), Phase.DEALING),
    (Trigger.DEALT, (Phase.DEALING,), Phase.BETTING),
    (Trigger.LAST_DEALT, (Phase.DEALING,), Phase.SHOWDOWN),
    (Trigger.NEXT, (Phase.BETTING,), Phase.DEALING),
    (Trigger.OWED, (Phase.BETTING, Phase.SHOWDOWN), Phase.DEALING),
    (Trigger.REOPENED, (Phase.DEALING, Phase.BETTING, Phase.SHOWDOWN), Phase.BETTING),
    (Trigger.OVER, (Phase.DEALING, Phase.BETTING, Phase.SHOWDOWN), Phase.GATHERING),
    (Trigger.GATHERED, (Phase.GATHERING,), Phase.BETWEEN),
    (Trigger.CHANGE, (Phase.GATHERING, Phase.BETWEEN, Phase.OPENING), Phase.OPENING),
    (Trigger.CLOSE, (Phase.OPENING, Phase.BETWEEN, Phase.GATHERING), Phase.CLOSED),
)


class _Model:
    state: str


_model = _Model()
_machine = Machine(
    model=_model,
    states=[phase.value for phase in Phase],
    transitions=[
        {"trigger": trigger.value, "source": [source.value for source in sources], "dest": dest.value}
        for trigger, sources, dest in TABLE
    ],
    initial=Phase.CLOSED.value,
    auto_transitions=False,
    send_event=False,
    model_override=False,
)


def move(phase: Phase, trigger: Trigger) -> Phase:
    """Return the phase that `trigger` leads to from `phase`; ValueError where the table has no such move."""
    _model.state = phase.value
    try:
        _machine.events[trigger.value].trigger(_model)
    except MachineError as e:
        raise ValueError(f"no move '{trigger}' from phase '{phase}'") from e
    return Phase(_model.state)
