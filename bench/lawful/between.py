"""Between hands: opening, every card back, counts and deck changes by the clock, seats and button (H7, C1, C11)."""

from collections.abc import Callable
from random import Random

from bench.lawful.machine import MS
from bench.lawful.reading import TRACES, Hand, buttons
from bench.lawful.table import Over, Table
from bench.lawful.world import MINUTE_NS, World
from dealerbox.model import events as ev
from dealerbox.model.cards import Token, token
from dealerbox.model.commands import Hold, Refuse
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import ButtonRule, Dispense
from dealerbox.model.shuffler import Cap, Memory
from dealerbox.model.zones import ASIDE, BOARD, BURN, EXIT, INFEED, MUCK, Zone, seat

FIXED = (INFEED, EXIT, BOARD, BURN, MUCK, ASIDE)


class Closed(Exception):
    """No further hand can lawfully start tonight."""


class Evening(Table):
    """An evening: opened, played, and what must be done between the hands."""

    def __init__(self, world: World, rng: Random, names: frozenset[str], eager: float = 1.0) -> None:
        super().__init__(world, rng, names, eager)
        self.hands = 0
        self.session = 0
        self.redeal = False
        self.used: set[int] = set()
        self.gather_by_hand: Callable[[Evening], None] = lambda _evening: None
        """How the cards come back while MANUAL stands (see `byhand`)."""
        self.one_deck = False
        """A deck is quarantined: no new hand before there are two (C17)."""
        self.manual_hands = 0

    def lose_shuffler(self, longest_ms: int) -> None:
        """Its cable is out for half a second at least."""
        world = self.world
        with self.judge.first(Reason.DEVICE_LOST):
            world.machine.lose()
            world.tell(ev.DeviceLost(world.now_ns, "shuffler", "silent"))
        world.pause(500, longest_ms)

    # Opening.

    def start_station(self) -> None:
        """The station starts: it hears of itself, the machine, the readers and the button."""
        world = self.world
        world.machine.lose()
        world.wait(20)
        self.session += 1
        world.read.clear()
        world.tell(ev.Started(world.now_ns, setup=world.setup, memory=Memory(session=self.session), boot_id="boot"))
        seconds = world.now_ns // 10**9
        world.tell(ev.WallClock(world.now_ns, 1_700_000_000 + seconds, 19 * 3600 + seconds, True))
        if not world.by_hand or world.setup.house.dispense is Dispense.HAND:
            world.machine.lost = False
            world.machine.meet()
        for zone in world.setup.readers:
            self.reader_back(zone)
        world.wait(50)

    def reader_lost(self) -> Zone:
        """A reader can look no more, and the station says so; return its zone."""
        world = self.world
        zone = self.rng.choice([zone for zone in world.setup.readers if zone != INFEED])
        with self.judge.first(Reason.DEVICE_LOST):
            world.blind.add(zone)
            world.read = {pair for pair in world.read if pair[0] != zone}
            world.tell(ev.ZoneUnknown(world.now_ns, zone, "silent"))
        return zone

    def reader_back(self, zone: Zone) -> None:
        """A reader looks again: what lies there is told first."""
        world = self.world
        world.blind.discard(zone)
        there = [card for card, place in world.lies.items() if place == zone]
        if zone == EXIT and world.machine.gate is not None:
            there.append(world.machine.gate)
        if there:
            world.arrive(zone, *there)
        world.tell(ev.ZoneKnown(world.now_ns, zone))

    def open(self) -> None:
        """The table opens with its first deck (T1)."""
        world = self.world
        world.deck = 1
        world.book = {token(1, number): "" for number in range(1, 53)}
        self.start_station()
        self.emptied()
        self.verify()

    def emptied(self) -> None:
        """A machine that was switched on is opened and looked into before the first card goes in (S2)."""
        world, machine = self.world, self.world.machine
        may = ((Hold, Reason.NOT_EMPTY), (Hold, Reason.DOOR_OPEN))
        with self.judge.asks(may=may):
            if world.look().prompt_code != "empty":
                raise self.judge.finding("miss", "a machine that was switched on may be filled unseen")
            machine.open_door()
            world.pause(500, 3000)
            machine.close_door()
            world.pause(300, 1500)
        with self.judge.ends(*self.judge.held):
            world.until(lambda: Key.ACK in world.look().lit and machine.pending is None, "asked if it is empty")
            world.press(Key.ACK)
        world.wait(100)

    def verify(self) -> None:
        """A new deck is fed in, its seal confirmed, and shuffled."""
        world = self.world
        self.judge.doing = "opening a deck"
        cards = [token(world.deck, number) for number in range(1, 53)]
        self.rng.shuffle(cards)
        shuffles = world.machine.shuffles
        self.feed(cards)
        world.until(lambda: Key.ACK in world.look().lit and world.machine.pending is None, "asked for the seal")
        world.pause(1000, 4000)
        world.press(Key.ACK)
        world.counted_ns = world.changed_ns = world.now_ns
        self.judge.noticed.clear()
        self.shuffled(shuffles)
        world.check()

    def feed(self, cards: list[Token]) -> None:
        """Feed cards in while the machine takes them; ACK where the panel asks for more."""
        world, machine = self.world, self.world.machine

        def taken_or_asked() -> bool:
            return bool(machine.taking) or (machine.pending is None and Key.ACK in world.look().lit)

        while cards:
            world.until(taken_or_asked, "take the cards that are out")
            if not machine.taking:
                world.press(Key.ACK)
                continue
            world.wait(100)
            if machine.taking:
                machine.feed(cards.pop())

    def shuffled(self, since: int) -> None:
        """Wait for the shuffle that follows."""
        machine = self.world.machine
        self.world.until(lambda: machine.shuffles > since and machine.pending is None, "shuffle the deck")
        self.world.wait(10)

    # After a hand.

    def one_hand(self) -> None:
        """Play one hand, from START to the cards' return. Finding, Closed."""
        self.prepare()
        self.begin()
        try:
            self.play()
            self.award()
        except Over:
            self.redeal = True
        else:
            self.redeal = False
        for zone, card in sorted(self.world.ghosts):  # it is gathered, and lies nowhere
            self.world.ghosts.discard((zone, card))
            self.world.leave(zone, card)
        self.hands += 1
        self.gather()

    def award(self) -> None:
        """The pots are awarded; now and then the award is taken back, and given again (1817)."""
        world = self.world
        if self.hand.last and "showdown" in self.names and self.chance(0.4):
            self.did("showdown")
            for number in self.hand.live[:2]:
                world.move(self.rng.choice([BOARD, seat(number)]), *self.hand.hole(number))
        hand = self.hand
        if hand.last:
            self.happens("award", 0.1)
            shift = 52 - 2 * len(hand.seats) - 34
            if not hand.due and hand.path in TRACES and tuple(left - shift for left in hand.trace) != TRACES[hand.path]:
                raise self.judge.finding("count", f"stub {hand.trace}, not {TRACES[hand.path]} ({hand.path})")
        world.pause(500, 3000)
        world.press(Key.AWARD)
        if "claim" in self.names and self.chance(0.05 * self.eager):
            self.judge.doing = "claim"
            world.pause(100, 1000)
            world.press(Key.UNDO)
            world.pause(500, 2000)
            world.check()
            world.press(Key.AWARD)
            self.did("claim")
        world.hand = None

    def gather(self) -> None:
        """Every card that left the stub enters again (H7)."""
        world, machine = self.world, self.world.machine
        self.judge.doing = "gathering"
        world.hand, world.travelling, world.barred = None, None, ""
        world.mute.clear()
        shuffles = machine.shuffles
        world.pause(300, 1500)
        given = world.by_hand and world.setup.house.dispense is Dispense.HAND and not self.manual_hands
        if world.by_hand and not given:
            self.gather_by_hand(self)
            return
        world.by_hand = False
        world.until(lambda: not machine.releasing, "shut the gate")
        machine.passed.clear()
        cards = list(world.book) + (self.stub if given else [])
        for zone in sorted(set(world.lies.values())):
            world.lift(*[card for card, place in world.lies.items() if place == zone])
            world.pause(100, 400)
        world.lift(*world.book)
        if self.suspect:
            self.suspect, self.one_deck = False, True
            self.changed_deck()
            return
        self.happens("gather", 0.1)
        self.rng.shuffle(cards)
        if "short" in self.names and len(cards) > 1 and self.chance(0.05 * self.eager):
            self.forget_one(cards)
        self.feed(cards)
        self.shuffled(shuffles)
        world.wait(700)
        world.check()

    def forget_one(self, cards: list[Token]) -> None:
        """One card is left on the table; START names it, it is found and fed."""
        world, machine = self.world, self.world.machine
        self.judge.doing = "short"
        forgotten = cards.pop(0)
        world.lay(MUCK, forgotten)
        world.pause(200, 500)
        self.feed(cards)
        world.wait(3000)
        said = ((Refuse, Reason.CARDS_OUT), (Refuse, Reason.ONE_DECK))
        with self.judge.asks(may=said) if self.one_deck else self.judge.asks(said[0]):
            world.press(Key.START)
        if machine.taking:
            machine.shut()
        world.pause(3000, 9000)
        world.lift(forgotten)
        world.pause(300, 700)
        cards.append(forgotten)
        self.did("short")

    # Before a hand.

    def prepare(self) -> None:
        """Do what is owed and what may be done before START."""
        self.judge.doing = "between hands"
        if not self.redeal:
            self.happens("between", 0.3)
        self.by_the_clock()
        self.judge.doing = "between hands"
        self.lay_button()

    def by_the_clock(self) -> None:
        """Count within 25 minutes and change the deck within 115, so that the limits are kept (C1)."""
        world, house = self.world, self.world.setup.house
        slack = house.last_hand_margin_min * MINUTE_NS
        change_ns = house.deck_change_every_min * MINUTE_NS - slack
        count_ns = house.count_every_min * MINUTE_NS - slack
        if world.by_hand:
            if world.now_ns - world.changed_ns > change_ns or world.now_ns - world.counted_ns > count_ns - 3000 * MS:
                raise Closed
            return
        if world.now_ns - world.changed_ns > change_ns - 3000 * MS:
            if "change" not in self.names or self.used:
                raise Closed
            self.late(change_ns, world.changed_ns, Reason.DECK_CHANGE_OVERDUE)
            world.press(Key.DECK)
            self.changed_deck()
        if world.now_ns - world.counted_ns > count_ns - 3000 * MS:
            self.late(count_ns, world.counted_ns, Reason.COUNT_OVERDUE)
            self.count()
        elif world.machine.proved:
            self.count()

    def late(self, limit_ns: int, since_ns: int, reason: Reason) -> None:
        """The limit is near or past: its notice has come, and past it no hand starts."""
        world = self.world
        due = Reason.COUNT_DUE if reason is Reason.COUNT_OVERDUE else Reason.DECK_CHANGE_DUE
        if not self.judge.noticed[due]:
            raise self.judge.finding("miss", f"no Notice {due}")
        if "overdue" not in self.names or self.rng.random() < 0.5:
            return
        self.judge.doing = "overdue"
        world.run(max(world.now_ns, since_ns + limit_ns + 1000 * MS))
        both = tuple((Refuse, r) for r in (Reason.COUNT_OVERDUE, Reason.DECK_CHANGE_OVERDUE))
        others = (Reason.BUTTON_WRONG, Reason.BUTTON_MISSING, Reason.ONE_DECK)
        with self.judge.asks(may=both + tuple((Refuse, other) for other in others)):
            world.press(Key.START)
        if world.look().phase != "between":
            raise self.judge.finding("let_out", f"a hand starts although {reason}")
        self.did("overdue")

    def count(self) -> None:
        """The machine counts the deck, the dealer confirms it by name (C2)."""
        world, machine = self.world, self.world.machine
        self.judge.doing = "count"
        shuffles = machine.shuffles
        world.press(Key.COUNT)
        if world.machine.pending is None:
            raise self.judge.finding("dead_end", "COUNT does not count")
        world.until(lambda: Key.ACK in world.look().lit and machine.pending is None, "asked to confirm the count")
        world.pause(300, 2000)
        world.press(Key.ACK)
        world.counted_ns = world.now_ns
        machine.proved = False
        self.judge.noticed[Reason.COUNT_DUE] = 0
        if not machine.caps & Cap.COUNT_KEEPS_ORDER:
            self.shuffled(shuffles)
        self.did("count")
        world.wait(50)

    def changed_deck(self) -> None:
        """The deck in play is out: the machine is emptied, and the other deck verified."""
        world, machine = self.world, self.world.machine
        self.judge.doing = "deck change"
        self.used.add(world.deck)
        world.deck = 3 - world.deck
        world.book = {token(world.deck, number): "" for number in range(1, 53)}
        opened = ((Hold, Reason.NOT_EMPTY), (Hold, Reason.DOOR_OPEN))
        with self.judge.asks(may=opened):
            world.pause(300, 1500)
            machine.open_door()
            world.pause(1000, 3000)
            old = machine.empty()
            if "two_decks" in self.names and self.chance(0.5):
                world.lay(ASIDE, *old[:3])
            machine.close_door()
            world.pause(500, 2000)
        with self.judge.ends(*self.judge.held):
            world.until(lambda: Key.ACK in world.look().lit and machine.pending is None, "asked if it is empty")
            world.press(Key.ACK)
            world.until(lambda: machine.taking, "take the new deck")
        world.lift(*old)
        self.did("change")
        self.verify()

    def buttons(self) -> list[int]:
        """Return where the button may lie for the next hand."""
        house = self.world.setup.house
        return buttons(self.seats, self.button, house.max_seats, house.button_rule is ButtonRule.DEAD)

    def lay_button(self) -> None:
        """The button goes where it may (C11)."""
        world = self.world
        if self.redeal:
            return
        if not self.button or ("set_button" in self.names and self.chance(0.03 * self.eager)):
            self.button = self.rng.choice(self.seats)
            self.did("set_button")
            world.rule(Ruling.SET_BUTTON, seat=self.button)
        else:
            self.button = self.rng.choice(self.buttons())
        world.pause(200, 600)
        world.button()
        world.pause(300, 800)
        world.button(self.button)
        world.pause(100, 300)

    def begin(self) -> None:
        """START."""
        world = self.world
        self.judge.doing = "start"
        if self.one_deck and not self.redeal:
            with self.judge.asks((Refuse, Reason.ONE_DECK)):
                world.press(Key.START)
            raise Closed
        mode = world.setup.house.dispense
        world.hand = Hand(self.seats, self.button, mode is Dispense.GROUP and not world.by_hand)
        world.outside = 0
        world.press(Key.START)
        if mode is Dispense.HAND and not world.by_hand:
            self.into_the_hand()

    def into_the_hand(self) -> None:
        """The device gives the dealer the whole shuffled deck (C4): taken out, looked into, and the door shut."""
        world, machine = self.world, self.world.machine
        world.pause(200, 900)
        machine.open_door()
        world.pause(500, 2000)
        self.stub = machine.empty()
        machine.close_door()
        world.until(lambda: Key.ACK in world.look().lit, "asked if anything is left in the machine")
        world.press(Key.ACK)
        world.wait(100)
        world.by_hand = True
