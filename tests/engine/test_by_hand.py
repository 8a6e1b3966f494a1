"""MANUAL (C15): from any moment to the end of the hand, through the next one, and back to the machine."""

import pytest

from bench.decided import refused
from bench.narrator import deck
from dealerbox.model import events
from dealerbox.model.cards import Token, token
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Dispense, House
from dealerbox.model.shuffler import Cycle
from dealerbox.model.zones import BOARD, BURN, EXIT, INFEED, MUCK, seat

MINUTE_MS = 60_000


def by_hand(table):
    """After the hole cards the machine is dead, and the stub has been taken out and shown."""
    holes = table.holes()
    table.tell(lambda at: events.DeviceLost(at, "shuffler", "dead"))
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    table.show(*deck(1)[6:])
    table.press(Key.ACK)
    return holes


def between_by_hand(table):
    """A hand has been awarded by hand."""
    by_hand(table)
    table.press(Key.AWARD)


def test_the_next_hand_is_dealt_by_hand_too_when_all_52_were_shown_and_shuffled(table) -> None:
    between_by_hand(table)
    table.show(*deck(1))
    assert table.view.prompt_code == "manual_shuffled"
    table.press(Key.ACK)
    table.button(2)
    table.press(Key.START)
    table.see(seat(3), token(1, 1))
    table.see(seat(1), token(1, 2))
    assert (table.view.expect, table.reasons) == (seat(2), [])


def test_the_cards_that_were_out_are_not_the_count_by_C2(table) -> None:
    between_by_hand(table)
    table.show(*deck(1)[:6])
    assert table.view.prompt_code != "manual_shuffled"
    assert refused(table.press(Key.ACK)) == ["not_now"]


def test_award_by_hand_is_taken_back_with_the_stub_in_the_hand(table) -> None:
    by_hand(table)
    out = table.state.out
    table.press(Key.AWARD)
    table.press(Key.UNDO)
    assert (table.state.out, table.view.phase) == (out, "betting")


def test_a_machine_back_in_mid_hand_and_disagreeing_does_not_stop_the_next_hand_by_hand(table) -> None:
    by_hand(table)
    table.meet(machine=46, agreed=False, why="count")
    table.press(Key.AWARD)
    table.show(*deck(1))
    table.press(Key.ACK)
    table.button(2)
    assert refused(table.press(Key.START)) == []


def test_a_machine_back_between_hands_and_disagreeing_does_not_stop_the_next_hand_by_hand(table) -> None:
    between_by_hand(table)
    table.meet(machine=46, agreed=False, why="count")
    table.tell(lambda at: events.ShufflerLocked(at, "door"))
    table.show(*deck(1))
    table.press(Key.ACK)
    table.button(2)
    assert refused(table.press(Key.START)) == []


def test_manual_ends_between_hands_when_the_machine_is_said_to_be_empty_and_takes_all_52(table) -> None:
    between_by_hand(table)
    table.meet(machine=46, agreed=False, why="count")
    table.press(Key.MANUAL)
    assert table.state.memory.pending_kind == "Places"
    number = table.state.memory.pending
    table.tell(lambda at: events.PlacesSet(at, number))
    table.meet(machine=0)
    table.feed(*deck(1))
    table.returned(52)
    table.cycle(Cycle.SHUFFLE, 52)
    table.button(2)
    assert table.view.prompt_code == "count"
    table.press(Key.COUNT)
    table.cycle(Cycle.COUNT, 52)
    table.press(Key.ACK)
    table.press(Key.START)
    assert (table.state.manual, table.state.memory.pending_kind) == (None, "Dispense")


def test_manual_in_the_middle_of_an_hour_ends_with_the_machine_full_before_the_next_hand(table) -> None:
    """The machine comes back as it was: nothing was taken out."""
    table.ready()
    table.tell(lambda at: events.DeviceLost(at, "shuffler", "dead"))
    table.press(Key.MANUAL)
    table.meet(machine=52)
    table.press(Key.START)
    assert (table.state.manual, table.state.memory.pending_kind) == (None, "Dispense")


def test_a_deck_counted_by_hand_is_counted_again_when_that_is_due(table) -> None:
    between_by_hand(table)
    table.show(*deck(1))
    table.press(Key.ACK)
    table.button(2)
    table.wait(26 * MINUTE_MS)
    assert refused(table.press(Key.START)) == ["count_overdue"]
    assert refused(table.press(Key.COUNT)) == []
    table.show(*deck(1))
    table.press(Key.ACK)
    assert refused(table.press(Key.START)) == []


def test_the_other_deck_is_verified_by_hand_under_1804A1(table) -> None:
    between_by_hand(table)
    for number in (1, 2, 3):
        table.lose(seat(number), *deck(1))
    table.press(Key.DECK)
    table.show(*deck(2))
    assert table.view.prompt_code == "seal"
    table.press(Key.ACK)
    assert table.view.prompt_code == "manual_shuffled"
    table.press(Key.ACK)
    table.button(2)
    assert refused(table.press(Key.START)) == []


# Shown, but not taken up again.


def test_a_card_that_goes_back_is_not_in_the_stub_before_it_is_taken_up_from_the_burns_C8(make_table, flop) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    flop(table).lay(BOARD)
    first, *others = sorted(table.state.returning)
    table.show(*others)
    table.see(BURN, first)
    assert table.view.prompt_code == "take_up"
    assert table.view.prompt == "Take the card off the burns: it goes back into the stub."
    assert refused(table.press(Key.CUT)) == ["not_now"]
    table.lose(BURN, first)
    table.press(Key.CUT)
    assert (table.reasons, table.view.prompt_code) == ([], "round")


def test_the_stub_is_not_complete_before_the_last_card_shown_is_taken_up_from_the_burns_C15(table, brought_to) -> None:
    brought_to(table, "by_hand")
    table.press(Key.ACK)
    last, *others = (card for card in deck(1) if card not in table.state.out)
    table.show(*others)
    table.see(BURN, last)
    assert table.view.prompt_code == "manual_show"
    assert refused(table.press(Key.ACK)) == ["not_now"]
    table.lose(BURN, last)
    table.press(Key.ACK)
    assert (table.reasons, table.view.prompt_code) == ([], "round")


def test_the_deck_is_not_to_be_shuffled_by_hand_before_the_last_card_is_taken_up_from_the_burns_S1(table) -> None:
    between_by_hand(table)
    last, *others = deck(1)
    table.show(*others)
    table.see(BURN, last)
    assert table.view.prompt_code == "gather"
    assert refused(table.press(Key.ACK)) == ["not_now"]
    table.lose(BURN, last)
    assert table.view.prompt_code == "manual_shuffled"


def test_a_deck_is_verified_by_hand_though_a_stranger_had_been_fed_in(table) -> None:
    table.started()
    table.meet()
    table.feed(*deck(1)[:20], Token(1061))
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    table.show(*deck(1))
    assert table.view.prompt_code == "seal"
    table.press(Key.ACK)
    table.press(Key.ACK)
    table.rule(Ruling.SET_BUTTON, seat=1)
    table.button(1)
    assert refused(table.press(Key.START)) == []


def test_a_stranger_shown_with_the_deck_is_a_recount(table) -> None:
    between_by_hand(table)
    table.show(Token(2009), *deck(1))
    assert table.reasons == ["recount"]
    table.press(Key.COUNT)
    table.show(*deck(1))
    table.press(Key.ACK)
    table.button(2)
    assert refused(table.press(Key.START)) == []


def test_a_recount_between_hands_ends_with_52_shown_by_hand(table) -> None:
    table.flop()
    table.press(Key.AWARD)
    table.feed(*table.state.out, Token(2009))
    assert table.reasons == ["recount"]
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    table.show(*deck(1))
    table.press(Key.ACK)
    assert table.reasons == []


def test_the_card_on_its_way_when_the_machine_died_still_takes_its_step(table) -> None:
    table.begun()
    card = table.let_out()
    table.tell(lambda at: events.DeviceLost(at, "shuffler", "dead"))
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    table.show(*deck(1)[1:])
    table.press(Key.ACK)
    table.see(seat(2), card)
    assert (table.view.expect, table.reasons) == (seat(3), [])


def test_next_by_hand_is_not_taken_back_once_a_card_has_left_the_stub(table) -> None:
    by_hand(table)
    table.press(Key.NEXT)
    table.see(BURN, token(1, 7))
    assert refused(table.press(Key.UNDO)) == ["not_now"]
    assert table.view.expect == BOARD


def test_a_stub_card_read_at_the_idle_machines_exit_is_on_nobodys_way(table) -> None:
    by_hand(table)
    table.press(Key.NEXT)
    table.see(EXIT, token(1, 7))
    table.wait(26 * MINUTE_MS)
    table.see(BURN, token(1, 7))
    assert (table.view.expect, table.reasons) == (BOARD, [])


def test_a_card_dealt_before_the_stub_is_out_is_held(table) -> None:
    table.holes()
    table.press(Key.MANUAL)
    table.see(seat(2), token(1, 20))
    assert table.reasons == ["not_released"]


def test_a_stranger_taken_away_is_proved_by_the_stub_shown_under_1824(table) -> None:
    table.holes()
    table.tell(lambda at: events.DeviceLost(at, "shuffler", "dead"))
    table.see(BOARD, Token(2009))
    table.lose(BOARD, Token(2009))
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    table.show(*deck(1)[6:])
    table.press(Key.ACK)
    assert refused(table.rule(Ruling.STAND)) == []
    assert table.reasons == []


@pytest.mark.parametrize("end", [Key.AWARD, Key.MISDEAL])
def test_a_hand_that_ends_before_the_stub_is_out_asks_for_it(table, end) -> None:
    table.holes()
    table.tell(lambda at: events.DeviceLost(at, "shuffler", "dead"))
    table.press(Key.MANUAL)
    table.press(end)
    assert table.view.prompt_code == "manual_empty"
    table.press(Key.ACK)
    table.show(*deck(1))
    table.press(Key.ACK)
    table.button(1 if end is Key.MISDEAL else 2)
    assert refused(table.press(Key.START)) == []


def test_a_card_fed_into_a_dead_machine_by_hand_is_nothing_of_the_books_but_a_hold(table) -> None:
    holes = by_hand(table)
    table.see(MUCK, holes[0])
    table.see(INFEED, token(1, 30))
    assert table.reasons == ["not_released"]
    table.rule(Ruling.STAND)
    assert (table.reasons, token(1, 30) in table.state.out) == ([], False)


def test_a_stub_shuffled_in_mid_hand_and_taken_out_before_it_was_cut_is_cut_by_hand_C15_C16(table) -> None:
    """ACK says that its order was kept, so the cut is still owed; NO says that it was shuffled and cut."""
    for key, prompt in ((Key.ACK, "cut"), (Key.NO, "deal")):
        again = type(table)()
        again.holes()
        again.press(Key.NEXT)
        again.tell(lambda at: events.ShufflerLocked(at, "door"))
        again.meet(machine=46)
        again.retracted()
        again.cycle(Cycle.COUNT, 46)
        again.press(Key.ACK)
        again.cycle(Cycle.SHUFFLE, 46)
        assert again.view.prompt_code == "cut"
        again.tell(lambda at: events.ShufflerLocked(at, "error"))  # its order is lost once more
        again.press(Key.MANUAL)
        again.press(Key.ACK)
        again.show(*deck(1)[6:])
        again.press(key)
        assert (again.reasons, again.view.prompt_code) == ([], prompt)
        if prompt == "cut":
            again.press(Key.CUT)
        again.see(BURN, token(1, 7))
        assert (again.reasons, again.view.expect) == ([], BOARD)
