"""What the law page makes of felt, keys, rulings and device reports: the checker's own account of a table.

Written from the law page alone; it knows neither the engine nor what the people intend.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec

from dealerbox.model.cards import DECK_SIZE, Kind, Token, Uid, deck_of, kind_of
from dealerbox.model.commands import Command, Refuse, Release, Return
from dealerbox.model.events import (
    CardNotTaken,
    CardsSeen,
    CycleEnded,
    DeviceBack,
    DeviceLost,
    Event,
    HoldFound,
    KeyPressed,
    Misfed,
    Ruled,
    ShufflerLocked,
    ShufflerMet,
    Started,
    WallClock,
    ZoneKnown,
    ZoneUnknown,
)
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import ButtonRule, Dispense, Replacement, Setup
from dealerbox.model.shuffler import Cycle, Result
from dealerbox.model.zones import ASIDE, BOARD, BURN, EXIT, INFEED, MUCK, Zone, is_zone, seat, seat_number
from dealerbox.simulate.truth_dead import REASONS, called_dead
from dealerbox.simulate.truth_hand import Hand
from dealerbox.simulate.truth_machine import Machine
from dealerbox.simulate.truth_premature import (
    called_premature,
    cut,
    dealt_anew,
    is_back,
    laid_aside,
    river_due,
    shuffled,
    taken_back,
)

MOST_LOST = 64
"""A death loses fewer events."""
STREETS = ((), (BURN, BOARD, BOARD, BOARD), (BURN, BOARD), (BURN, BOARD))
EXIT_PLACES = ("behind_gate", "outlet")
ON_TABLE = frozenset({INFEED, BOARD, BURN, MUCK, ASIDE, *(seat(number) for number in range(1, 21)), *EXIT_PLACES})
"""Places where a card lies before people's eyes, or a reader's."""


class Felt(Protocol):
    """The felt, to look at."""

    button: tuple[int, ...]

    def at(self, place: str) -> tuple[Uid, ...]:
        """Return the cards of a place."""

    def place_of(self, uid: Uid) -> str:
        """Return where a card is."""


def dealing_order(seats: Sequence[int], button: int) -> list[int]:
    """Return who is dealt when: first to the left of the button, the button last (H2)."""
    return sorted(seats, key=lambda number: (number <= button, number))


def _copied(hand: Hand | None) -> Hand | None:
    return msgspec.convert(msgspec.to_builtins(hand), Hand) if hand else None


class Truth:
    """The account. `moved` and `heard` keep it; `standing` says which holds are due now."""

    def __init__(self, felt: Felt, names: Mapping[Uid, Token]) -> None:
        self.felt, self.names = felt, names
        self.setup: Setup | None = None
        self.seats: tuple[int, ...] = ()
        self.hand: Hand | None = None
        self.machine = Machine()
        self.button = 0
        """Button of the last hand that was played to its end; 0: the director sets it."""
        self.may_lie: tuple[int, ...] = ()
        self.began_ns = 0
        """When the tournament's first card was let out; 0: not yet (T3)."""
        self._start_ns = 0
        self.hour: tuple[int, int] | None = None
        """A time of the events' clock, and the local seconds since midnight then."""
        self.lost: set[str] = set()
        """Devices and zones that the station has told lost."""
        self.absent: set[str] = set()
        """Devices that are lost in truth, told or not."""
        self.asks_ack: bool = False
        """The daemon came back with a hand open, and nobody confirmed the table yet."""
        self.hold_found = False
        """The machine had a hold that the station's journal lacks, and nobody confirmed it yet."""
        self.awarded = False
        self._slots = {uid: deck_of(name) for uid, name in names.items() if kind_of(name) is Kind.CARD}
        self._lying: dict[Uid, str] | None = None
        """What lies on the table, and where; None: not looked yet."""
        self._lately: deque[tuple[frozenset[Token], Key | None, Hand | None]] = deque(maxlen=MOST_LOST)
        """What each of the last events brought to the cards that the infeed read, which key it was, and how the hand
        was before it was ruled about."""
        self._undo: tuple[Key, Hand | None, bool] | None = None

    def on_table(self) -> dict[Uid, str]:
        """Return what lies before people's eyes or a reader's, and where."""
        if self._lying is None:
            self._lying = {uid: place for place in ON_TABLE for uid in self.felt.at(place)}
        return self._lying

    def strange_on_table(self) -> bool:
        """Tell whether a tag of no deck lies on the table."""
        return any(kind_of(self.names.get(uid, Token(1))) is Kind.FOREIGN for uid in self.on_table())

    def alien(self, uid: Uid) -> bool:
        """Tell whether a tag is no card of the deck in play."""
        name = self.names.get(uid, Token(1))
        return kind_of(name) is not Kind.CARD or deck_of(name) != self.machine.deck

    def slot(self, uid: Uid) -> int | None:
        """Return the deck that a tag is a card of, None if none."""
        return self._slots.get(uid)

    def moved(self, uid: Uid, before: str, after: str) -> None:
        """Take a move on the felt."""
        if self._lying is not None:
            if after in ON_TABLE:
                self._lying[uid] = after
            else:
                self._lying.pop(uid, None)
        if before == INFEED and after == "machine":
            self.machine.entered(uid, self.names.get(uid, Token(1)), between_hands=self.hand is None)
            if self._undo and self._undo[0] is Key.AWARD:
                self._undo = None
            if self.hand is not None and is_back(self.hand, uid):
                return
        elif before == "outlet" and after not in ("machine", "behind_gate"):
            self.machine.inside.discard(uid)
        hand = self.hand
        if self.machine.unemptied and not self.felt.at("machine") and not self.felt.at("behind_gate"):
            self.machine.unemptied = False
        if hand is None:
            self._between(uid, before, after)
        elif uid == hand.permitted and before == "behind_gate" and is_zone(after) and after != EXIT:
            self.let_out(uid)  # pulled while its release was under way: the card let out last, all the same
        taken_out = before in ("machine", "behind_gate") and after not in ("machine", "behind_gate", "outlet")
        if after == "box" or (taken_out and hand is None):
            self.machine.inside.discard(uid)
        if hand is None:
            return
        if self._undo and (self._undo[0] in (Key.MISDEAL, Key.PREMATURE) or self._undo[0] in REASONS):
            self._undo = None
        dealt = hand.given and is_zone(after) and after == hand.step()
        if ((after == "behind_gate" and before == "machine") or dealt) and self.alien(uid):
            self._defective()
            return
        from_stub = hand.manual and before == "hand" and uid in self.machine.inside
        if from_stub and is_zone(after) and after not in (EXIT, INFEED):
            self.let_out(uid)
            hand.shown = uid
        only_shown = hand.shown == uid and hand.home.get(uid, BURN) == BURN
        if hand.manual and before == BURN and after == "hand" and is_back(hand, uid):
            self.machine.inside.add(uid)
        elif hand.manual and before == BURN and after == "hand" and only_shown:
            self.machine.inside.add(uid)
            hand.taken_back(uid)
        elif after == ASIDE and (hand.goes_aside(uid) or laid_aside(hand, uid)):
            pass
        elif hand.on_the_way().get(uid) == after and not hand.other_burned(uid, Zone(after), after):
            hand.done(uid, Zone(after))
            taken_back(hand)
        elif after == MUCK and seat_number(hand.home.get(uid, Zone(""))) and hand.home.get(uid) is not None:
            hand.home[uid] = MUCK

    def _between(self, uid: Uid, before: str, after: str) -> None:
        """A strange tag lies on the table between hands: a clean read of the whole deck is owed (1804A(1), 1824)."""
        if kind_of(self.names.get(uid, Token(1))) is Kind.FOREIGN and is_zone(after) and after != EXIT:
            self.machine.read_clean = set()
        elif before == INFEED and after == "machine" and not self.strange_on_table():
            self.machine.read_after_strange(uid, went_in=True)
        elif before == "machine":
            self.machine.read_after_strange(uid, went_in=False)

    def let_out(self, uid: Uid) -> None:
        """A card was let out: it is the released card of the next step."""
        self.machine.inside.discard(uid)
        hand = self.hand
        if hand is None:
            return
        hand.out += 1
        hand.permitted = None
        self.began_ns = self.began_ns or self._start_ns
        wanted = hand.comes_next() if self.grouped() else hand.step()
        if hand.released is not None and self.grouped():
            hand.along[hand.released] = hand.wanted
        hand.released, hand.wanted = uid, wanted
        self.machine.shuffled = False
        if self._undo and self._undo[0] in (Key.START, Key.ACTION, Key.NEXT):
            self._undo = None

    def heard(self, event: Event, commands: tuple[Command, ...]) -> None:
        """Take an event; a key that the engine refused was not taken."""
        read = self.machine.read.copy()
        ruled = _copied(self.hand) if isinstance(event, Ruled) else None
        self._take(event, commands)
        key = event.key if isinstance(event, KeyPressed) else None
        self._lately.append((frozenset(self.machine.read - read), key, ruled))

    def forget(self, lost: int) -> None:
        """The last events were never recorded: the station knows no key and no ruling of them, nor what was read."""
        for _ in range(min(lost, len(self._lately))):
            read, key, ruled = self._lately.pop()
            self.machine.read -= read
            self.hand = ruled or self.hand
            if key is not None and self._undo and self._undo[0] is key:
                self._take_back()

    def _take(self, event: Event, commands: tuple[Command, ...]) -> None:
        refused = any(isinstance(command, Refuse) for command in commands)
        if any(isinstance(command, Return) and command.expect == DECK_SIZE for command in commands):
            self.machine.anew = True
        if self.hand is not None and any(isinstance(command, Release) for command in commands):
            self.hand.permitted = next(iter(self.felt.at("behind_gate")), None)
        match event:
            case CardNotTaken() if self.hand is not None:
                self.hand.permitted = None
            case CardsSeen() if event.zone == INFEED and self.hand is None:
                self.machine.read_in(event.tokens)
            case HoldFound():
                self.hold_found = True
            case Started():
                self._started(event)
            case WallClock() if event.sure:
                self.hour = (event.at_ns, event.day_s)
            case KeyPressed() if not refused or event.key is Key.ACK:
                self._key(event)
            case Ruled() if not refused:
                self._ruled(event)
            case DeviceLost():
                self.lost.add(event.device)
            case DeviceBack():
                self.lost.discard(event.device)
            case ZoneUnknown():
                self.lost.add(event.zone)
            case ZoneKnown():
                self.lost.discard(event.zone)
            case ShufflerLocked():
                self.machine.unsure = True
            case Misfed():
                self.machine.unsure = self.machine.unsure or event.result is not Result.NO_FEED
            case ShufflerMet():
                hand = self.hand
                self.machine.met(event, hand_open=hand is not None, by_hand=hand is not None and hand.given)
            case CycleEnded():
                self.machine.ended(event)
                if self.hand is not None and event.cycle is Cycle.SHUFFLE and event.result is Result.DONE:
                    shuffled(self.hand)
            case _:
                pass

    def _started(self, event: Started) -> None:
        if self.setup is None:
            self.seats = event.setup.seats
        self.setup = event.setup
        self.asks_ack = self.hand is not None
        self.lost.clear()

    def _key(self, event: KeyPressed) -> None:
        hand = self.hand
        key = event.key
        if key is Key.UNDO:
            self._take_back()
            return
        before = (key, _copied(hand), self.awarded)
        match key:
            case Key.START if hand is None:
                self._start_ns = event.at_ns
                self._opens()
            case Key.ACTION if hand:
                hand.action = hand.acted_on = True
            case Key.NEXT if hand and hand.given and hand.released and not hand.wanted:
                self._closed_late(hand, hand.released)
            case Key.NEXT if hand and hand.street_dealt() and hand.closed < len(hand.streets) - 1:
                hand.closed += 1
                hand.action, hand.acted_on = True, False
                if hand.closed == len(hand.streets) - 1:
                    river_due(hand)
            case Key.PREMATURE if hand and hand.given and hand.released and not hand.wanted:
                self._closed_late(hand, hand.released, hand.action)
                called_premature(hand)
                self._undo = None
                return
            case Key.PREMATURE if hand and hand.closed:
                called_premature(hand)
            case Key.CUT if hand:
                cut(hand)
                return
            case Key.AWARD if hand:
                self.button, self.hand, self.awarded = hand.button, None, True
                self.may_lie = self._lawful_buttons()
            case Key.MISDEAL if hand and not hand.action and MUCK in hand.home.values():
                hand.asked = True
            case Key.MISDEAL if hand:
                self._voided(hand)
            case Key.NO if hand is None and self.machine.deck:
                self._searched()
                return
            case Key.NO if hand and hand.asked:
                self._voided(hand)
            case Key.ACK if hand and hand.asked:
                hand.asked, hand.action = False, True
            case Key.EXPOSED | Key.OFF_TABLE | Key.FACED if hand:
                called_dead(hand, key, event.seat, self._replacement())
            case Key.RETRIEVE if hand:
                hand.lives_again(event.seat)
                return
            case Key.UNBURN if hand:
                hand.unburned = hand.shown
                return
            case Key.MANUAL if hand:
                hand.manual, hand.given = True, False
            case Key.ACK:
                machine = self.machine
                machine.owes_count = machine.owes_count or (hand is not None and machine.unproved)
                self.asks_ack = machine.unproved = self.hold_found = False
                if hand is None:
                    self.machine.certified(event.at_ns)
                return
            case _:
                return
        self._undo = before

    def _take_back(self) -> None:
        if self._undo:
            _, self.hand, self.awarded = self._undo
            self._undo = None

    def _searched(self) -> None:
        """The dealer finds no more: twice the same cards, of which none is on the table, and the deck is out."""
        cards = {uid for uid, name in self.names.items() if deck_of(name) == self.machine.deck and not self.alien(uid)}
        machine = self.machine
        machine.searched = (*machine.searched, frozenset(cards - machine.inside))
        if machine.searched_twice():
            machine.retired.add(machine.deck)

    def _opens(self) -> None:
        self.machine.searched = ()
        if self.strange_on_table():  # not read before START: from now on it was brought in mid-hand
            self.machine.read_clean = None
        lain = self.felt.button[0] if len(self.felt.button) == 1 else 0
        order = dealing_order(self.seats, lain)
        holes = [seat(number) for number in (*order, *order)]
        if self.grouped():
            holes = [seat(number) for number in order for _ in range(2)]
        self.machine.anew = True
        given = self.setup is not None and self.setup.house.dispense is Dispense.HAND
        streets = [holes, *(list(street) for street in STREETS[1:])]
        self.hand = Hand(button=lain, streets=streets, manual=given, given=given)
        self.awarded = False

    def grouped(self) -> bool:
        """Tell whether the house has cards let out in groups, and the machine does it (1809)."""
        by_hand = self.hand is not None and self.hand.manual
        return self.setup is not None and self.setup.house.dispense is Dispense.GROUP and not by_hand

    def _closed_late(self, hand: Hand, card: Uid, action: bool = True) -> None:
        """NEXT after the burn: the round was complete, and the card that came is the one due (`round_open`)."""
        hand.closed += 1
        hand.action, hand.acted_on = action, False
        hand.wanted = hand.step()
        if self.felt.place_of(card) == hand.wanted:
            hand.done(card, hand.wanted)

    def _replacement(self) -> Replacement:
        return self.setup.house.exposed_replacement if self.setup else Replacement.AFTER_DEAL

    def _voided(self, hand: Hand) -> None:
        """The hand counts for nothing: the button stays (C11)."""
        self.may_lie = (hand.button,)
        self.hand = None

    def _defective(self) -> None:
        hand = self.hand
        if hand:
            self.machine.retired.add(self.machine.deck)
            self._voided(hand)

    def _ruled(self, event: Ruled) -> None:
        hand = self.hand
        match event.ruling:
            case Ruling.SET_BUTTON:
                self.may_lie = (event.seat,) if event.seat else self.felt.button
            case Ruling.SEATS if hand is None:
                self.seats = tuple(sorted(event.seats))
                if self.button and len(self.may_lie) != 1:
                    self.may_lie = self._lawful_buttons()
                elif self.button:
                    self.may_lie = tuple({*self.may_lie, *self._lawful_buttons()})
            case Ruling.VOID_HAND if hand:
                self._voided(hand)
            case Ruling.HAND_DEAD if hand:
                self._dead(hand, event.seat)
            case Ruling.RETRIEVE if hand:
                hand.lives_again(event.seat)
            case Ruling.TO_STUB if hand and hand.late:
                dealt_anew(hand)
            case Ruling.STAND if hand:
                hand.late = False
                for card, wanted in hand.on_the_way().items():
                    place = self.felt.place_of(card)
                    if place != wanted and is_zone(place):
                        hand.stands(card, wanted, Zone(place))
            case _:
                pass

    def _dead(self, hand: Hand, number: int) -> None:
        """HAND_DEAD: its cards stay where they are; one too many that was dealt to it counts there."""
        hand.dead.append(number)
        if hand.released is not None and self.felt.place_of(hand.released) == seat(number) and not hand.wanted:
            hand.home[hand.released] = seat(number)
            hand.arrived(hand.released)

    def by_hand(self, uid: Uid, before: str, after: str) -> bool:
        """Tell whether this move deals a card out of the dealer's hand, by the house's rule (C4)."""
        hand = self.hand
        out = hand is not None and hand.given and before == "hand" and uid in self.machine.inside
        return out and is_zone(after) and after not in (EXIT, INFEED)

    def _lawful_buttons(self) -> tuple[int, ...]:
        following = dealing_order(self.seats, self.button)[0]
        if self.setup is None or self.setup.house.button_rule is ButtonRule.MOVING:
            return (following,)
        table = self.setup.house.max_seats
        empty = []
        here = self.button % table + 1
        while here != following:
            empty.append(here)
            here = here % table + 1
        return (*empty, following)
