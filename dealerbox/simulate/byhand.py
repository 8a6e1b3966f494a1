"""Dealing by hand when the machine cannot go on (C15): the stub out, shown, and dealt from the dealer's hand."""

from typing import TYPE_CHECKING

from dealerbox.model.keys import Key
from dealerbox.model.view import View
from dealerbox.model.zones import BURN
from dealerbox_drivers.felt import BEHIND_GATE, BOX, HAND, MACHINE

if TYPE_CHECKING:
    from dealerbox.simulate.people import Acts, Dealer

SHOWN_S = 0.3
LIFTED_S = 0.5
"""How long a card lies at the burn reader to be shown, and how long until the next one does."""


def go_on(dealer: "Dealer", view: View) -> "Acts":
    """Do what the panel asks while MANUAL stands."""
    match view.prompt_code:
        case "manual_empty":
            yield from _take_out(dealer)
        case "manual_show":
            yield from show(dealer)
        case "manual_order":
            yield dealer.pause(0.5, 1.5)
            kept = dealer.rng.random() < 0.5
            if not kept:
                dealer.rng.shuffle(dealer.stub)
            dealer.table.press(Key.ACK if kept else Key.NO, badge=dealer.badge)
        case "manual_shuffled":
            yield dealer.pause(5.0, 15.0)
            dealer.stub = [card for card in dealer.deck if dealer.felt.place_of(card) != BOX]
            dealer.rng.shuffle(dealer.stub)
            dealer.table.press(Key.ACK, badge=dealer.badge)
            dealer.counted_ns = dealer.table.now_ns
        case _ if Key.ACK in view.lit:
            yield dealer.pause(0.5, 1.5)
            dealer.table.press(Key.ACK, badge=dealer.badge)
        case _:
            dealer.wonder(f"{view.prompt_code}: {view.prompt}")
            yield 1.0


def _take_out(dealer: "Dealer") -> "Acts":
    yield dealer.pause(1.5, 3.0)
    dealer.table.open_door()
    dealer.stub = [*dealer.felt.at(BEHIND_GATE), *dealer.felt.at(MACHINE)]
    for card in dealer.stub:
        dealer.felt.put(card, HAND)
    yield dealer.pause(2.0, 5.0)
    dealer.table.close_door()
    yield 0.5
    dealer.by_hand = True
    dealer.table.press(Key.ACK, badge=dealer.badge)


def take_deck(dealer: "Dealer", view: View) -> "Acts":
    """Take the whole shuffled deck out of the shuffler, look, and say so (C4 `hand`)."""
    yield dealer.pause(0.5, 1.5)
    if dealer.felt.at(MACHINE):
        dealer.table.open_door()
        dealer.stub = [*dealer.felt.at(BEHIND_GATE), *dealer.felt.at(MACHINE)]
        for card in dealer.stub:
            dealer.felt.put(card, HAND)
        yield dealer.pause(0.5, 1.5)
        dealer.table.close_door()
        yield 0.5
    if Key.ACK in dealer.table.view().lit and not dealer.table.down:
        dealer.by_hand = dealer.given = True
        dealer.table.press(Key.ACK, badge=dealer.badge)


def show(dealer: "Dealer") -> "Acts":
    """Show each card of the stub singly at the burn reader."""
    for card in dealer.stub:
        dealer.felt.put(card, BURN)
        yield dealer.shown_s
        dealer.felt.put(card, HAND)
        yield dealer.lifted_s
