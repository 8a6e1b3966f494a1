"""The machine cannot go on: the stub out, proved, dealt from the dealer's hand; and back to the machine (C15)."""

from bench.lawful.between import Evening
from bench.lawful.happenings import gate_opens
from bench.lawful.table import at
from dealerbox.model import events as ev
from dealerbox.model.cards import Token, token
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import BURN


@at("asked", "manual")
@at("round", "manual")
def manual(evening: Evening) -> bool:
    """The machine is lost or jams; MANUAL; nothing left in it; the stub shown, its order kept or not; on by hand."""
    world, machine = evening.world, evening.world.machine
    if world.by_hand or evening.suspect or gate_opens(evening):
        return False
    jammed = evening.chance(0.3)
    reason = Reason.JAM if jammed else Reason.DEVICE_LOST
    with evening.judge.first(reason):
        if jammed:
            machine.jam()
        else:
            machine.lose()
            world.tell(ev.DeviceLost(world.now_ns, "shuffler", "silent"))
        world.pause(300, 3000)
    with evening.judge.ends(reason):
        world.press(Key.MANUAL)
    world.check_holds()
    world.pause(500, 2000)
    evening.stub = take_out(evening)
    confirm(evening, "asked if anything is left in the machine")
    show(evening, evening.stub)
    asked = "asked if the order was kept"
    world.until(lambda: {Key.ACK, Key.NO} <= set(world.look().lit), asked)
    if evening.chance(0.5):
        world.press(Key.ACK)
    else:
        evening.rng.shuffle(evening.stub)
        world.press(Key.NO)
    if Key.CUT in world.look().lit:  # the machine had shuffled it in mid-hand, and nobody had cut
        world.pause(300, 1500)
        world.press(Key.CUT)
    world.by_hand = True
    world.check()
    return True


def take_out(evening: Evening) -> list[Token]:
    """Every card comes out of the machine, in order."""
    world, machine = evening.world, evening.world.machine
    if machine.lost:
        return machine.empty()
    machine.open_door()
    world.pause(1000, 3000)
    cards = machine.empty()
    machine.close_door()
    world.pause(100, 500)
    return cards


def confirm(evening: Evening, what: str) -> None:
    """ACK, when the panel asks."""
    world = evening.world
    world.until(lambda: Key.ACK in world.look().lit, what)
    world.pause(300, 1500)
    world.press(Key.ACK)


def show(evening: Evening, cards: list[Token]) -> None:
    """Show cards singly at the burn reader."""
    world = evening.world
    world.showing = True
    for card in cards:
        world.arrive(BURN, card)
        world.pause(100, 300)
        world.leave(BURN, card)
        world.pause(50, 300)
    world.showing = False


def gather_by_hand(evening: Evening) -> None:
    """Every card is shown at the burn reader and has entered; the dealer shuffles; or the machine is back."""
    world = evening.world
    cards = [token(world.deck, number) for number in range(1, 53)]
    world.book = {card: world.book.get(card, "stub") for card in cards}
    world.lift(*world.lies)
    world.wait(700)
    evening.rng.shuffle(cards)
    evening.manual_hands += 1
    if evening.manual_hands > 1 or evening.chance(0.5):
        back_to_the_machine(evening, cards)
        return
    show(evening, cards)
    confirm(evening, "asked if the deck is shuffled by hand")
    world.counted_ns = world.now_ns
    evening.judge.noticed[Reason.COUNT_DUE] = 0
    evening.stub = cards
    evening.rng.shuffle(evening.stub)
    world.check()


def back_to_the_machine(evening: Evening, cards: list[Token]) -> None:
    """The machine is ready and empty: every card goes in, a full count, and MANUAL ends."""
    world, machine = evening.world, evening.world.machine
    shuffles = machine.shuffles
    evening.manual_hands = 0
    world.by_hand = False
    machine.proved = True
    if machine.lost:
        machine.lost = False
        world.tell(ev.DeviceBack(world.now_ns, "shuffler"))
        machine.meet()
        world.wait(20)
    if machine.why:
        world.press(Key.MANUAL)
    evening.feed(cards)
    evening.shuffled(shuffles)
    world.wait(1700)
    world.check()
