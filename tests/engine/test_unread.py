"""A card behind the gate that no reader reads (H10): it goes to its step unread, once infeed and counter proved 52."""

import pytest

from bench.decided import refused
from dealerbox.engine.state import Condition
from dealerbox.model import events as ev
from dealerbox.model.cards import is_unidentified, stand_in, token
from dealerbox.model.commands import Release
from dealerbox.model.keys import Key
from dealerbox.model.setup import Dispense, House
from dealerbox.model.zones import ASIDE, EXIT, seat


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


@pytest.mark.parametrize("button", [1, 3])
def test_not_while_a_card_or_the_button_may_lie_astray_and_ACK_is_good_once_it_does_not(table, button) -> None:
    table.begun(button=1)
    dealt = table.deal()
    unread(table)
    table.button(button)
    if button == 1:
        table.lose(seat(2), dealt)
        table.see(seat(3), dealt)
    assert refused(table.press(Key.ACK)) == ["not_now"]
    table.button(1)
    table.see(seat(2), dealt)
    table.lose(seat(3), dealt)
    assert [type(command) for command in table.press(Key.ACK) if isinstance(command, Release)] == [Release]


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


def silent_to(table, zone) -> None:
    """The next card is let out unread, and the dealer says that it lies at its step's zone."""
    assert table.view.expect == zone
    number = unread(table)
    table.press(Key.ACK)
    release = table.state.memory.pending
    table.tell(lambda at: ev.CardPassed(at, release, number))
    table.wait(2000)
    table.press(Key.ACK)


def silent(table, zone):
    return [card for card, record in table.state.out.items() if record.dealt == zone and is_unidentified(card)]


def test_of_two_that_no_reader_reads_the_one_of_the_seat_that_was_called_is_asked_about_1811_1(table) -> None:
    table.begun()
    silent_to(table, seat(2))
    silent_to(table, seat(3))
    (first,), (second,) = silent(table, seat(2)), silent(table, seat(3))
    assert (first, second) == (stand_in(1, 1), stand_in(1, 2))
    assert (table.state.out[first].inferred, table.state.unseen) == (True, 0)  # what cannot be seen is not counted
    table.press(Key.EXPOSED, 3)
    assert (table.view.prompt_code, table.reasons) == ("silent_aside", ["exposed_card"])
    table.press(Key.ACK)
    record = table.state.out[second]
    assert (table.reasons, record.at, record.home, record.inferred) == ([], ASIDE, ASIDE, True)
    assert table.state.out[first].at == seat(2)


def test_one_that_a_reader_reads_is_waited_for_and_not_asked_about(table) -> None:
    table.begun()
    silent_to(table, seat(2))
    card = table.deal()
    table.press(Key.EXPOSED, 3)
    assert table.view.prompt_code != "silent_aside"
    table.see(ASIDE, card)
    assert table.reasons == []


def test_once_said_to_lie_aside_it_is_not_asked_about_again(table) -> None:
    table.begun()
    silent_to(table, seat(2))
    table.press(Key.EXPOSED, 2)
    table.press(Key.ACK)
    table.deal()
    table.press(Key.EXPOSED, 3)
    assert (table.reasons, table.view.prompt_code == "silent_aside") == (["exposed_card"], False)


# A token never let out that is seen outside is the one that no reader read (H10).


def on_its_way(table) -> None:
    """The next card is let out unread."""
    number = unread(table)
    table.press(Key.ACK)
    release = table.state.memory.pending
    table.tell(lambda at: ev.CardPassed(at, release, number))


def test_seen_at_its_step_it_has_done_that_step_under_its_own_name(table) -> None:
    table.begun()
    table.deal()
    on_its_way(table)
    card = token(1, 9)
    table.see(seat(3), card)
    assert (table.reasons, table.view.expect, table.state.last_out) == ([], seat(1), card)
    assert not any(is_unidentified(other) for other in table.state.out)


def test_seen_elsewhere_it_is_judged_as_the_card_on_its_way(table) -> None:
    table.begun()
    on_its_way(table)
    table.see(seat(3), token(1, 9))
    (held,) = table.state.holds
    assert (held.reason, held.token, table.state.released.token) == ("wrong_seat", token(1, 9), token(1, 9))


def test_seen_after_it_was_said_to_lie_there_it_is_the_one_that_lies_there(table) -> None:
    table.begun()
    first = table.deal()
    silent_to(table, seat(3))
    table.see(seat(3), token(1, 9))
    record = table.state.out[token(1, 9)]
    assert (record.at, record.dealt, table.reasons) == (seat(3), seat(3), [])
    assert set(table.state.out) == {first, token(1, 9)}
    table.press(Key.FACED)
    assert table.state.holds[0].token == token(1, 9)


def test_another_that_was_never_let_out_is_held_under_1804B7(table) -> None:
    table.begun()
    silent_to(table, seat(2))
    table.see(seat(2), token(1, 9))
    table.see(seat(2), token(1, 10))
    assert [(h.reason, h.token) for h in table.state.holds] == [("not_released", token(1, 10))]


def test_of_a_group_it_is_the_one_that_was_let_out_unread_1809(make_table) -> None:
    table = make_table(house=House(dispense=Dispense.GROUP))
    table.begun()
    on_its_way(table)
    second = table.let_out()
    table.see(seat(2), token(1, 9))
    assert (table.reasons, table.state.released.token, table.state.along) == ([], second, ())
    table.see(seat(2), second)
    assert table.view.expect == seat(3)


def test_of_a_group_the_other_way_round(make_table) -> None:
    table = make_table(house=House(dispense=Dispense.GROUP))
    table.begun()
    first = table.let_out()
    on_its_way(table)
    table.see(seat(2), token(1, 9))
    assert (table.reasons, table.state.released.token) == ([], first)
    assert set(table.state.out) == {first, token(1, 9)}
