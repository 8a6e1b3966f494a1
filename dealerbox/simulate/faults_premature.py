"""Streets that came before the betting round was complete: NEXT was pressed too early, and PREMATURE says so."""

from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import BOARD, BURN
from dealerbox.simulate.faults import Kind
from dealerbox.simulate.faults_told import HEARD_S
from dealerbox.simulate.people import Acts, Dealer

ONLY_BURNED = "premature_burn"


def _round_goes_on(dealer: Dealer) -> bool:
    """Tell whether somebody may have had to act on the street before."""
    hand = dealer.hand
    return hand is not None and hand.street > 0 and len(hand.live) > 1 and not dealer.all_in


def _on_its_way(dealer: Dealer) -> bool:
    return dealer.moment == "card" and not dealer.by_hand and dealer.table.view().released


def _came(dealer: Dealer) -> bool:
    """The street lies and nobody has acted on it; or a board card of it is on its way. Each street has its hands."""
    hand = dealer.hand
    if hand is None or not _round_goes_on(dealer) or hand.street <= dealer.hands % 3:
        return False
    lies = dealer.moment == "round" and not hand.next and dealer.fresh
    return lies or (_on_its_way(dealer) and dealer.wanted == BOARD)


def _said(dealer: Dealer) -> Acts:
    """PREMATURE; a card on its way is laid before anything is taken back."""
    yield dealer.pause(0.1, 0.6)
    dealer.table.press(Key.PREMATURE)
    dealer.too_soon = True
    if dealer.moment == "round":
        dealer.reopen()
    yield dealer.pause(*HEARD_S)


def _premature(dealer: Dealer) -> Acts:
    """A flop, turn or river comes before the betting round is complete (1811(2))."""
    yield from _said(dealer)


def _burned(dealer: Dealer) -> Acts:
    """The burn comes before the betting round is complete (1812)."""
    yield from _said(dealer)


def _late(dealer: Dealer) -> Acts:
    """A street came before its round was complete, and players have acted on it when it is noticed (1811(2), 1830)."""
    dealer.table.press(Key.ACTION)
    dealer.fresh = False
    yield dealer.pause(*HEARD_S)
    dealer.table.press(Key.PREMATURE)
    yield dealer.pause(*HEARD_S)


STREETS: dict[str, Kind] = {
    "premature": Kind(
        ("round", "card"),
        frozenset({Reason.PREMATURE_FLOP, Reason.PREMATURE_TURN, Reason.PREMATURE_RIVER}),
        _came,
        _premature,
    ),
    ONLY_BURNED: Kind(
        ("card",),
        frozenset({Reason.PREMATURE_BURN}),
        lambda dealer: _round_goes_on(dealer) and _on_its_way(dealer) and dealer.wanted == BURN,
        _burned,
    ),
    "premature_late": Kind(
        ("round",),
        frozenset({Reason.PREMATURE_LATE}),
        lambda dealer: _round_goes_on(dealer) and dealer.hand is not None and not dealer.hand.next,
        _late,
    ),
}
