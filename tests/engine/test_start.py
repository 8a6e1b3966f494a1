"""What keeps a hand from starting, each by its name and place, and what does not (H1, 1804A(3), C11, C17)."""

import pytest
from msgspec.structs import replace

from bench.narrator import deck
from dealerbox.model import events as ev
from dealerbox.model.cards import Token, cut_card, joker, token
from dealerbox.model.commands import Dispense, Refuse
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import House
from dealerbox.model.shuffler import Cycle
from dealerbox.model.zones import ASIDE, BOARD, EXIT, INFEED, seat

FOREIGN = Token(17)


def why(table):
    """START: why it is refused, and where; None when the hand begins."""
    told = [(c.reason.value, c.zone) for c in table.press(Key.START) if isinstance(c, Refuse)]
    return told[0] if told else None


def test_a_table_that_is_ready_starts(table) -> None:
    table.ready()
    assert why(table) is None


# The table, its devices and its seats.


def test_a_closed_table(table) -> None:
    table.ready()
    table.rule(Ruling.CLOSE)
    assert why(table) == ("table_closed", "")


def test_readers_that_have_not_looked_yet_the_first_of_them_named(table) -> None:
    table.setup = replace(table.setup, readers=(BOARD, ASIDE))
    table.ready()
    assert why(table) == ("device_lost", ASIDE)
    table.tell(lambda at: ev.ZoneKnown(at, ASIDE))
    assert why(table) == ("device_lost", BOARD)
    table.tell(lambda at: ev.ZoneKnown(at, BOARD))
    assert why(table) is None


def test_a_shuffler_that_has_not_been_met(table) -> None:
    table.started()
    assert why(table) == ("device_lost", EXIT)


def test_a_hold_that_outlives_a_hand_is_named_with_its_place(table) -> None:
    table.ready()
    table.tell(lambda at: ev.ZoneUnknown(at, BOARD, "antenna"))
    assert why(table) == ("device_lost", BOARD)


@pytest.mark.parametrize("space", [ev.Space.LAST_HAND, ev.Space.ENOUGH, ev.Space.LOW])
def test_a_journal_that_has_room_for_this_hand_alone_starts_no_other(table, space) -> None:
    table.ready()
    table.tell(lambda at: ev.SpaceLeft(at, space, 100))
    assert why(table) == (("journal_full", "") if space is ev.Space.LAST_HAND else None)


@pytest.mark.parametrize(
    ("seats", "most", "refused"),
    [((1,), 10, "too_few_seats"), ((1, 2), 10, ""), ((1, 2, 3), 2, "too_many_seats"), ((1, 2), 2, "")],
)
def test_two_players_and_no_more_than_the_house_seats_1823(make_table, seats, most, refused) -> None:
    table = make_table(seats=seats, house=House(max_seats=most))
    table.ready()
    assert why(table) == ((refused, "") if refused else None)


# The deck.


def fed(table) -> None:
    table.started()
    table.meet()
    table.feed(*deck(1))
    table.returned(52)


def test_a_deck_whose_seal_nobody_has_confirmed_1804A1(table) -> None:
    fed(table)
    assert why(table) == ("not_verified", "")


def test_a_deck_that_was_not_shuffled_S1(table) -> None:
    fed(table)
    table.press(Key.ACK)
    assert why(table) == ("not_shuffled", "")
    table.cycle(Cycle.SHUFFLE, 52)
    assert why(table) == ("button_missing", "")


def test_a_machine_that_was_opened_S2(table) -> None:
    table.ready()
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    assert why(table) == ("not_empty", "")


def test_a_machine_that_is_counting(table) -> None:
    table.ready()
    table.press(Key.COUNT)
    assert why(table) == ("not_now", "")
    table.cycle(Cycle.COUNT, 52)
    assert why(table) is None


def test_cards_that_have_not_come_back_where_the_first_was_seen_last_H7(table) -> None:
    holes = table.holes()
    table.press(Key.AWARD)
    table.see(BOARD, holes[0])
    assert why(table) == ("cards_out", BOARD)


def test_a_deck_that_is_back_and_still_to_be_taken_in_H7(table) -> None:
    holes = table.holes()
    table.press(Key.AWARD)
    table.retracted()
    table.feed(*holes)
    assert why(table) == ("cards_out", INFEED)


# Strangers.


@pytest.mark.parametrize("zone", [BOARD, ASIDE, EXIT, seat(3)])
@pytest.mark.parametrize(
    ("stranger", "refused", "aside"),
    [
        (FOREIGN, "foreign_card", True),
        (joker(1, 1), "joker_present", False),
        (joker(2, 1), "joker_present", False),
        (token(2, 1), "other_deck", False),
        (token(1, 9), "", False),
        (cut_card(1), "", False),
    ],
)
def test_no_foreign_tag_anywhere_and_no_joker_or_other_deck_in_a_zone_of_play(
    table, zone, stranger, refused, aside
) -> None:
    table.ready()
    if stranger != token(1, 9) or zone == EXIT:  # one of ours elsewhere would be out
        table.see(zone, stranger)
    assert why(table) == ((refused, zone) if refused and (zone != ASIDE or aside) else None)


def test_a_joker_aside_hides_no_other_deck_on_the_board(table) -> None:
    table.ready()
    table.see(ASIDE, joker(1, 1))
    table.see(ASIDE, token(2, 3))
    table.see(BOARD, token(2, 1))
    assert why(table) == ("other_deck", BOARD)


# The button.


@pytest.mark.parametrize(
    ("seats", "refused"),
    [((), ("button_missing", seat(2))), ((2, 3), ("button_missing", seat(2))), ((3,), ("button_wrong", seat(3)))],
)
def test_the_button_lies_at_one_seat_and_at_the_right_one_1804A3(table, seats, refused) -> None:
    table.ready(button=2)
    table.button(*seats)
    assert why(table) == refused
    table.button(2)
    assert why(table) is None


def test_before_the_first_hand_the_director_says_where_the_button_lies_C11(table) -> None:
    table.opened()
    assert why(table) == ("button_missing", "")
    table.button(2)
    assert why(table) == ("button_wrong", seat(2))
    table.rule(Ruling.SET_BUTTON)
    assert why(table) is None


def test_nor_a_foreign_tag_aside_behind_a_joker(table) -> None:
    table.ready()
    table.see(ASIDE, joker(1, 1), FOREIGN)
    assert why(table) == ("foreign_card", ASIDE)


# A hand begins as any other, whatever was left of the one before.


def test_a_count_that_nobody_confirmed_before_it_is_none_after_it_C2(table) -> None:
    table.ready()
    table.press(Key.COUNT)
    table.cycle(Cycle.COUNT, 52)
    assert (table.view.prompt_code, why(table)) == ("counted", None)
    table.press(Key.AWARD)
    assert table.state.count_read is False


def test_the_first_card_is_the_first_though_one_came_up_when_the_hand_before_was_over_S1(table) -> None:
    table.begun()
    number = table.state.memory.pending
    table.press(Key.MISDEAL)
    table.tell(lambda at: ev.CardUp(at, number))
    table.retracted()
    table.cycle(Cycle.SHUFFLE, 52)
    table.button(1)
    (first,) = [command for command in table.press(Key.START) if isinstance(command, Dispense)]
    assert (first.first, first.deal_id) == (True, table.state.memory.deal_id)


def test_a_card_that_had_its_permit_when_the_hand_before_was_over_is_on_no_way_in_this_one(table) -> None:
    table.begun()
    card = table.let_up()
    release = table.state.memory.pending
    table.press(Key.MISDEAL)
    table.lose(EXIT, card)
    table.meet(machine=51, exit_id=0, last_id=release)
    table.see(seat(2), card)
    table.feed(card)
    table.returned(1)
    table.cycle(Cycle.SHUFFLE, 52)
    table.button(1)
    assert why(table) is None
    assert (table.state.released, table.view.expect) == (None, seat(2))


def test_by_hand_no_shuffle_of_the_machine_is_spent_and_no_card_was_read_twice(table) -> None:
    table.ready()
    table.tell(lambda at: ev.DeviceLost(at, "shuffler", "dead"))
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    table.show(token(1, 1), *deck(1))
    table.press(Key.ACK)
    assert why(table) is None
    assert (table.state.memory.deal_id, table.state.twice) == (0, frozenset())
    assert (table.view.prompt_code, table.view.expect) == ("deal", seat(2))


@pytest.mark.parametrize("void", [True, False])
def test_one_deck_starts_the_redeal_of_a_void_hand_alone_C17(table, void) -> None:
    table.flop()
    table.press(Key.SUSPECT)
    if void:
        table.rule(Ruling.VOID_HAND)
    else:
        table.press(Key.AWARD)
    assert (table.state.deck, table.view.prompt_code) == (2, "empty")
    for zone, there in table.state.seen.items():
        table.lose(zone, *there)
    table.press(Key.ACK)
    places = table.state.memory.pending
    table.tell(lambda at: ev.PlacesSet(at, places))
    table.meet(machine=0)
    table.feed(*deck(2))
    table.returned(52)
    table.press(Key.ACK)
    table.cycle(Cycle.SHUFFLE, 52)
    table.button(1 if void else 2)
    assert why(table) == (None if void else ("one_deck", ""))
