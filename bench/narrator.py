"""Told by hand: what people and machine do, said to the engine one event at a time, time passing between."""

from collections.abc import Callable
from typing import Any

from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.engine.view import view
from dealerbox.model import events as ev
from dealerbox.model.cards import Token, token
from dealerbox.model.commands import Command
from dealerbox.model.keys import Ruling
from dealerbox.model.setup import Setup
from dealerbox.model.shuffler import Cycle, Memory, Result
from dealerbox.model.view import View
from dealerbox.model.zones import BURN, INFEED, Zone

MS = 1_000_000
SEVEN_S = 1_767_225_600 + 19 * 3600
"""19:00 of an evening."""
CAPS = 0x7FFF


class Narrator:
    """The world of one table, and the log of what it told and was answered."""

    cycle_ms = 10
    """How long a cycle of the machine takes."""

    def __init__(self, setup: Setup) -> None:
        self.state = State()
        self.now_ns = 0
        self.setup = setup
        self.log: list[tuple[ev.Event, tuple[Command, ...]]] = []

    def tell(self, make: Callable[[int], ev.Event], after_ms: int = 10) -> tuple[Command, ...]:
        """Let time pass, waking the engine where it asked, then tell one event; return what it answered."""
        until = self.now_ns + after_ms * MS
        while self.state.wakes and self.state.wakes[0] <= until:
            self.now_ns = max(self.now_ns, self.state.wakes[0])
            self._step(ev.Tick(self.now_ns))
        self.now_ns = until
        return self._step(make(until))

    def _step(self, event: ev.Event) -> tuple[Command, ...]:
        self.state, commands = step(self.state, event)
        self.log.append((event, commands))
        return commands

    @property
    def view(self) -> View:
        return view(self.state)

    def wait(self, ms: int) -> tuple[Command, ...]:
        """Let time pass; return all that was answered meanwhile."""
        before = len(self.log)
        self.tell(ev.Tick, ms)
        return tuple(command for _, commands in self.log[before:] for command in commands)

    # People.

    def see(self, zone: Zone, *cards: Token) -> tuple[Command, ...]:
        return self.tell(lambda at: ev.CardsSeen(at, zone, cards))

    def lose(self, zone: Zone, *cards: Token) -> tuple[Command, ...]:
        return self.tell(lambda at: ev.CardsGone(at, zone, cards))

    def feed(self, *cards: Token) -> None:
        """Cards go in one by one past the reader of the infeed."""
        for card in cards:
            self.see(INFEED, card)
            self.lose(INFEED, card)

    def show(self, *cards: Token) -> None:
        """Cards are shown one by one: each is laid where the burns are read, and taken up again."""
        for card in cards:
            self.see(BURN, card)
            self.lose(BURN, card)

    def button(self, *seats: int) -> tuple[Command, ...]:
        return self.tell(lambda at: ev.ButtonAt(at, seats))

    def rule(self, ruling: Ruling, **more: Any) -> tuple[Command, ...]:
        return self.tell(lambda at: ev.Ruled(at, ruling=ruling, by="director", reason="said so", **more))

    # Station and machine.

    def started(self, boot: str = "") -> None:
        """The station starts."""
        session = self.state.memory.session + 1
        self.tell(lambda at: ev.Started(at, setup=self.setup, memory=Memory(session=session), boot_id=boot))

    def clock(self, sure: bool = True) -> None:
        """The wall clock is told: 19:00 when the table began."""
        passed_s = self.now_ns // 1_000_000_000
        self.tell(lambda at: ev.WallClock(at, SEVEN_S + passed_s, 19 * 3600 + passed_s, sure))

    def meet(self, machine: int = 0, agreed: bool = True, **more: Any) -> tuple[Command, ...]:
        """The shuffler answers, and says how many cards are in it."""
        memory = self.state.memory
        told = {
            "serial": 1,
            "epoch": 9,
            "last_id": memory.next_id - 1,
            "machine": machine,
            "exit_id": memory.exit_id,
            "token_id": max(self.state.shuffled, 0),
            "deal_id": memory.deal_id,
            "caps": CAPS,
            "agreed": agreed,
        } | more
        return self.tell(lambda at: ev.ShufflerMet(at, **told))

    def cycle(self, cycle: Cycle, number: int, result: Result = Result.DONE) -> tuple[Command, ...]:
        """The machine ends the cycle that it was told to begin."""
        pending, kind = self.state.memory.pending, self.state.memory.pending_kind
        assert kind == cycle.value.capitalize(), kind
        return self.tell(lambda at: ev.CycleEnded(at, pending, cycle, result, number), self.cycle_ms)

    def card_up(self) -> tuple[Command, ...]:
        """The card that was asked for has come up to the exit."""
        number = self.state.memory.pending
        return self.tell(lambda at: ev.CardUp(at, number))

    def retracted(self) -> None:
        """What the machine was told to take back is in it again."""
        while self.state.memory.pending_kind == "Retract":
            number = self.state.memory.pending
            self.tell(lambda at, number=number: ev.CardRetracted(at, number))


def deck(slot: int) -> list[Token]:
    """Return the 52 cards of a deck."""
    return [token(slot, number) for number in range(1, 53)]
