"""What the checker makes of keys that no reader can confirm: cards that are dead as they are dealt (1811(1), 1820, C9).

From the law page alone.
"""

from typing import Final

from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import Replacement
from dealerbox.model.zones import ASIDE, BOARD, BURN, Zone, seat, seat_number
from dealerbox.simulate.truth_hand import Hand

REASONS: Final = {
    Key.EXPOSED: Reason.EXPOSED_CARD,
    Key.OFF_TABLE: Reason.OFF_TABLE,
    Key.FACED: Reason.FACED_CARD,
}


def called_dead(hand: Hand, key: Key, number: int, replacement: Replacement) -> None:
    """Take EXPOSED, OFF_TABLE or FACED about seat `number` (0: none named), which the station took."""
    at_once = key is Key.FACED or hand.closed > 0 or replacement is Replacement.AT_ONCE
    if hand.released is not None and number in (0, seat_number(hand.wanted)):
        if key is not Key.EXPOSED or not _costs_nothing(hand):
            _on_its_way(hand, at_once)
        return
    if key is Key.FACED or not (number or hand.closed):
        zone = hand.home.get(hand.last, BOARD) if hand.last is not None else BOARD
    else:
        zone = seat(number) if number else BOARD
    hand.dead_cards.append((REASONS[key], zone))
    _owed(hand, zone, at_once)


def _costs_nothing(hand: Hand) -> bool:
    """A burn will never be seen; a turn, a river and the flop's last card were to be seen at once."""
    if not hand.closed:
        return False
    return hand.wanted == BURN or hand.closed > 1 or hand.streets[hand.closed].count(BOARD) == 1


def _on_its_way(hand: Hand, at_once: bool) -> None:
    """The released card goes aside; another does the step that it had."""
    street, zone = hand.streets[hand.closed], hand.wanted
    street.remove(zone)
    _owed(hand, zone, at_once)
    street.insert(0, ASIDE)
    hand.wanted = ASIDE


def _owed(hand: Hand, zone: Zone, at_once: bool) -> None:
    street = hand.streets[hand.closed]
    street.insert(0 if at_once else len(street), zone)
