"""Keys that close a round or a hand, or give a hand back: what each proves and tells (H6, H8, 1813, 1817)."""

import pytest

from dealerbox.model import events as ev
from dealerbox.model.commands import Notice, Refuse
from dealerbox.model.keys import Key
from dealerbox.model.setup import Dispense, House
from dealerbox.model.zones import BOARD, BURN, MUCK, seat


def told(commands):
    return [(type(c).__name__, c.reason.value) for c in commands if isinstance(c, Notice | Refuse)]


def muck(table, holes, *seats) -> None:
    """Both cards of these seats lie in the muck; the deal went to seats 2, 3 and 1."""
    place = {2: 0, 3: 1, 1: 2}
    for number in seats:
        for card in (holes[place[number]], holes[place[number] + 3]):
            table.lose(seat(number), card)
            table.see(MUCK, card)


def river(table) -> None:
    for _ in range(2):
        table.press(Key.NEXT)
        table.deal_street()


# NEXT and ACTION.


def test_next_after_the_last_card_proves_that_players_have_acted_and_is_pressed_once_H8(table) -> None:
    table.flop()
    river(table)
    table.state.acted = False
    assert told(table.press(Key.NEXT)) == []
    assert (table.state.acted, table.view.phase) == (True, "showdown")
    assert told(table.press(Key.NEXT)) == [("Refuse", "not_now")]
    table.press(Key.UNDO)
    assert (table.state.acted, told(table.press(Key.NEXT))) == (False, [])


def test_action_in_one_round_is_none_in_the_next_1811_2(table) -> None:
    table.flop()
    table.press(Key.ACTION)
    table.press(Key.NEXT)
    table.deal_street()
    table.press(Key.PREMATURE)
    assert table.reasons == ["premature_turn"]


def test_action_pressed_again_is_nothing_new_and_undo_takes_back_the_first(table) -> None:
    table.flop()
    table.press(Key.ACTION)
    before = table.state.undo
    assert told(table.press(Key.ACTION)) == []
    assert table.state.undo is before
    table.press(Key.UNDO)
    assert (table.state.street_acted, table.state.undo) == (False, None)


# NEXT, when a burn lies there already: by hand the panel asks whether the round was complete.


@pytest.fixture
def asked(make_table, flop):
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = flop(table)
    table.press(Key.ACTION)
    (burn,) = dealt.lay(BURN)
    assert table.reasons == ["round_open"]
    return table, dealt, burn


def test_next_counts_the_burn_that_lies_there_and_is_not_taken_back_1804A6(asked) -> None:
    table, dealt, _ = asked
    table.press(Key.NEXT)
    assert (table.reasons, table.view.expect, table.view.burns, Key.UNDO in table.view.lit) == ([], BOARD, 2, False)
    dealt.lay(BOARD)
    table.wait(1000)
    assert (table.reasons, table.view.street) == ([], "turn")


def test_a_burn_that_was_moved_before_next_is_judged_where_it_lies_now_1804A6(asked) -> None:
    table, _, burn = asked
    table.lose(BURN, burn)
    table.see(BOARD, burn)
    table.press(Key.NEXT)
    assert table.reasons == ["burn_missing"]
    table.see(BURN, burn)
    assert (table.reasons, table.view.expect, table.view.burns) == ([], BOARD, 2)


def test_a_burn_that_stayed_when_its_street_came_too_soon_still_goes_back_after_next_1812(asked) -> None:
    table, dealt, burn = asked
    table.press(Key.PREMATURE)
    table.press(Key.NEXT)
    assert Key.UNBURN in [choice.key for choice in table.view.menu]
    assert told(table.press(Key.UNBURN)) == []
    table.lose(BURN, burn)
    dealt.stub.insert(0, burn)
    dealt.lay(BURN)
    dealt.lay(BOARD)
    table.wait(1000)
    assert (table.reasons, table.view.street, table.view.burns) == ([], "turn", 2)


def test_next_ends_no_other_hold(asked) -> None:
    table, dealt, _ = asked
    table.see(BOARD, dealt.stub[5])
    before = table.reasons
    table.press(Key.NEXT)
    assert ("round_open" in table.reasons, len(table.reasons)) == (False, len(before) - 1)


# AWARD.


@pytest.mark.parametrize(
    ("mucked", "dealt_out", "notices"),
    [
        ((), False, [("Notice", "award_early")]),
        ((2,), False, [("Notice", "award_early")]),
        ((2, 3), False, []),
        ((), True, []),
        ((2,), True, []),
    ],
)
def test_an_award_is_told_to_be_early_with_two_live_hands_and_cards_to_come_by_1817(
    table, mucked, dealt_out, notices
) -> None:
    holes = table.flop()[:6]
    table.press(Key.ACTION)
    muck(table, holes, *mucked)
    if dealt_out:
        river(table)
    assert told(table.press(Key.AWARD)) == notices
    assert table.view.phase == "gathering"


# RETRIEVE.


def test_of_two_mucked_hands_the_seat_must_be_named_of_one_it_need_not_1813(table) -> None:
    holes = table.flop()[:6]
    table.press(Key.ACTION)
    muck(table, holes, 1, 3)
    assert told(table.press(Key.RETRIEVE)) == [("Refuse", "not_now")]
    assert told(table.press(Key.RETRIEVE, seat=3)) == []
    assert table.state.dead == {1}
    assert told(table.press(Key.RETRIEVE)) == []
    assert table.state.dead == frozenset()


def back_in_play(table, *cards) -> None:
    """Mucked cards lie at their seats again when the next card is asked for."""
    for card in cards:
        table.lose(MUCK, card)
        table.see(table.state.out[card].dealt, card)
    table.wait(2000)
    table.press(Key.NEXT)
    table.let_up()


@pytest.fixture
def four(make_table):
    """Seats 2 and 3 of four have folded; their cards, in the order of the deal."""
    table = make_table(seats=(1, 2, 3, 4))
    holes = table.flop()[:8]
    table.press(Key.ACTION)
    for card, number in ((holes[0], 2), (holes[4], 2), (holes[1], 3), (holes[5], 3)):
        table.lose(seat(number), card)
        table.see(MUCK, card)
    return table, holes


def test_of_two_mucked_hands_the_one_that_is_back_in_play_is_meant_1815_3(four) -> None:
    table, holes = four
    back_in_play(table, holes[0], holes[4])
    assert table.reasons == ["dead_card_back", "dead_card_back"]
    table.press(Key.RETRIEVE)
    assert (table.reasons, table.state.dead) == ([], {3})


def test_a_hand_given_back_of_which_one_card_lies_in_the_muck_still_has_that_card_astray_H11(four) -> None:
    table, holes = four
    back_in_play(table, holes[0])
    table.press(Key.RETRIEVE)
    assert [(h.reason.value, h.token, h.zone, h.to) for h in table.state.holds] == [
        ("card_strayed", holes[4], MUCK, seat(2))
    ]


def test_a_hand_given_back_ends_the_holds_about_its_own_cards_1815_3(four) -> None:
    table, holes = four
    back_in_play(table, holes[0], holes[1])
    assert table.reasons == ["dead_card_back", "dead_card_back"]
    table.press(Key.RETRIEVE, seat=2)
    assert [(h.reason.value, h.token) for h in table.state.holds] == [("dead_card_back", holes[1])]


# MANUAL, COUNT and DECK.


def test_by_hand_nothing_is_counted_on_in_the_machine_and_nothing_taken_back_C15(table) -> None:
    table.holes()
    table.press(Key.NEXT)
    number = table.state.memory.pending
    table.tell(lambda at: ev.CardUp(at, number))
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    assert (table.state.memory.exit_id, table.state.proof is not None) == (number, True)
    table.press(Key.ACTION)
    table.press(Key.MANUAL)
    memory = table.state.memory
    assert (memory.pending, memory.pending_kind, memory.exit_id, memory.machine) == (0, "", 0, 0)
    assert (table.state.undo, table.state.proof, table.state.up, table.reasons) == (None, None, False, [])


def test_what_the_machine_was_told_between_hands_is_void_by_hand_and_it_need_not_be_emptied_C15(table) -> None:
    table.ready()
    table.press(Key.COUNT)
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    table.press(Key.MANUAL)
    memory = table.state.memory
    assert (memory.pending, memory.pending_kind, table.state.empty_owed) == (0, "", False)


def test_a_card_of_a_group_on_its_way_when_the_machine_is_given_up_is_asked_for_H10(make_table) -> None:
    table = make_table(house=House(dispense=Dispense.GROUP))
    table.begun()
    table.let_out()
    table.wait(2000)
    table.press(Key.MANUAL)
    notices = told(table.wait(1500))
    assert ("Notice", "card_unseen") in notices


def pending(table) -> None:
    table.press(Key.COUNT)


def away(table) -> None:
    table.tell(lambda at: ev.DeviceLost(at, "shuffler", "gone"))


def short(table) -> None:
    table.meet(machine=51, token_id=table.state.shuffled)


@pytest.mark.parametrize("why", [pending, away, short])
def test_a_machine_that_is_busy_away_or_not_full_is_not_counted_C2(table, why) -> None:
    table.ready()
    why(table)
    before = table.state.memory
    (refused,) = [c for c in table.press(Key.COUNT) if isinstance(c, Refuse)]
    assert (refused.reason, refused.asked, table.state.memory) == ("not_now", "count", before)


def test_a_hand_given_back_with_a_card_on_its_way_is_looked_for_where_it_lies_H11(table) -> None:
    holes = table.flop()[:6]
    table.press(Key.ACTION)
    muck(table, holes, 2)
    table.press(Key.NEXT)
    table.let_out()
    table.press(Key.RETRIEVE, seat=2)
    assert set(table.state.strays) == {holes[0], holes[3]}
