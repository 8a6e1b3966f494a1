"""What the checker makes of PREMATURE, and of cards that go back into the stub (1811(2), C6-C8).

From the law page alone.
"""

from typing import Final

from dealerbox.model.cards import Uid
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import ASIDE, BOARD, BURN
from dealerbox.simulate.truth_hand import Hand, Mix

REASONS: Final = {1: Reason.PREMATURE_FLOP, 2: Reason.PREMATURE_TURN, 3: Reason.PREMATURE_RIVER}
CARDS: Final = {1: 3, 2: 1, 3: 1}
"""Board cards by street."""


def called_premature(hand: Hand) -> None:
    """Take PREMATURE, which the station took: the round was not complete when the open street came."""
    street = hand.closed
    if hand.acted_on:
        hand.late = True
        return
    coming = sum(1 for zone in hand.on_the_way().values() if zone == BOARD)
    if CARDS[street] - hand.streets[street].count(BOARD) + coming:
        hand.early = REASONS[street]
        hand.recalled = True
        taken_back(hand)
    else:
        hand.closed -= 1  # the burn stays (1812)


def taken_back(hand: Hand) -> None:
    """Once no card is on its way, the street that was recalled is owed again, and the round before it is open."""
    if not hand.recalled or hand.on_the_way():
        return
    hand.recalled = False
    street = hand.closed
    if street == 1:
        hand.streets[1] = [BOARD] * CARDS[1]
        goes_back(hand, board(hand))
    else:
        hand.streets[street] = [BURN, BOARD]
        hand.lay_aside = board(hand)[-1]
        del hand.home[hand.lay_aside]
    hand.closed -= 1


def board(hand: Hand) -> list[Uid]:
    """Return the board cards, as they were dealt."""
    return [card for card, zone in hand.dealt_to.items() if zone == BOARD == hand.home.get(card)]


def goes_back(hand: Hand, cards: list[Uid]) -> None:
    """These cards are to go back into the stub; until they are they belong nowhere."""
    hand.going_back = hand.going_back + cards
    for card in cards:
        hand.home.pop(card, None)


def laid_aside(hand: Hand, card: Uid) -> bool:
    """Tell whether this is the card that came too early: aside it waits until the river is due."""
    if card != hand.lay_aside:
        return False
    hand.lay_aside = hand.early = None
    hand.home[card] = ASIDE
    hand.waiting.append(card)
    return True


def river_due(hand: Hand) -> None:
    """The turn's round is complete: what waits aside goes back before the river is burned (C6, C7)."""
    waiting, hand.waiting = hand.waiting, []
    goes_back(hand, waiting)


def is_back(hand: Hand, card: Uid) -> bool:
    """Tell whether a card of the stub's is back in it, which is to be shuffled and cut then."""
    if card not in hand.going_back:
        return False
    hand.going_back.remove(card)
    del hand.dealt_to[card]
    hand.mix = Mix.SHUFFLE
    if not hand.going_back and hand.early is Reason.PREMATURE_FLOP:
        hand.early = None
    return True


def dealt_anew(hand: Hand) -> None:
    """TO_STUB of a street on which players have acted: its board cards go back, and are owed again at once."""
    number = CARDS[hand.closed]
    goes_back(hand, board(hand)[-number:])
    hand.streets[hand.closed][:0] = [BOARD] * number
    hand.late = False


def shuffled(hand: Hand) -> None:
    """The machine has shuffled the stub."""
    if hand.mix is Mix.SHUFFLE and not hand.going_back:
        hand.mix = Mix.CUT


def cut(hand: Hand) -> None:
    """CUT; a stub in the dealer's hand was shuffled by the same word."""
    if hand.mix is Mix.CUT or (hand.manual and not hand.going_back):
        hand.mix = Mix.DONE


def not_ready(hand: Hand) -> list[str]:
    """Return why the stub is not to be dealt from."""
    why = [f"{len(hand.going_back)} cards are not back in the stub"] if hand.going_back else []
    return [*why, f"the stub waits for its {hand.mix}"] if hand.mix else why
