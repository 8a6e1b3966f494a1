"""What people do: deal, play, gather, and what each phase asks of them."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from bench.closure import by_hand
from bench.closure.acts import OPEN, WALL_S, Facts, lay, press, rule, starts
from bench.closure.hands import Hand
from bench.closure.judge import due_now
from bench.closure.machine import mended
from bench.closure.remedies import remedies
from bench.closure.world import BOX, HAND, MACHINE, OUTLET, TWIN, Move, World, gated, moved, outside, told_anew
from dealerbox.model import commands as cmd
from dealerbox.model import events as ev
from dealerbox.model.cards import Token, token
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Setup
from dealerbox.model.shuffler import Cycle, Result
from dealerbox.model.view import View
from dealerbox.model.zones import INFEED, MUCK, seat, seat_number

AFTERNOON_S: Final = 18 * 3600
BEGAN_MIN: Final = 150
"""So long ago the tournament began, says the director: before any hand of the closure."""
NIGHT_NS: Final = 18 * 3600 * 1_000_000_000
"""From the end of an evening of six hours to the next day's."""
PLAIN: Final = ("closed", "open", "gather", "start", "shuffling", "button", "set_button", "deal", "round", "award")
"""Prompts of an evening on which nothing is wrong."""


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
    if hand.back and world.queue and isinstance(world.queue[0], cmd.Return):
        yield given_back(world, hand, world.queue[0])
        return
    if hand.back and world.by_hand and not hand.flying:
        yield by_hand.shown_back(world, hand)
        return
    if hand.flying and world.cards.get(hand.flying) in (OUTLET, HAND) and not world.by_hand:
        yield lay(world, hand, due_now(hand, view))
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
        cards = [card for card in (*outside(world), TWIN) if world.cards.get(card) in (HAND, INFEED)]
        yield fed(world, command, cards)


def given_back(world: World, hand: Hand, command: cmd.Return) -> Move:
    """The cards that go back into the stub are fed in: they are of this hand no more."""
    fed_in = fed(world, command, [card for card in world.cards if card in hand.back])
    homes = {card: home for card, home in hand.homes.items() if card not in hand.back}
    return replace(fed_in, world=replace(fed_in.world, open_hand=replace(hand, homes=homes, back=frozenset())))


def fed(world: World, command: cmd.Return, cards: list[Token]) -> Move:
    """The machine takes cards in, one by one past the infeed reader; its RETURN ends."""
    told: list[ev.Event] = []
    for card in cards:
        world, into = moved(world, [card], INFEED)
        world, away = moved(world, [card], MACHINE)
        passing = [*into, *away]
        told += passing if card != TWIN else [replace(one, tokens=(token(world.deck, 1),)) for one in passing]
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
