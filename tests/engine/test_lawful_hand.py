"""The lawful hand: opening, button, hole cards, burns and board, the end (T1, H1-H3, H5-H8)."""

import pytest

from bench.decided import only
from bench.narrator import deck
from dealerbox.model import events
from dealerbox.model.cards import Token, token
from dealerbox.model.commands import Dispense, Refuse, Release, Return, Shuffle
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.shuffler import Cycle, Result, Scope
from dealerbox.model.zones import BOARD, BURN, EXIT, INFEED, MUCK, seat


def test_a_table_opens_with_52_tokens_read_and_the_seal_confirmed_under_1804A1(table) -> None:
    table.started()
    assert table.view.prompt == "Wait for the shuffler to answer."
    assert only(table.meet(), Return) == [Return(1, 52)]
    assert table.view.prompt_code == "open"
    table.feed(*deck(1))
    table.returned(52)
    assert table.view.prompt_code == "seal"
    assert only(table.press(Key.ACK), Shuffle) == [Shuffle(2, 52, Scope.DECK)]


def test_a_shuffler_of_unknown_content_is_emptied_before_the_seal_of_a_deck_is_broken(table) -> None:
    """S2."""
    table.started()
    table.meet(agreed=False)
    assert (
        table.view.prompt
        == table.view.holds[0].remedy
        == "Open the shuffler, take every card out, look. Then press ACK."
    )
    table.press(Key.ACK)
    assert table.view.prompt_code == "meeting"
    table.tell(lambda at: events.PlacesSet(at, table.state.memory.pending))
    table.meet()
    assert not table.view.holds
    assert table.view.prompt.startswith("Break the seal")


def test_a_deck_of_51_tokens_is_not_verified(table) -> None:
    """T1, 1802(18), 1804A(1)."""
    table.started()
    table.meet()
    table.feed(*(token(1, number) for number in range(1, 52)))
    table.returned(51)
    assert table.view.prompt_code == "open"
    table.press(Key.ACK)
    assert table.view.phase == "opening"


def test_a_joker_among_the_new_deck_is_a_recount_under_1804A1(table) -> None:
    table.started()
    table.meet()
    table.feed(*deck(1), Token(1061))
    assert table.reasons == ["recount"]
    table.returned(53)
    assert table.view.prompt_code == "empty"


def test_no_to_the_seal_takes_the_other_deck(table) -> None:
    """T1, T2."""
    table.started()
    table.meet()
    table.feed(*deck(1))
    table.returned(52)
    table.press(Key.NO)
    assert (table.state.deck, table.view.prompt_code) == (2, "empty")


def test_a_key_switch_that_names_no_seat_sets_the_button_where_it_lies_C11(table) -> None:
    table.opened()
    table.button()
    assert table.rule(Ruling.SET_BUTTON)[0].reason is Reason.NO_AUTHORITY
    table.button(2)
    assert table.rule(Ruling.SET_BUTTON) == ()
    assert table.view.button == 2


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda t: t.button(), Reason.BUTTON_MISSING),
        (lambda t: t.button(1, 2), Reason.BUTTON_MISSING),
        (lambda t: t.button(2), Reason.BUTTON_WRONG),
        (lambda t: t.rule(Ruling.SEATS, seats=(3,)), Reason.TOO_FEW_SEATS),
        (lambda t: t.see(BOARD, Token(17)), Reason.FOREIGN_CARD),
        (lambda t: t.see(seat(1), Token(2009)), Reason.OTHER_DECK),
        (lambda t: t.see(BURN, Token(1061)), Reason.JOKER_PRESENT),
        (lambda t: t.see(BOARD, token(1, 9)), Reason.CARDS_OUT),
    ],
)
def test_no_first_card_while_something_of_h1_is_wrong(table, spoil, reason) -> None:
    table.ready(button=1)
    spoil(table)
    commands = table.press(Key.START)
    assert [refusal.reason for refusal in only(commands, Refuse)] == [reason]
    assert not only(commands, Dispense)
    assert table.view.phase == "between"


def test_start_before_the_shuffle_has_ended_is_refused(table) -> None:
    """S1."""
    table.started()
    table.meet()
    table.feed(*deck(1))
    table.returned(52)
    table.press(Key.ACK)
    table.rule(Ruling.SET_BUTTON, seat=1)
    table.button(1)
    (refusal,) = only(table.press(Key.START), Refuse)
    assert refusal.reason is Reason.NOT_SHUFFLED


def test_a_shuffle_cut_short_earns_nothing(table) -> None:
    """S1."""
    table.started()
    table.meet()
    table.feed(*deck(1))
    table.returned(52)
    table.press(Key.ACK)
    table.cycle(Cycle.SHUFFLE, 0, Result.INTERRUPTED)
    assert table.state.shuffled == 0
    assert table.state.memory.pending_kind == "Shuffle"


def test_the_first_card_spends_the_shuffle_and_no_other_does(table) -> None:
    """S1."""
    table.ready()
    shuffle = table.state.shuffled
    (first,) = only(table.press(Key.START), Dispense)
    assert (first.deal_id, first.first) == (shuffle, True)
    table.deal()
    later = [c for _, commands in table.log for c in only(commands, Dispense)][1]
    assert (later.deal_id, later.first) == (shuffle, False)


def test_hole_cards_go_twice_round_clockwise_the_button_last(make_table) -> None:
    """H2, 1804A(3)."""
    table = make_table(seats=(2, 4, 5, 9))
    table.begun(button=5)
    zones = []
    while table.view.phase == "dealing":
        zones.append(table.view.expect)
        table.deal()
    assert zones == [seat(n) for n in (9, 2, 4, 5, 9, 2, 4, 5)]
    assert table.view.counts["stub"] == 44


def test_a_card_is_released_only_a_scan_after_it_came_to_the_exit(table) -> None:
    table.begun()
    number = table.state.memory.pending
    table.tell(lambda at: events.CardUp(at, number))
    assert not only(table.see(EXIT, token(1, 1)), Release)
    assert not only(table.wait(100), Release)
    assert [r.card_id for r in only(table.wait(100), Release)] == [number]


def test_a_whole_hand_burns_three_and_deals_five_to_the_board(table) -> None:
    """H3, H5, 1804A(4),(6)."""
    table.holes()
    streets = []
    for _ in range(3):
        table.press(Key.NEXT)
        table.deal_street()
        counts = table.view.counts
        streets.append((counts[BOARD], counts[BURN], counts["stub"]))
    assert streets == [(3, 1, 42), (4, 2, 40), (5, 3, 38)]
    assert table.view.phase == "showdown"
    assert table.reasons == []


def test_no_street_before_next(table) -> None:
    """H3, 1804A(4),(6): the round before it is over first."""
    table.holes()
    assert table.wait(5000) == ()
    assert table.state.memory.pending == 0


def test_after_award_every_card_comes_back_and_the_button_moves_on(table) -> None:
    """H7, C11, 1804B(9), 1817."""
    table.flop()
    (returned,) = only(table.press(Key.AWARD), Return)
    assert returned.expect == 52 - 42
    assert table.view.phase == "gathering"
    table.home()
    assert (table.view.phase, table.view.button) == ("between", 2)
    table.button(2)
    assert table.view.prompt_code == "start"


def test_start_with_cards_out_names_the_zone_where_one_was_last_seen(table) -> None:
    """H7, 1804B(9)."""
    table.flop()
    table.press(Key.AWARD)
    table.button(2)
    (refusal,) = only(table.press(Key.START), Refuse)
    assert (refusal.reason, refusal.zone) == (Reason.CARDS_OUT, seat(2))


def test_a_hand_in_the_muck_is_folded_when_both_its_cards_lie_there(table) -> None:
    """H6, 1815(3)."""
    holes = table.holes()
    of_seat_2 = (holes[0], holes[3])
    table.see(MUCK, of_seat_2[0])
    assert table.view.folded == ()
    assert table.view.prompt_code == "half_muck"
    table.see(MUCK, of_seat_2[1])
    assert table.view.folded == (2,)
    assert table.reasons == []


def test_a_half_mucked_hand_is_dead_by_ack(table) -> None:
    holes = table.holes()
    table.see(MUCK, holes[0])
    table.press(Key.ACK)
    assert table.view.folded == (2,)


def test_retrieve_brings_a_mucked_hand_back_to_life(table) -> None:
    """H6, 1813: retrieved by the dealer; 1810: by no fault of the player."""
    holes = table.holes()
    table.see(MUCK, holes[0], holes[3])
    table.press(Key.RETRIEVE, seat=2)
    table.see(seat(2), holes[0], holes[3])
    assert table.view.folded == ()
    table.press(Key.NEXT)
    table.wait(2000)
    assert table.reasons == []


def test_players_lift_their_cards_and_nothing_is_said(table) -> None:
    holes = table.holes()
    table.lose(seat(2), holes[0], holes[3])
    table.press(Key.NEXT)
    table.deal_street()
    assert table.reasons == []


def test_at_showdown_sightings_are_bookkeeping(table) -> None:
    """H8."""
    holes = table.holes()
    for _ in range(3):
        table.press(Key.NEXT)
        table.deal_street()
    table.see(BOARD, holes[0], holes[3])
    table.see(MUCK, *holes)
    table.wait(5000)
    assert table.reasons == []


def test_a_hand_folded_on_the_river_is_recorded_and_can_be_retrieved_H6(table) -> None:
    holes = table.holes()
    for _ in range(3):
        table.press(Key.NEXT)
        table.deal_street()
    table.see(MUCK, holes[0], holes[3])
    assert table.view.folded == (2,)
    assert not only(table.press(Key.RETRIEVE, seat=2), Refuse)
    assert table.view.folded == ()


def test_with_one_live_hand_left_sightings_are_bookkeeping(table) -> None:
    """H8."""
    holes = table.holes()
    table.see(MUCK, holes[0], holes[3], holes[1], holes[4])
    table.see(BOARD, holes[2], holes[5])
    table.wait(5000)
    assert (table.view.folded, table.reasons) == ((2, 3), [])


def test_a_deck_that_comes_back_short_is_not_dealt(table) -> None:
    table.flop()
    table.press(Key.AWARD)
    out = list(table.state.out)
    table.feed(*out[:-1])
    table.returned(len(out) - 1)
    table.button(2)
    (refusal,) = only(table.press(Key.START), Refuse)
    assert refusal.reason is Reason.CARDS_OUT
    table.feed(out[-1])
    table.returned(1)
    table.cycle(Cycle.SHUFFLE, 52)
    assert table.view.prompt_code == "start"


def test_a_full_read_with_a_count_of_51_is_a_recount(table) -> None:
    """S3."""
    table.flop()
    table.press(Key.AWARD)
    out = list(table.state.out)
    table.feed(*out)
    table.returned(len(out) - 1)
    assert table.state.memory.pending_kind == "Return"
    table.returned(0)
    assert table.reasons == ["recount"]
    assert table.view.prompt_code == "empty"


def test_a_recount_ends_with_the_machine_empty_and_a_full_count(table) -> None:
    """S2, S3."""
    test_a_full_read_with_a_count_of_51_is_a_recount(table)
    table.press(Key.ACK)
    assert table.state.memory.pending_kind == "Places"
    number = table.state.memory.pending

    table.tell(lambda at: events.PlacesSet(at, number))
    table.meet(machine=0)
    table.home()
    assert table.reasons == []
    table.button(2)
    assert table.view.prompt_code == "start"


def test_infeed_is_where_cards_come_back(table) -> None:
    """T6: between hands cards lie where they like."""
    table.flop()
    table.press(Key.AWARD)
    card = next(iter(table.state.out))
    table.see(INFEED, card)
    assert card not in table.state.out
