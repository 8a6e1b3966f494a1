"""The one question that stands open, and what ACK or NO to it means."""

from collections.abc import Callable
from enum import StrEnum
from typing import Final

from msgspec.structs import replace

from dealerbox.engine import between, dead, dealing, procedures
from dealerbox.engine.decks import certified, not_new
from dealerbox.engine.ending import over, void
from dealerbox.engine.facts import by_hand, filled_by_hand, half_mucked, held_cards, in_hand
from dealerbox.engine.find import ended
from dealerbox.engine.hand import is_out, looked_into, taken_out, to_look_into
from dealerbox.engine.holds import end_holds, has_hold, refuse
from dealerbox.engine.machine import place
from dealerbox.engine.phases import Phase
from dealerbox.engine.placing import step_done
from dealerbox.engine.procedures import SAID
from dealerbox.engine.state import NO_CARD, Condition, Manual, Proof, State, arrived, change
from dealerbox.engine.unburn import lies_on_top, said_on_top
from dealerbox.engine.witnesses import does_not_add_up, to_take_away
from dealerbox.model.cards import DECK_SIZE, is_unidentified
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import EXIT, MUCK


class Question(StrEnum):
    """What the dealer is asked; also the prompt's code."""

    NONE = ""
    DEFECTIVE = "defective"
    EMPTY = "empty"
    GIVEN = "given"
    MANUAL_EMPTY = "manual_empty"
    MANUAL_SHOW = "manual_show"
    MANUAL_ORDER = "manual_order"
    MANUAL_SHUFFLED = "manual_shuffled"
    PLACES = "places"
    PROOF = "proof"
    RESTARTED = "restarted"
    UNSEEN = "unseen"
    ACTED = "acted"
    FEED = "feed"
    SEAL = "seal"
    COUNTED = "counted"
    HALF_MUCK = "half_muck"
    CUT = "cut"
    UNREAD = "unread"
    FIND = "find"
    ASIDE = "silent_aside"
    BACK = "silent_back"
    ON_TOP = "on_top"
    LOOKED = "looked"
    WENT_IN = "went_in"
    DOUBLED = "doubled"


BY_NAME: Final = frozenset({Question.SEAL, Question.COUNTED, Question.MANUAL_SHUFFLED})
"""What confirms a count."""

_FIRST: Final = (Condition.DEVICE, Condition.ACK)
"""What a hold waits for that the panel asks for before a count is confirmed; the others may need that count."""


def question(state: State) -> Question:
    """Return the first question that stands open, the most pressing first."""
    if in_hand(state):
        return _in_hand(state)
    asked = _between(state)
    return Question.NONE if asked in BY_NAME and any(held.needs in _FIRST for held in state.holds) else asked


def _in_hand(state: State) -> Question:
    if has_hold(state, Reason.DEFECTIVE_DECK, Reason.CARD_MISSING):
        return Question.DEFECTIVE
    if state.manual is not None and not state.manual.proved:
        return _manual(state, state.manual, dealing.stub_expected(state))
    if to_look_into(state):
        return Question.LOOKED
    if state.proof is not None and state.disagrees:
        return Question.PLACES
    if dealing.proved(state) and not state.memory.pending and not state.blind:
        return Question.PROOF
    if has_hold(state, Reason.RESTARTED) and _back(state):
        return Question.RESTARTED
    if state.doubtful is not None and not state.acted:
        return Question.ACTED
    if state.search is not None:
        return Question.FIND
    if state.released and state.released.unseen and all(h.reason in SAID for h in state.holds):
        return Question.UNSEEN
    if state.holds and all(h.reason is Reason.CARD_UNREAD for h in state.holds) and _behind_the_gate(state):
        return Question.UNREAD
    if procedures.silent_back(state) and not state.memory.exit_id:
        return Question.BACK
    if dead.silent_aside(state):
        return Question.ASIDE
    if state.holds and procedures.went_in(state):
        return Question.WENT_IN
    if state.holds and dealing.doubled(state):
        return Question.DOUBLED
    if lies_on_top(state):
        return Question.ON_TOP
    if state.holds:  # the panel says how to end them: an ACK then must not stand for something else
        return Question.NONE
    if procedures.cut_due(state):
        return Question.CUT
    return Question.HALF_MUCK if half_mucked(state) else Question.NONE


def _behind_the_gate(state: State) -> bool:
    """Tell whether a card waits behind the gate that no reader has read."""
    return bool(state.memory.exit_id) and not state.memory.pending and not state.read_up


def _back(state: State) -> bool:
    """Tell whether devices and counters agree with the journal after a restart."""
    by_machine = state.up and state.proof is None and dealing.agrees(state)
    from_hand = state.manual is not None and (state.up or not state.manual.given)
    return not state.blind and not state.memory.pending and (by_machine or from_hand)


def _manual(state: State, manual: Manual, expected: int) -> Question:
    if not manual.emptied:
        return Question.GIVEN if manual.given else Question.MANUAL_EMPTY
    all_shown = len(manual.shown) == expected and not procedures.still_shown(state)
    return Question.MANUAL_ORDER if all_shown else Question.MANUAL_SHOW


def _between(state: State) -> Question:
    if state.phase is Phase.CLOSED or has_hold(state, Reason.SERVICE):
        return Question.NONE
    if has_hold(state, Reason.RESTARTED):
        return Question.RESTARTED
    if not state.deck:
        return Question.NONE
    if state.search is not None:
        return Question.FIND
    if to_take_away(state) is not None:
        return Question.NONE
    if by_hand(state):
        return _between_by_hand(state)
    if state.empty_owed:
        return Question.EMPTY
    if between.whole(state):
        return Question.SEAL
    if state.count_read:
        return Question.COUNTED
    return Question.FEED if state.idle and state.out else Question.NONE


def _between_by_hand(state: State) -> Question:
    assert state.manual is not None
    if not state.manual.emptied or (state.intruders and not state.out):
        return Question.MANUAL_EMPTY
    if between.whole(state):
        return Question.SEAL
    to_come = state.out or state.intruders or state.phase is Phase.OPENING or procedures.still_shown(state)
    return Question.NONE if to_come or state.shuffled else Question.MANUAL_SHUFFLED


def acknowledged(state: State, person: int, badge: str) -> State:
    """Answer ACK to the open question; refused when none stands, or when it confirms a count and names nobody (C2)."""
    asked = question(state)
    if asked not in _YES:
        return refuse(state, Reason.NOT_NOW, "ack")
    name = badge or state.dealer
    if asked in BY_NAME and state.setup.house.count_by_name and not name.strip():
        return refuse(state, Reason.NO_NAME, "ack")
    if asked is Question.EMPTY and not between.may_be_emptied(state):
        return refuse(state, Reason.NOT_NOW, "ack")
    before = state.counted
    state = _YES[asked](state, person)
    return state if state.counted is before else certified(state, name, asked is Question.SEAL)


def denied(state: State, person: int) -> State:
    """Answer NO to the open question; refused when it has no other answer."""
    match question(state):
        case Question.ACTED:
            return over(state, Reason.MISDEAL)
        case Question.FIND:
            return ended(state)
        case Question.SEAL:
            return not_new(state)
        case Question.FEED | Question.NONE if not_found(state):
            return does_not_add_up(state)
        case Question.UNREAD:
            return dealing.retract(state)
        case Question.MANUAL_ORDER:
            state.cut_owed, state.unburned, state.last_out = False, NO_CARD, NO_CARD
            return _order_confirmed(state, person)
        case _:
            return refuse(state, Reason.NOT_NOW, "no")


def not_found(state: State) -> bool:
    """Tell whether the dealer may say that a card cannot be found: every one that there is was fed, put in or shown.

    By hand, with none shown yet, NO says nothing: pressed again it is not a second whole read (S3).
    """
    if in_hand(state) or not state.deck or not state.out:
        return False
    asked = question(state)
    if asked or not by_hand(state):
        return asked is Question.FEED or (not asked and filled_by_hand(state))
    return len(state.out) < DECK_SIZE


def _void(state: State, person: int) -> State:
    return void(state)


def _given(state: State, person: int) -> State:
    return taken_out(state, person) if is_out(state) else refuse(state, Reason.NOT_NOW, "ack")


def _manual_emptied(state: State, person: int) -> State:
    state = change(state, manual=Manual(emptied=True))
    if in_hand(state):
        return state
    return between.shown_anew(state)


def _order_confirmed(state: State, person: int) -> State:
    """The stub is proved; its order is kept, or it has been shuffled and cut by hand: the hand goes on as `hand`."""
    assert state.manual is not None
    manual = replace(state.manual, proved=True)
    return dealing.proof_confirmed(change(state, manual=manual, order_lost=False), person)


def _shuffled_by_hand(state: State, person: int) -> State:
    state = between.counted(between.tend(state), person)
    state = change(state, shuffled=-1, manual=Manual(emptied=True, proved=True))
    return end_holds(state, lambda h: h.reason is Reason.RECOUNT, person)


def _places(state: State, person: int) -> State:
    """The dealer has looked: what is not outside is in the machine, or behind the gate where a reader sees it."""
    behind = any(card not in state.out for card in state.seen.get(EXIT, ()))
    inside = dealing.stub_expected(state) - (1 if behind else 0)
    brought = state.memory.exit_id or (state.memory.pending if state.memory.pending_kind == "Dispense" else 0)
    state = change(state, disagrees=False, order_lost=True)
    state.proof = Proof()
    if state.released is not None and state.released.token not in state.out:
        state = arrived(state, state.released.token)
    return place(state, inside, (brought or None) if behind else 0, person)


def _restarted(state: State, person: int) -> State:
    return end_holds(state, lambda h: h.reason is Reason.RESTARTED, person)


def _unseen(state: State, person: int) -> State:
    """It lies there, says the dealer: inferred, within the house's bound (H10)."""
    released = state.released
    assert released is not None
    if is_unidentified(released.token):
        return step_done(state, released, inferred=True)
    if not may_be_inferred(state):
        return refuse(state, Reason.CARD_UNSEEN, "ack")
    return step_done(change(state, unseen=state.unseen + 1), released, inferred=True)


def may_be_inferred(state: State) -> bool:
    """Tell whether the dealer may say that the card lies there: not while the exit reads it, nor beyond the bound."""
    released = state.released
    if released is None or is_unidentified(released.token):
        return True
    return released.token not in state.seen.get(EXIT, {}) and state.unseen < state.setup.house.unseen_per_hand


def _acted(state: State, person: int) -> State:
    return refuse(change(state, doubtful=None, acted=True), Reason.MISDEAL_TOO_LATE, "misdeal")


def _half_muck(state: State, person: int) -> State:
    """One card of two in the muck, and the hand is dead."""
    number = half_mucked(state)
    out = dict(state.out)
    for card in held_cards(state, number):
        out[card] = replace(out[card], home=MUCK if out[card].at == MUCK else out[card].home)
    return change(state, out=out, dead=state.dead | {number})


def _feed(state: State, person: int) -> State:
    return change(state, idle=False)


_YES: Final[dict[Question, Callable[[State, int], State]]] = {
    Question.DEFECTIVE: _void,
    Question.EMPTY: between.emptied,
    Question.GIVEN: _given,
    Question.MANUAL_EMPTY: _manual_emptied,
    Question.MANUAL_ORDER: _order_confirmed,
    Question.MANUAL_SHUFFLED: _shuffled_by_hand,
    Question.PLACES: _places,
    Question.PROOF: dealing.proof_confirmed,
    Question.RESTARTED: _restarted,
    Question.UNSEEN: _unseen,
    Question.ACTED: _acted,
    Question.FEED: _feed,
    Question.SEAL: between.verified,
    Question.COUNTED: between.counted,
    Question.HALF_MUCK: _half_muck,
    Question.CUT: procedures.cut,
    Question.UNREAD: dealing.unidentified,
    Question.ON_TOP: said_on_top,
    Question.LOOKED: looked_into,
    Question.ASIDE: dead.said_aside,
    Question.BACK: procedures.said_back,
    Question.WENT_IN: procedures.said_in,
    Question.DOUBLED: dealing.said_where,
}
