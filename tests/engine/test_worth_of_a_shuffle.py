"""What a shuffle, a count and a machine's word are worth once nobody knows what is in the machine (S1, S2, S3)."""

import pytest

from bench.decided import only, refused
from dealerbox.engine.state import Condition
from dealerbox.model import events as ev
from dealerbox.model.cards import token
from dealerbox.model.commands import Count, Dispense, Places, Return, Shuffle
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Dispense as Way
from dealerbox.model.setup import House
from dealerbox.model.shuffler import Cycle, Result
from dealerbox.model.zones import BOARD


def opened(table) -> None:
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))


def jammed(table) -> None:
    table.tell(lambda at: ev.ShufflerLocked(at, "error"))


def without_power(table) -> None:
    table.meet(machine=52, unpowered=True, token_id=table.state.shuffled)


def disagreeing(table) -> None:
    table.meet(machine=52, agreed=False, why="content", token_id=table.state.shuffled)


def unable_to_say(table) -> None:
    table.meet(machine=-1, token_id=table.state.shuffled)


def unable_to_say_what_is_at_the_exit(table) -> None:
    table.meet(machine=52, exit_id=-1, token_id=table.state.shuffled)


def forgetful(table) -> None:
    table.meet(machine=52, token_id=table.state.shuffled + 1)


UNKNOWN = [opened, jammed, without_power, disagreeing, unable_to_say, unable_to_say_what_is_at_the_exit]


@pytest.mark.parametrize("machine", [*UNKNOWN, forgetful])
def test_between_hands_the_shuffle_of_such_a_machine_is_worth_nothing_also_where_it_is_given_up_S1(
    table, machine
) -> None:
    table.ready()
    assert table.state.shuffled
    machine(table)
    assert table.state.shuffled == 0
    table.press(Key.MANUAL)
    assert refused(table.press(Key.START))


@pytest.mark.parametrize("machine", UNKNOWN)
def test_it_is_to_be_emptied_before_the_next_hand_S2(table, machine) -> None:
    table.ready()
    machine(table)
    assert (table.view.prompt_code, Key.ACK in table.view.lit) == ("empty", True)
    assert Key.START not in table.view.lit


@pytest.mark.parametrize("machine", [disagreeing, unable_to_say, unable_to_say_what_is_at_the_exit])
def test_one_that_disagrees_or_cannot_say_what_it_holds_is_held_S2(table, machine) -> None:
    table.ready()
    machine(table)
    assert [(h.reason, h.needs, h.device) for h in table.state.holds] == [("not_empty", Condition.ACK, "shuffler")]
    assert not table.state.up


def test_cards_that_it_takes_in_though_it_was_full_are_shuffled_anew_S1(table) -> None:
    """It knows its shuffle still, and says that nothing is in it."""
    table.ready()
    (back,) = only(table.meet(machine=0, token_id=table.state.shuffled), Return)
    assert back.expect == 52
    assert only(table.returned(52), Shuffle)


def test_a_machine_that_has_a_card_at_its_exit_between_hands_takes_it_back_and_shuffles_S1(table) -> None:
    table.ready()
    table.meet(machine=51, exit_id=3, token_id=table.state.shuffled)
    number = table.state.memory.pending
    assert table.state.memory.pending_kind == "Retract"
    assert only(table.tell(lambda at: ev.CardRetracted(at, number)), Shuffle)


# Its word.


def asked_about_places(table) -> None:
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    table.meet(machine=-1, agreed=False, why="content")
    assert table.view.prompt_code == "places"
    assert only(table.press(Key.ACK), Places)


def is_void(table, number) -> None:
    table.tell(lambda at: ev.CommandVoid(at, number, "busy"))


def goes_wrong(table, number) -> None:
    table.tell(lambda at: ev.Misfed(at, number, Result.JAM))


@pytest.mark.parametrize("fails", [is_void, goes_wrong])
def test_a_word_about_its_cards_that_it_has_not_taken_is_asked_for_again_S2(table, fails) -> None:
    table.holes()
    asked_about_places(table)
    fails(table, table.state.memory.pending)
    assert (table.view.prompt_code, Key.ACK in table.view.lit) == ("places", True)
    assert only(table.press(Key.ACK), Places)


@pytest.mark.parametrize("fails", [is_void, goes_wrong])
def test_where_the_deck_is_in_the_dealers_hand_the_dealer_looks_into_it_again_C4(make_table, flop, fails) -> None:
    table = make_table(house=House(dispense=Way.HAND))
    flop(table)
    table.tell(lambda at: ev.DeviceLost(at, "shuffler", "silent"))
    table.meet(machine=-1, agreed=False, why="content")
    table.press(Key.ACK)
    fails(table, table.state.memory.pending)
    assert (table.view.prompt_code, table.state.proof) == ("looked", None)


def test_a_feed_of_another_command_that_went_wrong_is_a_jam_all_the_same_S2(table) -> None:
    table.begun()
    table.tell(lambda at: ev.Misfed(at, 999, Result.JAM))
    assert table.reasons == ["jam"]


@pytest.mark.parametrize(("result", "reason"), [(Result.DOUBLE_FEED, "double_feed"), (Result.JAM, "jam")])
def test_what_went_wrong_in_it_is_called_by_its_name_in_a_hand_1804A3(table, result, reason) -> None:
    table.begun()
    number = table.state.memory.pending
    table.tell(lambda at: ev.Misfed(at, number, result))
    assert table.reasons == [reason]


def test_a_disagreement_while_the_deck_itself_is_in_doubt_is_asked_about_too_S2_S3(table) -> None:
    table.holes()
    opened(table)
    table.meet(machine=46)
    for _ in range(2):
        table.cycle(Cycle.COUNT, 47)
    assert table.reasons == ["door_open", "recount"]
    table.meet(machine=-1, agreed=False, why="content")
    assert table.view.prompt_code == "places"


def test_a_count_that_was_not_confirmed_is_done_again_by_a_machine_that_was_without_power_S2(table) -> None:
    table.holes()
    opened(table)
    table.meet(machine=46)
    table.cycle(Cycle.COUNT, 46)
    assert table.view.prompt_code == "proof"
    assert only(table.meet(machine=46, unpowered=True), Count)


def test_one_that_we_never_met_has_done_nothing_since_we_last_spoke_1804A3(table) -> None:
    """In a hand begun by hand: whatever numbers it knows are of another table."""
    table.started()
    table.press(Key.MANUAL)
    assert table.state.memory.epoch == 0
    table.meet(machine=-1, agreed=False, last_id=500, why="content")
    assert table.state.memory.next_id == 501


# Patience.


def test_after_a_jam_was_called_its_counts_may_come_to_nothing_as_often_again_S2(table) -> None:
    table.holes()
    opened(table)
    table.meet(machine=46)
    for _ in range(6):
        number = table.state.memory.pending
        table.tell(lambda at, number=number: ev.CommandVoid(at, number, "busy"))
    assert (table.reasons, table.state.memory.pending) == (["door_open", "jam"], 0)
    table.meet(machine=46)
    for _ in range(5):
        assert table.state.memory.pending_kind == "Count"
        number = table.state.memory.pending
        table.tell(lambda at, number=number: ev.CommandVoid(at, number, "busy"))
    assert table.state.memory.pending_kind == "Count"
    number = table.state.memory.pending
    table.tell(lambda at: ev.CommandVoid(at, number, "busy"))
    assert table.state.memory.pending_kind == ""


def test_after_a_card_was_taken_back_between_hands_the_next_hand_asks_for_a_card_and_no_shuffle_S1(table) -> None:
    table.ready()
    table.meet(machine=51, exit_id=3, token_id=table.state.shuffled)
    table.retracted()
    table.cycle(Cycle.SHUFFLE, 52)
    told = table.press(Key.START)
    assert (len(only(told, Dispense)), only(told, Shuffle)) == (1, [])


def test_a_count_that_ended_after_the_machine_disagreed_is_done_again_and_then_the_stub_is_shuffled_S2(table) -> None:
    table.holes()
    table.see(BOARD, token(2, 9))
    table.lose(BOARD, token(2, 9))
    count = table.state.memory.pending
    assert table.state.memory.pending_kind == "Count"
    table.meet(machine=-1, agreed=False, why="content", last_id=count - 1)
    table.tell(lambda at: ev.CycleEnded(at, count, Cycle.COUNT, Result.DONE, 46))
    (places,) = only(table.press(Key.ACK), Places)
    table.tell(lambda at: ev.PlacesSet(at, places.id))
    assert only(table.meet(machine=46, deal_id=table.state.memory.deal_id), Count)
    table.cycle(Cycle.COUNT, 46)
    assert not refused(table.press(Key.ACK))
    table.rule(Ruling.STAND)
    assert table.state.memory.pending_kind == "Shuffle"


def test_a_word_not_taken_in_a_hand_has_nothing_emptied_after_it_S2(table) -> None:
    table.holes()
    asked_about_places(table)
    is_void(table, table.state.memory.pending)
    assert table.state.empty_owed is False
