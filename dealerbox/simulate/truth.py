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
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import ButtonRule, Dispense, Setup
from dealerbox.model.shuffler import Cycle, Result
from dealerbox.model.zones import ASIDE, BOARD, BURN, EXIT, INFEED, MUCK, Zone, is_zone, seat, seat_number
from dealerbox.simulate.truth_hand import Hand

Condition = tuple[Reason, str]
"""Why a hold is due, and about what (a tag, a device, a seat)."""

UNSURE = (
    Reason.JAM,
    Reason.DOOR_OPEN,
    Reason.NOT_EMPTY,
    Reason.RECOUNT,
    Reason.DEVICE_LOST,
    Reason.UNACCOUNTED_DISPENSE,
    Reason.DOUBLE_FEED,
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


class Truth:
    """The account. `moved` and `heard` keep it; `standing` says which holds are due now."""

    def __init__(self, felt: Felt, names: Mapping[Uid, Token]) -> None:
        self.felt, self.names = felt, names
        self.setup: Setup | None = None
        self.seats: tuple[int, ...] = ()
        self.hand: Hand | None = None
        self.inside: set[Uid] = set()
        """Tags that went in past the infeed and were not let out since."""
        self.deck = 0
        """Slot of the deck in play, as far as cards went in."""
        self.retired: set[int] = set()
        self.shuffled = False
        self.button = 0
        """Button of the last hand that was played to its end; 0: the director sets it."""
        self.may_lie: tuple[int, ...] = ()
        self.counted_ns = 0
        self.began_ns = 0
        """When the tournament's first card was let out; 0: not yet (T3)."""
        self._start_ns = 0
        self.hour: tuple[int, int] | None = None
        """A time of the events' clock, and the local seconds since midnight then."""
        self.owes_count = False
        """The machine was proved in mid-hand: a confirmed full count comes before the next hand (S2)."""
        self.lost: set[str] = set()
        """Devices and zones that the station has told lost."""
        self.absent: set[str] = set()
        """Devices that are lost in truth, told or not."""
        self.unsure = False
        """The shuffler's record is not the station's: a door, a new machine, an unasked move."""
        self.miscounted = False
        """The machine's last cycle did not end with the number that it should have."""
        self.unproved = False
        """It agrees again, in mid-hand: the proof and its ACK are still to come (S2)."""
        self.asks_ack: bool = False
        """The daemon came back with a hand open, and nobody confirmed the table yet."""
        self.hold_found = False
        """The machine had a hold that the station's journal lacks, and nobody confirmed it yet."""
        self.awarded = False
        self.searched: tuple[frozenset[Uid], ...] = ()
        """What was not in the machine each time the dealer said that no more can be found, since a hand began (S3)."""
        self._slots = {uid: deck_of(name) for uid, name in names.items() if kind_of(name) is Kind.CARD}
        self._lying: dict[Uid, str] | None = None
        """What lies on the table, and where; None: not looked yet."""
        self._fed: set[Uid] = set()
        self._read: set[Token] = set()
        """Cards that went in since the hand ended, or since the machine was empty; those that the infeed read."""
        self._lately: deque[tuple[frozenset[Token], Key | None]] = deque(maxlen=MOST_LOST)
        """What each of the last events brought to the cards that the infeed read, and which key it was."""
        self.unemptied = False
        """Between hands the machine was without power: it is proved empty before the next one (S2)."""
        self.read_clean: set[Uid] | None = None
        """Between hands, after a strange tag lay on the table: what went in since it is away; None: none did (1824)."""
        self._anew = False
        self._counts = False
        self._undo: tuple[Key, Hand | None, bool] | None = None

    # What is due.

    def standing(self) -> set[Condition]:
        """Return every condition that stands now and that the page answers with a hold."""
        due: set[Condition] = {(Reason.DEVICE_LOST, device) for device in self.lost | self.absent}
        due |= self._strange()
        hand = self.hand
        if hand is None:
            return due
        if self.asks_ack:
            due.add((Reason.RESTARTED, ""))
        if hand.out and set(self.felt.button) - {hand.button}:
            due.add((Reason.BUTTON_MOVED, ""))
        for card, wanted in hand.on_the_way().items():
            due |= self._misplaced(card, wanted)
        if hand.owed() and not hand.one_left():
            due |= self._astray(hand)
        return due

    def grounds(self) -> set[Condition]:
        """Return what allows a hold and does not ask for one.

        A machine of which nobody knows what is in it, a defective deck that is not yet away.
        """
        unsure = {(reason, "shuffler") for reason in UNSURE} if self.unsure or self.unproved else set()
        if self.miscounted or len(self._fed) > len(self._read):  # S3: a card whose tag the infeed did not read
            unsure.add((Reason.RECOUNT, "shuffler"))
        if self.searched:
            unsure.add((Reason.RECOUNT, "shuffler"))
        if self.read_clean is not None:
            unsure.add((Reason.RECOUNT, "table"))
        if len(self.searched) > 1 and self.searched[-1] == self.searched[-2]:
            unsure.add((Reason.CARD_MISSING, "deck"))
        if self.hold_found:
            unsure.add((Reason.RESTARTED, ""))
        return unsure | ({(Reason.DEFECTIVE_DECK, "deck")} if self.deck in self.retired else set())

    def _strange(self) -> set[Condition]:
        """Tags that are no card of the deck in play, where a reader can see them."""
        due: set[Condition] = set()
        judged = self.hand is not None or self.deck in self.retired  # a void hand's deck is out, and stays found out
        for uid, place in self._on_table().items():
            if self._slots.get(uid) == self.deck:
                continue
            name = self.names.get(uid, Token(1))
            kind = kind_of(name)
            if kind is Kind.FOREIGN:
                due.add((Reason.FOREIGN_CARD, uid))
            elif kind is Kind.JOKER and (judged or place == INFEED):
                due.add((Reason.JOKER_PRESENT, uid))
            elif kind is Kind.CARD and judged and self.deck and deck_of(name) != self.deck:
                due.add((Reason.OTHER_DECK, uid))
        return due

    def _on_table(self) -> dict[Uid, str]:
        if self._lying is None:
            self._lying = {uid: place for place in ON_TABLE for uid in self.felt.at(place)}
        return self._lying

    def _misplaced(self, card: Uid, wanted: Zone) -> set[Condition]:
        place = self.felt.place_of(card)
        if self.hand is not None and self.hand.other_burned(card, wanted, place):
            return {(Reason.UNBURN_OTHER, card)}
        if not is_zone(place) or place == wanted:
            return set()
        if not wanted:
            return {(Reason.TOO_MANY_CARDS if seat_number(Zone(place)) else Reason.ROUND_OPEN, card)}
        if seat_number(wanted) and seat_number(Zone(place)):
            return {(Reason.WRONG_SEAT, card)}
        if (wanted, place) == (BURN, BOARD):
            return {(Reason.BURN_MISSING, card)}
        if (wanted, place) == (BOARD, BURN):
            return {(Reason.BURN_EXTRA, card)}
        return {(Reason.WRONG_ZONE, card)}

    def _astray(self, hand: Hand) -> set[Condition]:
        due: set[Condition] = set()
        homes = hand.home
        for uid, place in self._on_table().items():
            home = homes.get(uid)
            if place == home or place in EXIT_PLACES or uid not in self._slots:
                continue
            if home is None:
                if uid in self.inside and not hand.manual and place != INFEED:
                    due.add((Reason.NOT_RELEASED, uid))
            elif home == BURN and place == MUCK:
                due.add((Reason.BURN_IN_MUCK, uid))
            elif home in (MUCK, ASIDE):
                if place != MUCK:
                    due.add((Reason.DEAD_CARD_BACK, uid))
            else:
                due.add((Reason.CARD_STRAYED, uid))
        return due

    # What a release would break.

    def forbids(self, at_ns: int) -> list[str]:
        """Return why the page does not allow a card out now; empty: it does."""
        hand = self.hand
        if hand is None:
            return ["no hand is open"]
        why = []
        if hand.manual:
            why.append("the deal goes on by hand")
        if hand.released is not None and not (self._grouped() and hand.comes_next() == hand.wanted):
            why.append(f"the card before was not seen at {hand.wanted}")
        elif not hand.step():
            why.append("the round is not closed" if hand.owed() else "nothing remains to be dealt")
        at_gate = self.felt.at("behind_gate")
        if len(at_gate) != 1 or any(self._alien(uid) for uid in at_gate):
            why.append(f"at the gate: {', '.join(at_gate) or 'nothing'}")
        if not hand.out:
            why += self.forbids_first(at_ns, hand)
        return why

    def _foreign(self) -> bool:
        """Tell whether a tag of no deck lies on the table."""
        return any(kind_of(self.names.get(uid, Token(1))) is Kind.FOREIGN for uid in self._on_table())

    def _alien(self, uid: Uid) -> bool:
        name = self.names.get(uid, Token(1))
        return kind_of(name) is not Kind.CARD or deck_of(name) != self.deck

    def forbids_first(self, at_ns: int, hand: Hand) -> list[str]:
        """Return why no card of this hand may leave the shuffler (H1)."""
        why = []
        inside = {uid for uid in self.inside if not self._alien(uid)}
        if self.unemptied:
            why.append("the machine was without power, and not emptied since")
        if self.read_clean is not None:
            why.append("the deck was not read anew after a strange tag lay on the table")
        if len(inside) != DECK_SIZE or len(self.inside) != DECK_SIZE:
            why.append(f"the deck has {len(inside)} cards of {len(self.inside)}")
        if self.deck in self.retired:
            why.append("the deck is out of play")
        if not self.shuffled:
            why.append("the last completed cycle was no shuffle")
        if hand.button not in self.may_lie and self.may_lie:
            why.append(f"the button lies at {hand.button}, not at {self.may_lie}")
        why += self._outside_hours(at_ns)
        if self.owes_count:
            why.append("the full count after a mid-hand proof is owed")
        if self.setup:
            house = self.setup.house
            if at_ns - self.counted_ns > (house.count_every_min - house.last_hand_margin_min) * 60_000_000_000:
                why.append("the count is overdue")
        return why

    def _outside_hours(self, at_ns: int) -> list[str]:
        """Why 1827 allows no hand now: the tournament has not begun and it is before 13:30, or six hours are near."""
        if self.began_ns:
            margin_min = self.setup.house.last_hand_margin_min if self.setup else 0
            over = at_ns - self.began_ns > (360 - margin_min) * 60_000_000_000
            return ["the six hours of the tournament are over"] if over else []
        if self.hour is None:
            return ["nobody knows the hour"]
        then_ns, day_s = self.hour
        early = (day_s + (at_ns - then_ns) // 1_000_000_000) % 86_400 < 13 * 3600 + 30 * 60
        return ["it is before 13:30"] if early else []

    # What happens.

    def moved(self, uid: Uid, before: str, after: str) -> None:
        """Take a move on the felt."""
        if self._lying is not None:
            if after in ON_TABLE:
                self._lying[uid] = after
            else:
                self._lying.pop(uid, None)
        if before == INFEED and after == "machine":
            self._entered(uid)
        elif before == "outlet" and after not in ("machine", "behind_gate"):
            self.inside.discard(uid)
        hand = self.hand
        if self.unemptied and not self.felt.at("machine") and not self.felt.at("behind_gate"):
            self.unemptied = False
        if hand is None:
            self._between(uid, before, after)
        elif uid == hand.permitted and before == "behind_gate" and is_zone(after) and after != EXIT:
            self.let_out(uid)  # pulled while its release was under way: the card let out last, all the same
        taken_out = before in ("machine", "behind_gate") and after not in ("machine", "behind_gate", "outlet")
        if after == "box" or (taken_out and hand is None):
            self.inside.discard(uid)
        if hand is None:
            return
        if self._undo and self._undo[0] is Key.MISDEAL:
            self._undo = None
        dealt = hand.given and is_zone(after) and after == hand.step()
        if ((after == "behind_gate" and before == "machine") or dealt) and self._alien(uid):
            self._defective()
            return
        if hand.manual and before == "hand" and uid in self.inside and is_zone(after) and after not in (EXIT, INFEED):
            self.let_out(uid)
            hand.shown = uid
        if hand.manual and before == BURN and after == "hand" and hand.shown == uid:
            self._taken_back(hand, uid)
        elif hand.on_the_way().get(uid) == after and not hand.other_burned(uid, Zone(after), after):
            self._done(hand, uid, Zone(after))
        elif after == MUCK and seat_number(hand.home.get(uid, Zone(""))) and hand.home.get(uid) is not None:
            hand.home[uid] = MUCK

    def _between(self, uid: Uid, before: str, after: str) -> None:
        """A strange tag lies on the table between hands: a clean read of the whole deck is owed (1804A(1), 1824)."""
        if kind_of(self.names.get(uid, Token(1))) is Kind.FOREIGN and is_zone(after) and after != EXIT:
            self.read_clean = set()
        elif self.read_clean is not None and before == INFEED and after == "machine" and not self._foreign():
            self.read_clean.add(uid)
            if len(self.read_clean) == DECK_SIZE:
                self.read_clean = None
        elif self.read_clean is not None and before == "machine":
            self.read_clean.discard(uid)

    def let_out(self, uid: Uid) -> None:
        """A card was let out: it is the released card of the next step."""
        self.inside.discard(uid)
        hand = self.hand
        if hand is None:
            return
        hand.out += 1
        hand.permitted = None
        self.began_ns = self.began_ns or self._start_ns
        wanted = hand.comes_next() if self._grouped() else hand.step()
        if hand.released is not None and self._grouped():
            hand.along[hand.released] = hand.wanted
        hand.released, hand.wanted = uid, wanted
        self.shuffled = False
        if self._undo and self._undo[0] in (Key.START, Key.ACTION, Key.NEXT):
            self._undo = None

    def heard(self, event: Event, commands: tuple[Command, ...]) -> None:
        """Take an event; a key that the engine refused was not taken."""
        read = self._read.copy()
        self._take(event, commands)
        key = event.key if isinstance(event, KeyPressed) else None
        self._lately.append((frozenset(self._read - read), key))

    def forget(self, lost: int) -> None:
        """The last events were never recorded: the station knows neither their keys nor what was read in them."""
        for _ in range(min(lost, len(self._lately))):
            read, key = self._lately.pop()
            self._read -= read
            if key is not None and self._undo and self._undo[0] is key:
                self._take_back()

    def _take(self, event: Event, commands: tuple[Command, ...]) -> None:
        refused = any(isinstance(command, Refuse) for command in commands)
        if any(isinstance(command, Return) and command.expect == DECK_SIZE for command in commands):
            self._anew = True
        if self.hand is not None and any(isinstance(command, Release) for command in commands):
            self.hand.permitted = next(iter(self.felt.at("behind_gate")), None)
        match event:
            case CardNotTaken() if self.hand is not None:
                self.hand.permitted = None
            case CardsSeen() if event.zone == INFEED and self.hand is None:
                self._begin_anew()
                self._read.update(event.tokens)
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
                self.unsure = True
            case Misfed():
                self.unsure = self.unsure or event.result is not Result.NO_FEED
            case ShufflerMet():
                by_hand = self.hand is not None and self.hand.given
                doubted = self.unsure or self.unproved or event.unpowered
                self.unproved = doubted and self.hand is not None and not by_hand
                self.unemptied = self.unemptied or (event.unpowered and self.hand is None and bool(self.inside))
                self.unsure = not event.agreed
                self.shuffled = self.shuffled and bool(event.token_id or event.deal_id)
            case CycleEnded():
                self._cycle(event)
            case _:
                pass

    def _started(self, event: Started) -> None:
        if self.setup is None:
            self.seats = event.setup.seats
        self.setup = event.setup
        self.asks_ack = self.hand is not None
        self.lost.clear()

    def _cycle(self, event: CycleEnded) -> None:
        whole = event.result is Result.DONE and event.number == DECK_SIZE
        self.miscounted = event.result is not Result.DONE
        if event.cycle is Cycle.SHUFFLE:
            self.shuffled = whole
        elif event.cycle is Cycle.RETURN:
            self.shuffled = False
            self._counts = len(self.inside) == DECK_SIZE
        else:
            self._counts = whole

    def _entered(self, uid: Uid) -> None:
        self.inside.add(uid)
        name = self.names.get(uid, Token(1))
        if self.hand is None:
            self._begin_anew()
            self._fed.add(uid)
        if self.hand is None and kind_of(name) is Kind.CARD:
            self.deck = deck_of(name)
        if self._undo and self._undo[0] is Key.AWARD:
            self._undo = None

    def _begin_anew(self) -> None:
        """The first card of a hand that ended, or of a machine that was empty, goes in or is read."""
        if self._anew:
            self._fed.clear()
            self._read.clear()
            self._anew = False

    def _key(self, event: KeyPressed) -> None:
        hand = self.hand
        key = event.key
        if key is Key.UNDO:
            self._take_back()
            return
        before = (key, msgspec.convert(msgspec.to_builtins(hand), Hand) if hand else None, self.awarded)
        match key:
            case Key.START if hand is None:
                self._start_ns = event.at_ns
                self._opens()
            case Key.ACTION if hand:
                hand.action = True
            case Key.NEXT if hand and hand.given and hand.released and not hand.wanted:
                self._closed_late(hand, hand.released)
            case Key.NEXT if hand and hand.street_dealt() and hand.closed < len(hand.streets) - 1:
                hand.closed += 1
                hand.action = True
            case Key.AWARD if hand:
                self.button, self.hand, self.awarded = hand.button, None, True
                self.may_lie = self._lawful_buttons()
            case Key.MISDEAL if hand and not hand.action and MUCK in hand.home.values():
                hand.asked = True
            case Key.MISDEAL if hand:
                self._voided(hand)
            case Key.NO if hand is None and self.deck:
                self._searched()
                return
            case Key.NO if hand and hand.asked:
                self._voided(hand)
            case Key.ACK if hand and hand.asked:
                hand.asked, hand.action = False, True
            case Key.UNBURN if hand:
                hand.unburned = hand.shown
                return
            case Key.MANUAL if hand:
                hand.manual, hand.given = True, False
            case Key.ACK:
                self.owes_count = self.owes_count or (hand is not None and self.unproved)
                self.asks_ack = self.unproved = self.hold_found = False
                if hand is None and self._counts:
                    self.counted_ns, self._counts, self.owes_count = event.at_ns, False, False
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
        cards = {uid for uid, name in self.names.items() if deck_of(name) == self.deck and not self._alien(uid)}
        self.searched = (*self.searched, frozenset(cards - self.inside))
        if len(self.searched) > 1 and self.searched[-1] == self.searched[-2]:
            self.retired.add(self.deck)

    def _opens(self) -> None:
        self.searched = ()
        if self._foreign():  # not read before START: from now on it was brought in mid-hand
            self.read_clean = None
        lain = self.felt.button[0] if len(self.felt.button) == 1 else 0
        order = dealing_order(self.seats, lain)
        holes = [seat(number) for number in (*order, *order)]
        if self._grouped():
            holes = [seat(number) for number in order for _ in range(2)]
        self._anew = True
        given = self.setup is not None and self.setup.house.dispense is Dispense.HAND
        streets = [holes, *(list(street) for street in STREETS[1:])]
        self.hand = Hand(button=lain, streets=streets, manual=given, given=given)
        self.awarded = False

    def _grouped(self) -> bool:
        """Tell whether the house has cards let out in groups, and the machine does it (1809)."""
        by_hand = self.hand is not None and self.hand.manual
        return self.setup is not None and self.setup.house.dispense is Dispense.GROUP and not by_hand

    def _closed_late(self, hand: Hand, card: Uid) -> None:
        """NEXT after the burn: the round was complete, and the card that came is the one due (`round_open`)."""
        hand.closed += 1
        hand.action = True
        hand.wanted = hand.step()
        if self.felt.place_of(card) == hand.wanted:
            self._done(hand, card, hand.wanted)

    def _voided(self, hand: Hand) -> None:
        """The hand counts for nothing: the button stays (C11)."""
        self.may_lie = (hand.button,)
        self.hand = None

    def _taken_back(self, hand: Hand, uid: Uid) -> None:
        """By hand, a card that goes from the burn reader back into the dealer's hand was only shown."""
        self.inside.add(uid)
        hand.shown = None
        if hand.released == uid:
            hand.released = None
        elif hand.home.pop(uid, None) == BURN:
            hand.streets[hand.closed].insert(0, BURN)

    def _defective(self) -> None:
        hand = self.hand
        if hand:
            self.retired.add(self.deck)
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
            case Ruling.STAND if hand:
                for card, wanted in hand.on_the_way().items():
                    if self.felt.place_of(card) != wanted:
                        self._stands(hand, card, wanted, Zone(self.felt.place_of(card)))
            case _:
                pass

    def _dead(self, hand: Hand, number: int) -> None:
        """HAND_DEAD: its cards stay where they are; one too many that was dealt to it counts there."""
        hand.dead.append(number)
        if hand.released is not None and self.felt.place_of(hand.released) == seat(number) and not hand.wanted:
            hand.home[hand.released] = seat(number)
            self._arrived(hand, hand.released)

    def _stands(self, hand: Hand, card: Uid, wanted: Zone, place: Zone) -> None:
        """STAND: the card counts where it lies; a burn step is done, another stays owed unless a card lies there."""
        if not is_zone(place):
            return
        hand.home[card] = place
        self._arrived(hand, card)
        street = next(street for street in hand.streets if street)
        if wanted == BURN or place == wanted:
            street.remove(wanted)
        if place == BOARD and BOARD in street and wanted != BOARD:
            street.remove(BOARD)

    def _done(self, hand: Hand, card: Uid, zone: Zone) -> None:
        hand.home[card] = zone
        if card == hand.unburned:
            hand.unburned = None
        self._arrived(hand, card)
        street = next(street for street in hand.streets if street)
        street.remove(zone)

    def _arrived(self, hand: Hand, card: Uid) -> None:
        """This card is on its way no longer; the others of its group are."""
        if card == hand.released:
            hand.released = None
            if hand.along:
                hand.released, hand.wanted = hand.along.popitem()
        else:
            hand.along.pop(card, None)

    def by_hand(self, uid: Uid, before: str, after: str) -> bool:
        """Tell whether this move deals a card out of the dealer's hand, by the house's rule (C4)."""
        hand = self.hand
        out = hand is not None and hand.given and before == "hand" and uid in self.inside
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
