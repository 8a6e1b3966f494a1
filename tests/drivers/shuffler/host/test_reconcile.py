"""The reconcile table of PROTOCOL.md section 6, row by row: what a STATUS proves to a host."""

import msgspec
import pytest

from dealerbox.model.events import (
    CardNotTaken,
    CardPassed,
    CardRetracted,
    CardUp,
    CommandVoid,
    CycleEnded,
    Misfed,
    PlacesSet,
)
from dealerbox.model.shuffler import Cap, Cycle, Memory, Result
from dealerbox_drivers.shuffler.messages import Code, CommandState, DeviceState, Lock, Sensor, Status
from dealerbox_drivers.shuffler.reconcile import Owed, Record, is_armable, is_old, judge, obstacle, remembered
from dealerbox_drivers.shuffler.twin import FULL_CAPS

AT = 5
EPOCH = 0xE90C0001
RECORD = Record(epoch=EPOCH, given=201, settled=200, machine=52, exit_id=0)
UP = msgspec.structs.replace(RECORD, settled=201, machine=51, exit_id=201, given=202)
REST = Status(
    code=0, state=DeviceState.LOCKED, locks=Lock(0), epoch=EPOCH, fence=96, boot_id=7, tick=5000, session=29,
    cmd_id=200, cmd_kind=0x13, cmd_state=CommandState.DONE, cmd_result=Code.CYCLE_DONE, pulses=0, machine=52,
    order=0, exit_id=0, out_total=1000, taken_id=0, deal_id=0, token_id=200, hold_no=0, hold_session=0,
    hold_key=0, hold_reason=0, error=0, sensors=Sensor.GATE_LOCKED, event_next=0,
)  # fmt: skip
DONE, FAILED, UNCERTAIN = CommandState.DONE, CommandState.FAILED, CommandState.UNCERTAIN


def status(**changes) -> Status:
    return msgspec.structs.replace(REST, **changes)


def owed(kind, number=201, fence=96) -> Owed:
    return Owed(number, kind, EPOCH, fence)


def ended(kind, record=RECORD, caps=FULL_CAPS, **changes):
    """What is told, and the word for what stands in the way then, when `kind` has ended so."""
    number = record.settled + 1
    seen = status(**({"cmd_id": number, "machine": record.machine, "exit_id": record.exit_id} | changes))
    verdict = judge(record, owed(kind, number), seen, AT, caps)
    assert verdict.owed is None
    return verdict.told, obstacle(verdict.record, seen.locks)


def test_nothing_owed_and_both_records_equal_may_be_armed() -> None:
    verdict = judge(RECORD, None, REST, AT, FULL_CAPS)
    assert (verdict.told, verdict.owed, verdict.record.strange) == ((), None, "")
    assert is_armable(verdict.record, REST)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"machine": 51}, "machine"),
        ({"exit_id": 190}, "exit"),
        ({"cmd_id": 202}, "ahead"),
        ({"cmd_id": 199}, "behind"),
        ({"epoch": 0xABC}, "epoch"),
    ],
)
def test_a_device_that_differs_is_strange_and_stays_so_until_a_person_speaks(changes, why) -> None:
    strange = judge(RECORD, None, status(**changes), AT, FULL_CAPS).record
    assert strange.strange == why
    assert judge(strange, None, REST, AT, FULL_CAPS).record.strange == why
    assert not is_armable(strange, REST)


@pytest.mark.parametrize(
    ("lock", "word"),
    [
        (Lock.UNCERTAIN, "uncertain"),
        (Lock.WIPED, "wiped"),
        (Lock.ERROR, "error"),
        (Lock.DOOR, "door"),
        (Lock.SERVICE, "service"),
        (Lock.CONTENT, "content"),
        (Lock.BOOT | Lock.SESSION | Lock.LEASE | Lock.HOLD, ""),
    ],
)
def test_only_locks_that_no_arm_takes_away_stand_in_the_way(lock, word) -> None:
    assert obstacle(RECORD, lock) == word
    assert is_armable(RECORD, status(locks=lock)) is (word in ("", "content"))


def test_an_unknown_content_is_not_compared_with_the_record() -> None:
    verdict = judge(RECORD, None, status(locks=Lock.CONTENT, machine=0xFF), AT, FULL_CAPS)
    assert verdict.record.strange == ""


def test_a_machine_never_met_is_strange_though_all_its_numbers_fit() -> None:
    record, nothing = remembered(Memory())
    assert nothing is None
    assert record.strange == "never met"


def test_a_command_that_moves_is_waited_for() -> None:
    moving = status(cmd_id=201, cmd_state=CommandState.MOVING, state=DeviceState.BUSY)
    verdict = judge(RECORD, owed("Dispense"), moving, AT, FULL_CAPS)
    assert (verdict.owed, verdict.resting, verdict.again) == (owed("Dispense"), False, False)


def test_a_command_not_taken_under_the_same_fence_is_said_again() -> None:
    verdict = judge(RECORD, owed("Dispense"), REST, AT, FULL_CAPS)
    assert (verdict.owed, verdict.again, verdict.told) == (owed("Dispense"), True, ())


@pytest.mark.parametrize(("locks", "why"), [(Lock.LEASE, "fenced"), (Lock.HOLD, "held")])
def test_a_command_not_taken_under_a_higher_fence_is_void_for_ever(locks, why) -> None:
    verdict = judge(RECORD, owed("Release"), status(fence=97, locks=locks), AT, FULL_CAPS)
    assert (verdict.owed, verdict.told) == (None, (CommandVoid(AT, 201, why),))


def test_a_command_of_a_process_before_is_dead_since_this_one_was_greeted() -> None:
    record, before = remembered(
        Memory(epoch=EPOCH, next_id=202, pending=201, pending_kind="Dispense", settled=200, machine=52)
    )
    verdict = judge(record, before, REST, AT, FULL_CAPS)
    assert verdict.told == (CommandVoid(AT, 201, "fenced"),)
    assert is_armable(verdict.record, REST)


def test_an_id_refused_unmoved_that_the_memory_calls_void_is_no_stranger() -> None:
    refused = status(cmd_id=201, cmd_state=FAILED, cmd_result=Code.HELD)
    assert judge(RECORD, None, refused, AT, FULL_CAPS).record.settled == 201
    assert judge(RECORD, None, status(cmd_id=201), AT, FULL_CAPS).record.strange == "ahead"


def test_every_lawful_end_is_told_and_leaves_the_records_equal() -> None:
    passed = {"machine": 51, "exit_id": 0}
    assert ended("Dispense", machine=51, exit_id=201) == ((CardUp(AT, 201),), "")
    assert ended("Release", UP, **passed) == ((CardPassed(AT, 202, 201),), "")
    assert ended("Release", UP, cmd_state=CommandState.NOT_TAKEN) == ((CardNotTaken(AT, 202, 201),), "")
    assert ended("Retract", UP, machine=52, exit_id=0) == ((CardRetracted(AT, 202),), "")
    assert ended("Shuffle") == ((CycleEnded(AT, 201, Cycle.SHUFFLE, Result.DONE, 52),), "")
    assert ended("Count", machine=51) == ((CycleEnded(AT, 201, Cycle.COUNT, Result.DONE, 51),), "")
    assert ended("Places", machine=40, exit_id=201) == ((PlacesSet(AT, 201),), "")
    few = msgspec.structs.replace(RECORD, machine=12)
    assert ended("Return", few, machine=52) == ((CycleEnded(AT, 201, Cycle.RETURN, Result.DONE, 40),), "")


def test_a_shuffle_of_another_number_is_told_with_the_number() -> None:
    told, why = ended("Shuffle", cmd_result=Code.WRONG_NUMBER, machine=51)
    assert (told, why) == ((CycleEnded(AT, 201, Cycle.SHUFFLE, Result.WRONG_NUMBER, 51),), "")


def test_an_end_that_leaves_the_cards_elsewhere_than_it_should_is_told_and_strange() -> None:
    assert ended("Dispense", machine=50, exit_id=201) == ((CardUp(AT, 201),), "machine")
    assert ended("Release", UP, machine=51, exit_id=201) == ((CardPassed(AT, 202, 201),), "exit")
    counted = msgspec.structs.replace(UP, out_total=1000)
    assert ended("Release", counted, machine=51, exit_id=0, out_total=1002)[1] == "out"


def test_without_a_gate_a_dispensed_card_is_out() -> None:
    told, why = ended("Dispense", caps=FULL_CAPS & ~Cap.GATE, machine=51)
    assert (told, why) == ((CardUp(AT, 201), CardPassed(AT, 201, 201)), "")


@pytest.mark.parametrize(
    ("result", "told"),
    [(Code.NO_FEED, Misfed(AT, 201, Result.NO_FEED)), (Code.OUTLET_FULL, CommandVoid(AT, 201, "outlet_full"))],
)
def test_what_failed_moved_nothing_and_is_final(result, told) -> None:
    assert ended("Dispense", cmd_state=FAILED, cmd_result=result) == ((told,), "")


@pytest.mark.parametrize(
    ("result", "told"),
    [
        (Code.DOUBLE_FEED, Result.DOUBLE_FEED),
        (Code.JAM, Result.JAM),
        (Code.INTERRUPTED, Result.UNCERTAIN),
    ],
)
def test_where_nobody_knows_where_the_card_is_only_places_helps(result, told) -> None:
    outcome = ended("Dispense", cmd_state=UNCERTAIN, cmd_result=result)
    assert outcome == ((Misfed(AT, 201, told),), told.value)
    strange = msgspec.structs.replace(RECORD, settled=201, strange=told.value)
    assert ended("Places", strange, machine=51, exit_id=201) == ((PlacesSet(AT, 202),), "")


def test_a_cycle_cut_short_leaves_the_content_to_be_proved() -> None:
    cut = {"cmd_state": CommandState.INTERRUPTED, "cmd_result": Code.INTERRUPTED, "machine": 0xFF}
    told, why = ended("Shuffle", locks=Lock.CONTENT, **cut)
    assert (told, why) == ((CycleEnded(AT, 201, Cycle.SHUFFLE, Result.INTERRUPTED, 0),), "content")


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("Release", Misfed(AT, 201, Result.UNCERTAIN)),
        ("Count", CycleEnded(AT, 201, Cycle.COUNT, Result.INTERRUPTED, 0)),
        ("Places", CommandVoid(AT, 201, "epoch")),
    ],
)
def test_what_was_owed_to_a_memory_that_was_wiped_is_for_a_person_to_settle(kind, told) -> None:
    wiped = status(epoch=0xABC, cmd_id=0, locks=Lock.WIPED | Lock.CONTENT, machine=0xFF)
    verdict = judge(RECORD, owed(kind), wiped, AT, FULL_CAPS)
    assert (verdict.told, verdict.owed, verdict.record.strange) == ((told,), None, "epoch")


def test_places_in_the_new_epoch_makes_the_records_equal_again() -> None:
    strange = msgspec.structs.replace(RECORD, strange="epoch")
    seen = status(epoch=0xABC, fence=2, cmd_id=201, cmd_result=Code.SET, machine=50)
    verdict = judge(strange, Owed(201, "Places", 0xABC, 2), seen, AT, FULL_CAPS)
    assert verdict.told == (PlacesSet(AT, 201),)
    assert is_armable(verdict.record, seen)


def test_a_device_past_the_owed_id_has_another_history() -> None:
    verdict = judge(RECORD, owed("Dispense"), status(cmd_id=300), AT, FULL_CAPS)
    assert verdict.told == (Misfed(AT, 201, Result.UNCERTAIN),)
    assert verdict.record.strange == "ahead"


@pytest.mark.parametrize("number", [0x3F, 0x99, 0xFF])
def test_numbers_that_mean_nothing_yet_settle_safely(number) -> None:
    told, why = ended("Dispense", cmd_state=number, cmd_result=number)
    assert (told, why) == ((Misfed(AT, 201, Result.UNCERTAIN),), "uncertain")
    assert ended("Dispense", cmd_state=FAILED, cmd_result=number)[0] == (CommandVoid(AT, 201, f"code {number:02x}"),)


@pytest.mark.parametrize(
    ("changes", "old"),
    [
        ({}, False),
        ({"fence": 95, "tick": 9000}, True),
        ({"fence": 97, "tick": 10}, False),
        ({"tick": 4999}, True),
        ({"tick": 5001}, False),
        ({"cmd_state": CommandState.MOVING}, True),
        ({"cmd_id": 199}, True),
        ({"cmd_id": 201, "cmd_state": CommandState.MOVING}, False),
    ],
)
def test_a_copy_that_the_line_kept_back_is_known_by_fence_and_tick(changes, old) -> None:
    assert is_old(status(**changes), REST) is old


def test_the_tick_may_wrap() -> None:
    assert is_old(status(tick=0xFFFFFFF0), status(tick=3))
    assert not is_old(status(tick=3), status(tick=0xFFFFFFF0))
