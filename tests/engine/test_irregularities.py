"""Each irregularity of one deal by single cards: raised, named by clause, and ended as the page says."""

import pytest

from bench.decided import only
from dealerbox.model import events
from dealerbox.model.cards import Token, token
from dealerbox.model.commands import Clear, Dispense, Hold, Notice, Refuse, Release
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import House
from dealerbox.model.shuffler import Cycle, Result
from dealerbox.model.zones import ASIDE, BOARD, BURN, EXIT, INFEED, MUCK, seat


def burn_up(table):
    """The flop's burn is in the dealer's hand."""
    table.holes()
    table.press(Key.NEXT)
    return table.let_out()


def board_up(table):
    """The flop's first card is in the dealer's hand."""
    table.holes()
    table.press(Key.NEXT)
    table.deal()
    return table.let_out()


def hole_up(table):
    table.begun()
    return table.let_out()


MISPLACED = [
    (hole_up, seat(3), seat(2), Reason.WRONG_SEAT, "1804A(3)"),
    (hole_up, BOARD, seat(2), Reason.WRONG_ZONE, "1804A(3)"),
    (hole_up, MUCK, seat(2), Reason.WRONG_ZONE, "1804A(3)"),
    (hole_up, INFEED, seat(2), Reason.CARD_STRAYED, "1804B(10)"),
    (burn_up, BOARD, BURN, Reason.BURN_MISSING, "1804A(4)"),
    (burn_up, seat(1), BURN, Reason.WRONG_ZONE, "1804A(4)"),
    (board_up, BURN, BOARD, Reason.BURN_EXTRA, "1804A(4)"),
    (board_up, ASIDE, BOARD, Reason.WRONG_ZONE, "1804A(4)"),
]


@pytest.mark.parametrize(("bring", "zone", "to", "reason", "clause"), MISPLACED)
def test_the_released_card_in_the_wrong_place_is_held(table, bring, zone, to, reason, clause) -> None:
    card = bring(table)
    (held,) = only(table.see(zone, card), Hold)
    assert (held.reason, held.clause, held.zone, held.to) == (reason, clause, zone, to)
    assert table.view.lamp == "red"
    assert not only(table.wait(10_000), Release)


@pytest.mark.parametrize(("bring", "zone", "to", "reason", "clause"), MISPLACED)
def test_put_right_before_the_next_release_the_hold_clears_itself_by_C10(
    table, bring, zone, to, reason, clause
) -> None:
    card = bring(table)
    table.see(zone, card)
    commands = table.see(to, card)
    assert only(commands, Clear)
    assert table.reasons == []
    table.deal()


def test_without_correct_misplaced_it_stays_held(make_table) -> None:
    table = make_table(house=House(correct_misplaced=False))
    card = hole_up(table)
    table.see(seat(3), card)
    table.see(seat(2), card)
    assert table.reasons == ["wrong_seat"]
    table.press(Key.MISDEAL)
    assert table.view.phase == "gathering"


def test_no_card_leaves_while_a_hold_stands_though_one_is_up(table) -> None:
    card = hole_up(table)
    table.card_up()
    table.see(EXIT, token(1, 40))
    table.see(seat(3), card)
    assert not only(table.wait(10_000), Release)
    assert only(table.see(seat(2), card) + table.wait(500), Release)


def test_the_card_ahead_waits_until_the_one_before_it_lies(table) -> None:
    card = hole_up(table)
    table.card_up()
    table.see(EXIT, token(1, 40))
    assert not only(table.wait(1000), Release)
    assert only(table.see(seat(2), card) + table.wait(500), Release)


def test_misdeal_before_action_returns_all_cards_and_keeps_the_button(table) -> None:
    """C11, 1802(22), 1811(3)."""
    card = hole_up(table)
    table.see(seat(3), card)
    commands = table.press(Key.MISDEAL)
    assert only(commands, Clear)
    assert [n.reason for n in only(commands, Notice)] == [Reason.MISDEAL]
    table.card_up()
    table.home()
    assert (table.view.prompt_code, table.view.button) == ("start", 1)


def test_misdeal_after_action_is_refused_under_1811_3(table) -> None:
    table.holes()
    table.press(Key.ACTION)
    (refusal,) = only(table.press(Key.MISDEAL), Refuse)
    assert (refusal.reason, refusal.clause) == (Reason.MISDEAL_TOO_LATE, "1811(3)")
    assert table.view.phase == "betting"


@pytest.mark.parametrize(("answer", "phase"), [(Key.ACK, "betting"), (Key.NO, "gathering")])
def test_misdeal_with_a_hand_in_the_muck_asks_whether_that_player_acted(table, answer, phase) -> None:
    holes = table.holes()
    table.see(MUCK, holes[0], holes[3])
    table.press(Key.MISDEAL)
    assert table.view.prompt_code == "acted"
    table.press(answer)
    assert table.view.phase == phase


def test_a_card_never_let_out_is_held_under_1804B7(table) -> None:
    table.holes()
    (held,) = only(table.see(BOARD, token(1, 50)), Hold)
    assert (held.reason, held.clause) == (Reason.NOT_RELEASED, "1804B(7)")


def test_a_card_never_let_out_clears_back_at_the_exit(table) -> None:
    """C5."""
    table.holes()
    table.see(BOARD, token(1, 50))
    assert only(table.see(EXIT, token(1, 50)), Clear)


def test_a_card_never_let_out_may_stand_by_ruling(table) -> None:
    table.holes()
    table.press(Key.NEXT)
    table.deal()
    table.see(BOARD, token(1, 50))
    assert only(table.rule(Ruling.STAND), Clear)
    assert sum(step.zone == BOARD and step.street == "flop" for step in table.state.plan) == 2


STRAYS = [
    (lambda holes, flop: (holes[0], BOARD, seat(2)), Reason.CARD_STRAYED, "1804B(10)"),
    (lambda holes, flop: (holes[0], seat(3), seat(2)), Reason.CARD_STRAYED, "1804B(10)"),
    (lambda holes, flop: (flop[1], seat(3), BOARD), Reason.CARD_STRAYED, "1804B(10)"),
    (lambda holes, flop: (flop[0], BOARD, BURN), Reason.CARD_STRAYED, "1812"),
    (lambda holes, flop: (flop[0], MUCK, BURN), Reason.BURN_IN_MUCK, "1812"),
]


@pytest.mark.parametrize(("pick", "reason", "clause"), STRAYS)
def test_a_card_astray_is_a_notice_until_the_next_card_is_asked_for(table, pick, reason, clause) -> None:
    """H11."""
    cards = table.flop()
    card, zone, home = pick(cards[:6], cards[6:])
    table.lose(home, card)
    commands = table.see(zone, card)
    assert not only(commands, Hold)
    assert only(commands, Notice)
    table.wait(10_000)
    assert table.reasons == []
    table.press(Key.NEXT)
    table.card_up()
    table.see(EXIT, token(1, 40))
    table.wait(500)
    assert [(h.reason, h.clause, h.zone, h.to) for h in table.state.holds] == [(reason, clause, zone, home)]
    assert only(table.see(home, card), Clear)
    assert table.state.memory.pending_kind == "Release"


@pytest.mark.parametrize(("pick", "reason", "clause"), STRAYS)
def test_a_card_that_crosses_a_zone_and_goes_home_is_nothing(table, pick, reason, clause) -> None:
    """H11."""
    cards = table.flop()
    card, zone, home = pick(cards[:6], cards[6:])
    table.see(zone, card)
    table.see(home, card)
    table.press(Key.NEXT)
    table.deal_street()
    assert table.reasons == []


def test_a_mucked_hand_back_in_play_is_held_under_1815_3(table) -> None:
    holes = table.holes()
    table.lose(seat(2), holes[0], holes[3])
    table.see(MUCK, holes[0], holes[3])
    table.lose(MUCK, holes[0])
    table.see(seat(2), holes[0])
    table.wait(2000)
    table.press(Key.NEXT)
    table.card_up()
    table.see(EXIT, token(1, 40))
    table.wait(3000)
    assert table.reasons == ["dead_card_back"]
    table.press(Key.RETRIEVE, seat=2)
    assert "dead_card_back" not in table.reasons


def test_a_card_not_seen_asks_and_ack_infers_it_twice_a_hand(table) -> None:
    """H10, 1804A(3)."""
    table.begun()
    for _ in range(2):
        table.let_out()
        assert [n.reason for n in only(table.wait(2000), Notice)] == [Reason.CARD_UNSEEN]
        assert table.view.prompt_code == "unseen"
        table.press(Key.ACK)
    table.let_out()
    table.wait(2000)
    assert only(table.press(Key.ACK), Refuse)
    table.rule(Ruling.STAND)
    assert table.view.expect == seat(2)


def test_a_card_seen_late_needs_no_ack(table) -> None:
    """H10."""
    card = hole_up(table)
    table.wait(3000)
    table.see(seat(2), card)
    assert table.view.prompt_code == "deal"


def test_nothing_is_let_out_while_a_card_is_unseen(table) -> None:
    hole_up(table)
    table.card_up()
    table.see(EXIT, token(1, 40))
    assert not only(table.wait(60_000), Release)


@pytest.mark.parametrize(
    ("stranger", "reason"),
    [(Token(17), Reason.FOREIGN_CARD), (Token(1061), Reason.JOKER_PRESENT), (Token(2009), Reason.OTHER_DECK)],
)
def test_a_stranger_at_the_exit_was_in_the_deck_and_voids_the_hand_under_1819(table, stranger, reason) -> None:
    table.begun()
    table.card_up()
    commands = table.see(EXIT, stranger) + table.wait(1000)
    assert [n.reason for n in only(commands, Notice)] == [reason]
    assert [(h.reason, h.clause) for h in only(commands, Hold)] == [(Reason.DEFECTIVE_DECK, "1819")]
    assert table.view.prompt_code == "defective"
    table.press(Key.ACK)
    assert (table.state.deck, table.view.phase) == (2, "opening")
    assert table.reasons == ["defective_deck"]


@pytest.mark.parametrize(
    ("stranger", "reason"),
    [(Token(17), Reason.FOREIGN_CARD), (Token(1061), Reason.JOKER_PRESENT), (Token(2009), Reason.OTHER_DECK)],
)
def test_a_stranger_elsewhere_was_brought_and_needs_the_director_under_1824(table, stranger, reason) -> None:
    table.holes()
    table.see(BOARD, stranger)
    table.wait(1000)
    assert [(h.reason, h.clause) for h in table.state.holds] == [(reason, "1824")]
    assert only(table.rule(Ruling.STAND), Refuse)
    table.lose(BOARD, stranger)
    assert table.reasons == [reason]
    table.cycle(Cycle.COUNT, 46)
    table.press(Key.ACK)
    assert table.reasons == [reason]
    table.rule(Ruling.STAND)
    assert table.reasons == []


def test_a_stranger_brought_outlives_a_misdeal(table) -> None:
    table.begun()
    table.see(BOARD, Token(2009))
    table.press(Key.MISDEAL)
    assert table.reasons == ["other_deck"]


def test_an_unknown_tag_read_once_is_not_yet_foreign(table) -> None:
    """S5."""
    table.holes()
    table.see(BOARD, Token(17))
    table.lose(BOARD, Token(17))
    table.wait(5000)
    assert table.reasons == []


def test_the_button_steadily_elsewhere_is_held_and_clears_when_back(table) -> None:
    """1804A(3)."""
    table.holes()
    table.button()
    table.button(3)
    table.button(1)
    table.wait(5000)
    assert table.reasons == []
    table.button(3)
    table.wait(2000)
    assert table.reasons == ["button_moved"]
    assert only(table.button(1), Clear)


@pytest.mark.parametrize(
    ("bring", "zone", "left"),
    [(hole_up, seat(3), [seat(2), seat(1), seat(2), seat(3), seat(1)]), (burn_up, BOARD, [BOARD, BOARD])],
)
def test_stand_counts_the_card_where_it_lies(table, bring, zone, left) -> None:
    """A burn step is done; a seat or board step stays owed unless a card lies there."""
    card = bring(table)
    table.see(zone, card)
    assert only(table.rule(Ruling.STAND), Clear)
    street = table.state.street
    assert [step.zone for step in table.state.plan if step.street is street] == left


def test_void_hand_is_open_to_the_director_in_every_hold_of_a_hand(table) -> None:
    """C14, 1830(2)."""
    card = hole_up(table)
    table.see(seat(3), card)
    table.rule(Ruling.VOID_HAND)
    assert (table.view.phase, table.reasons) == ("gathering", [])


def test_two_stub_cards_at_the_exit_are_a_double_feed(table) -> None:
    table.begun()
    table.card_up()
    table.see(EXIT, token(1, 1), token(1, 2))
    assert not only(table.wait(1000), Release)
    assert table.reasons == ["double_feed"]


def test_a_feed_that_brought_nothing_is_tried_again_under_a_new_id(table) -> None:
    table.begun()
    number = table.state.memory.pending
    (again,) = only(table.tell(lambda at: events.Misfed(at, number, Result.NO_FEED)), Dispense)
    assert (again.id > number, again.first) == (True, False)


@pytest.mark.parametrize("key", [Key.ACTION, Key.NEXT, Key.AWARD, Key.MISDEAL, Key.START])
def test_undo_takes_the_last_key_back(table, key) -> None:
    table.ready()
    if key is not Key.START:
        table.press(Key.START)
        table.deal_street()
    before = table.view
    table.press(key)
    table.press(Key.UNDO)
    after = table.view
    assert (after.phase, after.street, after.holds) == (before.phase, before.street, before.holds)
    assert table.state.acted is False


def test_undo_of_next_ends_when_the_next_card_leaves(table) -> None:
    burn_up(table)
    assert only(table.press(Key.UNDO), Refuse)


def test_undo_of_start_sends_the_card_back_and_shuffles_anew(table) -> None:
    table.begun()
    table.card_up()
    table.press(Key.UNDO)
    number = table.state.memory.pending
    assert table.state.memory.pending_kind == "Retract"
    table.tell(lambda at: events.CardRetracted(at, number))
    table.cycle(Cycle.SHUFFLE, 52)
    assert table.view.prompt_code == "start"
