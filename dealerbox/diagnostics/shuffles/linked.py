"""Shuffles of play out of a station's log: only whoever has the station's token key can see which card is which.

In a log the tokens of one hand say nothing about those of the next. With the key they do, for as long as it is counted:
which places on the way in the cards had that came out. Nothing else of a card leaves this module (docs/decisions/0010).
"""

from collections.abc import Iterable, Iterator

from dealerbox.diagnostics.shuffles.cycle import UNREAD, Cycle
from dealerbox.engine.state import State
from dealerbox.model.cards import Token, Uid, deck_of, is_card_of
from dealerbox.model.events import CardsGone, CardsSeen, CycleEnded, Event
from dealerbox.model.shuffler import Cycle as Kind
from dealerbox.model.shuffler import Result
from dealerbox.model.zones import EXIT, INFEED
from dealerbox.station.replay import play
from dealerbox.station.tokens import DeckTags, Tokens


class Key:
    """Tells which card a token was in some hand."""

    def __init__(self, decks: Iterable[DeckTags], key: bytes) -> None:
        """`decks`: those of the table; `key`: what its `token.key` holds."""
        self._decks = {deck.slot: deck for deck in decks}
        self._tokens = Tokens(self._decks.values(), key)

    def cards(self, slot: int, hand: int) -> dict[Token, Uid]:
        """Return the cards of a deck by the tokens that they had in that hand."""
        self._tokens.renumber(slot, hand)
        return {self._tokens.of(uid): uid for uid in self._decks[slot].cards}


class _Deck:
    """What was seen of one deck since it last began to go in."""

    def __init__(self, slot: int, key: Key) -> None:
        self._slot, self._key = slot, key
        self._cards: dict[Token, Uid] | None = None
        """By the tokens of the last hand that it played; None: not known, the log begins later."""
        self._waiting: dict[Token, Uid] = {}
        """Read at the infeed, and still there."""
        self._in: list[Uid] = []
        self._together: set[Uid] = set()
        """Gone in, or come out, in one scan with others: their order is not known."""
        self._out: list[Uid] = []
        self._shuffled = self._dealing = False

    def begins(self, hand: int) -> Iterator[Cycle]:
        """A hand with it begins, or another does: its tokens are dealt anew."""
        yield from self.ends()
        self._dealing = self._shuffled and self._cards is not None
        self._cards = self._key.cards(self._slot, hand)

    def ends(self) -> Iterator[Cycle]:
        """What comes out from now on is of no use for the last shuffle."""
        if self._dealing and self._out:
            went_in = [uid for uid in self._in if uid not in self._together]
            place = {uid: at for at, uid in enumerate(went_in)}
            yield Cycle(len(went_in), tuple(place.get(uid, UNREAD) for uid in self._out))
        if self._dealing:
            self._forget()
        self._dealing = False

    def seen(self, event: CardsSeen) -> Iterator[Cycle]:
        """A reader has seen cards of it."""
        tokens = [token for token in event.tokens if is_card_of(token, self._slot)]
        if not tokens or self._cards is None:
            return
        uids = {token: self._cards[token] for token in tokens}
        if event.zone == INFEED:
            yield from self.ends()
            if self._shuffled:  # what went in before was shuffled once more than this
                self._forget()
            self._waiting |= uids
        elif self._dealing:
            self._note(list(uids.values()), self._out)

    def gone(self, event: CardsGone) -> None:
        """Cards are no longer read at the infeed: the machine has them, whatever lay there with them."""
        uids = [self._waiting.pop(token) for token in event.tokens if token in self._waiting]
        self._in = [uid for uid in self._in if uid not in uids]  # one that was taken out again
        self._note(uids, self._in)

    def _note(self, uids: list[Uid], where: list[Uid]) -> None:
        if len(uids) > 1:
            self._together.update(uids)
        where += [uid for uid in uids if uid not in where]

    def shuffled(self, *, whole: bool) -> Iterator[Cycle]:
        """The machine says that a shuffle has ended."""
        yield from self.ends()
        self._shuffled = whole

    def _forget(self) -> None:
        self._in, self._out, self._together, self._shuffled = [], [], set(), False
        self._waiting.clear()


def shuffles_of(lines: Iterable[bytes], name: str, key: Key, marks: dict[int, str]) -> Iterator[Cycle]:
    """Yield what each shuffle of a log shows. LogError as `play`.

    `marks`: of each deck of the table, as the log must name it: the tokens of another deck are not counted.
    """
    decks = {slot: _Deck(slot, key) for slot in marks}
    state = State()
    for decision in play(lines, name):
        before, state = (state.hand, state.decks), decision.state
        if state.decks != before[1]:
            theirs = {deck.slot for deck in state.decks if marks.get(deck.slot) == deck.mark}
            decks = {slot: decks.get(slot) or _Deck(slot, key) for slot in theirs}
        if state.hand != before[0]:
            for slot, deck in decks.items():
                yield from deck.begins(state.hand) if slot == state.deck else ()
        yield from _told(decision.event, decks)
    for deck in decks.values():
        yield from deck.ends()


def _told(event: Event, decks: dict[int, _Deck]) -> Iterator[Cycle]:
    if isinstance(event, CardsGone) and event.zone == INFEED:
        for deck in decks.values():
            deck.gone(event)
    if isinstance(event, CardsSeen) and event.zone in (INFEED, EXIT):
        for slot in {deck_of(token) for token in event.tokens} & set(decks):
            yield from decks[slot].seen(event)
    elif isinstance(event, CycleEnded) and event.cycle is Kind.SHUFFLE:
        for deck in decks.values():
            yield from deck.shuffled(whole=event.result is Result.DONE)
