"""What a card seen means by what it is: let out or not, dealt, a stranger, when nothing is to come (H8, C5)."""

import pytest

from bench.decided import refused
from dealerbox.model import events as ev
from dealerbox.model.cards import Token, joker, token
from dealerbox.model.keys import Key
from dealerbox.model.shuffler import Cycle
from dealerbox.model.zones import BOARD, BURN, EXIT, INFEED, MUCK, seat

STUB = token(1, 50)


def held(table):
    return [(h.reason.value, h.zone, h.to, h.token) for h in table.state.holds]


# Never let out (C5).


@pytest.mark.parametrize("zone", [BOARD, seat(2), MUCK])
def test_a_card_of_the_stub_outside_is_astray_until_it_is_at_the_exit_or_in_the_machine(table, zone) -> None:
    table.holes()
    table.see(zone, STUB)
    assert (held(table), table.state.strays) == ([("not_released", zone, EXIT, STUB)], (STUB,))
    table.see(zone, token(1, 51))
    table.lose(zone, STUB)
    table.see(EXIT, STUB)
    assert (held(table), STUB in table.state.out) == ([("not_released", zone, EXIT, token(1, 51))], False)
    assert (table.state.strays, table.state.order_lost) == ((token(1, 51),), False)


def test_fed_in_it_is_the_stubs_again_which_is_shuffled(table) -> None:
    table.holes()
    table.see(BOARD, STUB)
    table.see(INFEED, STUB)
    assert (held(table), STUB in table.state.out, table.state.order_lost) == ([], False, True)


def test_moved_about_it_is_held_once_and_where_it_was_seen_last(table) -> None:
    table.holes()
    table.see(BOARD, STUB)
    table.see(seat(2), STUB)
    assert (len(held(table)), table.state.out[STUB].at) == (1, seat(2))


# When nothing remains to be dealt (H8).


@pytest.fixture
def showdown(table, brought_to):
    brought_to(table, "showdown")
    return table


@pytest.mark.parametrize("zone", [BOARD, seat(2), MUCK])
def test_at_the_showdown_sightings_are_records(showdown, zone) -> None:
    showdown.see(zone, STUB)
    assert (held(showdown), showdown.state.out[STUB].at, showdown.state.strays) == ([], zone, ())
    board = next(card for card, record in showdown.state.out.items() if record.home == BOARD)
    showdown.lose(BOARD, board)
    assert showdown.see(seat(1), board) == ()
    assert (showdown.state.out[board].at, showdown.state.strays, held(showdown)) == (seat(1), (), [])


def test_when_all_cards_are_dealt_the_burns_are_muck_C18_and_not_before_1812(table, brought_to) -> None:
    table.flop()
    burn = next(card for card, record in table.state.out.items() if record.home == BURN)
    assert [command.reason.value for command in table.see(MUCK, burn)] == ["card_strayed"]
    table.see(BURN, burn)
    for _ in range(2):
        table.press(Key.NEXT)
        table.deal_street()
    assert (table.see(MUCK, burn), held(table), table.state.strays) == ((), [], ())


@pytest.mark.parametrize("stranger", [Token(17), joker(1, 1), token(2, 3)])
def test_strangers_too(showdown, stranger) -> None:
    showdown.see(BOARD, stranger)
    showdown.wait(3000)
    assert (held(showdown), showdown.state.suspects) == ([], ())


# Seen again, after it was said to lie somewhere.


def test_what_a_reader_reads_is_no_persons_word_any_more(table) -> None:
    table.begun()
    card = table.let_out()
    table.wait(2000)
    table.press(Key.ACK)
    assert table.state.out[card].inferred
    table.see(seat(3), card)
    assert (table.state.out[card].at, table.state.out[card].inferred) == (seat(3), False)


def test_a_card_read_at_the_exit_before_it_is_let_out_ends_that_it_was_not_read_and_nothing_else(table) -> None:
    table.begun()
    table.card_up()
    table.button(3)
    table.wait(3000)
    assert sorted(table.reasons) == ["button_moved", "card_unread"]
    table.see(EXIT, token(1, 1))
    assert table.reasons == ["button_moved"]


# Two of one scan.


@pytest.mark.parametrize("other", [token(1, 10), STUB, Token(17)])
def test_each_card_that_a_zone_loses_in_one_scan_is_judged_by_itself_S5(table, other) -> None:
    """Whatever was lost beside it: a card of the board, one of the stub, a stranger."""
    cards = table.flop()
    table.see(BOARD, cards[0])
    table.lose(BOARD, other, cards[0])
    assert (table.state.strays, table.state.out[cards[0]].at) == ((), seat(2))


def test_two_cards_read_next_door_and_lost_there_in_one_scan_both_lie_at_home_S5(table) -> None:
    cards = table.flop()
    table.see(BOARD, cards[0], cards[1])
    assert table.state.strays == (cards[0], cards[1])
    table.lose(BOARD, cards[0], cards[1])
    assert [table.state.out[card].at for card in cards[:2]] == [seat(2), seat(3)]
    assert table.state.strays == ()


# A card never let out goes in: the machine has one more if it was counted meanwhile.


def counted_meanwhile(table) -> None:
    """Opened, counted and proved: 45 are in it, and one of the stub lies on the table."""
    table.see(BOARD, STUB)
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    table.meet(machine=45)
    table.cycle(Cycle.COUNT, 45)
    table.press(Key.ACK)
    assert table.state.memory.machine == 45


def not_counted(table) -> None:
    table.see(BOARD, STUB)
    assert table.state.memory.machine == 46


def with_one_at_the_exit(table) -> None:
    table.press(Key.NEXT)
    number = table.state.memory.pending
    table.tell(lambda at: ev.CardUp(at, number))
    table.see(BOARD, STUB)
    assert (table.state.memory.machine, table.state.memory.exit_id) == (45, number)


@pytest.mark.parametrize(
    ("meanwhile", "inside"), [(counted_meanwhile, 46), (not_counted, 46), (with_one_at_the_exit, 45)]
)
def test_a_card_of_the_stub_that_goes_in_is_one_more_there_only_if_it_was_missed_by_the_count_S2(
    table, meanwhile, inside
) -> None:
    table.holes()
    meanwhile(table)
    table.lose(BOARD, STUB)
    table.see(INFEED, STUB)
    assert (table.state.memory.machine, STUB in table.state.out) == (inside, False)


# Strangers (1819, 1824).


@pytest.mark.parametrize(
    ("stranger", "reason"), [(token(2, 9), "other_deck"), (joker(2, 1), "joker_present"), (Token(17), "foreign_card")]
)
def test_a_tag_that_is_not_of_the_deck_was_brought_to_the_table_whatever_it_is_1824(table, stranger, reason) -> None:
    table.holes()
    table.see(BOARD, stranger)
    table.wait(200)
    assert [(h.reason, h.clause, h.zone, h.token) for h in table.state.holds] == [(reason, "1824", BOARD, stranger)]
    table.see(MUCK, stranger)
    table.wait(200)
    assert len(table.state.holds) == 1


def test_one_that_was_in_the_deck_was_not_brought_as_well_when_it_is_laid_on_the_table_1819(table) -> None:
    table.begun()
    table.card_up()
    table.see(EXIT, token(2, 9))
    assert table.reasons == ["defective_deck"]
    table.see(BOARD, token(2, 9))
    table.wait(200)
    assert table.reasons == ["defective_deck"]


def test_a_card_up_whose_tag_is_silent_is_not_dealt_unread_once_any_tag_was_read_there_H10(table) -> None:
    table.begun()
    table.card_up()
    table.wait(2000)
    assert table.view.prompt_code == "unread"
    table.see(EXIT, Token(17))
    table.lose(EXIT, Token(17))
    assert (table.view.prompt_code, refused(table.press(Key.ACK))) == ("held", ["not_now"])


# One live hand (H8).


@pytest.fixture
def alone(table):
    """The flop is dealt, and all hands but one are folded."""
    cards = table.flop()
    table.see(MUCK, *cards[0:4:3], *cards[1:5:3])
    assert table.state.dead == {2, 3}
    return table


def test_with_one_live_hand_and_no_card_asked_for_sightings_are_records_H8(alone) -> None:
    alone.see(BOARD, STUB)
    assert (held(alone), alone.state.out[STUB].at, alone.state.strays) == ([], BOARD, ())


def test_with_one_live_hand_and_cards_still_asked_for_one_never_let_out_is_held_H8(alone) -> None:
    alone.press(Key.NEXT)
    alone.see(BOARD, STUB)
    assert held(alone) == [("not_released", BOARD, EXIT, STUB)]
