"""A table of tokens around the engine: enough world to play a hand by hand."""

from collections.abc import Callable

import pytest

from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.engine.view import view
from dealerbox.model import events as ev
from dealerbox.model.cards import Token, token
from dealerbox.model.commands import Command
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import DeckInfo, House, Setup
from dealerbox.model.shuffler import Cycle, Memory, Result
from dealerbox.model.view import View
from dealerbox.model.zones import EXIT, INFEED, Zone

MS = 1_000_000
SEVEN_S = 1_767_225_600 + 19 * 3600
"""19:00 of an evening."""
TWO_DECKS = (DeckInfo(slot=1, name="first", back="red"), DeckInfo(slot=2, name="second", back="blue"))


class Table:
    """Feeds the engine events; the order of the deck is the order of its numbers."""

    def __init__(self, seats: tuple[int, ...] = (1, 2, 3), house: House | None = None) -> None:
        self.state = State()
        self.now_ns = 0
        self.setup = Setup(table="7", seats=seats, house=house or House(), decks=TWO_DECKS)
        self.log: list[tuple[ev.Event, tuple[Command, ...]]] = []
        self.dealt = 0
        self.cards: dict[int, Token] = {}
        """Command id of the DISPENSE -> its card."""

    def tell(self, make: Callable[[int], ev.Event], after_ms: int = 10) -> tuple[Command, ...]:
        """Let time pass, waking the engine where it asked, then tell one event."""
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

    def wait(self, ms: int) -> tuple[Command, ...]:
        before = len(self.log)
        self.tell(ev.Tick, ms)
        return tuple(command for _, commands in self.log[before:] for command in commands)

    def press(self, key: Key, seat: int = 0) -> tuple[Command, ...]:
        return self.tell(lambda at: ev.KeyPressed(at, key, seat))

    def rule(self, ruling: Ruling, **more: object) -> tuple[Command, ...]:
        return self.tell(lambda at: ev.Ruled(at, ruling=ruling, by="director", reason="said so", **more))

    def see(self, zone: Zone, *cards: Token) -> tuple[Command, ...]:
        return self.tell(lambda at: ev.CardsSeen(at, zone, cards))

    def lose(self, zone: Zone, *cards: Token) -> tuple[Command, ...]:
        return self.tell(lambda at: ev.CardsGone(at, zone, cards))

    def button(self, *seats: int) -> tuple[Command, ...]:
        return self.tell(lambda at: ev.ButtonAt(at, seats))

    def meet(self, machine: int = 0, agreed: bool = True, **more: object) -> tuple[Command, ...]:
        memory = self.state.memory
        told = {
            "serial": 1,
            "epoch": 9,
            "last_id": memory.next_id - 1,
            "machine": machine,
            "exit_id": memory.exit_id,
            "token_id": 0,
            "deal_id": 0,
            "caps": 0x7FFF,
            "agreed": agreed,
        } | more
        return self.tell(lambda at: ev.ShufflerMet(at, **told))

    @property
    def view(self) -> View:
        return view(self.state)

    @property
    def reasons(self) -> list[str]:
        return [standing.reason.value for standing in self.state.holds]

    # what people and the machine do

    def feed(self, *cards: Token) -> None:
        for card in cards:
            self.see(INFEED, card)
            self.lose(INFEED, card)

    def returned(self, number: int) -> tuple[Command, ...]:
        return self.cycle(Cycle.RETURN, number)

    def cycle(self, cycle: Cycle, number: int, result: Result = Result.DONE) -> tuple[Command, ...]:
        pending = self.state.memory.pending
        assert self.state.memory.pending_kind == cycle.value.capitalize()
        return self.tell(lambda at: ev.CycleEnded(at, pending, cycle, result, number))

    def started(self) -> None:
        session = self.state.memory.session + 1
        self.tell(lambda at: ev.Started(at, setup=self.setup, memory=Memory(session=session)))
        self.tell(lambda at: ev.WallClock(at, SEVEN_S + at // 1_000_000_000, 19 * 3600 + at // 1_000_000_000, True))

    def opened(self) -> None:
        """The table opens with its first deck, verified and shuffled."""
        self.started()
        self.meet()
        self.feed(*(token(1, number) for number in range(1, 53)))
        self.returned(52)
        self.press(Key.ACK)
        self.cycle(Cycle.SHUFFLE, 52)

    def ready(self, button: int = 1) -> None:
        self.opened()
        self.rule(Ruling.SET_BUTTON, seat=button)
        self.button(button)

    def begun(self, button: int = 1) -> None:
        self.ready(button)
        self.press(Key.START)

    def let_out(self) -> Token:
        """The machine brings up the next card and lets it go; it is in the dealer's hand now."""
        if self.state.memory.pending_kind == "Dispense":
            number = self.state.memory.pending
            self.dealt += 1
            card = token(1, self.dealt)
            self.cards[number] = card
            self.tell(lambda at: ev.CardUp(at, number))
            self.see(EXIT, card)
        card = self.cards[self.state.memory.exit_id]
        self.wait(200)
        assert self.state.memory.pending_kind == "Release", self.view
        release, exit_id = self.state.memory.pending, self.state.memory.exit_id
        self.tell(lambda at: ev.CardPassed(at, release, exit_id))
        self.lose(EXIT, card)
        return card

    def deal(self) -> Token:
        """One card, to where it belongs."""
        card = self.let_out()
        assert self.state.released is not None
        self.see(self.state.released.step.zone, card)
        return card

    def deal_street(self) -> list[Token]:
        """Every card of the open street."""
        cards = []
        while self.view.phase == "dealing":
            cards.append(self.deal())
        return cards

    def holes(self) -> list[Token]:
        self.begun()
        return self.deal_street()

    def flop(self) -> list[Token]:
        holes = self.holes()
        self.press(Key.NEXT)
        return holes + self.deal_street()

    def home(self) -> None:
        """Every card that is out enters the machine again, and the machine shuffles."""
        while self.state.memory.pending_kind == "Retract":
            number = self.state.memory.pending
            self.tell(lambda at, number=number: ev.CardRetracted(at, number))
        out = tuple(self.state.out)
        self.feed(*out)
        self.returned(52 - self.state.memory.machine)
        self.cycle(Cycle.SHUFFLE, 52)


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def make_table() -> type[Table]:
    return Table
