"""The world's side of a table: where each card is, what the machine holds, what people mean by the hand.

It knows the law page alone (the plan of a hand, where a card belongs) and imports `dealerbox.model`. A `Move` is
something that can happen next: what becomes of the world, and what the station is told.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from bench.closure.hands import NO_CARD, NOWHERE, Hand
from dealerbox.model import commands as cmd
from dealerbox.model import events as ev
from dealerbox.model.cards import DECK_SIZE, Token, is_card_of, token
from dealerbox.model.setup import Dispense
from dealerbox.model.zones import ASIDE, EXIT, MUCK, Zone, is_zone, seat_number

GATE: Final = Zone("gate")
OUTLET: Final = Zone("outlet")
HAND: Final = Zone("hand")
"""In somebody's hand, or in the air: no reader."""
MACHINE: Final = Zone("machine")
"""Said only of what does not belong in there; a card of the deck without a place is in the machine."""
BOX: Final = Zone("box")
"""Not on the table."""
TWIN: Final = Token(18)
"""A second card with the tag of the deck's first: no reader tells them apart."""


class World(msgspec.Struct, frozen=True):
    """Everything outside the station."""

    cards: dict[Token, Zone] = {}
    """Where each card is that is not in the machine, and each tag that is none of the deck's cards."""
    silent: frozenset[Token] = frozenset()
    """Tags that are not read where they lie."""
    bleeding: dict[Token, Zone] = {}
    """Cards that another zone's reader reads as well, until they are moved."""
    dispense: Dispense = Dispense.SINGLE
    """How the house has cards dealt (1804A(3), 1809)."""
    deck: int = 1
    """Slot of the deck on the table."""
    button: tuple[int, ...] = ()
    deaf: frozenset[Zone] = frozenset()
    """Zones whose reader cannot look."""
    looked: bool = False
    """The readers have told what they read since the station started."""

    # the machine
    queue: tuple[cmd.Permit, ...] = ()
    """Commands given and not answered."""
    held: bool = False
    earlier: bool = False
    """Its hold is of a run before this one, and nobody has asked about it since."""
    why: str = ""
    """Why it cannot be used before a person says or it counts what it holds; '': it can."""
    lost: bool = False
    greeting: bool = True
    """It has yet to be met in this run."""
    believed: int = 0
    """How many cards it thinks it holds, the one behind the gate not counted."""
    exit_id: int = 0
    token_id: int = 0
    deal_id: int = 0
    last_id: int = 0

    # people
    open_hand: Hand | None = None
    before: Hand | None = None
    """The hand before the last key that UNDO takes back."""
    restless: frozenset[Token] = frozenset()
    """Cards moved to where they do not belong, not longer ago than the settling time; 0: the button."""
    fresh: Token = NO_CARD
    """The card laid by hand within this scan: those of one scan are judged as a set (P1)."""
    owes_count: bool = False
    """The stub was proved in mid-hand: the full count comes before the next hand (S2)."""
    by_hand: bool = False
    """MANUAL was pressed: no card comes from the machine."""


class Move(msgspec.Struct, frozen=True):
    """What can happen next. `fault`: the kind of mishap it is; '': none."""

    label: str
    world: World
    events: tuple[ev.Event, ...]
    fault: str = ""
    wait_ns: int = 0
    """Time that passes first."""


def zone_of(place: Zone) -> Zone:
    """Return the zone whose reader reads a place; '' for none."""
    if place in (GATE, OUTLET):
        return EXIT
    return place if is_zone(place) else NOWHERE


def is_read(world: World, card: Token, place: Zone) -> bool:
    """Tell whether a reader reads a card there."""
    zone = zone_of(place)
    return bool(zone) and zone not in world.deaf and card not in world.silent and world.looked


def ours(world: World, card: Token) -> bool:
    """Tell whether a token is one of the 52 of the deck on the table."""
    return is_card_of(card, world.deck)


def outside(world: World) -> list[Token]:
    """Return the cards of the deck that are neither in the machine nor behind its gate."""
    return [card for card, place in world.cards.items() if place is not GATE and ours(world, card)]


def gated(world: World) -> list[Token]:
    """Return what lies behind the gate."""
    return [card for card, place in world.cards.items() if place == GATE]


def strangers(world: World) -> list[Token]:
    """Return the tags about that are none of the deck's cards."""
    return [card for card, place in world.cards.items() if place != BOX and not ours(world, card)]


def inside(world: World) -> int:
    """Return how many cards are in the machine in truth."""
    away = sum(1 for card in world.cards if ours(world, card))
    return DECK_SIZE - away + sum(1 for place in world.cards.values() if place == MACHINE)


def stub(world: World, number: int = 1) -> list[Token]:
    """Return the first `number` cards of the deck that are in the machine: any is as good as another."""
    found = []
    for one in range(1, DECK_SIZE + 1):
        card = token(world.deck, one)
        if card not in world.cards and (world.open_hand is None or card not in world.open_hand.homes):
            found.append(card)
            if len(found) == number:
                break
    return found


def belongs(hand: Hand, card: Token, place: Zone) -> bool:
    """Tell whether a card of the hand may lie there: where it was dealt, or a seat's in the muck.

    A dead one may lie in the muck or aside alone, and so may one that was in the muck. One without a home is judged
    elsewhere.
    """
    home = hand.homes.get(card, place)
    number = seat_number(home)
    if number and place in (MUCK, ASIDE):
        return place == MUCK or number in hand.folded or card in hand.mucked
    return place == home and number not in hand.folded


def moved(world: World, cards: Iterable[Token], place: Zone, silent: bool = False) -> tuple[World, list[ev.Event]]:
    """Put cards somewhere (MACHINE: into the stub), and say what the readers tell of it, in one scan each."""
    cards = tuple(cards)
    there = dict(world.cards)
    gone: dict[Zone, list[Token]] = {}
    for card in cards:
        before = there.get(card, MACHINE)
        if is_read(world, card, before) and zone_of(before) != zone_of(place):
            gone.setdefault(zone_of(before), []).append(card)
        if place == MACHINE and ours(world, card):
            there.pop(card, None)
        else:
            there[card] = place
        bled = world.bleeding.get(card, NOWHERE)
        if bled and (bled != place or silent) and world.looked and bled not in world.deaf:
            gone.setdefault(bled, []).append(card)
    quiet = world.silent | set(cards) if silent else world.silent - set(cards)
    fresh = tuple(
        card
        for card in cards
        if zone_of(place)
        and not silent
        and not (is_read(world, card, world.cards.get(card, MACHINE)) and zone_of(world.cards[card]) == zone_of(place))
    )
    restless = world.restless
    if world.open_hand is not None and zone_of(place):
        hand = world.open_hand
        restless = restless - set(cards)
        restless = restless | {card for card in cards if not ours(world, card) or not belongs(hand, card, place)}
    bleeding = {card: zone for card, zone in world.bleeding.items() if card not in cards}
    after = replace(world, cards=there, silent=quiet, bleeding=bleeding, restless=restless)
    if place == MUCK and after.open_hand is not None:
        after = replace(after, open_hand=_recorded(after, after.open_hand, cards))
    told: list[ev.Event] = [ev.CardsGone(0, zone, tuple(lost)) for zone, lost in gone.items()]
    if fresh and is_read(after, fresh[0], place):
        told.append(ev.CardsSeen(0, zone_of(place), fresh))
    return after, told


def _recorded(world: World, hand: Hand, cards: tuple[Token, ...]) -> Hand:
    """Cards of seats that are read in the muck are recorded (H6)."""
    read = {card for card in cards if is_read(world, card, MUCK) and seat_number(hand.homes.get(card, NOWHERE))}
    return replace(hand, mucked=hand.mucked | read) if read else hand


def obeyed(world: World, commands: tuple[cmd.Command, ...]) -> World:
    """Hand commands over to the machine, as the station does: a hold at once, a permit when it is durable."""
    for command in commands:
        match command:
            case cmd.Hold():
                world = replace(world, held=True, earlier=False)
            case cmd.Clear():
                world = replace(world, held=False, earlier=False)
            case cmd.Permit():
                world = replace(world, queue=(*world.queue, command))
            case _:
                pass
    return world


def read_at(world: World, zone: Zone) -> tuple[Token, ...]:
    """Return what a reader that looks reads of a zone."""
    return tuple(
        card
        for card, place in world.cards.items()
        if (zone_of(place) == zone and card not in world.silent) or world.bleeding.get(card) == zone
    )


def told_anew(world: World, zones: Iterable[Zone]) -> Iterator[ev.Event]:
    """What readers tell that begin to look: what lies there, then that they look."""
    for zone in zones:
        there = read_at(world, zone)
        if there:
            yield ev.CardsSeen(0, zone, there)
        yield ev.ZoneKnown(0, zone)
