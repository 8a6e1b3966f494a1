"""The card machine of the world: what may become of a command, and what goes wrong with it.

A command that is given can still be void while a hold stands, or end as it would have: what had begun goes on.
"""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from bench.closure.hands import Hand
from bench.closure.world import GATE, MACHINE, OUTLET, Move, World, gated, inside, moved, stub
from dealerbox.model import commands as cmd
from dealerbox.model import events as ev
from dealerbox.model.cards import DECK_SIZE, Token
from dealerbox.model.setup import Dispense
from dealerbox.model.shuffler import Cycle, Memory, Result

CAPS: Final = 0x7FFF


def answers(world: World) -> Iterator[Move]:
    """What the machine may do next by itself, nothing being wrong with it."""
    if world.lost:
        return
    if not world.queue:
        return
    command, rest = world.queue[0], world.queue[1:]
    done = replace(world, queue=rest, last_id=max(world.last_id, command.id))
    refusal = _refusal(world, command)
    if refusal:
        yield Move(f"{_name(command)} is void", done, (ev.CommandVoid(0, command.id, refusal),))
        return
    if world.held and isinstance(command, cmd.Dispense | cmd.Release):
        yield Move(f"{_name(command)} is void", done, (ev.CommandVoid(0, command.id, "held"),))
    yield from _done(done, command)


def _name(command: cmd.Permit) -> str:
    return type(command).__name__.lower()


def _refusal(world: World, command: cmd.Permit) -> str:
    full = bool(gated(world))
    match command:
        case cmd.Places():
            return ""
        case cmd.Count() if world.why == "content" and not full:
            return ""
        case _ if world.why:
            return world.why
        case cmd.Dispense() if full:
            return "exit full"
        case cmd.Dispense() if not inside(world):
            return "empty"
        case cmd.Dispense() if (world.token_id if command.first else world.deal_id) != command.deal_id:
            return "no token"
        case cmd.Release() | cmd.Retract() if not full or command.card_id != world.exit_id:
            return "wrong card"
        case cmd.Shuffle() | cmd.Count() | cmd.Return() if full:
            return "exit full"
        case _:
            return ""


def _done(world: World, command: cmd.Permit) -> Iterator[Move]:
    match command:
        case cmd.Dispense():
            yield dispensed(world, command, stub(world))
            yield from (dispensed(world, command, [card]) for card in _in_the_deck(world))
        case cmd.Release():
            cards = gated(world)
            after, told = moved(replace(world, exit_id=0), cards, OUTLET)
            if after.open_hand is not None:
                after = replace(after, open_hand=_let_out(after.open_hand, cards[0], after.dispense is Dispense.GROUP))
            yield Move("the card passes", after, (ev.CardPassed(0, command.id, command.card_id), *told))
        case cmd.Retract():
            after, told = moved(world, gated(world), MACHINE)
            after = replace(after, exit_id=0, deal_id=0, token_id=0, believed=world.believed + 1)
            yield Move("the card goes back", after, (*told, ev.CardRetracted(0, command.id)))
        case cmd.Shuffle() | cmd.Count():
            yield cycled(world, command, inside(world))
        case cmd.Places():
            after = replace(
                world, why="", greeting=True, believed=command.machine, exit_id=command.exit_id, token_id=0, deal_id=0
            )
            yield Move("the machine takes a word", after, (ev.PlacesSet(0, command.id),))
        case _:
            pass


def _let_out(hand: Hand, card: Token, group: bool) -> Hand:
    return replace(hand, flying=card, along=(*hand.along, hand.flying) if group and hand.flying else hand.along)


def _in_the_deck(world: World) -> list[Token]:
    """What else may come up: a stranger, or a card of this hand that was fed in again."""
    again = [card for card in world.open_hand.homes if card not in world.cards] if world.open_hand else []
    return [card for card, place in world.cards.items() if place == MACHINE] + again


def dispensed(world: World, command: cmd.Dispense, cards: list[Token], silent: bool = False) -> Move:
    """DISPENSE is done, and the exit reader reads what came up."""
    if command.first:
        world = replace(world, deal_id=command.deal_id, token_id=0)
    world = replace(world, exit_id=command.id, believed=world.believed - 1)
    after, told = moved(world, cards, GATE, silent)
    return Move("a card comes up", after, (ev.CardUp(0, command.id), *told))


def cycled(world: World, command: cmd.Shuffle | cmd.Count, number: int) -> Move:
    """A cycle ends: the machine has counted `number`."""
    if isinstance(command, cmd.Count):
        after = replace(world, why="", greeting=world.greeting or bool(world.why), believed=number)
        return Move("the machine counts", after, (ev.CycleEnded(0, command.id, Cycle.COUNT, Result.DONE, number),))
    right = number == command.expect
    after = replace(world, deal_id=0, token_id=command.id if right else 0, believed=number)
    hand = world.open_hand
    if right and hand is not None and hand.unmixed:
        after = replace(after, open_hand=replace(hand, unmixed=1))
    result = Result.DONE if right else Result.WRONG_NUMBER
    return Move("the machine shuffles", after, (ev.CycleEnded(0, command.id, Cycle.SHUFFLE, result, number),))


def greeted(world: World, memory: Memory) -> Iterator[Move]:
    """The machine is met: nothing moves in it, and its record is compared with the host's."""
    if world.lost or not world.greeting or world.queue:
        return
    why = world.why
    if not why and (world.believed != memory.machine or world.exit_id != memory.exit_id):
        why = "count" if world.believed != memory.machine else "exit"
    told = ev.ShufflerMet(
        0,
        serial=1,
        epoch=9,
        last_id=world.last_id,
        machine=world.believed if not why else -1,
        exit_id=world.exit_id,
        token_id=world.token_id,
        deal_id=world.deal_id,
        caps=CAPS,
        agreed=not why,
        why=why,
    )
    found = (ev.HoldFound(0, 1, 1, 1),) if world.held and world.earlier else ()
    yield Move("the machine is met", replace(world, greeting=False, earlier=False, why=why), (*found, told))


def mishaps(world: World) -> Iterator[Move]:
    """What may go wrong with the machine."""
    if world.lost:
        return
    locked = replace(world, deal_id=0, token_id=0, greeting=True)
    if world.why != "door":
        yield Move("the door opens", replace(locked, why="door"), (ev.ShufflerLocked(0, "door"),), "door")
    if not world.why:
        yield Move("it locks itself", replace(locked, why="uncertain"), (ev.ShufflerLocked(0, "error"),), "jam")
    lost = replace(world, lost=True, greeting=True)
    yield Move("the machine is lost", lost, (ev.DeviceLost(0, "shuffler", "cable"),), "lost")
    if not world.queue or world.why:
        return
    command, rest = world.queue[0], world.queue[1:]
    done = replace(world, queue=rest, last_id=max(world.last_id, command.id))
    if _refusal(world, command):
        return
    yield Move(f"{_name(command)} is void", done, (ev.CommandVoid(0, command.id, "fenced"),), "void")
    jammed = replace(done, why="uncertain", greeting=True, deal_id=0, token_id=0)
    yield Move(f"{_name(command)} jams", jammed, (ev.Misfed(0, command.id, Result.JAM),), "jam")
    match command:
        case cmd.Dispense():
            yield Move("nothing is fed", done, (ev.Misfed(0, command.id, Result.NO_FEED),), "void")
            two = dispensed(done, command, stub(done, 2))
            told = (ev.Misfed(0, command.id, Result.DOUBLE_FEED), *two.events[1:])
            yield Move("two come up, and it knows", replace(two.world, why="uncertain", greeting=True), told, "double")
            yield Move("two come up", two.world, two.events, "double")
            quiet = dispensed(done, command, stub(done), silent=True)
            yield Move("a silent card comes up", quiet.world, quiet.events, "silent")
        case cmd.Release():
            yield Move("it is not taken", done, (ev.CardNotTaken(0, command.id, command.card_id),), "void")
        case cmd.Count() | cmd.Shuffle():
            yield replace(cycled(done, command, inside(done) - 1), label="it counts one too few", fault="count")
            yield replace(cycled(done, command, inside(done) + 1), label="it counts one too many", fault="count")
            cycle = Cycle.COUNT if isinstance(command, cmd.Count) else Cycle.SHUFFLE
            told = (ev.CycleEnded(0, command.id, cycle, Result.INTERRUPTED, 0),)
            yield Move("it is interrupted", replace(done, deal_id=0, token_id=0), told, "void")
        case _:
            pass


def mended(world: World) -> Iterator[Move]:
    """What people do for the machine, and what it does when they have."""
    if world.lost:
        yield Move("the machine is back", replace(world, lost=False, greeting=True), ())
    elif world.why == "door":
        shut = replace(world, why="content", greeting=True)
        yield Move("the door is shut", shut, (ev.DoorClosed(0),))


def whole(world: World) -> bool:
    """Tell whether all 52 are in the machine."""
    return inside(world) == DECK_SIZE and not gated(world)
