"""What may happen in a hand without anybody doing wrong: each asks for nothing, or for a word."""

from bench.lawful.machine import MS
from bench.lawful.table import Table, at
from dealerbox.model.cards import Token
from dealerbox.model.commands import Notice, Refuse
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import ASIDE, BOARD, BURN, EXIT, MUCK, seat

# Keys taken back (UNDO).


@at("begun", "undo_start")
def undo_start(table: Table) -> bool:
    """START is taken back before the first card leaves, and given again."""
    world, hand = table.world, table.hand
    world.pause(5, 150)
    if world.by_hand or gate_opens(table) or world.now_ns - world.counted_ns > 23 * 60_000 * MS:
        return False
    world.hand = None
    world.press(Key.UNDO)
    world.until(lambda: Key.START in world.look().lit and world.machine.pending is None, "ready for START again")
    world.pause(100, 1000)
    world.hand = hand
    world.press(Key.START)
    return True


def gate_opens(table: Table) -> bool:
    """Tell whether a release was given, or a card is out and not yet seen where it belongs."""
    world = table.world
    return world.machine.releasing or world.travelling is not None or bool(world.machine.passed)


@at("round", "undo_action")
def undo_action(table: Table) -> bool:
    """ACTION is pressed too early and taken back."""
    world, hand = table.world, table.hand
    if hand.acted:
        return False
    world.press(Key.ACTION)
    world.pause(100, 2000)
    world.press(Key.UNDO)
    world.check()
    return True


@at("next", "undo_next")
def undo_next(table: Table) -> bool:
    """NEXT is pressed too early and taken back before the next card leaves; then it is time."""
    world, hand = table.world, table.hand
    acted, on_street = hand.acted, hand.acted_on_street
    hand.next()
    world.press(Key.NEXT)
    world.pause(5, 200)
    if gate_opens(table):
        return True
    hand.street, hand.due, hand.acted, hand.acted_on_street = hand.street - 1, [], acted, on_street
    world.press(Key.UNDO)
    world.check()
    world.pause(500, 4000)
    world.check()
    hand.next()
    world.press(Key.NEXT)
    return True


@at("landed", "next_twice")
@at("round", "next_twice")
def next_twice(table: Table, *_about: object) -> bool:
    """NEXT while cards of the street are still due is ignored with a notice."""
    if not table.hand.due:
        return False
    told = ((Notice, Reason.NOT_NOW), (Refuse, Reason.NOT_NOW))
    with table.judge.asks(may=told):
        table.world.press(Key.NEXT)
    table.world.check()
    return True


@at("asked", "undo_misdeal")
@at("round", "undo_misdeal")
def undo_misdeal(table: Table) -> bool:
    """MISDEAL is pressed by mistake and taken back before a card moves."""
    world, hand = table.world, table.hand
    if hand.acted or gate_opens(table) or len(hand.live) < len(hand.seats):
        return False
    world.hand = None
    with table.judge.asks(may=((Notice, Reason.MISDEAL),)):
        world.press(Key.MISDEAL)
    world.pause(5, 700)
    world.hand = hand
    world.press(Key.UNDO)
    world.check()
    world.wait(20)
    return True


# Folds (H6, H11).


@at("round", "half_muck")
def half_muck(table: Table) -> bool:
    """One card of two goes to the muck: ACK (dead), or RETRIEVE (it lives)."""
    world, hand = table.world, table.hand
    if len(hand.live) < 3 or (hand.last and not hand.due):
        return False
    number = table.rng.choice(hand.live)
    card, other = table.rng.sample(hand.hole(number), 2)
    if card in world.mute:  # nobody sees it there: it is the other one that is asked about
        card, other = other, card
    world.move(MUCK, card)
    asked_about_it(table)
    world.pause(300, 3000)
    asked_about_it(table)
    if table.chance(0.5):
        world.press(Key.ACK)
        hand.live.remove(number)
        world.check()
        if table.chance(0.5):
            world.move(MUCK, other)
    else:
        world.press(Key.RETRIEVE, number)
        world.move(seat(number), card)
    world.check()
    return True


def asked_about_it(table: Table) -> None:
    """The panel asks; a stub that was shuffled meanwhile is cut first: one question at a time."""
    world = table.world
    asked = "asked about one card of two in the muck"
    world.until(lambda: {Key.ACK, Key.CUT} & set(world.look().lit), asked)
    if Key.CUT in world.look().lit:
        world.pause(300, 1500)
        world.press(Key.CUT)
        world.until(lambda: Key.ACK in world.look().lit, asked)


@at("round", "retrieve")
@at("award", "retrieve")
def retrieve(table: Table) -> bool:
    """A mucked hand lives again, by the dealer (1813) or the director (1810)."""
    world, hand = table.world, table.hand
    dead = [n for n in hand.seats if n not in hand.live and all(world.book.get(c) == MUCK for c in hand.hole(n))]
    if not dead:
        return False
    number = table.rng.choice(dead)
    hand.live = [n for n in hand.order if n in hand.live or n == number]
    if table.chance(0.5):
        world.press(Key.RETRIEVE, number)
    else:
        world.rule(Ruling.RETRIEVE, seat=number)
    world.check()
    world.pause(100, 900)
    silent = world.mute & set(hand.hole(number))
    if "find" in table.names and table.chance(0.5) and not gate_opens(table) and not silent:
        looked_for(table, number)
    world.move(seat(number), *hand.hole(number))
    world.check()
    return True


def looked_for(table: Table, number: int) -> None:
    """FIND: the muck is shown card by card until both cards of the hand are found (1810)."""
    world, hand = table.world, table.hand
    table.did("find")
    muck = [card for card, zone in world.lies.items() if zone == MUCK]
    table.rng.shuffle(muck)
    wanted = set(hand.hole(number))
    world.lift(*muck)
    world.wait(650)
    world.press(Key.FIND)
    for card in muck:
        if card in world.mute:  # no reader finds it: shown, it is answered nothing, and lies where it was last seen
            continue
        world.showing = True
        world.arrive(BURN, card)
        world.showing = False
        said = world.look().prompt_code
        if said != ("find_yes" if card in wanted else "find_no") and wanted - {card}:
            raise table.judge.finding("count", f"shown a card, wanted {card in wanted}: {said}")
        wanted.discard(card)
        world.book[card] = MUCK if wanted else BURN
        world.pause(200, 500)
        world.leave(BURN, card)
        if not wanted:
            break
    world.check()
    world.lay(MUCK, *[card for card in muck if card not in hand.hole(number)])


@at("asked", "pulled")
@at("round", "pulled")
def pulled(table: Table) -> bool:
    """A pile crosses another zone for a moment: a notice, and nothing when it lies in its own zone again (H11)."""
    world, hand = table.world, table.hand
    homes = [BOARD, BURN, *(seat(number) for number in hand.live)]
    home = table.rng.choice(homes)
    cards = [card for card in hand.of(home) if world.lies.get(card) == home]
    if not cards:
        return False
    others = [zone for zone in [BOARD, BURN, ASIDE, *map(seat, hand.seats)] if zone != home]
    with table.strays():
        world.move(table.rng.choice(others), *cards)
    world.pause(50, 700)
    world.move(home, *cards)
    world.check()
    return True


@at("round", "unread_later")
def unread_later(table: Table) -> bool:
    """A pile hides a card, or a chip covers its tag: it is read no more, and has not moved."""
    world, hand = table.world, table.hand
    cards = [card for card in hand.cards if (world.book[card], card) in world.read]
    if not cards:
        return False
    card = table.rng.choice(cards)
    world.leave(world.book[card], card)
    world.check()
    return True


# Readers, button, machine: what they do in the way of business.


@at("held", "button_moved")
@at("asked", "button_moved")
@at("round", "button_moved")
def button_nudged(table: Table) -> bool:
    """The button is lifted or lies elsewhere for less than the settling time: nothing."""
    world, hand = table.world, table.hand
    others = [number for number in range(1, world.setup.house.max_seats + 1) if number != hand.button]
    world.button(*([] if table.chance(0.5) else [table.rng.choice(others)]))
    world.pause(100, world.setup.house.settling_ms - 100)
    world.button(hand.button)
    world.wait(world.setup.house.settling_ms + 100)
    world.check()
    return True


@at("held", "flicker")
@at("asked", "flicker")
@at("round", "flicker")
def flicker(table: Table) -> bool:
    """A tag that nobody knows is read in one scan and in none after it: it must be read twice (S5)."""
    world = table.world
    zone = table.rng.choice([BOARD, MUCK, EXIT, *map(seat, table.hand.seats)])
    stranger = Token(table.rng.randint(1, 900))
    world.arrive(zone, stranger)
    world.pause(20, world.setup.house.scan_ms - 20)
    world.leave(zone, stranger)
    world.wait(500)
    world.check()
    return True


@at("asked", "no_feed")
def no_feed(table: Table) -> bool:
    """The machine feeds none, the dealer takes none, or a command is fenced off: nothing moved, it is given again."""
    machine = table.world.machine
    match table.rng.randint(1, 3):
        case 1:
            machine.no_feed = 1
        case 2:
            machine.not_taken = 1
        case _:
            machine.void = 1
    table.did("no_feed")
    return False


@at("asked", "suspect")
@at("round", "suspect")
def suspect(table: Table) -> bool:
    """The dealer finds this deck doubtful: after the hand it goes out, and there is one deck left (S4, C17)."""
    if table.suspect or table.world.by_hand or table.world.deck != 1 or not table.chance(0.1):
        return False
    with table.judge.asks((Notice, Reason.DECK_SUSPECT)):
        table.world.press(Key.SUSPECT)
    table.suspect = True
    return True
