"""The shuffler over its twin: a gate that does not lock, a dead sensor, a bad feed, a wrong count are each caught."""

from typing import Any

import pytest

from dealerbox.diagnostics.shuffler import Counters, counters, shuffler
from dealerbox.diagnostics.verdict import Nobody, Step, Verdict
from dealerbox.model.shuffler import Cap
from dealerbox_drivers.felt import BEHIND_GATE, HAND, MACHINE, OUTLET
from dealerbox_drivers.shuffler.messages import Sensor
from dealerbox_drivers.shuffler.twin_machine import Feed, Push

PORT = "/dev/shuffler"
DECK = 12


@pytest.fixture
def person(table, reads) -> Any:
    """Does with cards and door what he is told; `sees` is what he says of the gate."""

    def does(what: str) -> None:
        felt, twin = table.felt, table.twins["shuffler"]
        if "Take every card out" in what:
            twin.open_door()
            for place in (MACHINE, BEHIND_GATE, OUTLET, "infeed"):
                for uid in felt.at(place):
                    felt.put(uid, HAND)
            twin.open_door(is_open=False)
        elif what == "Open the door.":
            twin.open_door()
        elif what == "Shut the door.":
            twin.open_door(is_open=False)
        elif "into the infeed" in what:
            for uid in (*felt.at("box"), *felt.at(HAND))[:DECK]:
                felt.put(uid, "infeed")
        elif "out of the outlet" in what:
            for uid in felt.at(OUTLET):
                felt.put(uid, HAND)

    return reads(does)


@pytest.fixture
def played(table, device, steps_of, person) -> Any:
    """`played(spoil)`: what comes of the test when `spoil(twin)` is wrong with the machine from its start."""

    def play(spoil=lambda twin: None, who=person, since=None) -> list[Step]:
        table.devices(device("shuffler", "shuffler-v1", port=PORT))
        table.spoils[PORT] = spoil
        return steps_of(lambda: shuffler(table.loan("shuffler"), who, DECK, since))

    return play


def wrong(steps: list[Step]) -> list[str]:
    return [step.code for step in steps if step.verdict is Verdict.FAILED]


def test_a_sound_machine_passes_every_step(played) -> None:
    steps = played()
    assert wrong(steps) == []
    assert {step.verdict for step in steps} == {Verdict.PASSED}
    assert [step.code.removeprefix("shuffler-") for step in steps] == [
        "answers", "counters", "rest", "door", "empty", "return", "count", "shuffle", "feed", "gate-shut", "gate-opens",
        "exit", "back",
    ]  # fmt: skip


def gate_does_not_lock(twin) -> None:
    twin.machine.shut_gate = lambda: None


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda twin: twin.force(Sensor.GATE_LOCKED, False), "rest"),
        (gate_does_not_lock, "feed"),
        (lambda twin: twin.force(Sensor.DOOR_OPEN, False), "door"),
        (lambda twin: twin.machine.faults.miscount_by(1), "empty"),
        (lambda twin: twin.machine.faults.feeds.append(Feed.NONE), "feed"),
        (lambda twin: twin.machine.faults.feeds.append(Feed.TWO_PULSES), "feed"),
        (lambda twin: twin.force(Sensor.BEHIND_GATE, False), "feed"),
        (lambda twin: twin.machine.faults.pushes.extend([Push.ALL] * 4 + [Push.NOTHING]), "gate-opens"),
        (lambda twin: twin.force(Sensor.OUTLET, False), "exit"),
        (lambda twin: twin.machine.faults.stick(1), "back"),
    ],
)
def test_a_seeded_fault_is_caught_by_its_step(played, spoil, code) -> None:
    failed = wrong(played(spoil))
    assert failed[0] == f"shuffler-{code}"


def test_what_comes_after_a_failed_step_is_not_called_right(played) -> None:
    steps = played(lambda twin: twin.machine.faults.feeds.append(Feed.NONE))
    after = steps[[step.code for step in steps].index("shuffler-feed") + 1 :]
    assert {step.verdict for step in after} == {Verdict.UNTESTED}
    assert after[0].found == "shuffler-feed comes first"


@pytest.mark.parametrize(("says", "verdict"), [(False, Verdict.FAILED), (None, Verdict.UNTESTED)])
def test_a_gate_that_gives_way_is_the_persons_to_tell(played, person, says, verdict) -> None:
    person._sees = says
    (gate,) = [step for step in played() if step.code == "shuffler-gate-shut"]
    assert gate.verdict is verdict


def test_where_nobody_is_nothing_moves(played, table) -> None:
    steps = played(who=Nobody())
    moved = {step.verdict for step in steps if step.code not in ("shuffler-answers", "shuffler-counters")}
    assert moved == {Verdict.UNTESTED}
    assert table.twins["shuffler"].state.record.cmd_id == 0


def test_a_machine_without_gate_and_sensors_is_not_called_right_there(played, table) -> None:
    def spoil(twin) -> None:
        twin.power_off()
        twin.caps = twin.machine._caps = twin.caps & ~(Cap.GATE | Cap.DOOR_SENSOR | Cap.OUTLET_SENSOR)
        twin.power_on()

    steps = {step.code: step.verdict for step in played(spoil)}
    for name in ("door", "gate-shut", "gate-opens", "exit", "back"):
        assert steps[f"shuffler-{name}"] is Verdict.UNTESTED
    assert steps["shuffler-feed"] is Verdict.PASSED


def test_its_counters_are_compared_with_those_of_the_last_service(played) -> None:
    steps = played()
    told = counters(steps)
    assert told == Counters(0xA1B2C3D4, 0, 1)


@pytest.mark.parametrize(
    ("since", "said", "verdict"),
    [
        (Counters(0xA1B2C3D4, 0, 1), "since the last service 0 and 0", Verdict.PASSED),
        (Counters(0xA1B2C3D4, 7, 1), "since the last service -7 and 0", Verdict.FAILED),
        (Counters(9, 0, 0), "the last service was on another machine, 9", Verdict.FAILED),
    ],
)
def test_counters_that_went_back_or_are_anothers_fail(played, since, said, verdict) -> None:
    step = played(since=since)[1]
    assert (step.verdict, said in step.found) == (verdict, True)


def test_a_shuffler_of_another_wire_is_not_tested_here(table, device, steps_of) -> None:
    table.devices(device("shuffler", "reshuffled", port=PORT, baud=9600))
    (step,) = steps_of(lambda: shuffler(table.loan("shuffler"), Nobody()))
    assert step.verdict is Verdict.UNTESTED


def test_it_names_its_firmware_as_the_list_and_a_capture_do(played) -> None:
    answers = played(who=Nobody())[0]
    assert answers.code == "shuffler-answers"
    assert ", firmware 00010203, " in answers.found


def test_a_machine_that_does_not_answer_fails(played) -> None:
    (step,) = played(lambda twin: twin.silence())
    assert (step.code, step.verdict) == ("shuffler-answers", Verdict.FAILED)
