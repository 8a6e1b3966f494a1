"""A card that two zones keep reading lies where the dealer says: at home, once the stub is proved (S5)."""

import pytest

from bench.decided import only
from dealerbox.engine.state import Condition
from dealerbox.model import events as ev
from dealerbox.model.cards import token
from dealerbox.model.commands import Count, Notice
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Dispense, House
from dealerbox.model.shuffler import Cycle
from dealerbox.model.zones import BOARD, BURN, EXIT, MUCK, seat


def told(table):
    return [(h.reason.value, h.needs, h.zone, h.to, h.token) for h in table.state.holds]


def shown(table, cards) -> None:
    for card in cards:
        assert table.view.prompt_code == "manual_show"
        table.see(BURN, card)
        table.lose(BURN, card)


@pytest.fixture
def doubled(make_table, flop):
    """Dealt from the hand: seat 2 has a card that seat 3 reads too, and the turn is due."""
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = flop(table)
    table.see(seat(3), token(1, 1))
    table.wait(2000)
    table.press(Key.NEXT)
    table.wait(2000)
    assert (table.reasons, table.view.prompt_code) == (["recount"], "doubled")
    return table, dealt


@pytest.fixture
def next_door(table):
    """Dealt by the machine: the card of seat 2 that seat 3 reads too; the next one is up."""
    table.begun()
    card = table.deal()
    table.see(seat(3), card)
    table.wait(2000)
    table.let_up()
    return card


def test_the_dealers_word_puts_it_at_home_and_asks_for_the_stub_by_hand(doubled) -> None:
    table, dealt = doubled
    card = token(1, 1)
    table.press(Key.ACK)
    assert told(table) == [("recount", Condition.PROOF, seat(3), seat(2), card)]
    assert (table.state.out[card].at, table.state.out[card].twice, table.state.strays) == (seat(2), seat(3), ())
    assert (table.state.manual.shown, table.state.manual.proved, table.state.manual.given) == (frozenset(), False, True)
    shown(table, dealt.stub)
    table.press(Key.ACK)
    dealt.lay(BURN)
    dealt.lay(BOARD)
    table.wait(2000)
    assert (table.reasons, table.view.phase) == ([], "betting")


def test_what_was_shown_for_the_proof_before_does_not_count_for_this_one(doubled) -> None:
    table, dealt = doubled
    table.see(seat(2), token(1, 1))
    table.press(Key.MANUAL)
    shown(table, dealt.stub)
    table.press(Key.ACK)
    assert table.view.prompt_code == "doubled"
    table.press(Key.ACK)
    assert (table.state.manual.shown, table.state.manual.proved) == (frozenset(), False)
    shown(table, dealt.stub)
    assert table.view.prompt_code == "manual_order"


def test_it_lies_at_home_where_it_was_read_last_in_the_other_zone(doubled) -> None:
    table, _ = doubled
    table.lose(seat(3), token(1, 1))
    table.see(seat(3), token(1, 1))
    table.wait(2000)
    table.press(Key.ACK)
    assert table.state.out[token(1, 1)].at == seat(2)


def test_another_hold_beside_it_still_waits_for_what_it_waited_for(table, next_door) -> None:
    table.button(3)
    table.wait(2000)
    before = told(table)
    assert [row[0] for row in before] == ["recount", "button_moved"]
    table.press(Key.ACK)
    assert told(table) == [("recount", Condition.PROOF, *before[0][2:]), before[1]]


def test_the_dealer_is_not_asked_again_about_it_when_the_next_card_is_up(table, next_door) -> None:
    (again,) = [h for h in table.state.holds if h.token == next_door]
    assert (again.zone, again.to) == (seat(3), seat(2))
    table.press(Key.ACK)
    table.retracted()
    table.lose(EXIT, token(1, 2))
    table.cycle(Cycle.COUNT, 51)
    table.press(Key.ACK)
    table.cycle(Cycle.SHUFFLE, 51)
    table.press(Key.CUT)
    table.lose(seat(2), next_door)
    table.see(seat(2), next_door)
    table.wait(2000)
    table.dealt = 40
    table.deal()
    assert table.reasons == []


@pytest.mark.parametrize("bleeds", [seat(3), EXIT])
def test_a_card_that_two_zones_read_for_good_is_said_to_lie_at_home_and_not_asked_again(table, bleeds) -> None:
    """S5, recount: the mid-hand proof, and the dealer says where it lies; not raised again in this hand."""
    table.begun()
    dealt = table.deal()
    table.see(bleeds, dealt)
    table.asked_for()
    assert (table.reasons, table.view.prompt_code, table.view.go) == (["recount"], "doubled", Key.ACK)
    commands = table.press(Key.ACK)
    table.retracted()
    assert table.reasons == ["recount"]
    assert table.view.holds[0].remedy == "Wait for the count, press ACK."
    assert not any(isinstance(command, Count) for command in commands) or table.state.memory.pending_kind == "Count"
    table.proved_and_cut(51)
    assert table.reasons == []
    table.dealt = 40
    for _ in range(3):  # the player looks at it, and both zones read it anew
        table.lose(seat(2), dealt)
        if bleeds != EXIT:
            table.lose(bleeds, dealt)
            table.see(bleeds, dealt)
        table.see(seat(2), dealt)
        table.wait(2000)
        table.deal()
    assert table.reasons == []


def test_retrieved_it_has_not_gone_where_the_dealer_has_said_that_it_is_not_S5(table) -> None:
    cards = table.holes()
    hand = (cards[0], cards[3])
    table.see(seat(3), hand[0])
    table.wait(2000)
    table.press(Key.NEXT)
    table.let_up()
    table.press(Key.ACK)
    assert table.state.out[hand[0]].twice == seat(3)
    table.lose(seat(2), *hand)
    table.see(MUCK, *hand)
    table.rule(Ruling.RETRIEVE, seat=2)
    table.lose(MUCK, *hand)
    table.wait(2000)
    assert [table.state.out[card].at for card in hand] == [MUCK, MUCK]
    table.press(Key.FIND)
    assert table.state.search.wanted == set(hand)


def test_it_is_asked_again_in_the_next_hand(table) -> None:
    table.begun()
    dealt = table.deal()
    table.see(seat(3), dealt)
    table.asked_for()
    table.press(Key.ACK)
    table.retracted()
    table.cycle(Cycle.COUNT, 51)
    table.press(Key.ACK)
    assert table.state.out[dealt].twice
    table.press(Key.MISDEAL)
    assert not any(record.twice for record in table.state.out.values()) or table.view.phase == "gathering"


def test_a_card_that_two_zones_read_and_is_laid_in_a_third_has_strayed(table) -> None:
    """S5, H11: the dealer's word is about the zone that reads it as well, and no other."""
    table.begun()
    dealt = table.deal()
    table.see(seat(3), dealt)
    table.asked_for()
    table.press(Key.ACK)
    table.proved_and_cut(51)
    table.see(BOARD, dealt)
    table.lose(seat(2), dealt)
    table.dealt = 40
    table.asked_for()
    assert table.reasons == ["card_strayed"]


# The proof by hand for a card that was brought (1824).


def test_a_stub_that_was_shown_before_the_card_was_brought_is_shown_again_1824_C15(make_table, flop) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = flop(table)
    table.press(Key.MANUAL)
    shown(table, dealt.stub)
    table.press(Key.ACK)
    stranger = token(2, 9)
    table.see(BOARD, stranger)
    table.lose(BOARD, stranger)
    assert table.reasons == ["other_deck"]
    shown(table, dealt.stub)
    assert table.view.prompt_code == "manual_order"


# The proof by the machine.


def test_after_a_count_that_does_not_add_up_it_counts_once_more_S2(table) -> None:
    table.holes()
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    table.meet(machine=46)
    assert only(table.cycle(Cycle.COUNT, 45), Count)
    assert table.view.prompt_code == "held"


def test_a_card_brought_beside_one_laid_wrong_is_proved_too_whichever_was_first_1824(table) -> None:
    table.begun()
    table.see(seat(3), table.let_out())
    table.see(BOARD, token(2, 9))
    assert table.reasons == ["wrong_seat", "other_deck"]
    assert only(table.lose(BOARD, token(2, 9)), Count) or table.state.memory.pending_kind in ("Count", "Dispense")
    assert table.state.proof is not None


@pytest.mark.parametrize("at_home", [True, False])
def test_said_to_lie_at_home_it_has_strayed_once_the_other_zone_alone_reads_it_S5_H11(
    table, next_door, at_home
) -> None:
    table.press(Key.ACK)
    assert table.state.out[next_door].twice == seat(3)
    table.lose(seat(3), next_door)
    if not at_home:
        table.lose(seat(2), next_door)
    told = only(table.see(seat(3), next_door), Notice)
    assert [notice.reason for notice in told] == ([] if at_home else ["card_strayed"])
    assert table.state.out[next_door].at == (seat(2) if at_home else seat(3))
