"""The count clock and the deck clock (1804B(8), 1819, C1-C3)."""

import pytest

from bench.decided import only
from dealerbox.model.commands import Notice, Refuse
from dealerbox.model.events import KeyPressed, Started
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import House
from dealerbox.model.shuffler import Cycle, Memory

MINUTE_MS = 60_000


def refused(table):
    return [refusal.reason for refusal in only(table.press(Key.START), Refuse)]


def test_no_hand_starts_within_five_minutes_of_the_half_hour_since_the_count(table) -> None:
    table.ready()
    table.wait(24 * MINUTE_MS)
    assert refused(table) == []
    table.press(Key.UNDO)


def test_a_hand_started_late_is_refused_until_the_deck_is_counted_and_confirmed(table) -> None:
    table.ready()
    table.wait(25 * MINUTE_MS + 1000)
    assert refused(table) == [Reason.COUNT_OVERDUE]
    table.press(Key.COUNT)
    table.cycle(Cycle.COUNT, 52)
    assert refused(table) == [Reason.COUNT_OVERDUE]
    assert table.view.prompt_code == "counted"
    table.press(Key.ACK)
    assert refused(table) == []


def test_the_count_is_announced_once_before_it_is_due(table) -> None:
    table.ready()
    assert [n.reason for n in only(table.wait(21 * MINUTE_MS), Notice)] == [Reason.COUNT_DUE]
    assert not only(table.wait(3 * MINUTE_MS), Notice)


@pytest.mark.parametrize("number", [51, 53])
def test_a_count_that_is_not_52_is_a_recount(table, number) -> None:
    table.ready()
    table.press(Key.COUNT)
    table.cycle(Cycle.COUNT, number)
    assert table.reasons == ["recount"]


def test_a_house_may_count_more_often(make_table) -> None:
    table = make_table(house=House(count_every_min=15))
    table.ready()
    table.wait(10 * MINUTE_MS + 1000)
    assert refused(table) == [Reason.COUNT_OVERDUE]


def test_a_limit_passed_in_mid_hand_lets_the_hand_be_played(table) -> None:
    table.holes()
    table.wait(40 * MINUTE_MS)
    table.press(Key.NEXT)
    table.deal_street()
    assert table.reasons == []


def test_after_two_hours_the_deck_is_changed(table) -> None:
    table.ready()
    for _ in range(6):
        table.wait(20 * MINUTE_MS)
        table.press(Key.COUNT)
        table.cycle(Cycle.COUNT, 52)
        table.press(Key.ACK)
    assert refused(table) == [Reason.DECK_CHANGE_OVERDUE]
    table.press(Key.DECK)
    assert (table.state.deck, table.view.prompt_code) == (2, "empty")


def test_a_restart_of_the_daemon_keeps_the_clock_and_a_reboot_makes_it_unsure(table) -> None:
    table.ready()
    for boot, expected in (("", Reason.DEVICE_LOST), ("later", Reason.DEVICE_LOST)):
        table.tell(lambda at, boot=boot: Started(at, setup=table.setup, memory=Memory(session=2), boot_id=boot))
        assert refused(table) == [expected]
        table.meet(machine=52)
        table.button(1)
    assert refused(table) == [Reason.CLOCK_UNSURE]


def test_an_ack_with_nothing_counted_is_no_count(table) -> None:
    table.ready()
    table.wait(26 * MINUTE_MS)
    assert only(table.tell(lambda at: KeyPressed(at, Key.ACK)), Refuse)
    assert refused(table) == [Reason.COUNT_OVERDUE]


def test_a_machine_is_remembered_only_once_its_record_agrees(table) -> None:
    table.started()
    table.meet(agreed=False, why="never met", serial=77, epoch=5)
    assert (table.state.memory.serial, table.state.memory.epoch) == (0, 0)
    table.meet(serial=77, epoch=5)
    assert (table.state.memory.serial, table.state.memory.epoch) == (77, 5)
    table.meet(agreed=False, why="serial", serial=78, epoch=6)
    assert (table.state.memory.serial, table.state.memory.retired) == (77, ())
    table.meet(serial=78, epoch=6)
    assert (table.state.memory.serial, table.state.memory.retired) == (78, (5,))
