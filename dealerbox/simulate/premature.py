"""What people do about a street that came too early (1811(2), C6-C8): aside, or back into the stub."""

from typing import TYPE_CHECKING

from dealerbox.model.keys import Ruling
from dealerbox.model.zones import ASIDE, BURN, INFEED
from dealerbox_drivers.felt import HAND

if TYPE_CHECKING:
    from dealerbox.simulate.people import Acts, Dealer

RULED_BACK = 0.5
"""How often the director has a street dealt anew on which players have acted."""


def lay_aside(dealer: "Dealer") -> "Acts":
    """The turn or river goes aside until it may go back (C6, C7)."""
    if not dealer.going_back:
        dealer.wonder("a card is to go aside, and I know of none that came too early")
        yield 1.0
        return
    card = dealer.going_back[-1]
    yield dealer.pause(0.2, 0.8)
    dealer.felt.put(card, HAND)
    yield dealer.pause(0.2, 0.6)
    dealer.lay(card, ASIDE)
    yield 0.6


def give_back(dealer: "Dealer") -> "Acts":
    """What came too early goes back into the stub: into the machine, or by hand shown singly at the burns (C4)."""
    if not dealer.going_back:
        dealer.wonder("cards are to go back into the stub, and I know of none")
        yield 1.0
    elif dealer.by_hand:
        yield from _mix_in(dealer)
    else:
        yield from _feed(dealer)


def _feed(dealer: "Dealer") -> "Acts":
    """The infeed takes them once nothing is behind the gate."""
    for card in tuple(dealer.going_back):
        yield dealer.pause(0.2, 0.6)
        if not dealer.table.taking():
            return
        dealer.felt.put(card, HAND)
        yield dealer.pause(0.1, 0.3)
        dealer.felt.put(card, INFEED)
        _is_the_stubs(dealer)
    yield 0.5


def _mix_in(dealer: "Dealer") -> "Acts":
    for card in tuple(dealer.going_back):
        dealer.felt.put(card, HAND)
        yield dealer.pause(0.2, 0.6)
        dealer.felt.put(card, BURN)
        yield dealer.shown_s
        dealer.felt.put(card, HAND)
        yield dealer.lifted_s
        dealer.stub.append(card)
        _is_the_stubs(dealer)
    dealer.rng.shuffle(dealer.stub)
    yield dealer.pause(1.0, 3.0)


def _is_the_stubs(dealer: "Dealer") -> None:
    del dealer.dealt_to[dealer.going_back.pop(0)]


def acted_on(dealer: "Dealer") -> "Acts":
    """Players have acted on it: the director lets the street stand, or has it dealt anew (1830)."""
    yield dealer.pause(1.0, 3.0)
    if dealer.hand is None:
        return
    if dealer.rng.random() < RULED_BACK:
        dealer.table.rule(Ruling.TO_STUB, "dealt before the round was complete")
        dealer.going_back += dealer.hand.dealt_anew(dealer.board())
    else:
        dealer.table.rule(Ruling.STAND, "all have acted on it")
    yield 0.5
