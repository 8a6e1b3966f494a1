"""The one thing to do next, in a sentence: what the panel asks of the dealer, and under which code."""

from itertools import takewhile
from typing import Final

from dealerbox.engine import between, clocks, dealing, find, procedures
from dealerbox.engine.facts import by_hand, filled_by_hand, grouped, in_hand
from dealerbox.engine.notices import time_told
from dealerbox.engine.phases import Phase
from dealerbox.engine.questions import BY_NAME, Question, may_be_inferred, not_found, question
from dealerbox.engine.state import NOWHERE, Condition, State
from dealerbox.engine.state import Standing as Held
from dealerbox.engine.witnesses import cut_card_in, to_take_away
from dealerbox.law.irregularities import IRREGULARITIES
from dealerbox.model.cards import DECK_SIZE
from dealerbox.model.reasons import Reason
from dealerbox.model.view import Standing
from dealerbox.model.zones import ASIDE, BURN, Zone, seat_number

ASKED: Final[dict[Question, str]] = {
    Question.DEFECTIVE: "The hand is void: chips go back as contributed; who knew of it gets none. Then press ACK.",
    Question.EMPTY: "Open the shuffler, take every card out, look. Then press ACK.",
    Question.GIVEN: "Open the shuffler, take the whole deck out, look. ACK when nothing is left in it.",
    Question.MANUAL_EMPTY: "Take the stub out, look into the shuffler. ACK when nothing is left in it.",
    Question.MANUAL_SHOW: "Show each card of the stub singly at the burns.",
    Question.MANUAL_ORDER: "Stub complete. ACK if its order was kept; NO once it is shuffled and cut.",
    Question.MANUAL_SHUFFLED: "Shuffle the deck by hand, cut, then ACK.",
    Question.PLACES: "Look: is every card that is not on the table in the shuffler? Then press ACK.",
    Question.PROOF: "The shuffler's count is right. Press ACK to go on.",
    Question.RESTARTED: "Everything agrees. Look at the table, then press ACK.",
    Question.UNSEEN: "Lay the card flat on {to}. If it lies there, press ACK.",
    Question.ACTED: "A hand is in the muck: has that player acted? ACK yes, NO not.",
    Question.FEED: "Feed the missing cards in, then press ACK. Press NO if none can be found.",
    Question.SEAL: "52 cards read. Was the seal whole, are backs alike and cards good? ACK yes; NO: another deck.",
    Question.COUNTED: "52 cards counted. Press ACK to confirm the count.",
    Question.HALF_MUCK: "One card of a hand is in the muck. ACK: the hand is dead. RETRIEVE: it lives.",
    Question.CUT: "Cut the stub, then press CUT.",
    Question.ASIDE: "Lay the dead card aside. If it is the one that cannot be read, press ACK.",
    Question.BACK: "The card that cannot be read goes back into the stub too. ACK when it is in.",
    Question.LOOKED: "Look into the shuffler. ACK when nothing is left in it.",
    Question.ON_TOP: "Put the other card that was burned back on top of the stub. Then press ACK.",
    Question.UNREAD: "The card at the exit cannot be read. ACK: it is dealt unread. NO: back, shuffled and cut.",
}
"""What each question says; `{to}` is put in."""


FIND: Final = {
    "": "Show cards singly at the burns. No answer: it is not read. NO ends the search.",
    "yes": "YES, that is one of them. Put it where it belongs; show the next.",
    "no": "NO, that is none of them. Put it back; show the next.",
    "many": "Show one card at a time at the burns.",
}
"""What FIND says of what was shown."""


def words(zone: Zone) -> str:
    """Return a zone as people say it."""
    number = seat_number(zone)
    if number:
        return f"seat {number}"
    return {"burn": "the burns", "aside": "the side"}.get(zone, f"the {zone}" if zone else "the table")


def prompt_of(state: State, holds: tuple[Standing, ...], asked: Question) -> tuple[str, str]:
    """Return the one thing to do next: its code and its sentence. `asked`: the question that stands open."""
    if asked is Question.EMPTY and cut_card_in(state):
        return asked.value, "53 counted, 52 read: is the cut card in? Take all cards out, look. ACK."
    brought = None if in_hand(state) else to_take_away(state)
    if brought is not None:
        return "held", holds[state.holds.index(brought)].remedy
    if asked is Question.FIND and state.search is not None:
        answer = find.said(state)
        return f"find_{answer}".rstrip("_"), FIND[answer]
    if asked in _OF_ONE_HOLD:
        about = _OF_ONE_HOLD[asked](state)
        return asked.value, next(told.remedy for held, told in zip(state.holds, holds, strict=True) if held is about)
    if asked in _BEFORE_HOLDS:
        return asked.value, ASKED[asked]
    if state.memory.pending_kind == "Places" and not in_hand(state):
        return _MEETING
    pressing = [
        held
        for held in state.holds
        if (in_hand(state) or held.needs is not Condition.DECK) and not _waits_for_the_stub(state, held)
    ]
    if pressing and asked not in _WHILE_HELD:
        return "held", holds[state.holds.index(pressing[0])].remedy
    if state.returning:
        return "return", _sent_back(state)
    if state.cut_owed and procedures.still_shown(state):
        return "take_up", "Take the card off the burns: it goes back into the stub."
    if asked:
        released = state.released
        to = words(released.step.zone) if released else ""
        said = ASKED[asked] if asked is not Question.UNSEEN or may_be_inferred(state) else _UNSEEN_AGAIN
        return asked.value, said.format(to=to)
    return _plain(state)


_BEFORE_HOLDS: Final = frozenset(
    {
        Question.PROOF,
        Question.RESTARTED,
        Question.PLACES,
        Question.EMPTY,
        Question.DEFECTIVE,
        Question.ACTED,
        Question.UNREAD,
        Question.ON_TOP,
        Question.LOOKED,
        Question.ASIDE,
        Question.BACK,
    }
)
"""What ends a hold, or was just asked for: it is asked while one stands."""


_OF_ONE_HOLD: Final = {Question.WENT_IN: procedures.went_in, Question.DOUBLED: dealing.doubled}
"""What is asked about one hold: its remedy says it."""


def _waits_for_the_stub(state: State, held: Held) -> bool:
    """Tell whether a hold ends, or can be asked about, only once the cards that go back are in the stub."""
    if not state.returning or state.proof is not None:
        return False
    taken_in = state.up and not state.blind and state.memory.pending_kind == "Return"
    return (held.reason is Reason.RESTARTED and taken_in) or held.token in state.returning


def _sent_back(state: State) -> str:
    """Return where the cards lie that go back, and where to."""
    zones = sorted({state.out[card].at for card in state.returning if card in state.out})
    cards, go = ("card", "goes") if len(state.returning) == 1 else (f"{len(state.returning)} cards", "go")
    to = "Show them singly at the burns." if state.manual else "Feed them into the shuffler."
    return f"The {cards} on {' and '.join(map(words, zones))} {go} back into the stub. {to}"


_UNSEEN_AGAIN: Final = "Lay the card flat on {to}. If it is not read there, call the director: STAND."
"""Where ACK is not enough: beyond the bound of the house, or while the exit reads it still (H10)."""

_WHILE_HELD: Final = BY_NAME | {
    Question.GIVEN,
    Question.MANUAL_EMPTY,
    Question.MANUAL_SHOW,
    Question.MANUAL_ORDER,
    Question.FEED,
}
"""What is asked for although a hold stands, when nothing that ends one is."""

_MEETING: Final = ("meeting", "Wait for the shuffler to answer.")


def _plain(state: State) -> tuple[str, str]:
    if not state.deck and state.phase is not Phase.CLOSED:
        row = IRREGULARITIES[Reason.NEW_SET_REQUIRED]
        return Reason.NEW_SET_REQUIRED.value, f"{row.what} {row.remedy}"
    match state.phase:
        case Phase.CLOSED:
            return "closed", "The table is closed."
        case Phase.OPENING:
            if not state.up and state.manual is None:
                return _MEETING
            if filled_by_hand(state):
                return "open", "Break the seal, take the jokers out, feed in all 52 cards. NO if one cannot be found."
            if by_hand(state):
                return "open", "Break the seal, take the jokers out, show each card singly at the burns."
            return "open", "Break the seal, take the jokers out, feed all 52 cards into the shuffler."
        case Phase.GATHERING | Phase.BETWEEN if shown_by_hand(state):
            no = " NO if one cannot be found." if not_found(state) else ""
            return "gather", f"Show each card singly at the burns.{no}"
        case Phase.GATHERING | Phase.BETWEEN if filled_by_hand(state):
            return "gather", "Feed every card into the shuffler. NO if one cannot be found."
        case Phase.GATHERING:
            return "gather", "Feed every card into the shuffler."
        case Phase.BETWEEN:
            return _before_start(state)
        case Phase.DEALING:
            if expected(state) == ASIDE:
                return "aside", "This card is dead: lay it aside."
            if not dealing.stub_expected(state) and not state.unburned:
                return "none_left", _NONE_LEFT[state.acted]
            return "deal", _due(state, expected(state))
        case Phase.BETTING | Phase.SHOWDOWN if (
            state.turn is not None and (time := time_told(state, state.turn)) is not None
        ):
            return _time(state, time)
        case Phase.BETTING:
            return "round", "Betting. NEXT when the round is complete; AWARD when the pot is won."
        case Phase.SHOWDOWN:
            return "award", "All dealt. AWARD when every pot is awarded."


_NONE_LEFT: Final = {
    False: "No card is left to deal. Press MISDEAL.",
    True: "No card is left to deal. The director voids the hand (VOID_HAND).",
}
"""By whether a player has acted: all 52 are out, and one more is owed (1811(3), 1830(2))."""


def _time(state: State, told: Reason) -> tuple[str, str]:
    """Have the player warned, then say what becomes of a hand whose time is over (1821)."""
    if told is Reason.TIME_DUE:
        return told.value, f"Warn the player: {state.setup.house.action_warning_s} seconds left. Then ACTION, or NEXT."
    return told.value, IRREGULARITIES[told].remedy


def _due(state: State, zone: Zone) -> str:
    """Say which card is due where, or which group (1809)."""
    if zone == BURN and state.unburned:
        return f"Burn the card that went back on top: lay it on {words(zone)}."
    if zone == BURN:
        return f"Burn one card: lay it on {words(zone)}."
    together = sum(1 for _ in takewhile(state.plan[0].__eq__, state.plan)) if grouped(state) else 1
    many = {2: "both cards together", 3: "three cards together"}.get(together, "")
    return f"Deal {many} to {words(zone)}." if many else f"Deal to {words(zone)}."


def _before_start(state: State) -> tuple[str, str]:
    fault = between.start_fault(state)
    if fault is None:
        return "start", "Ready. START the hand."
    reason, zone = fault
    if reason is Reason.NOT_SHUFFLED:
        return "shuffling", "The shuffler shuffles. Wait."
    if reason is Reason.CLOCK_UNSURE:
        return _unsure(clocks.unsure(state))
    if reason is Reason.COUNT_OVERDUE:
        why = (
            "The shuffler was opened or stopped: a full count is owed." if state.count_owed else "The count is overdue."
        )
        return "count", f"{why} Press COUNT."
    if reason is Reason.DECK_CHANGE_OVERDUE:
        return "change", "The deck change is overdue. Press DECK."
    if reason is Reason.CARDS_OUT and state.up and state.memory.machine == DECK_SIZE:
        return "count", f"A card lies on {words(zone)}, and the shuffler says 52. Press COUNT."
    due = between.button_due(state)
    if reason in (Reason.BUTTON_MISSING, Reason.BUTTON_WRONG):
        if not due:
            return "set_button", "The director lays the button on a seat and confirms it there (SET_BUTTON)."
        return "button", f"Put the button on seat {' or '.join(map(str, due))}."
    row = IRREGULARITIES[reason]
    said = {"zone": words(zone), "to": "its place", "device": f"the device at {words(zone)}"}
    return reason.value, sentence(f"{row.what} {row.remedy}".format(**said))


def _unsure(limit: Reason | None) -> tuple[str, str]:
    """Return the remedy of the clock that is not known to be within its limit (C12)."""
    if limit is Reason.TOURNAMENT_OVER:
        return "began", "How long the tournament runs is not known. The director says when it began (BEGAN)."
    if limit is Reason.DECK_CHANGE_OVERDUE:
        return "change", "How long the deck is in play is not known. Press DECK."
    return "count", "How long ago the deck was counted is not known. Press COUNT."


def shown_by_hand(state: State) -> bool:
    """Tell whether cards are still to be shown one by one between hands, as MANUAL wants it (C15)."""
    shown = bool(state.out) or procedures.still_shown(state)
    return by_hand(state) and shown and not in_hand(state) and not question(state)


def expected(state: State) -> Zone:
    """Return the zone that the next card is for; NOWHERE while none is due."""
    if state.phase is not Phase.DEALING or not state.plan:
        return NOWHERE
    return state.plan[0].zone


def sentence(text: str) -> str:
    """Return a text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
