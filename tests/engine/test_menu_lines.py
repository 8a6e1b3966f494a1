"""The whole list that PROBLEM opens, line by line as the dealer reads it, in each phase and under each hold."""

import pytest

from dealerbox.model.cards import token
from dealerbox.model.events import DeviceBack, DeviceLost, ShufflerLocked
from dealerbox.model.keys import Key
from dealerbox.model.setup import Dispense, House
from dealerbox.model.zones import BOARD, BURN, EXIT, MUCK, seat

BY_HAND = "Machine stuck: by hand"
ROUND = ["Street came too early", "MISDEAL", "Card lay face up", "Deck bent or marked", BY_HAND, "Pots are awarded"]
HELD = ["Round is complete", "Pots are awarded"]
LINES = {
    "closed": [],
    "opening": ["Deck bent or marked", BY_HAND, "Look for a card"],
    "between": ["Deck bent or marked", BY_HAND],
    "dealing": [
        "Card was flashed: 0, 2",
        "MISDEAL",
        "Card fell off the table: 0, 2",
        "Card lay face up",
        BY_HAND,
        "Deck bent or marked",
        "Pots are awarded",
    ],
    "betting": ROUND,
    "held": ["UNDO PREMATURE", "MISDEAL", "Deck bent or marked", BY_HAND, *HELD],
    "proved": [BY_HAND, *ROUND[:4], *HELD],
    "showdown": [
        "Street came too early",
        "Card lay face up",
        "Deck bent or marked",
        "Round is complete",
        "MISDEAL",
        BY_HAND,
    ],
    "gathering": ["UNDO AWARD", "Look for a card", BY_HAND, "Deck bent or marked"],
    "by_hand": [*ROUND[:4], *HELD],
}
"""0 is the card on its way: the seats stand in the order in which a slip is likely, the last one dealt first."""


def lines(table) -> list[str]:
    return [
        f"{line.words}: {', '.join(map(str, line.seats))}" if line.seats else line.words for line in table.view.menu
    ]


@pytest.mark.parametrize("phase", LINES)
def test_the_list_of_what_may_have_gone_wrong_in_each_phase(table, brought_to, phase) -> None:
    brought_to(table, phase)
    assert lines(table) == LINES[phase]


def test_a_street_that_is_dealt_has_neither_NEXT_nor_a_first_street_too_early(table) -> None:
    table.begun()
    assert {Key.NEXT, Key.PREMATURE} & {line.key for line in table.view.menu} == set()
    table.deal_street()
    table.press(Key.NEXT)
    table.deal()
    assert [line for line in lines(table) if "complete" in line or "early" in line] == ["Street came too early"]


def test_hands_in_the_muck_may_be_brought_back_in_the_order_of_the_seats_1817(table) -> None:
    cards = table.holes()
    for card in (cards[1], cards[4], cards[0], cards[3]):
        table.see(MUCK, card)
    assert lines(table)[0] == "A mucked hand lives: 2, 3"


def test_a_burn_in_an_open_round_may_go_back_and_no_other_hold_says_so_1812(make_table, flop) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = flop(table)
    table.tell(lambda at: DeviceLost(at, "feig-1", "cable"))
    assert "Burn card goes back" not in lines(table)
    dealt.lay(BURN)
    assert table.reasons == ["device_lost", "round_open"]
    assert lines(table)[:2] == [BY_HAND, "Street came too early"]
    assert "Burn card goes back" not in lines(table)
    state = table.state
    table.press(Key.UNBURN)
    assert (table.state.holds, table.state.street) == (state.holds, state.street)
    table.tell(lambda at: DeviceBack(at, "feig-1"))
    assert "Burn card goes back" in lines(table)


def test_a_burn_that_nothing_was_dealt_behind_may_go_back_and_none_other_1812(make_table, flop) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = flop(table)
    table.press(Key.NEXT)
    assert "Burn card goes back" not in lines(table)
    dealt.lay(BURN)
    assert "Burn card goes back" in lines(table)
    dealt.lay(BOARD)
    assert "Burn card goes back" not in lines(table)


def test_while_a_later_street_is_dealt_what_ends_the_deal_stands_before_what_ends_the_hand(table) -> None:
    table.holes()
    table.press(Key.NEXT)
    table.deal()
    assert [choice.key for choice in table.view.menu] == [
        *(Key.PREMATURE, Key.FACED, Key.MANUAL, Key.MISDEAL, Key.SUSPECT, Key.AWARD),
    ]


def test_at_the_showdown_a_mucked_hand_that_lives_is_the_likeliest_1813(table, brought_to) -> None:
    brought_to(table, "showdown")
    table.see(MUCK, *[card for card, record in table.state.out.items() if record.dealt == "seat:2"])
    assert lines(table)[:2] == ["A mucked hand lives: 2", "Street came too early"]


def test_a_hole_card_on_a_wrong_zone_makes_a_misdeal_the_likeliest(table) -> None:
    table.begun()
    table.see(MUCK, table.let_out())
    assert table.state.holds[0].reason.value == "wrong_zone"
    assert lines(table)[0] == "MISDEAL"


def test_a_card_in_an_open_round_makes_a_street_too_early_the_likeliest(make_table, flop) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = flop(table)
    table.see(MUCK, *[card for card, record in table.state.out.items() if record.dealt == "seat:2"])
    dealt.lay(BURN)
    assert table.state.holds[0].reason.value == "round_open"
    assert lines(table)[:2] == ["Street came too early", "A mucked hand lives: 2"]


def test_a_third_hole_card_makes_a_misdeal_the_likeliest_1815_1(make_table, given) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = given(table)
    dealt.holes()
    dealt.lay(seat(2))
    assert table.state.holds[0].reason.value == "too_many_cards"
    assert lines(table)[0] == "MISDEAL"


def test_a_burn_in_the_muck_makes_looking_for_it_the_likeliest_1812(table) -> None:
    cards = table.flop()
    table.lose(BURN, cards[6])
    table.see(MUCK, cards[6])
    table.wait(3000)
    table.press(Key.NEXT)
    table.let_up()
    assert table.state.holds[0].reason.value == "burn_in_muck"
    assert lines(table)[:2] == ["UNDO NEXT", "Look for a card"]


def test_a_seat_with_one_card_makes_a_misdeal_the_likeliest_1815_1(make_table, given) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = given(table)
    for number in (2, 3, 1, 2):
        dealt.lay(seat(number))
    table.state.plan = (*table.state.plan[:1], *table.state.plan[2:])
    dealt.lay(seat(3))
    assert table.reasons == ["too_few_cards"]
    assert lines(table)[0] == "MISDEAL"


def test_a_dead_card_in_play_again_makes_a_hand_that_lives_the_likeliest_1815_3(table) -> None:
    cards = table.holes()
    table.see(MUCK, cards[0], cards[3])
    table.lose(MUCK, cards[0])
    table.see(seat(2), cards[0])
    table.wait(3000)
    table.press(Key.NEXT)
    table.let_up()
    assert table.reasons == ["dead_card_back"]
    assert lines(table)[:2] == ["UNDO NEXT", "A mucked hand lives: 2"]


def test_two_cards_that_came_up_for_one_make_a_misdeal_the_likeliest(table) -> None:
    table.begun()
    table.card_up()
    table.see(EXIT, token(1, 1), token(1, 2))
    table.wait(1000)
    assert table.reasons == ["double_feed"]
    assert lines(table)[:2] == ["UNDO START", "MISDEAL"]


def test_a_card_that_is_not_read_may_have_lain_face_up_1820(table) -> None:
    table.begun()
    table.card_up()
    table.wait(3000)
    assert table.reasons == ["card_unread"]
    assert lines(table)[:2] == ["UNDO START", "Card lay face up"]


@pytest.mark.parametrize(("why", "reason"), [("error", "jam"), ("door", "door_open")])
def test_a_shuffler_that_jams_or_is_opened_makes_the_deal_by_hand_the_likeliest_C15(table, why, reason) -> None:
    table.flop()
    table.tell(lambda at: ShufflerLocked(at, why))
    assert table.reasons == [reason]
    assert lines(table)[0] == BY_HAND


def test_once_the_last_round_is_called_complete_it_is_not_offered_again(table, brought_to) -> None:
    brought_to(table, "showdown")
    assert "Round is complete" in lines(table)
    table.press(Key.NEXT)
    assert (table.view.phase, table.view.menu[0].words) == ("showdown", "UNDO NEXT")
    assert "Round is complete" not in lines(table)


def test_with_two_hands_left_GO_says_that_the_round_is_complete_and_ends_no_hand(table) -> None:
    cards = table.holes()
    table.see(MUCK, cards[0], cards[3])
    assert (table.view.folded, table.view.go) == ((2,), Key.NEXT)


def test_a_deck_that_is_changed_is_doubted_no_more_while_it_is_still_to_come_out_C13(table) -> None:
    table.ready()
    assert "Deck bent or marked" in lines(table)
    table.press(Key.DECK)
    assert (table.view.phase, table.view.prompt_code) == ("opening", "empty")
    assert "Deck bent or marked" not in lines(table)
