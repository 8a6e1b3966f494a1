"""What a card seen means by what it is: let out or not, dealt, folded, when nothing is to come (H6, H8, C5, T6)."""

import pytest

from bench.decided import only, refused
from dealerbox.model import events as ev
from dealerbox.model.cards import Token, joker, token
from dealerbox.model.commands import Hold
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


# Folded (H6).


@pytest.mark.parametrize("how", ["read", "said"])
def test_a_card_in_the_muck_is_at_home_there_and_both_are_a_folded_hand(table, how) -> None:
    table.begun()
    if how == "said":
        table.let_out()
        table.wait(2000)
        table.press(Key.ACK)
    first = table.state.last_out if how == "said" else table.deal()
    holes = [first, *table.deal_street()]
    table.lose(seat(2), first)
    table.see(MUCK, first)
    record = table.state.out[first]
    assert (record.at, record.home, record.inferred, table.view.folded) == (MUCK, MUCK, False, ())
    table.see(MUCK, holes[3])
    assert (table.view.folded, table.state.strays, table.reasons) == ((2,), (), [])


def test_a_hand_folded_across_the_board_is_no_stray_any_more_and_ends_its_own_holds_alone(make_table) -> None:
    table = make_table(seats=(1, 2, 3, 4))
    cards = table.flop()
    for card, zone, to in ((cards[0], seat(2), seat(3)), (cards[1], seat(3), seat(4))):
        table.lose(zone, card)
        table.see(to, card)
    table.wait(2000)
    table.press(Key.NEXT)
    table.let_up()
    assert [row[3] for row in held(table)] == [cards[0], cards[1]]
    table.lose(seat(3), cards[0])
    table.see(MUCK, cards[0])
    assert ([row[3] for row in held(table)], table.state.strays) == ([cards[1]], (cards[1],))


def test_a_hand_that_is_still_to_get_its_second_card_is_not_folded_by_its_first_in_the_muck(table) -> None:
    table.begun()
    first = table.deal()
    table.see(MUCK, first)
    assert table.state.dead == frozenset()


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
    number = table.state.memory.pending
    table.tell(lambda at: ev.CardUp(at, number))
    table.button(3)
    table.wait(3000)
    assert sorted(table.reasons) == ["button_moved", "card_unread"]
    table.see(EXIT, token(1, 1))
    assert table.reasons == ["button_moved"]


# Between hands (T6).


def test_a_stranger_fed_in_with_the_deck_costs_its_shuffle_and_is_named_once_1804A1(table) -> None:
    table.ready()
    table.see(INFEED, token(2, 3))
    assert (table.state.shuffled, table.state.intruders) == (0, (token(2, 3),))
    assert [(h.reason, h.clause, h.zone) for h in table.state.holds][0] == ("recount", "1804A(1)", INFEED)
    before = table.state.holds
    table.see(INFEED, token(2, 3))
    assert (table.state.intruders, table.state.holds) == ((token(2, 3),), before)


def test_a_card_of_the_deck_seen_between_hands_is_out_and_the_shuffle_is_worth_nothing_S1(table) -> None:
    table.ready()
    table.see(BURN, token(1, 4))
    assert (table.state.shuffled, table.state.out[token(1, 4)].at) == (0, BURN)
    assert table.reasons == []


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


# Between hands.


@pytest.mark.parametrize("key", [Key.AWARD, Key.MISDEAL])
def test_a_card_that_moves_on_the_table_leaves_AWARD_to_be_taken_back_and_no_MISDEAL(table, key) -> None:
    cards = table.holes()
    table.press(key)
    table.lose(seat(2), cards[0])
    table.see(MUCK, cards[0])
    taken_back = not refused(table.press(Key.UNDO))
    assert taken_back is (key is Key.AWARD)
    assert (table.view.phase == "betting") is taken_back


@pytest.mark.parametrize("key", [Key.AWARD, Key.MISDEAL])
def test_one_that_is_read_again_where_it_lay_leaves_either_to_be_taken_back(table, key) -> None:
    cards = table.holes()
    table.press(key)
    table.lose(seat(2), cards[0])
    table.see(seat(2), cards[0])
    assert not refused(table.press(Key.UNDO))


def test_a_card_that_moved_between_AWARD_and_UNDO_is_the_card_that_was_dealt_and_has_strayed(table) -> None:
    cards = table.holes()
    table.press(Key.AWARD)
    table.lose(seat(2), cards[0])
    table.see(seat(3), cards[0])
    table.press(Key.UNDO)
    record = table.state.out[cards[0]]
    assert (record.at, record.home, record.dealt, table.state.strays) == (seat(3), seat(2), seat(2), (cards[0],))


def test_a_shuffle_is_worth_nothing_once_a_card_of_it_is_seen_outside_S1(table) -> None:
    table.ready()
    assert table.state.shuffled
    table.see(BOARD, STUB)
    assert (table.state.shuffled, table.state.out[STUB].at) == (0, BOARD)


def test_nor_once_a_strange_tag_went_in_and_the_deck_is_counted_by_1804A1(table) -> None:
    table.ready()
    told = table.see(INFEED, Token(17))
    first = only(told, Hold)[0]
    assert (first.reason, first.clause, first.zone) == ("recount", "1804A(1)", INFEED)
    assert (table.state.shuffled, table.state.intruders) == (0, (Token(17),))


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
    number = table.state.memory.pending
    table.tell(lambda at: ev.CardUp(at, number))
    table.see(EXIT, token(2, 9))
    assert table.reasons == ["defective_deck"]
    table.see(BOARD, token(2, 9))
    table.wait(200)
    assert table.reasons == ["defective_deck"]


def test_a_card_up_whose_tag_is_silent_is_not_dealt_unread_once_any_tag_was_read_there_H10(table) -> None:
    table.begun()
    number = table.state.memory.pending
    table.tell(lambda at: ev.CardUp(at, number))
    table.wait(2000)
    assert table.view.prompt_code == "unread"
    table.see(EXIT, Token(17))
    table.lose(EXIT, Token(17))
    assert (table.view.prompt_code, refused(table.press(Key.ACK))) == ("held", ["not_now"])


def test_a_hand_that_is_folded_holds_nothing_anew_about_another_card_astray(make_table) -> None:
    table = make_table(seats=(1, 2, 3, 4))
    cards = table.flop()
    table.lose(seat(3), cards[1])
    table.see(seat(4), cards[1])
    table.wait(2000)
    table.press(Key.NEXT)
    table.let_up()
    assert [row[3] for row in held(table)] == [cards[1]]
    table.lose(seat(2), cards[0])
    assert only(table.see(MUCK, cards[0]), Hold) == []
