"""The mid-hand proof: what begins it, when it has failed, what it proves of a card that was brought (S2, 1824)."""

import pytest

from bench.decided import only
from dealerbox.engine.state import Condition
from dealerbox.model import events as ev
from dealerbox.model.cards import Token, token
from dealerbox.model.commands import Count, Refuse, Shuffle
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Dispense, House
from dealerbox.model.shuffler import Cap, Cycle, Scope
from dealerbox.model.zones import BOARD, BURN, EXIT, MUCK, seat

STRANGER, OTHER = Token(2009), Token(2010)


@pytest.fixture
def opened(table):
    """Six cards are dealt; the machine was opened, answers and agrees: its stub is to be counted."""
    table.holes()
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    (count,) = only(table.meet(machine=46), Count)
    assert count.scope is Scope.STUB
    return table


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        ((45, 45), "card_missing"),
        ((0, 0), "card_missing"),
        ((47, 47), "recount"),
        ((45, 47, 47), "recount"),
        ((47, 0, 0), "card_missing"),
    ],
)
def test_it_has_failed_when_it_fails_twice_alike(opened, counts, reason) -> None:
    for counted in counts[:-1]:
        assert only(opened.cycle(Cycle.COUNT, counted), Count)
        assert opened.reasons == ["door_open"]
    assert not only(opened.cycle(Cycle.COUNT, counts[-1]), Count)
    held = opened.state.holds[-1]
    assert (held.reason, held.needs, held.device, opened.state.proof) == (reason, Condition.DECK, "shuffler", None)
    assert not only(opened.wait(5000), Count)


def test_one_count_that_fails_and_one_that_adds_up_prove_it(opened) -> None:
    opened.cycle(Cycle.COUNT, 45)
    opened.cycle(Cycle.COUNT, 46)
    assert opened.view.prompt_code == "proof"
    opened.press(Key.ACK)
    assert (opened.reasons, opened.state.proof, opened.state.count_owed) == ([], None, True)


def test_a_card_laid_wrong_meanwhile_hides_no_proof_that_is_owed(table) -> None:
    table.begun()
    card = table.let_out()
    table.see(seat(3), card)
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    assert only(table.meet(machine=51), Count)
    assert table.reasons == ["wrong_seat", "door_open"]


# What was let out when the station stopped.


@pytest.mark.parametrize(
    ("inside", "at_exit", "prompt"),
    [(51, False, "restarted"), (50, False, "held"), (51, True, "restarted"), (50, True, "held")],
)
def test_a_card_with_its_permit_is_outside_when_the_machine_says_so_after_a_start_P5(
    table, inside, at_exit, prompt
) -> None:
    table.begun()
    table.let_up()
    release, exit_id = table.state.memory.pending, table.state.memory.exit_id
    table.started()
    table.meet(machine=inside, exit_id=exit_id if at_exit else 0, last_id=release)
    assert table.view.prompt_code == prompt
    if prompt == "restarted":
        table.press(Key.ACK)
        if at_exit:
            table.see(EXIT, token(1, 1))
            table.wait(200)
            assert table.let_out() == token(1, 1)
        table.see(seat(2), token(1, 1))
        assert (table.reasons, table.view.expect) == ([], seat(3))


def test_a_card_behind_the_gate_is_in_the_machine_and_one_that_passed_is_not_P5(table) -> None:
    table.begun()
    table.deal()
    table.let_out()
    table.started()
    table.meet(machine=50)
    assert table.view.prompt_code == "restarted"


# 1824.


def brought(table, *strangers) -> None:
    for place, stranger in enumerate(strangers):
        table.see((BOARD, MUCK)[place], stranger)
    assert len(table.reasons) == len(strangers)


@pytest.mark.parametrize("keeps_order", [True, False])
def test_a_count_that_keeps_the_order_costs_no_shuffle_one_that_does_not_is_followed_by_one(table, keeps_order) -> None:
    table.flop()
    caps = int(0x7FFF if keeps_order else ~Cap.COUNT_KEEPS_ORDER & 0x7FFF)
    table.meet(machine=42, caps=caps, deal_id=table.state.memory.deal_id)
    brought(table, STRANGER)
    assert only(table.lose(BOARD, STRANGER), Count)
    table.cycle(Cycle.COUNT, 42)
    table.press(Key.ACK)
    told = table.rule(Ruling.STAND)
    assert (table.reasons, table.state.order_lost) == ([], not keeps_order)
    assert bool(only(told, Shuffle) or table.state.memory.pending_kind == "Shuffle") is not keeps_order


def test_of_two_cards_brought_the_proof_is_given_for_the_one_that_is_away_1824(table) -> None:
    table.holes()
    brought(table, STRANGER, OTHER)
    table.lose(BOARD, STRANGER)
    table.cycle(Cycle.COUNT, 46)
    table.press(Key.ACK)
    assert [(h.token, h.proved) for h in table.state.holds] == [(STRANGER, True), (OTHER, False)]
    assert not only(table.rule(Ruling.STAND), Refuse)
    assert [h.token for h in table.state.holds] == [OTHER]
    assert only(table.rule(Ruling.STAND), Refuse)
    assert only(table.lose(MUCK, OTHER), Count)
    table.cycle(Cycle.COUNT, 46)
    table.press(Key.ACK)
    table.rule(Ruling.STAND)
    assert table.reasons == []


def test_by_hand_each_card_of_the_stub_is_shown_again_for_it_1824_C15(make_table, flop) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = flop(table)
    brought(table, STRANGER)
    table.lose(BOARD, STRANGER)
    assert (table.state.manual.shown, table.state.manual.proved) == (frozenset(), False)
    for card in dealt.stub:
        assert table.view.prompt_code == "manual_show"
        table.see(BURN, card)
        table.lose(BURN, card)
    table.press(Key.ACK)
    table.rule(Ruling.STAND)
    assert table.reasons == []


def test_a_deck_in_doubt_is_not_counted_again_whatever_else_is_held(opened) -> None:
    for _ in range(2):
        opened.cycle(Cycle.COUNT, 45)
    opened.see(EXIT, token(1, 40))
    assert not only(opened.tell(lambda at: ev.ShufflerLocked(at, "door")), Count)
    assert opened.view.prompt_code == "defective"


def test_a_deck_that_is_called_defective_is_not_proved_for_what_else_is_brought_and_taken_away_1819(table) -> None:
    table.begun()
    table.card_up()
    table.see(EXIT, STRANGER)
    table.wait(1000)
    assert table.reasons == ["defective_deck"]
    table.see(BOARD, OTHER)
    table.wait(1000)
    table.lose(BOARD, OTHER)
    assert (table.reasons, table.state.proof) == (["defective_deck", "other_deck"], None)
    assert table.view.prompt_code == "defective"
