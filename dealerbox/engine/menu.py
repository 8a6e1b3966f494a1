"""What five buttons can say now: the key that is asked for, and the menu of what may have gone wrong.

The engine says what is likely, never what is lawful alone: every key that the law page gives a meaning in
this phase is in the menu, or has a button of its own (ACTION, COUNT, DECK), or is GO or NO.
"""

from collections.abc import Mapping
from typing import Final

from dealerbox.engine.dead import is_meant
from dealerbox.engine.facts import in_hand, live_seats
from dealerbox.engine.find import may_be_found
from dealerbox.engine.hand import may_be_complete, may_be_taken_up, may_be_too_early
from dealerbox.engine.holds import has_hold
from dealerbox.engine.keys import may_be_suspect, may_go_by_hand
from dealerbox.engine.phases import Phase
from dealerbox.engine.procedures import cut_due
from dealerbox.engine.questions import Question
from dealerbox.engine.state import State
from dealerbox.engine.undo import may_be_undone
from dealerbox.law.plan import Street
from dealerbox.model.keys import Key
from dealerbox.model.menu import Choice
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import MUCK, seat_number

WORDS: Final[Mapping[Key, str]] = {
    Key.EXPOSED: "Card was flashed",
    Key.OFF_TABLE: "Card fell off the table",
    Key.FACED: "Card lay face up",
    Key.MISDEAL: "MISDEAL",
    Key.PREMATURE: "Street came too early",
    Key.UNBURN: "Burn card goes back",
    Key.CUT: "The deck is cut",
    Key.SUSPECT: "Deck bent or marked",
    Key.RETRIEVE: "A mucked hand lives",
    Key.MANUAL: "Machine stuck: by hand",
    Key.FIND: "Look for a card",
    Key.NEXT: "Round is complete",
    Key.AWARD: "Pots are awarded",
}
"""What a line of the menu says; UNDO names the key that it takes back."""

SEATED: Final = frozenset({Key.EXPOSED, Key.OFF_TABLE, Key.RETRIEVE})
"""Keys that name a seat."""

_PLAIN: Final = {key: Choice(key, words) for key, words in WORDS.items()}

_HOLES: Final = (Key.EXPOSED, Key.MISDEAL, Key.OFF_TABLE, Key.FACED, Key.MANUAL, Key.SUSPECT)
_STREET: Final = (Key.PREMATURE, Key.FACED, Key.EXPOSED, Key.OFF_TABLE, Key.MANUAL, Key.MISDEAL, Key.SUSPECT)
_ROUND: Final = (Key.RETRIEVE, Key.PREMATURE, Key.EXPOSED, Key.OFF_TABLE, Key.MISDEAL, Key.FACED, Key.SUSPECT)
_REST: Final = (Key.RETRIEVE, Key.FIND, Key.UNBURN, Key.CUT, Key.MANUAL, Key.NEXT, Key.AWARD)
"""Behind what is likely, what is possible in every open hand."""
_SHOWDOWN: Final = (Key.RETRIEVE, Key.PREMATURE, Key.FACED, Key.SUSPECT, Key.FIND, Key.NEXT, Key.MISDEAL)
_BETWEEN: Final = (Key.SUSPECT, Key.MANUAL, Key.CUT, Key.FIND)
_GATHERING: Final = (Key.FIND, Key.MANUAL, Key.SUSPECT, Key.CUT)
_OPENING: Final = (Key.SUSPECT, Key.MANUAL, Key.FIND, Key.CUT)

_REMEDY: Final[Mapping[Reason, Key]] = {
    Reason.WRONG_SEAT: Key.MISDEAL,
    Reason.WRONG_ZONE: Key.MISDEAL,
    Reason.ROUND_OPEN: Key.PREMATURE,
    Reason.TOO_MANY_CARDS: Key.MISDEAL,
    Reason.TOO_FEW_CARDS: Key.MISDEAL,
    Reason.BURN_IN_MUCK: Key.FIND,
    Reason.DEAD_CARD_BACK: Key.RETRIEVE,
    Reason.DOUBLE_FEED: Key.MISDEAL,
    Reason.CARD_UNREAD: Key.FACED,
    Reason.JAM: Key.MANUAL,
    Reason.DOOR_OPEN: Key.MANUAL,
    Reason.DEVICE_LOST: Key.MANUAL,
}
"""The key of the menu that a hold makes the likeliest."""

_ASKED: Final = frozenset({Key.ACK, Key.CUT, Key.COUNT})
_PHASES: Final[Mapping[Phase, Key]] = {
    Phase.CLOSED: Key.START,
    Phase.OPENING: Key.ACK,
    Phase.BETWEEN: Key.START,
    Phase.DEALING: Key.NEXT,
    Phase.GATHERING: Key.START,
}
"""What GO says where nothing is asked, and no round is open: where it is refused, the refusal says why."""


def go(state: State, lit: tuple[Key, ...], question: Question) -> Key:
    """Return the key that is asked for now, of those that would be taken.

    AWARD ends a hand and is taken at any time in it: it is asked for only when nothing else is to come. DECK ends a
    deck and has a button of its own. While something is asked or held GO goes past it by no NEXT and no AWARD (the menu
    has them): it answers, or is refused until there is something to answer.
    """
    asked = next((key for key in lit if key in _ASKED), None)
    if not in_hand(state) or state.phase is Phase.DEALING:
        return asked or _PHASES[state.phase]
    if question or state.holds:
        return asked or (Key.NEXT if has_hold(state, Reason.ROUND_OPEN) else Key.ACK)
    return Key.AWARD if state.phase is Phase.SHOWDOWN or len(live_seats(state)) < 2 else Key.NEXT


def menu(state: State, asked: Key) -> tuple[Choice, ...]:
    """Return what may have gone wrong now, the likeliest first; `asked` is what GO says and is left out.

    So is every key for which there is nothing to do now; MISDEAL after action is refused by the law, and on record.
    """
    keys = _keys(state)
    for held in reversed(state.holds):
        likeliest = _REMEDY.get(held.reason)
        if likeliest in keys:
            keys = {likeliest: None, **keys}
    undone = may_be_undone(state)
    choices = [] if undone is None else [Choice(Key.UNDO, f"UNDO {undone.upper()}")]
    for key in keys:
        if key is asked:
            continue
        if key in SEATED:
            seats = seats_meant(state, key)
            choices += [Choice(key, WORDS[key], seats)] if seats else []
        elif _means(state, key):
            choices.append(_PLAIN[key])
    return tuple(choices)


_IN: Final[Mapping[Phase, dict[Key, None]]] = {
    phase: dict.fromkeys(keys)
    for phase, keys in {
        Phase.CLOSED: (),
        Phase.OPENING: _OPENING,
        Phase.BETWEEN: _BETWEEN,
        Phase.DEALING: (*_STREET, *_REST),
        Phase.BETTING: (*_ROUND, *_REST),
        Phase.SHOWDOWN: (*_SHOWDOWN, *_REST),
        Phase.GATHERING: _GATHERING,
    }.items()
}
_IN_THE_HOLES: Final = dict.fromkeys((*_HOLES, *_REST))


def _keys(state: State) -> dict[Key, None]:
    if state.phase is Phase.DEALING and state.street is Street.PREFLOP:
        return _IN_THE_HOLES
    return _IN[state.phase]


def _means(state: State, key: Key) -> bool:
    """Tell whether there is something to do for a key that names no seat, in a phase that has it."""
    match key:
        case Key.PREMATURE:
            return may_be_too_early(state)
        case Key.UNBURN:
            return may_be_taken_up(state)
        case Key.NEXT:
            return may_be_complete(state)
        case Key.CUT:
            return cut_due(state)
        case Key.FIND:
            return may_be_found(state)
        case Key.FACED:
            return is_meant(state, key, 0)
        case Key.MANUAL:
            return may_go_by_hand(state)
        case Key.SUSPECT:
            return may_be_suspect(state)
    return True


def seats_meant(state: State, key: Key) -> tuple[int, ...]:
    """Return the seats that EXPOSED, OFF_TABLE or RETRIEVE can mean, the likeliest first; 0: the card dealt last."""
    return _mucked(state) if key is Key.RETRIEVE else _dealt(state, key)


def _dealt(state: State, key: Key) -> tuple[int, ...]:
    """Return those that were dealt a card, the last one first; before them 0. No seat is meant once players acted."""
    last = (0,) if is_meant(state, key, 0) else ()
    if state.acted or state.street is not Street.PREFLOP:
        return last
    numbers = (seat_number(record.dealt) for record in reversed(state.out.values()))
    seats = dict.fromkeys(number for number in numbers if number)
    return (*last, *(number for number in seats if is_meant(state, key, number)))


def _mucked(state: State) -> tuple[int, ...]:
    """Return the seats of which a card lies dead in the muck."""
    numbers = {seat_number(record.dealt) for record in state.out.values() if record.home == MUCK}
    return tuple(number for number in state.seats if number in numbers)
