"""What each rule is for: the same search without it, and what it finds."""

from typing import Final

import msgspec

from bench.protocol.values import Faults, Rules, Setting


class Simplification(msgspec.Struct, frozen=True):
    """A rule left out, and the setting in which it shows."""

    name: str
    setting: Setting
    breaks: str = ""
    """The invariant that must be found broken; '' : states from which nothing leads back."""


def _without(name: str, rule: str, breaks: str, ids: int = 2, **settings: int) -> Simplification:
    faults = Faults(**settings)
    return Simplification(name, Setting(name, ids=ids, faults=faults, rules=Rules(**{rule: False})), breaks)


_OLD: Final = "a permit older than the last restriction is obeyed"
_HELD: Final = "a card leaves under a hold that nobody who knew it has cleared"
_VOID: Final = "void, failed or not taken, and a card has left"
_OTHER: Final = "armed and settled, and the host's record is another"
_TRUTH: Final = "armed, and its record is not the truth"

BREAKING: Final = (
    _without("RELEASE without id", "release_has_id", _VOID),
    _without("HOLD not latched", "hold_is_latched", _HELD, host=1, device=1, hold=1),
    _without("lease (fence) not bound to the session", "session_raises_fence", _OLD, host=1),
    _without("a lock without a new fence", "lock_raises_fence", _OLD, lease=1),
    _without("CLEAR_HOLD without number", "clear_has_number", _HELD, host=1, hold=2),
    _without("two cards at the exit", "one_card_at_exit", "two cards leave under one release", ids=3),
    _without("device journal after motion", "device_writes_first", _VOID, device=1),
    _without("permit before record (host)", "host_writes_first", "a card leaves under an id that nobody gave", host=1),
    _without("token spent after motion", "token_spent_first", "a shuffle opens two hands", 4, device=1),
    _without("own error does not lock", "error_locks", _TRUTH, misfeed=1),
    _without(
        "exit reader not asked before RELEASE", "exit_reader_asked", "two cards leave under one release", misfeed=1
    ),
    _without("wiped memory not declared", "wipe_is_told", "", wipe=1),
    _without("a sensor that changes unasked does not lock", "unasked_sensor_locks", _TRUTH, hand=1),
    _without("a stranger not held before PLACES", "stranger_is_held", _OTHER, loss=1),
    _without("a HOLD known and gone, and the session kept", "known_hold_greets_anew", "", hold=1, loss=1),
)
"""Left out, each of these breaks: it is how the check is known to bite."""

HARMLESS: Final = (
    _without("CLEAR_HOLD raises no fence", "clear_raises_fence", "", host=1, device=1, hold=1),
    _without("a refusal takes no id", "refusal_takes_id", "", host=1, device=1, hold=1),
)
"""Kept though the search holds without them."""
