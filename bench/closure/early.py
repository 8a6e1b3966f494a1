"""Streets that came too early, as the law page has them (1811(2), C6-C8)."""

from collections.abc import Iterable

from msgspec.structs import replace

from bench.closure.hands import Hand
from bench.closure.world import World
from dealerbox.model import commands as cmd
from dealerbox.model.cards import Token
from dealerbox.model.zones import ASIDE, BOARD, BURN


def too_early(hand: Hand) -> Hand:
    """Return a hand whose street came too early: its round is open again (1811(2), C6-C8).

    A burn stays. The cards of a flop go back into the stub, and others come without a burn. That of a turn or a river
    goes aside, behind a burn another comes; before the river it goes back.
    """
    street = hand.street
    later = tuple(step for step in hand.owed if step[0] != street)
    came = [card for card, home in hand.homes.items() if home == BOARD][2 + street - 1 if street > 1 else 0 :]
    reopened = replace(hand, street=street - 1)
    if not came:
        return reopened
    if street == 1:
        return going_back(replace(reopened, owed=((1, BOARD),) * 3 + later), came)
    return replace(reopened, owed=((street, BURN), (street, BOARD), *later), homes={**hand.homes, came[0]: ASIDE})


def going_back(hand: Hand, cards: Iterable[Token]) -> Hand:
    """Return a hand of which cards go back into the stub, which is then shuffled and cut."""
    back = frozenset(cards)
    return replace(hand, back=back, unmixed=2) if back else hand


def taken_back(world: World) -> World:
    """Return the world with a street taken back that was recalled, once no card is on its way."""
    hand = world.open_hand
    if hand is None or not hand.recalled or hand.flying or _is_let_out(world):
        return world
    return replace(world, open_hand=replace(too_early(hand), recalled=False))


def recalled(world: World, hand: Hand) -> World:
    """Return the world with a street called premature."""
    on_its_way = bool(hand.flying) or _is_let_out(world)
    if on_its_way and hand.due == BOARD:
        return replace(world, open_hand=replace(hand, recalled=True))
    return replace(world, open_hand=too_early(hand))


def _is_let_out(world: World) -> bool:
    """Tell whether the card behind the gate has its permit."""
    return any(isinstance(command, cmd.Release) for command in world.queue)
