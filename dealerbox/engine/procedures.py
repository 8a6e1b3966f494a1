"""Streets that came too early (1811(2)), and cards that go back into the stub."""

from typing import Final

from msgspec.structs import replace

from dealerbox.engine.dead import SET_ASIDE, dead
from dealerbox.engine.facts import by_hand, in_hand, on_its_way, travelling
from dealerbox.engine.holds import end_holds, hold, notice, refuse
from dealerbox.engine.phases import Phase, Trigger, move
from dealerbox.engine.state import (
    NO_CARD,
    SIGHT,
    Card,
    Condition,
    Proof,
    Released,
    Standing,
    State,
    arrived,
    change,
    kept,
    remember,
)
from dealerbox.law.plan import BOARD_CARDS, PRECEDING, Step, Street
from dealerbox.model.cards import Token, is_card_of, is_unidentified
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import ASIDE, BOARD, BURN, INFEED, Zone, seat_number

SENT_BACK: Final = frozenset({Reason.PREMATURE_FLOP, Reason.TOO_MANY_FLOP})
"""Holds that end when the community cards are the stub's again (C8)."""
SAID: Final = SET_ASIDE | SENT_BACK | {Reason.PREMATURE_LATE, Reason.MISDEAL}
"""Holds that a key raises."""
CALLED: Final = frozenset({Key.EXPOSED, Key.OFF_TABLE, Key.FACED, Key.PREMATURE, Key.RETRIEVE})
"""Keys that stand until a card moves: until then they can be taken back, but for RETRIEVE, and are not said twice."""
_PREMATURE: Final = {
    Street.FLOP: Reason.PREMATURE_FLOP,
    Street.TURN: Reason.PREMATURE_TURN,
    Street.RIVER: Reason.PREMATURE_RIVER,
}


# Streets that came too early (1811(2), C6-C8).


def premature(state: State) -> State:
    """PREMATURE: the round was not complete when this street came."""
    street = state.street
    if not may_be_premature(state):
        return refuse(state, Reason.NOT_NOW, "premature")
    before = kept(state)
    if state.street_acted:
        return remember(before, hold(state, Reason.PREMATURE_LATE, Condition.DIRECTOR), Key.PREMATURE)
    owed = sum(1 for step in state.plan if step.street is street and step.zone == BOARD)
    coming = travelling(state) if state.released is not None and state.released.step.zone == BOARD else 0
    if BOARD_CARDS[street] - owed + coming:
        return remember(before, _recall(state, _PREMATURE[street]), Key.PREMATURE)
    state = notice(state, Reason.PREMATURE_BURN, BURN)
    return remember(before, _reopen(state), Key.PREMATURE)


def may_be_premature(state: State) -> bool:
    """Tell whether PREMATURE can mean this street: the first one cannot come too early, nor one twice.

    Pressed again before anything has happened it is not said of the street before as well.
    """
    street = state.street
    again = state.undo is not None and state.undo.key is Key.PREMATURE
    return in_hand(state) and street is not Street.PREFLOP and not (state.recalled or again)


def too_many(state: State, card: Token) -> State:
    """A fourth card came with the flop (C8); after ACTION on the round since, only the director helps."""
    state.out, state.last_out = {**state.out, card: Card(BOARD, BOARD, BOARD)}, card
    if state.street_acted:
        return hold(state, Reason.PREMATURE_LATE, Condition.DIRECTOR, zone=BOARD, token=card)
    return _recall(state, Reason.TOO_MANY_FLOP)


def _recall(state: State, reason: Reason) -> State:
    """Hold now; the street is taken back once no card is on its way."""
    state.recalled = True
    return taken_back(hold(state, reason, SIGHT, zone=BOARD))


def taken_back(state: State) -> State:
    """Take the street back that was recalled, once no card is on its way: its round is open again."""
    if not state.recalled or travelling(state):
        return state
    state.recalled = False
    street = state.street
    owed = sum(1 for step in state.plan if step.street is street and step.zone == BOARD)
    if BOARD_CARDS[street] <= owed:  # the card that had its permit was not let out: the burn alone has come
        state = end_holds(state, lambda h: h.reason is _PREMATURE[street])
        return _reopen(notice(state, Reason.PREMATURE_BURN, BURN))
    board = [card for card, record in state.out.items() if record.dealt == BOARD]
    if street is Street.FLOP:
        later = tuple(step for step in state.plan if step.street is not street)
        state.plan = (Step(street, BOARD),) * BOARD_CARDS[street] + later
        return send_back(_reopen(state), board)
    return _waits_aside(state, board[-1])


def laid_aside(state: State, released: Released) -> State | None:
    """The turn or the river, called premature on its way, is laid aside at once; None: it is no such card."""
    if not state.recalled or state.street is Street.FLOP or released.step.zone != BOARD:
        return None
    state.recalled = False
    state.out = {**state.out, released.token: Card(ASIDE, ASIDE, ASIDE)}
    reason = _PREMATURE[state.street]
    return end_holds(_waits_aside(arrived(state, released.token), released.token), lambda h: h.reason is reason)


def _waits_aside(state: State, card: Token) -> State:
    """A premature turn or river is to lie aside; behind a burn another one comes (C6, C7)."""
    street = state.street
    later = tuple(step for step in state.plan if step.street is not street)
    state.plan = (Step(street, BURN), Step(street, BOARD), *later)
    state.holds = tuple(replace(h, token=card) if h.reason is _PREMATURE[street] else h for h in state.holds)
    state.waiting = (*state.waiting, card)
    return _reopen(dead(state, card))


def _reopen(state: State) -> State:
    state.phase, state.street = move(state.phase, Trigger.REOPENED), PRECEDING[state.street]
    return state


# Cards that go back into the stub.


def send_back(state: State, cards: list[Token]) -> State:
    """These cards go back into the stub, which is then shuffled and cut (C4, C16)."""
    return change(state, returning=state.returning | frozenset(cards))


def is_back(state: State, card: Token) -> State:
    """A card that was sent back is the stub's again: read on its way in, or by hand shown at the burns."""
    state.out = {other: record for other, record in state.out.items() if other != card}
    state.strays = tuple(other for other in state.strays if other != card)
    state.returning -= {card}
    state.waiting = tuple(other for other in state.waiting if other != card)
    state.undo = None
    state.order_lost = state.manual is None
    state.unburned = state.last_out = NO_CARD
    state = end_holds(state, lambda h: h.token == card)
    if state.returning:
        return state
    if state.manual is not None:
        state.cut_owed = True
    return end_holds(state, lambda h: h.reason in SENT_BACK)


def went_in(state: State) -> Standing | None:
    """Return the hold about a card that went into the shuffler outside a procedure, where the dealer can mend it.

    None: there is none, the deck is in the dealer's hand, or a player has acted and the director must rule (HAND_DEAD).
    """
    if state.manual is not None:
        return None
    for held in state.holds:
        record = state.out.get(held.token)
        if held.reason is not Reason.CARD_STRAYED or held.zone != INFEED or record is None or record.at != INFEED:
            continue
        if on_its_way(state, held.token) is not None or not (seat_number(record.home) and state.acted):
            return held
    return None


def said_in(state: State, person: int) -> State:
    """The dealer says that it is in there: the stub is proved, shuffled and cut, and what it had done is owed."""
    held = went_in(state)
    return state if held is None else end_holds(fed_in(state, held.token), lambda h: h is held, person)


def fed_in(state: State, card: Token) -> State:
    """A card fed into the shuffler is the stub's again, which is proved and shuffled before the next one.

    A burn or board card, or a seat's before action, is owed again; after action that hand is dead.
    """
    record = state.out[card]
    out = {other: one for other, one in state.out.items() if other != card}
    proof = None if state.manual else Proof()
    strays = tuple(other for other in state.strays if other != card)
    state = change(state, out=out, strays=strays, order_lost=True, proof=proof)
    if on_its_way(state, card) is not None:
        return arrived(state, card)
    number = seat_number(record.home)
    if number and state.acted:
        return change(state, dead=state.dead | {number})
    if not number and record.home not in (BURN, BOARD):
        return state
    ahead = travelling(state)
    owed = Step(state.street, record.home)
    phase = move(state.phase, Trigger.OWED) if state.phase is Phase.BETTING else state.phase
    return change(state, phase=phase, plan=(*state.plan[:ahead], owed, *state.plan[ahead:]))


def silent_back(state: State) -> bool:
    """Tell whether nothing is to go back any more but cards that no reader can read (H10)."""
    return bool(state.returning) and all(is_unidentified(card) for card in state.returning)


def said_back(state: State, person: int) -> State:
    """The dealer says that they are back: that stands for the sight (H10)."""
    for card in state.returning:
        state = is_back(state, card)
    return state


def cut(state: State, person: int) -> State:
    """The dealer has cut the stub (C16)."""
    return change(state, cut_owed=False) if cut_due(state) else refuse(state, Reason.NOT_NOW, "cut")


def cut_due(state: State) -> bool:
    """Tell whether the stub is mixed and waits for nothing but the cut: no card is to go back, nothing is held."""
    return state.cut_owed and not (state.returning or state.order_lost or state.holds or still_shown(state))


def still_shown(state: State) -> bool:
    """Tell whether a card that was shown at the burns lies there still: it is not in the stub yet (C4, C15)."""
    if not by_hand(state):
        return False
    return any(is_card_of(card, state.deck) and card not in state.out for card in state.seen.get(BURN, {}))


def shown_to_go_back(state: State, zone: Zone, card: Token) -> bool:
    """Tell whether a card that goes back is seen on its way: at the infeed, or by hand at the burns (C4)."""
    return card in state.returning and zone == (BURN if by_hand(state) else "infeed")
