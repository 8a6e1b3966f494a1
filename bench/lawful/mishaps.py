"""What goes wrong in a hand and is put right as the page says: each hold by its reason, and ended by its remedy."""

from bench.lawful.between import Evening
from bench.lawful.happenings import gate_opens
from bench.lawful.table import Over, Table, at
from dealerbox.model import events as ev
from dealerbox.model.cards import Token
from dealerbox.model.commands import Hold, Notice, Refuse
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import Dispense
from dealerbox.model.zones import ASIDE, BOARD, BURN, EXIT, MUCK, Zone, seat, seat_number

# The released card (C10, H10).


def misplacement(due: Zone, zone: Zone) -> Reason:
    """Return the first row that fits the released card at `zone` when it is due at `due`."""
    if seat_number(due) and seat_number(zone):
        return Reason.WRONG_SEAT
    if (due, zone) == (BURN, BOARD):
        return Reason.BURN_MISSING
    if (due, zone) == (BOARD, BURN):
        return Reason.BURN_EXTRA
    return Reason.WRONG_ZONE


def lay_wrong(table: Table, card: Token, due: Zone) -> Reason:
    """The released card arrives where its step does not name."""
    world = table.world
    zones = [zone for zone in [BOARD, BURN, MUCK, ASIDE, *map(seat, table.hand.seats)] if zone != due]
    likely = [zone for zone in (BOARD, BURN) if zone != due]
    zone = table.rng.choice(likely if due in (BOARD, BURN) and table.chance(0.5) else zones)
    reason = misplacement(due, zone)
    with table.judge.first(reason):
        world.lay(zone, card)
        if world.by_hand:  # what comes within one scan is judged as a set
            world.wait(world.setup.house.scan_ms)
    world.pause(300, 3000)
    world.check()
    table.happens("held", 0.15)
    return reason


@at("card", "misplaced")
def misplaced(table: Table, card: Token, due: Zone) -> bool:
    """A card in the wrong place, put right before the next release: the hold clears itself (C10)."""
    world = table.world
    if not world.setup.house.correct_misplaced:
        return False
    reason = lay_wrong(table, card, due)
    world.lift(card)
    world.pause(200, 900)
    with table.judge.ends(reason):
        world.landed(card, due)
    return True


@at("card", "misplaced_strict")
def misplaced_strict(table: Table, card: Token, due: Zone) -> bool:
    """The house wants a ruling: MISDEAL while nobody has acted, else STAND (C10 off)."""
    world, hand = table.world, table.hand
    if world.setup.house.correct_misplaced:
        return False
    reason = lay_wrong(table, card, due)
    world.move(due, card)
    world.check()
    if not hand.acted and table.chance(0.5):
        call_misdeal(table, reason)
    with table.judge.ends(reason):
        hand.done(card, due)
        world.travelling = None
        world.rule(Ruling.STAND)
    return True


def call_misdeal(table: Table, *held: Reason) -> None:
    """MISDEAL: it ends the holds about cards, and the hand. Over."""
    world = table.world
    mucked = any(world.book.get(card) == MUCK for card in table.hand.cards)
    with table.judge.ends(*held), table.judge.asks(may=((Notice, Reason.MISDEAL),)):
        world.hand = None
        world.press(Key.MISDEAL)
        if mucked:
            world.pause(300, 2000)
            world.press(Key.NO)
    raise Over


@at("card", "void")
def voided(table: Table, card: Token, due: Zone) -> bool:
    """The director voids a held hand: all cards back, the same button."""
    if not table.chance(0.3):
        return False
    reason = lay_wrong(table, card, due)
    world = table.world
    with table.judge.ends(reason):
        world.hand = None
        world.rule(Ruling.VOID_HAND)
    raise Over


@at("asked", "misdeal")
@at("round", "misdeal")
def misdeal(table: Table) -> bool:
    """A misdeal is called before action (1811(3))."""
    hand = table.hand
    if hand.acted or len(hand.live) < len(hand.seats):
        return False
    call_misdeal(table)
    return True


@at("landed", "misdeal")
def misdeal_with_the_next_card_coming(table: Table, _card: Token, _due: Zone) -> bool:
    """A misdeal is called while the machine brings the next card up or lets it go."""
    hand = table.hand
    if hand.acted or len(hand.live) < len(hand.seats):
        return False
    table.world.pause(0, 900)
    call_misdeal(table)
    return True


@at("round", "misdeal_muck")
def misdeal_muck(table: Table) -> bool:
    """MISDEAL with a hand in the muck: has that player acted? NO: a misdeal. ACK: too late."""
    world, hand = table.world, table.hand
    mucked = [card for card in hand.cards if world.book.get(card) == MUCK]
    if hand.acted or not mucked:
        return False
    if table.chance(0.5):
        call_misdeal(table)
    world.press(Key.MISDEAL)
    world.pause(300, 2000)
    world.until(lambda: Key.ACK in world.look().lit, "asked if that player has acted")
    with table.judge.asks(may=((Refuse, Reason.MISDEAL_TOO_LATE),)):
        world.press(Key.ACK)
    hand.acted = True
    return True


@at("held", "misdeal_late")
@at("asked", "misdeal_late")
@at("round", "misdeal_late")
def misdeal_late(table: Table) -> bool:
    """MISDEAL after action is refused and recorded."""
    if not table.hand.acted:
        return False
    with table.judge.asks((Refuse, Reason.MISDEAL_TOO_LATE)):
        table.world.press(Key.MISDEAL)
    table.world.check()
    return True


@at("card", "unseen")
def unseen(table: Table, card: Token, due: Zone) -> bool:
    """The card is not seen in time: laid better, or the dealer says that it lies there, or the director does (H10)."""
    world, hand = table.world, table.hand
    if world.by_hand:
        return False
    hides = table.chance(0.6)
    said = (Notice, Reason.CARD_UNSEEN)
    already = table.judge.by_time(Reason.CARD_UNSEEN)
    with table.judge.asks(may=(said,)) if already else table.judge.asks(said):
        if hides:
            world.lies[card] = due
        world.wait(world.setup.house.settling_ms + table.rng.uniform(50, 1500))
    world.until(lambda: world.look().prompt_code == "unseen", "asked where the card is")
    if not hides or table.chance(0.2):
        world.landed(card, due)
        return True
    within = hand.unseen < world.setup.house.unseen_per_hand
    if within:
        hand.unseen += 1
        world.landed(card, due, lay=False)
        world.press(Key.ACK)
        return True
    with table.judge.asks((Refuse, Reason.CARD_UNSEEN)):
        world.press(Key.ACK)
    world.landed(card, due, lay=False)
    world.rule(Ruling.STAND)
    return True


@at("asked", "unread")
def unread(table: Table) -> bool:
    """The tag at the exit is silent, and read after all."""
    world, machine, hand = table.world, table.world.machine, table.hand
    rising = type(machine.pending).__name__ == "Dispense" and machine.gate is None and hand.due
    if not rising or not machine.cards or machine.no_feed or machine.void:
        return False
    card = machine.cards[0]
    world.mute.add(card)
    said = ((Hold, Reason.CARD_UNREAD), (Notice, Reason.CARD_UNREAD))
    with table.judge.asks(may=said):
        world.wait(world.setup.house.settling_ms + table.rng.uniform(900, 4000))
    world.mute.discard(card)
    if machine.gate != card:
        return True
    with table.judge.ends(Reason.CARD_UNREAD):
        world.arrive(EXIT, card)
    world.check()
    return True


@at("asked", "unidentified")
def unidentified(table: Table) -> bool:
    """The tag at the exit stays silent: infeed and counter both proved 52, and ACK sends the card to its step (H10)."""
    world, machine, hand = table.world, table.world.machine, table.hand
    rising = type(machine.pending).__name__ == "Dispense" and machine.gate is None and hand.due
    if world.setup.house.dispense is Dispense.GROUP:  # one card alone is no group
        return False
    if not rising or not machine.cards or machine.no_feed or machine.void or table.suspect or world.deck != 1:
        return False
    card = machine.cards[0]
    world.mute.add(card)
    said = ((Hold, Reason.CARD_UNREAD), (Notice, Reason.CARD_UNREAD))
    with table.judge.asks(may=said):
        world.until(lambda: Key.ACK in world.look().lit, "asked about the silent card")
    if "no_feed" in table.names and table.chance(0.2):
        machine.not_taken = 1
    also = said if machine.not_taken else ()
    with table.judge.ends(Reason.CARD_UNREAD), table.judge.asks(may=((Notice, Reason.DECK_SUSPECT), *also)):
        world.press(Key.ACK)
        if machine.not_taken:  # let out, not taken, and as silent as before: the dealer is asked again
            world.until(lambda: not machine.not_taken and Key.ACK in world.look().lit, "asked again")
            world.press(Key.ACK)
        world.take()
        world.pause(200, 900)
        world.landed(card, hand.due[0], lay=False)
        world.wait(world.setup.house.settling_ms + 100)
        if Key.ACK in world.look().lit:
            world.press(Key.ACK)
    table.suspect = True
    world.check()
    return True


# Button, readers, machine, station.


@at("held", "button_moved")
@at("asked", "button_moved")
@at("round", "button_moved")
def button_moved(table: Table) -> bool:
    """The button lies steadily elsewhere: a hold, until it is back."""
    world, hand = table.world, table.hand
    others = [number for number in range(1, world.setup.house.max_seats + 1) if number != hand.button]
    with table.judge.first(Reason.BUTTON_MOVED):
        world.button(table.rng.choice(others))
        world.wait(world.setup.house.settling_ms + 50)
    world.pause(100, 3000)
    world.check()
    table.happens("held_by_button", 0.15)
    with table.judge.ends(Reason.BUTTON_MOVED):
        world.button(hand.button)
    return True


@at("held_by_button", "reader")
@at("held", "reader")
@at("asked", "reader")
@at("round", "reader")
def reader(evening: Evening) -> bool:
    """A reader cannot look: unknown is not empty; found again, play goes on."""
    world = evening.world
    zone = evening.reader_lost()
    world.pause(300, 8000)
    world.check()
    again = ((Notice, Reason.CARD_STRAYED), (Notice, Reason.BURN_IN_MUCK), (Notice, Reason.DEAD_CARD_BACK))
    with evening.judge.ends(Reason.DEVICE_LOST), evening.judge.asks(may=again):
        evening.reader_back(zone)
    return True


@at("asked", "restart")
@at("round", "restart")
def restart(evening: Evening) -> bool:
    """The station starts anew with a hand open: zones and counters agree, and the dealer looks."""
    world, hand = evening.world, evening.hand
    if gate_opens(evening):
        return False
    said = ((Hold, Reason.DEVICE_LOST), (Hold, Reason.BUTTON_MOVED))
    with evening.judge.first(Reason.RESTARTED, may=said):
        evening.start_station()
        world.button(hand.button)
    evening.acknowledge("agreed after a start", Reason.RESTARTED)
    world.check()
    return True


@at("held", "shuffler_lost")
@at("asked", "shuffler_lost")
@at("round", "shuffler_lost")
def shuffler_lost(evening: Evening) -> bool:
    """The shuffler is lost and found, and its state agrees; also where it gave the deck out (C4)."""
    world, machine = evening.world, evening.world.machine
    if world.by_hand and world.setup.house.dispense is not Dispense.HAND:
        return False
    evening.lose_shuffler(8000)
    machine.lost = False
    world.tell(ev.DeviceBack(world.now_ns, "shuffler"))
    machine.meet()
    evening.acknowledge("found again", Reason.DEVICE_LOST)
    world.check_holds()
    return True


@at("held", "power")
@at("asked", "power")
@at("round", "power")
def power(evening: Evening) -> bool:
    """The shuffler is without power for a while and its record agrees: it is proved all the same (S2)."""
    world, machine = evening.world, evening.world.machine
    if world.by_hand or gate_opens(evening):
        return False
    evening.lose_shuffler(8000)
    machine.lost, machine.unpowered = False, True
    world.tell(ev.DeviceBack(world.now_ns, "shuffler"))
    machine.meet()
    world.wait(50)
    if Reason.DEVICE_LOST not in {held.reason for held in world.look().holds}:
        raise evening.judge.finding("freed", "a machine that was without power is not proved")
    evening.acknowledge("proved after it was without power", Reason.DEVICE_LOST)
    world.check_holds()
    return True


@at("asked", "door")
@at("round", "door")
def door(evening: Evening) -> bool:
    """The door is opened and shut: what is inside is proved by a count of the stub, and the dealer's ACK (S2)."""
    world, machine = evening.world, evening.world.machine
    if world.by_hand or gate_opens(evening):
        return False
    with evening.judge.first(Reason.DOOR_OPEN):
        machine.open_door()
        world.pause(500, 5000)
        machine.close_door()
        world.wait(20)
    evening.acknowledge("proved after the door", Reason.DOOR_OPEN)
    world.check_holds()
    return True


@at("asked", "jam")
def jam(evening: Evening) -> bool:
    """The machine jams; a person looks and says where the cards are; mid-hand proof, ACK."""
    world, machine = evening.world, evening.world.machine
    if world.by_hand or gate_opens(evening):
        return False
    with evening.judge.first(Reason.JAM):
        machine.jam()
        world.pause(500, 5000)
    evening.acknowledge("proved after the jam", Reason.JAM)
    world.check_holds()
    return True
