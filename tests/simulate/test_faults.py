"""Every kind of fault is told, nothing leaves meanwhile, and nothing is held for nothing."""

import io

import pytest

from dealerbox.simulate import faults
from dealerbox.simulate.faults import KINDS
from dealerbox.simulate.run import Findings, simulate

STRANGE = ("foreign_card", "joker_present", "other_deck")


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in STRANGE])
def test_each_fault_is_held(kind: str) -> None:
    findings = Findings()
    summary = simulate(20, "2-10", seed=12, faults=[kind], findings=findings)
    assert summary.faults[kind].injected >= 5
    assert summary.faults[kind].held == summary.faults[kind].injected
    assert findings == Findings()


@pytest.mark.parametrize("kind", STRANGE)
def test_a_strange_tag_brought_to_the_table_is_held(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "IN_DECK", 0.0)
    findings = Findings()
    summary = simulate(20, "2-10", seed=12, faults=[kind], findings=findings)
    assert summary.faults[kind].held == summary.faults[kind].injected >= 5
    assert findings == Findings()


@pytest.mark.parametrize("kind", STRANGE)
def test_a_strange_tag_in_the_deck_makes_it_defective(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "IN_DECK", 1.0)
    findings = Findings()
    summary = simulate(20, "2-10", seed=12, faults=[kind], findings=findings)
    assert summary.faults[kind].held == summary.faults[kind].injected >= 5
    assert findings == Findings()


def test_faults_of_many_kinds_give_the_same_log_for_the_same_seed() -> None:
    kinds = [kind for kind in KINDS if kind not in STRANGE]
    logs = []
    for _ in range(2):
        log = io.StringIO()
        simulate(25, "2-10", seed=4, faults=kinds, log=log)
        logs.append(log.getvalue())
    assert logs[0] == logs[1]
