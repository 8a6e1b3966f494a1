"""A run takes over in mid-hand: what readers tell anew is no news, what was ruled stays, times are of one clock."""

import pytest
from msgspec.structs import replace

from bench.decided import only
from bench.narrator import SEVEN_S, deck
from dealerbox.model import events as ev
from dealerbox.model.commands import Notice
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Dispense, House
from dealerbox.model.shuffler import Memory
from dealerbox.model.zones import BOARD, BURN, INFEED, MUCK, seat

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


# What the readers tell anew.


@pytest.mark.parametrize("by", ["dealer", "director"])
def test_a_hand_that_was_retrieved_lives_though_its_cards_still_lie_in_the_muck_H6(table, by) -> None:
    cards = table.holes()
    table.see(MUCK, cards[0], cards[3])
    if by == "dealer":
        table.press(Key.RETRIEVE, 2)
    else:
        table.rule(Ruling.RETRIEVE, seat=2)
    started_looking(table, MUCK, seat(2))
    table.see(MUCK, cards[0], cards[3])
    looked(table, MUCK, seat(2))
    assert table.view.folded == ()
    table.see(seat(2), cards[0], cards[3])
    assert (table.view.folded, table.state.strays) == ((), ())
    table.see(MUCK, cards[0], cards[3])
    assert table.view.folded == (2,)


def test_a_hand_that_was_folded_while_the_station_was_away_is_folded_H6(table) -> None:
    cards = table.holes()
    started_looking(table, MUCK)
    table.see(MUCK, cards[0], cards[3])
    assert table.view.folded == (2,)


def test_a_burn_that_is_to_go_back_on_top_is_not_burned_by_being_read_anew_1812(make_table, flop) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = flop(table)
    table.press(Key.NEXT)
    (card,) = dealt.lay(BURN)
    table.press(Key.UNBURN)
    said = table.view.prompt
    started_looking(table, BURN)
    table.see(BURN, card)
    looked(table, BURN)
    table.lose(BURN, card)
    table.meet()
    table.press(Key.ACK)
    assert (table.reasons, table.view.prompt) == ([], said)
    table.see(BURN, card)
    assert (table.reasons, table.view.expect) == ([], BOARD)


@pytest.mark.parametrize("place", [0, 1, 2, 3])
def test_a_card_shown_on_its_way_back_by_hand_is_not_burned_by_being_read_anew_C4(make_table, flop, place) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = flop(table)
    dealt.lay(BOARD)
    board = sorted(table.state.returning)
    table.lose(BOARD, *board)
    for card in board[:place]:
        table.see(BURN, card)
        table.lose(BURN, card)
    table.see(BURN, board[place])
    started_looking(table, BURN)
    table.see(BURN, board[place])
    looked(table, BURN)
    table.lose(BURN, board[place])
    assert table.reasons == (["too_many_flop", "restarted"] if place < 3 else ["restarted"])
    table.meet()
    table.press(Key.ACK)
    for card in board[place + 1 :]:
        table.see(BURN, card)
        table.lose(BURN, card)
    assert table.view.prompt_code == "cut"
    table.press(Key.CUT)
    assert (table.reasons, table.view.prompt_code) == ([], "round")


@pytest.mark.parametrize("again", ["flicker", "restart"])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_card_that_goes_back_into_the_stub_is_read_twice_at_the_infeed_and_is_no_stranger_C8(
    table, again, place
) -> None:
    board = table.flop()[-3:]
    table.press(Key.PREMATURE)
    table.feed(*board[:place])
    table.see(INFEED, board[place])
    if again == "flicker":
        table.lose(INFEED, board[place])
    else:
        started_looking(table, INFEED)
    table.see(INFEED, board[place])
    looked(table, INFEED)
    table.lose(INFEED, board[place])
    table.feed(*board[place + 1 :])
    assert table.reasons == (["restarted"] if again == "restart" else [])


@pytest.mark.parametrize("blind", [BOARD, MUCK, seat(3)])
def test_the_stub_shown_by_hand_ends_no_restart_before_every_reader_has_looked_S2(table, brought_to, blind) -> None:
    brought_to(table, "by_hand")
    table.press(Key.ACK)
    table.show(*(card for card in deck(1) if card not in table.state.out))
    assert table.view.prompt_code == "manual_order"
    started_looking(table, blind)
    table.press(Key.ACK)
    assert table.reasons == ["restarted"]
    looked(table, blind)
    assert table.view.prompt_code == "restarted"
    table.press(Key.ACK)
    assert (table.reasons, table.view.prompt_code) == ([], "round")


# What is shown.


def test_a_ruling_whose_first_word_a_restart_forgot_is_not_shown_as_waiting(make_table) -> None:
    table = make_table(house=House(two_persons=True))
    table.flop()
    table.press(Key.PREMATURE)
    table.rule(Ruling.VOID_HAND)
    assert table.view.refused is not None
    table.started()
    assert table.view.refused is None


@pytest.mark.parametrize("wait_ms", [22_000, 31_000])
@pytest.mark.parametrize("how", ["mucked", "ruled"])
def test_with_one_live_hand_nobody_is_warned_of_his_time_any_more_1821(make_table, how, wait_ms) -> None:
    table = make_table(house=TIMED)
    cards = table.holes()
    table.wait(wait_ms)
    assert table.view.prompt_code in ("time_due", "time_over")
    for number in (0, 1):
        if how == "mucked":
            table.see(MUCK, cards[number], cards[number + 3])
        else:
            table.rule(Ruling.HAND_DEAD, seat=number + 2)
    assert (table.view.prompt_code, table.view.notices, table.view.lamp.value) == ("round", (), "green")
