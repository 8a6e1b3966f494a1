"""A table of tokens around the engine: enough world to play a hand by hand."""

from typing import get_type_hints

import msgspec
import pytest

from bench.narrator import Narrator, deck
from dealerbox.engine.clocks import clocks
from dealerbox.engine.state import Condition, State, change, kept
from dealerbox.model import events as ev
from dealerbox.model.cards import Token, token
from dealerbox.model.commands import AnyCommand, Command
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import DeckInfo, House, Setup
from dealerbox.model.shuffler import Cycle, Memory
from dealerbox.model.zones import BOARD, BURN, EXIT, seat

TWO_DECKS = (DeckInfo(slot=1, name="first", back="red"), DeckInfo(slot=2, name="second", back="blue"))

WRITTEN = msgspec.msgpack.Encoder()
READ_BACK = {name: msgspec.msgpack.Decoder(kind) for name, kind in get_type_hints(State).items()}
COMMANDS = msgspec.msgpack.Decoder(tuple[AnyCommand, ...])


class Table(Narrator):
    """Feeds the engine events; the order of the deck is the order of its numbers."""

    def __init__(self, seats: tuple[int, ...] = (1, 2, 3), house: House | None = None) -> None:
        super().__init__(Setup(table="7", seats=seats, house=house or House(), decks=TWO_DECKS))
        self.dealt = 0
        self.cards: dict[int, Token] = {}
        """Command id of the DISPENSE -> its card."""

    def _step(self, event: ev.Event) -> tuple[Command, ...]:
        """One event; what is answered and what of the state is new can be written and read back as the same (P5)."""
        before = self.state
        commands = super()._step(event)
        for name, read_back in READ_BACK.items():
            value = getattr(self.state, name)
            if value is not getattr(before, name):
                assert read_back.decode(WRITTEN.encode(value)) == value, name
        if commands:
            assert COMMANDS.decode(WRITTEN.encode(commands)) == commands
        if self.state.clock_ns > self.state.now_ns:
            looked = clocks(kept(self.state))
            assert looked == change(kept(self.state), clock_ns=looked.clock_ns), "a clock missed its limit"
            assert looked.clock_ns >= self.state.clock_ns
        return commands

    def press(self, key: Key, seat: int = 0) -> tuple[Command, ...]:
        return self.tell(lambda at: ev.KeyPressed(at, key, seat))

    @property
    def reasons(self) -> list[str]:
        return [standing.reason.value for standing in self.state.holds]

    @property
    def device_holds(self) -> list[tuple[str, Condition, str]]:
        return [(standing.reason.value, standing.needs, standing.device) for standing in self.state.holds]

    @property
    def pending(self) -> str:
        """What the machine was told last and has not answered."""
        return self.state.memory.pending_kind

    def returned(self, number: int) -> tuple[Command, ...]:
        return self.cycle(Cycle.RETURN, number)

    def started(self, boot: str = "") -> None:
        super().started(boot)
        self.clock()

    def opened(self) -> None:
        """The table opens with its first deck, verified and shuffled."""
        self.started()
        self.meet()
        self.feed(*deck(1))
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

    def let_up(self) -> Token:
        """The machine brings up the next card, and it is read at the exit."""
        number = self.state.memory.pending
        assert self.state.memory.pending_kind == "Dispense", self.view
        self.dealt += 1
        card = self.cards[number] = token(1, self.dealt)
        self.tell(lambda at: ev.CardUp(at, number))
        self.see(EXIT, card)
        self.wait(200)
        return card

    def let_out(self) -> Token:
        """The machine brings up the next card and lets it go; it is in the dealer's hand now."""
        if self.state.memory.pending_kind == "Dispense":
            self.let_up()
        card = self.cards[self.state.memory.exit_id]
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

    def asked_for(self) -> None:
        """The next card is asked for: it waits behind the gate."""
        self.wait(2000)
        self.card_up()
        self.see(EXIT, token(1, 40))
        self.wait(3000)

    def proved(self, count: int) -> tuple[Command, ...]:
        """The card at the exit is taken back, the stub counted and confirmed; return what was answered."""
        if self.state.memory.pending_kind == "Dispense":
            self.card_up()
        self.retracted()
        self.lose(EXIT, token(1, 40))
        commands = self.cycle(Cycle.COUNT, count)
        assert self.view.prompt_code == "proof"
        return commands + self.press(Key.ACK)

    def proved_and_cut(self, count: int) -> tuple[Command, ...]:
        """The stub is proved, shuffled and cut; return what was answered."""
        commands = self.proved(count) + self.cycle(Cycle.SHUFFLE, count)
        assert self.view.prompt_code == "cut"
        return commands + self.press(Key.CUT)

    def opened_again(self, boot_id: str = "second") -> None:
        """The table was closed; it opens with two decks that were never in play, the first of them verified."""
        infos = tuple(DeckInfo(slot=slot, name=name, back=name) for slot, name in ((1, "third"), (2, "fourth")))
        setup = Setup(table="7", seats=self.setup.seats, house=self.setup.house, decks=infos)
        self.tell(lambda at: ev.Started(at, setup=setup, memory=Memory(session=9), boot_id=boot_id))
        self.meet(machine=0)
        if self.view.prompt_code == "empty":
            self.press(Key.ACK)
            if self.state.memory.pending_kind == "Places":
                places = self.state.memory.pending
                self.tell(lambda at: ev.PlacesSet(at, places))
        self.feed(*self.state.out)
        self.returned(52)
        self.press(Key.ACK)
        self.cycle(Cycle.SHUFFLE, 52)
        self.rule(Ruling.SET_BUTTON, seat=1)
        self.button(1)

    def home(self) -> None:
        """Every card that is out enters the machine again, and the machine shuffles."""
        self.retracted()
        out = tuple(self.state.out)
        self.feed(*out)
        self.returned(52 - self.state.memory.machine)
        self.cycle(Cycle.SHUFFLE, 52)


class Dealt:
    """A table whose dealer has the deck in the hand."""

    def __init__(self, table) -> None:
        self.table, self.stub = table, deck(1)

    def lay(self, zone, cards=1):
        laid = [self.stub.pop(0) for _ in range(cards)]
        self.table.see(zone, *laid)
        return laid

    def holes(self) -> None:
        for number in (2, 3, 1, 2, 3, 1):
            self.lay(seat(number))

    def street(self, cards: int) -> None:
        self.table.press(Key.NEXT)
        self.lay(BURN)
        self.lay(BOARD, cards)

    def board_back(self) -> None:
        """PREMATURE: the board goes back into the stub, each card past the reader of the burns."""
        cards = [card for card, record in self.table.state.out.items() if record.at == BOARD]
        self.table.press(Key.PREMATURE)
        for card in cards:
            self.table.lose(BOARD, card)
            self.table.show(card)
        self.stub.extend(cards)


def _opened(table) -> None:
    """START; the shuffler is opened, the deck taken out, the door shut."""
    table.begun()
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    table.meet(agreed=False, why="door")
    table.meet(agreed=False, why="content")


def _given(table) -> Dealt:
    """The dealer has said that nothing is left in the shuffler, and it agrees."""
    _opened(table)
    table.press(Key.ACK)
    pending = table.state.memory.pending
    table.tell(lambda at: ev.PlacesSet(at, pending))
    table.meet()
    return Dealt(table)


def _flop(table) -> Dealt:
    dealt = _given(table)
    dealt.holes()
    dealt.street(3)
    return dealt


def _brought_to(table, phase: str) -> None:
    """From a table where nothing was told yet; `closed` leaves it so."""
    if phase == "closed":
        return
    if phase == "opening":
        table.started()
    elif phase == "between":
        table.ready()
    elif phase == "dealing":
        table.begun()
        table.deal()
        table.let_up()
    elif phase == "betting":
        table.flop()
    elif phase == "held":
        table.flop()
        table.press(Key.PREMATURE)
    elif phase == "proved":
        table.flop()
        table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    elif phase == "showdown":
        table.flop()
        table.press(Key.NEXT)
        table.deal_street()
        table.press(Key.NEXT)
        table.deal_street()
    elif phase == "gathering":
        table.holes()
        table.press(Key.AWARD)
    elif phase == "by_hand":
        table.flop()
        table.tell(lambda at: ev.DeviceLost(at, "shuffler", "silent"))
        table.press(Key.MANUAL)


@pytest.fixture
def opened():
    """START of a hand that is dealt by `hand`, the shuffler opened and shut."""
    return _opened


@pytest.fixture
def given():
    """The whole deck in the dealer's hand."""
    return _given


@pytest.fixture
def flop():
    """The flop dealt from the dealer's hand."""
    return _flop


@pytest.fixture
def burned(table, flop):
    """The deck is in the dealer's hand; the turn's burn lies there, and the turn has not come."""
    dealt = flop(table)
    table.press(Key.NEXT)
    (card,) = dealt.lay(BURN)
    return dealt, card


@pytest.fixture
def brought_to():
    """A table in each phase, dealt by the shuffler or (`by_hand`) on without it."""
    return _brought_to


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def make_table() -> type[Table]:
    return Table
