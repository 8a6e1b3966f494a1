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
- **Decks renamed.** The deck in play comes first, the others after their status; of their backs it matters whether
  two are alike.
- **An UNDO** is kept as those fields of the state before it that `engine/undo.py` reads for its key; in families where
  nobody presses UNDO it is left out.
- **What nothing asks for any more** is left out: see `forgotten`.
- **Between hands**, with nothing to be undone, a card outside is outside: where it was last seen is shown to people
  and decides nothing (T6).
- **A card read where it belongs** has been there since always: only cards astray, or at the exit, are asked how long.

That states of one key behave alike is looked at, not believed: see `alike`, and `Explorer.doubled`.
"""

import ast
import inspect
import types
import typing
from collections import defaultdict
from collections.abc import Callable
from enum import Enum
from functools import cache
from hashlib import blake2b
from itertools import compress
from operator import attrgetter, is_not
from typing import Any, Final

import msgspec

from bench.closure.containers import each, listed, mapped, once
from bench.closure.forgotten import remembered
from bench.closure.leaves import IDS, SEATS, Fold, Numbers, Walk, enum, leaf, plain
from bench.closure.located import READ, reader
from bench.closure.names import Names, named
from dealerbox.engine import undo
from dealerbox.engine.state import State, Undo
from dealerbox.law.custody import Since
from dealerbox.model.cards import Token
from dealerbox.model.keys import Key
from dealerbox.model.zones import EXIT, Zone

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
UNORDERED: Final = frozenset({"decks", "suspects", "intruders", "strays", "holds"})
"""Tuples whose order only says what is named first."""
_PURE: Final = (str, int, bool)
"""What is told as it is."""


def read_by_undo() -> dict[Key, frozenset[str]]:
    """Return the fields of the state before a key that UNDO of that key reads; of a key not named, all."""
    tree = ast.parse(inspect.getsource(undo))
    rooms = {room.name: room for room in tree.body if isinstance(room, ast.FunctionDef)}
    (match,) = (node for node in ast.walk(rooms[undo.undone.__name__]) if isinstance(node, ast.Match))
    every = _read_of_before(tree)
    read = defaultdict[Key, frozenset[str]](lambda: every)
    for case in match.cases:
        called = [
            node.func.id for node in ast.walk(case) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        ]
        fields = _read_of_before(case).union(*(_read_of_before(rooms[name]) for name in called if name in rooms))
        for node in ast.walk(case.pattern):
            if isinstance(node, ast.Attribute):
                read[Key[node.attr]] = fields
    return read


def _read_of_before(tree: ast.AST) -> frozenset[str]:
    return frozenset(
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "before"
    )


def _default(field: Any) -> Any:
    """Return the value of a field that is left out of the key; one that no value is, where all are told."""
    timed = field.name.endswith("_ns") or field.name == "wakes"
    return object() if timed or field.default is msgspec.NODEFAULT else field.default


class Folder:
    """Makes keys. `world`: the class of the world's side. `undo`: UNDO can be pressed, so what it takes back counts."""

    def __init__(self, world: type[msgspec.Struct], undo: bool = True, forgets: bool = True) -> None:
        self._made: dict[Any, Fold] = {}
        self._named = cache(named)
        self._numbers = Numbers({"": 0})
        self._nothing = NOTHING if undo else NOTHING | {"undo", "before"}
        self._undo, self._forgets = undo, forgets
        read = read_by_undo()
        self._before = {key: self._struct(State, only=read[key]) for key in Key}
        self._state = self._struct(State)
        self._world = self._struct(world)
        self._naming = reader("seats", "button", "deck", "decks")
        self._moment = reader("now_ns", "house", "out", "seen", "undo", "phase", "pending_kind")

    def key(self, state: State, world: Any) -> bytes:
        """Return the digest of what decides what may happen next."""
        if self._forgets:
            state = remembered(state, self._undo and READ["undo"](state) is not None)
        names = self._named(*self._naming(state))
        walk = self._walk(state, names)
        said = (names.alike, self._state(state, walk, ""), self._world(world, walk, "world."))
        rank = {number: place for place, number in enumerate(sorted(set(walk.ids)))}
        kinds = names.kinds
        cards = sorted([[kinds.get(card) or self._kind(names, card), *mark] for card, mark in walk.marks.items()])
        text = msgspec.msgpack.encode((said, [rank[number] for number in walk.ids], cards))
        return blake2b(text, digest_size=16).digest()

    def _walk(self, state: State, names: Names) -> Walk:
        walk = Walk()
        walk.marks, walk.ids, walk.numbers = {}, [], self._numbers
        walk.seats, walk.zones, walk.decks, walk.known = names.seats, names.zones, names.decks, names.known
        walk.now_ns, walk.house, walk.out, seen, undone, phase, pending_kind = self._moment(state)
        walk.scan, walk.settle = walk.house.scan_ms * 1_000_000, walk.house.settling_ms * 1_000_000
        walk.exit = seen.get(EXIT, {})
        walk.between = phase not in ("dealing", "betting", "showdown")
        walk.bare = walk.between and not (self._undo and undone is not None)
        walk.placing = pending_kind == "Places"
        return walk

    def _kind(self, names: Names, card: int) -> int:
        """Return the number of what a token is: a card of a deck, a certain one beside the 52, or foreign."""
        slot, number = divmod(card, 1000)
        kind = 0 if slot and number <= 52 else number if slot else 99
        names.kinds[card] = told = self._numbers["card", names.decks.get(slot, slot), kind]
        return told

    def _of(self, hint: Any, name: str) -> Fold:
        """Return what folds a value declared as `hint` in a field called `name`."""
        found = leaf(hint, name)
        if found is not None:
            return found
        origin, inner = typing.get_origin(hint), typing.get_args(hint)
        if origin in (typing.Union, types.UnionType):
            return self._union(inner, name)
        if origin is tuple and inner[-1:] == (Ellipsis,):
            return self._many(inner[0], name, name in UNORDERED or name in SEATS)
        if origin is tuple:
            return each([self._of(one, name) for one in inner])
        if origin in (frozenset, set):
            return self._many(inner[0], name, True)
        if origin is dict:
            return mapped(self._of(inner[0], name), self._of(inner[1], name), inner[0] is Token)
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
            return self._struct(hint)
        return enum if isinstance(hint, type) and issubclass(hint, Enum) else plain

    def _many(self, hint: Any, name: str, unordered: bool) -> Fold:
        fold = listed(self._of(hint, name), unordered)
        return once(fold) if _plainly(hint, name) else fold

    def _union(self, inner: tuple[Any, ...], name: str) -> Fold:
        by_class: dict[type, Fold] = {}
        for one in inner:
            if one is not types.NoneType:
                by_class[typing.get_origin(one) or one] = self._of(one, name)
        (only, *more) = by_class.values()

        def fold(value: Any, walk: Walk, path: str) -> Any:
            if value is None:
                return None
            chosen = by_class[value.__class__] if more else only
            return (value.__class__.__name__, chosen(value, walk, path)) if more else chosen(value, walk, path)

        return fold

    def _struct(self, kind: type[msgspec.Struct], only: frozenset[str] | None = None) -> Fold:
        if only is None and kind in self._made:
            return self._made[kind]
        if kind is Undo:
            return self._undone()
        hints = typing.get_type_hints(kind)
        fields = [
            (number, field.name, _default(field))
            for number, field in enumerate(msgspec.structs.fields(kind))
            if field.name not in self._nothing and (only is None or field.name in only)
        ]
        as_it_is = [name for _, name, _ in fields if _as_it_is(hints[name], name)]
        fields = [(number, name, default) for number, name, default in fields if name not in as_it_is]
        tell, read = _all_of(as_it_is), _all_of([name for _, name, _ in fields])
        defaults = [default for _, _, default in fields]
        places = range(len(fields))
        later: list[tuple[int, str, Any, Fold]] = []

        def fold(value: Any, walk: Walk, path: str) -> Any:
            if value.__class__ is not kind:
                return (value.__class__.__name__, self._struct(value.__class__)(value, walk, path))
            said, values = [tell(value)], read(value)
            for place in compress(places, map(is_not, values, defaults)):
                number, name, default, folded = later[place]
                field = values[place]
                if field != default:
                    said += (number, folded(field, walk, path + name))
            return said

        if only is None:
            self._made[kind] = fold
        later += [(number, name, default, self._of(hints[name], name)) for number, name, default in fields]
        return fold

    def _undone(self) -> Fold:
        def fold(value: Any, walk: Walk, path: str) -> Any:
            return value.key.value, self._before[value.key](value.before, walk, "before.")

        return fold


def _as_it_is(hint: Any, name: str) -> bool:
    """Tell whether a field is told as it is, a word of a list by the word."""
    return leaf(hint, name) is None and isinstance(hint, type) and issubclass(hint, (Enum, *_PURE))


def _all_of(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return what reads these fields of a struct at once."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple([getattr(value, name) for name in names])


def _plainly(hint: Any, name: str) -> bool:
    """Tell whether a value has nothing in it but words, seats and decks: what it folds to depends on no moment."""
    if name in IDS or name.endswith("_ns") or hint is Token or hint is Since:
        return False
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return all(_plainly(one, field) for field, one in typing.get_type_hints(hint).items())
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        return all(_plainly(one, name) for one in inner if one is not Ellipsis)
    return hint is Zone or (isinstance(hint, type) and issubclass(hint, (Enum, *_PURE)))
