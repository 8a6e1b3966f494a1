"""Two witnesses: the machine says how many, the tags say which (S3). Neither is believed alone, nor at once."""

from typing import Final

from dealerbox.engine.decks import change_deck
from dealerbox.engine.facts import by_hand, stub_in_hand
from dealerbox.engine.holds import hold, notice
from dealerbox.engine.notices import pots_told
from dealerbox.engine.state import Card, Condition, DeckStatus, Reading, Standing, State, change
from dealerbox.model.cards import DECK_SIZE, Token
from dealerbox.model.reasons import Reason
from dealerbox.model.shuffler import Cap
from dealerbox.model.zones import Zone

BROUGHT: Final = "1824"
"""The clause about a card that was brought to the table."""


def read_again(state: State, card: Token) -> State:
    """A card that is in the machine already is read at the infeed: one tag may be there twice, or was read twice."""
    return state if card in state.twice else change(state, twice=state.twice | {card})


def begin_reading(state: State, out: dict[Token, Card]) -> State:
    """The machine is empty, or every card is shown: the whole deck is about to be read."""
    return change(state, out=out, intruders=(), twice=frozenset(), whole_read=True)


def does_not_add_up(state: State) -> State:
    """Count and tags disagree, or a card cannot be found: the whole deck is read once more (S3).

    `card_missing` and `duplicate_tag` are said only when a whole read finds what the read before found.
    """
    shuffler = state.setup.shuffler
    if state.empty_owed and state.manual is None:
        return hold(state, Reason.RECOUNT, Condition.DECK, clause="1804A(1)", device=shuffler)
    before, found = state.reading, _found(state)
    reason = _named(found) if state.whole_read and found == before and not state.intruders else None
    if reason is not None:
        state = change(state, reading=None)
        if reason is Reason.DECK_SUSPECT:
            return change_deck(notice(state, reason), DeckStatus.QUARANTINED)
        if state.sealed:  # hands were played with it
            state = pots_told(state, Reason.POT_STANDS)
        return change_deck(hold(state, reason, Condition.DECK), DeckStatus.QUARANTINED)
    state = hold(change(state, reading=found), Reason.RECOUNT, Condition.DECK, clause="1804A(1)", device=shuffler)
    if by_hand(state):
        return change(begin_reading(state, stub_in_hand(state)), shuffled=0, count_read=False)
    return change(state, empty_owed=True, shuffled=0)


def stranger_lies(state: State, zone: Zone, card: Token) -> State:
    """A tag of no deck of this table lies on it between hands: away with it, and the whole deck is read anew (1824)."""
    state = hold(state, Reason.RECOUNT, Condition.DECK, clause=BROUGHT, zone=zone, token=card)
    if by_hand(state):
        return change(begin_reading(state, stub_in_hand(state)), shuffled=0, count_read=False)
    return change(state, empty_owed=True, shuffled=0, count_read=False)


def to_take_away(state: State) -> Standing | None:
    """Return the hold about a strange tag that is still read on the table between hands; None: there is none."""
    return next(
        (h for h in state.holds if h.reason is Reason.RECOUNT and h.clause == BROUGHT and _read(state, h)), None
    )


def _read(state: State, standing: Standing) -> bool:
    return any(standing.token in there for there in state.seen.values())


def _found(state: State) -> Reading:
    read = DECK_SIZE - len(state.out)
    alone = by_hand(state) or not state.caps & Cap.RETURN  # what takes no card in counts none
    counted = read if alone else state.memory.machine
    return Reading(frozenset(state.out), state.twice if counted > read else frozenset(), counted)


def _named(found: Reading) -> Reason | None:
    """Return what two reads that agree prove of the deck; None: that a recount is owed, and no more."""
    more = found.counted - (DECK_SIZE - len(found.missing))
    if more == 0:
        return Reason.CARD_MISSING if found.missing else None
    if found.twice:
        return Reason.DUPLICATE_TAG
    return Reason.DECK_SUSPECT if found.counted == DECK_SIZE else None


def cut_card_in(state: State) -> bool:
    """Tell whether the machine counted one more than were read: the cut card may be in."""
    reading = state.reading
    return reading is not None and reading.counted == DECK_SIZE + 1 and not reading.missing
