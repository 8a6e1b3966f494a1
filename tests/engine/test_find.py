"""FIND: cards shown singly at the burn reader, yes or no (1812, 1810); RETRIEVE of a mucked hand (H6)."""

import pytest

from bench.decided import refused
from dealerbox.engine.find import looked_for, said
from dealerbox.engine.prompt import FIND
from dealerbox.model.cards import Token, token
from dealerbox.model.commands import Lamp, Release
from dealerbox.model.events import DeviceLost
from dealerbox.model.keys import Key
from dealerbox.model.setup import Dispense, House
from dealerbox.model.zones import BOARD, BURN, MUCK, seat


def mucked(table, *cards) -> None:
    """Players fold these."""
    for card in cards:
        table.lose(table.state.out[card].at, card)
    table.see(MUCK, *cards)


def shown(table, *cards) -> str:
    """Show cards at the burns and take them up again; return what the panel said."""
    table.see(BURN, *cards)
    said = table.view.prompt_code
    table.lose(BURN, *cards)
    return said


@pytest.fixture
def mixed(table):
    """A folded hand and the burn lie in the muck, and the turn is asked for; return the fold and the burn."""
    cards = table.flop()
    burn, fold = cards[6], (cards[0], cards[3])
    mucked(table, *fold)
    table.lose(BURN, burn)
    table.see(MUCK, burn)
    table.wait(3000)
    table.press(Key.NEXT)
    table.let_up()
    assert table.reasons == ["burn_in_muck"]
    assert Key.FIND in table.view.lit
    for card in (*fold, burn):
        table.lose(MUCK, card)
    return fold, burn


def test_a_burn_in_the_muck_is_found_card_by_card_under_1812(table, mixed) -> None:
    fold, burn = mixed
    before = table.view.counts
    table.press(Key.FIND)
    assert (table.view.prompt_code, Key.NO in table.view.lit, Key.ACK in table.view.lit) == ("find", True, False)
    for card in fold:
        assert shown(table, card) == "find_no"
    assert table.view.counts == before
    table.see(BURN, burn)
    assert (table.reasons, table.state.search, table.view.burns) == ([], None, 1)
    assert table.view.prompt_code == "deal"


def test_nothing_is_let_out_while_cards_are_looked_for_P1(table) -> None:
    cards = table.holes()
    mucked(table, cards[0], cards[3])
    table.press(Key.RETRIEVE, 2)
    table.press(Key.NEXT)
    table.press(Key.FIND)
    table.let_up()
    assert not any(isinstance(command, Release) for command in table.wait(5000))
    table.see(seat(2), cards[0], cards[3])
    assert (table.state.search, table.state.memory.pending_kind) == (None, "Release")


def test_NO_ends_the_search_and_what_still_lies_at_the_burns_is_there(table, mixed) -> None:
    fold, _ = mixed
    table.press(Key.FIND)
    table.see(BURN, fold[0])
    table.press(Key.NO)
    assert (table.state.search, table.reasons, table.view.counts["burn"]) == (None, ["burn_in_muck"], 1)
    record = table.state.out[fold[0]]
    assert (record.at, record.home, record.dealt, fold[0] in table.state.strays) == (BURN, MUCK, seat(2), True)
    table.see(BURN, fold[1])
    assert table.view.counts["burn"] == 2


def test_cards_shown_together_get_no_answer(table, mixed) -> None:
    fold, _ = mixed
    table.press(Key.FIND)
    assert shown(table, *fold) == "find_no"
    table.press(Key.RETRIEVE, 2)
    table.press(Key.FIND)
    assert shown(table, *fold) == "find_yes"


def test_a_retrieved_hand_is_found_in_the_muck_by_its_tokens_1810(table) -> None:
    cards = table.holes()
    fold = (cards[0], cards[3], cards[1], cards[4])
    mucked(table, *fold)
    table.lose(MUCK, *fold)
    table.press(Key.RETRIEVE, 2)
    assert Key.FIND in table.view.lit
    table.press(Key.FIND)
    assert shown(table, cards[1]) == "find_no"
    assert shown(table, cards[1], cards[0]) == "find_many"
    table.see(BURN, cards[0])
    assert (table.view.prompt_code, table.view.lamp) == ("find_yes", Lamp.GREEN)
    table.lose(BURN, cards[0])
    table.see(seat(2), cards[0])
    assert table.view.prompt_code == "find"
    assert shown(table, cards[3]) != "find"
    assert table.state.search is None
    table.see(seat(2), cards[3])
    assert (table.view.counts["seat:2"], table.state.strays, table.view.folded) == (2, (), (3,))


def test_a_card_that_turns_up_where_it_belongs_ends_the_search_too(table, mixed) -> None:
    _, burn = mixed
    table.press(Key.FIND)
    table.press(Key.RETRIEVE, 2)
    table.see(BURN, burn)
    assert table.state.search is None


def test_with_nothing_astray_there_is_nothing_to_find(table) -> None:
    table.holes()
    assert refused(table.press(Key.FIND)) == ["not_now"]
    assert Key.FIND not in table.view.lit


def test_between_hands_the_cards_that_are_still_out_are_looked_for_H7(table) -> None:
    cards = table.holes()
    table.press(Key.AWARD)
    table.retracted()
    table.feed(*cards[1:])
    table.press(Key.FIND)
    assert table.view.prompt_code == "find"
    assert shown(table, 2001) == "find_no"
    table.see(BURN, cards[0])
    assert table.state.search is None
    assert table.reasons == []


def test_a_stub_card_shown_for_another_is_held_under_1804B7(make_table, flop) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = flop(table)
    card = next(card for card, record in table.state.out.items() if record.home == BOARD)
    table.see(MUCK, card)
    table.press(Key.FIND)
    dealt.lay(BURN)
    assert table.reasons == ["not_released"]


def test_the_reader_of_the_burns_shows_one_thing_at_a_time(make_table, given) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = given(table)
    dealt.holes()
    card = next(iter(table.state.out))
    table.see(MUCK, card)
    table.press(Key.RETRIEVE, 2)
    table.press(Key.MANUAL)
    assert table.view.prompt_code == "manual_show"
    assert refused(table.press(Key.FIND)) == ["not_now"]


# A card that no reader reads has no answer, and not that of the one before.


def test_an_answer_ends_when_the_card_is_taken_up_so_that_a_silent_one_has_none_H10(table, mixed) -> None:
    fold, _ = mixed
    table.press(Key.FIND)
    assert shown(table, fold[0]) == "find_no"
    assert (table.view.prompt_code, table.view.prompt) == ("find", FIND[""])
    table.see(BURN, *fold)
    table.lose(BURN, fold[0])
    assert table.view.prompt_code == "find_no"  # the other lies there still


def two_burns_in_the_muck(table):
    cards = table.flop()
    table.press(Key.NEXT)
    cards += [table.deal() for _ in range(2)]
    for burn in (cards[6], cards[10]):
        table.lose(BURN, burn)
        table.see(MUCK, burn)
    table.press(Key.FIND)
    assert table.state.search.wanted == {cards[6], cards[10]}
    table.lose(MUCK, cards[6], cards[10])
    return cards[6], cards[10]


def test_a_burn_that_is_found_stays_and_its_YES_stands_until_it_has_settled_1812(table) -> None:
    burn, _ = two_burns_in_the_muck(table)
    table.see(BURN, burn)
    assert table.view.prompt_code == "find_yes"
    table.wait(1499)
    assert table.view.prompt_code == "find_yes"
    table.wait(1)
    assert table.view.prompt_code == "find"


def test_a_burn_that_was_covered_and_is_read_again_is_no_card_that_was_shown(table) -> None:
    burn, _ = two_burns_in_the_muck(table)
    table.see(BURN, burn)
    table.wait(2000)
    table.lose(BURN, burn)
    table.see(BURN, burn)
    assert (table.view.prompt_code, table.state.search.answer) == ("find", "")


# RETRIEVE.


def test_RETRIEVE_without_a_seat_is_the_hand_that_the_panel_asks_about_H6(table) -> None:
    cards = table.holes()
    mucked(table, cards[0])
    assert (table.view.prompt_code, Key.RETRIEVE in table.view.lit) == ("half_muck", True)
    table.press(Key.RETRIEVE)
    assert (table.view.prompt_code, table.view.folded) == ("round", ())


def test_RETRIEVE_without_a_seat_is_the_only_mucked_hand_1813(table) -> None:
    cards = table.holes()
    mucked(table, cards[0], cards[3])
    assert table.view.folded == (2,)
    table.press(Key.RETRIEVE)
    assert table.view.folded == ()


def test_RETRIEVE_without_a_seat_is_refused_where_two_hands_lie_in_the_muck(table) -> None:
    cards = table.holes()
    mucked(table, *cards[:2], *cards[3:5])
    assert refused(table.press(Key.RETRIEVE)) == ["not_now"]


def test_RETRIEVE_is_lit_where_a_dead_card_lies_in_play_again_1815_3(table) -> None:
    cards = table.holes()
    mucked(table, cards[0], cards[3])
    table.lose(MUCK, cards[0])
    table.see(seat(2), cards[0])
    table.wait(3000)
    table.press(Key.NEXT)
    table.let_up()
    assert (table.reasons, Key.RETRIEVE in table.view.lit) == (["dead_card_back"], True)
    table.press(Key.RETRIEVE)
    assert (table.view.folded, table.reasons) == ((), ["card_strayed"])
    table.see(seat(2), cards[3])
    assert table.reasons == []


# What is looked for, and when nobody looks.


@pytest.mark.parametrize("moved_to", [MUCK, seat(1), BURN])
def test_in_a_round_a_card_is_looked_for_wherever_it_lies_but_at_home_1812(table, moved_to) -> None:
    cards = table.flop()
    table.lose(BOARD, cards[-1])
    table.see(moved_to, cards[-1])
    table.press(Key.FIND)
    assert table.state.search.wanted == {cards[-1]}


@pytest.mark.parametrize(("moved_to", "looked_for"), [(MUCK, True), (seat(1), False)])
def test_at_the_showdown_cards_lie_where_they_like_but_none_in_the_muck(
    table, brought_to, moved_to, looked_for
) -> None:
    brought_to(table, "showdown")
    cards = [card for card, record in table.state.out.items() if record.home == BOARD]
    table.state.strays = (cards[0],)
    table.lose(BOARD, cards[0])
    table.see(moved_to, cards[0])
    table.state.strays = (cards[0],)
    assert (refused(table.press(Key.FIND)) == []) is looked_for


def test_a_card_that_was_never_let_out_is_not_looked_for(table) -> None:
    table.flop()
    table.see(MUCK, token(1, 50))
    assert refused(table.press(Key.FIND)) == ["not_now"]


def test_between_hands_all_that_are_out_are_looked_for_but_by_hand_where_they_are_shown_anyway(table) -> None:
    holes = table.holes()
    table.press(Key.AWARD)
    table.press(Key.FIND)
    assert table.state.search.wanted == set(holes)
    table.press(Key.NO)
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    assert refused(table.press(Key.FIND)) == ["not_now"]


def gone_astray(table, card, zone) -> None:
    table.lose(zone, card)
    table.see(MUCK, card)


def test_not_while_a_card_is_on_its_way(table) -> None:
    cards = table.flop()
    table.press(Key.NEXT)
    table.wait(100)
    table.let_out()
    gone_astray(table, cards[-1], BOARD)
    assert refused(table.press(Key.FIND)) == ["not_now"]


def test_not_while_cards_go_back_into_the_stub(table) -> None:
    cards = table.flop()
    gone_astray(table, cards[0], seat(2))
    gone_astray(table, cards[6], BURN)
    table.press(Key.PREMATURE)
    assert table.state.returning
    assert refused(table.press(Key.FIND)) == ["not_now"]


def test_two_shown_at_once_get_no_answer_unless_they_are_alike(table, mixed) -> None:
    fold, burn = mixed
    table.press(Key.FIND)
    assert shown(table, *fold) == "find_no"
    table.see(BURN, fold[0], burn)
    assert table.state.search is None  # the burn lies where it belongs: that is no answer, but a sight
    assert table.view.burns == 1


# How a search ends: what lies at the burns then lies there, and once.


def test_a_stranger_at_the_burns_hides_no_card_that_lies_there_when_the_search_ends(table, mixed) -> None:
    fold, _burn = mixed
    table.press(Key.FIND)
    table.see(BURN, Token(2001))
    table.see(BURN, fold[0])
    table.press(Key.NO)
    assert (table.state.search, table.state.out[fold[0]].at) == (None, BURN)


def test_a_retrieved_card_left_at_the_burns_is_astray_once(table, mixed) -> None:
    fold, _burn = mixed
    table.press(Key.RETRIEVE, 2)
    table.press(Key.FIND)
    table.see(BURN, fold[0])
    table.press(Key.NO)
    assert (table.state.out[fold[0]].at, table.state.out[fold[0]].home) == (BURN, seat(2))
    assert table.state.strays.count(fold[0]) == 1


def test_by_hand_between_hands_every_card_is_shown_and_none_looked_for_C15(table) -> None:
    table.ready()
    table.tell(lambda at: DeviceLost(at, "shuffler", "dead"))
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    table.see(BURN, token(1, 1))
    table.lose(BURN, token(1, 1))
    assert len(table.state.out) == 51
    assert looked_for(table.state) == frozenset()
    assert refused(table.press(Key.FIND)) == ["not_now"]


def test_a_burn_shown_together_with_others_is_found_and_the_others_are_still_looked_for_1812(table, mixed) -> None:
    fold, burn = mixed
    table.press(Key.RETRIEVE, 2)
    table.press(Key.FIND)
    assert table.state.search.wanted == {*fold, burn}
    table.see(BURN, burn, token(1, 1 + 1), fold[0])
    assert (table.view.prompt_code, table.state.search.wanted) == ("find_many", {*fold})


def test_a_burn_that_is_read_again_under_the_card_that_is_shown_takes_no_answer_away(table) -> None:
    cards = table.flop()
    mucked(table, cards[0], cards[3])
    table.press(Key.RETRIEVE, 2)
    assert said(table.state) == ""
    table.press(Key.FIND)
    table.lose(BURN, cards[6])
    table.see(BURN, cards[1])
    assert table.view.prompt_code == "find_no"
    table.see(BURN, cards[6])
    assert table.view.prompt_code == "find_no"


def test_the_answer_about_a_burn_that_was_found_is_gone_once_it_has_settled_without_any_event(table, mixed) -> None:
    _, burn = mixed
    table.press(Key.RETRIEVE, 2)
    table.press(Key.FIND)
    table.see(BURN, burn)
    settled_ns = table.now_ns + 1500 * 1_000_000
    assert (table.view.prompt_code, settled_ns in table.state.wakes) == ("find_yes", True)
    table.wait(1500)
    assert table.view.prompt_code == "find"
