"""The irregularities of the page, put into lawful hands: each is told by the reason that the page names first.

Nothing is let out meanwhile (the world judges every RELEASE), and each ends by a remedy of its row.
"""

from bench.lawful.between import Evening
from bench.lawful.happenings import gate_opens
from bench.lawful.mishaps import call_misdeal, lay_wrong
from bench.lawful.table import Over, Table, at
from dealerbox.model import events as ev
from dealerbox.model.cards import Token, joker, token
from dealerbox.model.commands import Count, Dispense, Hold, Notice, Shuffle
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import ASIDE, BOARD, BURN, EXIT, INFEED, MUCK, Zone, seat


def give_up(table: Table, *held: Reason) -> None:
    """MISDEAL before action, VOID_HAND after it (or before): the hand is over. Over."""
    if not table.hand.acted and table.chance(0.5):
        call_misdeal(table, *held)
    with table.judge.ends(*held):
        table.world.hand = None
        table.world.rule(Ruling.VOID_HAND)
    raise Over


@at("card", "left_misplaced")
def left_misplaced(table: Table, card: Token, due: Zone) -> bool:
    """The released card stays where it does not belong: a misdeal, or the hand is void."""
    give_up(table, lay_wrong(table, card, due))
    return True


@at("asked", "not_released")
@at("round", "not_released")
def not_released(table: Table) -> bool:
    """A card that was never let out lies on the table (C5): back through exit or infeed."""
    world, machine, hand = table.world, table.world.machine, table.hand
    nothing_left = (hand.last and not hand.due) or (len(hand.live) == 1 and not hand.due)
    turning = isinstance(machine.pending, Shuffle | Count)
    if world.by_hand or gate_opens(table) or nothing_left or not machine.cards or turning:
        return False
    if world.mute & set(hand.cards):  # an unidentified card is out: any that was never let out is taken for it (H10)
        return False
    card, machine.pulled = machine.cards.pop(), 1
    with table.judge.first(Reason.NOT_RELEASED):
        world.lay(table.rng.choice([BOARD, BURN, MUCK, ASIDE, *map(seat, hand.seats)]), card)
    world.pause(200, 3000)
    world.check_holds()
    table.happens("held", 0.15)
    world.lift(card)
    world.pause(200, 900)
    machine.cards.append(card)
    machine.pulled = 0
    back = table.rng.choice([EXIT, INFEED])
    with table.judge.ends(Reason.NOT_RELEASED):
        world.arrive(back, card)
    world.book.pop(card)
    world.leave(back, card)
    world.wait(700)
    world.check()
    return True


def stray(table: Table, reason: Reason, to: Zone, *cards: Token) -> bool:
    """Cards lie steadily where they do not belong when the next card is asked for (H11); then back."""
    world, hand = table.world, table.hand
    if world.look().prompt_code == "cut" or world.mute & set(cards):  # not asked for before the cut; or seen nowhere
        return False
    homes = {card: world.book[card] for card in cards}
    with table.judge.asks(may=((Notice, Reason.CARD_STRAYED), (Notice, reason))):
        world.move(to, *cards)
        world.wait(world.setup.house.settling_ms + table.rng.uniform(100, 3000))
    world.check_holds()
    hand.next()
    if world.by_hand:
        raise AssertionError("by hand nothing is asked for")
    with table.judge.first(reason):
        world.barred = f"{reason} stands to reason"
        next_is_asked_for(table, reason)
    world.barred = ""
    world.check()
    table.happens("held", 0.15)
    if reason is Reason.BURN_IN_MUCK and "find" in table.names:
        find(table, list(cards))
        return True
    with table.judge.ends(reason):
        for home in set(homes.values()):
            world.move(home, *[card for card in cards if homes[card] == home])
    world.check_holds()
    return True


def next_is_asked_for(table: Table, reason: Reason) -> None:
    """NEXT, and what lies wrong is held; a stub that was shuffled in mid-hand is cut before a card is asked for."""
    world = table.world
    world.press(Key.NEXT)
    world.until(lambda: reason in table.judge.held or world.look().prompt_code == "cut", f"held for {reason}")
    if reason not in table.judge.held:
        world.press(Key.CUT)
        world.until(lambda: reason in table.judge.held, f"held for {reason}")


def find(table: Table, burns: list[Token]) -> None:
    """FIND: the muck is shown card by card at the burn reader until the burns are found; there they stay (1812)."""
    world = table.world
    table.did("find")
    muck = [card for card, zone in world.lies.items() if zone == MUCK]
    world.lift(*muck)
    world.press(Key.FIND)
    world.showing = True
    for card in muck:
        if card in burns:
            continue
        world.arrive(BURN, card)
        world.pause(200, 500)
        world.leave(BURN, card)
    world.showing = False
    with table.judge.ends(Reason.BURN_IN_MUCK):
        world.lay(BURN, *burns)
    world.lay(MUCK, *[card for card in muck if card not in burns])
    world.check()


def cards_matter(table: Table) -> bool:
    """Tell whether H11 watches now: at least two live hands, dealt by the machine."""
    return len(table.hand.live) > 1 and not table.world.by_hand


@at("next", "burn_in_muck")
def burn_in_muck(table: Table) -> bool:
    """A burn lies in the muck while cards remain to be dealt (1812)."""
    burns = table.hand.of(BURN)
    return cards_matter(table) and bool(burns) and stray(table, Reason.BURN_IN_MUCK, MUCK, table.rng.choice(burns))


@at("next", "card_strayed")
def card_strayed(table: Table) -> bool:
    """A card of a live hand, the board or the burns lies steadily elsewhere."""
    hand = table.hand
    if not cards_matter(table):
        return False
    home = table.rng.choice([*map(seat, hand.live), *([BOARD, BURN] if hand.street else [])])
    away = [zone for zone in [BOARD, BURN, ASIDE, *map(seat, hand.seats)] if zone != home]
    away += [MUCK] if home == BOARD else []
    return stray(table, Reason.CARD_STRAYED, table.rng.choice(away), table.rng.choice(hand.of(home)))


@at("next", "dead_card_back")
def dead_card_back(table: Table) -> bool:
    """A mucked card is steadily in play again (1815(3))."""
    world, hand = table.world, table.hand
    mucked = [c for n in hand.seats if n not in hand.live for c in hand.hole(n) if world.book[c] == MUCK]
    if not cards_matter(table) or not mucked:
        return False
    zone = table.rng.choice([BOARD, *map(seat, hand.seats)])
    return stray(table, Reason.DEAD_CARD_BACK, zone, table.rng.choice(mucked))


def strangers(table: Table) -> list[tuple[Token, Reason]]:
    """Return one tag of each kind that is no card of the deck in play."""
    world, rng = table.world, table.rng
    return [
        (Token(rng.randint(1, 900)), Reason.FOREIGN_CARD),
        (joker(world.deck, rng.randint(1, 2)), Reason.JOKER_PRESENT),
        (token(3 - world.deck, rng.randint(1, 52)), Reason.OTHER_DECK),
    ]


@at("asked", "brought")
@at("round", "brought")
def brought(evening: Evening) -> bool:
    """A card is brought to the table (1824): taken away, mid-hand proof, and the director."""
    world, hand = evening.world, evening.hand
    nothing_left = (hand.last and not hand.due) or (len(hand.live) == 1 and not hand.due)
    if world.by_hand or gate_opens(evening) or nothing_left:
        return False
    card, reason = evening.rng.choice(strangers(evening))
    zone = evening.rng.choice([BOARD, BURN, MUCK, ASIDE, INFEED, *map(seat, hand.seats)])
    with evening.judge.first(reason):
        world.arrive(zone, card)
        world.wait(world.setup.house.scan_ms + 50)
    world.pause(200, 3000)
    evening.happens("held", 0.15)
    world.leave(zone, card)
    world.until(lambda: Key.ACK in world.look().lit and world.machine.pending is None, "asked for the proof")
    world.check_holds()
    world.press(Key.ACK)
    world.pause(300, 2000)
    with evening.judge.ends(reason):
        world.rule(Ruling.STAND)
    world.check_holds()
    return True


@at("asked", "in_the_deck")
def in_the_deck(evening: Evening) -> bool:
    """A card that is none of the deck comes up at the exit: defective deck, hand void, the other deck (1819)."""
    world, machine = evening.world, evening.world.machine
    rising = isinstance(machine.pending, Dispense) and machine.gate is None
    if not rising or machine.void or machine.no_feed or gate_opens(evening):
        return False
    if world.by_hand or world.deck != 1 or evening.suspect:
        return False
    card, reason = evening.rng.choice(strangers(evening))
    machine.cards.insert(0, card)
    named = ((Notice, reason), (Hold, reason), (Notice, Reason.DEFECTIVE_DECK))
    with evening.judge.first(Reason.DEFECTIVE_DECK, may=named):
        world.until(lambda: machine.gate == card, "bring up a card")
        world.wait(2000)
    defective(evening)
    return True


def defective(evening: Evening) -> None:
    """The hand is void, the deck out, the other one verified; the same button deals again. Over."""
    world = evening.world
    world.until(lambda: Key.ACK in world.look().lit, "asked to void the hand")
    world.check_holds()
    evening.suspect, world.hand = True, None
    pots = ((Notice, Reason.POT_RETURNED), (Notice, Reason.POT_FORFEITED), (Notice, Reason.POT_STANDS))
    with evening.judge.ends(*evening.judge.held), evening.judge.asks(*pots):
        world.press(Key.ACK)
    evening.judge.held = {held.reason for held in world.look().holds}  # of the deck: they outlive the hand (C14)
    raise Over


@at("asked", "stolen")
@at("round", "stolen")
def stolen(evening: Evening) -> bool:
    """The door is opened and a card taken out: two counts alike are short: a card is missing."""
    world, machine = evening.world, evening.world.machine
    if world.by_hand or gate_opens(evening) or world.deck != 1 or evening.suspect or len(machine.cards) < 2:
        return False
    with evening.judge.first(Reason.DOOR_OPEN):
        machine.open_door()
        world.pause(500, 3000)
        machine.cards.pop()
        machine.close_door()
        world.wait(20)
    with evening.judge.first(Reason.CARD_MISSING):
        world.until(lambda: Key.ACK in world.look().lit and machine.pending is None, "asked to look")
        world.press(Key.ACK)
        world.until(lambda: Reason.CARD_MISSING in evening.judge.held, "missed the card")
    defective(evening)
    return True


@at("asked", "two_places")
def two_places(table: Table) -> bool:
    """A dealt card is read at its place and at the exit: a recount until one of them loses it (S5)."""
    world, hand = table.world, table.hand
    if world.by_hand or gate_opens(table) or len(hand.due) < 2 or world.group() > 1:
        return False
    card = world.take()
    world.ghosts.add((EXIT, card))
    world.pause(200, 900)
    world.landed(card, hand.due[0])
    world.barred = "a card is read at two places"
    with table.judge.first(Reason.RECOUNT):
        world.wait(8000)
    world.barred = ""
    world.ghosts.clear()
    with table.judge.ends(Reason.RECOUNT):
        world.leave(EXIT, card)
    world.check()
    return True


@at("next", "bleeding")
def bleeding(table: Table) -> bool:
    """Two zones keep a card for good: proof, and the dealer says that it lies where it belongs (S5)."""
    world, hand = table.world, table.hand
    if not cards_matter(table) or world.look().prompt_code == "cut":
        return False
    home = table.rng.choice([*map(seat, hand.live)])
    other = table.rng.choice([zone for zone in map(seat, hand.seats) if zone != home])
    card = table.rng.choice(hand.of(home))
    said = any(card == other for _, other in world.ghosts)
    if said or (home, card) not in world.read:
        return False
    with table.judge.asks(may=((Notice, Reason.CARD_STRAYED),)):
        world.ghosts.add((other, card))
        world.arrive(other, card)
        world.wait(world.setup.house.settling_ms + table.rng.uniform(100, 3000))
    hand.next()
    with table.judge.first(Reason.RECOUNT):
        world.barred = "a card is read at two places"
        next_is_asked_for(table, Reason.RECOUNT)
    world.barred = ""
    table.acknowledge("proved, and said where it lies", Reason.RECOUNT)
    world.book[card] = home
    world.wait(700)
    world.check()
    return True


@at("next", "fed_in")
def fed_in(table: Table) -> bool:
    """A card that was dealt goes into the machine, and no procedure asked for it: proved, shuffled, cut, owed again."""
    world, machine, hand = table.world, table.world.machine, table.hand
    turning = machine.pending is not None
    if not cards_matter(table) or world.look().prompt_code == "cut" or turning or hand.waiting or hand.again:
        return False
    mucked = [seat(number) for number in hand.seats if number not in hand.live]
    home = table.rng.choice([*map(seat, hand.live), *mucked, *([BOARD, BURN] if hand.street else [])])
    card = table.rng.choice(hand.of(home))
    dead = home in mucked and world.book[card] == MUCK
    if (home in mucked and not dead) or (home in map(seat, hand.live) and len(hand.live) < 3):
        return False
    if card in world.mute:  # no reader tells of it
        return False
    world.lift(card)
    world.pause(700, 1500)
    with table.judge.asks(may=((Notice, Reason.CARD_STRAYED),)):
        world.arrive(INFEED, card)
        world.leave(INFEED, card)
    machine.cards.append(card)
    hand.next()
    with table.judge.first(Reason.CARD_STRAYED):
        world.barred = "a card of the hand is in the machine"
        next_is_asked_for(table, Reason.CARD_STRAYED)
    world.check_holds()
    if home in map(seat, hand.live):  # NEXT says that a player has acted
        number = next(number for number in hand.live if seat(number) == home)
        hand.live.remove(number)
        with table.judge.ends(Reason.CARD_STRAYED):
            world.rule(Ruling.HAND_DEAD, seat=number)
    else:
        table.acknowledge("said to be in the machine", Reason.CARD_STRAYED)
    world.book.pop(card)
    world.until(lambda: world.look().prompt_code == "proof", "proved")
    world.press(Key.ACK)
    hand.back([card])
    hand.path = "fed in"
    if home in (BOARD, BURN):
        hand.due.insert(0, home)
    world.until(lambda: world.look().prompt_code == "cut", "asked for the cut")
    world.barred = ""
    world.press(Key.CUT)
    world.check()
    return True


@at("asked", "double_feed")
def double_feed(table: Table) -> bool:
    """Two cards for one dispense: told by the machine, or by two tags at the exit."""
    world, machine = table.world, table.world.machine
    rising = type(machine.pending).__name__ == "Dispense" and machine.gate is None
    if world.by_hand or not rising or gate_opens(table) or len(machine.cards) < 2 or machine.no_feed or machine.void:
        return False
    second = machine.second = machine.cards.pop(1)
    with table.judge.first(Reason.DOUBLE_FEED):
        world.until(lambda: machine.gate is not None, "bring up a card")
        world.arrive(EXIT, second)
        world.wait(2000)
    world.check_holds()
    give_up(table, Reason.DOUBLE_FEED)
    return True


@at("asked", "unaccounted")
@at("round", "unaccounted")
def unaccounted(evening: Evening) -> bool:
    """The machine's counter is ahead of the journal: a person says where the cards are, proof, ACK."""
    world, machine = evening.world, evening.world.machine
    if world.by_hand or gate_opens(evening):
        return False
    evening.lose_shuffler(3000)
    world.wait(50)
    machine.last_id += 40
    machine.lost, machine.why = False, "id"
    with evening.judge.first(Reason.UNACCOUNTED_DISPENSE):
        world.tell(ev.DeviceBack(world.now_ns, "shuffler"))
        machine.meet()
        world.wait(200)
    evening.acknowledge("proved", Reason.UNACCOUNTED_DISPENSE, Reason.DEVICE_LOST)
    world.check_holds()
    return True


@at("round", "award_early")
def award_early(table: Table) -> bool:
    """AWARD with two live hands and cards to come is taken, and noted; taken back, it was a mistake."""
    world, hand = table.world, table.hand
    if hand.last or len(hand.live) < 2 or hand.due or gate_opens(table):
        return False
    world.hand = None
    with table.judge.asks((Notice, Reason.AWARD_EARLY)):
        world.press(Key.AWARD)
    world.pause(10, 800)
    world.hand = hand
    world.press(Key.UNDO)
    world.check()
    return True
