"""Devices lost and back, readers that are blind, the button that moves, a clock that runs back (S2, S5, P5)."""

import pytest
from msgspec.structs import replace

from bench.decided import only
from dealerbox.engine.state import Condition
from dealerbox.model import events as ev
from dealerbox.model.cards import token
from dealerbox.model.commands import Clear, Hold, Notice, Refuse, WakeAt
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Dispense, House
from dealerbox.model.shuffler import Cycle
from dealerbox.model.zones import BOARD, EXIT, MUCK, seat

SETTLING_MS, NS = 1500, 1_000_000
SECOND_NS = 1000 * NS


def held(table):
    return [(h.reason.value, h.needs, h.zone, h.device) for h in table.state.holds]


def lost(table, device):
    return table.tell(lambda at: ev.DeviceLost(at, device, "gone"))


def back(table, device):
    return table.tell(lambda at: ev.DeviceBack(at, device))


# Lost and back.


def test_a_device_is_back_when_it_says_so_itself_and_no_other_S2(table) -> None:
    table.holes()
    for device in ("panel", "button"):
        lost(table, device)
    assert held(table) == [("device_lost", Condition.DEVICE, "", name) for name in ("panel", "button")]
    back(table, "button")
    assert [row[3] for row in held(table)] == ["panel"]
    assert only(back(table, "panel"), Clear)


def test_of_the_shuffler_its_return_says_nothing_before_it_agrees_S2(table) -> None:
    table.holes()
    lost(table, "shuffler")
    assert (held(table), table.state.up) == ([("device_lost", Condition.DEVICE, "", "shuffler")], False)
    assert back(table, "shuffler") == ()
    assert only(table.meet(machine=46), Clear)


def test_one_that_the_table_can_do_without_is_told_and_holds_nothing(table) -> None:
    table.setup = replace(table.setup, optional=("display",))
    table.holes()
    assert [n.reason for n in only(lost(table, "display"), Notice)] == ["device_lost"]
    assert held(table) == []


def test_by_hand_nobody_misses_the_shuffler_C15(table) -> None:
    table.holes()
    table.press(Key.MANUAL)
    table.meet(machine=46)
    assert lost(table, "shuffler") == ()
    assert (table.state.up, held(table)) == (False, [])


def test_where_it_gave_the_deck_out_it_is_missed_C4(make_table, flop) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    flop(table)
    lost(table, "shuffler")
    assert held(table) == [("device_lost", Condition.DEVICE, "", "shuffler")]


def test_what_was_counted_before_it_was_lost_is_counted_again_and_no_word_about_its_cards_is_asked_anew(table) -> None:
    table.holes()
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    table.meet(machine=46)
    table.cycle(Cycle.COUNT, 46)
    lost(table, "shuffler")
    assert (table.state.proof.counted, table.state.proof.places) == (-1, False)


# Blind readers.


def test_a_blind_reader_is_held_by_its_zone_and_reads_nothing_any_more(table) -> None:
    holes = table.holes()
    (told,) = only(table.tell(lambda at: ev.ZoneUnknown(at, seat(2), "deaf")), Hold)
    assert (told.zone, held(table)) == (seat(2), [("device_lost", Condition.DEVICE, seat(2), "reader of seat:2")])
    assert (table.state.blind, table.state.seen[seat(2)]) == ({seat(2)}, {})
    assert holes[1] in table.state.seen[seat(3)]
    assert only(table.tell(lambda at: ev.ZoneKnown(at, seat(2))), Clear)
    assert table.state.blind == frozenset()


def test_each_of_two_blind_readers_ends_its_own_hold(table) -> None:
    table.holes()
    for zone in (seat(2), BOARD):
        table.tell(lambda at, zone=zone: ev.ZoneUnknown(at, zone, "deaf"))
    table.tell(lambda at: ev.ZoneKnown(at, seat(2)))
    assert ([row[2] for row in held(table)], table.state.blind) == ([BOARD], {BOARD})


@pytest.fixture
def in_two_places(table):
    """A card that its seat and the next one both read, looked for since the next card was asked for."""
    table.begun()
    card = table.deal()
    table.see(seat(3), card)
    table.wait(2000)
    table.let_up()
    assert [(h.reason, h.zone) for h in table.state.holds] == [("recount", seat(3))]
    return card


def test_a_card_in_two_places_is_in_one_when_the_reader_that_was_blind_does_not_read_it_S5(
    table, in_two_places
) -> None:
    table.tell(lambda at: ev.ZoneUnknown(at, seat(3), "deaf"))
    table.tell(lambda at: ev.ZoneKnown(at, seat(3)))
    assert held(table) == []


def test_it_is_in_two_still_when_that_reader_reads_it_again_or_another_was_blind_S5(table, in_two_places) -> None:
    table.tell(lambda at: ev.ZoneUnknown(at, seat(3), "deaf"))
    table.see(seat(3), in_two_places)
    table.tell(lambda at: ev.ZoneKnown(at, seat(3)))
    assert [row[0] for row in held(table)] == ["recount"]
    table.tell(lambda at: ev.ZoneUnknown(at, MUCK, "deaf"))
    table.tell(lambda at: ev.ZoneKnown(at, MUCK))
    assert [row[0] for row in held(table)] == ["recount"]


# The button.


def test_the_button_is_held_the_moment_after_it_lay_elsewhere_for_the_settling_time_1804A3(table) -> None:
    table.holes()
    told = table.button(3)
    assert [wake.at_ns for wake in only(told, WakeAt)] == [table.now_ns + SETTLING_MS * NS + 1]
    table.wait(SETTLING_MS)
    assert held(table) == []
    table.wait(1)
    (standing,) = table.state.holds
    assert (standing.reason, standing.zone, standing.to) == ("button_moved", seat(3), seat(1))
    table.button(2)
    table.wait(2 * SETTLING_MS)
    assert len(table.state.holds) == 1


def test_a_button_that_is_lifted_is_nowhere_else_and_one_read_at_two_seats_is_where_it_belongs(table) -> None:
    table.holes()
    for seats in ((), (1, 3)):
        table.button(*seats)
        table.wait(2 * SETTLING_MS)
        assert held(table) == []


def test_where_the_director_let_it_lie_it_may_lie_in_this_hand_and_nowhere_else(table) -> None:
    table.holes()
    table.button(3)
    table.wait(2 * SETTLING_MS)
    table.rule(Ruling.STAND)
    table.button()
    table.button(3)
    table.wait(2 * SETTLING_MS)
    assert held(table) == []
    table.button(2)
    table.wait(2 * SETTLING_MS)
    assert [row[0] for row in held(table)] == ["button_moved"]


def test_between_hands_the_button_may_lie_anywhere(table) -> None:
    table.ready()
    table.button(3)
    table.wait(2 * SETTLING_MS)
    assert held(table) == []


# The clock.


@pytest.mark.parametrize(("back_ns", "refused"), [(1, False), (SECOND_NS, False), (SECOND_NS + 1, True)])
def test_time_that_runs_back_passes_for_none_and_by_more_than_a_second_it_is_refused(table, back_ns, refused) -> None:
    table.holes()
    before = table.state.now_ns
    told = table._step(ev.ButtonAt(before - back_ns, (1,)))
    assert table.state.now_ns == before
    assert [(c.reason, c.asked) for c in only(told, Refuse)] == ([("clock_unsure", "time")] if refused else [])


def test_a_start_brings_its_own_clock(table) -> None:
    table.holes()
    told = table._step(ev.Started(5, setup=table.setup, memory=table.state.memory, boot_id="next"))
    assert (table.state.now_ns, only(told, Refuse)) == (5, [])


# A start with a hand open (P5).


def test_a_start_forgets_what_only_the_run_before_had_seen_and_nothing_else(table) -> None:
    table.begun()
    card = table.let_out()
    table.see(BOARD, card)
    table.tell(lambda at: ev.ZoneUnknown(at, seat(2), "deaf"))
    table.tell(lambda at: ev.JournalFailed(at, "full"))
    table.tell(lambda at: ev.SpaceLeft(at, ev.Space.FULL, 0))
    assert [h.reason.value for h in table.state.holds] == [
        "wrong_zone", "device_lost", "journal_fault", "journal_full",
    ]  # fmt: skip
    table.setup = replace(table.setup, readers=(BOARD, EXIT))
    table.started()
    assert [h.reason.value for h in table.state.holds] == ["wrong_zone", "restarted"]
    state = table.state
    assert (state.seen, state.suspects, state.undo, state.button_seen, state.search) == ({}, (), None, (), None)
    assert (state.blind, state.space, state.up, state.voids) == ({BOARD, EXIT}, ev.Space.ENOUGH, False, 0)
    assert (state.out[card].at, state.released.token, state.phase) == (BOARD, card, "dealing")


def test_a_card_on_its_way_at_a_start_is_asked_for_a_settling_time_after_it_H10(table) -> None:
    table.begun()
    table.let_out()
    table.wait(1000)
    table.started()
    assert table.state.released.passed_ns == table.now_ns - 10 * NS  # told the clock since
    told = table.wait(SETTLING_MS - 11)
    assert not [n for n in only(told, Notice) if n.reason == "card_unseen"]
    assert [n.zone for n in only(table.wait(1), Notice) if n.reason == "card_unseen"] == [seat(2)]


def test_a_count_that_nobody_confirmed_before_a_start_is_none_after_it(table) -> None:
    table.ready()
    table.press(Key.COUNT)
    table.cycle(Cycle.COUNT, 52)
    table.started()
    assert (table.state.count_read, table.state.idle) == (False, False)
    assert token(1, 1) not in table.state.out


def test_a_button_at_no_seat_of_any_table_is_refused_by_its_name(table) -> None:
    table.holes()
    assert [(c.reason, c.asked) for c in only(table.button(99), Refuse)] == [("button_missing", "button")]
