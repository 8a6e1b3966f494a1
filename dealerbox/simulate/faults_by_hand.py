"""What goes wrong where the dealer deals from the hand, and what cannot: which kinds of fault a way of dealing has."""

from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import Dispense
from dealerbox.model.zones import BURN, seat
from dealerbox.simulate.faults import KINDS, Kind
from dealerbox.simulate.faults_of_clocks import CLOCKS
from dealerbox.simulate.faults_premature import ONLY_BURNED, STREETS
from dealerbox.simulate.faults_told import IN_THE_AIR, TOLD
from dealerbox.simulate.people import Acts, Dealer
from dealerbox.simulate.remedies import PRESSED_S
from dealerbox_drivers.felt import HAND

MACHINES = frozenset({"card_unseen", "not_released", "manual", "door_opened", "power_lost", ONLY_BURNED, *IN_THE_AIR})
"""Kinds that ask for a machine that lets the cards out."""


def _early_burn(dealer: Dealer) -> Acts:
    """The burn card of the next street is laid before NEXT."""
    dealer.card, dealer.wanted = dealer.stub.pop(0), BURN
    dealer.lay(dealer.card, BURN)
    yield dealer.pause(0.8, 2.0)


def _other_burn(dealer: Dealer) -> Acts:
    """A burn that came too early goes back on top, and after NEXT another card is burned."""
    assert dealer.hand is not None
    yield from _early_burn(dealer)
    assert dealer.card is not None
    dealer.table.press(Key.UNBURN)
    yield PRESSED_S
    dealer.felt.put(dealer.card, HAND)
    dealer.stub.insert(0, dealer.card)
    yield dealer.pause(0.8, 2.0)
    dealer.table.press(Key.NEXT)
    dealer.hand.closed()
    yield dealer.pause(0.3, 0.8)
    dealer.card, dealer.wanted = dealer.stub.pop(1), BURN
    dealer.lay(dealer.card, BURN)
    yield dealer.pause(0.8, 2.0)


def _third_card(dealer: Dealer) -> Acts:
    """A player is dealt a third card."""
    assert dealer.hand is not None
    zone = seat(dealer.rng.choice(dealer.hand.live))
    dealer.card, dealer.wanted = dealer.stub.pop(0), zone
    dealer.lay(dealer.card, zone)
    yield dealer.pause(0.8, 2.0)


def _more_to_come(dealer: Dealer) -> bool:
    hand = dealer.hand
    return dealer.given and hand is not None and not hand.last_street and len(hand.live) > 1


def _first_round(dealer: Dealer) -> bool:
    return _more_to_come(dealer) and dealer.hand is not None and dealer.hand.street == 0


BY_HAND = {
    "early_burn": Kind(("next",), frozenset({Reason.ROUND_OPEN}), _more_to_come, _early_burn),
    "other_burn": Kind(("next",), frozenset({Reason.UNBURN_OTHER}), _more_to_come, _other_burn),
    "third_card": Kind(("round",), frozenset({Reason.TOO_MANY_CARDS}), _first_round, _third_card),
}
EVERY = {**KINDS, **CLOCKS, **TOLD, **STREETS, **BY_HAND}


def kinds_of(way: Dispense) -> tuple[str, ...]:
    """Return the kinds of fault that can happen with cards dispensed so."""
    if way is Dispense.HAND:
        return tuple(name for name in EVERY if name not in MACHINES)
    return (*KINDS, *CLOCKS, *TOLD, *STREETS)
