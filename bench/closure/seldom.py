"""What goes wrong seldom, each kind in a family of its own, small: for reasons that no other fault leads to."""

from collections.abc import Callable, Iterator
from typing import Final

from msgspec.structs import replace

from bench.closure import by_hand
from bench.closure.acts import Facts, press
from bench.closure.world import Move, World, moved
from dealerbox.model import events as ev
from dealerbox.model.keys import Key
from dealerbox.model.view import View
from dealerbox.model.zones import BOARD, BURN


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


SELDOM: Final[dict[str, Callable[[World, View, Facts], Iterator[Move]]]] = {
    "backward": backward,
    "nameless": nameless,
    "impatient": impatient,
    "belated": belated,
    "unburned": unburned,
    "hasty": hasty,
}
"""Every kind of fault that is seldom."""
