"""What of a state nothing will ask for again before it is set anew: left out of the key.

Each field has its reason here, read off the engine. That two states which differ in such a field alone do behave alike
is looked at besides: `python -m bench.closure alike`, and in small `tests/closure/test_alike.py`.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

from msgspec.structs import replace

from dealerbox.engine.facts import in_hand
from dealerbox.engine.state import NOWHERE, Condition, Standing, State, change
from dealerbox.model.cards import DECK_SIZE

_copied: Final[Callable[[State], State]] = attrgetter("__copy__")(State)


OF_A_HAND: Final[dict[str, Any]] = {
    "acted": False,
    "street_acted": False,
    "exposed": 0,
    "unseen": 0,
    "dead": frozenset(),
    "button_stands": (),
    "button_since_ns": 0,
    "up_ns": 0,
    "read_up": False,
}
"""Read while a hand is open alone, and by then set anew by START, the last two by the first card that comes up. Where
the button lies when a hand starts, there it belongs, and ButtonAt says since when it lies elsewhere. Not while AWARD or
MISDEAL can be undone, which opens the same hand again."""


def remembered(state: State, undone: bool) -> State:
    """Return the state without what nothing asks for any more; `undone`: a key can be taken back."""
    gone = {} if in_hand(state) or undone else OF_A_HAND | {"holds": tuple(map(_where_is_only_shown, state.holds))}
    if not state.memory.exit_id:
        gone |= _of_the_gate(state)
    elif state.proof is not None:  # it goes back into the machine before anything is asked of it
        gone["up_ns"] = 0
    if not _button_is_away(state):
        gone["button_since_ns"] = 0
    if not _is_read_again(state):
        gone["cycle_ns"] = 0
    return change(_copied(state), **gone)


def _where_is_only_shown(held: Standing) -> Standing:
    """Return a hold of the time between hands without where its card lay, which is shown, and nothing more.

    That is asked of a hold which the sight of a card ends, and of one that is about a zone and nothing else.
    """
    asked = held.needs is Condition.SIGHT or not (held.token or held.device)
    return held if asked else replace(held, zone=NOWHERE, to=NOWHERE)


def _of_the_gate(state: State) -> dict[str, Any]:
    """Return what is asked of the card behind the gate alone, none being there.

    One comes there by DISPENSE: its order sets `read_up`, CardUp sets `up_ns`. One that a person's word puts there
    (PLACES) is taken back into the machine before anything is asked of it.
    """
    return {"up_ns": 0} if state.memory.pending_kind == "Dispense" else {"up_ns": 0, "read_up": False}


def _button_is_away(state: State) -> bool:
    """Tell whether it is asked since when the button lies where it does (`is_moving`).

    Where it lies rightly, or the director let it lie, only ButtonAt can change that, and it says since when.
    """
    seen = state.button_seen
    return bool(seen) and state.button not in seen and seen != state.button_stands


def _is_read_again(state: State) -> bool:
    """Tell whether it may be asked when the last cycle of the machine ended: where it is said to hold all 52.

    It is asked between hands, of a machine that is full while cards are out; one that holds less is full after a cycle.
    """
    return state.memory.machine + bool(state.memory.exit_id) >= DECK_SIZE
