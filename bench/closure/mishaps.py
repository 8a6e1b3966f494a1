"""What goes wrong at a table: each kind of fault, and every way in which it can happen now."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Final

from msgspec.structs import replace

from bench.closure import by_hand, machine
from bench.closure.acts import BADGE, OPEN, WALL_S, Facts, landed, lay, press, rule, starts
from bench.closure.hands import Hand
from bench.closure.world import HAND, MACHINE, Move, World, moved, stub, zone_of
from dealerbox.model import events as ev
from dealerbox.model.cards import Token, joker, token
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.view import View
from dealerbox.model.zones import ASIDE, BOARD, BURN, EXIT, INFEED, MUCK, Zone, seat, seat_number

Mishap = Callable[[World, View, Facts], Iterator[Move]]
TABLE: Final = (BOARD, BURN, MUCK, ASIDE)
FOREIGN: Final = Token(17)
SIX_HOURS_NS: Final = 6 * 3600 * 1_000_000_000


def _zones(view: View) -> list[Zone]:
    return [*TABLE, *_of_seats(view)]


def _of_seats(view: View) -> list[Zone]:
    """Return the zone of every seat: with the seats turned to the button one would not stand for the others."""
    return [seat(number) for number in view.seats]


def _flight(world: World) -> Hand | None:
    hand = world.open_hand
    return hand if hand and hand.flying and hand.followed and zone_of(world.cards[hand.flying]) == EXIT else None


def _followed(world: World) -> Hand | None:
    hand = world.open_hand
    return hand if hand and hand.followed and not hand.flying and hand.due else None


def misplaced(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """The card on its way is laid where it does not go, or the next one out of the dealer's hand is."""
    if by_hand.asks(world, view) and (hand := _followed(world)):
        for zone in _zones(view):
            if zone != hand.due:
                yield by_hand.dealt_to(world, hand, zone, fault="misplaced")
    hand = _flight(world)
    if hand is not None:
        for zone in _zones(view):
            if zone != hand.due:
                yield lay(world, hand, zone, fault="misplaced")
            if zone != hand.due and hand.along:
                after, told = moved(world, [*hand.along, hand.flying], zone)
                yield Move(f"the group to {zone}", after, tuple(told), "misplaced")


def unseen(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """The card on its way is laid and not read, where it goes or elsewhere."""
    if by_hand.asks(world, view) and (hand := _followed(world)):
        for zone in (hand.due, BOARD if hand.due != BOARD else BURN):
            yield by_hand.dealt_to(world, hand, zone, True, "unseen", f"by hand to {zone}, unread")
    hand = _flight(world)
    if hand is not None:
        yield lay(world, hand, hand.due, True, "unseen", f"card to {hand.due}, unread")
        yield lay(world, hand, BOARD if hand.due != BOARD else BURN, True, "unseen", "card elsewhere, unread")


def strayed(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """A card that was dealt is moved; of the cards that lie in one place for one zone the first stands for all."""
    hand = world.open_hand
    if hand is None:
        return
    done: set[tuple[Zone, Zone]] = set()
    for card, home in hand.homes.items():
        place = world.cards.get(card, MACHINE)
        if (home, place) in done or place == MACHINE:
            continue
        done.add((home, place))
        for zone in _zones(view):
            if zone not in (place, home) and not (zone == MUCK and seat_number(home)):
                after, told = moved(world, [card], zone)
                yield Move(f"a card of {home} to {zone}", after, tuple(told), "strayed")


def mucked(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """One card of two goes into the muck, or one of a mucked hand comes back."""
    hand = world.open_hand
    if hand is None:
        return
    done: set[Zone] = set()
    for card, home in hand.homes.items():
        if seat_number(home) and home not in done:
            done.add(home)
            to = home if world.cards.get(card) == MUCK else MUCK
            after, told = moved(world, [card], to)
            yield Move(f"one card of {home} to {to}", after, tuple(told), "mucked")


def fed_in(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """A card that was dealt goes into the machine, unasked."""
    hand = world.open_hand
    if hand is None:
        return
    done: set[Zone] = set()
    for card, home in hand.homes.items():
        if home not in done and card in world.cards:
            done.add(home)
            after, into = moved(world, [card], INFEED)
            after, away = moved(after, [card], MACHINE)
            into.reverse()  # a reader tells what comes sooner than another what it misses
            yield Move(f"a card of {home} is fed in", after, (*into, *away), "fed_in")


def slipped(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """A card of the stub lies somewhere and was never let out."""
    if view.phase in OPEN:
        for zone in (BOARD, *_of_seats(view), BURN):
            after, told = moved(world, stub(world), zone)
            yield Move(f"a card of the stub to {zone}", after, tuple(told), "slipped")


def lingering(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """A card at its seat is still read at the exit: told at its zone, not gone from the other."""
    hand = _flight(world)
    if hand is not None:
        landing = landed(hand, hand.flying, hand.due)  # as far as anybody can know
        after = replace(world, open_hand=landing, bleeding={hand.flying: hand.due})
        yield Move(f"also read at {hand.due}", after, (ev.CardsSeen(0, hand.due, (hand.flying,)),), "lingering")


def _brought(world: World, view: View, card: Token, kind: str) -> Iterator[Move]:
    if card in world.cards:
        return
    for zone in (BOARD, *_of_seats(view), INFEED):
        after, told = moved(world, [card], zone)
        yield Move(f"{kind} on {zone}", after, tuple(told), kind)
    if view.phase in OPEN:
        hidden = replace(world, cards={**world.cards, card: MACHINE})
        yield Move(f"{kind} in the deck", hidden, (), kind)


def foreign(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """A tag of no deck of this table."""
    yield from _brought(world, view, FOREIGN, "foreign")


def jokers(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """A joker."""
    yield from _brought(world, view, joker(world.deck, 1), "joker")


def other_deck(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """A card of the other deck."""
    other = next(info.slot for info in facts.setup.decks if info.slot != world.deck)
    yield from _brought(world, view, token(other, 1), "other_deck")


def _machine(*kinds: str) -> Mishap:
    def happens(world: World, view: View, facts: Facts) -> Iterator[Move]:
        yield from (move for move in machine.mishaps(world) if move.fault in kinds)

    return happens


def missing(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """A card of the stub is lost."""
    if view.phase in OPEN:
        after, _ = moved(world, stub(world), HAND)
        yield Move("a card of the stub is lost", after, (), "missing")


def deaf(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """A reader cannot look."""
    for zone in (EXIT, BOARD, *_of_seats(view)):
        if zone not in world.deaf and world.looked:
            after = replace(world, deaf=world.deaf | {zone})
            yield Move(f"the reader of {zone} is deaf", after, (ev.ZoneUnknown(0, zone, "deaf"),), "deaf")


def restarted(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """The station dies and starts again: the same boot, or another."""
    for boot in ("1", "2"):
        yield starts(world, facts.setup, facts, f"the station starts anew, boot {boot}", boot, "restarted")


def button(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """The button is taken away, is at another seat, or there are two."""
    for seats in ((), *((number,) for number in view.seats), *combinations(view.seats, 2)):
        if seats != world.button:
            after = replace(world, button=seats, restless=world.restless | {Token(0)})
            yield Move(f"buttons at {seats}", after, (ev.ButtonAt(0, seats),), "button")


def keys(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """Any key, at any time."""
    for key in Key:
        if key is Key.MANUAL and not facts.manual:
            continue
        yield press(world, key, fault="keys")
        if key in (Key.RETRIEVE, Key.EXPOSED, Key.OFF_TABLE):
            yield from (press(world, key, number, fault="keys") for number in view.seats)


def manual(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """The machine is dead, or taken for dead: the way on by hand (C15)."""
    yield press(world, Key.MANUAL, fault="manual")
    if not world.lost:
        lost = replace(world, lost=True, greeting=True)
        yield Move("the machine is lost", lost, (ev.DeviceLost(0, "shuffler", "cable"),), "manual")


def ahead(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """The machine has given a card that nobody ordered, and says so when it is met (1804A(3))."""
    if not world.lost and not world.why and not world.queue:
        given = replace(world, why="ahead", greeting=True, last_id=world.last_id + 1, deal_id=0, token_id=0)
        yield Move("the machine gives a card unasked", given, (), "ahead")


def rulings(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """Any ruling, at any time."""
    for ruling in Ruling:
        if ruling not in (Ruling.SEATS, Ruling.CLOSE):
            yield rule(world, ruling, fault="rulings")
        if ruling in (Ruling.HAND_DEAD, Ruling.RETRIEVE, Ruling.SET_BUTTON):
            yield from (rule(world, ruling, number, fault="rulings") for number in view.seats)


def notes(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """The journal fails, the machine has a hold that nobody knows of, a key is stuck."""
    yield Move("the journal fails", world, (ev.JournalFailed(0, "disk"),), "notes")
    held = replace(world, held=True)
    yield Move("an unknown hold is found", held, (ev.HoldFound(0, 1, 99, 1),), "notes")
    for number in view.seats:
        asked = ev.HandAsked(0, number, "director")
        yield Move(f"the director asks for the fouled hand of seat {number}", world, (asked,), "notes")
    yield Move("a key is stuck", world, (ev.KeyStuck(0, Key.ACK),), "notes")
    for space in (ev.Space.LOW, ev.Space.LAST_HAND, ev.Space.FULL):
        yield Move(f"the journal: {space.value}", world, (ev.SpaceLeft(0, space, 9),), "notes")
    yield Move("it is freed", world, (ev.KeyFreed(0, Key.ACK),), "notes")


def service(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """A technician asks for the table, or gives back what he has not."""
    yield Move("a technician takes the table", world, (ev.ServiceBegan(0, "technician"),), "service")
    yield Move("a technician gives the table back", world, (ev.ServiceEnded(0, "technician"),), "service")
    yield Move("a technician asks for a device", world, (ev.DeviceLent(0, "shuffler", "technician"),), "service")


def lifted(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """A player takes both cards up."""
    hand = world.open_hand
    if hand is None:
        return
    for number in view.seats:
        cards = [card for card, home in hand.homes.items() if home == seat(number) == world.cards.get(card)]
        if cards:
            after, told = moved(world, cards, HAND)
            yield Move(f"seat {number} looks at the cards", after, tuple(told), "lifted")


def late(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """Time passes until a count or a change of the deck is due, or overdue (1804B(8))."""
    house = facts.setup.house
    for name, every_min in (("count", house.count_every_min), ("deck change", house.deck_change_every_min)):
        over_min = every_min - house.last_hand_margin_min + 1
        for word, minutes in (("due", over_min - 5), ("overdue", over_min)):
            yield Move(f"a {name} is {word}", world, (), "late", minutes * 60_000_000_000)


def hours(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """START in a pause, with one player left, at a closed table, before 13:30, or when the six hours are over (T3)."""
    if view.phase != "between":
        return
    start = ev.KeyPressed(0, Key.START, 0, BADGE)
    pause = ev.Ruled(0, ruling=Ruling.PAUSE, by="director", reason="so")
    yield Move("START in a pause", world, (pause, start), "hours")
    for number in view.seats if len(view.seats) > 1 else ():
        left = ev.Ruled(0, ruling=Ruling.SEATS, by="director", reason="so", seats=(number,))
        yield Move(f"START with seat {number} left", world, (left, start), "hours")
    noon = ev.WallClock(0, WALL_S + facts.now_s, 12 * 3600, True)
    close = ev.Ruled(0, ruling=Ruling.CLOSE, by="director", reason="so")
    yield Move("START when the table is closed", world, (close, start), "hours")
    yield Move("START at noon", world, (noon, start), "hours")
    yield Move("the six hours are over", world, (), "hours", SIX_HOURS_NS)


KINDS: Final[dict[str, Mishap]] = {
    "misplaced": misplaced,
    "unseen": unseen,
    "strayed": strayed,
    "mucked": mucked,
    "fed_in": fed_in,
    "slipped": slipped,
    "lingering": lingering,
    "foreign": foreign,
    "joker": jokers,
    "other_deck": other_deck,
    "missing": missing,
    "silent": _machine("silent"),
    "double": _machine("double"),
    "void": _machine("void"),
    "jam": _machine("jam"),
    "door": _machine("door"),
    "lost": _machine("lost"),
    "count": _machine("count"),
    "deaf": deaf,
    "restarted": restarted,
    "button": button,
    "keys": keys,
    "rulings": rulings,
    "notes": notes,
    "service": service,
    "lifted": lifted,
    "late": late,
    "hours": hours,
    "manual": manual,
    "ahead": ahead,
}
"""Every kind of fault."""
