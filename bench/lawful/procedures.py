"""The premature streets by 1811(2) as the page has them (C6-C8), and a premature burn (1812)."""

from bench.lawful.between import Evening
from bench.lawful.byhand import show
from bench.lawful.happenings import gate_opens
from bench.lawful.table import at
from dealerbox.model.cards import Token
from dealerbox.model.commands import Hold, Notice
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import ASIDE, BOARD, BURN


def may_be_premature(evening: Evening, street: int) -> bool:
    """Tell whether PREMATURE about this street is lawful now: nothing on its way, no ACTION since."""
    hand = evening.hand
    fresh = not hand.acted_on_street and len(hand.live) > 1
    return hand.street == street and fresh and not gate_opens(evening)


def back_into_the_stub(evening: Evening, *cards: Token) -> None:
    """These cards enter the machine, the stub is reshuffled, the dealer cuts."""
    world, machine = evening.world, evening.world.machine
    world.barred = "the cards are not back, shuffled and cut"
    world.lift(*cards)
    if world.by_hand:
        by_hand_into_the_stub(evening, cards)
    else:
        world.until(lambda: machine.taking, "take the cards back")
        for card in cards:
            world.pause(100, 300)
            machine.feed(card)
            world.book.pop(card, None)
    asked = (Key.CUT, Key.ACK) if world.by_hand else (Key.CUT,)
    world.until(lambda: machine.pending is None and any(key in world.look().lit for key in asked), "asked for the cut")
    world.pause(300, 1500)
    evening.hand.back(list(cards))
    world.barred = ""
    world.press(Key.CUT)


def by_hand_into_the_stub(evening: Evening, cards: tuple[Token, ...]) -> None:
    """By hand they are shown singly at the burn reader, and the dealer shuffles (C4)."""
    show(evening, list(cards))
    for card in cards:
        evening.world.book.pop(card, None)
    evening.stub += cards
    evening.rng.shuffle(evening.stub)


@at("asked", "premature_flop")
@at("street", "premature_flop")
def premature_flop(evening: Evening) -> bool:
    """The flop, or some of it, came too early (C8): back, reshuffled, cut; three new ones with no burn."""
    world, hand = evening.world, evening.hand
    if not may_be_premature(evening, 1) or not hand.of(BOARD) or hand.path:
        return False
    with evening.judge.first(Reason.PREMATURE_FLOP):
        world.press(Key.PREMATURE)
    cards = hand.premature()
    world.check_holds()
    with evening.judge.ends(Reason.PREMATURE_FLOP):
        back_into_the_stub(evening, *cards)
    world.check()
    return True


@at("street", "too_many_flop")
def too_many_flop(evening: Evening) -> bool:
    """By hand a fourth card comes with the flop: the community cards go back into the stub (C8)."""
    world, hand = evening.world, evening.hand
    if not world.by_hand or hand.street != 1 or hand.acted_on_street or hand.path or len(hand.live) < 2:
        return False
    card = evening.stub.pop(0)
    with evening.judge.first(Reason.TOO_MANY_FLOP):
        world.lay(BOARD, card)
    hand.due.append(BOARD)
    hand.done(card, BOARD)
    cards = hand.premature()
    world.check_holds()
    with evening.judge.ends(Reason.TOO_MANY_FLOP):
        back_into_the_stub(evening, *cards)
    world.check()
    return True


def aside(evening: Evening, reason: Reason) -> None:
    """PREMATURE: the street's card goes aside, and the round is open again."""
    world, hand = evening.world, evening.hand
    with evening.judge.first(reason):
        world.press(Key.PREMATURE)
    hand.premature()
    world.check_holds()
    with evening.judge.ends(reason):
        world.move(ASIDE, *hand.waiting)
    world.check()


@at("street", "premature_turn", "premature_both")
def premature_turn(evening: Evening) -> bool:
    """The turn came too early (C6): aside; burn, and the would-be river is the turn; it is back before the river."""
    if not may_be_premature(evening, 2) or evening.hand.path:
        return False
    aside(evening, Reason.PREMATURE_TURN)
    return True


@at("street", "premature_river", "premature_both")
def premature_river(evening: Evening) -> bool:
    """The river came too early (C7): aside until the turn's round is complete; back, reshuffled, cut, burn, river."""
    if not may_be_premature(evening, 3) or evening.hand.path not in ("", "C6"):
        return False
    aside(evening, Reason.PREMATURE_RIVER)
    return True


@at("asked", "premature_burn", "unburn")
def premature_burn(evening: Evening) -> bool:
    """Only the burn came too early: the round reopens; the burn stays, or by hand goes back on top (UNBURN, 1812)."""
    world, hand = evening.world, evening.hand
    only_burn = hand.street and hand.due[0] == BOARD and len(hand.due) == (3 if hand.street == 1 else 1)
    fresh = not hand.acted_on_street and not hand.path and len(hand.live) > 1
    if not only_burn or not fresh or (not world.by_hand and gate_opens(evening)):
        return False
    if world.by_hand and "unburn" in evening.names and evening.chance(0.4):
        return unable_to_deal(evening)
    due = list(hand.due)
    named = ((Hold, Reason.PREMATURE_BURN), (Notice, Reason.PREMATURE_BURN))
    with evening.judge.asks(may=named):
        world.press(Key.PREMATURE)
    evening.judge.held.discard(Reason.PREMATURE_BURN)
    if world.by_hand and "unburn" in evening.names:
        world.pause(300, 2000)
        on_top(evening, hand.of(BURN)[-1])
        due.insert(0, BURN)
    hand.reopen(due)
    world.check()
    return True


def on_top(evening: Evening, card: Token) -> None:
    """UNBURN: the burn goes back on top of the stub."""
    world, hand = evening.world, evening.hand
    world.press(Key.UNBURN)
    world.lift(card)
    world.book.pop(card)
    hand.back([card])
    hand.path = "unburned"
    evening.stub.insert(0, card)
    evening.did("unburn")


def unable_to_deal(evening: Evening) -> bool:
    """The round is complete, and yet the street cannot be dealt at once: the burn goes back on top meanwhile."""
    world, hand = evening.world, evening.hand
    card = hand.of(BURN)[-1]
    on_top(evening, card)
    hand.due.insert(0, BURN)
    world.check()
    world.pause(700, 5000)
    if "unburn_other" in evening.names:
        other_burned(evening)
    return True


def other_burned(evening: Evening) -> None:
    """Another card than the one on top is burned (1812): it goes back on top, and the first one is burned."""
    world, hand = evening.world, evening.hand
    evening.did("unburn_other")
    other, first = evening.stub.pop(1), evening.stub.pop(0)
    with evening.judge.first(Reason.UNBURN_OTHER):
        world.lay(BURN, other)
        world.wait(world.setup.house.scan_ms)
    world.pause(200, 2000)
    world.check_holds()
    evening.happens("held", 0.15)
    world.lift(other)
    if evening.chance(0.7):
        world.pause(650, 2000)
    evening.stub.insert(0, other)
    with evening.judge.ends(Reason.UNBURN_OTHER):
        world.lay(BURN, first)
        world.pause(650, 1500)
        if Key.ACK in world.look().lit:  # it was covered before its reader missed it
            world.press(Key.ACK)
    world.book.pop(other)
    hand.done(first, BURN)
    world.check()
