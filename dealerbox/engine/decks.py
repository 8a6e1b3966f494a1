"""The decks of a table: new, in play, used; two of them, in sets of two; who counted them (1804A(1), 1804B(6),(8))."""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from dealerbox.engine.facts import by_hand, deck_tokens, in_hand
from dealerbox.engine.holds import refuse, tell
from dealerbox.engine.phases import Phase, Trigger, move
from dealerbox.engine.state import NOWHERE, Card, Deck, DeckStatus, State, change
from dealerbox.law.custody import DAY_S, SECOND_NS
from dealerbox.model.cards import DECK_SIZE, Kind, Token, deck_of, kind_of
from dealerbox.model.commands import Certificate
from dealerbox.model.events import DecksEnrolled
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import DeckInfo
from dealerbox.model.zones import INFEED, Zone

SET: Final = 2
"""Decks of a set (1804B(8))."""
ASKED: Final = "decks"
SLOTS: Final = range(1, 10)
"""What the thousands of a token can say."""


# Which decks there are.


def listed(state: State, infos: Iterable[DeckInfo]) -> State:
    """Take the list of enrolled decks, each with what is known of it: a deck that was in play never is new again (C13).

    A deck is known by its tags, whatever it is called; one that is no longer listed is remembered once it was in play.
    """
    known = {identity(deck): deck for deck in state.decks}
    decks = []
    for info in infos:
        fresh = Deck(info.slot, info.name, info.back, mark=info.mark)
        before = known.pop(identity(fresh), None) or known.pop(fresh.name, None)  # known before decks had marks
        if before is not None:
            fresh = replace(fresh, status=before.status, suspect=before.suspect)
        elif {identity(fresh), fresh.name} & state.spent:
            fresh = replace(fresh, status=DeckStatus.USED)
        decks.append(fresh)
    spent = {identity(deck) for deck in known.values() if deck.status is not DeckStatus.NEW}
    return change(state, decks=tuple(decks), spent=state.spent | spent)


def identity(deck: Deck) -> str:
    """Return what makes a deck the deck it is: its tags, or its name where nothing tells of them."""
    return deck.mark or deck.name


def in_play(state: State) -> Deck | None:
    """Return the deck in play or being opened; None: none is, or it is no longer listed."""
    slot = state.deck
    for deck in state.decks:
        if deck.slot == slot:
            return deck if slot else None
    return None


def enrolled(state: State, event: DecksEnrolled) -> State:
    """Bring a new list of decks to the open table, between hands (1804B(8)).

    Refused as a whole if two new decks look alike, a new one was in play before, or the deck in play is left out
    before two new ones can take its place.
    """
    state = change(state, refused=None)
    if in_hand(state):
        return refuse(state, Reason.NOT_NOW, ASKED)
    current, before = in_play(state), state.decks
    after = listed(replace(state), event.decks)
    fresh = [deck for deck in after.decks if deck.status is DeckStatus.NEW]
    if any(deck.slot not in SLOTS for deck in after.decks):
        return refuse(state, Reason.DECK_NOT_ENROLLED, ASKED)
    if any(deck.slot == other.slot for deck in after.decks for other in after.decks if deck is not other):
        return refuse(state, Reason.DECK_NOT_ENROLLED, ASKED)
    if len({looks(deck) for deck in fresh}) < len(fresh):
        return refuse(state, Reason.DECKS_ALIKE, ASKED)
    old = {identity(deck) for deck in before}
    if any(deck.status is DeckStatus.USED and identity(deck) not in old for deck in after.decks):
        return refuse(state, Reason.DECK_USED, ASKED)
    stays = current is None or any(
        (identity(deck), deck.slot) == (identity(current), current.slot) for deck in after.decks
    )
    if not stays and current is not None and current.status is not DeckStatus.NEW and len(fresh) < SET:
        return refuse(state, Reason.NEW_SET_REQUIRED, ASKED)
    state = change(state, decks=after.decks, spent=after.spent)
    if state.phase is Phase.CLOSED:
        return state
    if not stays and current is not None and current.status is not DeckStatus.NEW:
        state.set_used = SET
    return state if stays and state.deck else open_next(state)


def looks(deck: Deck) -> str:
    """Return the back of a deck as people tell it from another: letters' case and spaces are no difference."""
    return " ".join(deck.back.casefold().split())


# Which one is played.


def next_deck(state: State) -> Deck | None:
    """Return the deck to be opened next; None when a new set of two is needed first (C13, 1804B(8))."""
    new = [deck for deck in state.decks if deck.status is DeckStatus.NEW]
    if not new or (state.set_used >= SET and len(new) < SET):
        return None
    return new[0]


def change_deck(state: State, status: DeckStatus) -> State:
    """Take the deck out of play with `status` and open the next new one, if there is one."""
    decks = tuple(replace(deck, status=status) if deck.slot == state.deck else deck for deck in state.decks)
    current = in_play(state)
    played = current is not None and current.status is DeckStatus.IN_PLAY
    if status is DeckStatus.QUARANTINED and played and state.set_used:
        state.set_used -= 1  # a deck that fell out of its set leaves its place to another
    return open_next(change(state, decks=decks))


def open_next(state: State) -> State:
    """No deck is in play any more: open the next one, every card of it still to be read."""
    state = change(
        state, shuffled=0, sealed=False, count_read=False, undo=None, empty_owed=True, reading=None, twice=frozenset()
    )
    following = next_deck(state)
    if following is None:
        return change(state, deck=0, out={})
    return opening(change(state, phase=move(state.phase, Trigger.CHANGE)), following.slot)


def opening(state: State, slot: int) -> State:
    """This deck is opened: every card of it is still to be read."""
    return change(state, deck=slot, whole_read=True, out={card: Card(NOWHERE) for card in deck_tokens(slot)})


def came_into_play(state: State) -> State:
    """The deck that was opened is verified: one more of its set, or the first of a new one."""
    decks = tuple(replace(deck, status=DeckStatus.IN_PLAY) if deck.slot == state.deck else deck for deck in state.decks)
    return change(state, decks=decks, sealed=True, set_used=state.set_used % SET + 1)


def retired(state: State) -> State:
    """A table that was closed does not take a used deck again (C13)."""
    decks = tuple(
        replace(deck, status=DeckStatus.USED) if deck.status is DeckStatus.IN_PLAY else deck for deck in state.decks
    )
    return change(state, decks=decks, deck=0, sealed=False)


# What is refused.


def alike(state: State) -> bool:
    """Tell whether no other deck at the table has another back than the one in play (1804B(6))."""
    current = in_play(state)
    others = [deck for deck in state.decks if deck.status is not DeckStatus.QUARANTINED and deck is not current]
    return current is not None and bool(others) and all(looks(deck) == looks(current) for deck in others)


def deck_fault(state: State) -> tuple[Reason, Zone] | None:
    """Return why no hand may start with the decks that are at the table (1804A(1), 1804B(6),(8))."""
    if not state.deck and state.set_used >= SET and next_deck(state) is None:
        return Reason.NEW_SET_REQUIRED, NOWHERE
    fit = [deck for deck in state.decks if deck.status is not DeckStatus.QUARANTINED]
    if len(fit) < SET and not (state.redeal and fit):
        return Reason.ONE_DECK, NOWHERE
    if alike(state):
        return Reason.DECKS_ALIKE, NOWHERE
    if not state.deck and next_deck(state) is None:
        return Reason.NEW_SET_REQUIRED, NOWHERE
    return (Reason.NOT_VERIFIED, NOWHERE) if not state.deck or state.phase is Phase.OPENING else None


def put_down(state: State, card: Token) -> State:
    """Answer a strange tag at the infeed while a deck is opened: the other new deck is taken, any other refused.

    Told once: a deck that was used, is out as defective, or is not enrolled (1804A(1), 1804B(8), 1819).
    """
    if state.phase is not Phase.OPENING and state.deck:
        return state
    other = next((deck for deck in state.decks if deck.slot == deck_of(card)), None)
    whole = len(state.out) == DECK_SIZE and not state.intruders
    reason = None
    if kind_of(card) is Kind.FOREIGN:
        reason = Reason.DECK_NOT_ENROLLED if whole or not state.deck else None
    elif kind_of(card) is Kind.CARD and other is not None:
        if other.status is DeckStatus.NEW and state.deck and whole:
            return opening(state, other.slot)
        reason = _REFUSED.get(other.status)
    told = state.refused is not None and state.refused[0] is reason
    return state if reason is None or told else refuse(state, reason, "verify", INFEED)


_REFUSED: Final = {DeckStatus.USED: Reason.DECK_USED, DeckStatus.QUARANTINED: Reason.DECK_DEFECTIVE}


def not_new(state: State) -> State:
    """The dealer says NO to the seal: refused as no new deck, and out (1804A(1))."""
    return refuse(change_deck(state, DeckStatus.QUARANTINED), Reason.DECK_NOT_NEW, "verify")


# What a confirmed count is worth.


def certified(state: State, name: str, verification: bool) -> State:
    """Record that a dealer has confirmed a complete count (C2)."""
    wall, deck = state.wall, in_play(state)
    since_s = (state.now_ns - wall.at_ns) // SECOND_NS if wall else 0
    certificate = Certificate(
        by=name,
        at_ns=state.now_ns,
        wall_s=wall.wall_s + since_s if wall else 0,
        day_s=(wall.day_s + since_s) % DAY_S if wall else 0,
        wall_sure=wall is not None and state.daytime is not None,
        deck=deck.name if deck else "",
        slot=state.deck,
        device="hand" if by_hand(state) else state.setup.shuffler,
        result=DECK_SIZE,
        verification=verification,
    )
    return tell(change(state, certificate=certificate), certificate)
