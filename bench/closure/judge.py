"""What the law says of a moment: how keys change the hand in truth, and what may never be.

P1: no card is let out that is not the plan's next, or while something stands that asks for a hold.
P3: every card is in one place, and the books say so. P5: a restart never frees.
"""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from bench.closure.acts import OPEN, landed
from bench.closure.by_hand import asks
from bench.closure.early import going_back, recalled
from bench.closure.hands import NO_CARD, NOWHERE, Hand, dealt, strayed_from
from bench.closure.world import HAND, MACHINE, OUTLET, World, belongs, gated, is_read, ours, outside, strangers, zone_of
from dealerbox.model import commands as cmd
from dealerbox.model import events as ev
from dealerbox.model.cards import is_unidentified
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import Dispense
from dealerbox.model.view import View
from dealerbox.model.zones import ASIDE, INFEED, MUCK, Zone, seat, seat_number

KEEPS = frozenset({Key.COUNT, Key.DECK, Key.SUSPECT, Key.RETRIEVE, Key.ACK, Key.NO, Key.FIND, Key.CUT})
"""Keys that change nothing in the plan of a hand."""
PROVES = frozenset({"proof", "manual_order"})
"""What the dealer answers of a stub that was proved in mid-hand (S2)."""
COUNTS = frozenset({"seal", "counted", "manual_shuffled"})
"""What the dealer confirms of a full count (C2)."""
OWN_RUN = frozenset({"device_lost", "journal_fault", "journal_full", "recount"})
"""Holds that a restart looks at anew."""


def refused(commands: tuple[cmd.Command, ...]) -> bool:
    """Tell whether the station did not take what it was asked: then nothing has changed."""
    return any(isinstance(command, cmd.Refuse) for command in commands)


def heard(world: World, event: ev.Event, commands: tuple[cmd.Command, ...], before: View, after: View) -> World:
    """Return the world after a key or a ruling that the station took."""
    hand = world.open_hand
    if isinstance(event, ev.Ruled):
        if event.ruling is Ruling.VOID_HAND and after.phase not in OPEN:
            return replace(world, open_hand=None, before=None)
        if hand is not None and event.ruling not in (Ruling.SET_BUTTON, Ruling.RETRIEVE, Ruling.HAND_DEAD):
            homes = {card: home for card, home in hand.homes.items() if card in world.cards}
            back = frozenset(event.tokens) if event.ruling is Ruling.TO_STUB else hand.back
            return replace(world, open_hand=replace(strayed_from(hand), homes=homes, back=back))
        if hand is not None and event.ruling is Ruling.HAND_DEAD:
            return replace(world, open_hand=replace(hand, dead=hand.dead | {event.seat}))
        if hand is not None and event.ruling is Ruling.RETRIEVE:
            return replace(world, open_hand=_retrieved(hand, event.seat))
        return world
    assert isinstance(event, ev.KeyPressed)
    if event.key is Key.RETRIEVE and hand is not None:
        return replace(world, open_hand=_retrieved(hand, event.seat))
    match event.key:
        case Key.START if world.button:
            hand = dealt(after.seats, world.button[0], world.dispense is Dispense.GROUP)
            hand = replace(hand, uncounted=world.owes_count)
            by_hand = world.by_hand or world.dispense is Dispense.HAND
            return replace(world, by_hand=by_hand, open_hand=hand, before=None, restless=frozenset())
        case Key.AWARD:
            return replace(world, open_hand=None, before=hand)
        case Key.MISDEAL if after.phase not in OPEN or not _one_in_the_muck(world):
            return replace(world, open_hand=None, before=hand)
        case Key.UNDO:
            return _undone(world, after)
        case Key.ACK | Key.NO:
            return _answered(world, event.key, before, after)
        case Key.MANUAL:
            return replace(world, by_hand=True, open_hand=hand and strayed_from(hand))
    if hand is None:
        return world
    match event.key:
        case Key.ACTION:
            return replace(world, open_hand=replace(hand, acted=True), before=hand)
        case Key.NEXT:
            return replace(world, open_hand=_gone_on(hand), before=hand)
        case Key.PREMATURE if hand.followed:
            return recalled(world, hand)
        case Key.CUT if hand.unmixed == 1:
            return replace(world, open_hand=replace(hand, unmixed=0))
        case Key.MISDEAL:
            return world
        case _ if event.key in KEEPS or after == before:
            return world
        case _:
            return replace(world, open_hand=strayed_from(hand))


def _gone_on(hand: Hand) -> Hand:
    """NEXT: the next street comes; before the river what came too early goes back."""
    more = bool(hand.owed) and not hand.due
    hand = replace(hand, acted=True, street=hand.street + more)
    return going_back(hand, [card for card, home in hand.homes.items() if home == ASIDE and hand.street == 3])


def _retrieved(hand: Hand, number: int) -> Hand:
    """The hand of a seat lives again; none named, the only one of which a card was in the muck."""
    seats = {seat_number(hand.homes.get(card, NOWHERE)) for card in hand.mucked}
    number = number or (seats.pop() if len(seats) == 1 else 0)
    if not number:
        return strayed_from(hand)
    mucked = frozenset(card for card in hand.mucked if hand.homes.get(card) != seat(number))
    return replace(hand, folded=hand.folded - {number}, dead=hand.dead - {number}, mucked=mucked)


def due_now(hand: Hand, view: View) -> Zone:
    """Where the next card goes: by the law, and where that is no longer known, as the panel says."""
    return hand.due if hand.followed else view.expect


def _one_in_the_muck(world: World) -> bool:
    """Whether MISDEAL may be answered by a question: has that player acted?"""
    hand = world.open_hand
    return (hand is not None and (not hand.followed or bool(hand.mucked))) or any(
        place == MUCK and ours(world, card) for card, place in world.cards.items()
    )


def _undone(world: World, after: View) -> World:
    """UNDO: an unopened hand is none; a hand that is open again is no longer followed."""
    if after.phase not in OPEN:
        return replace(world, open_hand=None, before=None)
    if world.open_hand is None:
        before = world.before
        return replace(world, open_hand=before and strayed_from(before), before=None)
    if world.before is None:
        return world
    hand = world.open_hand
    street = world.before.street if hand.followed else hand.street
    return replace(world, open_hand=replace(hand, acted=world.before.acted, street=street), before=None)


def _answered(world: World, key: Key, before: View, after: View) -> World:
    if before.prompt_code in PROVES:
        world = replace(world, owes_count=True)
    elif key is Key.ACK and before.prompt_code in COUNTS:
        world = replace(world, owes_count=False)
    hand = world.open_hand
    if hand is None or after.phase not in OPEN:
        return world if hand is None else replace(world, open_hand=None, before=None)
    if before.prompt_code == "unseen" and key is Key.ACK and hand.flying:
        return replace(world, open_hand=landed(hand, hand.flying, due_now(hand, before)))
    if key is Key.ACK and before.prompt_code == "half_muck":
        return replace(world, open_hand=replace(hand, dead=hand.dead | {_half_mucked(world, hand)}))
    if key is Key.ACK and before.prompt_code == "went_in":  # it is the stub's again, and what it had done is owed
        homes = {card: home for card, home in hand.homes.items() if card in world.cards}
        return replace(world, open_hand=replace(strayed_from(hand), homes=homes))
    if before.prompt_code in ("places", "proof", "manual_order"):
        flying = hand.flying if world.cards.get(hand.flying) != MACHINE and hand.flying in world.cards else NO_CARD
        along = tuple(card for card in hand.along if card in world.cards)
        return replace(world, open_hand=replace(hand, flying=flying, along=along))
    return world


def _half_mucked(world: World, hand: Hand) -> int:
    """The seat of which one card lies in the muck and whose hand is not dead; 0: none."""
    lying = [seat_number(hand.homes[card]) for card in hand.homes if world.cards.get(card) == MUCK]
    return next((number for number in lying if number and number not in hand.folded | hand.dead), 0)


def let_out(world: World, state_holds: Any, unread: bool = False) -> Iterator[str]:
    """Why a card may not be let out now (P1); nothing when it may. `unread`: the dealer says so, knowing that (H10)."""
    hand = world.open_hand
    if hand is None:
        yield "no hand is open"
        return
    if state_holds:
        yield "a hold stands"
    if world.held:
        yield "the machine was told of a hold and not that it has ended"
    if world.by_hand:
        yield "cards are dealt by hand"
    if world.lost or (world.why and not (world.why == "ahead" and world.greeting)):  # nobody can know yet
        yield "the machine is not what it was"
    if world.deaf:
        yield "a reader cannot look"
    behind = gated(world)
    if len(behind) != 1 or not ours(world, behind[0]):
        yield "what is behind the gate is not one card of the deck"
    elif (behind[0] in world.silent) is not unread or behind[0] in hand.homes:
        yield "the card behind the gate is not known, or is of this hand"
    yield from _not_mixed(hand)
    if hand.followed:
        yield from _not_next(world)
    if hand.uncounted and hand.followed:
        yield "a full count is owed since the stub was proved in mid-hand"
    if world.button and hand.button not in world.button and hand.followed and NO_CARD not in world.restless:
        yield "the button does not lie where it belongs"
    if any(is_read(world, card, world.cards[card]) and card not in world.restless for card in strangers(world)):
        yield "a stranger lies on the table"


def asked_by_hand(world: World, view: View) -> Iterator[str]:
    """Why the panel may not ask for a card out of the dealer's hand now (P1, `hand`)."""
    hand = world.open_hand
    if world.dispense is not Dispense.HAND or hand is None or not hand.followed or not asks(world, view):
        return
    if view.expect != hand.due:
        yield f"the panel asks for a card on {view.expect}"
    yield from _not_mixed(hand)
    if world.deaf:
        yield "a reader cannot look"
    if NO_CARD not in world.restless and world.button and hand.button not in world.button:
        yield "the button does not lie where it belongs"
    if any(is_read(world, card, world.cards[card]) and card not in world.restless for card in strangers(world)):
        yield "a stranger lies on the table"
    if not hand.flying or (hand.flying != world.fresh and hand.flying not in world.silent):
        yield from _not_next(world)


def _not_mixed(hand: Hand) -> Iterator[str]:
    if hand.back and hand.followed:
        yield "a card is still to go back into the stub"
    if hand.unmixed:
        yield "the stub was not shuffled and cut since cards went back into it"


def _not_next(world: World) -> Iterator[str]:
    hand = world.open_hand
    assert hand is not None
    if hand.flying and not (world.dispense is Dispense.GROUP and hand.together()):
        yield "the card before is not where it belongs"
    if not hand.due:
        yield "no card is asked for on this street"
    rests = _one_lives(world, hand)
    for card, home in hand.homes.items():
        place = world.cards.get(card, MACHINE)
        if place == MACHINE:
            yield f"a card of {home} is in the machine"
        elif card in world.restless or rests:
            continue
        elif place != HAND and is_read(world, card, place) and not belongs(hand, card, place):
            yield f"a card of {home} lies on {place}"


def _one_lives(world: World, hand: Hand) -> bool:
    """Tell whether no more than one hand lives: cards may lie where they do not belong then (H8)."""
    zones = {*hand.homes.values(), *(zone for _, zone in hand.owed)}
    live = {number for number in map(seat_number, zones) if number} - hand.folded - hand.dead
    if hand.street:
        live -= {seat_number(home) for card, home in hand.homes.items() if world.cards.get(card, MUCK) == MUCK}
    return len(live) < 2


def books(world: World, out: Any, inside_said: int) -> Iterator[str]:
    """Where the station's books and the world differ (P3), with nothing amiss."""
    unbooked = [card for card in outside(world) if card not in out]
    for card in unbooked:
        if card not in world.silent and (zone_of(world.cards[card]) or world.cards[card] == OUTLET):
            yield f"a card on {world.cards[card]} is in no book"
    stood_for = len(unbooked)
    for card, record in out.items():
        if not record.at or record.at == INFEED or card in world.cards:
            continue
        if is_unidentified(card) and stood_for:  # it stands for a card that no reader has named (H10)
            stood_for -= 1
        else:
            yield f"a card in the machine is said to be on {record.at}"


def freed(
    before: View, phase: str, kept: set[Reason], may_start: bool, commands: tuple[cmd.Command, ...]
) -> Iterator[str]:
    """What a restart lets go that was held (P5): `phase` and the holds `kept` are those after it.

    `may_start`: the panel says that a hand may start, where none is open.
    """
    if any(isinstance(command, cmd.Permit) for command in commands):
        yield "a restart gives a permit"
    if before.phase in OPEN and "restarted" not in kept:
        yield "a hand is open and no hold stands after a restart"
    for hold in before.holds:
        if hold.reason not in OWN_RUN and hold.reason not in kept:
            yield f"the hold {hold.reason} is gone after a restart"
    if may_start:
        yield "a hand may start before anything is known"


def unnamed(view: View) -> Iterator[str]:
    """A hold that does not say what, by which clause, and what to do (P7)."""
    for hold in view.holds:
        if not (hold.clause and hold.what and hold.remedy) or "{" in hold.what + hold.remedy:
            yield f"the hold {hold.reason} does not name its clause, what it is and its remedy"
    if not view.prompt and view.phase != "closed":
        yield "the panel asks for nothing"
