"""A table around the engine: tells it what people and machine do, and keeps the log."""

from bench.narrator import Narrator, deck
from dealerbox.journal.export import line
from dealerbox.model import events as ev
from dealerbox.model.cards import Token
from dealerbox.model.commands import Command, Dispense, Hold, Notice, Refuse, Release
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import DeckInfo, House, Setup
from dealerbox.model.shuffler import Cycle
from dealerbox.model.zones import EXIT
from dealerbox.station.entry import encode

DECKS = (DeckInfo(slot=1, name="first", back="red", jokers=2), DeckInfo(slot=2, name="second", back="blue", jokers=2))
JOKER = Token(1061)
STRANGER = Token(17)
"""A tag that no deck of this table has."""


class Table(Narrator):
    """Four players, two decks; the order of a deck is the order of its numbers unless the dealer says otherwise."""

    cycle_ms = 4000

    def __init__(self, house: House | None = None) -> None:
        super().__init__(Setup(table="7", seats=(1, 2, 3, 4), house=house or House(), decks=DECKS))
        self.known = 0
        """Number of the event at which it can be known that something is wrong."""
        self.up: Token | None = None
        self.stub: list[Token] = []

    def can_be_known(self) -> None:
        """Mark the event told last as the first one that shows what is wrong."""
        self.known = self.known or len(self.log)

    def press(self, *keys: Key) -> None:
        for key in keys:
            self.tell(lambda at, key=key: ev.KeyPressed(at, key), 300)

    def switched_on(self) -> None:
        self.started()
        self.clock()
        self.meet(0)

    def verified(self) -> None:
        """The first deck is fed in whole, and its seal confirmed; the machine begins to shuffle it."""
        self.switched_on()
        self.feed(*deck(1))
        self.cycle(Cycle.RETURN, 52)
        self.press(Key.ACK)
        self.rule(Ruling.SET_BUTTON, seat=1)
        self.button(1)

    def ready(self) -> None:
        self.verified()
        self.shuffled()

    def shuffled(self) -> None:
        self.cycle(Cycle.SHUFFLE, 52)
        self.stub = deck(self.state.deck)

    def brought_up(self, card: Token | None = None) -> None:
        """The machine brings the next card up, or `card` where the pack holds that: the exit reads it."""
        number = self.state.memory.pending
        assert self.state.memory.pending_kind == "Dispense", self.state.memory
        self.up = card or self.stub.pop(0)
        self.tell(lambda at: ev.CardUp(at, number), 400)
        self.see(EXIT, self.up)

    def let_out(self) -> Token:
        """The next card passes the gate: it is in the dealer's hand."""
        if not self.state.memory.exit_id:
            self.brought_up()
        card = self.up
        assert card is not None
        self.wait(200)
        release, exit_id = self.state.memory.pending, self.state.memory.exit_id
        assert self.state.memory.pending_kind == "Release", self.state.memory
        self.tell(lambda at: ev.CardPassed(at, release, exit_id))
        self.lose(EXIT, card)
        return card

    def deal(self, cards: int) -> list[Token]:
        """So many cards, each to where it belongs."""
        dealt = []
        for _ in range(cards):
            dealt.append(self.let_out())
            assert self.state.released is not None
            self.see(self.state.released.step.zone, dealt[-1])
        return dealt

    def holes(self) -> list[Token]:
        """A hand begins: two cards to each player."""
        self.ready()
        self.press(Key.START)
        return self.deal(8)

    def street(self, cards: int) -> list[Token]:
        """The round is complete; a burn and so many to the board."""
        self.press(Key.NEXT)
        return self.deal(1 + cards)

    def awarded(self, *kept: Token) -> None:
        """The pot is pushed; every card but those kept goes in again."""
        self.press(Key.AWARD)
        self.retracted()
        inside = self.state.memory.machine
        self.feed(*(card for card in self.state.out if card not in kept))
        self.cycle(Cycle.RETURN, 52 - inside - len(kept))

    @property
    def prompt(self) -> str:
        return self.view.prompt_code

    def stops(self) -> list[tuple[int, Hold | Refuse | Notice]]:
        """Return every hold and refusal with its event number.

        A card said to be face up is a notice that stops too: nothing comes up before it lies aside.
        """
        return [
            (number, command)
            for number, (_, commands) in enumerate(self.log, 1)
            for command in commands
            if isinstance(command, Hold | Refuse)
            or (isinstance(command, Notice) and command.reason is Reason.FACED_CARD)
        ]

    def permits_after(self, number: int) -> list[Command]:
        """Return what lets a card out after event `number`."""
        later = [command for _, commands in self.log[number - 1 :] for command in commands]
        return [command for command in later if isinstance(command, Dispense | Release)]

    def lines(self) -> bytes:
        """Return the log as `dealerbox replay` reads it."""
        return b"".join(line(number, encode(*entry)) for number, entry in enumerate(self.log, 1))
