"""P5 and S2: the station and the shuffler come back to the same state or to a hold, and no word is lost on the way."""

import pytest

from bench.decided import only
from bench.narrator import deck
from dealerbox.engine.step import step
from dealerbox.engine.view import view
from dealerbox.law.plan import button_seats
from dealerbox.model import events
from dealerbox.model.cards import Token, token
from dealerbox.model.commands import Dispense, Refuse, WakeAt
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import ButtonRule, House
from dealerbox.model.shuffler import Cycle, Memory, Result
from dealerbox.model.zones import BOARD, EXIT, seat


def test_a_proof_from_before_the_restart_proves_nothing(table) -> None:
    table.holes()
    table.tell(lambda at: events.ShufflerLocked(at, "door"))
    table.meet(machine=46)
    table.cycle(Cycle.COUNT, 46)
    assert table.view.prompt_code == "proof"
    table.started()
    assert only(table.press(Key.ACK), Refuse)
    table.meet(machine=46)
    assert table.state.memory.pending_kind == "Count"


def test_a_proof_from_before_the_shuffler_was_lost_proves_nothing(table) -> None:
    table.holes()
    table.tell(lambda at: events.ShufflerLocked(at, "door"))
    table.meet(machine=46)
    table.cycle(Cycle.COUNT, 46)
    table.tell(lambda at: events.DeviceLost(at, "shuffler", "silent"))
    assert only(table.press(Key.ACK), Refuse)
    table.meet(machine=46)
    assert table.state.memory.pending_kind == "Count"


def test_after_a_reboot_a_card_on_its_way_is_waited_for_by_the_new_clock(table) -> None:
    table.begun()
    table.wait(60_000)
    table.let_out()
    table.now_ns = 0
    told = only(
        table.tell(lambda at: events.Started(at, setup=table.setup, memory=Memory(session=2), boot_id="second")), WakeAt
    )
    assert sorted(wake.at_ns for wake in told) == list(table.state.wakes)
    settled_ns = table.state.now_ns + table.setup.house.settling_ms * 1_000_000
    assert settled_ns in table.state.wakes


def test_after_a_restart_with_another_count_the_proof_begins(table) -> None:
    table.holes()
    table.started()
    table.meet(machine=45)
    assert table.state.memory.pending_kind == "Count"
    table.cycle(Cycle.COUNT, 46)
    table.press(Key.ACK)
    assert table.reasons == []


def test_the_card_of_an_uncertain_release_is_owed_again_when_a_person_says_it_is_inside(table) -> None:
    table.begun()
    table.card_up()
    table.see(EXIT, Token(1001))
    table.wait(200)
    assert table.state.memory.pending_kind == "Release"
    table.tell(lambda at: events.DeviceLost(at, "shuffler", "power"))
    table.meet(machine=51, agreed=False, why="uncertain")
    table.press(Key.ACK)
    places = table.state.memory.pending
    table.tell(lambda at: events.PlacesSet(at, places))
    table.meet(machine=51)
    retract = table.state.memory.pending
    table.tell(lambda at: events.CardRetracted(at, retract))
    table.cycle(Cycle.COUNT, 52)
    table.press(Key.ACK)
    assert table.reasons == []
    table.cycle(Cycle.SHUFFLE, 52)
    table.press(Key.CUT)
    assert table.state.memory.pending_kind == "Dispense"


@pytest.mark.parametrize("end", [events.CommandVoid, events.Misfed])
def test_a_word_the_shuffler_did_not_take_in_mid_hand_is_asked_for_again(table, end) -> None:
    table.holes()
    table.tell(lambda at: events.ShufflerLocked(at, "door"))
    table.meet(machine=-1, agreed=False, why="content")
    table.press(Key.ACK)
    number = table.state.memory.pending
    table.tell(lambda at: end(at, number, "sensor says no" if end is events.CommandVoid else Result.REFUSED))
    assert table.view.prompt_code == "places"


def test_a_word_the_shuffler_did_not_take_between_hands_is_asked_for_again(table) -> None:
    table.ready()
    table.meet(machine=-1, agreed=False, why="content")
    table.press(Key.ACK)
    number = table.state.memory.pending
    table.tell(lambda at: events.CommandVoid(at, number, "sensor says no"))
    assert table.view.prompt_code == "empty"


def test_a_deck_is_not_verified_by_its_tags_alone_when_the_shuffler_is_lost_under_1804A1(table) -> None:
    table.started()
    table.meet()
    table.feed(*deck(1))
    number = table.state.memory.pending
    table.tell(lambda at: events.DeviceLost(at, "shuffler", "dead"))
    table.tell(lambda at: events.CommandVoid(at, number, "never sent"))
    assert table.view.prompt_code != "seal"


def test_a_card_read_twice_before_a_restart_is_no_recount_for_ever(table) -> None:
    table.begun()
    card = table.let_out()
    table.see(EXIT, card)
    table.see(seat(2), card)
    table.card_up()
    table.see(EXIT, Token(1030))
    table.wait(5000)
    assert table.reasons == ["recount"]
    table.started()
    table.see(seat(2), card)
    table.see(EXIT, Token(1030))
    table.meet(machine=50)
    table.press(Key.ACK)
    assert table.reasons == []


def test_a_card_read_twice_before_its_reader_failed_is_no_recount_for_ever(table) -> None:
    table.begun()
    card = table.let_out()
    table.see(EXIT, card)
    table.see(seat(2), card)
    table.card_up()
    table.see(EXIT, Token(1030))
    table.wait(5000)
    table.tell(lambda at: events.ZoneUnknown(at, EXIT, "deaf"))
    table.see(EXIT, Token(1030))
    table.tell(lambda at: events.ZoneKnown(at, EXIT))
    assert table.reasons == []


def test_a_journal_that_failed_is_of_its_own_run(table) -> None:
    table.ready()
    table.tell(lambda at: events.JournalFailed(at, "disk"))
    table.started()
    assert table.reasons == []


def test_a_table_closed_and_opened_asks_for_the_machine_to_be_emptied_first(table) -> None:
    table.ready()
    table.rule(Ruling.CLOSE)
    table.started()
    table.meet(machine=52)
    table.wait(5000)
    assert (table.state.deck, table.reasons, table.view.prompt_code) == (2, [], "empty")


def test_suspect_at_a_closed_table_does_nothing(table) -> None:
    table.ready()
    table.rule(Ruling.CLOSE)
    assert only(table.press(Key.SUSPECT), Refuse)


def test_no_seat_beyond_the_house_is_taken_by_1823(make_table) -> None:
    table = make_table(house=House(button_rule=ButtonRule.DEAD))
    table.ready()
    assert only(table.rule(Ruling.SEATS, seats=(1, 15)), Refuse)


def test_a_seat_beyond_a_house_that_has_shrunk_still_has_its_turn_of_the_button() -> None:
    assert button_seats((1, 15), 1, ButtonRule.DEAD, 10)[-1] == 15


def test_a_blind_exit_is_not_empty_and_nothing_comes_up_to_it(table) -> None:
    table.holes()
    table.tell(lambda at: events.ZoneUnknown(at, EXIT, "deaf"))
    table.press(Key.AWARD)
    table.tell(lambda at: events.ZoneUnknown(at, BOARD, "deaf"))
    assert table.reasons == ["device_lost", "device_lost"]


def test_a_restart_at_any_event_of_a_hand_is_never_freer(table) -> None:
    """After every event of a hand: killed, started, and nothing comes out before ACK."""
    table.flop()
    table.press(Key.NEXT)
    table.deal_street()
    state = type(table)().state
    for event, _ in table.log:
        state, _ = step(state, event)
        if view(state).phase not in ("dealing", "betting", "showdown"):
            continue
        again, commands = step(state, events.Started(event.at_ns, setup=table.setup, memory=Memory(session=9)))
        assert not only(commands, Dispense)
        again, commands = step(again, events.Tick(event.at_ns + 5_000_000_000))
        assert "restarted" in [held.reason for held in again.holds]
        assert not only(commands, Dispense)


def test_a_card_seen_out_of_a_full_machine_is_counted_and_then_all_are_fed_anew_by_S3(table) -> None:
    table.ready()
    table.see(BOARD, Token(1009))
    table.press(Key.START)
    assert table.view.prompt_code == "count"
    table.press(Key.COUNT)
    table.cycle(Cycle.COUNT, 52)
    assert (table.reasons, table.view.prompt_code) == (["recount"], "empty")


def test_a_card_that_cannot_be_found_is_looked_for_in_the_machine_by_S3(table) -> None:
    holes = table.holes()
    table.press(Key.AWARD)
    table.feed(*holes[1:])
    table.tell(lambda at: events.CycleEnded(at, table.state.memory.pending, Cycle.RETURN, Result.WRONG_NUMBER, 5))
    assert table.view.prompt_code == "feed"
    table.press(Key.NO)
    assert (table.reasons, table.view.prompt_code) == (["recount"], "empty")


def test_a_card_seen_out_of_a_shuffled_deck_and_fed_back_is_shuffled_in_by_S1(table) -> None:
    table.ready()
    table.see(BOARD, Token(1009))
    table.feed(Token(1009))
    assert table.state.memory.pending_kind == "Shuffle"
    table.cycle(Cycle.SHUFFLE, 51, Result.WRONG_NUMBER)
    assert table.reasons == ["recount"]


def test_a_tag_read_once_before_a_restart_is_not_waited_for_after_it(table) -> None:
    """S5: who reads it again names it; nobody reads it, and the next card goes."""
    table.begun()
    table.deal()
    table.let_up()
    table.see(seat(2), Token(17))
    assert table.state.suspects == ((seat(2), Token(17)),)
    table.started()
    inside = table.state.memory.machine
    table.meet(machine=inside)
    for zone in table.setup.readers:
        table.tell(lambda at, zone=zone: events.ZoneKnown(at, zone))
    table.see(EXIT, token(1, 2))
    table.press(Key.ACK)
    table.wait(5000)
    assert (table.reasons, table.state.suspects, table.state.memory.pending_kind) == ([], (), "Release")
