"""What people do: deal, play, gather; and what they do when the panel is red or asks something."""

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from bench.closure import by_hand
from bench.closure.machine import mended
from bench.closure.world import (
    BOX,
    HAND,
    MACHINE,
    OUTLET,
    Hand,
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
from dealerbox.model import commands as cmd
from dealerbox.model import events as ev
from dealerbox.model.cards import DECK_SIZE, Token, token
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Setup
from dealerbox.model.shuffler import Cycle, Memory, Result
from dealerbox.model.view import View
from dealerbox.model.zones import INFEED, MUCK, Zone, seat, seat_number

BADGE: Final = "7"
OPEN: Final = ("dealing", "betting", "showdown")
AFTERNOON_S: Final = 18 * 3600
BEGAN_MIN: Final = 150
"""So long ago the tournament began, says the director: before any hand of the closure."""
WALL_S: Final = 1_800_000_000
NIGHT_NS: Final = 18 * 3600 * 1_000_000_000
"""From the end of an evening of six hours to the next day's."""
PLAIN: Final = ("closed", "open", "gather", "start", "shuffling", "button", "set_button", "deal", "round", "award")
"""Prompts of an evening on which nothing is wrong."""
HELD_RULINGS: Final = (Ruling.STAND, Ruling.VOID_HAND)


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


def honest(world: World, view: View, facts: Facts) -> Iterator[Move]:
    """What people do next, the panel asking nothing or asking for this."""
    if not world.looked:
        after = replace(world, looked=True, deaf=frozenset())
        clock = ev.WallClock(0, WALL_S + facts.now_s, (AFTERNOON_S + facts.now_s) % 86_400, True)
        told = (clock, *told_anew(after, facts.setup.readers), ev.ButtonAt(0, world.button))
        yield Move("the readers look", after, told)
        return
    if world.by_hand and world.open_hand is not None and view.phase in OPEN:
        yield from by_hand.dealt(world, world.open_hand, view)
    if view.phase in OPEN:
        yield from _in_hand(world, view)
    elif view.phase == "closed":
        yield starts(world, facts.setup, facts, "the station is started again")
        another = starts(world, facts.setup, facts, "the station is started for another evening")
        yield replace(another, wait_ns=NIGHT_NS)
    else:
        yield from _between(world, view, facts)
    if view.holds or view.lamp != "green" or Key.ACK in view.lit or view.prompt_code not in PLAIN:
        yield from remedies(world, view, facts)
    elif world.by_hand:
        yield from mended(world)
        yield from by_hand.asked(world, view, facts.manual)


def _in_hand(world: World, view: View) -> Iterator[Move]:
    hand = world.open_hand
    if hand is None:
        return
    if hand.flying and world.cards.get(hand.flying) in (OUTLET, HAND) and not world.by_hand:
        yield lay(world, hand, hand.due if hand.followed else view.expect)
        return
    for card, home in hand.homes.items():
        if world.cards.get(card) in (HAND, OUTLET):
            after, told = moved(world, [card], MUCK if seat_number(home) in hand.folded else home)
            yield Move(f"a card in somebody's hand back to {home}", after, tuple(told))
            return
    if view.holds or hand.flying:
        return
    if view.phase == "showdown":
        yield press(world, Key.AWARD)
    if view.phase == "betting":
        if not hand.acted:
            yield press(world, Key.ACTION)
        live = list(living(world, hand))
        if len(live) > 1:
            yield press(world, Key.NEXT)
            for number in live:
                yield folds(world, hand, number)
        else:
            yield press(world, Key.AWARD)


def living(world: World, hand: Hand) -> Iterator[int]:
    """The seats with a card that is not in the muck."""
    live = {
        seat_number(home) for card, home in hand.homes.items() if seat_number(home) and world.cards.get(card) != MUCK
    }
    yield from sorted(live)


def folds(world: World, hand: Hand, number: int) -> Move:
    """Both cards of a seat go into the muck."""
    cards = [card for card, home in hand.homes.items() if home == seat(number)]
    after, told = moved(world, cards, MUCK)
    after = replace(after, open_hand=replace(hand, folded=hand.folded | {number}))
    return Move(f"seat {number} folds", after, tuple(told))


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


def _between(world: World, view: View, facts: Facts) -> Iterator[Move]:
    yield from _gather(world, view)
    due = view.button
    if view.phase == "between" and due and world.button != (due,):
        yield Move(f"button to seat {due}", replace(world, button=(due,)), (ev.ButtonAt(0, (due,)),))
    if view.prompt_code == "set_button":
        yield rule(world, Ruling.SET_BUTTON, 1)
    if view.prompt_code == "paused":
        yield rule(world, Ruling.RESUME)
    if view.prompt_code == "too_few_seats":
        seated = ev.Ruled(0, ruling=Ruling.SEATS, by="director", reason="so", seats=facts.setup.seats)
        yield Move("the players sit down again", world, (seated,))
    if view.prompt_code == "too_many_seats":
        seated = ev.Ruled(0, ruling=Ruling.SEATS, by="director", reason="so", seats=facts.setup.seats[:-1])
        yield Move("a player leaves", world, (seated,))
    if view.prompt_code == "tournament_over":
        yield rule(world, Ruling.CLOSE)
    if view.prompt_code == "outside_hours":
        clock = ev.WallClock(0, WALL_S + facts.now_s, AFTERNOON_S, True)
        yield Move("the afternoon comes", world, (clock,))
    if view.prompt_code == "began":
        told = ev.Ruled(0, ruling=Ruling.BEGAN, by="director", reason="so", value=BEGAN_MIN)
        yield Move("the director says when it began", world, (told,))
    if Key.START in view.lit:
        yield press(world, Key.START)
    if view.prompt_code == "count":
        yield press(world, Key.COUNT)
    if view.prompt_code == "change":
        yield press(world, Key.DECK)
    if view.prompt_code == "new_set_required":
        yield starts(world, _new_set(facts), facts, "a new set is enrolled")
    elif (
        view.prompt_code in ("one_deck", "decks_alike")
        or _alike(facts)
        or (view.prompt_code == "held" and not facts.deck)
    ):
        yield starts(world, facts.renewed, facts, "a second deck is enrolled")


def _alike(facts: Facts) -> bool:
    """Tell whether two decks are listed with one back (1804B(6))."""
    backs = [info.back for info in facts.setup.decks]
    return len(set(backs)) < len(backs)


def _new_set(facts: Facts) -> Setup:
    """A new set is two new decks: the one that is still in play goes too (1804B(8))."""
    listed = {info.name for info in facts.setup.decks}
    decks = tuple(
        replace(info, name=next_name(info.name)) if info.slot == facts.deck and info.name in listed else info
        for info in facts.renewed.decks
    )
    return replace(facts.renewed, decks=decks)


def next_name(name: str) -> str:
    """Return what the deck is called that takes the place of this one."""
    slot, number = name.split(".")
    return f"{slot}.{int(number) + 1}"


def starts(world: World, setup: Setup, facts: Facts, label: str, boot: str = "1", fault: str = "") -> Move:
    """The station starts anew; the machine keeps the hold that it has."""
    after = replace(world, looked=False, greeting=True, earlier=world.held)
    told = ev.Started(0, setup=setup, memory=Memory(session=facts.session + 1), boot_id=boot)
    return Move(label, after, (told,), fault)


def collected(world: World) -> Iterator[Move]:
    """Every card of the deck that lies on the table is taken into the dealer's hand."""
    table = [card for card in outside(world) if world.cards[card] not in (HAND, BOX, MACHINE, INFEED)]
    if table:
        after, told = moved(world, table, HAND)
        yield Move("the cards are collected", after, tuple(told))


def _gather(world: World, view: View) -> Iterator[Move]:
    if view.phase in ("gathering", "opening"):
        collecting = list(collected(world))
        yield from collecting
        if collecting:
            return
    command = world.queue[0] if world.queue else None
    taken = not (world.lost or world.why or gated(world) or (world.by_hand and by_hand.goes_on(view)))
    if isinstance(command, cmd.Return) and taken:
        cards = [card for card in outside(world) if world.cards[card] in (HAND, INFEED)]
        yield fed(world, command, cards)


def fed(world: World, command: cmd.Return, cards: list[Token]) -> Move:
    """The machine takes cards in, one by one past the infeed reader; its RETURN ends."""
    told: list[ev.Event] = []
    for card in cards:
        world, into = moved(world, [card], INFEED)
        world, away = moved(world, [card], MACHINE)
        told += into + away
    result = Result.DONE if len(cards) == command.expect else Result.WRONG_NUMBER
    told.append(ev.CycleEnded(0, command.id, Cycle.RETURN, result, len(cards)))
    after = replace(
        world,
        queue=world.queue[1:],
        last_id=max(world.last_id, command.id),
        believed=world.believed + len(cards),
        token_id=0,
        deal_id=0,
        by_hand=world.by_hand and world.open_hand is not None,
    )
    return Move(f"{len(cards)} cards are fed in" if cards else "nothing is fed in", after, tuple(told))


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
        return hand is None or not hand.flying or world.cards.get(hand.flying) == hand.due
    if view.prompt_code == "doubled" and hand is not None:
        return all(belongs(hand, card, world.cards.get(card, MACHINE)) for card in hand.homes)
    return True


def _put_right(world: World, hand: Hand) -> Iterator[Move]:
    if hand.flying and hand.followed and world.cards.get(hand.flying) != hand.due:
        yield lay(world, hand, hand.due, label=f"it is laid to {hand.due}")
    for card, home in hand.homes.items():
        place = world.cards.get(card, MACHINE)
        if place not in (HAND, MACHINE) and not belongs(hand, card, place):
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
