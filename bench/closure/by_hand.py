"""Cards from the dealer's hand: where the house deals so (C4 `hand`), and as the way on without the machine (C15).

Where the house deals so, the law of the hand is known as ever, and the panel is held to it. On the way on by hand the
stub is taken out, shown at the burns, and dealt to where the panel says.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from bench.closure.hands import Hand
from bench.closure.world import GATE, HAND, MACHINE, Move, World, gated, inside, moved, ours, stub, zone_of
from dealerbox.model import events as ev
from dealerbox.model.cards import Token
from dealerbox.model.keys import Key
from dealerbox.model.setup import Dispense
from dealerbox.model.view import View
from dealerbox.model.zones import BURN, Zone


def in_hand(world: World) -> list[Token]:
    """The cards that the dealer holds and that are of no zone."""
    homes = world.open_hand.homes if world.open_hand else {}
    return [card for card, place in world.cards.items() if place == HAND and ours(world, card) and card not in homes]


def goes_on(view: View) -> bool:
    """Tell whether the panel wants the machine emptied, or cards shown at the burn reader and not fed into it."""
    return view.prompt_code == "manual_empty" or "singly at the burns" in view.prompt


def asked(world: World, view: View, manual: bool) -> Iterator[Move]:
    """What the panel asks for while cards go by hand; MANUAL where the machine does not answer."""
    if view.prompt_code in ("manual_empty", "given") and (inside(world) or gated(world)):
        yield taken_out(world)
    elif not world.by_hand and not goes_on(view):
        if world.lost and manual:
            yield _press(world, Key.MANUAL)
        return
    elif world.dispense is Dispense.HAND and not goes_on(view):
        return
    elif world.why and not world.lost and view.phase in ("gathering", "between", "opening") and not inside(world):
        yield _press(world, Key.MANUAL)
    between = view.phase in ("gathering", "opening", "between")
    if view.prompt_code == "manual_show" or (between and goes_on(view) and not inside(world)):
        table = [card for card, place in world.cards.items() if ours(world, card) and place not in (HAND, MACHINE)]
        if not between or not table:
            cards = in_hand(world)
            yield shown(world, cards)
            if len(cards) > 1:  # and something comes between
                yield shown(world, cards[:1])


def _press(world: World, key: Key) -> Move:
    return Move(key.value, world, (ev.KeyPressed(0, key, 0, "7"),))


def taken_out(world: World) -> Move:
    """The machine is opened and emptied into the dealer's hand; what does not belong goes away."""
    after, told = moved(world, [card for card in gated(world) if ours(world, card)], HAND)
    cards = {card: place for card, place in after.cards.items() if place not in (MACHINE, GATE)}
    after = replace(after, cards=cards)
    after = replace(after, cards={**cards, **dict.fromkeys(stub(after, inside(after)), HAND)}, exit_id=0)
    opened = () if world.lost else (ev.ShufflerLocked(0, "door"), ev.DoorClosed(0))
    if not world.lost:
        after = replace(after, why="content", greeting=True, deal_id=0, token_id=0)
    return Move("the stub is taken out", after, (*told, *opened))


def shown(world: World, cards: list[Token]) -> Move:
    """Cards are shown singly at the burn reader."""
    told: list[ev.Event] = []
    for card in cards:
        world, there = moved(world, [card], BURN)
        world, back = moved(world, [card], HAND)
        told += there + back
    after = replace(world, restless=frozenset(), by_hand=True)
    return Move(f"cards are shown: {len(cards)}", after, tuple(told))


def shown_back(world: World, hand: Hand) -> Move:
    """The cards that go back into the stub are shown at the burns; it is shuffled, and the cut is to be confirmed."""
    move = shown(world, [card for card in world.cards if card in hand.back])
    homes = {card: home for card, home in hand.homes.items() if card not in hand.back}
    after = replace(hand, homes=homes, back=frozenset(), unmixed=min(hand.unmixed, 1))
    return replace(move, world=replace(move.world, open_hand=after))


def asks(world: World, view: View) -> bool:
    """Tell whether the panel asks for the next card out of the dealer's hand."""
    lit = view.phase == "dealing" and not view.holds and view.prompt_code == "deal"
    return lit and bool(in_hand(world)) and not inside(world)


def dealt_to(world: World, hand: Hand, zone: Zone, silent: bool = False, fault: str = "", label: str = "") -> Move:
    """The next card comes out of the hand and is laid somewhere; where it is due and is read, its step is done."""
    card = in_hand(world)[0]
    after, told = moved(world, [card], zone, silent)
    flown = replace(hand, flying=card)
    if zone == hand.due and not silent:
        flown = replace(hand, homes={**hand.homes, card: zone}, owed=hand.owed[1:])
    fresh = card if flown.flying and not silent else Token(0)
    return Move(label or f"by hand to {zone}", replace(after, open_hand=flown, fresh=fresh), tuple(told), fault)


def dealt(world: World, hand: Hand, view: View) -> Iterator[Move]:
    """The dealer deals the next card of the stub to where the panel says."""
    cards = in_hand(world)
    if not asks(world, view):
        return
    if hand.followed:
        if not hand.flying and hand.due:
            yield dealt_to(world, hand, hand.due)
        elif hand.flying in world.silent:
            after, told = moved(world, [hand.flying], hand.due)
            done = replace(hand, flying=Token(0), homes={**hand.homes, hand.flying: hand.due}, owed=hand.owed[1:])
            yield Move("the card that nobody read is laid anew", replace(after, open_hand=done), tuple(told))
        return
    if hand.flying and zone_of(world.cards.get(hand.flying, HAND)):
        after, told = moved(world, [hand.flying], view.expect)
        after = replace(after, open_hand=replace(hand, flying=Token(0), homes={**hand.homes, hand.flying: view.expect}))
        yield Move(f"card to {view.expect}", after, tuple(told))
        return
    after, told = moved(world, cards[:1], view.expect)
    after = replace(after, open_hand=replace(hand, homes={**hand.homes, cards[0]: view.expect}))
    yield Move(f"by hand to {view.expect}", after, tuple(told))
