"""A card behind the gate that no reader reads (H10): it goes to its step unread, once infeed and counter proved 52."""

from dealerbox.engine.state import Condition
from dealerbox.model import events as ev
from dealerbox.model.cards import is_unidentified
from dealerbox.model.commands import Release
from dealerbox.model.keys import Key
from dealerbox.model.zones import EXIT


def unread(table) -> int:
    """The next card comes up, and its tag is silent; returns its DISPENSE."""
    number = table.state.memory.pending
    table.tell(lambda at: ev.CardUp(at, number))
    table.wait(2000)
    return number


def test_it_is_held_until_somebody_says_go_on(table) -> None:
    table.begun()
    unread(table)
    (held,) = table.state.holds
    assert (held.reason.value, held.needs, held.zone) == ("card_unread", Condition.SIGHT, EXIT)


def test_ACK_lets_it_go_unread_and_its_deck_goes_out_after_this_hand(table) -> None:
    table.begun()
    number = unread(table)
    told = table.press(Key.ACK)
    assert [command.card_id for command in told if isinstance(command, Release)] == [number]
    assert table.reasons == []
    assert is_unidentified(table.state.released.token)
    assert [deck.suspect for deck in table.state.decks] == [True, False]


def test_each_that_goes_unread_is_a_card_of_its_own(table) -> None:
    table.begun()
    taken = []
    for _ in range(2):
        number = unread(table)
        table.press(Key.ACK)
        taken.append(table.state.released.token)
        release = table.state.memory.pending
        table.tell(lambda at, release=release, number=number: ev.CardPassed(at, release, number))
        table.wait(2000)
        table.press(Key.ACK)
    assert len(set(taken)) == 2
    assert all(is_unidentified(card) for card in taken)


def test_it_may_be_any_card_of_the_hand(table) -> None:
    table.begun()
    table.deal()
    unread(table)
    table.press(Key.ACK)
    assert is_unidentified(table.state.released.token)
