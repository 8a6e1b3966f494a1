"""Who ended a hold is told to the shuffler with it, and what ACK or NO stands for is what was asked (C2, 1830(2))."""

import pytest

from bench.decided import only
from bench.narrator import deck
from dealerbox.model import events as ev
from dealerbox.model.cards import token
from dealerbox.model.commands import Certificate, Clear, Notice, Places, Refuse, Return
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Dispense, House
from dealerbox.model.shuffler import Cycle
from dealerbox.model.zones import BOARD, BURN, EXIT, INFEED, MUCK, seat

DEALER, DIRECTOR, READERS = 17, 1, 0


def cleared(commands):
    return [command.person for command in only(commands, Clear)]


def ack(table):
    return table.tell(lambda at: ev.KeyPressed(at, Key.ACK, badge=str(DEALER)))


def proof(table) -> None:
    table.holes()
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    table.meet(machine=46)
    table.cycle(Cycle.COUNT, 46)


def restart(table) -> None:
    table.holes()
    table.started()
    table.meet(machine=46)


def unread(table) -> None:
    table.begun()
    table.card_up()
    table.wait(2000)


def brought_out(table) -> None:
    """The machine is given up; the stub is shown, and its order is asked about."""
    table.holes()
    table.started()
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    table.show(*deck(1)[6:])


def shown_whole(table) -> None:
    """Between hands by hand a recount is owed, and every card was shown."""
    table.ready()
    table.tell(lambda at: ev.DeviceLost(at, "shuffler", "dead"))
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    table.show(*deck(1)[1:])
    table.press(Key.NO)
    table.show(*deck(1))


@pytest.mark.parametrize("held", [proof, restart, unread, brought_out, shown_whole])
def test_a_hold_that_the_dealer_ended_is_cleared_by_that_dealer(table, held) -> None:
    held(table)
    assert table.reasons
    (clear,) = only(ack(table), Clear)
    assert clear == Clear(0, table.state.memory.hold_key, DEALER)


def test_a_dealer_without_a_badge_is_a_person_too(table) -> None:
    proof(table)
    assert cleared(table.press(Key.ACK)) == [1]


def wrong_seat(table) -> None:
    table.begun()
    table.see(seat(3), table.let_out())


@pytest.mark.parametrize(
    ("held", "ruling"), [(wrong_seat, Ruling.STAND), (wrong_seat, Ruling.VOID_HAND), (wrong_seat, Ruling.TO_STUB)]
)
def test_a_hold_that_the_director_ended_by_a_word_is_cleared_by_a_person_one_that_cards_end_by_the_readers(
    table, held, ruling
) -> None:
    held(table)
    by_word = {Ruling.STAND: [DIRECTOR], Ruling.VOID_HAND: [READERS], Ruling.TO_STUB: []}
    assert cleared(table.rule(ruling)) == by_word[ruling]


def test_a_hand_that_was_dealt_wrong_is_cleared_by_the_director_who_ruled_it_dead_and_no_other_seats_hold_1815_1(
    table, make_table, given
) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = given(table)
    dealt.holes()
    dealt.lay(seat(2))
    dealt.lay(seat(3))
    table.press(Key.ACTION)
    assert table.reasons == ["too_many_cards", "too_many_cards"]
    assert cleared(table.rule(Ruling.HAND_DEAD, seat=2)) == []
    assert [h.zone for h in table.state.holds] == [seat(3)]
    assert cleared(table.rule(Ruling.HAND_DEAD, seat=3)) == [DIRECTOR]


def test_a_hold_that_the_readers_saw_mended_is_cleared_by_nobody(table) -> None:
    table.begun()
    card = table.let_out()
    table.see(seat(3), card)
    assert cleared(table.see(seat(2), card)) == [READERS]


# What ACK and NO are not.


def test_ack_to_what_is_no_count_certifies_none_C2(table) -> None:
    proof(table)
    assert not only(ack(table), Certificate)
    table.cycle(Cycle.SHUFFLE, 46)
    assert table.view.prompt_code == "cut"
    assert not only(ack(table), Certificate)


@pytest.mark.parametrize("key", [Key.ACK, Key.NO])
def test_an_answer_to_no_question_is_refused_by_its_name(table, key) -> None:
    table.holes()
    (refused,) = only(table.press(key), Refuse)
    assert (refused.reason, refused.asked, refused.zone) == ("not_now", key, "")


def test_a_count_that_nobody_puts_a_name_to_is_refused_by_C2(make_table) -> None:
    table = make_table(house=House(count_by_name=True))
    table.started()
    table.meet()
    table.feed(*deck(1))
    table.returned(52)
    (refused,) = only(table.press(Key.ACK), Refuse)
    assert (refused.reason, refused.asked) == ("no_name", "ack")


def test_a_machine_that_is_at_something_is_not_said_to_be_empty_S2(table) -> None:
    table.ready()
    table.press(Key.COUNT)
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    (refused,) = only(ack(table), Refuse)
    assert (refused.reason, refused.asked) == ("not_now", "ack")


def test_a_deck_that_the_shuffler_has_not_given_is_not_confirmed_C4(make_table) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    table.begun()
    (refused,) = only(ack(table), Refuse)
    assert (refused.reason, refused.asked) == ("not_now", "ack")


def test_no_to_whether_that_player_has_acted_is_the_misdeal_that_was_called_by_1811_3(table) -> None:
    holes = table.holes()
    table.see(MUCK, holes[0], holes[3])
    table.press(Key.MISDEAL)
    told = table.press(Key.NO)
    assert [notice.reason for notice in only(told, Notice)] == ["misdeal"]
    assert (table.view.phase, table.state.redeal) == ("gathering", True)


def test_yes_to_it_is_the_refusal_of_a_misdeal_by_1811_3(table) -> None:
    holes = table.holes()
    table.see(MUCK, holes[0], holes[3])
    table.press(Key.MISDEAL)
    (refused,) = only(table.press(Key.ACK), Refuse)
    assert (refused.reason, refused.asked, refused.clause) == ("misdeal_too_late", "misdeal", "1811(3)")
    assert (table.state.acted, table.state.doubtful, table.view.phase) == (True, None, "betting")


@pytest.mark.parametrize(("answer", "reasons"), [(Key.ACK, ["unburn_other"]), (Key.NO, [])])
def test_a_stub_whose_order_is_kept_has_the_unburned_card_on_top_still_one_that_was_shuffled_has_not_H4(
    make_table, flop, answer, reasons
) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = flop(table)
    table.press(Key.NEXT)
    (card,) = dealt.lay(BURN)
    table.press(Key.UNBURN)
    table.lose(BURN, card)
    dealt.stub.insert(0, card)
    table.press(Key.MANUAL)
    assert table.view.prompt_code == "manual_show"
    table.show(*dealt.stub)
    table.press(answer)
    table.see(BURN, dealt.stub[1])
    table.wait(1000)
    assert table.reasons == reasons


def disagreeing(table) -> None:
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    table.meet(machine=-1, agreed=False, why="content")


def waiting_at_the_gate(table) -> int:
    number = table.state.memory.pending
    table.tell(lambda at: ev.CardUp(at, number))
    disagreeing(table)
    return number


def on_its_way_up(table) -> int:
    number = table.state.memory.pending
    disagreeing(table)
    return number


@pytest.mark.parametrize("came", [waiting_at_the_gate, on_its_way_up])
def test_the_card_behind_the_gate_is_placed_there_by_the_command_that_brought_it(table, came) -> None:
    table.begun()
    number = came(table)
    table.see(EXIT, token(1, 1))
    (places,) = only(ack(table), Places)
    assert (places.machine, places.exit_id, places.person) == (51, number, DEALER)


def test_a_card_there_while_the_stub_was_being_shuffled_was_brought_by_no_command(table) -> None:
    proof(table)
    table.press(Key.ACK)
    assert table.state.memory.pending_kind == "Shuffle"
    disagreeing(table)
    table.see(EXIT, token(1, 40))
    (places,) = only(ack(table), Places)
    assert (places.machine, places.exit_id) == (45, places.id)


def test_ack_puts_a_card_unseen_at_its_zone_though_a_key_has_said_that_the_street_came_too_early_H10(table) -> None:
    table.flop()
    table.press(Key.NEXT)
    table.deal()
    card = table.let_out()
    table.press(Key.PREMATURE)
    table.wait(2000)
    assert (table.reasons, table.view.phase) == (["premature_turn"], "dealing")
    assert not only(table.press(Key.ACK), Refuse)
    assert (table.state.released, table.state.out[card].at, table.view.phase) == (None, BOARD, "betting")


def test_a_hold_found_between_hands_is_asked_about(table) -> None:
    table.ready()
    table.tell(lambda at: ev.HoldFound(at, 5, 0, 1))
    assert (table.reasons, table.view.prompt_code) == (["restarted"], "restarted")
    assert cleared(ack(table)) == [DEALER]


def test_a_card_fed_in_and_one_laid_on_the_board_say_where_they_lie_and_where_they_belong(table) -> None:
    holes = table.flop()
    table.see(INFEED, holes[0])
    table.lose(BOARD, holes[-1])
    table.see(seat(1), holes[-1])
    table.wait(2000)
    table.press(Key.NEXT)
    table.let_up()
    told = [(h.reason.value, h.zone, h.to, h.token) for h in table.state.holds]
    assert told == [("card_strayed", INFEED, seat(2), holes[0]), ("card_strayed", seat(1), BOARD, holes[-1])]


def test_one_card_of_two_in_the_muck_and_ACK_the_hand_is_dead_and_each_card_where_it_lies_H6(table) -> None:
    holes = table.flop()
    table.lose(seat(2), holes[0])
    table.see(MUCK, holes[0])
    assert table.view.prompt_code == "half_muck"
    table.press(Key.ACK)
    assert (table.view.folded, table.state.out[holes[0]].home, table.state.out[holes[3]].home) == ((2,), MUCK, seat(2))


def test_a_machine_that_brought_nothing_in_is_asked_again_at_the_dealers_word_H7(table) -> None:
    table.holes()
    table.press(Key.AWARD)
    table.returned(0)
    assert (table.view.prompt_code, table.state.idle) == ("feed", True)
    assert [command.expect for command in only(ack(table), Return)] == [6]


@pytest.mark.parametrize("answer", [Key.ACK, Key.NO])
def test_a_stub_that_is_complete_is_the_dealers_word_whether_its_order_was_kept_or_not_C15(table, answer) -> None:
    brought_out(table)
    assert cleared(table.tell(lambda at: ev.KeyPressed(at, answer, badge=str(DEALER)))) == [DEALER]


@pytest.mark.parametrize(("badge", "person"), [("999999999", 999_999_999), ("1000000000", 1), ("17a", 1), ("", 1)])
def test_a_badge_is_told_by_its_number_where_the_shuffler_can_take_it(table, badge, person) -> None:
    proof(table)
    assert cleared(table.tell(lambda at: ev.KeyPressed(at, Key.ACK, badge=badge))) == [person]
