"""With which decks a hand may start, and what a confirmed count says of the one that is played (1804B(6),(8))."""

import pytest

from dealerbox.engine.decks import certified, deck_fault
from dealerbox.engine.phases import Phase
from dealerbox.engine.state import Deck, DeckStatus, Manual, State
from dealerbox.model.commands import Certificate
from dealerbox.model.events import WallClock
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import Setup

NEW, PLAYED, USED, OUT = DeckStatus.NEW, DeckStatus.IN_PLAY, DeckStatus.USED, DeckStatus.QUARANTINED
SECOND_NS = 1_000_000_000


def table(*statuses: DeckStatus, deck: int = 0, used: int = 0, redeal: bool = False, backs: str = "red blue") -> State:
    """Between hands, with decks of these statuses in slots 1 and 2."""
    decks = tuple(
        Deck(slot, name, back, status)
        for slot, name, back, status in zip((1, 2), ("first", "second"), backs.split(), statuses, strict=False)
    )
    setup = Setup(table="7", seats=(1, 2), shuffler="shuffler")
    return State(setup=setup, phase=Phase.BETWEEN, decks=decks, deck=deck, set_used=used, redeal=redeal)


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (table(PLAYED, NEW, deck=1, used=1), None),
        (table(PLAYED, USED, deck=1, used=2), None),
        (table(USED, USED, used=2), Reason.NEW_SET_REQUIRED),
        (table(USED, used=2), Reason.NEW_SET_REQUIRED),
        (table(USED, USED, used=1), Reason.NEW_SET_REQUIRED),
        (table(NEW, NEW, used=2), Reason.NOT_VERIFIED),
        (table(NEW, NEW), Reason.NOT_VERIFIED),
        (table(PLAYED, OUT, deck=1, used=1), Reason.ONE_DECK),
        (table(PLAYED, OUT, deck=1, used=1, redeal=True), None),
        (table(PLAYED, NEW, deck=1, used=1, backs="red Red"), Reason.DECKS_ALIKE),
        (table(PLAYED, OUT, deck=1, used=1, redeal=True, backs="red red"), None),
    ],
)
def test_a_hand_starts_with_a_verified_deck_of_two_that_differ_or_of_one_that_deals_anew(state, reason) -> None:
    """C13, C17, T2."""
    fault = deck_fault(state)
    assert (fault and fault[0]) == reason


def certificate(state: State) -> Certificate:
    told = certified(state, "D-17", False).certificate
    assert told is not None
    return told


def test_without_a_wall_clock_a_count_is_certified_by_the_stations_own_time_alone_C2() -> None:
    state = table(PLAYED, NEW, deck=1)
    state.now_ns = 9 * SECOND_NS
    told = certificate(state)
    assert (told.at_ns, told.wall_s, told.day_s, told.wall_sure) == (9 * SECOND_NS, 0, 0, False)


def test_a_wall_clock_not_known_to_be_right_is_certified_as_that_C2() -> None:
    state = table(PLAYED, NEW, deck=1)
    state.now_ns, state.wall = 9 * SECOND_NS, WallClock(2 * SECOND_NS, 1000, 86_399, False)
    told = certificate(state)
    assert (told.wall_s, told.day_s, told.wall_sure) == (1007, 6, False)


def test_by_hand_it_is_a_count_by_hand_C15() -> None:
    state = table(PLAYED, NEW, deck=1)
    assert certificate(state).device == "shuffler"
    state.manual = Manual(emptied=True)
    assert (certificate(state).device, certificate(state).deck) == ("hand", "first")


def test_of_no_deck_in_play_it_names_none() -> None:
    told = certificate(table(NEW, NEW))
    assert (told.deck, told.slot) == ("", 0)
