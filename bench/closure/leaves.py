"""What one value of a state folds to, by its declared type and the name of its field.

A leaf is told in a few plain words. What is said of a token is gathered apart, as a mark of that token.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from typing import Any, Final

from dealerbox.engine.state import Card
from dealerbox.law.custody import (
    DAY_S,
    EARLIEST_DAY_S,
    NEVER_NS,
    SECOND_NS,
    Since,
    change_margin_ns,
    count_margin_ns,
    tournament_margin_ns,
    warning_ns,
)
from dealerbox.model.cards import Token
from dealerbox.model.setup import House
from dealerbox.model.zones import EXIT, Zone

IDS: Final = frozenset({"next_id", "pending", "exit_id", "deal_id", "shuffled", "token_id", "last_id", "id", "card_id"})
CLOCKS: Final = {
    "counted": count_margin_ns,
    "changed": change_margin_ns,
    "began": tournament_margin_ns,
    "played": tournament_margin_ns,
}
SEATS: Final = frozenset({"button", "button_set", "button_seen", "button_stands", "dead", "folded", "lies"})


class Numbers(dict[Any, int]):
    """A number for everything that is said of a token, as it is said first."""

    def __missing__(self, mark: Any) -> int:
        self[mark] = number = len(self)
        return number


class Walk:
    """The moment that is folded, and what one walk over a value of it gathers: marks of tokens, ids as they are met."""

    __slots__ = (
        *("bare", "between", "decks", "exit", "house", "ids", "known", "marks", "now_ns", "numbers"),
        *("out", "placing", "scan", "seats", "settle", "zones"),
    )

    now_ns: int
    house: House
    scan: int
    settle: int
    seats: Mapping[int, int]
    """What each seat is called; as it is, where it is not here. The same of zones and decks."""
    zones: Mapping[Zone, Zone]
    decks: Mapping[int, int]
    between: bool
    """No hand is open."""
    bare: bool
    """Nor is there anything to be undone."""
    placing: bool
    """PLACES is pending."""
    out: Mapping[Token, Card]
    exit: Mapping[Token, int]
    """What is read at the exit."""
    known: dict[Any, Any]
    """What values that depend on no moment fold to under these names."""
    numbers: Numbers
    marks: dict[int, list[int]]
    """What is said of each token."""
    ids: list[int]

    def scratch(self) -> "Walk":
        """Return a walk of the same moment that gathers for itself."""
        other = Walk()
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        other.marks, other.ids = {}, []
        return other


Fold = Callable[[Any, Walk, str], Any]


def leaf(hint: Any, name: str) -> Fold | None:
    """Return what folds a field that is told in a way of its own; None: it is not."""
    if name in _BY_NAME:
        return _BY_NAME[name]
    if hint is Since:
        return clock(name)
    if hint == dict[Token, Card]:
        return cards
    if hint == dict[Token, Zone]:
        return places
    if hint is Token:
        return token
    if hint is Zone:
        return zone
    if hint is not int:
        return None
    if name in IDS:
        return command_id
    if name.endswith("_ns"):
        return since
    if name in SEATS:
        return seat
    return slot if name in ("deck", "slot") else None


def plain(value: Any, walk: Walk, path: str) -> Any:
    """What is told as it is."""
    return value


def enum(value: Enum, walk: Walk, path: str) -> Any:
    """A word of a list."""
    return value.value


def token(value: int, walk: Walk, path: str) -> int:
    """A card, or none."""
    if value:
        walk.marks.setdefault(value, []).append(walk.numbers[path])
    return 1 if value else 0


def zone(value: Zone, walk: Walk, path: str) -> Zone:
    """A zone, as it is called."""
    return walk.zones.get(value, value)


def device(value: str, walk: Walk, path: str) -> str:
    """A device, by its name, or as the reader of a zone."""
    reader, of, read = value.rpartition(" ")
    return f"{reader} {walk.zones.get(Zone(read), read)}" if of else value


def seat(value: int, walk: Walk, path: str) -> int:
    """A seat, as it is called."""
    return walk.seats.get(value, value)


def slot(value: int, walk: Walk, path: str) -> int:
    """A deck, as it is called."""
    return walk.decks.get(value, value)


def command_id(value: int, walk: Walk, path: str) -> int:
    """An id, to be told by its rank among all."""
    if value <= 0:
        return value
    walk.ids.append(value)
    return 1


def since(value: int, walk: Walk, path: str) -> int:
    """How long ago a moment is; 3: it has not been."""
    if not value:
        return 3
    age = walk.now_ns - value
    return 0 if age < walk.scan else 1 if age < walk.settle else 2


def clock(name: str) -> Fold:
    """How long ago what a clock of the law counts from is, at the least and at the most."""
    limits = cache(_limits)

    def fold(value: Since, walk: Walk, path: str) -> Any:
        due, margin = limits(name, walk.house)
        earliest = walk.now_ns - value.earliest_ns
        latest = walk.now_ns - value.latest_ns
        return (
            3 if value.earliest_ns <= NEVER_NS else 0 if earliest < due else 1 if earliest <= margin else 2,
            3 if value.latest_ns <= NEVER_NS else 0 if latest < due else 1 if latest <= margin else 2,
            value.wall_s > 0,
            value.here,
            name == "played" and not latest,  # BEGAN may name this very moment, and no later one
        )

    return fold


def _limits(name: str, house: House) -> tuple[int, int]:
    """After how long a clock of the law is due, and overdue."""
    margin = CLOCKS[name](house)
    return warning_ns(margin), margin


def told(value: Any, walk: Walk, path: str) -> int:
    """Whether it is known at all, and before 13:30 (1827)."""
    if value is None:
        return 0
    day_s = (value.day_s + (walk.now_ns - value.at_ns) // SECOND_NS) % DAY_S
    return 1 if day_s < EARLIEST_DAY_S else 2


def wakes(value: tuple[int, ...], walk: Walk, path: str) -> list[int]:
    """When it wakes next: within a scan, within the settling time, later."""
    ahead = [due - walk.now_ns for due in value]
    return sorted({0 if one <= walk.scan else 1 if one <= 2 * walk.settle else 2 for one in ahead})


def placed(value: tuple[int, int], walk: Walk, path: str) -> Any:
    """What the pending PLACES says; nothing when none is pending."""
    return (value[0], command_id(value[1], walk, path)) if walk.placing else 0


def seen(value: dict[Zone, dict[Token, int]], walk: Walk, path: str) -> int:
    """What is read, and how long already where it is astray or at the exit."""
    out, at_exit, marks, zones, numbers = walk.out, walk.exit, walk.marks, walk.zones, walk.numbers
    for name, zone in sorted((zones.get(zone, zone), zone) for zone in value):
        for card, since_ns in value[zone].items():
            record = out.get(card)
            if record is None:
                at_home = walk.between and zone != EXIT
            else:
                at_home = record.at == record.home == zone and card not in at_exit
            mark = ("seen", name) if at_home else ("seen", name, since(since_ns, walk, path))
            marks.setdefault(card, []).append(numbers[mark])
    return 0


def cards(value: dict[Token, Card], walk: Walk, path: str) -> int:
    """What is written of the cards outside."""
    marks, known = walk.marks, walk.known
    if walk.bare and path == "out":
        outside = walk.numbers[path]
        for card in value:
            marks.setdefault(card, []).append(outside)
        return 0
    for card, record in value.items():
        number = known.get((path, record))
        if number is None:
            number = known[path, record] = walk.numbers[path, _words(record, walk)]
        marks.setdefault(card, []).append(number)
    return 0


def places(value: dict[Token, Zone], walk: Walk, path: str) -> int:
    """Where cards are, or belong."""
    marks, zones, numbers = walk.marks, walk.zones, walk.numbers
    for card, zone in value.items():
        marks.setdefault(card, []).append(numbers[path, zones.get(zone, zone)])
    return len(value)


def _words(record: Card, walk: Walk) -> tuple[Any, ...]:
    """What is written of one card."""
    told = (getattr(record, name) for name in record.__struct_fields__)
    return tuple(walk.zones.get(one, one) if isinstance(one, str) else one for one in told)


_BY_NAME: Final[Mapping[str, Fold]] = {
    "daytime": told,
    "device": device,
    "hour": told,
    "wakes": wakes,
    "placed": placed,
    "seen": seen,
}
