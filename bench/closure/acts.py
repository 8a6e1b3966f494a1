"""Single things that people do: press a key, rule, lay a card down, start the station."""

from typing import Final

import msgspec
from msgspec.structs import replace

from bench.closure.hands import Hand
from bench.closure.world import HAND, Move, World, moved
from dealerbox.model import events as ev
from dealerbox.model.cards import Token
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Setup
from dealerbox.model.shuffler import Memory
from dealerbox.model.zones import Zone

BADGE: Final = "7"
OPEN: Final = ("dealing", "betting", "showdown")
WALL_S: Final = 1_800_000_000


class Facts(msgspec.Struct, frozen=True):
    """What people have at hand beside the panel."""

    setup: Setup
    deck: int
    """Slot of the deck that the station wants on the table."""
    renewed: Setup
    """The setup once every deck that is out is replaced by a new one."""
    session: int
    now_s: int
    manual: bool = False
    """MANUAL is pressed in this family."""


def press(world: World, key: Key, seat_: int = 0, fault: str = "") -> Move:
    """A key."""
    label = f"{key.value} {seat_}" if seat_ else key.value
    return Move(label, world, (ev.KeyPressed(0, key, seat_, BADGE),), fault)


def rule(world: World, ruling: Ruling, seat_: int = 0, fault: str = "") -> Move:
    """A ruling."""
    told = ev.Ruled(0, ruling=ruling, by="director", reason="so", seat=seat_)
    return Move(f"ruling {ruling.value} {seat_ or ''}".strip(), world, (told,), fault)


def lay(world: World, hand: Hand, zone: Zone, silent: bool = False, fault: str = "", label: str = "") -> Move:
    """The card on its way is laid down; where it is due and is read, its step is done.

    The others of its group are laid with it; where it goes astray or is not read, in their place before it.
    """
    card, due = hand.flying, zone == hand.due or not hand.followed
    told: list[ev.Event] = []
    together = hand.along if due and not silent else ()
    if hand.along and not together:
        world, told = moved(world, hand.along, hand.due)
        hand = all_landed(hand, hand.along, hand.due)
        world = replace(world, open_hand=hand)
    after, last = moved(world, [*together, card], zone or HAND, silent)
    if not silent and due:
        after = replace(after, open_hand=all_landed(hand, (*together, card), zone))
    return Move(label or f"card to {zone}", after, (*told, *last), fault)


def all_landed(hand: Hand, cards: tuple[Token, ...], zone: Zone) -> Hand:
    """The steps of these cards are done."""
    for card in cards:
        hand = landed(hand, card, zone)
    return hand


def landed(hand: Hand, card: Token, zone: Zone) -> Hand:
    """The step is done."""
    owed = hand.owed[1:] if hand.followed else hand.owed
    flying = Token(0) if card == hand.flying else hand.flying
    along = tuple(one for one in hand.along if one != card)
    return replace(hand, flying=flying, along=along, homes={**hand.homes, card: zone}, owed=owed)


def starts(world: World, setup: Setup, facts: Facts, label: str, boot: str = "1", fault: str = "") -> Move:
    """The station starts anew; the machine keeps the hold that it has."""
    after = replace(world, looked=False, greeting=True, earlier=world.held)
    told = ev.Started(0, setup=setup, memory=Memory(session=facts.session + 1), boot_id=boot)
    return Move(label, after, (told,), fault)
