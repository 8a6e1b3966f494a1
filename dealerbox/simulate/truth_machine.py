"""The deck and the shuffler in the checker's account: what went in, and how far anybody can know it."""

import msgspec

from dealerbox.model.cards import DECK_SIZE, Kind, Token, Uid, deck_of, kind_of
from dealerbox.model.events import CycleEnded, ShufflerMet
from dealerbox.model.shuffler import Cap, Cycle, Result


class Machine(msgspec.Struct):
    """One shuffler and the deck that went into it."""

    inside: set[Uid] = set()
    """Tags that went in past the infeed and were not let out since."""
    deck: int = 0
    """Slot of the deck in play, as far as cards went in."""
    retired: set[int] = set()
    shuffled: bool = False
    counted_ns: int = 0
    owes_count: bool = False
    """The machine was proved in mid-hand: a confirmed full count comes before the next hand (S2)."""
    unsure: bool = False
    """The shuffler's record is not the station's: a door, a new machine, an unasked move."""
    miscounted: bool = False
    """The last cycle did not end with the number that it should have."""
    unproved: bool = False
    """It agrees again, in mid-hand: the proof and its ACK are still to come (S2)."""
    unemptied: bool = False
    """Between hands it was without power: it is proved empty before the next one (S2)."""
    searched: tuple[frozenset[Uid], ...] = ()
    """What was not in it each time the dealer said that no more can be found, since a hand began (S3)."""
    read_clean: set[Uid] | None = None
    """Between hands, after a strange tag lay on the table: what went in since it is away; None: none did (1824)."""
    fed: set[Uid] = set()
    read: set[Token] = set()
    """Cards that went in since the hand ended, or since the machine was empty; those that the infeed read."""
    anew: bool = False
    """The next card that goes in, or is read, is the first of those."""
    takes_in: bool = True
    """It takes cards in itself, and counts them."""
    counts: bool = False
    """The last cycle found the whole deck: an ACK certifies it (1804B(8))."""

    def entered(self, uid: Uid, name: Token, between_hands: bool) -> None:
        """A card went in past the infeed."""
        self.inside.add(uid)
        if not between_hands:
            return
        self.begin_anew()
        self.fed.add(uid)
        if kind_of(name) is Kind.CARD:
            self.deck = deck_of(name)

    def begin_anew(self) -> None:
        """The first card of a hand that ended, or of a machine that was empty, goes in or is read."""
        if self.anew:
            self.fed.clear()
            self.read.clear()
            self.anew = False

    def read_in(self, cards: tuple[Token, ...]) -> None:
        """The infeed read cards; of a machine that takes none in itself that is the count (1804B(8), S3)."""
        self.begin_anew()
        self.read.update(cards)
        if not self.takes_in:
            self.counts = len(self.read) == DECK_SIZE and not self.unread()

    def read_after_strange(self, uid: Uid, went_in: bool) -> None:
        """After a strange tag lay on the table a card went in, or came out: the whole deck is read once (1824)."""
        if self.read_clean is None:
            return
        if not went_in:
            self.read_clean.discard(uid)
            return
        self.read_clean.add(uid)
        if len(self.read_clean) == DECK_SIZE:
            self.read_clean = None

    def unread(self) -> bool:
        """Tell whether a card went in whose tag the infeed did not read (S3)."""
        return len(self.fed) > len(self.read)

    def searched_twice(self) -> bool:
        """Tell whether two searches left the same cards missing."""
        return len(self.searched) > 1 and self.searched[-1] == self.searched[-2]

    def ended(self, event: CycleEnded) -> None:
        """A cycle ended."""
        whole = event.result is Result.DONE and event.number == DECK_SIZE
        self.miscounted = event.result is not Result.DONE
        if event.cycle is Cycle.SHUFFLE:
            self.shuffled = whole
        elif event.cycle is Cycle.RETURN:
            self.shuffled = False
            self.counts = len(self.inside) == DECK_SIZE
        else:
            self.counts = whole

    def met(self, event: ShufflerMet, hand_open: bool, by_hand: bool) -> None:
        """It answers after a start, a door, a loss of power or of the cable; `by_hand`: it has no card of this hand."""
        doubted = self.unsure or self.unproved or event.unpowered
        self.unproved = doubted and hand_open and not by_hand
        self.unemptied = self.unemptied or (event.unpowered and not hand_open and bool(self.inside))
        self.unsure = not event.agreed
        self.takes_in = bool(event.caps & Cap.RETURN)
        self.shuffled = self.shuffled and bool(event.token_id or event.deal_id)

    def certified(self, at_ns: int) -> None:
        """Between hands a person confirmed its count."""
        if self.counts:
            self.counted_ns, self.counts, self.owes_count = at_ns, False, False
