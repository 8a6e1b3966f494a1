"""Which holds the law page asks for, by the checker's account of a table."""

from dealerbox.model.cards import Kind, Token, Uid, deck_of, kind_of
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import ASIDE, BOARD, BURN, INFEED, MUCK, Zone, is_zone, seat_number
from dealerbox.simulate.truth import EXIT_PLACES, Truth
from dealerbox.simulate.truth_dead import REASONS
from dealerbox.simulate.truth_hand import Hand

Condition = tuple[Reason, str]
"""Why a hold is due, and about what (a tag, a device, a seat)."""

UNSURE = (
    Reason.JAM,
    Reason.DOOR_OPEN,
    Reason.NOT_EMPTY,
    Reason.RECOUNT,
    Reason.DEVICE_LOST,
    Reason.UNACCOUNTED_DISPENSE,
    Reason.DOUBLE_FEED,
)
"""What may be held for while nobody knows what is in the machine."""


def standing(truth: Truth) -> set[Condition]:
    """Return every condition that stands now and that the page answers with a hold."""
    due: set[Condition] = {(Reason.DEVICE_LOST, device) for device in truth.lost | truth.absent}
    due |= _strange(truth)
    hand = truth.hand
    if hand is None:
        return due
    if truth.asks_ack:
        due.add((Reason.RESTARTED, ""))
    if hand.out and set(truth.felt.button) - {hand.button}:
        due.add((Reason.BUTTON_MOVED, ""))
    due |= set(hand.dead_cards)
    due |= {(hand.early, BOARD)} if hand.early else set()
    due |= {(Reason.PREMATURE_LATE, BOARD)} if hand.late else set()
    for card, wanted in hand.on_the_way().items():
        due |= _misplaced(truth, card, wanted)
    if hand.owed() and not hand.one_left():
        due |= _astray(truth, hand)
    return due


def grounds(truth: Truth) -> set[Condition]:
    """Return what allows a hold and does not ask for one.

    A machine of which nobody knows what is in it, a defective deck that is not yet away.
    """
    machine = truth.machine
    may = {(reason, "shuffler") for reason in UNSURE} if machine.unsure or machine.unproved else set()
    if machine.miscounted or machine.unread() or machine.searched:
        may.add((Reason.RECOUNT, "shuffler"))
    if machine.read_clean is not None:
        may.add((Reason.RECOUNT, "table"))
    if machine.searched_twice():
        may.add((Reason.CARD_MISSING, "deck"))
    if truth.hand is not None and truth.hand.wanted == ASIDE and truth.hand.released is not None:
        may |= {(reason, ASIDE) for reason in REASONS.values()}
    if truth.hold_found:
        may.add((Reason.RESTARTED, ""))
    if machine.deck in machine.retired:
        may.add((Reason.DEFECTIVE_DECK, "deck"))
    return may


def _strange(truth: Truth) -> set[Condition]:
    """Tags that are no card of the deck in play, where a reader can see them."""
    due: set[Condition] = set()
    machine = truth.machine
    judged = truth.hand is not None or machine.deck in machine.retired  # a void hand's deck is out, and stays found out
    for uid, place in truth.on_table().items():
        if truth.slot(uid) == machine.deck:
            continue
        name = truth.names.get(uid, Token(1))
        kind = kind_of(name)
        if kind is Kind.FOREIGN:
            due.add((Reason.FOREIGN_CARD, uid))
        elif kind is Kind.JOKER and (judged or place == INFEED):
            due.add((Reason.JOKER_PRESENT, uid))
        elif kind is Kind.CARD and judged and machine.deck and deck_of(name) != machine.deck:
            due.add((Reason.OTHER_DECK, uid))
    return due


def _misplaced(truth: Truth, card: Uid, wanted: Zone) -> set[Condition]:
    place = truth.felt.place_of(card)
    if truth.hand is not None and truth.hand.other_burned(card, wanted, place):
        return {(Reason.UNBURN_OTHER, card)}
    if not is_zone(place) or place == wanted:
        return set()
    if not wanted:
        return {(Reason.TOO_MANY_CARDS if seat_number(Zone(place)) else Reason.ROUND_OPEN, card)}
    if seat_number(wanted) and seat_number(Zone(place)):
        return {(Reason.WRONG_SEAT, card)}
    if (wanted, place) == (BURN, BOARD):
        return {(Reason.BURN_MISSING, card)}
    if (wanted, place) == (BOARD, BURN):
        return {(Reason.BURN_EXTRA, card)}
    return {(Reason.WRONG_ZONE, card)}


def _astray(truth: Truth, hand: Hand) -> set[Condition]:
    due: set[Condition] = set()
    homes = hand.home
    for uid, place in truth.on_table().items():
        home = homes.get(uid)
        if place == home or place in EXIT_PLACES or truth.slot(uid) is None:
            continue
        if home is None:
            if uid in truth.machine.inside and not hand.manual and place != INFEED:
                due.add((Reason.NOT_RELEASED, uid))
        elif home == BURN and place == MUCK:
            due.add((Reason.BURN_IN_MUCK, uid))
        elif home in (MUCK, ASIDE):
            if place != MUCK:
                due.add((Reason.DEAD_CARD_BACK, uid))
        else:
            due.add((Reason.CARD_STRAYED, uid))
    return due
