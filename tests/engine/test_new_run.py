"""The station starts again: what only the run before knew is asked anew, what the table knew stays (P5, S2)."""

import pytest
from msgspec.structs import replace

from bench.decided import only, refused
from dealerbox.model import events as ev
from dealerbox.model.cards import Token
from dealerbox.model.commands import Count, Hold, Notice, Return, WakeAt
from dealerbox.model.keys import Key
from dealerbox.model.setup import DeckInfo, House, Setup
from dealerbox.model.shuffler import Cycle, Memory
from dealerbox.model.zones import BOARD, INFEED


def started(table, memory: Memory) -> None:
    table.tell(lambda at: ev.Started(at, setup=table.setup, memory=memory))


def test_the_first_start_takes_what_the_record_says_of_the_machine_and_a_later_one_keeps_its_own(table) -> None:
    kept = Memory(session=5, epoch=77, next_id=900)
    started(table, kept)
    assert table.state.memory == kept
    started(table, Memory(session=6, epoch=1, next_id=2))
    assert table.state.memory == replace(kept, session=6)


def test_a_strange_tag_that_the_run_before_had_read_once_is_read_anew_S5(table) -> None:
    table.holes()
    table.see(BOARD, Token(17))
    table.started()
    told = table.wait(1000)
    assert (only(told, Hold), table.reasons) == ([], ["restarted"])


def test_no_key_of_the_run_before_is_taken_back(table) -> None:
    table.holes()
    table.press(Key.ACTION)
    table.started()
    assert refused(table.press(Key.UNDO)) == ["not_now"]


def test_a_card_at_the_exit_has_its_whole_time_to_be_read_again_H10(table) -> None:
    table.begun()
    number = table.state.memory.pending
    table.tell(lambda at: ev.CardUp(at, number))
    table.wait(1400)
    table.started()
    table.meet(machine=51, exit_id=number, last_id=number, deal_id=table.state.memory.deal_id)
    table.press(Key.ACK)
    table.wait(1000)
    assert table.reasons == []
    table.wait(500)
    assert table.reasons == ["card_unread"]


def test_commands_that_came_to_nothing_before_are_no_impatience_now_S2(table) -> None:
    table.begun()

    def nothing() -> None:
        number = table.state.memory.pending
        table.tell(lambda at: ev.CommandVoid(at, number, "busy"))

    for _ in range(5):
        nothing()
    table.started()
    table.meet(machine=52, last_id=table.state.memory.next_id - 1, token_id=table.state.memory.deal_id)
    table.press(Key.ACK)
    for _ in range(5):
        nothing()
    assert table.reasons == []


def test_a_machine_that_took_nothing_in_before_is_asked_again_H7(table) -> None:
    table.holes()
    table.press(Key.AWARD)
    table.returned(0)
    assert table.view.prompt_code == "feed"
    table.started()
    assert [command.expect for command in only(table.meet(machine=46), Return)] == [6]


def test_a_search_is_over_1812(table) -> None:
    holes = table.holes()
    table.press(Key.AWARD)
    table.press(Key.FIND)
    assert table.view.prompt_code == "find"
    table.started()
    assert (table.state.search, table.view.prompt_code == "find", len(holes)) == (None, False, 6)


def test_a_player_who_was_warned_has_the_whole_time_again_1821(make_table) -> None:
    table = make_table(house=House(action_clock_s=60, action_warning_s=10))
    table.holes()
    table.wait(51_000)
    assert [notice.reason for notice in table.view.notices] == ["time_due"]
    table.started()
    assert table.view.notices == ()


def fed_in(table) -> None:
    """A card that went in was said to be in there: the stub is to be counted, and nothing is held."""
    table.begun()
    card = table.let_out()
    table.see(INFEED, card)
    table.lose(INFEED, card)
    assert table.view.prompt_code == "went_in"
    table.press(Key.ACK)
    if table.state.memory.pending_kind == "Dispense":
        table.card_up()
        table.retracted()
    assert (table.reasons, table.state.memory.pending_kind) == ([], "Count")


@pytest.mark.parametrize("again", ["start", "cable"])
def test_a_proof_that_is_owed_is_owed_still_and_what_was_counted_is_counted_again_S2(table, again) -> None:
    fed_in(table)
    table.cycle(Cycle.COUNT, 52)
    assert table.view.prompt_code == "proof"
    if again == "start":
        table.started()
    else:
        table.tell(lambda at: ev.DeviceLost(at, "shuffler", "cable"))
    told = table.meet(machine=52, last_id=table.state.memory.next_id - 1, deal_id=table.state.memory.deal_id)
    assert only(told, Count)


# What is told once, or not at all.


def test_space_that_is_enough_again_is_nothing_to_tell(table) -> None:
    table.ready()
    assert only(table.tell(lambda at: ev.SpaceLeft(at, ev.Space.LAST_HAND, 10)), Notice)
    assert not only(table.tell(lambda at: ev.SpaceLeft(at, ev.Space.ENOUGH, 10_000)), Notice)


def test_a_button_that_is_lifted_is_waited_for_by_nobody(table) -> None:
    table.holes()
    assert only(table.button(), WakeAt) == []


def test_a_button_elsewhere_for_the_settling_time_to_the_moment_is_not_settled_yet_1804A3(table) -> None:
    table.holes()
    table.button(3)
    table.wait(1500)
    assert table.reasons == []
    table.wait(1)
    assert table.reasons == ["button_moved"]


def test_the_last_seat_that_a_table_can_have_is_a_seat(make_table) -> None:
    table = make_table(seats=(1, 20, 21))
    table.started()
    assert table.view.seats == (1, 20)
    assert refused(table.button(20)) == []
    assert refused(table.button(21)) == ["button_missing"]


def test_a_table_that_had_no_deck_left_opens_with_the_new_set_that_the_start_brings_T1(table) -> None:
    table.ready()
    table.press(Key.SUSPECT)
    table.press(Key.ACK)
    table.press(Key.SUSPECT)
    assert not table.state.deck
    assert table.view.phase != "closed"
    infos = tuple(DeckInfo(slot=slot, name=name, back=name) for slot, name in ((1, "third"), (2, "fourth")))
    table.setup = Setup(table="7", seats=(1, 2, 3), decks=infos)
    table.started()
    assert (table.view.phase, table.state.deck) == ("opening", 1)
