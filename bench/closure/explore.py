"""Exploration to the fixed point: layer by layer of faults outstanding.

Layer 0 is what a faultless evening can come to. A fault is *outstanding* until the table is again in a state of
layer 0; layer n has the states that at least n faults at once lead to. Within a layer everything that needs no
further fault is followed until nothing new comes.
"""

import time
from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterator
from functools import cache
from operator import attrgetter, is_
from typing import Any

import msgspec
from msgspec.structs import replace

from bench.closure import judge, machine
from bench.closure.fold import Folder, locate
from bench.closure.mishaps import KINDS
from bench.closure.people import OPEN, Facts, collected, honest, next_name
from bench.closure.seldom import SELDOM
from bench.closure.world import HAND, Move, World, obeyed
from dealerbox.engine.facts import deck_tokens
from dealerbox.engine.state import Deck, State
from dealerbox.engine.step import step
from dealerbox.engine.view import view
from dealerbox.model import commands as cmd
from dealerbox.model import events as ev
from dealerbox.model.cards import Token
from dealerbox.model.keys import Key
from dealerbox.model.setup import DeckInfo, Dispense, House, Setup
from dealerbox.model.shuffler import Memory
from dealerbox.model.view import View
from dealerbox.model.zones import ASIDE, BOARD, BURN, EXIT, INFEED, MUCK, seat

HOUSE = House(scan_ms=20, settling_ms=5000)
"""A scan is so much shorter than the settling time that scans never add up to it."""
READ = {
    name: locate(State, name)
    for name in ("now_ns", "wakes", "holds", "memory", "deck", "decks", "out", "phase", "undo")
}


EVERY = {**KINDS, **SELDOM}
SAID = (ev.KeyPressed, ev.Ruled)
TOLD = (cmd.Notice, cmd.Refuse)
BEGIN_NS = 60_000_000_000
"""When the evening begins; a time of 0 is one that has not been."""


class Family(msgspec.Struct, frozen=True):
    """One part of the closure: seats, the faults that are switched on, how many at once, how far a hand goes."""

    name: str
    seats: int = 2
    first: tuple[str, ...] = ()
    """Kinds of fault that may come when none is outstanding."""
    second: tuple[str, ...] = ()
    """Kinds that may come while one is."""
    streets: int = 4
    """Streets that a hand may have: 1 ends it before the flop."""
    until: int = 4
    """Streets on which a first fault may come."""
    since: int = 0
    action_clock_s: int = 0
    """The house's limit on the time to act (1821)."""
    dispense: Dispense = Dispense.SINGLE
    house: dict[str, Any] = {}
    """What else this house has chosen."""
    backs: tuple[str, ...] = ("back 1", "back 2")
    """Of the decks that are listed at the start."""
    eager: bool = False
    """The machine is quick: while it has something to do that nothing stops, people wait for it."""


def setup_of(family: Family) -> Setup:
    """Return the table of a family."""
    seats = tuple(range(1, family.seats + 1))
    house = replace(HOUSE, action_clock_s=family.action_clock_s, dispense=family.dispense, **family.house)
    decks = tuple(DeckInfo(slot=slot, name=f"{slot}.1", back=back) for slot, back in enumerate(family.backs, 1))
    readers = (EXIT, INFEED, BOARD, BURN, MUCK, ASIDE, *(seat(number) for number in seats))
    return Setup(table="1", seats=seats, house=house, decks=decks, readers=readers)


class Breach(msgspec.Struct):
    """A property that does not hold, with the shortest way there."""

    what: str
    path: list[str]
    times: int = 1


class Found(msgspec.Struct):
    """What an exploration has found."""

    family: str
    states: int = 0
    layers: list[int] = []
    transitions: int = 0
    seconds: float = 0.0
    held: int = 0
    play: int = 0
    doubles: int = 0
    reasons: dict[str, int] = {}
    breaches: list[Breach] = []
    complete: bool = True


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
        self.manual = "manual" in (*family.first, *family.second)
        self.undo = "keys" in (*family.first, *family.second)
        self.folder = Folder(World, self.undo)
        self.setup = setup_of(family)
        self._lists = cache(self._lists_of)
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
        self.verdicts: set[tuple[str, str, str]] = set()
        self.doubled: list[tuple[int, frozenset[bytes]]] = []
        self.watch: Callable[[str, ev.Event, State, State, tuple[cmd.Command, ...]], None] | None = None

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
            self._no_dead_end()
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
        for move in self.moves(state, world, shown, layer if faults else -1):
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

    def moves(self, state: State, world: World, shown: View, layer: int) -> Iterator[Move]:
        """Everything that can happen now; `layer`: faults outstanding, -1: no fault may come any more."""
        facts = self.facts(state)
        quick = [*machine.answers(world), *machine.greeted(world, READ["memory"](state))]
        yield from quick
        yield from self._faults(state, world, shown, layer, facts)
        if quick and self.family.eager:
            return
        for move in honest(world, shown, facts):
            if move.label == "next" and shown.street and not self._may_go_on(shown):
                yield from honest_end(world)
            else:
                yield move
        house = self.setup.house
        wakes, now = READ["wakes"](state), READ["now_ns"](state)
        scan = house.scan_ms * 1_000_000
        if wakes and wakes[0] - now <= scan:
            yield Move("a scan", world, (), "", scan)
            if self.family.eager:
                return
        yield Move("it settles", world, (), "", house.settling_ms * 1_000_000 + 2 * scan)

    def _faults(self, state: State, world: World, shown: View, layer: int, facts: Facts) -> Iterator[Move]:
        if layer >= 0 and (layer or self._in_window(shown)):
            for kind in self.family.second if layer else self.family.first:
                yield from EVERY[kind](world, shown, facts)

    def _may_go_on(self, shown: View) -> bool:
        return STREETS.index(shown.street) + 1 < self.family.streets

    def _in_window(self, shown: View) -> bool:
        street = STREETS.index(shown.street) if shown.street else 0
        return self.family.since <= street < self.family.until

    def facts(self, state: State) -> Facts:
        """Return what people know beside the panel."""
        setup, renewed = self._lists(READ["decks"](state))
        now_s = READ["now_ns"](state) // 1_000_000_000
        return Facts(setup, READ["deck"](state), renewed, READ["memory"](state).session, now_s, self.manual)

    def _lists_of(self, decks: tuple[Deck, ...]) -> tuple[Setup, Setup]:
        """Return the setup as it is by now, and as it ought to be: two decks, other backs, a new one for each out."""
        setup = self.setup
        names = tuple(DeckInfo(slot=deck.slot, name=deck.name, back=deck.back) for deck in decks)
        renewed = tuple(
            replace(info, name=next_name(info.name)) if deck.status in ("used", "quarantined") else info
            for deck, info in zip(decks, names, strict=True)
        )
        renewed = tuple(replace(info, back=f"back {info.slot}") for info in renewed)
        if len(renewed) == 1:
            renewed = (*renewed, DeckInfo(slot=2, name="2.1", back="back 2"))
        return replace(setup, decks=names), setup if renewed == setup.decks else replace(setup, decks=renewed)

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
        before = state
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
        if self.watch is not None:
            self.watch(shown.phase, event, before, state, commands)
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
        for move in self.moves(state, world, shown, -1):
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

    def _no_dead_end(self) -> None:
        """P7: from every state a way without a fault leads to play; looked for backward from play."""
        total = len(self.layer)
        begins = array("I", bytes(4 * (total + 1)))
        for target in self.targets:
            begins[target + 1] += 1
        for number in range(total):
            begins[number + 1] += begins[number]
        filled, back = array("I", begins), array("I", bytes(4 * len(self.targets)))
        for source, target in zip(self.sources, self.targets, strict=True):
            back[filled[target]] = source
            filled[target] += 1
        reached = bytearray(flag & 1 for flag in self.flags)
        waiting = [number for number in range(total) if reached[number]]
        while waiting:
            number = waiting.pop()
            for place in range(begins[number], begins[number + 1]):
                source = back[place]
                if not reached[source]:
                    reached[source] = 1
                    waiting.append(source)
        lost = [number for number in range(total) if not reached[number]]
        for number in lost:
            self._breach("P7: no way leads back to play", number, "")

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


STREETS = ("preflop", "flop", "turn", "river")


def honest_end(world: World) -> Iterator[Move]:
    """Where a family's hand goes no further, its pot is awarded."""
    yield Move("award", world, (ev.KeyPressed(0, ev.Key.AWARD, 0, "7"),))


_DECISIVE = attrgetter(*(name for name in State.__struct_fields__ if name not in ("now_ns", "refused")))


def _same(before: State, after: State) -> bool:
    return all(map(is_, _DECISIVE(before), _DECISIVE(after)))
