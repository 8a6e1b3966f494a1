"""FIND: cards shown singly at the burn reader; for each, is it one of those that are looked for (1812, 1810)?"""

from dealerbox.engine.facts import bookkeeping, by_hand, in_hand, on_its_way, settling_ns, travelling
from dealerbox.engine.holds import refuse, wake
from dealerbox.engine.phases import Phase
from dealerbox.engine.state import Card, Search, State
from dealerbox.model.cards import Token
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import BURN, MUCK


def find(state: State) -> State:
    """Look for the cards that do not lie where they belong; between hands, for those that are still out."""
    if not may_be_found(state):
        return refuse(state, Reason.NOT_NOW, Key.FIND)
    state.search = Search(looked_for(state))
    return state


def may_be_found(state: State) -> bool:
    """Tell whether there is a card to look for, and the burns' reader is needed for nothing else."""
    busy = state.phase is Phase.CLOSED or state.returning or travelling(state) or _stub_is_shown(state)
    return not busy and bool(looked_for(state))


def looked_for(state: State) -> frozenset[Token]:
    """Return the cards that FIND would look for now; at a showdown cards lie where they like, but none in the muck."""
    if not in_hand(state):
        return frozenset() if by_hand(state) else frozenset(state.out)
    anywhere = not bookkeeping(state)
    astray = ((card, state.out[card]) for card in state.strays)
    return frozenset(card for card, its in astray if its.home not in ("", its.at) and (anywhere or its.at == MUCK))


def _stub_is_shown(state: State) -> bool:
    """Tell whether the burns' reader is needed for cards that are shown for another reason (C15)."""
    return state.manual is not None and not state.manual.proved


def is_shown(state: State, card: Token) -> bool:
    """Tell whether a card seen at the burns is only shown there: it still lies where it was."""
    return state.search is not None and state.out[card].home != BURN


def _only_shown(state: State, card: Token) -> bool:
    """Tell whether a card that is read at the burns is no burn."""
    return card not in state.out or state.out[card].home != BURN


def _shown(state: State) -> bool:
    return any(_only_shown(state, card) for card in state.seen.get(BURN, {}))


def said(state: State) -> str:
    """Return the answer about what is shown now, '' when nothing is.

    One about a card that was taken up again would be taken for one about the next, which may be a card that no reader
    reads (H10). A burn that was found stays there: its answer stands until it has settled.
    """
    search = state.search
    if search is None:
        return ""
    there = state.seen.get(BURN, {})
    found = search.answer == "yes" and any(since + settling_ns(state) > state.now_ns for since in there.values())
    return search.answer if found or _shown(state) else ""


def answered(state: State, cards: tuple[Token, ...]) -> State:
    """Say whether what was shown is looked for; two cards at once that are not alike in that get no answer."""
    search = state.search
    assert search is not None
    cards = tuple(card for card in cards if card in search.wanted or _only_shown(state, card))
    if not cards:  # a burn that was covered is read again: that answers nothing
        return state if _shown(state) else _searching(state, Search(search.wanted))
    found = search.wanted & frozenset(cards)
    if 0 < len(found) < len(cards):
        found = frozenset(card for card in found if card in state.out and state.out[card].home == BURN)
        answer = "many"
    else:
        answer = "yes" if found else "no"
    left = frozenset(card for card in search.wanted - found if card in state.out)
    if not left:
        return ended(state)
    return _searching(wake(state, state.now_ns + settling_ns(state)), Search(left, answer))


def _searching(state: State, search: Search) -> State:
    state.search = search
    return state


def no_more(state: State) -> State:
    """End the search when nothing is out any more that it looks for (a card may turn up where it belongs)."""
    search = state.search
    if search is None:
        return state
    left = search.wanted & looked_for(state)
    return ended(state) if not left else _searching(state, Search(left, search.answer))


def ended(state: State) -> State:
    """All are found, or the dealer says NO: what still lies at the burns lies there."""
    state.search = None
    if not in_hand(state):
        return state
    for card in state.seen.get(BURN, {}):
        record = state.out.get(card)
        if record is None or record.at == BURN or on_its_way(state, card) is not None:
            continue
        state.out = {**state.out, card: Card(BURN, record.home, record.dealt)}
        if record.home != BURN and card not in state.strays:
            state.strays = (*state.strays, card)
    return state
