"""Exploration to the fixed point: layer by layer of faults outstanding.

Layer 0 is what a faultless evening can come to. A fault is *outstanding* until the table is again in a state of
layer 0; layer n has the states that at least n faults at once lead to. Within a layer everything that needs no
further fault is followed until nothing new comes.
"""

import time
from array import array
from collections import Counter, deque
from collections.abc import Callable
from operator import attrgetter, is_
from typing import Any

from msgspec.structs import replace

from bench.closure import judge
from bench.closure.acts import OPEN
from bench.closure.choices import Choices
from bench.closure.early import taken_back
from bench.closure.family import Family
from bench.closure.fold import Folder
from bench.closure.found import Breach, Found
from bench.closure.located import READ
from bench.closure.people import collected
from bench.closure.ways import cut_off
from bench.closure.world import HAND, Move, World, obeyed
from dealerbox.engine.facts import deck_tokens
from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.engine.view import view
from dealerbox.model import commands as cmd
from dealerbox.model import events as ev
from dealerbox.model.cards import Token
from dealerbox.model.keys import Key
from dealerbox.model.shuffler import Memory
from dealerbox.model.view import View

SAID = (ev.KeyPressed, ev.Ruled)
TOLD = (cmd.Notice, cmd.Refuse)
BEGIN_NS = 60_000_000_000
"""When the evening begins; a time of 0 is one that has not been."""
Engine = Callable[[Any, ev.Event], tuple[Any, tuple[cmd.Command, ...]]]


class Explorer:
    """Explores one family."""

    def __init__(
        self,
        family: Family,
        engine: Engine = step,
        face: Callable[[Any], View] = view,
        limit: int = 10_000_000,
        stop_at_breach: bool = False,
        sample: int = 0,
    ) -> None:
        self.family, self.engine, self.face, self.limit = family, engine, face, limit
        self.stop_at_breach, self.sample = stop_at_breach, sample
        self.undo = "keys" in (*family.first, *family.second)
        self.folder = Folder(World, self.undo)
        self.choices = Choices(family)
        self.setup = self.choices.setup
        self.index: dict[bytes, int] = {}
        self.parent = array("q")
        self.label: list[str] = []
        self.layer = bytearray()
        self.flags = bytearray()
        """1: play, 2: a hold stands."""
        self.sources, self.targets = array("I"), array("I")
        self.open: list[deque[tuple[int, State, World]]] = [deque(), deque(), deque()]
        self.transitions = 0
        self.reasons: Counter[str] = Counter()
        self.breaches: dict[str, Breach] = {}
        self.doubled: list[tuple[int, frozenset[bytes]]] = []

    def run(self) -> Found:
        """Explore to the fixed point, or to `limit` states."""
        began = time.process_time()
        state, world = self._begin()
        self._enter(self.folder.key(state, world), state, world, -1, "the station starts", 0)
        deepest = 2 if self.family.second else 1 if self.family.first else 0
        for layer in range(deepest + 1):
            waiting = self.open[layer]
            while waiting and len(self.layer) < self.limit and not (self.stop_at_breach and self.breaches):
                number, state, world = waiting.popleft()
                if self.layer[number] == layer:
                    self._expand(number, state, world, faults=layer < deepest)
        complete = not any(self.open)
        if complete:
            for number in cut_off(bytearray(flag & 1 for flag in self.flags), self.sources, self.targets):
                self._breach("P7: no way leads back to play", number, "")
        return self._found(time.process_time() - began, complete)

    def _begin(self) -> tuple[State, World]:
        world = World(cards=dict.fromkeys(deck_tokens(1), HAND), dispense=self.family.dispense)
        state, commands = self.engine(
            State(), ev.Started(BEGIN_NS, setup=self.setup, memory=Memory(session=1), boot_id="1")
        )
        return state, obeyed(world, commands)

    def _enter(self, key: bytes, state: State, world: World, source: int, label: str, layer: int) -> int:
        number = len(self.layer)
        self.index[key] = number
        self.parent.append(source)
        self.label.append(label)
        self.layer.append(layer)
        self.flags.append(0)
        self.open[layer].append((number, state, world))
        return number

    def _expand(self, number: int, state: State, world: World, faults: bool) -> None:
        shown = self.face(state)
        self._look(number, state, world, shown)
        layer = self.layer[number]
        for move in self.choices.moves(state, world, shown, layer if faults else -1):
            after, world_after, changed = self.play(number, state, world, shown, move)
            self.transitions += 1
            if not changed:
                continue
            key = self.folder.key(after, world_after)
            known, deep = self.index.get(key), layer + bool(move.fault)
            if known is None:
                known = self._enter(key, after, world_after, number, move.label, deep)
            elif self.layer[known] > deep:  # found by way of a fault first, and not looked at yet
                self.layer[known], self.parent[known], self.label[known] = deep, number, move.label
                self.open[deep].append((known, after, world_after))
            elif self.sample and self.transitions % self.sample == 0 and not move.fault:
                self.doubled.append((known, self.nexts(after, world_after)))
            if not move.fault and known != number:
                self.sources.append(number)
                self.targets.append(known)

    def play(self, number: int, state: State, world: World, shown: View, move: Move) -> tuple[State, World, bool]:
        """Return what a move comes to, and whether it changes anything."""
        before_state, before_world = state, world
        world = move.world
        if move.wait_ns:
            until = READ["now_ns"](state) + move.wait_ns
            while (wakes := READ["wakes"](state)) and wakes[0] <= until:
                state, world = self._tell(number, state, world, ev.Tick(wakes[0]), move, shown)
            state, world = self._tell(number, state, world, ev.Tick(until), move, shown)
            if world.fresh:
                world = replace(world, fresh=Token(0))
            if world.restless and move.wait_ns > self.setup.house.settling_ms * 1_000_000:
                world = replace(world, restless=frozenset())
        for event in move.events:
            event = replace(event, at_ns=READ["now_ns"](state) + event.at_ns)
            state, world = self._tell(number, state, world, event, move, shown)
        world = taken_back(world)
        state, world = self._collected(number, state, world, move)
        return state, world, world is not before_world or not _same(before_state, state)

    def _collected(self, number: int, state: State, world: World, move: Move) -> tuple[State, World]:
        """With the hand over and nothing to be taken back, the cards are collected before anything else happens."""
        if READ["phase"](state) not in ("gathering", "opening") or not world.looked:
            return state, world
        if self.undo and READ["undo"](state) is not None:
            return state, world
        for collecting in collected(world):
            world = collecting.world
            for event in collecting.events:
                event = replace(event, at_ns=READ["now_ns"](state))
                state, world = self._tell(number, state, world, event, move, self.face(state))
        return state, world

    def _tell(
        self, number: int, state: State, world: World, event: ev.Event, move: Move, shown: View
    ) -> tuple[State, World]:
        state, commands = self.engine(state, event)
        if commands:
            world = obeyed(world, commands)
        if event.__class__ in SAID and not judge.refused(commands):
            world = judge.heard(world, event, commands, shown, self.face(state))
        for command in commands:
            if isinstance(command, cmd.Release):
                unread = isinstance(event, ev.KeyPressed) and event.key is Key.ACK and shown.prompt_code == "unread"
                for why in judge.let_out(world, READ["holds"](state), unread):
                    self._breach(f"P1: {why}", number, move.label)
                for why in judge.books(world, READ["out"](state), 0):
                    self._breach(f"P3: {why}", number, move.label)
            elif isinstance(command, cmd.Hold):
                self.reasons[command.reason.value] += 1
                if command.reason not in {standing.reason for standing in READ["holds"](state)}:
                    self._breach(f"P7: {command.reason.value} is told and is not what stands", number, move.label)
                if not self.layer[number] and not move.fault and not move.label.startswith("misdeal"):
                    self._breach(f"P2: {command.reason.value} is held and nothing has gone wrong", number, move.label)
            elif command.__class__ in TOLD:
                self.reasons[command.reason.value] += 1
        return state, world

    def _look(self, number: int, state: State, world: World, shown: View) -> None:
        """Look at one state."""
        holds = READ["holds"](state)
        self.flags[number] = (2 if holds else 0) | (
            1 if shown.phase in OPEN and not holds and not world.held and shown.lamp != "red" else 0
        )
        for why in judge.unnamed(shown):
            self._breach(f"P7: {why}", number, "")
        for why in judge.asked_by_hand(world, shown):
            self._breach(f"P1: {why}", number, "")
        if holds and not world.held:
            self._breach("P1: a hold stands that nobody was told of", number, "")
        told = ev.Started(READ["now_ns"](state), setup=self.setup, memory=Memory(session=99), boot_id="1")
        after, commands = self.engine(state, told)
        phase = READ["phase"](after)
        may_start = phase not in OPEN and Key.START in self.face(after).lit
        for why in judge.freed(shown, phase, {hold.reason for hold in READ["holds"](after)}, may_start, commands):
            self._breach(f"P5: {why}", number, "")

    def nexts(self, state: State, world: World) -> frozenset[bytes]:
        """Return the keys of what comes next without a fault."""
        shown, found = self.face(state), set()
        for move in self.choices.moves(state, world, shown, -1):
            after, world_after, changed = self.play(0, state, world, shown, move)
            if changed:
                found.add(self.folder.key(after, world_after))
        return frozenset(found)

    def _breach(self, what: str, number: int, label: str) -> None:
        if what in self.breaches:
            self.breaches[what].times += 1
        else:
            self.breaches[what] = Breach(what, [*self.path(number), label])

    def path(self, number: int) -> list[str]:
        """Return the labels of the way to a state."""
        way: list[str] = []
        while number >= 0:
            way.append(self.label[number])
            number = self.parent[number]
        return way[::-1]

    def _found(self, seconds: float, complete: bool) -> Found:
        layers = Counter(self.layer)
        return Found(
            self.family.name,
            states=len(self.layer),
            layers=[layers[layer] for layer in sorted(layers)],
            transitions=self.transitions,
            seconds=round(seconds, 1),
            held=sum(1 for flag in self.flags if flag & 2),
            play=sum(1 for flag in self.flags if flag & 1),
            reasons=dict(sorted(self.reasons.items())),
            breaches=list(self.breaches.values()),
            complete=complete,
        )


_DECISIVE = attrgetter(*(name for name in State.__struct_fields__ if name not in ("now_ns", "refused")))


def _same(before: State, after: State) -> bool:
    return all(map(is_, _DECISIVE(before), _DECISIVE(after)))
