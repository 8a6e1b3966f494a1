"""The same people and the same judge over the daemon's own coroutines, codecs and polls."""

import io
import subprocess

import pytest

from dealerbox.simulate.run import Findings, simulate
from dealerbox.simulate.wire_journal import CrashJournal
from dealerbox.station.entry import decode
from dealerbox.station.replay import play
from dealerbox_drivers.shuffler.twin_reference import BUILT

OVER_WIRES = ["wrong_seat", "burn_extra", "card_strayed", "button_moved", "device_lost", "restarted", "misdeal"]


@pytest.fixture(params=["twin", "reference"])
def shuffler(request) -> str:
    """Who stands at the far side of the shuffler's wire."""
    if request.param == "reference":
        subprocess.run(["make", "-s", "-C", str(BUILT.parents[1]), "build/shuffler"], check=True)
    return request.param


def test_lawful_hands_over_wires_are_held_only_until_the_new_shuffler_is_known(shuffler) -> None:
    findings = Findings()
    summary = simulate(2, "3", seed=3, level="wires", findings=findings, shuffler=shuffler)
    assert summary.hands == 2
    assert summary.cards_released >= 12
    assert summary.holds == 1
    assert findings == Findings()


def test_faults_over_wires_are_held(shuffler) -> None:
    findings = Findings()
    summary = simulate(7, "3-4", seed=5, level="wires", faults=OVER_WIRES, findings=findings, shuffler=shuffler)
    assert sum(count.injected for count in summary.faults.values()) >= 6
    assert [kind for kind, count in summary.faults.items() if count.held < count.injected] == []
    assert findings == Findings()


def test_the_same_seed_gives_the_same_log_over_wires(shuffler) -> None:
    logs = []
    for _ in range(2):
        log = io.StringIO()
        simulate(1, "2", seed=8, level="wires", faults=["restarted"], log=log, shuffler=shuffler)
        logs.append(log.getvalue())
    assert logs[0] == logs[1]
    assert '"event":"CardPassed"' in logs[0]


def test_a_shuffler_that_is_none_is_refused_and_one_in_c_needs_a_wire() -> None:
    with pytest.raises(ValueError, match=r"unknown shuffler 'robot'; known: twin, reference, reshuffled"):
        simulate(1, level="wires", shuffler="robot")
    with pytest.raises(ValueError, match="ask for level wires"):
        simulate(1, shuffler="reference")


def test_daemons_that_die_while_they_write_leave_a_log_that_replays(monkeypatch) -> None:
    lost: list[bytes] = []
    cut = CrashJournal.cut

    def watched(journal: CrashJournal, keep: int | None = None) -> int:
        before = list(journal.records)
        number = cut(journal, keep)
        lost.extend(before[len(before) - number :])
        return number

    monkeypatch.setattr(CrashJournal, "cut", watched)
    log, findings = io.StringIO(), Findings()
    simulate(6, "2-4", seed=1, level="wires", faults=["restarted"], log=log, findings=findings)
    assert findings == Findings()
    decisions = list(play((line.encode() for line in log.getvalue().splitlines(keepends=True)), "evening"))
    assert [decision.line for decision in decisions if decision.commands != decision.expected] == []
    events = [decision.event for decision in decisions]
    assert lost
    assert [payload for payload in lost if decode(payload).event in events] == []
