"""P3: every token is in exactly one place; no place but its own counts for a card."""

import pytest

from bench.decided import only
from dealerbox.model import events
from dealerbox.model.cards import Token, cut_card, token
from dealerbox.model.commands import Hold, Notice, Release
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.shuffler import Cap, Cycle, Result
from dealerbox.model.zones import ASIDE, BOARD, BURN, EXIT, INFEED, MUCK, seat


def releasing(table):
    """The first card has its permit and has not passed the gate."""
    table.begun()
    number = table.state.memory.pending
    card = token(1, 1)
    table.dealt = 1
    table.cards[number] = card
    table.tell(lambda at: events.CardUp(at, number))
    table.see(EXIT, card)
    table.wait(200)
    assert table.state.memory.pending_kind == "Release"
    return card


def pass_it(table):
    release, exit_id = table.state.memory.pending, table.state.memory.exit_id
    table.tell(lambda at: events.CardPassed(at, release, exit_id))


@pytest.mark.parametrize("key", [Key.AWARD, Key.MISDEAL])
def test_a_card_that_passes_the_gate_as_the_hand_ends_is_out_and_named_by_H7(table, key) -> None:
    card = releasing(table)
    table.press(key)
    pass_it(table)
    assert (card in table.state.out, table.view.counts["stub"]) == (True, 51)
    table.returned(0)
    assert table.reasons == []
    table.feed(card)
    table.returned(1)
    table.cycle(Cycle.SHUFFLE, 52)
    assert table.view.phase == "between"


def test_a_card_not_taken_as_the_hand_ends_is_in_the_stub(table) -> None:
    card = releasing(table)
    table.press(Key.MISDEAL)
    release, exit_id = table.state.memory.pending, table.state.memory.exit_id
    table.tell(lambda at: events.CardNotTaken(at, release, exit_id))
    assert card not in table.state.out
    assert (table.state.released, table.state.memory.pending_kind) == (None, "Retract")


def test_a_card_seen_at_the_wrong_seat_before_it_is_told_to_have_passed_lies_there(table) -> None:
    card = releasing(table)
    table.see(seat(3), card)
    pass_it(table)
    assert table.state.out[card].at == seat(3)
    table.wait(5000)
    table.press(Key.ACK)
    assert table.reasons == ["wrong_seat"]


def test_a_card_seen_elsewhere_is_no_longer_unseen_and_ack_does_not_infer_it(table) -> None:
    table.begun()
    card = table.let_out()
    table.wait(2000)
    assert table.view.prompt_code == "unseen"
    table.see(seat(3), card)
    table.press(Key.ACK)
    assert (table.reasons, table.state.out[card].at) == (["wrong_seat"], seat(3))


def test_a_deck_suspected_and_defective_costs_one_deck_only(table) -> None:
    table.begun()
    table.press(Key.SUSPECT)
    table.card_up()
    table.see(EXIT, Token(2009))
    table.press(Key.ACK)
    assert [deck.status for deck in table.state.decks] == ["quarantined", "new"]


def test_a_defective_deck_is_quarantined_when_the_pot_is_awarded_too_by_1819(table) -> None:
    table.begun()
    table.card_up()
    table.see(EXIT, Token(2009))
    table.press(Key.AWARD)
    assert [deck.status for deck in table.state.decks] == ["quarantined", "new"]


def test_a_shuffle_of_the_stub_earns_nothing_for_the_next_hand_by_S1(table) -> None:
    table.holes()
    table.tell(lambda at: events.ShufflerLocked(at, "door"))
    table.meet(machine=46)
    table.cycle(Cycle.COUNT, 46)
    table.press(Key.ACK)
    table.press(Key.NEXT)
    assert table.state.memory.pending_kind == "Shuffle"
    table.press(Key.AWARD)
    table.cycle(Cycle.SHUFFLE, 46)
    assert table.state.shuffled == 0
    table.feed(*table.state.out)
    table.returned(6)
    assert table.state.memory.pending_kind == "Shuffle"


def test_the_count_of_a_stub_is_no_recount_when_the_hand_is_over(table) -> None:
    table.holes()
    table.tell(lambda at: events.ShufflerLocked(at, "door"))
    table.meet(machine=46)
    table.press(Key.MISDEAL)
    assert table.state.memory.pending_kind == "Count"
    table.cycle(Cycle.COUNT, 46)
    assert table.reasons == []


def test_no_hand_starts_while_the_machine_counts(table) -> None:
    table.ready()
    table.press(Key.COUNT)
    table.press(Key.START)
    assert table.view.phase == "between"


def test_a_count_read_before_the_machine_was_opened_is_not_confirmed_after_by_C2(table) -> None:
    table.ready()
    table.press(Key.COUNT)
    table.cycle(Cycle.COUNT, 52)
    table.tell(lambda at: events.ShufflerLocked(at, "door"))
    table.press(Key.ACK)
    number = table.state.memory.pending
    table.tell(lambda at: events.PlacesSet(at, number))
    table.meet()
    table.home()
    assert table.state.count_read is False


def test_a_hand_of_which_the_second_card_is_to_come_is_not_folded_by_its_first(table) -> None:
    table.begun()
    card = table.deal()
    table.see(MUCK, card)
    assert table.view.folded == ()
    table.deal_street()
    assert table.view.prompt_code == "half_muck"


def test_misdeal_asked_of_a_folded_player_is_refused_once_action_is_proved(table) -> None:
    holes = table.holes()
    table.see(MUCK, holes[0], holes[3])
    table.press(Key.MISDEAL)
    table.press(Key.NEXT)
    table.press(Key.NO)
    assert table.view.phase == "dealing"


def test_nothing_comes_up_of_a_stub_whose_order_is_lost_while_a_card_travels(table) -> None:
    table.begun()
    table.let_out()
    number = table.state.memory.pending
    table.tell(lambda at: events.ShufflerLocked(at, "door"))
    table.tell(lambda at: events.CommandVoid(at, number, "door"))
    table.meet(machine=51)
    table.cycle(Cycle.COUNT, 51)
    table.press(Key.ACK)
    assert table.reasons == []
    assert table.state.memory.pending_kind == ""


def test_an_unread_card_taken_back_into_the_stub_is_no_longer_unread(table) -> None:
    table.begun()
    table.card_up()
    table.wait(3000)
    assert table.reasons == ["card_unread"]
    table.tell(lambda at: events.ShufflerLocked(at, "sensor"))
    table.meet(machine=51)
    number = table.state.memory.pending
    table.tell(lambda at: events.CardRetracted(at, number))
    table.cycle(Cycle.COUNT, 52)
    table.press(Key.ACK)
    assert table.reasons == []


def test_a_cut_card_left_at_the_exit_is_named_and_not_waited_for_in_silence(table) -> None:
    table.ready()
    table.see(EXIT, cut_card(1))
    table.press(Key.START)
    table.card_up()
    table.see(EXIT, token(1, 1))
    assert not only(table.wait(5000), Release)
    assert table.reasons == ["defective_deck"]


def test_a_dead_card_laid_aside_is_not_back_in_play_by_1815_3(table) -> None:
    holes = table.holes()
    table.see(MUCK, holes[0], holes[3])
    table.see(ASIDE, holes[0])
    table.wait(3000)
    table.press(Key.NEXT)
    table.deal_street()
    assert table.reasons == []


def test_a_card_fed_in_outside_a_procedure_is_the_stubs_again_and_owed_before_action(table) -> None:
    table.begun()
    card = table.let_out()
    table.see(INFEED, card)
    assert table.reasons == ["card_strayed"]
    before = table.state.plan
    table.rule(Ruling.STAND)
    assert (card in table.state.out, table.state.plan, table.reasons) == (False, before, [])


def test_a_board_card_fed_in_is_owed_again_out_of_a_stub_shuffled_anew(table) -> None:
    cards = table.flop()
    table.see(INFEED, cards[-1])
    table.lose(INFEED, cards[-1])
    table.press(Key.NEXT)
    table.card_up()
    table.see(EXIT, token(1, 40))
    table.wait(500)
    assert table.reasons == ["card_strayed"]
    table.rule(Ruling.STAND)
    assert [step.zone for step in table.state.plan][:3] == [BOARD, BURN, BOARD]
    assert (table.state.memory.pending_kind, cards[-1] in table.state.out) == ("Retract", False)


def test_a_seats_card_fed_in_after_action_makes_the_hand_dead(table) -> None:
    cards = table.flop()
    table.see(INFEED, cards[0])
    table.press(Key.NEXT)
    table.card_up()
    table.see(EXIT, token(1, 40))
    table.wait(3000)
    table.rule(Ruling.STAND)
    assert table.view.folded == (2,)


def test_a_card_does_not_stand_at_the_exit(table) -> None:
    cards = table.flop()
    table.lose(BOARD, cards[-1])
    table.see(EXIT, cards[-1])
    table.press(Key.NEXT)
    table.wait(3000)
    table.card_up()
    table.see(EXIT, token(1, 40))
    table.wait(3000)
    table.rule(Ruling.STAND)
    assert table.reasons == ["card_strayed"]


def test_a_card_let_stand_at_a_seat_leaves_the_one_on_its_way_its_own_step(table) -> None:
    table.begun()
    card = table.let_out()
    table.see(seat(2), token(1, 50))
    table.rule(Ruling.STAND)
    table.see(seat(2), card)
    assert [step.zone for step in table.state.plan][:4] == [seat(3), seat(1), seat(3), seat(1)]


def test_a_ruling_about_a_card_does_not_let_the_button_lie(table) -> None:
    table.begun()
    card = table.let_out()
    table.button(3)
    table.see(seat(3), card)
    table.rule(Ruling.STAND)
    table.wait(3000)
    assert table.reasons == ["button_moved"]


def test_a_button_let_lie_and_put_back_there_is_where_it_belongs(table) -> None:
    table.holes()
    table.button(3)
    table.wait(2000)
    table.rule(Ruling.STAND)
    table.button(2)
    table.wait(2000)
    assert table.reasons == ["button_moved"]
    table.button(3)
    assert table.reasons == []


def test_a_stranger_is_not_away_while_nobody_can_look_by_1824(table) -> None:
    table.holes()
    table.see(BOARD, Token(2009))
    table.tell(lambda at: events.ZoneUnknown(at, BOARD, "deaf"))
    table.rule(Ruling.STAND)
    assert table.state.proof is None
    assert "other_deck" in table.reasons


def test_unknown_tags_are_foreign_only_when_read_twice_and_noticed(table) -> None:
    """S5."""
    table.begun()
    table.card_up()
    commands = table.see(EXIT, Token(17))
    assert not only(commands, Hold)
    assert only(table.wait(1000), Notice)[0].reason is Reason.FOREIGN_CARD


def test_a_machine_that_refuses_again_and_again_is_proved_though_it_agrees(table) -> None:
    table.holes()
    table.press(Key.NEXT)
    for _ in range(6):
        number = table.state.memory.pending
        table.tell(lambda at, number=number: events.CommandVoid(at, number, "no token"))
    assert table.reasons == ["jam"]
    assert table.state.memory.pending_kind == "Count"
    table.cycle(Cycle.COUNT, 46)
    table.press(Key.ACK)
    assert table.reasons == []


def test_a_count_that_loses_the_order_is_followed_by_a_shuffle_before_the_next_card(table) -> None:
    table.ready()
    table.meet(machine=52, caps=int(~Cap.COUNT_KEEPS_ORDER & 0x7FFF))
    table.press(Key.COUNT)
    table.cycle(Cycle.COUNT, 52)
    assert table.state.memory.pending_kind == "Shuffle"
    table.cycle(Cycle.SHUFFLE, 0, Result.INTERRUPTED)
    assert table.state.memory.pending_kind == "Shuffle"
    assert BURN
