"""What goes wrong seldom, each kind in a family of its own, small: for reasons that no other fault leads to."""

from collections.abc import Callable, Iterator
from typing import Final

from msgspec.structs import replace

from bench.closure import by_hand
from bench.closure.acts import Facts, press
from bench.closure.people import next_name
from bench.closure.world import HAND, TWIN, Move, World, moved
from dealerbox.model import commands as cmd
from dealerbox.model import events as ev
from dealerbox.model.cards import token
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.view import View
from dealerbox.model.zones import BOARD, BURN, INFEED, MUCK, seat_number


def backward(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """A device's clock runs backward by two seconds."""
    yield Move("time runs backward", world, (ev.Tick(-2_000_000_000),), "backward")


def nameless(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """A count is confirmed by a key that says nobody's name (C2)."""
    if Key.ACK in view.lit:
        yield Move("ack without a name", world, (ev.KeyPressed(0, Key.ACK, 0, ""),), "nameless")


def impatient(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """START, whatever the panel asks for."""
    if view.phase == "between" and Key.START not in view.lit:
        yield press(world, Key.START, fault="impatient")


def belated(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """PREMATURE, when a player has acted on the next round (1811(2))."""
    hand = world.open_hand
    if hand is not None and hand.followed and view.phase == "betting" and hand.street:
        after = replace(world, open_hand=replace(hand, acted=True))
        told = tuple(ev.KeyPressed(0, key, 0, "7") for key in (Key.ACTION, Key.PREMATURE))
        yield Move("premature after action", after, told, "belated")


def premature(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """PREMATURE: the round before was not complete (1811(2)); what came goes back into the stub, or aside."""
    if view.street not in ("", "preflop") and not view.holds:
        yield press(world, Key.PREMATURE, fault="premature")


def unburned(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """UNBURN, and what is burned next is another card (1812)."""
    if view.street:
        yield press(world, Key.UNBURN, fault="unburned")


def hasty(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """From the dealer's hand a burn or a board card comes while the round is open."""
    cards = by_hand.in_hand(world)
    if view.phase == "betting" and cards:
        for zone in (BURN, BOARD):
            after, told = moved(world, cards[:1], zone)
            yield Move(f"too early by hand to {zone}", after, tuple(told), "hasty")


def changed(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """The deck is changed before it is due (1804B(8))."""
    if view.phase == "between" and view.prompt_code == "start":
        yield press(world, Key.DECK, fault="changed")


def reused(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """While a deck is opened a card of the one that was in play comes to the infeed (C13)."""
    other = next((info.slot for info in facts.setup.decks if info.slot != facts.deck), 0)
    if view.phase == "opening" and world.deck == facts.deck and other and token(other, 1) not in world.cards:
        after, told = moved(world, [token(other, 1)], INFEED)
        yield Move("a card of the used deck is put down", after, tuple(told), "reused")


def relisted(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """A new set comes to the table, and then a deck of the old one is listed again (C13)."""
    if view.phase == "between" and facts.deck:
        old = facts.setup.decks
        new = tuple(replace(info, name=next_name(info.name)) for info in old)
        again = tuple(was if was.slot == facts.deck else info for was, info in zip(old, new, strict=True))
        told = tuple(ev.DecksEnrolled(0, decks, "director") for decks in (new, again))
        yield Move("a used deck is listed again", world, told, "relisted")


def twinned(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """There is a second card of one tag among those that are about to be fed in (S3)."""
    feeding = bool(world.queue) and isinstance(world.queue[0], cmd.Return) and view.phase in ("opening", "gathering")
    if feeding and TWIN not in world.cards and world.cards.get(token(world.deck, 1)) == HAND:
        yield Move("one tag is there twice", replace(world, cards={**world.cards, TWIN: HAND}), (), "twinned")


def sent_back(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """The director sends a card of a hand that went into the muck back into the stub: nobody is owed it (C14)."""
    hand = world.open_hand
    if hand is None or view.phase != "dealing" or view.holds or view.street != "preflop" or hand.back:
        return
    for card, home in hand.homes.items():
        if seat_number(home) and world.cards.get(card) == MUCK:
            told = ev.Ruled(0, ruling=Ruling.TO_STUB, by="director", reason="so", tokens=(card,))
            yield Move(f"ruling to_stub of a card of {home}", world, (told,), "sent_back")


SELDOM: Final[dict[str, Callable[[World, View, Facts], Iterator[Move]]]] = {
    "backward": backward,
    "nameless": nameless,
    "impatient": impatient,
    "belated": belated,
    "premature": premature,
    "unburned": unburned,
    "hasty": hasty,
    "changed": changed,
    "reused": reused,
    "relisted": relisted,
    "twinned": twinned,
    "sent_back": sent_back,
}
"""Every kind of fault that is seldom."""
