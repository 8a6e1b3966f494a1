"""What a machine tells of a command: the pending one, another, one that was never given (1804A(3), S2)."""

import pytest

from bench.decided import only
from dealerbox.model import events as ev
from dealerbox.model.cards import Token
from dealerbox.model.commands import Hold
from dealerbox.model.keys import Key
from dealerbox.model.setup import Dispense as Way
from dealerbox.model.setup import House
from dealerbox.model.shuffler import Cycle, Result
from dealerbox.model.zones import EXIT, seat

# A card that passed the gate.


def test_a_card_that_passed_without_a_permit_was_given_unasked_1804A3(table) -> None:
    table.begun()
    exit_id = table.state.memory.pending
    table.tell(lambda at: ev.CardUp(at, exit_id))
    (held,) = only(table.tell(lambda at: ev.CardPassed(at, 999, exit_id)), Hold)
    assert (held.reason, table.state.memory.exit_id) == ("unaccounted_dispense", exit_id)


def test_one_that_passed_before_the_machine_was_given_up_is_on_its_way_C15(table) -> None:
    table.begun()
    card = table.let_up()
    release, exit_id = table.state.memory.pending, table.state.memory.exit_id
    table.press(Key.MANUAL)
    table.tell(lambda at: ev.CardPassed(at, release, exit_id))
    assert (table.reasons, card in table.state.out) == ([], False)


def test_a_burn_let_out_counts_among_the_burns_before_it_lies_there_1804A4(table) -> None:
    table.holes()
    table.press(Key.NEXT)
    assert table.view.burns == 0
    table.let_out()
    assert (table.view.burns, table.view.counts["exit"]) == (1, 1)


def test_a_card_of_a_group_with_its_permit_when_the_hand_ended_leaves_none_on_its_way_1809(make_table) -> None:
    table = make_table(house=House(dispense=Way.GROUP))
    table.begun()
    table.let_out()
    table.let_up()
    release, exit_id = table.state.memory.pending, table.state.memory.exit_id
    table.press(Key.AWARD)
    table.tell(lambda at: ev.CardPassed(at, release, exit_id))
    assert (table.state.released, table.state.along) == (None, ())


# A permit that nothing was told of when the machine is met: its record tells.


def met_with_a_permit_given(table, **record) -> Token:
    """A card was behind the gate and had its permit; the machine knows of that and is at rest."""
    table.begun()
    card = table.let_up()
    memory = table.state.memory
    assert memory.pending_kind == "Release"
    told = {"machine": 51, "exit_id": memory.exit_id, "last_id": memory.pending} | record
    table.meet(**told)
    return card


def test_a_card_still_behind_the_gate_was_not_let_out_and_gets_another_permit_1804A3(table) -> None:
    card = met_with_a_permit_given(table)
    assert (table.state.released.token, table.state.memory.pending_kind) == (card, "Release")
    assert table.let_out() == card
    table.see(seat(2), card)
    assert (table.reasons, table.view.expect) == ([], seat(3))


def test_one_that_is_taken_back_for_the_proof_is_waited_for_no_more_S2(table) -> None:
    met_with_a_permit_given(table, unpowered=True)
    assert (table.state.released, table.state.memory.pending_kind) == (None, "Retract")
    table.retracted()
    table.cycle(Cycle.COUNT, 52)
    table.press(Key.ACK)
    table.cycle(Cycle.SHUFFLE, 52)
    table.press(Key.CUT)
    assert (table.reasons, table.state.memory.pending_kind) == ([], "Dispense")


def test_one_that_is_in_the_machine_again_is_waited_for_no_more(table) -> None:
    met_with_a_permit_given(table, machine=52, exit_id=0)
    assert (table.state.released, table.state.out, table.view.expect) == (None, {}, seat(2))


def test_one_that_is_out_is_asked_for_when_it_is_not_seen_H10(table) -> None:
    card = met_with_a_permit_given(table, exit_id=0)
    table.lose(EXIT, card)
    table.wait(10_000)
    assert (table.view.prompt_code, list(table.state.out)) == ("unseen", [card])


def test_a_card_that_no_reader_read_is_asked_about_no_more_once_it_is_in_the_machine_again_H10(table) -> None:
    table.begun()
    exit_id = table.state.memory.pending
    table.tell(lambda at: ev.CardUp(at, exit_id))
    table.wait(2000)
    table.press(Key.NO)
    assert (table.reasons, table.state.memory.pending_kind) == (["card_unread"], "Retract")
    table.meet(machine=52, exit_id=0)
    assert (table.reasons, table.state.memory.pending_kind) == ([], "Shuffle")


def test_one_whose_permit_it_never_heard_of_has_it_still(table) -> None:
    card = met_with_a_permit_given(table, last_id=1)
    assert (table.state.released.token, table.state.memory.pending_kind) == (card, "Release")


# What it tells of another command than the one that is pending.


@pytest.mark.parametrize("own", [True, False])
def test_a_card_that_has_its_permit_keeps_it_whatever_went_wrong_with_another_command(table, own) -> None:
    table.begun()
    card = table.let_up()
    memory = table.state.memory
    told_of = memory.pending if own else memory.exit_id
    table.tell(lambda at: ev.Misfed(at, told_of, Result.JAM))
    released = table.state.released
    assert (released is None, table.reasons) == (own, ["jam"])
    assert (table.state.memory.pending, table.state.memory.pending_kind) == (
        (0, "") if own else (memory.pending, memory.pending_kind)
    )
    assert own or released.token == card


@pytest.mark.parametrize("kind", ["up", "on its way up"])
def test_a_dispense_of_another_number_that_went_wrong_leaves_nothing_on_its_way(table, kind) -> None:
    table.begun()
    number = table.state.memory.pending
    if kind == "up":
        table.tell(lambda at: ev.CardUp(at, number))
    table.tell(lambda at: ev.Misfed(at, number - 1, Result.JAM))
    assert (table.state.released, table.reasons) == (None, ["jam"])


def test_between_hands_it_is_asked_for_nothing_until_it_answers_once_it_shut_itself_S2(table) -> None:
    table.ready()
    assert table.state.up
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    assert not table.state.up


def test_one_that_moved_unasked_between_hands_has_answered_already_S2(table) -> None:
    table.ready()
    table.tell(lambda at: ev.CardUp(at, 999))
    assert (table.state.up, table.state.empty_owed) == (True, True)


@pytest.mark.parametrize(("machine", "believed"), [(104, True), (105, False)])
def test_it_cannot_hold_more_cards_than_the_table_has_S3(table, machine, believed) -> None:
    table.ready()
    table.meet(machine=machine, token_id=table.state.shuffled)
    assert table.state.up is believed


@pytest.mark.parametrize(("number", "reasons"), [(1, []), (0, ["jam"])])
def test_nothing_fed_is_late_news_of_a_command_that_was_given_and_a_fault_of_one_that_never_was(
    table, number, reasons
) -> None:
    table.begun()
    table.tell(lambda at: ev.Misfed(at, number, Result.NO_FEED))
    assert table.reasons == reasons


def test_nor_was_the_next_one_given_yet(table) -> None:
    table.begun()
    following = table.state.memory.next_id
    table.tell(lambda at: ev.Misfed(at, following, Result.NO_FEED))
    assert table.reasons == ["jam"]
