"""A device lost or blind, a restart, a machine that disagrees: held, proved and gone on with (S2, C15)."""

import pytest

from bench.decided import only
from dealerbox.model import events
from dealerbox.model.cards import token
from dealerbox.model.commands import Dispense, Hold, Refuse
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.shuffler import Cycle
from dealerbox.model.zones import BOARD, BURN


def test_a_lost_shuffler_holds_and_clears_when_it_agrees(table) -> None:
    table.holes()
    (held,) = only(table.tell(lambda at: events.DeviceLost(at, "shuffler", "silent")), Hold)
    assert held.reason is Reason.DEVICE_LOST
    table.press(Key.NEXT)
    assert not only(table.wait(5000), Dispense)
    assert only(table.meet(machine=46), Dispense)
    assert table.reasons == []


def test_a_blind_zone_holds_and_unknown_is_not_empty(table) -> None:
    table.holes()
    table.tell(lambda at: events.ZoneUnknown(at, BOARD, "antenna"))
    assert table.reasons == ["device_lost"]
    table.tell(lambda at: events.ZoneKnown(at, BOARD))
    assert table.reasons == []


def test_every_restart_with_a_hand_open_is_held_until_all_agree_and_ack(table) -> None:
    """P5."""
    table.holes()
    table.started()
    assert table.reasons == ["restarted"]
    assert only(table.press(Key.ACK), Refuse)
    table.meet(machine=46)
    assert table.view.prompt_code == "restarted"
    table.press(Key.ACK)
    assert table.reasons == []


def test_after_a_restart_with_another_count_the_proof_is_owed(table) -> None:
    table.holes()
    table.started()
    table.meet(machine=45)
    assert table.view.prompt_code != "restarted"


def test_the_shuffler_that_disagrees_is_proved_by_looking_counting_and_ack(table) -> None:
    """S2: the mid-hand proof."""
    table.holes()
    table.tell(lambda at: events.ShufflerLocked(at, "door"))
    assert table.reasons == ["door_open"]
    table.meet(machine=-1, agreed=False, why="content")
    assert table.view.prompt_code == "places"
    table.press(Key.ACK)
    number = table.state.memory.pending
    table.tell(lambda at: events.PlacesSet(at, number))
    table.meet(machine=46)
    table.cycle(Cycle.COUNT, 46)
    assert table.view.prompt_code == "proof"
    table.press(Key.ACK)
    assert table.reasons == []
    assert table.state.memory.pending_kind == "Shuffle"
    (shuffle,) = [c for c in table.log[-1][1] if c.__class__.__name__ == "Shuffle"]
    assert only(table.press(Key.NEXT), Dispense) == []
    assert only(table.cycle(Cycle.SHUFFLE, 46), Dispense) == []
    assert table.view.prompt_code == "cut"
    (dispense,) = only(table.press(Key.CUT), Dispense)
    assert (dispense.deal_id, dispense.first) == (shuffle.id, True)


@pytest.mark.parametrize(("count", "reason"), [(45, "card_missing"), (47, "recount")])
def test_a_proof_that_fails_twice_alike(table, count, reason) -> None:
    table.holes()
    table.tell(lambda at: events.ShufflerLocked(at, "door"))
    table.meet(machine=46)
    table.cycle(Cycle.COUNT, count)
    assert reason not in table.reasons
    table.cycle(Cycle.COUNT, count)
    assert reason in table.reasons


def test_manual_goes_on_by_hand_after_the_stub_is_shown(table) -> None:
    """C4, C15, 1809."""
    table.holes()
    table.tell(lambda at: events.DeviceLost(at, "shuffler", "dead"))
    table.press(Key.MANUAL)
    assert table.view.prompt_code == "manual_empty"
    table.press(Key.ACK)
    for number in range(7, 53):
        assert table.view.prompt_code == "manual_show"
        table.see(BURN, token(1, number))
        table.lose(BURN, token(1, number))
    assert table.view.prompt_code == "manual_order"
    table.press(Key.ACK)
    table.press(Key.NEXT)
    for number, zone in ((7, BURN), (8, BOARD), (9, BOARD), (10, BOARD)):
        table.see(zone, token(1, number))
    assert (table.view.phase, table.reasons) == ("betting", [])
    table.see(BURN, token(1, 11))
    assert table.reasons == ["round_open"]
    table.press(Key.NEXT)
    assert table.reasons == []
    table.see(BURN, token(1, 12))
    assert table.reasons == ["burn_extra"]
