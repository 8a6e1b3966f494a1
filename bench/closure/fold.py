"""When two moments of a table are the same one: the key of a State and its World.

The folding walks the fields of the structs by their declared types and knows no rule. It makes these
reductions, and no other:

- **Cards renamed.** Whatever is said of a token (where it lies, which hold is about it, which place it has in an
  ordered field) is gathered into one mark; the key has the sorted marks. Two states that differ by a renaming of
  cards of one deck have one key. The order of dictionaries and sets is dropped.
- **Clocks folded.** A time is kept as how long it is ago, in classes: just now, longer than a scan, longer than the
  settling time; for the clocks of count, deck and tournament: ok, due, overdue, never. Times to be woken at: within a
  scan, within the settling time, later.
- **Ids made relative.** Command ids are replaced by their rank among all that are mentioned. Counters that
  nothing is decided by (`NOTHING`) are dropped.
- **Seats turned.** Where the button lies on an occupied seat, seats are numbered clockwise from it: the law knows no
  other seat number. Used only where the seats are 1..n.
- **Decks renamed.** The deck in play comes first, the others after their status.
- **An UNDO** is kept as those fields of the state before it that `engine/undo.py` reads; in families where nobody
  presses UNDO it is left out.
- **Between hands**, with nothing to be undone, a card outside is outside: where it was last seen is shown to people
  and decides nothing (T6).
- **A card read where it belongs** has been there since always: only cards astray, or at the exit, are asked how long.

That states of one key behave alike is looked at, not believed: see `Explorer.doubles`.
"""

import ast
import inspect
import types
import typing
from collections.abc import Callable
from enum import Enum
from functools import cache
from hashlib import blake2b
from itertools import compress
from operator import attrgetter, is_not
from typing import Any, Final

import msgspec

from dealerbox.engine import undo
from dealerbox.engine.state import Card, Deck, State, Undo
from dealerbox.law.custody import (
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
from dealerbox.model.zones import EXIT, Zone, seat

NOTHING: Final = frozenset(
    {
        "now_ns",
        "clock_ns",
        "wall",
        "setup",
        "refused",
        "first_word",
        "settled",
        "hold_key",
        "session",
        "hand",
        "serial",
        "epoch",
        "retired",
        "boot_id",
    }
    | {"out_commands", "table", "caps", "name", "back", "mark", "person", "key", "certificate", "spent"}
)
"""Fields that decide nothing within one family: counters, names, what the family keeps as it is, what is only shown."""
IDS: Final = frozenset({"next_id", "pending", "exit_id", "deal_id", "shuffled", "token_id", "last_id", "id", "card_id"})
CLOCKS: Final = {
    "counted": count_margin_ns,
    "changed": change_margin_ns,
    "began": tournament_margin_ns,
    "played": tournament_margin_ns,
}
SEATS: Final = frozenset({"button", "button_set", "button_seen", "button_stands", "dead", "folded", "lies"})
UNORDERED: Final = frozenset({"decks", "suspects", "intruders", "strays", "holds"})
"""Tuples whose order only says what is named first."""

Fold = Callable[[Any, "_Walk", str], Any]
_PURE: Final = (str, int, bool)
"""What is told as it is."""


class _Walk:
    """What one walk gathers: a mark for each token, ids in the order of meeting, names turned."""

    __slots__ = (
        *("bare", "between", "decks", "exit", "house", "ids", "known", "marks", "now_ns"),
        *("out", "placing", "scan", "seats", "settle", "twice", "zones"),
    )

    def __init__(self) -> None:
        self.marks: dict[int, list[Any]] = {}
        self.ids: list[int] = []
        self.twice = False

    def scratch(self) -> "_Walk":
        """Return a walk that sees what this one sees, and gathers for itself."""
        other = _Walk()
        for name in self.__slots__:
            if name not in ("marks", "ids"):
                setattr(other, name, getattr(self, name))
        return other


def locate(kind: type[msgspec.Struct], name: str) -> Callable[[Any], Any]:
    """Return what reads the field `name` of a struct, or of a struct that it is made of."""
    if name in kind.__struct_fields__:
        return lambda value: getattr(value, name)
    for field, hint in typing.get_type_hints(kind).items():
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct) and hint is not kind:
            try:
                inner = locate(hint, name)
            except AttributeError:
                continue
            return lambda value, field=field, inner=inner: inner(getattr(value, field))
    raise AttributeError(f"{kind.__name__} has no field {name}, nor has anything in it")


def read_by_undo() -> frozenset[str]:
    """Return the fields of the state before a key that UNDO reads."""
    tree = ast.parse(inspect.getsource(undo))
    return frozenset(
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "before"
    )


def _default(field: Any) -> Any:
    """Return the value of a field that is left out of the key; one that no value is, where all are told."""
    timed = field.name.endswith("_ns") or field.name == "wakes"
    return object() if timed or field.default is msgspec.NODEFAULT else field.default


def _plain(value: Any, walk: _Walk, path: str) -> Any:
    return value


def _enum(value: Any, walk: _Walk, path: str) -> Any:
    return value.value


def _token(value: Any, walk: _Walk, path: str) -> Any:
    if value:
        walk.marks.setdefault(value, []).append(path)
    return 1 if value else 0


def _zone(value: Any, walk: _Walk, path: str) -> Any:
    return walk.zones.get(value, value)


def _seat(value: Any, walk: _Walk, path: str) -> Any:
    return walk.seats.get(value, value)


def _slot(value: Any, walk: _Walk, path: str) -> Any:
    return walk.decks.get(value, value)


def _id(value: Any, walk: _Walk, path: str) -> Any:
    if value <= 0:
        return value
    walk.ids.append(value)
    return 1


def _since(value: int, walk: _Walk, path: str) -> int:
    if not value:
        return 3  # not yet
    age = walk.now_ns - value
    return 0 if age < walk.scan else 1 if age < walk.settle else 2


def _clock(name: str) -> Fold:
    margin_of = CLOCKS[name]

    def of(value: int, walk: _Walk) -> int:
        if value <= NEVER_NS:
            return 3
        age, margin = walk.now_ns - value, margin_of(walk.house)
        return 0 if age < warning_ns(margin) else 1 if age <= margin else 2

    def fold(value: Since, walk: _Walk, path: str) -> Any:
        return (of(value.earliest_ns, walk), of(value.latest_ns, walk), value.wall_s > 0, value.here)

    return fold


def _told(value: Any, walk: _Walk, path: str) -> int:
    """Whether it is known at all, and before 13:30 (1827): the evenings of the closure end before midnight."""
    if value is None:
        return 0
    day_s = value.day_s + (walk.now_ns - value.at_ns) // SECOND_NS
    return 1 if day_s < EARLIEST_DAY_S else 2


def _wakes(value: tuple[int, ...], walk: _Walk, path: str) -> list[int]:
    ahead = [due - walk.now_ns for due in value]
    return sorted({0 if one <= walk.scan else 1 if one <= 2 * walk.settle else 2 for one in ahead})


def _placed(value: tuple[int, int], walk: _Walk, path: str) -> Any:
    """What the pending PLACES says; nothing when none is pending."""
    return (value[0], _id(value[1], walk, path)) if walk.placing else 0


def _seen(value: dict[Zone, dict[Token, int]], walk: _Walk, path: str) -> int:
    out, at_exit, marks, zones = walk.out, walk.exit, walk.marks, walk.zones
    read: set[int] = set()
    for zone, there in value.items():
        name = zones.get(zone, zone)
        for card, since in there.items():
            record = out.get(card)
            if record is None:
                at_home = walk.between and zone != EXIT
            else:
                at_home = record.at == record.home == zone and card not in at_exit
            mark = ("seen", name) if at_home else ("seen", name, _since(since, walk, path))
            walk.twice = walk.twice or card in read
            read.add(card)
            marks.setdefault(card, []).append(mark)
    return 0


def _cards(value: dict[Token, Card], walk: _Walk, path: str) -> int:
    marks, zones = walk.marks, walk.zones
    if walk.bare and path == "out":
        for card in value:
            marks.setdefault(card, []).append(path)
        return 0
    for card, record in value.items():
        told = tuple(zones.get(one, one) if isinstance(one, str) else one for one in _fields(record))
        marks.setdefault(card, []).append((path, told))
    return 0


def _fields(value: msgspec.Struct) -> tuple[Any, ...]:
    return tuple(getattr(value, name) for name in value.__struct_fields__)


class Folder:
    """Makes keys. `world`: the class of the world's side. `undo`: UNDO can be pressed, so what it takes back counts."""

    def __init__(self, world: type[msgspec.Struct], undo: bool = True) -> None:
        self._made: dict[Any, Fold] = {}
        self._named = cache(_named)
        self._nothing = NOTHING if undo else NOTHING | {"undo", "before"}
        self._undo = undo
        undo_fields = read_by_undo()
        self._before = self._struct(State, only=undo_fields) if undo_fields else None
        self._state = self._struct(State)
        self._world = self._struct(world)
        reads = ("now_ns", "setup", "out", "seen", "button", "seats", "deck", "decks", "undo", "phase", "pending_kind")
        self._read = {name: locate(State, name) for name in reads}

    def key(self, state: State, world: Any) -> bytes:
        """Return the digest of what decides what may happen next."""
        walk = self._walk(state)
        said = (self._state(state, walk, ""), self._world(world, walk, "world."))
        rank = {number: place for place, number in enumerate(sorted(set(walk.ids)))}
        marks = sorted(_marked(walk, card, mark) for card, mark in walk.marks.items())
        text = msgspec.msgpack.encode((said, [rank[number] for number in walk.ids], marks))
        return blake2b(text, digest_size=16).digest()

    def _walk(self, state: State) -> _Walk:
        walk, read = _Walk(), self._read
        house = read["setup"](state).house
        walk.now_ns, walk.house = read["now_ns"](state), house
        walk.scan, walk.settle = house.scan_ms * 1_000_000, house.settling_ms * 1_000_000
        walk.out = read["out"](state)
        walk.exit = read["seen"](state).get(EXIT, {})
        undone = read["undo"](state) if self._undo else None
        walk.between = read["phase"](state) not in ("dealing", "betting", "showdown")
        walk.bare = undone is None and walk.between
        walk.placing = read["pending_kind"](state) == "Places"
        walk.seats, walk.zones, walk.decks, walk.known = self._named(
            read["seats"](state), read["button"](state), read["deck"](state), read["decks"](state)
        )
        return walk

    def _of(self, hint: Any, name: str) -> Fold:
        """Return what folds a value declared as `hint` in a field called `name`."""
        special = self._special(hint, name)
        if special is not None:
            return special
        origin, inner = typing.get_origin(hint), typing.get_args(hint)
        if origin in (typing.Union, types.UnionType):
            return self._union(inner, name)
        if origin is tuple and inner[-1:] == (Ellipsis,):
            listed = _listed(self._of(inner[0], name), name in UNORDERED or name in SEATS)
            return _once(listed) if self._plainly(inner[0], name) else listed
        if origin is tuple:
            return _each([self._of(one, name) for one in inner])
        if origin in (frozenset, set):
            return _listed(self._of(inner[0], name), True)
        if origin is dict:
            return _mapped(self._of(inner[0], name), self._of(inner[1], name), inner[0] is Token)
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
            return self._struct(hint)
        return _enum if isinstance(hint, type) and issubclass(hint, Enum) else _plain

    def _special(self, hint: Any, name: str) -> Fold | None:
        if hint is Since:
            return _clock(name)
        if name in ("daytime", "hour"):
            return _told
        if name == "wakes":
            return _wakes
        if name == "placed":
            return _placed
        if name == "seen":
            return _seen
        if hint == dict[Token, Card]:
            return _cards
        if hint is Token:
            return _token
        if hint is Zone:
            return _zone
        if hint is int and name in IDS:
            return _id
        if hint is int and name.endswith("_ns"):
            return _since
        if hint is int and name in SEATS:
            return _seat
        if hint is int and name in ("deck", "slot"):
            return _slot
        return None

    def _plainly(self, hint: Any, name: str) -> bool:
        """Tell whether a value has nothing in it but words, seats and decks: what it folds to depends on no moment."""
        if name in IDS or name.endswith("_ns") or hint is Token or hint is Since:
            return False
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
            return all(self._plainly(one, field) for field, one in typing.get_type_hints(hint).items())
        origin, inner = typing.get_origin(hint), typing.get_args(hint)
        if origin is tuple:
            return all(self._plainly(one, name) for one in inner if one is not Ellipsis)
        return hint is Zone or (isinstance(hint, type) and issubclass(hint, (Enum, *_PURE)))

    def _union(self, inner: tuple[Any, ...], name: str) -> Fold:
        by_class: dict[type, Fold] = {}
        for one in inner:
            if one is not types.NoneType:
                by_class[typing.get_origin(one) or one] = self._of(one, name)
        (only, *more) = by_class.values()

        def fold(value: Any, walk: _Walk, path: str) -> Any:
            if value is None:
                return None
            chosen = by_class[value.__class__] if more else only
            return (value.__class__.__name__, chosen(value, walk, path)) if more else chosen(value, walk, path)

        return fold

    def _struct(self, kind: type[msgspec.Struct], only: frozenset[str] | None = None) -> Fold:
        if only is None and kind in self._made:
            return self._made[kind]
        if kind is Undo and self._before is not None:
            return self._undone()
        hints = typing.get_type_hints(kind)
        fields = [
            (number, field)
            for number, field in enumerate(msgspec.structs.fields(kind))
            if field.name not in self._nothing and (only is None or field.name in only)
        ]
        names = [field.name for _, field in fields]
        read = attrgetter(*names) if len(names) > 1 else lambda value: tuple(getattr(value, name) for name in names)
        defaults = [_default(field) for _, field in fields]
        places = range(len(names))
        later: list[tuple[int, str, Any, Fold]] = []

        def fold(value: Any, walk: _Walk, path: str) -> Any:
            if value.__class__ is not kind:
                return (value.__class__.__name__, self._struct(value.__class__)(value, walk, path))
            values = read(value)
            said: list[Any] = []
            for place in compress(places, map(is_not, values, defaults)):
                number, name, default, folded = later[place]
                field = values[place]
                if field != default:
                    said.append(number)
                    said.append(folded(field, walk, path + name))
            return said

        if only is None:
            self._made[kind] = fold
        later += [
            (number, field.name, default, self._of(hints[field.name], field.name))
            for (number, field), default in zip(fields, defaults, strict=True)
        ]
        return fold

    def _undone(self) -> Fold:
        def fold(value: Any, walk: _Walk, path: str) -> Any:
            assert self._before is not None
            return value.key.value, self._before(value.before, walk, "before.")

        return fold


def _marked(walk: _Walk, card: int, mark: list[Any]) -> bytes:
    slot, number = divmod(card, 1000)
    kind = 0 if slot and number <= 52 else number if slot else 99
    return msgspec.msgpack.encode((walk.decks.get(slot, slot), kind, sorted(mark, key=str) if walk.twice else mark))


def _named(seats: tuple[int, ...], button: int, deck: int, decks: tuple[Deck, ...]) -> tuple[Any, Any, Any, Any]:
    """Return the names that seats, their zones and decks go by, and what is known to fold to what under them."""
    return (*_turned(seats, button), _slots(deck, decks), {})


def _turned(seats: tuple[int, ...], button: int) -> tuple[dict[int, int], dict[str, str]]:
    number = len(seats)
    if button not in seats or seats != tuple(range(1, number + 1)) or button == number:
        return {}, {}
    turned = {one: (one - button - 1) % number + 1 for one in seats}
    return turned, {seat(one): seat(other) for one, other in turned.items()}


def _slots(deck: int, decks: tuple[Deck, ...]) -> dict[int, int]:
    ordered = sorted(decks, key=lambda one: (one.slot != deck, one.status.value, one.suspect, one.slot))
    return {one.slot: place for place, one in enumerate(ordered, 1)}


def _listed(inner: Fold, unordered: bool) -> Fold:
    if inner is _token:
        return _tokens(unordered)

    def fold(value: Any, walk: _Walk, path: str) -> Any:
        if unordered and len(value) > 1:
            value = sorted(value, key=lambda one: str(inner(one, walk.scratch(), path)))
        return [inner(one, walk, f"{path}{place}") for place, one in enumerate(value)]

    return fold


def _once(inner: Fold) -> Fold:
    """Fold a value that depends on no moment once, and know it the next time."""

    def fold(value: Any, walk: _Walk, path: str) -> Any:
        known, what = walk.known, (inner, value)
        if what not in known:
            known[what] = inner(value, walk, path)
        return known[what]

    return fold


def _tokens(unordered: bool) -> Fold:
    def fold(value: Any, walk: _Walk, path: str) -> Any:
        for place, card in enumerate(value):
            walk.marks.setdefault(card, []).append(path if unordered else f"{path}{place}")
        return len(value)

    return fold


def _each(inner: list[Fold]) -> Fold:
    return lambda value, walk, path: [fold(one, walk, path) for fold, one in zip(inner, value, strict=True)]


def _mapped(keys: Fold, values: Fold, by_token: bool) -> Fold:
    def fold(value: Any, walk: _Walk, path: str) -> Any:
        if by_token:
            for card, said in value.items():
                walk.marks.setdefault(card, []).append((path, values(said, walk, path)))
            return len(value)
        return sorted(((keys(one, walk, path), values(said, walk, path)) for one, said in value.items()), key=str)

    return fold
