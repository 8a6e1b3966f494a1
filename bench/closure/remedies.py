"""What people do when the panel is red or asks: mend, put right, take away, answer."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from bench.closure import by_hand
from bench.closure.acts import OPEN, Facts, landed, lay, press, rule, starts
from bench.closure.early import too_early
from bench.closure.hands import Hand
from bench.closure.judge import due_now
from bench.closure.machine import mended
from bench.closure.world import (
    BOX,
    GATE,
    HAND,
    MACHINE,
    TWIN,
    Move,
    World,
    belongs,
    gated,
    inside,
    moved,
    outside,
    read_at,
    strangers,
    told_anew,
    zone_of,
)
from dealerbox.model import events as ev
from dealerbox.model.cards import DECK_SIZE, token
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.view import View
from dealerbox.model.zones import ASIDE, BOARD, INFEED, MUCK, seat_number

HELD_RULINGS: Final = (Ruling.STAND, Ruling.VOID_HAND)


def remedies(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """What people can do when the panel is red or asks."""
    yield from mended(world)
    for zone in sorted(world.deaf):
        after = replace(world, deaf=world.deaf - {zone})
        yield Move(f"the reader of {zone} looks again", after, tuple(told_anew(after, [zone])))
    hand = world.open_hand
    if hand is not None and view.phase in OPEN:
        yield from _put_right(world, hand)
        if view.holds:
            yield press(world, Key.MISDEAL)
    away = [card for card in strangers(world) if zone_of(world.cards[card])]
    if away:
        after, told = moved(world, away, BOX)
        yield Move("what does not belong is taken away", after, tuple(told))
    if view.holds:
        yield from (rule(world, ruling) for ruling in HELD_RULINGS)
    if any(hold.reason == "service" for hold in view.holds):
        yield Move("the technician is done", world, (ev.ServiceEnded(0, "technician"),))
    if any(hold.reason == "journal_fault" for hold in view.holds):
        yield starts(world, facts.setup, facts, "the technician starts the station anew")
    if view.prompt_code == "journal_full" or any(hold.reason == "journal_full" for hold in view.holds):
        yield Move("records are pruned", world, (ev.SpaceLeft(0, ev.Space.ENOUGH, 9999),))
    yield from by_hand.asked(world, view, facts.manual)
    if view.prompt_code == "empty" and (inside(world) or gated(world) or facts.deck != world.deck):
        yield emptied(world, view, facts)
    elif Key.ACK in view.lit and _true(world, view):
        yield press(world, Key.ACK)
    if Key.NO in view.lit and view.prompt_code != "seal":
        yield press(world, Key.NO)
    if view.prompt_code == "cut":
        yield press(world, Key.CUT)


def _true(world: World, view: View) -> bool:
    """Tell whether what is asked is so."""
    hand = world.open_hand
    if view.prompt_code in ("manual_empty", "given"):
        return not inside(world) and not gated(world)
    if view.prompt_code == "unseen":
        return hand is None or not hand.flying or world.cards.get(hand.flying) == due_now(hand, view)
    if view.prompt_code == "doubled" and hand is not None:
        return all(belongs(hand, card, world.cards.get(card, MACHINE)) for card in hand.homes)
    return True


def _put_right(world: World, hand: Hand) -> Iterator[Move]:
    if hand.flying and hand.followed and world.cards.get(hand.flying) != hand.due:
        yield lay(world, hand, hand.due, label=f"it is laid to {hand.due}")
    if hand.recalled and hand.flying and hand.street > 1:
        after, told = moved(world, [hand.flying], ASIDE)
        back = replace(too_early(landed(hand, hand.flying, BOARD)), recalled=False)
        yield Move("it is laid aside at once", replace(after, open_hand=back), tuple(told))
    for card, home in hand.homes.items():
        place = world.cards.get(card, MACHINE)
        if place not in (HAND, MACHINE, GATE) and not belongs(hand, card, place):
            after, told = moved(world, [card], MUCK if seat_number(home) in hand.folded else home)
            yield Move(f"a card of {home} is put back", after, tuple(told))
    for card in outside(world):
        if card not in (*hand.homes, *hand.along, hand.flying) and zone_of(world.cards[card]):
            world_, into = moved(world, [card], INFEED)
            after, away = moved(world_, [card], MACHINE)
            yield Move("a card that was never out goes back in", after, (*into, *away))
            break
    if world.button != (hand.button,):
        yield Move("the button is put back", replace(world, button=(hand.button,)), (ev.ButtonAt(0, (hand.button,)),))


def emptied(world: World, view: View, facts: Facts) -> Move:
    """Every card out of the machine, what does not belong away; where another deck is wanted, it comes to the table."""
    cards = dict.fromkeys((token(facts.deck, number) for number in range(1, DECK_SIZE + 1)), HAND)
    if TWIN in world.cards and facts.deck == world.deck:
        cards[TWIN] = HAND
    gone = tuple(
        ev.CardsGone(0, zone, tuple(there))
        for zone in facts.setup.readers
        if (there := read_at(world, zone)) and zone not in world.deaf
    )
    told = () if world.lost else (ev.ShufflerLocked(0, "door"), ev.DoorClosed(0))
    why = world.why if world.lost else "content"
    after = replace(world, cards=cards, silent=frozenset(), bleeding={}, deck=facts.deck, why=why, greeting=True)
    after = replace(after, exit_id=0, deal_id=0, token_id=0)
    return Move("everything is taken out", after, (*gone, *told))
