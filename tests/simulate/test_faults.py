"""Every kind of fault is told, nothing leaves meanwhile, and nothing is held for nothing."""

import io

import pytest
from msgspec.structs import replace

from dealerbox.model.keys import Key
from dealerbox.simulate import faults
from dealerbox.simulate.faults import KINDS
from dealerbox.simulate.faults_of_clocks import CLOCKS
from dealerbox.simulate.run import Findings, simulate
from dealerbox.simulate.table import EventTable

STRANGE = ("foreign_card", "joker_present", "other_deck")


@pytest.mark.parametrize("kind", [*KINDS, *CLOCKS])
def test_each_fault_is_told_in_a_sentence(kind: str) -> None:
    said = {**KINDS, **CLOCKS}[kind].do.__doc__ or ""
    assert said[:1].isupper()
    assert said.endswith(".")


@pytest.mark.parametrize("kind", [kind for kind in (*KINDS, *CLOCKS) if kind not in STRANGE])
def test_each_fault_is_held(kind: str) -> None:
    findings = Findings()
    summary = simulate(20, "2-10", seed=12, faults=[kind], findings=findings)
    assert summary.faults[kind].injected >= 5
    assert summary.faults[kind].held == summary.faults[kind].injected
    assert findings == Findings()


def test_a_card_that_is_asked_for_already_is_not_made_silent() -> None:
    """H10: a slow dealer's card is told before anything is wrong with it, and once; what comes later were no news."""
    slow_in_the_fifteenth = simulate(16, "2-10", seed=2, faults=["card_unseen"]).faults["card_unseen"]
    assert slow_in_the_fifteenth.held == slow_in_the_fifteenth.injected


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


def test_an_undo_that_comes_when_a_card_is_out_is_refused_and_the_hand_is_played(monkeypatch) -> None:
    monkeypatch.setattr(faults, "TAKEN_BACK_S", (1.0, 1.5))
    findings = Findings()
    summary = simulate(8, "2-10", seed=12, faults=["undo"], findings=findings)
    assert summary.hands == 8
    assert summary.faults["undo"].injected >= 3
    assert findings == Findings()


def test_faults_of_many_kinds_give_the_same_log_for_the_same_seed() -> None:
    kinds = [kind for kind in (*KINDS, *CLOCKS) if kind not in STRANGE]
    logs = []
    for _ in range(2):
        log = io.StringIO()
        simulate(25, "2-10", seed=4, faults=kinds, log=log)
        logs.append(log.getvalue())
    assert logs[0] == logs[1]


def test_a_shuffle_that_ends_while_somebody_reaches_for_start_leaves_no_fault_untold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Near the end of a shuffle START may come in time after all, or before the button has moved."""
    findings = Findings()
    press = EventTable.press

    def hesitates(table: EventTable, key: Key, seat: int = 0, badge: str = "") -> None:
        if key is Key.START and table.view().prompt_code == "shuffling":
            table.time.after(11.0, lambda: press(table, key, seat, badge))
        else:
            press(table, key, seat, badge)

    monkeypatch.setattr(EventTable, "press", hesitates)
    summary = simulate(30, "2-10", seed=1, faults=["not_shuffled", "misdeal"], findings=findings)
    assert summary.hands == 30
    assert findings.unlawful == findings.missed == findings.false == []


def test_people_who_are_asked_to_empty_the_machine_do_so_without_a_hold_too(monkeypatch: pytest.MonkeyPatch) -> None:
    findings = Findings()
    opened = replace(KINDS["door_opened"], moments=("gather",), reasons=frozenset(), fits=lambda dealer: True)
    monkeypatch.setitem(KINDS, "door_opened", opened)
    summary = simulate(12, "2-4", seed=3, faults=["door_opened"], findings=findings)
    assert summary.hands == 12
    assert summary.faults["door_opened"].injected >= 2
    assert findings == Findings()
