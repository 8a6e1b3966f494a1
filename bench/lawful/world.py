"""The outside world of the station: time, what each reader reads, where each card is, and what the station is told."""

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Final

from bench.lawful.judge import Finding, Judge
from bench.lawful.machine import MS, Machine
from bench.lawful.reading import Hand
from dealerbox.model import events as ev
from dealerbox.model.cards import Token, is_card_of
from dealerbox.model.commands import Clear, Command, Hold, Notice, Permit, Refuse, Release, WakeAt
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import Dispense, Setup
from dealerbox.model.view import View
from dealerbox.model.zones import EXIT, INFEED, STUB, Zone

Station = Callable[[ev.Event], tuple[Command, ...]]
"""Takes an event, gives the station's commands."""
NOWHERE: Final = Zone("")
MINUTE_NS: Final = 60_000 * MS
PATIENCE_MS: Final = 120_000
"""What the station owes comes within this time, or never."""


class World:
    """A table. `station` hears of it; `look` shows the panel."""

    def __init__(self, station: Station, look: Callable[[], View], setup: Setup, rng: Random, caps: int) -> None:
        self.station, self.look, self.setup, self.rng = station, look, setup, rng
        self.now_ns = 0
        self.judge = Judge()
        self.machine = Machine(self, rng, caps)
        self.deck = 0
        """Slot of the deck in play."""
        self.hand: Hand | None = None
        self.book: dict[Token, Zone] = {}
        """Cards of the deck in play outside the stub: where each was last seen arriving, or said to lie."""
        self.lies: dict[Token, Zone] = {}
        """Where each card really lies; a card in a hand or the air is in none."""
        self.read: set[tuple[Zone, Token]] = set()
        """What the readers have told and not taken back."""
        self.mute: set[Token] = set()
        """Cards whose tags no reader finds where they lie now."""
        self.blind: set[Zone] = set()
        """Zones whose readers cannot look."""
        self.travelling: Token | None = None
        """The card let out last, not yet seen where it belongs."""
        self.barred = ""
        """Why the page lets no card out now, beside holds; '': it does."""
        self.by_hand = self.showing = False
        """The dealer has the stub in the hand (C15); shows cards singly at the burn reader."""
        self.outside = 0
        """Cards of the group due that were let out (1809)."""
        self.down = False
        """The station does not run."""
        self.counted_ns = self.changed_ns = 0
        """When the deck was last counted and confirmed, and when it came into play (C1, C2)."""
        self.passed_ns = 0
        """When the last card passed the gate."""
        self.judge.by_time = self._asked_by_time
        self.ghosts: set[tuple[Zone, Token]] = set()
        """What a reader goes on reading though it is gone."""
        self._todo: list[tuple[int, int, Callable[[], None]]] = []
        self._order = count()

    # Time.

    def after(self, ms: float, act: Callable[[], None]) -> None:
        """Do something later."""
        heappush(self._todo, (self.now_ns + int(ms * MS), next(self._order), act))

    def run(self, until_ns: int) -> None:
        """Let time pass, with all that happens in it."""
        todo = self._todo
        while todo and todo[0][0] <= until_ns:
            at_ns, _, act = heappop(todo)
            self.now_ns = max(self.now_ns, at_ns)
            act()
        self.now_ns = max(self.now_ns, until_ns)

    def wait(self, ms: float) -> None:
        """Let so much time pass."""
        self.run(self.now_ns + int(ms * MS))

    def pause(self, least_ms: float, most_ms: float) -> None:
        """Let a human wait pass."""
        self.wait(self.rng.uniform(least_ms, most_ms))

    def until(self, ready: Callable[[], object], what: str) -> None:
        """Let time pass until it is so. Finding: it never is (P7)."""
        limit_ns = self.now_ns + PATIENCE_MS * MS
        todo = self._todo
        while not ready():
            if not todo or todo[0][0] > limit_ns:
                view = self.look()
                held = ",".join(str(h.reason) for h in view.holds)
                raise self.judge.finding(
                    "dead_end", f"never {what}; {view.phase}, prompt {view.prompt_code}, held {held or 'nothing'}"
                )
            at_ns, _, act = heappop(todo)
            self.now_ns = max(self.now_ns, at_ns)
            act()

    def _asked_by_time(self, reason: Reason) -> bool:
        """Tell whether a notice is asked for by how long ago something was."""
        house = self.setup.house
        margin_min = house.last_hand_margin_min + 5
        match reason:
            case Reason.COUNT_DUE:
                return self.now_ns - self.counted_ns >= (house.count_every_min - margin_min) * MINUTE_NS
            case Reason.DECK_CHANGE_DUE:
                return self.now_ns - self.changed_ns >= (house.deck_change_every_min - margin_min) * MINUTE_NS
            case Reason.COUNT_OVERDUE:  # an overrun is recorded (C1)
                return self.now_ns - self.counted_ns >= house.count_every_min * MINUTE_NS
            case Reason.DECK_CHANGE_OVERDUE:
                return self.now_ns - self.changed_ns >= house.deck_change_every_min * MINUTE_NS
            case Reason.CARD_UNSEEN:
                late = self.now_ns - self.passed_ns >= house.settling_ms * MS
                return late and (self.travelling is not None or bool(self.machine.passed))
            case _:
                return False

    # The station.

    def tell(self, event: ev.Event) -> None:
        """Tell the station, and do what it says. Finding."""
        if self.down:
            return
        for command in self.station(event):
            if isinstance(command, WakeAt):
                self._wake(command.at_ns)
            elif isinstance(command, Hold):
                self.judge.heard(command)
                self.machine.hold()
            elif isinstance(command, Notice | Refuse):
                self.judge.heard(command)
            elif isinstance(command, Clear):
                self.judge.heard(command)
                self.machine.held = False
            elif isinstance(command, Permit):
                if isinstance(command, Release):
                    self._let_out()
                self.machine.obey(command)

    def _wake(self, at_ns: int) -> None:
        def tick() -> None:
            self.tell(ev.Tick(self.now_ns))

        heappush(self._todo, (max(at_ns, self.now_ns), next(self._order), tick))

    def _let_out(self) -> None:
        """Judge a RELEASE: the gate opens for the card behind it (P1). Finding."""
        why = ""
        hand = self.hand
        if hand is None or not hand.due:
            why = "no card is due"
        elif self.judge.held:
            why = f"{', '.join(sorted(self.judge.held))} stands"
        elif self.outside >= self.group() and (self.travelling is not None or self.machine.passed):
            why = "the card before was not seen where it belongs"
        elif not is_card_of(self.machine.gate or Token(0), self.deck):
            why = "it is no card of this deck"
        elif self.barred:
            why = self.barred
        if why:
            raise self.judge.finding("let_out", f"a card is let out and {why}")

    def group(self) -> int:
        """Return how many cards may be let out before the first of them is seen where it belongs (1809)."""
        due = self.hand.due if self.hand is not None else []
        if self.setup.house.dispense is not Dispense.GROUP or self.by_hand:
            return 0
        return next((index for index, zone in enumerate(due) if zone != due[0]), len(due))

    def press(self, key: Key, seat: int = 0, badge: str = "17") -> None:
        """A key is pressed."""
        self.tell(ev.KeyPressed(self.now_ns, key, seat, badge))

    def rule(self, ruling: Ruling, seat: int = 0, seats: tuple[int, ...] = (), tokens: tuple[Token, ...] = ()) -> None:
        """The director rules."""
        self.tell(
            ev.Ruled(self.now_ns, ruling=ruling, by="director", reason="ruled", seat=seat, seats=seats, tokens=tokens)
        )

    def button(self, *seats: int) -> None:
        """The button lies at these seats now."""
        self.tell(ev.ButtonAt(self.now_ns, seats))

    # Cards and readers.

    def arrive(self, zone: Zone, *cards: Token) -> None:
        """One scan of a zone finds these cards, where it can."""
        told = tuple(c for c in cards if c not in self.mute and (zone, c) not in self.read)
        if not told or zone in self.blind or self.down:
            return
        self.read.update([(zone, card) for card in told])
        for card in told:
            if self.showing or zone == INFEED:
                if self.hand is None:
                    self.book.pop(card, None)
            elif is_card_of(card, self.deck) and (zone != EXIT or card in self.book):
                self.book[card] = zone
        self.tell(ev.CardsSeen(self.now_ns, zone, told))

    def leave(self, zone: Zone, *cards: Token) -> None:
        """A zone's reader finds these cards no longer."""
        told = tuple(card for card in cards if (zone, card) in self.read and (zone, card) not in self.ghosts)
        if not told or zone in self.blind or self.down:
            return
        self.read.difference_update([(zone, card) for card in told])
        for card in told:
            self._settled(zone, card)
        self.tell(ev.CardsGone(self.now_ns, zone, told))

    def _settled(self, zone: Zone, card: Token) -> None:
        """A card that two zones have read, and one has lost past settling, is in the other; in its own at once (S5)."""
        others = [other for other, read in self.read if read == card and other not in (EXIT, INFEED)]
        home = self.hand.cards.get(card) if self.hand is not None else None
        if home in others:
            self._lies_in_the_other(zone, card, home)
        elif others:
            settling_ms = self.setup.house.settling_ms
            self.after(settling_ms + 0.001, lambda: self._lies_in_the_other(zone, card, others[0]))

    def _lies_in_the_other(self, zone: Zone, card: Token, other: Zone) -> None:
        hand = self.hand
        if hand is None or self.book.get(card) != zone or hand.cards.get(card) in (None, zone):
            return
        if (zone, card) in self.read or (other, card) not in self.read:
            return
        if (hand.due or not hand.last) and (hand.due or len(hand.live) > 1):
            self.book[card] = other

    def lay(self, zone: Zone, *cards: Token) -> None:
        """Cards are put down in a zone."""
        for card in cards:
            self.lies[card] = zone
        self.arrive(zone, *cards)

    def lift(self, *cards: Token) -> None:
        """Cards are taken up; their readers miss them a little later, unless they are back by then."""
        for card in cards:
            self.lies.pop(card, None)
        zones = {zone for zone, card in self.read if card in cards}
        for zone in sorted(zones):
            self.after(self.rng.uniform(100, 600), lambda zone=zone: self._missed(zone, cards))

    def _missed(self, zone: Zone, cards: tuple[Token, ...]) -> None:
        gone = tuple(card for card in cards if self.lies.get(card) != zone and card != self.machine.gate)
        self.leave(zone, *gone)

    def move(self, zone: Zone, *cards: Token) -> None:
        """Cards are taken up and put down elsewhere."""
        self.lift(*cards)
        self.pause(150, 500)
        self.lay(zone, *cards)

    def gone_out(self, card: Token) -> None:
        """A card has passed the gate: it is outside the stub, still in front of the machine."""
        self.book[card], self.passed_ns = EXIT, self.now_ns
        self.outside += 1

    def take(self) -> Token:
        """Take the next card out of the machine, as soon as it lets one out."""
        passed = self.machine.passed
        if not passed:
            self.until(lambda: passed or self.look().prompt_code == "cut", "let out the card that is due")
        while not passed:  # the stub was shuffled in mid-hand (C16)
            self.pause(300, 1500)
            self.press(Key.CUT)
            self.until(lambda: passed or self.look().prompt_code == "cut", "let out the card that is due")
        card = passed.pop(0)
        self.travelling = card
        self.lift(card)
        return card

    def landed(self, card: Token, zone: Zone, lay: bool = True) -> None:
        """The card due lies where it belongs."""
        hand = self.hand
        assert hand is not None
        hand.done(card, zone)
        self.travelling, self.outside = None, 0
        if lay:
            self.lay(zone, card)
        else:
            self.book[card] = zone

    # What the panel says.

    def check(self) -> None:
        """Hold the panel against this reading: counts by zone, the stub, what is expected, what is held. Finding."""
        view = self.look()
        own: dict[str, int] = {STUB: 52 - len(self.book)} if self.deck else {}
        for zone in self.book.values():
            own[zone or "table"] = own.get(zone or "table", 0) + 1
        if own != view.counts:
            zones = sorted(own.keys() | view.counts.keys())
            differ = {zone: (own.get(zone, 0), view.counts.get(zone, 0)) for zone in zones}
            differ = {zone: pair for zone, pair in differ.items() if pair[0] != pair[1]}
            raise self.judge.finding("count", f"cards by zone (reading, station): {differ}")
        self.check_holds(view)
        hand = self.hand
        if hand is None:
            return
        if view.street != hand.name:
            raise self.judge.finding("count", f"street {hand.name}, station {view.street}")
        expected = hand.due[0] if hand.due else NOWHERE
        if view.expect != expected:
            raise self.judge.finding("count", f"due at {expected or 'none'}, station {view.expect or 'none'}")
        dead = tuple(number for number in hand.seats if number not in hand.live)
        if view.folded != dead:
            raise self.judge.finding("count", f"dead hands {dead}, station {view.folded}")

    def check_holds(self, view: View | None = None) -> None:
        """Hold the panel's holds against those that stand by the page. Finding."""
        shown = {held.reason for held in (view or self.look()).holds}
        held = self.judge.held
        if shown - held:
            raise self.judge.finding("false_alarm", f"{sorted(shown - held)} stands still")
        if held - shown:
            raise self.judge.finding("freed", f"{sorted(held - shown)} does not stand any more")


__all__ = ["NOWHERE", "Finding", "Reason", "World"]
