"""A card flashed, off the table or face up in the deck, card by card of a hand: which are dead (1811(1), 1820, C9)."""

import pytest

from dealerbox.model.commands import Hold, Notice, Refuse
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Dispense, House, Replacement
from dealerbox.model.shuffler import Cycle
from dealerbox.model.zones import ASIDE, BOARD, BURN, seat

HAND = [
    *((place, seat(number)) for place, number in enumerate((2, 3, 1, 2, 3, 1))),
    (6, BURN), (7, BOARD), (8, BOARD), (9, BOARD), (10, BURN), (11, BOARD), (12, BURN), (13, BOARD),
]  # fmt: skip
"""The cards of a hand of three, and their zones."""
COSTS_NOTHING = {6, 9, 10, 11, 12, 13}
"""A burn will not be seen; turn, river and the last card of the flop were to be seen."""


def dealt_up_to(table, place) -> None:
    table.begun()
    for number in range(place):
        if number in (6, 10, 12):
            table.press(Key.NEXT)
        table.deal()
    if place in (6, 10, 12):
        table.press(Key.NEXT)


def told(commands):
    return [(type(c).__name__, c.reason.value, c.zone) for c in commands if isinstance(c, Notice | Hold | Refuse)]


@pytest.mark.parametrize(("place", "zone"), HAND)
def test_flashed_in_the_air_it_is_dead_or_costs_nothing_1811_1(table, place, zone) -> None:
    dealt_up_to(table, place)
    card = table.let_out()
    before = table.state.plan
    assert told(table.press(Key.EXPOSED)) == [("Notice", "exposed_card", zone)]
    if place in COSTS_NOTHING:
        assert (table.state.plan, table.view.expect) == (before, zone)
        table.see(zone, card)
        assert (table.reasons, table.state.out[card].home) == ([], zone)
        return
    assert (table.view.expect, table.state.out[card].home) == (ASIDE, ASIDE)
    table.see(ASIDE, card)
    assert (table.reasons, table.state.out[card].home, len(table.state.plan)) == ([], ASIDE, len(before))
    assert table.view.expect == (zone if place > 6 else table.state.plan[0].zone)
    table.deal_street()
    assert (table.reasons, table.view.phase) == ([], "betting")


@pytest.mark.parametrize(("place", "zone"), HAND)
@pytest.mark.parametrize("in_the_air", [True, False])
def test_face_up_in_the_deck_it_is_dead_on_any_street_and_the_next_takes_its_step_1820(
    table, place, zone, in_the_air
) -> None:
    dealt_up_to(table, place)
    card = table.let_out() if in_the_air else table.deal()
    steps = len(table.state.plan)
    if not in_the_air and table.state.memory.pending_kind == "Dispense":  # the next one is not up yet
        assert table.state.memory.exit_id == 0
    commands = table.press(Key.FACED)
    kind = "Notice" if in_the_air else "Hold"
    assert told(commands) == [(kind, "faced_card", zone)]
    if not in_the_air:
        table.lose(zone, card)
    table.see(ASIDE, card)
    assert (table.reasons, table.view.expect) == ([], zone)
    assert len(table.state.plan) == steps + (0 if in_the_air else 1)


def test_face_up_behind_the_gate_it_is_let_out_to_lie_aside_and_counts_for_no_step_1820(table) -> None:
    table.begun()
    table.card_up()
    before = table.state.plan
    assert told(table.press(Key.FACED)) == [("Notice", "faced_card", "")]
    assert [step.zone for step in table.state.plan] == [ASIDE, *(step.zone for step in before)]
    assert {step.street for step in table.state.plan[:2]} == {"preflop"}


@pytest.mark.parametrize("key", [Key.EXPOSED, Key.OFF_TABLE])
@pytest.mark.parametrize(
    ("when", "place"), [(Replacement.AFTER_DEAL, -1), (Replacement.AT_ONCE, 0)], ids=["after the deal", "at once"]
)
def test_a_hole_card_at_its_seat_is_replaced_as_the_house_has_it_1811_1(make_table, key, when, place) -> None:
    table = make_table(house=House(exposed_replacement=when))
    dealt_up_to(table, 2)
    before = [step.zone for step in table.state.plan if step.street == "preflop"]
    assert told(table.press(key, 2)) == [("Hold", key.value if key is Key.OFF_TABLE else "exposed_card", seat(2))]
    (held,) = table.state.holds
    assert (held.clause, held.to, held.token) == ("1811(1)", ASIDE, 0)
    after = [step.zone for step in table.state.plan if step.street == "preflop"]
    assert after == ([seat(2), *before] if place == 0 else [*before, seat(2)])


@pytest.mark.parametrize("key", [Key.EXPOSED, Key.OFF_TABLE])
def test_two_called_one_after_the_other_are_each_laid_aside_and_replaced_1811_1(table, key) -> None:
    table.begun()
    first, second = table.deal(), table.deal()
    table.press(key, 2)
    assert told(table.press(key, 2)) == [("Refuse", "not_now", "")]  # of one zone one at a time
    table.press(key, 3)
    assert [h.zone for h in table.state.holds] == [seat(2), seat(3)]
    for card, number in ((second, 3), (first, 2)):
        table.lose(seat(number), card)
        table.see(ASIDE, card)
    assert (table.reasons, table.state.strays) == ([], ())
    table.deal_street()
    assert (table.reasons, table.view.phase) == ([], "betting")
    assert [table.view.counts[seat(number)] for number in (1, 2, 3)] == [2, 2, 2]


@pytest.mark.parametrize(
    ("key", "acted", "taken"),
    [
        (Key.EXPOSED, True, False),
        (Key.EXPOSED, False, True),
        (Key.OFF_TABLE, True, False),
        (Key.OFF_TABLE, False, True),
    ],
)
def test_once_players_have_acted_a_hole_card_is_the_players_and_stays_live_1811_1(table, key, acted, taken) -> None:
    table.holes()
    if acted:
        table.press(Key.ACTION)
    assert (told(table.press(key, 3)) == [("Refuse", "not_now", "")]) is not taken


@pytest.mark.parametrize("key", [Key.EXPOSED, Key.OFF_TABLE])
def test_a_flop_card_before_its_fellows_is_dead_where_it_lies_and_the_next_takes_its_step_at_once_C9(
    table, key
) -> None:
    dealt_up_to(table, 8)
    before = table.state.plan
    table.press(key)
    (held,) = table.state.holds
    assert (held.zone, held.to, table.state.plan) == (BOARD, ASIDE, (before[0], *before))
    assert before[0].zone == BOARD


@pytest.mark.parametrize(("second", "reasons"), [(False, ["exposed_card", "misdeal"]), (True, ["exposed_card"])])
def test_only_the_first_card_of_the_hand_is_a_misdeal_where_the_house_says_so_C9(make_table, second, reasons) -> None:
    table = make_table(house=House(first_card_exposed_is_misdeal=True))
    dealt_up_to(table, 2 if second else 1)
    table.press(Key.EXPOSED, 3 if second else 2)
    assert table.reasons == reasons


def test_with_no_card_of_that_seat_dealt_there_is_nothing_to_call(table) -> None:
    dealt_up_to(table, 1)
    for key in (Key.EXPOSED, Key.OFF_TABLE):
        assert told(table.press(key, 3)) == [("Refuse", "not_now", "")]


@pytest.mark.parametrize(("key", "reason"), [(Key.EXPOSED, "exposed_card"), (Key.OFF_TABLE, "off_table")])
@pytest.mark.parametrize(("house", "place"), [(Replacement.AT_ONCE, 0), (Replacement.AFTER_DEAL, -1)])
def test_without_a_seat_the_card_let_out_last_is_meant_where_it_lies_1811_1(
    make_table, key, reason, house, place
) -> None:
    table = make_table(house=House(exposed_replacement=house))
    dealt_up_to(table, 4)
    card = table.deal()
    other = next(token for token, record in table.state.out.items() if record.home == seat(3) and token != card)
    assert told(table.press(key)) == [("Hold", reason, seat(3))]
    table.see(ASIDE, other)
    assert table.reasons == [reason]
    table.see(seat(3), other)
    table.see(ASIDE, card)
    assert (table.reasons, table.state.out[card].home, table.state.plan[:2][place].zone) == ([], ASIDE, seat(3))


@pytest.mark.parametrize("key", [Key.EXPOSED, Key.OFF_TABLE])
def test_without_a_seat_and_once_players_have_acted_there_is_nothing_to_call_1811_1(table, key) -> None:
    dealt_up_to(table, 6)
    table.press(Key.UNDO)
    table.press(Key.ACTION)
    assert told(table.press(key)) == [("Refuse", "not_now", "")]


def test_where_one_exposed_card_is_a_misdeal_the_first_is_one_C9(make_table) -> None:
    table = make_table(house=House(exposed_is_misdeal_from=1))
    dealt_up_to(table, 2)
    table.press(Key.EXPOSED, 3)
    assert table.reasons == ["exposed_card", "misdeal"]


def test_after_action_a_flop_card_that_fell_is_the_boards_1811_1(table) -> None:
    dealt_up_to(table, 8)
    table.press(Key.ACTION)
    assert told(table.press(Key.OFF_TABLE)) == [("Refuse", "not_now", "")]


def test_one_that_was_asked_for_and_laid_wrong_is_asked_for_aside_and_held_no_more_for_that(table) -> None:
    table.begun()
    card = table.let_out()
    table.button(3)
    table.wait(2000)
    assert table.state.released.unseen
    table.press(Key.FACED)
    assert (table.state.released.unseen, table.reasons) == (False, ["button_moved"])
    table.see(ASIDE, card)
    assert table.reasons == ["button_moved"]


def test_a_card_called_dead_is_laid_aside_whatever_else_is_held(table) -> None:
    table.begun()
    card = table.deal()
    table.button(3)
    table.wait(2000)
    table.press(Key.EXPOSED, 2)
    table.lose(seat(2), card)
    table.see(ASIDE, card)
    assert table.reasons == ["button_moved"]


# Of a group on its way (1809): the card next seen aside is the one.


@pytest.mark.parametrize(("key", "reason"), [(Key.FACED, "faced_card"), (Key.EXPOSED, "exposed_card")])
@pytest.mark.parametrize("dead", [0, 1])
def test_of_a_group_on_its_way_the_one_seen_aside_is_dead_and_another_comes_for_it(
    make_table, key, reason, dead
) -> None:
    table = make_table(house=House(dispense=Dispense.GROUP, exposed_replacement=Replacement.AT_ONCE))
    table.begun()
    cards = [table.let_out(), table.let_out()]
    before = table.state.plan
    assert told(table.press(key)) == [("Hold", reason, seat(2))]
    (held,) = table.state.holds
    assert (held.zone, held.to, held.token) == (seat(2), ASIDE, 0)
    assert [step.zone for step in table.state.plan] == [seat(2), *(step.zone for step in before)]
    assert told(table.press(key)) == [("Refuse", "not_now", "")]
    table.see(ASIDE, cards[dead])
    record = table.state.out[cards[dead]]
    assert (table.reasons, record.at, record.home, record.dealt) == ([], ASIDE, ASIDE, ASIDE)
    table.see(seat(2), cards[1 - dead])
    table.deal()
    assert (table.view.expect, table.view.counts[seat(2)]) == (seat(3), 2)


def test_a_card_called_dead_that_is_laid_elsewhere_is_not_aside(table) -> None:
    dealt_up_to(table, 2)
    card = table.state.last_out
    table.press(Key.EXPOSED, 3)
    table.lose(seat(3), card)
    table.see(BOARD, card)
    assert (table.reasons, table.state.out[card].home) == (["exposed_card"], seat(3))


# One that was flashed earlier, where the panel has no way to name a seat: the director's TO_STUB (1830(2)).


@pytest.mark.parametrize("after_deal", [True, False])
def test_the_director_names_a_hole_card_that_was_flashed_earlier_by_its_seat_and_it_is_dealt_anew_1811_1(
    table, after_deal
) -> None:
    table.begun()
    cards = [table.deal() for _ in range(6 if after_deal else 4)]
    table.rule(Ruling.TO_STUB, cards=("seat:2:1",))
    assert table.view.prompt.startswith("The card on seat 2 goes back into the stub.")
    table.card_up() if table.pending == "Dispense" else None
    table.retracted()
    table.lose(seat(2), cards[0])
    table.feed(cards[0])
    table.returned(1)
    table.cycle(Cycle.SHUFFLE, 47 if after_deal else 49)
    table.press(Key.CUT)
    assert (table.reasons, table.view.expect) == ([], seat(2))


def test_one_that_does_not_lie_there_is_refused_and_none_goes_back_1830_2(table) -> None:
    table.begun()
    for _ in range(4):
        table.deal()
    table.rule(Ruling.TO_STUB, cards=("seat:2:3",))
    assert (table.view.refused.reason, table.state.returning) == ("no_authority", frozenset())
