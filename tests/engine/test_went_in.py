"""A card fed into the shuffler outside a procedure: proved, shuffled, cut, and what it had done is owed again."""

import pytest

from bench.decided import refused
from dealerbox.model import events as ev
from dealerbox.model.cards import token
from dealerbox.model.commands import Clear, Shuffle
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Dispense, House
from dealerbox.model.shuffler import Cycle
from dealerbox.model.zones import ASIDE, BOARD, BURN, INFEED, MUCK, seat


def goes_in(table, card) -> None:
    table.see(INFEED, card)
    table.lose(INFEED, card)


def to_be_cut(table) -> None:
    """The first card was fed in; the stub is proved and shuffled."""
    table.begun()
    goes_in(table, table.deal())
    table.asked_for()
    table.press(Key.ACK)
    table.proved(52)
    table.cycle(Cycle.SHUFFLE, 52)
    assert table.view.prompt_code == "cut"


def test_a_board_card_is_said_to_be_in_there_and_owed_again(table) -> None:
    cards = table.flop()
    goes_in(table, cards[-1])
    table.press(Key.NEXT)
    table.asked_for()
    (held,) = table.view.holds
    assert (held.reason, table.view.prompt_code, table.view.go) == ("card_strayed", "went_in", Key.ACK)
    assert held.what == "A card of the board went into the shuffler."
    table.press(Key.ACK)
    assert table.reasons == []
    assert any(isinstance(command, Shuffle) for command in table.proved_and_cut(52 - 9))
    assert [step.zone for step in table.state.plan][:3] == [BOARD, BURN, BOARD]


def test_a_seats_card_before_action_is_owed_again(table) -> None:
    table.begun()
    first = table.deal()
    goes_in(table, first)
    table.asked_for()
    table.press(Key.ACK)
    table.proved_and_cut(52)
    assert table.state.plan[0].zone == seat(2)
    assert table.reasons == []


def test_the_released_card_is_owed_again(table) -> None:
    table.begun()
    goes_in(table, table.let_out())
    assert (table.reasons, table.view.prompt_code) == (["card_strayed"], "went_in")
    table.press(Key.ACK)
    table.proved_and_cut(52)
    assert (table.state.plan[0].zone, table.state.released) == (seat(2), None)


def test_a_dead_card_is_owed_by_nobody(table) -> None:
    cards = table.flop()
    table.see(MUCK, cards[0], cards[3])
    goes_in(table, cards[0])
    table.press(Key.NEXT)
    plan = table.state.plan
    table.asked_for()
    table.press(Key.ACK)
    table.proved_and_cut(52 - 9)
    assert table.state.plan == plan


@pytest.mark.parametrize("when", ["the round is open", "the next card is asked for"])
@pytest.mark.parametrize("of", ["a dead hand", "the board"])
def test_with_one_live_hand_a_card_fed_in_is_among_those_to_be_dealt_and_held_for_all_the_same(table, of, when) -> None:
    """H8: where a card lies does not matter then, but one that went in might be dealt once more (1804B(10))."""
    cards = table.flop()
    table.see(MUCK, *cards[0:4:3])
    table.see(MUCK, *cards[1:5:3])
    table.see(BURN, cards[-1])
    card = cards[0] if of == "a dead hand" else cards[-1]
    if when == "the round is open":
        goes_in(table, card)
        assert table.reasons == []
    table.press(Key.NEXT)
    if when == "the next card is asked for":
        goes_in(table, card)
    table.asked_for()
    assert (table.reasons, table.view.prompt_code) == (["card_strayed"], "went_in")


def test_after_action_a_seats_card_is_the_directors_who_rules_the_hand_dead(table) -> None:
    cards = table.flop()
    goes_in(table, cards[0])
    table.press(Key.NEXT)
    table.asked_for()
    assert (table.reasons, table.view.prompt_code, Key.ACK in table.view.lit) == (["card_strayed"], "held", False)
    assert "HAND_DEAD" in table.view.prompt
    told = table.rule(Ruling.HAND_DEAD, seat=2)
    assert (table.reasons, table.view.folded) == ([], (2,))
    assert [command.person for command in told if isinstance(command, Clear)] == [1]
    table.proved_and_cut(52 - 9)


def test_a_card_that_did_not_go_in_is_put_back(table) -> None:
    cards = table.flop()
    goes_in(table, cards[-1])
    table.press(Key.NEXT)
    table.asked_for()
    table.see(BOARD, cards[-1])
    assert (table.reasons, table.view.prompt_code) == ([], "deal")


def test_the_stub_is_not_shuffled_while_a_card_of_it_lies_on_the_table(table) -> None:
    """1804B(7), S3: it would come back into a machine that turns, and the count be wrong."""
    table.flop()
    card = token(1, 45)
    table.see(seat(3), card)
    table.tell(lambda at: ev.DeviceLost(at, "shuffler", "silent"))
    table.meet(machine=41, unpowered=True)
    table.cycle(Cycle.COUNT, 41)
    assert not any(isinstance(command, Shuffle) for command in table.press(Key.ACK))
    table.lose(seat(3), card)
    assert any(isinstance(command, Shuffle) for command in table.see(INFEED, card))


# Whom it is asked of, and when.


def forgotten(table, inside):
    """The machine is met again and has forgotten the shuffle of this hand: the stub is to be shuffled."""
    return table.meet(machine=inside, deal_id=999)


def test_it_is_asked_whatever_was_held_before_and_that_stands_on(table) -> None:
    cards = table.flop()
    goes_in(table, cards[-1])
    table.button(3)
    table.wait(2000)
    forgotten(table, 43)
    assert (table.reasons, table.view.prompt_code) == (["button_moved", "card_strayed"], "went_in")
    told = table.tell(lambda at: ev.KeyPressed(at, Key.ACK, badge="17"))
    assert (table.reasons, [command for command in told if isinstance(command, Clear)]) == (["button_moved"], [])


def test_the_dealer_who_says_so_ends_the_hold(table) -> None:
    cards = table.flop()
    goes_in(table, cards[-1])
    table.press(Key.NEXT)
    table.asked_for()
    told = table.tell(lambda at: ev.KeyPressed(at, Key.ACK, badge="17"))
    assert [command.person for command in told if isinstance(command, Clear)] == [17]


def test_while_the_round_is_open_a_board_card_that_went_in_is_dealt_again_before_it_goes_on(table) -> None:
    """1804B(10): the stub was to be shuffled, so that it is asked at once."""
    cards = table.flop()
    goes_in(table, cards[-1])
    told = forgotten(table, 43)
    assert (table.view.phase, table.view.prompt_code) == ("betting", "went_in")
    assert not any(isinstance(command, Shuffle) for command in told)
    table.press(Key.ACK)
    assert (table.view.phase, table.view.expect) == ("dealing", BOARD)


def test_a_seats_card_on_its_way_that_is_fed_in_after_action_is_the_dealers_still(table) -> None:
    """1813: its step is owed, whoever has acted: only a card that lay there is the director's."""
    cards = table.flop()
    table.press(Key.ACTION)
    table.rule(Ruling.TO_STUB, tokens=(cards[0],))
    assert table.view.prompt_code == "return"
    table.lose(seat(2), cards[0])
    goes_in(table, cards[0])
    table.returned(1)
    table.cycle(Cycle.SHUFFLE, 43)
    table.press(Key.CUT)
    assert table.view.expect == seat(2)
    table.dealt = 40
    goes_in(table, table.let_out())
    assert (table.reasons, table.view.prompt_code) == (["card_strayed"], "went_in")


def test_by_hand_nothing_is_counted_by_the_machine_when_the_director_lets_one_stand_that_went_in(make_table, flop):
    """C15."""
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = flop(table)
    goes_in(table, token(1, 1))
    table.press(Key.NEXT)
    table.wait(2000)
    dealt.lay(BURN)
    table.wait(2000)
    assert "card_strayed" in table.reasons
    table.rule(Ruling.STAND)
    assert ("card_strayed" in table.reasons, table.state.proof) == (False, None)


def test_the_stub_is_cut_once_and_not_while_something_is_held(table) -> None:
    """C16."""
    table.begun()
    first = table.deal()
    goes_in(table, first)
    table.asked_for()
    table.press(Key.ACK)
    table.proved(52)
    assert (table.state.memory.pending_kind, refused(table.press(Key.CUT))) == ("Shuffle", ["not_now"])
    table.cycle(Cycle.SHUFFLE, 52)
    table.button(3)
    table.wait(2000)
    assert refused(table.press(Key.CUT)) == ["not_now"]
    table.button(1)
    assert (refused(table.press(Key.CUT)), refused(table.press(Key.CUT))) == ([], ["not_now"])


# Which hold is meant, and when the cut may be said.


def test_one_that_was_fed_in_and_is_seen_elsewhere_since_is_not_in_there(table) -> None:
    cards = table.flop()
    goes_in(table, cards[-1])
    table.press(Key.NEXT)
    table.asked_for()
    assert table.view.prompt_code == "went_in"
    table.see(seat(1), cards[-1])
    assert (table.reasons, table.view.prompt_code) == (["card_strayed"], "held")


def test_by_hand_the_cut_is_not_said_while_another_card_is_to_go_back(make_table, flop) -> None:
    """C16."""
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = flop(table)
    dealt.board_back()
    assert table.view.prompt_code == "cut"
    table.rule(Ruling.TO_STUB, tokens=(token(1, 1),))
    assert table.state.returning == {token(1, 1)}
    assert (refused(table.press(Key.CUT)), table.state.cut_owed) == (["not_now"], True)


def test_the_cut_is_not_said_once_the_order_of_the_stub_is_lost_anew(table) -> None:
    """C16: the machine has forgotten the shuffle that was to be cut."""
    to_be_cut(table)
    forgotten(table, 52)
    assert table.state.order_lost
    assert (refused(table.press(Key.CUT)), table.state.cut_owed) == (["not_now"], True)


def test_a_card_never_let_out_that_is_fed_in_is_nobodys_word_but_seen_back_1804B7(table) -> None:
    table.holes()
    goes_in(table, token(1, 45))
    assert (table.reasons, table.view.prompt_code) == (["not_released"], "held")
    goes_in(table, token(1, 45))
    assert table.reasons == []


@pytest.mark.parametrize(("cards", "zone"), [(0, seat(2)), (6, BURN), (7, BOARD), (8, BOARD)])
@pytest.mark.parametrize("dead", [False, True])
def test_the_card_on_its_way_has_strayed_when_it_is_fed_in_whatever_its_step_1804B10(table, cards, zone, dead) -> None:
    table.begun()
    for number in range(cards):
        if number == 6:
            table.press(Key.NEXT)
        table.deal()
    if cards == 6:
        table.press(Key.NEXT)
    card = table.let_out()
    assert table.view.expect == zone
    if dead:
        table.press(Key.FACED)
        assert table.view.expect == ASIDE
    goes_in(table, card)
    assert (table.reasons, table.view.prompt_code) == (["card_strayed"], "went_in")


def test_ACK_says_that_the_stub_is_cut_as_the_prompt_asks_C16(table) -> None:
    to_be_cut(table)
    assert refused(table.press(Key.ACK)) == []
    assert (table.state.cut_owed, table.state.memory.pending_kind) == (False, "Dispense")


def test_a_strayed_card_of_a_hand_that_is_ruled_dead_goes_back_into_no_stub_while_it_lies_on_the_table_1815_1(
    table,
) -> None:
    holes = table.holes()
    table.press(Key.ACTION)
    table.lose(seat(2), holes[0])
    table.see(seat(1), holes[0])
    table.wait(3000)
    table.press(Key.NEXT)
    table.let_up()
    assert table.reasons == ["card_strayed"]
    table.rule(Ruling.HAND_DEAD, seat=2)
    assert table.state.out[holes[0]].at == seat(1)
    assert table.view.counts["stub"] == 46
