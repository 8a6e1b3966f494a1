"""Exposed, off-table and faced cards (1811(1), 1820, C9), and what the dealer does by hand before NEXT."""

from bench.lawful.between import Evening
from bench.lawful.happenings import gate_opens
from bench.lawful.mishaps import call_misdeal
from bench.lawful.table import Over, Table, at
from dealerbox.model.cards import Token
from dealerbox.model.commands import Hold, Notice, Refuse
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import Replacement
from dealerbox.model.zones import ASIDE, BOARD, BURN, Zone, seat, seat_number


def dead(table: Table, key: Key, number: int, card: Token, reason: Reason) -> None:
    """The key names a dead card; nothing is let out until it is seen aside."""
    world = table.world
    said = ((Hold, reason), (Notice, reason))
    with table.judge.asks(may=said):
        world.barred = f"a dead card ({reason}) is not aside"
        world.press(key, number)
        world.pause(300, 4000)
        if number and not world.look().prompt:
            raise table.judge.finding("dead_end", f"no prompt after {key}")
    world.lift(card)
    world.pause(150, 700)
    table.hand.cards[card] = ASIDE
    world.barred = ""
    with table.judge.ends(reason):
        world.lay(ASIDE, card)


def flashed(table: Table, key: Key, reason: Reason) -> bool:
    """A hole card is flashed or leaves the table as it is dealt: dead, aside, replaced as the house has it (C9)."""
    world, hand = table.world, table.hand
    seats = [number for number in hand.live if hand.hole(number) and len(hand.live) == len(hand.seats)]
    if hand.street or hand.acted or not seats or gate_opens(table):
        return False
    if key is Key.EXPOSED and world.setup.house.first_card_exposed_is_misdeal and len(hand.cards) == 1:
        return False  # `exposed_misdeal` plays it
    number = table.rng.choice(seats)
    card = table.rng.choice(hand.hole(number))
    named = number
    if table.chance(0.3) and seat_number(hand.cards[list(hand.cards)[-1]]):  # without a seat: the one let out last
        card = list(hand.cards)[-1]
        named, number = 0, seat_number(hand.cards[card])
    if world.lies.get(card) != seat(number):
        return False
    at_once = world.setup.house.exposed_replacement is Replacement.AT_ONCE
    hand.due.insert(0 if at_once else len(hand.due), seat(number))
    dead(table, key, named, card, reason)
    world.check()
    if not hand.due[1:]:
        table.deal()
    return True


@at("asked", "exposed")
@at("street", "exposed")
def exposed(table: Table) -> bool:
    """EXPOSED with its seat."""
    return flashed(table, Key.EXPOSED, Reason.EXPOSED_CARD)


@at("asked", "off_table")
@at("street", "off_table")
def off_table(table: Table) -> bool:
    """OFF_TABLE with its seat, before ACTION."""
    return flashed(table, Key.OFF_TABLE, Reason.OFF_TABLE)


@at("card", "exposed_flop")
def exposed_flop(table: Table, card: Token, due: Zone) -> bool:
    """A flop card is faced before its fellows: dead, the next card takes its step at once."""
    world, hand = table.world, table.hand
    if hand.street != 1 or due != BOARD or len(hand.due) == 1:
        return False
    world.landed(card, due)
    if gate_opens(table):
        return True
    hand.due.insert(0, BOARD)
    hand.path = "exposed"
    dead(table, Key.EXPOSED, 0, card, Reason.EXPOSED_CARD)
    return True


@at("card", "exposed_free")
def exposed_free(table: Table, card: Token, due: Zone) -> bool:
    """A burn, turn or river card is flashed: it was to be seen, or will never be; it costs nothing."""
    world, hand = table.world, table.hand
    if not hand.street or (due == BOARD and hand.street == 1):
        return False
    with table.judge.asks(may=((Notice, Reason.EXPOSED_CARD), (Refuse, Reason.NOT_NOW), (Notice, Reason.NOT_NOW))):
        world.press(Key.EXPOSED)
    world.landed(card, due)
    return True


@at("card", "exposed_misdeal")
def exposed_misdeal(table: Table, card: Token, due: Zone) -> bool:
    """House: the first card dealt is exposed: a misdeal (1811(3))."""
    world, hand = table.world, table.hand
    if not world.setup.house.first_card_exposed_is_misdeal or hand.cards:
        return False
    world.landed(card, due)
    with table.judge.asks(may=tuple((k, r) for k in (Hold, Notice) for r in (Reason.EXPOSED_CARD, Reason.MISDEAL))):
        world.barred = "the first card was exposed, and the house calls that a misdeal"
        world.press(Key.EXPOSED, seat_number(due))
        world.pause(500, 3000)
        if world.look().phase in ("gathering", "between"):
            world.hand = None
            raise Over
        call_misdeal(table, *table.judge.held)
    return True


@at("group", "exposed_group")
def exposed_group(table: Table, cards: list[Token], zone: Zone) -> bool:
    """A card of a group is flashed before any of it lies: whichever is laid aside is the dead one."""
    world, hand = table.world, table.hand
    house = world.setup.house
    if (hand.acted and not hand.street) or (house.first_card_exposed_is_misdeal and not hand.cards):
        return False
    with table.judge.asks(may=((Notice, Reason.CARD_UNSEEN),)):  # the first of the group was let out a while ago
        one_flashed(table, cards, zone)
    return True


def one_flashed(table: Table, cards: list[Token], zone: Zone) -> None:
    """One of the group is dead and goes aside, before the others lie or after."""
    world, hand = table.world, table.hand
    dead_card = table.rng.choice(cards)
    with table.judge.asks((Hold, Reason.EXPOSED_CARD)):
        world.press(Key.EXPOSED, seat_number(zone))
        world.pause(300, 2000)
    others = [card for card in cards if card != dead_card]
    at_once = hand.street or world.setup.house.exposed_replacement is Replacement.AT_ONCE
    first = table.chance(0.5)
    if first:
        aside(table, dead_card)
    for card in others:
        hand.done(card, zone)
    del hand.due[0]
    hand.due.insert(0 if at_once else len(hand.due), zone)
    hand.path = "exposed" if hand.street else hand.path
    world.lay(zone, *others)
    if not first:
        world.pause(100, 900)
        aside(table, dead_card)
    world.travelling = None


def aside(table: Table, card: Token) -> None:
    """The dead card of a group goes aside."""
    table.hand.cards[card] = ASIDE
    with table.judge.ends(Reason.EXPOSED_CARD):
        table.world.lay(ASIDE, card)


@at("street", "faced_lies")
def faced_lies(table: Table) -> bool:
    """The card dealt last lay face up in the deck, and lies already: dead, and the next card takes its step (1820)."""
    world, hand = table.world, table.hand
    acted = hand.acted_on_street if hand.street else hand.acted
    card = list(hand.cards)[-1]
    zone = hand.cards[card]
    if acted or gate_opens(table) or world.lies.get(card) != zone or zone == ASIDE or hand.waiting or hand.again:
        return False
    hand.due.insert(0, zone)
    hand.path = "faced" if hand.street else hand.path
    dead(table, Key.FACED, 0, card, Reason.FACED_CARD)
    world.check()
    table.deal()
    return True


@at("card", "faced")
def faced(table: Table, card: Token, due: Zone) -> bool:
    """The released card lay face up in the deck: dead, aside; the next card takes its step (1820)."""
    world, hand = table.world, table.hand
    said = ((Hold, Reason.FACED_CARD), (Notice, Reason.FACED_CARD))
    if world.by_hand or len(world.machine.cards) < 12:
        return False
    with table.judge.asks(may=said):
        world.barred = "a faced card is not aside"
        world.press(Key.FACED)
        world.pause(100, 900)
    world.travelling = None
    hand.cards[card] = ASIDE
    world.barred = ""
    with table.judge.ends(Reason.FACED_CARD):
        world.lay(ASIDE, card)
    if not seat_number(due):
        hand.path = "faced"
    return True


@at("next", "round_open")
def round_open(evening: Evening) -> bool:
    """By hand the burn comes before NEXT: "was the round complete?"; NEXT: it was."""
    world, hand = evening.world, evening.hand
    if not world.by_hand or len(hand.live) < 2:
        return False
    card = evening.stub.pop(0)
    with evening.judge.first(Reason.ROUND_OPEN):
        world.lay(BURN, card)
    world.pause(300, 2500)
    if "unburn" in evening.names and not hand.acted_on_street and not hand.path and evening.chance(0.4):
        return taken_up(evening, card)
    hand.next()
    hand.done(card, BURN)
    with evening.judge.ends(Reason.ROUND_OPEN):
        world.press(Key.NEXT)
    world.check()
    return True


def taken_up(evening: Evening, card: Token) -> bool:
    """It was not, and the burn goes back on top (UNBURN): the round goes on, and then that card is burned (H4)."""
    world, hand = evening.world, evening.hand
    with evening.judge.ends(Reason.ROUND_OPEN), evening.judge.asks(may=((Notice, Reason.PREMATURE_BURN),)):
        world.press(Key.UNBURN)
    world.lift(card)
    world.book.pop(card)
    hand.path = "unburned"
    evening.stub.insert(0, card)
    evening.did("unburn")
    world.pause(700, 4000)
    world.check()
    hand.next()
    world.press(Key.NEXT)
    return True
