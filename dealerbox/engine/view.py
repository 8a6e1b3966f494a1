"""What may be shown of a table while a hand is open: counts and zones, never a token (P4)."""

from typing import Final

from dealerbox.engine import between, dealing
from dealerbox.engine.facts import burns, in_hand
from dealerbox.engine.find import may_be_found
from dealerbox.engine.hand import is_out, may_be_complete, may_be_taken_up
from dealerbox.engine.menu import go, menu
from dealerbox.engine.notices import time_told
from dealerbox.engine.phases import Phase
from dealerbox.engine.prompt import expected, prompt_of, sentence, words
from dealerbox.engine.questions import Question, may_be_inferred, not_found
from dealerbox.engine.questions import question as asked_of
from dealerbox.engine.state import Condition, State
from dealerbox.engine.state import Standing as Held
from dealerbox.engine.undo import may_be_undone
from dealerbox.engine.witnesses import BROUGHT
from dealerbox.law.clauses import CLAUSES
from dealerbox.law.irregularities import IRREGULARITIES
from dealerbox.law.plan import Street
from dealerbox.model.commands import Lamp
from dealerbox.model.events import Space
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.view import DeckShown, Standing, View
from dealerbox.model.zones import INFEED, MUCK, STUB, Zone, seat_number


def view(state: State) -> View:
    """Return what may be shown now."""
    holds = tuple(_standing(held, state.setup.shuffler, state.acted, bool(state.waiting)) for held in state.holds)
    question = asked_of(state)
    code, prompt = prompt_of(state, holds, question)
    open_hand = in_hand(state)
    due = () if open_hand else between.button_due(state)
    lit = _lit(state, code, question)
    asked = go(state, lit, question)
    return View(
        table=state.setup.table,
        phase=state.phase.value,
        hand=state.hand,
        street=state.street.value if open_hand else "",
        seats=state.seats,
        button=state.button if open_hand else (due[0] if len(due) == 1 else 0),
        button_seen=state.button_seen,
        expect=expected(state),
        released=state.released is not None and state.released.passed_ns > 0,
        prompt=prompt,
        prompt_code=code,
        lamp=_lamp(state, code, question),
        buzzer=bool(holds),
        lit=lit,
        go=asked,
        menu=menu(state, asked),
        holds=holds,
        notices=_notices(state),
        refused=_refused(state),
        counts=_counts(state),
        burns=burns(state) if open_hand else 0,
        burns_expected=_STREETS.index(state.street) if open_hand else 0,
        decks=tuple(DeckShown(name=deck.name, back=deck.back, status=deck.status.value) for deck in state.decks),
        certificate=state.certificate,
        folded=tuple(sorted(state.dead)) if open_hand else (),
    )


def _device(name: str, shuffler: str) -> str:
    """Return a device, or the reader of a zone, as people say it."""
    _, is_reader, zone = name.partition("reader of ")
    if is_reader:
        return f"the reader of {words(Zone(zone))}"
    return "the shuffler" if name == shuffler else f"the device {name}"


def _words_of(held: Held, acted: bool, waits: bool) -> tuple[str, str]:
    """Return what happened and what to do, where one reason has several of either."""
    row = IRREGULARITIES[held.reason]
    match held.reason, held.needs:
        case Reason.RECOUNT, _ if held.clause == BROUGHT:
            return "A card of no deck of this table lies on {zone}.", "Take it away. The deck is then read anew."
        case Reason.RECOUNT, Condition.SIGHT:
            both = "Take it off {zone}; lay it on {to}. Both still read it: ACK."
            return "A card is read at {zone} and at {to}.", both
        case Reason.RECOUNT, Condition.PROOF:
            return "A card is read at {zone} and at {to}.", "Wait for the count, press ACK."
        case Reason.CARD_STRAYED, _ if held.zone == INFEED:
            dead = seat_number(held.to) and acted
            return "A card of {to} went into the shuffler.", _RULED_DEAD if dead else _IN_THERE
        case Reason.ROUND_OPEN, _ if held.to and waits:
            return row.what, "Lay it on {to}, then press PREMATURE."
        case Reason.ROUND_OPEN, _ if held.to:
            return row.what, "Press NEXT if it was. If not, lay it on {to}, then press PREMATURE."
        case Reason.MISDEAL, _:
            return "A card was exposed, and this house calls that a misdeal.", "Press MISDEAL."
        case Reason.DEVICE_LOST, Condition.PROOF:
            return "{device} was without power.", "Wait for the count, press ACK."
        case _, Condition.DIRECTOR if held.clause == BROUGHT:
            return row.what, "Take it away. Then the director lets the hand go on (STAND)."
    return row.what, row.remedy


_IN_THERE: Final = "Put it back on {to}. It is in there: ACK, then count, shuffle, cut."
_RULED_DEAD: Final = "Put it back on {to}. If you cannot, the director rules the hand dead (HAND_DEAD)."


def _standing(held: Held, shuffler: str, acted: bool, waits: bool) -> Standing:
    row = IRREGULARITIES[held.reason]
    said = {"zone": words(held.zone), "to": words(held.to), "device": _device(held.device, shuffler)}
    what, remedy = _words_of(held, acted, waits)
    if held.reason is Reason.DEVICE_LOST and held.device == shuffler:
        remedy += " Or by hand: MANUAL."
    return Standing(
        reason=held.reason,
        clause=held.clause,
        what=sentence(what.format(**said)),
        remedy=remedy.format(**said),
        why=row.why or CLAUSES[held.clause],
        zone=held.zone,
        to=held.to,
        device=held.device,
    )


def _refused(state: State) -> Standing | None:
    if state.refused is None:
        return None
    reason, zone = state.refused
    row = IRREGULARITIES[reason]
    said = {"zone": words(zone), "to": "its place", "device": f"the device at {words(zone)}"}
    return Standing(
        reason=reason,
        clause=row.clause,
        what=sentence(row.what.format(**said)),
        remedy=row.remedy.format(**said),
        why=row.why or CLAUSES[row.clause],
        zone=zone,
    )


def _notices(state: State) -> tuple[Standing, ...]:
    """Return what is told and blocks nothing yet."""
    reasons = [Reason.JOURNAL_FULL] if state.space is not Space.ENOUGH else []
    if state.turn is not None and (time := time_told(state, state.turn)) is not None:
        reasons.append(time)
    return tuple(
        Standing(reason=reason, clause=row.clause, what=row.what, remedy=row.remedy, why=row.why or CLAUSES[row.clause])
        for reason in (*reasons, *state.pots)
        for row in (IRREGULARITIES[reason],)
    )


_STREETS: Final = tuple(Street)
"""A burn goes before each street but the first."""


def _counts(state: State) -> dict[str, int]:
    counts: dict[str, int] = {}
    for record in state.out.values():
        zone = record.at or "table"
        counts[zone] = counts.get(zone, 0) + 1
    if state.deck:
        counts[STUB] = counts.get(STUB, 0) + dealing.stub_expected(state)
    return dict(sorted(counts.items()))


def _lamp(state: State, code: str, asked: Question) -> Lamp:
    if state.holds:
        return Lamp.RED
    if state.turn is not None and time_told(state, state.turn) is not None:
        return Lamp.AMBER
    if code == "find_yes":
        return Lamp.GREEN
    return Lamp.AMBER if code in _WAITING or asked or state.space is not Space.ENOUGH else Lamp.GREEN


_WAITING: Final = frozenset(
    {"unseen", "half_muck", "acted", "button", "set_button", "shuffling", "meeting"}
    | {"began", "paused", "outside_hours"}
)


def _lit(state: State, code: str, asked: Question) -> tuple[Key, ...]:
    """Return the keys that would be taken now, the one asked for first."""
    lit: list[Key] = []
    if asked is Question.CUT:
        lit.append(Key.CUT)
    elif asked is Question.FIND:
        lit.append(Key.NO)
    elif (asked is Question.EMPTY and not between.may_be_emptied(state)) or (
        asked is Question.UNSEEN and not may_be_inferred(state)
    ):
        pass
    elif asked and asked is not Question.MANUAL_SHOW and (asked is not Question.GIVEN or is_out(state)):
        lit.append(Key.ACK)
        if asked in (Question.ACTED, Question.SEAL, Question.MANUAL_ORDER, Question.UNREAD) or not_found(state):
            lit.append(Key.NO)
    elif not_found(state):
        lit.append(Key.NO)
    if state.phase is Phase.BETWEEN and code == "start":
        lit.append(Key.START)
    if state.phase is Phase.BETTING:
        lit += [Key.NEXT, Key.ACTION, Key.AWARD] if may_be_complete(state) else [Key.ACTION, Key.AWARD]
    elif state.phase is Phase.SHOWDOWN:
        lit += [Key.AWARD, Key.ACTION] if state.turn is None else [Key.AWARD, Key.ACTION, Key.NEXT]
    elif state.phase is Phase.DEALING:
        lit.append(Key.AWARD)
    if in_hand(state) and not state.acted:
        lit.append(Key.MISDEAL)
    if code == "count":
        lit.append(Key.COUNT)
    if code == "change":
        lit.append(Key.DECK)
    if asked is Question.HALF_MUCK or any(held.reason is Reason.DEAD_CARD_BACK for held in state.holds):
        lit.append(Key.RETRIEVE)
    if state.search is None and may_be_found(state) and any(state.out[card].at == MUCK for card in state.strays):
        lit.append(Key.FIND)
    if may_be_taken_up(state):
        lit.append(Key.UNBURN)
    if may_be_undone(state) is not None:
        lit.append(Key.UNDO)
    return tuple(lit)
