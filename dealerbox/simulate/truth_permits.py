"""What a release would break, by the checker's account of a table."""

from dealerbox.model.cards import DECK_SIZE
from dealerbox.simulate.truth import Truth
from dealerbox.simulate.truth_hand import Hand
from dealerbox.simulate.truth_premature import not_ready


def forbids(truth: Truth, at_ns: int) -> list[str]:
    """Return why the page does not allow a card out now; empty: it does."""
    hand = truth.hand
    if hand is None:
        return ["no hand is open"]
    why = []
    if hand.manual:
        why.append("the deal goes on by hand")
    if hand.released is not None and not (truth.grouped() and hand.comes_next() == hand.wanted):
        why.append(f"the card before was not seen at {hand.wanted}")
    elif not hand.step():
        why.append("the round is not closed" if hand.owed() else "nothing remains to be dealt")
    why += [f"a card of {zone} is dead and not aside ({reason})" for reason, zone in hand.dead_cards]
    why += not_ready(hand)
    at_gate = truth.felt.at("behind_gate")
    if len(at_gate) != 1 or any(truth.alien(uid) for uid in at_gate):
        why.append(f"at the gate: {', '.join(at_gate) or 'nothing'}")
    if not hand.out:
        why += forbids_first(truth, at_ns, hand)
    return why


def forbids_first(truth: Truth, at_ns: int, hand: Hand) -> list[str]:
    """Return why no card of this hand may leave the shuffler (H1)."""
    machine = truth.machine
    why = []
    inside = {uid for uid in machine.inside if not truth.alien(uid)}
    if machine.unemptied:
        why.append("the machine was without power, and not emptied since")
    if machine.read_clean is not None:
        why.append("the deck was not read anew after a strange tag lay on the table")
    if len(inside) != DECK_SIZE or len(machine.inside) != DECK_SIZE:
        why.append(f"the deck has {len(inside)} cards of {len(machine.inside)}")
    if machine.deck in machine.retired:
        why.append("the deck is out of play")
    if not machine.shuffled:
        why.append("the last completed cycle was no shuffle")
    if hand.button not in truth.may_lie and truth.may_lie:
        why.append(f"the button lies at {hand.button}, not at {truth.may_lie}")
    why += _outside_hours(truth, at_ns)
    if machine.owes_count:
        why.append("the full count after a mid-hand proof is owed")
    if truth.setup:
        house = truth.setup.house
        if at_ns - machine.counted_ns > (house.count_every_min - house.last_hand_margin_min) * 60_000_000_000:
            why.append("the count is overdue")
    return why


def _outside_hours(truth: Truth, at_ns: int) -> list[str]:
    """Why 1827 allows no hand now: the tournament has not begun and it is before 13:30, or six hours are near."""
    if truth.began_ns:
        margin_min = truth.setup.house.last_hand_margin_min if truth.setup else 0
        over = at_ns - truth.began_ns > (360 - margin_min) * 60_000_000_000
        return ["the six hours of the tournament are over"] if over else []
    if truth.hour is None:
        return ["nobody knows the hour"]
    then_ns, day_s = truth.hour
    early = (day_s + (at_ns - then_ns) // 1_000_000_000) % 86_400 < 13 * 3600 + 30 * 60
    return ["it is before 13:30"] if early else []
