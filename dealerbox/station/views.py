"""What a log leads to, a line of JSON each: the certified counts, and the hands."""

from collections.abc import Iterable, Iterator

import msgspec

from dealerbox.engine.facts import in_hand
from dealerbox.model.commands import Certificate, Hold, Refuse
from dealerbox.model.events import Event, KeyPressed, Ruled, WallClock
from dealerbox.model.keys import Key, Ruling
from dealerbox.station.replay import Decision, play


class HeldFor(msgspec.Struct, frozen=True):
    """A hold of a hand."""

    reason: str
    clause: str
    zone: str = ""


class RuledSo(msgspec.Struct, frozen=True):
    """A ruling in a hand."""

    ruling: str
    by: str
    reason: str
    refused: bool


class Hand(msgspec.Struct, frozen=True, kw_only=True):
    """One hand in short; no card is in it."""

    hand: int
    first: int
    """Record in which it began."""
    last: int
    deck: str
    button: int
    seats: tuple[int, ...]
    street: str
    """The last one that was opened."""
    ended: str
    """award, misdeal, void; '' the log ends in it."""
    wall_s: int = 0
    """When it began, in seconds since the epoch, by the last reading of the wall clock; 0: none."""
    lasted_s: float = 0.0
    holds: tuple[HeldFor, ...] = ()
    rulings: tuple[RuledSo, ...] = ()


def counts(lines: Iterable[bytes], name: str) -> Iterator[Certificate]:
    """Yield every certificate of a complete count (1804B(8)), as it was decided. LogError as `play`."""
    for decision in play(lines, name):
        yield from (command for command in decision.expected if isinstance(command, Certificate))


def hands(lines: Iterable[bytes], name: str) -> Iterator[Hand]:
    """Yield every hand of a log, the open one at its end too. LogError as `play`."""
    open_one: _Open | None = None
    wall: WallClock | None = None
    for decision in play(lines, name):
        wall = decision.event if isinstance(decision.event, WallClock) else wall
        if open_one is None and in_hand(decision.state):
            open_one = _Open(decision, wall)
        if open_one is None:
            continue
        open_one.take(decision)
        if not in_hand(decision.state):
            yield open_one.hand(_how(decision.event))
            open_one = None
    if open_one is not None:
        yield open_one.hand("")


def _how(event: Event) -> str:
    """Return how a hand ended by the event that ended it."""
    if isinstance(event, KeyPressed) and event.key is Key.AWARD:
        return "award"
    if isinstance(event, Ruled) and event.ruling is Ruling.VOID_HAND:
        return "void"
    if isinstance(event, KeyPressed) and event.key in (Key.MISDEAL, Key.NO):
        return "misdeal"
    return "undone" if isinstance(event, KeyPressed) and event.key is Key.UNDO else "void"


class _Open:
    """A hand that is open."""

    def __init__(self, first: Decision, wall: WallClock | None) -> None:
        self._first, self._last, self._wall = first, first, wall
        self._street = first.state.street
        self._holds: list[HeldFor] = []
        self._rulings: list[RuledSo] = []

    def take(self, decision: Decision) -> None:
        self._last = decision
        if in_hand(decision.state):
            self._street = decision.state.street
        for command in decision.expected:
            if isinstance(command, Hold):
                held = HeldFor(command.reason.value, command.clause, command.zone)
                self._holds += [held] if held not in self._holds else []  # told again to a device that was away
        if isinstance(decision.event, Ruled):
            refused = any(isinstance(command, Refuse) for command in decision.expected)
            ruled = decision.event
            self._rulings.append(RuledSo(ruled.ruling.value, ruled.by, ruled.reason, refused))

    def hand(self, ended: str) -> Hand:
        first, state = self._first, self._first.state
        wall = self._wall
        passed_ns = self._last.event.at_ns - first.event.at_ns
        return Hand(
            hand=state.hand,
            first=first.seq,
            last=self._last.seq,
            deck=next((deck.name for deck in state.decks if deck.slot == state.deck), ""),
            button=state.button,
            seats=state.seats,
            street=self._street.value,
            ended=ended,
            wall_s=wall.wall_s + (first.event.at_ns - wall.at_ns) // 1_000_000_000 if wall else 0,
            lasted_s=round(passed_ns / 1e9, 1) if passed_ns > 0 else 0.0,
            holds=tuple(self._holds),
            rulings=tuple(self._rulings),
        )
