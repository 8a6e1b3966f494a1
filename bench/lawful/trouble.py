"""Irregularities between hands, and rulings in a hand: the deck emptied and fed anew, STAND, HAND_DEAD, idle keys."""

from bench.lawful.between import Evening
from bench.lawful.faults import give_up
from bench.lawful.happenings import gate_opens
from bench.lawful.mishaps import misplacement
from bench.lawful.table import Table, at
from dealerbox.model import events as ev
from dealerbox.model.cards import Token
from dealerbox.model.commands import Dispense, Hold, Notice, Refuse
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import ASIDE, BOARD, BURN, INFEED, MUCK, Zone, seat, seat_number

# Between hands.


def refill(evening: Evening, *held: Reason) -> None:
    """The machine is opened, emptied and looked into; all 52 are fed in and shuffled (S2)."""
    world, machine = evening.world, evening.world.machine
    shuffles = machine.shuffles
    with evening.judge.asks(may=((Hold, Reason.NOT_EMPTY), (Hold, Reason.DOOR_OPEN))):
        if machine.why != "content":
            machine.open_door()
            world.pause(500, 3000)
        cards = machine.empty()
        machine.close_door()
        world.pause(300, 1500)
    standing = {*held, *evening.judge.held}
    with evening.judge.ends(*standing):
        world.until(lambda: Key.ACK in world.look().lit and machine.pending is None, "asked if it is empty")
        world.book = dict.fromkeys(cards, Zone(""))
        world.press(Key.ACK)
        evening.feed(cards)
        evening.shuffled(shuffles)
    world.wait(700)
    world.check()


@at("between", "door_between")
def door_between(evening: Evening) -> bool:
    """The door is opened between hands: proved empty, and a full count."""
    world, machine = evening.world, evening.world.machine
    if world.by_hand:
        return False
    with evening.judge.asks(may=((Hold, Reason.NOT_EMPTY), (Hold, Reason.DOOR_OPEN))):
        machine.open_door()
        world.pause(500, 3000)
        machine.close_door()
        world.wait(100)
        with evening.judge.asks(may=tuple((Refuse, reason) for reason in Reason)):
            world.press(Key.START)
        if world.look().phase == "dealing":
            raise evening.judge.finding("let_out", "a hand starts with a machine of unknown content")
    refill(evening)
    return True


def back_at_once(evening: Evening) -> None:
    """The shuffler is lost between hands, and answers again."""
    world, machine = evening.world, evening.world.machine
    evening.lose_shuffler(3000)
    machine.lost = False
    with evening.judge.ends(Reason.DEVICE_LOST):
        world.tell(ev.DeviceBack(world.now_ns, "shuffler"))
        machine.meet()
        world.wait(50)
    if world.machine.why:
        raise evening.judge.finding("dead_end", "it does not agree")


@at("between", "power_between")
def power_between(evening: Evening) -> bool:
    """It was without power between hands, and its record agrees: proved empty and a full count all the same (S2)."""
    world, machine = evening.world, evening.world.machine
    if world.by_hand:
        return False
    machine.unpowered = True
    back_at_once(evening)
    with evening.judge.asks(may=tuple((Refuse, reason) for reason in Reason)):
        world.press(Key.START)
    if world.look().phase == "dealing":
        raise evening.judge.finding("let_out", "a hand starts with a machine that was without power")
    refill(evening)
    return True


@at("between", "stale_shuffle")
def stale_shuffle(evening: Evening) -> bool:
    """It has forgotten the shuffle that was not spent: the deck is shuffled again before the first card (S1)."""
    world, machine = evening.world, evening.world.machine
    if world.by_hand:
        return False
    shuffles = machine.shuffles
    machine.forget()
    back_at_once(evening)
    evening.shuffled(shuffles)
    world.check()
    return True


@at("between", "short_count")
def short_count(evening: Evening) -> bool:
    """The machine counts 51 or 53: not short before a second full read says so; a recount (S3)."""
    world, machine = evening.world, evening.world.machine
    if world.by_hand:
        return False
    machine.miscounts = evening.rng.choice((-1, 1))
    with evening.judge.first(Reason.RECOUNT):
        world.press(Key.COUNT)
        world.until(lambda: Reason.RECOUNT in evening.judge.held, "held for a count that is not 52")
    world.pause(300, 2000)
    if machine.taking:
        machine.shut()
        world.wait(20)
    refill(evening, Reason.RECOUNT)
    return True


@at("between", "reader_between")
def reader_between(evening: Evening) -> bool:
    """A reader is lost between hands: no hand starts while it cannot look."""
    world = evening.world
    zone = evening.reader_lost()
    with evening.judge.asks((Refuse, Reason.DEVICE_LOST)):
        world.press(Key.START)
    with evening.judge.ends(Reason.DEVICE_LOST):
        evening.reader_back(zone)
    world.check()
    return True


@at("between", "too_few_seats")
def too_few_seats(evening: Evening) -> bool:
    """One player is no table: no hand."""
    world = evening.world
    world.rule(Ruling.SEATS, seats=evening.seats[:1])
    with evening.judge.asks(may=tuple((Refuse, reason) for reason in Reason)):
        world.press(Key.START)
    if world.look().phase == "dealing":
        raise evening.judge.finding("let_out", "a hand starts with one player")
    world.rule(Ruling.SEATS, seats=evening.seats)
    return True


@at("between", "pause")
def pause(evening: Evening) -> bool:
    """Hand-for-hand: no hand starts between PAUSE and RESUME."""
    world = evening.world
    world.rule(Ruling.PAUSE)
    with evening.judge.asks(may=tuple((Refuse, reason) for reason in Reason)):
        world.press(Key.START)
    if world.look().phase == "dealing":
        raise evening.judge.finding("let_out", "a hand starts while paused")
    world.rule(Ruling.RESUME)
    return True


@at("between", "foreign_between")
def foreign_between(evening: Evening) -> bool:
    """A foreign tag on the table between hands: a recount, taken out, a clean full read (1804A(1), 1824)."""
    world = evening.world
    if world.by_hand:
        return False
    zone = evening.rng.choice([BOARD, BURN, MUCK, ASIDE, INFEED, *map(seat, evening.seats)])
    stranger = Token(evening.rng.randint(1, 900))
    with evening.judge.first(Reason.RECOUNT):
        world.arrive(zone, stranger)
        world.wait(world.setup.house.scan_ms + 200)
    world.leave(zone, stranger)
    refill(evening, Reason.RECOUNT)
    return True


# In a hand.


@at("round", "premature_late")
def premature_late(table: Table) -> bool:
    """PREMATURE after ACTION on the next round: the director (1830)."""
    world, hand = table.world, table.hand
    if not hand.street or not hand.acted_on_street or hand.path:
        return False
    with table.judge.first(Reason.PREMATURE_LATE):
        world.press(Key.PREMATURE)
    world.pause(300, 3000)
    with table.judge.ends(Reason.PREMATURE_LATE):
        world.rule(Ruling.STAND)
    world.check()
    return True


@at("card", "stand")
def stand(table: Table, card: Token, due: Zone) -> bool:
    """STAND: the card counts for the zone where it lies; a seat or board step stays owed, a burn step is done."""
    world, hand = table.world, table.hand
    owed = [zone for zone in hand.due[1:] if zone != due and seat_number(zone)]
    zones = {BURN: [BOARD, MUCK, ASIDE], BOARD: [BURN, MUCK, ASIDE]}.get(due, [BOARD, BURN, MUCK, ASIDE, *owed])
    zone = table.rng.choice(zones)
    reason = misplacement(due, zone)
    with table.judge.first(reason):
        world.lay(zone, card)
        if world.by_hand:
            world.wait(world.setup.house.scan_ms)
    world.pause(300, 3000)
    hand.path = "stand"
    hand.cards[card] = zone
    if due == BURN:
        del hand.due[0]
    if zone in hand.due[0 if due == BURN else 1 :]:
        hand.due.remove(zone)
    with table.judge.ends(reason):
        world.travelling = None
        world.rule(Ruling.STAND)
    return True


@at("round", "hand_dead")
def hand_dead(table: Table) -> bool:
    """The director rules a hand dead; its cards lie where they are."""
    world, hand = table.world, table.hand
    if len(hand.live) < 3:
        return False
    number = table.rng.choice(hand.live)
    hand.live.remove(number)
    world.rule(Ruling.HAND_DEAD, seat=number)
    world.check()
    world.move(MUCK, *hand.hole(number))
    return True


@at("asked", "idle_keys")
@at("round", "idle_keys")
def idle_keys(table: Table) -> bool:
    """A key that means nothing now is refused or ignored, and changes nothing."""
    world = table.world
    key = table.rng.choice([Key.START, Key.COUNT, Key.DECK, Key.CUT, Key.NO, Key.ACK])
    if key in world.look().lit:
        return False
    with table.judge.asks(may=((Refuse, Reason.NOT_NOW), (Notice, Reason.NOT_NOW))):
        world.press(key)
    world.check()
    return True


@at("asked", "unread_void")
def unread_void(table: Table) -> bool:
    """The tag at the exit stays silent: the card never leaves, and the hand is dealt again."""
    world, machine = table.world, table.world.machine
    rising = isinstance(machine.pending, Dispense) and machine.gate is None
    if not rising or gate_opens(table) or not machine.cards or machine.no_feed or machine.void:
        return False
    card = machine.cards[0]
    world.mute.add(card)
    with table.judge.first(Reason.CARD_UNREAD, may=((Notice, Reason.CARD_UNREAD),)):
        world.wait(world.setup.house.settling_ms + 3000)
    give_up(table, Reason.CARD_UNREAD)
    return True
