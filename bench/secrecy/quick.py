"""An evening with the station's own core, tokens, records and socket, and no wires: fifty hands a second."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from bench.secrecy.channels import Taps
from bench.secrecy.journaled import Chain
from bench.secrecy.wired import SOMEBODY
from dealerbox.engine.facts import in_hand
from dealerbox.engine.state import State
from dealerbox.model.cards import Token, Uid
from dealerbox.model.commands import Command, Show
from dealerbox.model.events import Event
from dealerbox.model.setup import DeckInfo, Setup
from dealerbox.model.shuffler import Memory
from dealerbox.model.view import View
from dealerbox.simulate.evening import SCAN_MS, Evening, play_events, table_setup
from dealerbox.simulate.mischief import Mischief
from dealerbox.simulate.pack import deck_tags
from dealerbox.simulate.run import ENGINE
from dealerbox.simulate.table import Engine, EventTable
from dealerbox.station.asked import Authority
from dealerbox.station.control import Control
from dealerbox.station.core import Core
from dealerbox.station.show import status_line
from dealerbox.station.tokens import Tokens

Stepped = Callable[[State, Event, State], None]
"""Told of every step: the state before, the event, the state after."""


class QuickJournal:
    """Satisfies `ports.Journal`: a record is durable a moment later."""

    def __init__(self, table: "QuickTable", chain: Chain) -> None:
        self._table, self._chain, self._seq = table, chain, 0

    def append(self, payload: bytes) -> int:
        self._seq += 1
        seq = self._seq
        self._chain.add(self._table.now_ns, payload)
        self._table.time.after(0.002, lambda: self._table.core.durable(seq))
        return seq

    def close(self) -> None:
        """Everything is written."""


class Machine:
    """The shuffler and the panel of the `events` level as devices of the core."""

    name = "shuffler"

    def __init__(self, table: "QuickTable", taps: Taps) -> None:
        self._table, self._taps = table, taps

    async def run(self, emit: Callable[[Event], None]) -> None:
        """Nothing runs: the timeline moves everything."""

    def obey(self, command: Command) -> None:
        if isinstance(command, Show):
            self._taps.shown("panel", self._table.now_ns, repr(command).encode())
        else:
            # As bytes, which is what goes there: written out, ids of commands pass for tokens once they are as many.
            self._taps.tell("said to shuffler", self._table.now_ns, msgspec.msgpack.encode(command))
            self._table.shuffler.obey(command)


class Forgetful(Tokens):
    """A numbering that outlives the hand: the fault that an observer must notice."""

    def renumber(self, slot: int, hand: int) -> None:
        if hand == 0:
            super().renumber(slot, hand)


class QuickTable(EventTable):
    """The `events` level with the station's core between readers and engine; nobody kills it."""

    def __init__(
        self,
        setup: Setup,
        seed: str,
        taps: Taps,
        *,
        tags: Mapping[Uid, Token] | None = None,
        engine: Engine = ENGINE,
        stepped: Stepped | None = None,
        renumbers: bool = True,
        shuffles: str = "",
        config: str = "",
    ) -> None:
        """`renumbers` False: a station that forgets to. `shuffles`: chance of the shuffler alone; '': of the seed.
        `config`: its hash, as the journal's first record has it."""
        super().__init__(setup, engine, seed, tags=tags)
        self._taps, self._stepped = taps, stepped
        if shuffles:
            self.felt._rng = Random(f"{shuffles}:felt")
        decks = [deck_tags(self.names.truth, info.slot) for info in setup.decks]
        self.tokens = (Tokens if renumbers else Forgetful)(decks, Random(f"{seed}:key").randbytes(32))
        self.core: Core[Any] = Core(
            self.state,
            step=self._step,
            view=engine.view,
            deck=engine.deck,
            hand=engine.hand,
            journal=QuickJournal(self, Chain(taps, config)),
            devices=[Machine(self, taps)],
            clock=lambda: self.now_ns,
            tokens=self.tokens,
            wake=self._wake_at,
            fault=self._fault,
        )
        self._control = Control(
            Authority.DIRECTOR, view=self.view, devices=lambda: (), emit=self.core.handle, clock=lambda: self.now_ns
        )

    def view(self) -> View:
        """Return what people see on the panel."""
        return self.core.view

    def _sensed(self, event: Event) -> None:
        """Put what a reader tells to the core as it is: tokens are the core's business."""
        self.feed(event)

    def feed(self, event: Event) -> None:
        """Put one event to the core."""
        self.core.handle(event)
        self.state = self.core.state
        self._taps.in_hand = in_hand(self.state)
        self._taps.ask(self._control, self.now_ns, SOMEBODY)
        self._taps.shown("status line", self.now_ns, status_line(self.core.view, ()).encode())

    def _step(self, state: Any, event: Event) -> tuple[Any, tuple[Command, ...]]:
        after, commands = self.engine.step(state, event)
        if self._stepped:
            self._stepped(state, event, after)
        for observer in self.observers:
            observer.heard(event, commands)
        return after, commands

    def _wake_at(self, at_ns: int) -> None:
        if at_ns not in self._woken:
            self._woken.add(at_ns)
            self.time.at(at_ns, lambda: self._wake(at_ns))

    def _fault(self, why: str) -> None:
        raise RuntimeError(why)

    def _start(self, memory: Memory) -> None:
        super()._start(replace(memory))


def evenings(
    seed: str,
    hands: int,
    taps: Taps,
    *,
    seats: tuple[int, int] = (2, 10),
    seen: Callable[[Evening, QuickTable], None] | None = None,
    decks: tuple[DeckInfo, ...] = (),
    **more: Any,
) -> int:
    """Play lawful hands, evening after evening, until there were as many; return how many there were.

    `seen` is given each evening before it begins; `decks`: what the config says of them; `more` goes to QuickTable.
    """
    played = number = 0
    while played < hands:
        number += 1
        name = f"{seed}:{number}"
        setup = table_setup(Random(f"{name}:setup"), seats, SCAN_MS["events"])
        setup = replace(setup, decks=decks) if decks else setup
        table = QuickTable(setup, name, taps, **more)
        evening = Evening(name, table, Mischief((), Random(f"{name}:faults")), None, seats)
        if seen:
            seen(evening, table)
        play_events(evening, table, min(hands - played, Random(f"{name}:length").randint(15, 60)))
        verdict = evening.checker.verdict
        if verdict.unlawful or verdict.false:
            raise RuntimeError(f"evening {name}: {(verdict.unlawful + verdict.false)[0]}")
        played += evening.dealer.hands
    return played
