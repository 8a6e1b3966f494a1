"""What no reader can see, and the dealer says: dead cards (1811(1), 1820), and mucked hands that live again (H6)."""

from collections.abc import Callable

from dealerbox.model.cards import Uid
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import Replacement
from dealerbox.model.zones import ASIDE, BOARD, BURN, MUCK, Zone, seat, seat_number
from dealerbox.simulate.faults import Kind
from dealerbox.simulate.people import BADGE, Acts, Dealer
from dealerbox.simulate.remedies import search
from dealerbox_drivers.felt import HAND

HEARD_S = (0.6, 0.9)
"""How long a key takes through pins and journal, and the dealer to look at the panel."""
BY_DIRECTOR = 0.5
"""How often the director says that a hand lives, and not the dealer."""
MIXED_IN = 0.5
"""How often its cards must be looked for in the muck."""
DEAD = 0.5
"""How often one card of two in the muck makes a dead hand."""


def _fresh(dealer: Dealer) -> bool:
    """Tell whether a street was just dealt, and nobody has acted on it."""
    hand = dealer.hand
    return hand is not None and not hand.next and dealer.fresh and len(hand.live) > 1


def _first_round(dealer: Dealer) -> bool:
    hand = dealer.hand
    return _fresh(dealer) and hand is not None and not hand.street and not hand.action and not hand.folded


def _in_the_hand(dealer: Dealer) -> bool:
    """Tell whether the card let out last is in the dealer's hand, and the station knows which it is."""
    return not dealer.by_hand and dealer.table.view().released


def _face_down(dealer: Dealer) -> bool:
    """A hole card in the dealer's hand, or one of the flop before its last."""
    hand = dealer.hand
    if hand is None or not _in_the_hand(dealer):
        return False
    return bool(seat_number(dealer.wanted)) or (hand.street == 1 and dealer.wanted == BOARD and hand.next_but_one)


def _at_once(dealer: Dealer, key: Key) -> bool:
    holes = dealer.hand is not None and not dealer.hand.street
    after = dealer.table.setup.house.exposed_replacement is Replacement.AFTER_DEAL
    return key is Key.FACED or not (holes and after)


def _said(dealer: Dealer, key: Key, zone: Zone, card: Uid) -> Acts:
    """The key; the card goes aside; another one does its step."""
    assert dealer.hand is not None
    yield dealer.pause(0.1, 0.4)
    dealer.table.press(key, 0 if key is Key.FACED or _no_seats(dealer) else seat_number(zone))
    yield dealer.pause(*HEARD_S)
    dealer.hand.dead(zone, _at_once(dealer, key))
    if dealer.felt.place_of(card) != HAND:
        dealer.felt.put(card, HAND)
        yield dealer.pause(0.2, 0.6)
    else:
        dealer.wanted = ASIDE
    dealer.lay(card, ASIDE)
    yield dealer.pause(0.3, 0.8)


def _no_seats(dealer: Dealer) -> bool:
    """Tell whether the panel has a button for each key, and none for a seat: the card let out last is meant."""
    return dealer.table.level == "wires"


def _hole(dealer: Dealer) -> tuple[Zone, Uid]:
    """Return a hole card that lies, and where: any that the panel can mean."""
    if _no_seats(dealer) and dealer.card is not None:
        return dealer.wanted, dealer.card
    lying = [(seat(number), card) for card, number in dealer.held_by.items()]
    lying = [(zone, card) for zone, card in lying if dealer.felt.place_of(card) == zone]
    return dealer.rng.choice(lying)


def _spoiled(key: Key, words: str) -> Callable[[Dealer], Acts]:
    def do(dealer: Dealer) -> Acts:
        """A card is dead as it is dealt."""
        if dealer.moment == "card" and dealer.card is not None:
            yield from _said(dealer, key, dealer.wanted, dealer.card)
        else:
            yield from _said(dealer, key, *_hole(dealer))

    do.__doc__ = words
    return do


def _faced(dealer: Dealer) -> Acts:
    """A card lay face up in the deck: it is seen so in the dealer's hand, or where it was dealt."""
    if dealer.card is not None:
        yield from _said(dealer, Key.FACED, dealer.wanted, dealer.card)


def _lies_last(dealer: Dealer) -> bool:
    return _fresh(dealer) and dealer.card is not None and dealer.felt.place_of(dealer.card) == dealer.wanted


def _mucked(dealer: Dealer) -> list[int]:
    """Return the seats of the hands that lie in the muck whole."""
    folded = dealer.hand.folded if dealer.hand else set()
    lost = {number for card, number in dealer.held_by.items() if dealer.felt.place_of(card) not in (MUCK, ASIDE)}
    return sorted(folded - lost)


def _of(dealer: Dealer, number: int) -> list[Uid]:
    return [card for card, at in dealer.held_by.items() if at == number and dealer.dealt_to[card] != ASIDE]


def _retrieved(dealer: Dealer) -> Acts:
    """A hand was mucked through no fault of its player, and lives again (1810, 1813)."""
    assert dealer.hand is not None
    number = dealer.rng.choice(_mucked(dealer))
    cards = _of(dealer, number)
    if _no_seats(dealer) or dealer.rng.random() < BY_DIRECTOR:
        dealer.table.rule(Ruling.RETRIEVE, "the dealer took it by mistake", seat=number)
    else:
        dealer.table.press(Key.RETRIEVE, number)
    yield dealer.pause(*HEARD_S)
    if dealer.rng.random() < MIXED_IN:
        yield from search(dealer, dict.fromkeys(cards, BURN))
    yield from _home(dealer, number, cards)
    dealer.hand.folded.discard(number)
    dealer.to_act.append(number)


def _home(dealer: Dealer, number: int, cards: list[Uid]) -> Acts:
    """Cards go back to the player whose they are."""
    for card in cards:
        dealer.felt.put(card, HAND)
    yield dealer.pause(0.2, 0.6)
    for card in cards:
        dealer.lay(card, seat(number))
    yield dealer.pause(0.3, 0.8)


def _three_live(dealer: Dealer) -> bool:
    hand = dealer.hand
    return hand is not None and not hand.last_street and len(hand.live) > 2 and not dealer.all_in


def _half_mucked(dealer: Dealer) -> Acts:
    """One card of two slips into the muck: the hand is dead, or it lives (H6)."""
    assert dealer.hand is not None
    number = dealer.rng.choice(dealer.hand.live)
    cards = _of(dealer, number)
    slipped = dealer.rng.choice(cards)
    dealer.felt.put(slipped, HAND)
    yield dealer.pause(0.1, 0.3)
    dealer.felt.put(slipped, MUCK)
    yield dealer.pause(1.0, 2.5)
    if Key.RETRIEVE not in dealer.table.view().lit:
        dealer.wonder("one card of two in the muck, and nobody asks")
    if dealer.rng.random() < DEAD:
        dealer.table.press(Key.ACK, badge=BADGE)
        yield dealer.pause(0.2, 0.6)
        for card in cards:
            dealer.lay(card, MUCK)
        dealer.hand.folded.add(number)
        dealer.to_act = [other for other in dealer.to_act if other != number]
    else:
        dealer.table.press(Key.RETRIEVE, number)
        yield dealer.pause(*HEARD_S)
        yield from _home(dealer, number, [slipped])


def _costs_nothing(dealer: Dealer) -> bool:
    """A burn, a turn or a river card in the dealer's hand."""
    hand = dealer.hand
    return hand is not None and _in_the_hand(dealer) and (dealer.wanted == BURN or hand.street > 1)


def _flashed_free(dealer: Dealer) -> Acts:
    """A burn, turn or river card is flashed as it is dealt: that costs nothing (C9)."""
    yield dealer.pause(0.1, 0.4)
    dealer.table.press(Key.EXPOSED)
    yield dealer.pause(*HEARD_S)


def _kind(moment: str, fits: Callable[[Dealer], bool], do: Callable[[Dealer], Acts], *reasons: Reason) -> Kind:
    return Kind((moment,), frozenset(reasons), fits, do)


_FLASHED = _spoiled(Key.EXPOSED, "A card meant face down is flashed as it is dealt (1811(1)).")
_OFF = _spoiled(Key.OFF_TABLE, "A card leaves the table as it is dealt (1811(1)).")
IN_THE_AIR: dict[str, Kind] = {
    "exposed_card": _kind("card", _face_down, _FLASHED, Reason.EXPOSED_CARD),
    "exposed_free": _kind("card", _costs_nothing, _flashed_free, Reason.EXPOSED_CARD),
    "off_table": _kind("card", _in_the_hand, _OFF, Reason.OFF_TABLE),
    "faced_card": _kind("card", _in_the_hand, _faced, Reason.FACED_CARD),
}
"""A card that the machine let out, and that does not lie yet."""
TOLD: dict[str, Kind] = {
    **IN_THE_AIR,
    "exposed_lies": _kind("round", _first_round, _FLASHED, Reason.EXPOSED_CARD),
    "off_table_lies": _kind("round", _first_round, _OFF, Reason.OFF_TABLE),
    "faced_lies": _kind("round", _lies_last, _faced, Reason.FACED_CARD),
    "retrieved": _kind("round", lambda dealer: bool(_mucked(dealer)), _retrieved),
    "half_mucked": _kind("round", _three_live, _half_mucked),
}
