"""The dealer, the players and the director of a simulated table.

They know the law page, see the panel (`View`) and the felt, and act on the felt, the keys
and the button alone. The dealer is one process: look, decide on one small act, do it. So a
hold, wherever it comes, is met at the next look.
"""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Protocol

from dealerbox.model.cards import Uid
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import ButtonRule, Dispense
from dealerbox.model.view import View
from dealerbox.model.zones import ASIDE, BOARD, BURN, INFEED, MUCK, Zone, seat, seat_number
from dealerbox.simulate.byhand import LIFTED_S, SHOWN_S, go_on, show, take_deck
from dealerbox.simulate.hand import LawfulHand, buttons_after
from dealerbox.simulate.premature import give_back
from dealerbox.simulate.seen import Table
from dealerbox_drivers.felt import BEHIND_GATE, BOX, HAND, OUTLET

BADGE = "D-17"

COUNT_AFTER_NS = 20 * 60 * 1_000_000_000
SLOW = 0.05
"""How often a player, where there is an action clock, takes long enough for the warning."""
SEATS_CHANGE = 0.08
"""How often somebody comes or goes between two hands."""
GLANCE_S = 0.2
"""How long a dealer who laid a card wrong looks at the lamp, once it was read and judged a scan later (P1)."""
HURRY = 0.15
"""How often a dealer who deals from the hand deals the next card within the readers' scan."""
UNHURRIED = 0.2
"""How often a player holds the cards as long as people do, at any table: long enough to be missed by its reader."""
PATIENCE = 12
"""Looks at an unchanged panel before somebody opens the machine, or wonders."""
UNHEARD = 6
"""Looks at a key that stays lit after it was given, until it is given again."""
UNSURE = 400
"""Looks at a clock that nobody is sure of, some two minutes, until people go home."""
OVER = (Reason.ONE_DECK, Reason.NEW_SET_REQUIRED, Reason.TOURNAMENT_OVER, Reason.DECK_CHANGE_OVERDUE)
"""Refusals of START after which people go home."""

Acts = Iterator[float]
"""Something done step by step: each number is a wait in seconds."""


class Trouble(Protocol):
    """What makes a dealer go wrong now and then."""

    def at(self, moment: str, dealer: "Dealer") -> Acts:
        """Do a fault that fits this moment, if one is due. Moments: start, card, round, next, gather, shuffling."""

    def mend(self, dealer: "Dealer", view: View) -> Acts:
        """Answer a hold that the dealer's own knowledge does not."""


class Dealer:
    """Deals lawful hands for ever, as the panel asks and as the law page wants."""

    def __init__(
        self, table: Table, decks: Iterable[Iterable[Uid]], rng: Random, trouble: Trouble, pace: float = 1.0
    ) -> None:
        """`pace`: 1 for people who think as people do, less for a table in a hurry."""
        self.pace = pace
        self.hurry = 1.0
        """Of the time that eyes and hands take as people have them."""
        self.table, self.rng, self.trouble = table, rng, trouble
        self.felt = table.felt
        self.decks = [tuple(deck) for deck in decks]
        self.deck = self.decks[0]
        self.hand: LawfulHand | None = None
        self.seats_between = (2, 2)
        """Fewest and most players; people come and go between the two."""
        self.hands = 0
        """Hands that were awarded."""
        self.button = 0
        self.dealt_to: dict[Uid, Zone] = {}
        """Where each card of this hand belongs now, as the dealer remembers it."""
        self.held_by: dict[Uid, int] = {}
        """To which seat each hole card of this hand was dealt."""
        self.card: Uid | None = None
        """The card dealt last."""
        self.wanted = Zone("")
        """Where it should have gone."""
        self.puzzled: list[str] = []
        """Where panel and law page disagreed, in the dealer's view."""
        self.counted_ns = 0
        self.badge = BADGE
        self.by_hand = False
        """The stub is in the dealer's hand (C15)."""
        self.given = False
        """The shuffler gave the whole deck, for this hand (C4)."""
        self.stub: list[Uid] = []
        self.manual_hands = 0
        self.shown_s, self.lifted_s = SHOWN_S, LIFTED_S
        self.finished = False
        """No hand can start any more tonight."""
        self.all_in = False
        self.tight = 0.3
        """How readily players fold in this hand."""
        self.to_act: list[int] = []
        self.fresh = False
        """Nobody has acted yet on the street dealt last."""
        self.too_soon = False
        """PREMATURE was pressed about the street of the card that is on its way."""
        self.going_back: list[Uid] = []
        """Cards that came too early and go back into the stub, now or before the river."""
        self.pulled: tuple[Uid, str] | None = None
        """A card that came out unreleased, and where from."""
        self.fallen: set[Uid] = set()
        """Cards that fell where nobody finds them."""
        self.aliens: list[Uid] = []
        """Tags on the table that do not belong to it."""
        self.patience = PATIENCE
        self.waited = 0
        """Looks at a machine that is held and asks for nothing."""
        self.moment = ""
        """Where in the work a fault was last possible."""
        self.switched = False
        """A deck was quarantined tonight."""
        self._dealt_street = -1
        self._awarded = False
        self._settled = 0
        self._unheard = 0
        """Looks at a panel that asks for the NEXT that was given."""
        self._unsure = 0
        """Looks at a panel that wants another deck, or to be told when the tournament began: a clock may come right."""

    def wonder(self, text: str) -> None:
        """Note where the panel leaves the dealer puzzled."""
        if len(self.puzzled) < 100:
            self.puzzled.append(f"{self.table.now_ns / 1e9:.3f} s: {text}")

    def pause(self, least: float, most: float) -> float:
        """Return a human wait, evenly spread."""
        return self.hurry * self.rng.uniform(least, most)

    def free(self, view: View) -> bool:
        """Tell whether a key would be heard, and nothing is held."""
        return not view.holds and not self.table.down

    def think(self, least: float, most: float) -> float:
        """Return how long somebody thinks, at this table's pace."""
        return self.pace * self.pause(least, most)

    def work(self) -> Acts:
        """Look, do one thing, look again."""
        while True:
            yield self.pause(0.1, 0.45)
            if self.table.down:
                continue
            view = self.table.view()
            if view.prompt_code in OVER:
                self.finished = True
            elif view.holds or view.prompt_code == "empty":
                yield from self.trouble.mend(self, view)
            elif view.phase in ("closed", "opening"):
                yield from self._open(view)
            elif view.phase == "between":
                yield from self._between(view)
            elif view.phase == "gathering":
                yield from self.gather(view)
            else:
                yield from self._play(view)

    # Opening and between hands.

    def _open(self, view: View) -> Acts:
        self.hand_over()
        if self._unfound(view):
            yield self.pause(2.0, 6.0)
            self.table.press(Key.NO)
        elif self.table.taking():
            yield from self.feed()
        elif Key.ACK in view.lit:
            yield self.pause(2.0, 6.0)
            self.table.press(Key.ACK, badge=BADGE)
            self.counted_ns = self.table.now_ns

    def _between(self, view: View) -> Acts:
        self.hand_over()
        self._awarded = False
        if (view.refused and view.refused.reason in OVER) or (self.by_hand and self.manual_hands > 1):
            self.finished = True
        elif view.prompt_code.startswith("manual"):
            yield from go_on(self, view)
        elif view.prompt_code == "shuffling":
            yield from self.trouble.at("shuffling", self)
        elif view.prompt_code == "set_button" or view.button == 0:
            yield from self._first_button(view)
        elif view.prompt_code in ("change", "began"):
            self._unsure += 1
            self.finished = self._unsure > UNSURE
        elif view.prompt_code == "count" or (
            self.table.now_ns - self.counted_ns > COUNT_AFTER_NS and Key.START in view.lit
        ):
            yield from self._count()
        elif Key.ACK in view.lit:
            yield self.pause(0.5, 2.0)
            self.table.press(Key.ACK, badge=BADGE)
        elif self._settled != self.hands and view.phase == "between":
            self._settled = self.hands
            if self.rng.random() < SEATS_CHANGE and self.seats_between[0] < self.seats_between[1]:
                yield from self._seats_change(view)
        elif Key.START in view.lit:
            if self.felt.button != (view.button,):
                yield from self._move_button(view)
            yield from self.trouble.at("start", self)
            view = self.table.view()
            if Key.START in view.lit and self.free(view):
                self.begin(view)
        elif self.felt.button != (view.button,):
            yield from self._move_button(view)

    def _seats_change(self, view: View) -> Acts:
        """Somebody busts out or is moved in: the director says who sits where (H9)."""
        free = [number for number in range(1, 11) if number not in view.seats]
        seats = set(view.seats)
        least, most = self.seats_between
        leaves = len(seats) > least and (len(seats) >= most or self.rng.random() < 0.6)
        if leaves:
            seats.discard(self.rng.choice(view.seats))
        elif free:
            seats.add(self.rng.choice(free))
        yield self.pause(0.5, 2.0)
        self.table.rule(
            Ruling.SEATS, "a player left" if leaves else "a player was moved in", seats=tuple(sorted(seats))
        )
        yield 0.3

    def begin(self, view: View) -> None:
        """Press START, and know what hand this is."""
        self.table.press(Key.START)
        self._dealt_in(view)

    def _dealt_in(self, view: View) -> None:
        lain = self.felt.button[0] if len(self.felt.button) == 1 else view.button
        grouped = self.table.setup.house.dispense is Dispense.GROUP and not self.by_hand
        self.hand = LawfulHand(view.seats, lain, grouped)
        self.dealt_to.clear()
        self.held_by.clear()
        self.going_back.clear()
        self.too_soon = False
        self.card, self.wanted = None, Zone("")
        self.all_in, self._dealt_street = False, -1
        self.tight = self.rng.choice([0.1, 0.25, 0.5, 0.8])
        self.button = lain

    def _first_button(self, view: View) -> Acts:
        yield self.pause(0.5, 2.0)
        drawn = self.rng.choice(view.seats)
        self.table.rule(Ruling.SET_BUTTON, "high card drawn", seat=drawn)
        self.table.lay_button([drawn])
        self.button = 0
        yield 0.3

    def _move_button(self, view: View) -> Acts:
        to = view.button
        rule = self.table.setup.house
        dead = rule.max_seats if rule.button_rule is ButtonRule.DEAD else 0
        if self.button and to != self.button and to not in buttons_after(self.button, view.seats, dead):
            self.wonder(f"button from {self.button} to {to} with seats {view.seats}")
        yield self.pause(0.2, 0.6)
        self.table.lay_button(())
        yield self.pause(0.3, 0.8)
        self.table.lay_button([to])
        yield 0.3

    def _count(self) -> Acts:
        """Count the deck (1804B(8)): the machine counts, the dealer confirms it by name."""
        yield self.pause(0.3, 1.0)
        self.table.press(Key.COUNT, badge=BADGE)
        yield 16.0
        self.table.press(Key.ACK, badge=BADGE)
        self.counted_ns = self.table.now_ns

    # A hand.

    def _play(self, view: View) -> Acts:
        if self.hand is None:  # a START that was meant to be too early, and was not
            self._dealt_in(view)
            return
        hand = self.hand
        waiting = self.felt.at(OUTLET)
        if view.prompt_code.startswith("manual"):
            yield from go_on(self, view)
        elif view.prompt_code == "return":
            yield from give_back(self)
        elif view.prompt_code == "cut":
            yield self.pause(0.5, 2.0)
            self.table.press(Key.CUT)
        elif view.prompt_code == "given":
            yield from take_deck(self, view)
        elif self.by_hand and view.expect == hand.next != "" and not view.released:
            yield self.pause(0.2, 0.6)
            yield from self._deal(hand, self.stub.pop(0), view)
            if self.given:
                yield from self._fast(hand)
        elif waiting and not self._awarded and hand.next:
            if self.by_hand or len(waiting) >= hand.together:
                yield from self._group(hand, waiting[: hand.together], view)
        elif view.prompt_code == "unseen" and self.card and self.felt.place_of(self.card) == self.wanted:
            yield self.pause(0.3, 1.0)
            self.table.press(Key.ACK, badge=BADGE)
        elif not hand.next and not view.expect and not view.released:
            yield from self._round(hand, view)
        elif view.prompt_code == "round" and Key.NEXT in view.lit and self.free(view):
            self._unheard += 1
            if self._unheard > UNHEARD:  # a station that died has forgotten it
                self._unheard = 0
                self.table.press(Key.NEXT)
            return
        self._unheard = 0

    def _group(self, hand: LawfulHand, cards: tuple[Uid, ...], view: View) -> Acts:
        """Lay the cards that were let out where they belong; of a group together; something may befall the last."""
        for card in cards[:-1]:
            self.felt.put(card, HAND)
        yield from self._deal(hand, cards[-1], view, cards[:-1])

    def _fast(self, hand: LawfulHand) -> Acts:
        """Deal on as quickly as hands can: the readers may see the cards in another order (P1)."""
        while hand.next and self.stub and self.rng.random() < HURRY and self.free(self.table.view()):
            yield self.pause(0.01, 0.05)
            if self.card is None or self.felt.place_of(self.card) != self.wanted:
                return
            self.card, self.wanted = self.stub.pop(0), hand.next
            self.lay(self.card, self.wanted)
            hand.dealt()

    def hand_over(self) -> None:
        """No hand is open: a deck that the shuffler gave goes back into it."""
        self.hand = None
        if self.given:
            self.given = self.by_hand = False

    def _deal(self, hand: LawfulHand, card: Uid, view: View, with_it: tuple[Uid, ...] = ()) -> Acts:
        """Lay a card where it belongs, with the others of its group; something may befall it."""
        zone = hand.next
        if view.expect and view.expect != zone and not self.by_hand:
            self.wonder(f"card {hand.placed} of {hand.order} street {hand.street}: {view.expect}, not {zone}")
        self.felt.put(card, HAND)
        absent = self.rng.random() < 0.01 and not self.by_hand
        yield self.pause(1.5, 3.0) if absent else self.pause(0.15, 0.6)
        self.card, self.wanted = card, zone
        for other in with_it:
            self.lay(other, zone)
            hand.dealt()
        yield from self.trouble.at("card", self)
        if self.felt.place_of(card) == HAND:
            self.lay(card, zone)
        if self.felt.place_of(card) == zone:
            hand.dealt()
            if self.too_soon:
                self.reopen()
        elif self.given:
            yield GLANCE_S + 2 * self.table.setup.house.scan_ms / 1000

    def lay(self, card: Uid, zone: Zone) -> None:
        """Put a card where it belongs, and remember it."""
        self.felt.put(card, zone)
        self.dealt_to[card] = zone
        if seat_number(zone):
            self.held_by[card] = seat_number(zone)

    def board(self) -> list[Uid]:
        """Return the board cards, as they were dealt."""
        return [card for card, zone in self.dealt_to.items() if zone == BOARD]

    def reopen(self) -> None:
        """The round before this street was not complete: somebody has yet to act (1811(2), 1812)."""
        hand = self.hand
        if hand is None:
            return
        came = hand.too_soon()
        self.going_back += self.board()[len(self.board()) - came :]
        self._dealt_street, self.fresh, self.too_soon = hand.street, False, False
        self.to_act = list(hand.live[self.rng.randrange(len(hand.live)) :])

    def _round(self, hand: LawfulHand, view: View) -> Acts:
        if self._dealt_street != hand.street:
            self._dealt_street, self.fresh = hand.street, True
            self.to_act = [] if self.all_in else list(hand.live)
            yield self.pause(0.5, 1.5)
            return
        yield from self.trouble.at("round", self)
        if not self.free(self.table.view()) or self.hand is None or hand.next:
            return
        if len(hand.live) == 1:
            yield from self._award(hand)
        elif self.to_act:
            yield from self._act(hand, self.to_act.pop(0))
        elif hand.last_street:
            if self.table.setup.house.action_clock_s:
                yield self.pause(0.3, 1.0)
                self.table.press(Key.NEXT)
            yield from self._award(hand)
        else:
            yield self.pause(0.3, 1.0)
            yield from self.trouble.at("next", self)
            view = self.table.view()
            if Key.NEXT in view.lit and self.free(view):
                self.table.press(Key.NEXT)
                hand.closed()

    def _act(self, hand: LawfulHand, number: int) -> Acts:
        """One player decides: looks at the cards, folds, goes all in, or neither."""
        self.fresh = False
        chance = self.rng.random()
        mine = [card for card, zone in self.dealt_to.items() if zone == seat(number)]
        if chance < 0.3:
            for card in mine:
                self.felt.put(card, HAND)
            yield self.pause(0.8, 3.0) if self.rng.random() < UNHURRIED else self.think(0.8, 3.0)
            for card in mine:
                self.felt.put(card, seat(number))
        yield self.think(0.4, 4.0)
        limit_s = self.table.setup.house.action_clock_s
        if limit_s and self.rng.random() < SLOW:
            yield self.pause(0.5 * limit_s, 1.2 * limit_s)
        if not self.free(self.table.view()):
            self.to_act.insert(0, number)
            return
        late = self.table.view().prompt_code == Reason.TIME_OVER
        if limit_s or (not hand.action and self.rng.random() < 0.6):
            hand.action = True
            self.table.press(Key.ACTION)
        if (late or self.rng.random() < self.tight) and len(hand.live) > 1:
            yield from self._fold(hand, number, mine)
        elif self.rng.random() < 0.02:
            self.all_in = True
            self.to_act.clear()

    def _fold(self, hand: LawfulHand, number: int, mine: list[Uid]) -> Acts:
        for card in mine:
            self.felt.put(card, HAND)
        if self.rng.random() < 0.15:
            way = self.rng.choice([BOARD, *(seat(other) for other in hand.live if other != number)])
            for card in mine:
                self.felt.put(card, way)
            yield self.pause(0.1, 0.5)
            for card in mine:
                self.felt.put(card, HAND)
        yield self.pause(0.2, 0.8)
        for card in mine:
            self.lay(card, MUCK)
        hand.folded.add(number)
        hand.action = True
        yield self.pause(0.4, 1.0)

    def _award(self, hand: LawfulHand) -> Acts:
        yield self.think(1.0, 4.0)
        if len(hand.live) > 1:
            shown = self.rng.choice(hand.live)
            for card in [card for card, zone in self.dealt_to.items() if zone == seat(shown)]:
                self.felt.put(card, self.rng.choice([BOARD, seat(shown)]))
            yield self.think(1.0, 3.0)
        if not self.free(self.table.view()):
            return
        self.table.press(Key.AWARD)
        self._awarded = True
        self.hands += 1
        self.manual_hands += self.by_hand
        yield self.pause(0.5, 2.0)

    # Cards back.

    def out(self) -> list[Uid]:
        """Return the cards of the deck in play that can be gathered."""
        inside = {*self.felt.at("machine"), *self.felt.at(BEHIND_GATE), *self.felt.at(INFEED)}
        return [card for card in self.deck if card not in inside and card not in self.fallen]

    def gather(self, view: View) -> Acts:
        """Feed all cards in when they are taken; confirm when asked."""
        self.hand_over()
        yield from self.trouble.at("gather", self)
        if self.by_hand and view.prompt_code.startswith("manual"):
            yield from go_on(self, view)
        elif self.by_hand:
            yield from self.collect()
            self.stub = [card for card in self.deck if self.felt.place_of(card) == HAND]
            yield from show(self)
        elif self._unfound(view):
            yield self.pause(0.5, 2.0)
            self.table.press(Key.NO)
        elif self.table.taking():
            yield from self.feed()
        elif Key.ACK in view.lit:
            yield self.pause(0.5, 2.0)
            nothing_to_feed = view.prompt_code == "feed" and not self.out()
            self.table.press(Key.NO if nothing_to_feed else Key.ACK, badge=BADGE)

    def _unfound(self, view: View) -> bool:
        """Every card that there is was put into a machine that counts none, and it is said that some are missing."""
        return Key.NO in view.lit and Key.ACK not in view.lit and not self.out()

    def collect(self) -> Acts:
        """Take every card that lies on the table into the hand."""
        for place in (OUTLET, BURN, BOARD, MUCK, ASIDE, *(seat(number) for number in range(1, 21))):
            mine = [card for card in self.felt.at(place) if card in self.deck]
            for card in mine:
                self.felt.put(card, HAND)
            if mine:
                yield self.pause(0.1, 0.4)

    def feed(self) -> Acts:
        """Collect the cards of the deck in play and feed them into the shuffler while it takes them."""
        yield from self.collect()
        cards = [card for card in self.felt.at(HAND) if card in self.deck]
        cards += [card for card in self.felt.at(BOX) if card in self.deck and card not in self.fallen]
        for card in cards:
            if not self.table.taking():
                return
            self.felt.put(card, INFEED)
            yield self.pause(0.09, 0.13)
        yield 0.5
