"""`python -m bench.closure alike [FAMILY...]`: whether states that the key takes for one behave alike.

Looked at in every state of a family, not in a sample: it is explored without what `forgotten` leaves out, each state
told apart that its fields tell apart. Those of one key must show the same, and whatever may happen in one must happen
in the other, lead to the same key and be told the same: the keys are then a bisimulation of that family.
"""

import os
from collections import Counter, defaultdict
from multiprocessing import Pool
from typing import Any

import msgspec

from bench.closure.explore import Explorer
from bench.closure.family import Family
from bench.closure.fold import Folder
from bench.closure.world import Move, World
from dealerbox.engine.state import State
from dealerbox.model.keys import Key
from dealerbox.model.view import View


class Alike(msgspec.Struct):
    """What was found of a family."""

    family: str
    states: int
    """Told apart by every field."""
    keys: int
    different: list[list[str]]
    """The way to a state that does not behave as the first of its key does; of each such key one."""
    complete: bool


class Behaviour(msgspec.Struct):
    """What a state shows, and what may happen in it: kind of fault, what is told, the key that it leads to."""

    layer: int = 0
    """Which mishaps may come."""
    shown: Any = None
    ways: set[Any] = msgspec.field(default_factory=set)
    mishaps: set[Any] = msgspec.field(default_factory=set)


class Apart(Explorer):
    """Explores a family with every field told apart, and keeps how each state behaves."""

    def __init__(self, family: Family, limit: int = 10_000_000) -> None:
        super().__init__(family, limit=limit)
        self.folder, self._forgetful = Folder(World, self.undo, forgets=False), self.folder
        self.keys: list[bytes] = []
        self.behaviour: dict[int, Behaviour] = {}
        self._now = Behaviour()

    def _enter(self, key: bytes, state: State, world: World, source: int, label: str, layer: int) -> int:
        self.keys.append(self._forgetful.key(state, world))
        return super()._enter(key, state, world, source, label, layer)

    def _expand(self, number: int, state: State, world: World, faults: bool) -> None:
        self._now = self.behaviour[number] = Behaviour(self.layer[number], self._shown(self.face(state)))
        super()._expand(number, state, world, faults)

    def play(self, number: int, state: State, world: World, shown: View, move: Move) -> tuple[State, World, bool]:
        """Play a move, and keep what is told of it and where it leads."""
        every, self.reasons = self.reasons, Counter()
        after, world_after, changed = super().play(number, state, world, shown, move)
        way = (move.fault, frozenset(self.reasons.items()), self._forgetful.key(after, world_after))
        (self._now.mishaps if move.fault else self._now.ways).add(way)
        every.update(self.reasons)
        self.reasons = every
        return after, world_after, changed

    def _shown(self, shown: View) -> Any:
        lit = sorted(key for key in shown.lit if self.undo or key is not Key.UNDO)
        return shown.phase, shown.prompt_code, shown.lamp, lit, sorted(held.reason for held in shown.holds)

    def differ(self) -> list[int]:
        """Return the states that do not behave as the first of their key; mishaps where the same may come."""
        classes, differ = defaultdict[bytes, list[int]](list), []
        for number in self.behaviour:
            classes[self.keys[number]].append(number)
        for first, *others in classes.values():
            differ += [other for other in others if not self._as(first, other)][:1]
        return differ

    def _as(self, one: int, other: int) -> bool:
        left, right = self.behaviour[one], self.behaviour[other]
        mishaps = left.mishaps == right.mishaps or left.layer != right.layer
        return left.shown == right.shown and left.ways == right.ways and mishaps


def alike(family: Family, limit: int = 10_000_000) -> Alike:
    """Look at every state of a family."""
    apart = Apart(family, limit)
    found = apart.run()
    different = [apart.path(number) for number in apart.differ()]
    return Alike(family.name, found.states, len(set(apart.keys)), different, found.complete)


def all_alike(which: list[Family]) -> bool:
    """Look at families on every core, print what is found, and tell whether all behave alike."""
    sound = True
    with Pool(min(len(which), os.cpu_count() or 1)) as pool:
        for one in pool.imap_unordered(alike, which, chunksize=1):
            print(msgspec.json.encode(one).decode(), flush=True)
            sound = sound and one.complete and not one.different
    return sound
