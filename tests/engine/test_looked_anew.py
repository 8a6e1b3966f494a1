"""A run takes over in mid-hand: what readers tell anew is no news, what was ruled stays, times are of one clock."""

import pytest
from msgspec.structs import replace

from bench.decided import only
from bench.narrator import SEVEN_S
from dealerbox.model import events as ev
from dealerbox.model.commands import Notice
from dealerbox.model.keys import Key
from dealerbox.model.setup import Dispense, House
from dealerbox.model.shuffler import Memory
from dealerbox.model.zones import BOARD, seat

HOUR_MS = 3_600_000
TIMED = House(action_clock_s=30, action_warning_s=8)


def rebooted(table) -> None:
    """The computer starts anew, and its clock at zero."""
    table.now_ns = 0
    memory = Memory(session=table.state.memory.session + 1)
    table.tell(lambda at: ev.Started(at, setup=table.setup, memory=memory, boot_id="second"))


def started_looking(table, *zones) -> None:
    """The station starts anew; these zones have readers, and none has looked yet."""
    table.setup = replace(table.setup, readers=zones)
    table.started()


def looked(table, *zones) -> None:
    for zone in zones:
        table.tell(lambda at, zone=zone: ev.ZoneKnown(at, zone))


# Times of the boot before.


@pytest.mark.parametrize("seen", [0, 1])
def test_after_a_reboot_each_card_of_a_group_has_its_time_by_the_new_clock_H10(make_table, seen) -> None:
    table = make_table(house=House(dispense=Dispense.GROUP))
    table.begun()
    table.wait(HOUR_MS)
    cards = [table.let_out(), table.let_out()]
    rebooted(table)
    table.meet(machine=50)
    table.press(Key.ACK)
    table.see(seat(2), cards[seen])
    table.wait(2000)
    assert (table.reasons, table.view.prompt_code) == ([], "unseen")


@pytest.mark.parametrize("start", ["reboot", "restart"])
def test_a_card_seen_before_the_one_in_front_of_it_is_judged_by_the_clock_of_the_new_run_P5(
    make_table, given, start
) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = given(table)
    dealt.holes()
    table.press(Key.NEXT)
    table.wait(HOUR_MS)
    dealt.lay(BOARD)
    if start == "reboot":
        rebooted(table)
    else:
        table.started()
    table.meet()
    table.wait(1000)
    assert table.reasons == ["restarted", "burn_missing"]


@pytest.mark.parametrize(
    ("away_min", "reasons"),
    [
        (9, []),
        (10, ["count_due"]),
        (20, ["count_due", "count_overdue"]),
        (110, ["count_due", "deck_change_due", "count_overdue", "deck_change_overdue"]),
    ],
)
def test_a_limit_that_came_while_the_station_was_away_is_told_as_soon_as_the_hour_is_known_C1(
    table, away_min, reasons
) -> None:
    table.ready()
    table.clock()
    table.wait(10 * 60_000)
    now_s = table.now_ns // 1_000_000_000 + away_min * 60
    rebooted(table)
    told = table.tell(lambda at: ev.WallClock(at, SEVEN_S + now_s, 19 * 3600 + now_s, True))
    assert [notice.reason.value for notice in only(told, Notice)] == reasons
