"""What the director's rulings do to cards, steps, hands and seats, and no further (1830(2), C14)."""

import pytest

from dealerbox.engine.phases import Phase
from dealerbox.model.cards import Token, token
from dealerbox.model.commands import Clear, Refuse
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Dispense, House
from dealerbox.model.shuffler import Cycle
from dealerbox.model.zones import ASIDE, BOARD, BURN, INFEED, MUCK, seat


def refused(commands):
    return [(c.reason.value, c.asked) for c in commands if isinstance(c, Refuse)]


def plan(table, steps: int):
    return [step.zone for step in table.state.plan[:steps]]


def back(table, *cards) -> None:
    """The machine is ready; the cards go in, it shuffles, the dealer cuts."""
    if table.state.memory.pending_kind == "Dispense":
        table.card_up()
    table.retracted()
    table.feed(*cards)
    table.returned(len(cards))
    table.cycle(Cycle.SHUFFLE, table.view.counts["stub"])
    table.press(Key.CUT)


@pytest.fixture
def flop(table):
    """Six hole cards, a burn and the flop, after action."""
    cards = table.flop()
    table.press(Key.ACTION)
    return cards


# TO_STUB.


def test_the_card_that_a_hold_is_about_goes_back_and_its_step_is_owed_as_it_was(table) -> None:
    table.begun()
    table.deal()
    card = table.let_out()
    before = table.state.plan
    table.see(seat(1), card)
    table.rule(Ruling.TO_STUB)
    assert (table.state.returning, table.state.released, table.state.plan, table.state.undo) == (
        {card}, None, before, None,
    )  # fmt: skip
    back(table, card)
    assert (table.reasons, table.view.expect, card in table.state.out) == ([], seat(3), False)


@pytest.mark.parametrize(
    ("picked", "owed"),
    [
        ((6,), [BURN]),
        ((7,), [BOARD]),
        ((8, 6), [BURN, BOARD]),
        ((9, 8, 7), [BOARD, BOARD, BOARD]),
        ((0,), [seat(2)]),
        ((5, 0), [seat(2), seat(1)]),
        ((9, 0, 6), [seat(2), BURN, BOARD]),
    ],
)
def test_the_cards_named_go_back_and_what_they_had_done_is_owed_again_in_the_order_of_the_deal(
    table, flop, picked, owed
) -> None:
    later = table.state.plan
    named = tuple(flop[place] for place in picked)
    table.rule(Ruling.TO_STUB, tokens=named)
    assert (plan(table, len(owed)), table.state.plan[len(owed) :]) == (owed, later)
    assert {step.street for step in table.state.plan[: len(owed)]} == {"flop"}
    assert (table.state.returning, table.view.phase) == (set(named), "dealing")
    back(table, *named)
    table.deal_street()
    assert (table.reasons, table.view.phase, table.view.street) == ([], "betting", "flop")


@pytest.mark.parametrize(("words", "place"), [("board:1", 7), ("board:3", 9), ("burn:1", 6), ("seat:3:2", 4)])
def test_a_card_is_named_by_the_zone_and_its_place_in_the_deal(table, flop, words, place) -> None:
    table.rule(Ruling.TO_STUB, cards=(words,))
    assert table.state.returning == {flop[place]}


@pytest.mark.parametrize(
    "words", ["board:0", "board:4", "board:-1", "board:x", "board:", "board", "moon:1", "board:²", "board:001", ":1"]
)
def test_of_cards_one_of_which_does_not_lie_there_none_goes_back(table, flop, words) -> None:
    before = table.state.plan
    assert refused(table.rule(Ruling.TO_STUB, cards=("board:1", words))) == [("no_authority", "to_stub")]
    assert (table.state.returning, table.state.plan) == (frozenset(), before)


@pytest.mark.parametrize("tokens", [(), (token(1, 50),), (token(2, 3),)])
def test_nothing_goes_back_that_is_not_out(table, flop, tokens) -> None:
    assert refused(table.rule(Ruling.TO_STUB, tokens=tokens)) == [("no_authority", "to_stub")]


def test_a_card_that_stands_elsewhere_and_then_goes_back_is_owed_to_the_seat_that_it_was_dealt_to(table) -> None:
    """The step that it had done is that one; else the seat ended with one card, and before ACTION in a misdeal."""
    table.begun()
    card, _ = table.deal(), table.deal()
    table.lose(seat(2), card)
    table.see(seat(1), card)
    table.wait(3000)
    table.let_up()
    assert table.reasons == ["card_strayed"]
    table.rule(Ruling.STAND)
    assert (table.reasons, table.state.out[card].home) == ([], seat(1))
    table.deal()
    table.rule(Ruling.TO_STUB, tokens=(card,))
    assert plan(table, 1) == [seat(2)]
    back(table, card)
    table.deal_street()
    assert (table.reasons, table.view.phase) == ([], "betting")


def test_a_mucked_card_that_goes_back_is_not_dealt_again(table, flop) -> None:
    table.lose(seat(2), flop[0], flop[3])
    table.see(MUCK, flop[0], flop[3])
    before = table.state.plan
    table.rule(Ruling.TO_STUB, tokens=(flop[0],))
    assert (table.state.returning, table.state.plan) == ({flop[0]}, before)


@pytest.mark.parametrize(("streets", "cards"), [(0, 3), (1, 1), (2, 1)])
def test_of_a_street_called_too_soon_too_late_the_board_cards_of_that_street_go_back(table, streets, cards) -> None:
    dealt = table.flop()
    for _ in range(streets):
        table.press(Key.NEXT)
        dealt = table.deal_street()
    table.press(Key.ACTION)
    table.press(Key.PREMATURE)
    assert table.reasons == ["premature_late"]
    told = table.rule(Ruling.TO_STUB)
    assert [command.person for command in told if isinstance(command, Clear)] == [1]
    assert (table.reasons, table.state.returning) == ([], set(dealt[-cards:]))
    assert plan(table, cards) == [BOARD] * cards


# HAND_DEAD.


def test_a_hand_that_is_ruled_dead_is_folded_where_it_lies_and_its_cards_in_the_muck_stay_there(table, flop) -> None:
    table.lose(seat(2), flop[0])
    table.see(MUCK, flop[0])
    table.rule(Ruling.HAND_DEAD, seat=2)
    assert (table.view.folded, table.state.out[flop[0]].home, table.state.out[flop[3]].home) == ((2,), MUCK, seat(2))
    table.wait(3000)
    table.press(Key.NEXT)
    table.deal_street()
    assert table.reasons == []


# STAND.


def test_a_card_never_let_out_that_may_stand_takes_a_step_of_the_open_street_alone(table) -> None:
    table.holes()
    table.press(Key.NEXT)
    table.deal()
    before = table.state.plan
    table.see(BOARD, token(1, 50))
    table.rule(Ruling.STAND)
    assert (table.reasons, table.state.plan) == ([], before[1:])
    assert (table.state.out[token(1, 50)].home, table.state.out[token(1, 50)].dealt) == (BOARD, BOARD)
    table.deal_street()
    assert (table.view.phase, table.view.counts[BOARD]) == ("betting", 3)


def test_one_that_lies_where_no_step_of_this_street_wants_it_takes_none(table) -> None:
    table.holes()
    table.press(Key.NEXT)
    table.deal()
    before = table.state.plan
    table.see(seat(2), token(1, 50))
    table.rule(Ruling.STAND)
    assert table.state.plan == before


def test_the_last_step_taken_by_a_card_that_may_stand_ends_the_street(table) -> None:
    table.holes()
    table.press(Key.NEXT)
    for _ in range(3):
        table.deal()
    table.see(BOARD, token(1, 50))
    table.rule(Ruling.STAND)
    assert (table.view.phase, table.view.street) == ("betting", "flop")


def astray(table, card, zone, at) -> None:
    """A dealt card lies steadily elsewhere when the next one is asked for."""
    table.lose(zone, card)
    table.see(at, card)
    table.wait(2000)
    table.press(Key.NEXT)
    table.let_up()
    assert table.reasons == ["card_strayed"]


def test_a_dealt_card_astray_that_may_stand_belongs_where_it_lies_and_was_dealt_where_it_was(table, flop) -> None:
    astray(table, flop[0], seat(2), ASIDE)
    table.rule(Ruling.STAND)
    record = table.state.out[flop[0]]
    assert (record.home, record.at, record.dealt, table.reasons) == (ASIDE, ASIDE, seat(2), [])
    assert table.state.strays == ()


@pytest.mark.parametrize(
    ("bring", "zone", "done"),
    [(0, seat(3), False), (0, BOARD, False), (6, BOARD, True), (6, seat(1), True), (7, BURN, False)],
)
def test_the_released_card_counts_where_it_lies_and_only_a_burns_own_step_is_done(table, bring, zone, done) -> None:
    table.begun()
    for dealt in range(bring):
        if dealt == 6:
            table.press(Key.NEXT)
        table.deal()
    if bring == 6:
        table.press(Key.NEXT)
    own = table.state.plan[0]
    card = table.let_out()
    table.see(zone, card)
    street = [step for step in table.state.plan if step.street is own.street]
    table.rule(Ruling.STAND)
    left = [step for step in table.state.plan if step.street is own.street]
    met = 1 if any(step.zone == zone for step in street[1:]) else 0
    assert len(left) == len(street) - (1 if done else 0) - met
    assert (table.state.released, table.state.out[card].home, table.state.last_out) == (None, zone, card)


def test_a_card_unseen_lies_at_its_zone_by_ruling_beyond_what_the_house_lets_the_dealer_say_H10(table) -> None:
    table.begun()
    for _ in range(2):
        table.let_out()
        table.wait(2000)
        table.press(Key.ACK)
    card = table.let_out()
    table.wait(2000)
    assert refused(table.press(Key.ACK)) == [("card_unseen", "ack")]
    assert refused(table.rule(Ruling.STAND)) == []
    assert (table.state.out[card].inferred, table.state.unseen, table.state.released) == (True, 2, None)


@pytest.mark.parametrize(
    ("place", "acted", "dead", "owed"),
    [(0, True, {2}, []), (0, False, set(), [seat(2)]), (6, True, set(), [BURN]), (9, True, set(), [BOARD])],
)
def test_a_dealt_card_fed_in_is_owed_again_but_a_seats_after_action_whose_hand_is_dead(
    table, place, acted, dead, owed
) -> None:
    cards = table.flop()
    table.state.acted = acted
    table.see(INFEED, cards[place])
    table.lose(INFEED, cards[place])
    table.press(Key.NEXT)
    table.state.acted = acted
    table.let_up()
    assert table.reasons == ["card_strayed"]
    before = table.state.plan
    table.rule(Ruling.STAND)
    assert (plan(table, len(owed)), table.state.plan[len(owed) :]) == (owed, before)
    assert (table.state.dead, cards[place] in table.state.out, table.state.order_lost) == (dead, False, True)
    assert table.state.proof is not None


def test_a_dead_card_fed_in_costs_nothing_more(table, flop) -> None:
    table.lose(seat(2), flop[0], flop[3])
    table.see(MUCK, flop[0], flop[3])
    table.see(INFEED, flop[0])
    table.press(Key.NEXT)
    table.let_up()
    before = (table.state.plan, table.state.dead)
    table.rule(Ruling.STAND)
    assert (table.state.plan, table.state.dead, flop[0] in table.state.out) == (*before, False)


# Seats and button.


@pytest.mark.parametrize(("number", "taken"), [(-1, False), (0, False), (1, True), (10, True), (11, False)])
def test_the_button_is_set_at_a_seat_that_the_house_has(table, number, taken) -> None:
    table.ready()
    table.button()
    assert refused(table.rule(Ruling.SET_BUTTON, seat=number)) == ([] if taken else [("no_authority", "set_button")])
    assert table.state.button_set == (number if taken else 1)


@pytest.mark.parametrize("lies", [(), (2, 3)])
def test_without_a_seat_named_the_button_is_set_where_it_lies_and_nowhere_if_it_lies_at_none_or_two(
    table, lies
) -> None:
    table.ready()
    table.button(*lies)
    assert refused(table.rule(Ruling.SET_BUTTON)) == [("no_authority", "set_button")]


@pytest.mark.parametrize(
    ("seats", "value", "taken", "button"),
    [
        ((3, 1, 3), 0, (1, 3), 2),
        ((1, 10), 0, (1, 10), 2),
        ((1, 2, 3), 1, (1, 2, 3), 0),
        ((4, 5), 0, (4, 5), 0),
        ((0, 2), 0, None, 2),
        ((2, 11), 0, None, 2),
    ],
)
def test_seats_are_those_of_the_house_and_after_a_draw_nobody_has_the_button_C11(
    table, seats, value, taken, button
) -> None:
    table.begun(button=2)
    table.press(Key.AWARD)
    table.rule(Ruling.SET_BUTTON, seat=3)
    told = refused(table.rule(Ruling.SEATS, seats=seats, value=value))
    assert told == ([] if taken else [("no_authority", "seats")])
    assert (table.state.seats, table.state.button) == (taken or (1, 2, 3), button)
    assert table.state.button_set == (3 if button else 0)


@pytest.mark.parametrize(
    ("ruling", "ruled", "undone"),
    [
        (Ruling.SET_BUTTON, {"seat": 3}, False),
        (Ruling.SET_BUTTON, {"seat": 11}, True),
        (Ruling.SEATS, {"seats": (1, 3)}, False),
        (Ruling.SEATS, {"seats": (0, 2)}, True),
    ],
)
def test_undo_of_award_goes_back_behind_no_ruling_about_the_next_hand(table, ruling, ruled, undone) -> None:
    table.begun(button=2)
    table.press(Key.AWARD)
    table.rule(ruling, **ruled)
    table.press(Key.UNDO)
    assert (table.state.phase is Phase.DEALING) == undone
    assert (table.state.button_set == 3) == (ruling is Ruling.SET_BUTTON and not undone)


def test_a_table_may_have_every_seat_of_the_house_taken_1823(make_table) -> None:
    table = make_table(house=House(max_seats=3))
    table.ready()
    assert refused(table.rule(Ruling.SEATS, seats=(1, 2, 3))) == []


# RETRIEVE, and what was retrieved.


def test_a_mucked_hand_lives_by_ruling_and_is_ruled_dead_again_where_it_lies_1810(table, flop) -> None:
    table.lose(seat(2), flop[0], flop[3])
    table.see(MUCK, flop[0], flop[3])
    assert refused(table.rule(Ruling.RETRIEVE, seat=2)) == []
    assert (table.view.folded, table.state.out[flop[0]].home, set(table.state.strays)) == (
        (), seat(2), {flop[0], flop[3]},
    )  # fmt: skip
    table.rule(Ruling.HAND_DEAD, seat=2)
    assert (table.view.folded, table.state.out[flop[0]].home, table.state.strays) == ((2,), MUCK, ())


def test_a_card_brought_may_stand_after_the_hand_once_a_clean_full_read_has_found_52_1824(table) -> None:
    holes = table.holes()
    table.see(BOARD, Token(2009))
    table.press(Key.AWARD)
    assert table.reasons == ["other_deck"]
    table.lose(BOARD, Token(2009))
    assert refused(table.rule(Ruling.STAND)) == [("no_authority", "stand")]
    table.feed(*holes)
    table.returned(6)
    table.see(BOARD, Token(2009))
    assert refused(table.rule(Ruling.STAND)) == [("no_authority", "stand")]
    table.lose(BOARD, Token(2009))
    table.rule(Ruling.STAND)
    assert table.reasons == []


def test_a_ruling_about_the_button_leaves_the_burn_that_went_back_on_top_H4(make_table, given) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = given(table)
    dealt.holes()
    table.press(Key.NEXT)
    (card,) = dealt.lay(BURN)
    table.press(Key.UNBURN)
    table.lose(BURN, card)
    table.button(3)
    table.wait(2000)
    table.rule(Ruling.STAND)
    assert (table.reasons, table.state.unburned) == ([], card)


def test_a_dealt_card_fed_in_leaves_the_one_on_its_way_on_its_way_1809(make_table) -> None:
    table = make_table(house=House(dispense=Dispense.GROUP))
    table.begun()
    first, second = table.let_out(), table.let_out()
    table.see(seat(2), first, second)
    coming = table.let_out()
    table.see(INFEED, first)
    table.let_up()
    assert table.reasons == ["card_strayed"]
    table.rule(Ruling.STAND)
    assert (table.state.released.token, [step.zone for step in table.state.plan][:2]) == (coming, [seat(3), seat(2)])


# A card on its way that lies wrong (C10).


@pytest.fixture
def laid_in_the_muck(table):
    """A hole card, let out, lies in the muck."""
    table.begun()
    card = table.let_out()
    table.see(MUCK, card)
    assert table.reasons == ["wrong_zone"]
    return card


def test_one_that_was_laid_in_a_wrong_zone_and_then_at_a_wrong_seat_is_held_once(table, laid_in_the_muck) -> None:
    """The first row that fitted names the hold; put right, it ends."""
    table.lose(MUCK, laid_in_the_muck)
    table.see(seat(3), laid_in_the_muck)
    assert table.reasons == ["wrong_zone"]
    table.lose(seat(3), laid_in_the_muck)
    table.see(seat(2), laid_in_the_muck)
    assert (table.reasons, table.view.expect) == ([], seat(3))


def test_one_that_was_laid_in_a_wrong_zone_may_stand_there_and_its_step_is_owed(table, laid_in_the_muck) -> None:
    table.rule(Ruling.STAND)
    assert (table.reasons, table.state.out[laid_in_the_muck].at, table.view.expect) == ([], MUCK, seat(2))


# A card brought to the table may not stand before the deck is proved (1824, C14).


def brought_and_taken_away(table):
    table.see(BOARD, Token(17))
    table.wait(1000)
    reasons = table.reasons
    table.lose(BOARD, Token(17))
    return reasons


def test_a_strange_tag_between_hands_is_no_dispute_that_the_director_ends_1824(table) -> None:
    table.ready()
    assert brought_and_taken_away(table) == ["recount"]
    assert refused(table.rule(Ruling.STAND)) == [("no_authority", "stand")]
    assert table.reasons == ["recount"]


def test_nor_does_he_before_the_first_card_while_the_stub_is_not_proved_1824(table) -> None:
    table.begun()
    assert brought_and_taken_away(table) == ["foreign_card"]
    assert refused(table.rule(Ruling.STAND)) == [("no_authority", "stand")]
    assert table.reasons == ["foreign_card"]
