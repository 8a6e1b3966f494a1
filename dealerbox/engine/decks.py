"""The decks of a table: new, in play, used, and what a confirmed count of one is worth (1804A(1), 1804B(6),(8))."""

from dealerbox.engine.holds import tell
from dealerbox.engine.state import State, by_hand, change
from dealerbox.law.custody import DAY_S, SECOND_NS
from dealerbox.model.cards import DECK_SIZE
from dealerbox.model.commands import Certificate


def certified(state: State, name: str, verification: bool) -> State:
    """Record that a dealer has confirmed a complete count (C2)."""
    wall = state.wall
    since_s = (state.now_ns - wall.at_ns) // SECOND_NS if wall else 0
    certificate = Certificate(
        by=name,
        at_ns=state.now_ns,
        wall_s=wall.wall_s + since_s if wall else 0,
        day_s=(wall.day_s + since_s) % DAY_S if wall else 0,
        wall_sure=wall is not None and state.daytime is not None,
        deck=next((deck.name for deck in state.decks if deck.slot == state.deck), ""),
        slot=state.deck,
        device="hand" if by_hand(state) else state.setup.shuffler,
        result=DECK_SIZE,
        verification=verification,
    )
    return tell(change(state, certificate=certificate), certificate)
