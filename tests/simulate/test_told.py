"""What no reader sees and the dealer says: cards dead as they are dealt, and mucked hands that live again."""

import contextlib
from typing import Any

import pytest
from msgspec.structs import replace

from dealerbox.model.events import Event, KeyPressed, Ruled, Tick
from dealerbox.model.keys import Key, Ruling
from dealerbox.simulate import faults_told
from dealerbox.simulate.faults_told import IN_THE_AIR, TOLD
from dealerbox.simulate.run import ENGINE, Findings, Standstill, simulate
from dealerbox.simulate.truth_dead import REASONS


@pytest.mark.parametrize("kind", TOLD)
def test_it_is_told_in_a_sentence(kind: str) -> None:
    said = TOLD[kind].do.__doc__ or ""
    assert said[:1].isupper()
    assert said.endswith(".")


@pytest.mark.parametrize(
    ("dispense", "kind"),
    [
        *(("single", kind) for kind in TOLD),
        *(("group", kind) for kind in IN_THE_AIR),
        *(("hand", kind) for kind in TOLD if kind not in IN_THE_AIR),
    ],
)
def test_it_is_answered_by_its_procedure_and_nothing_is_let_out_meanwhile_1811_1_1820(dispense: str, kind: str) -> None:
    findings = Findings()
    summary = simulate(10, "4-8", seed=9, faults=[kind], dispense=dispense, findings=findings)
    assert summary.faults[kind].held == summary.faults[kind].injected > 0
    assert findings == Findings()


def test_a_card_that_no_machine_let_out_is_not_flashed_on_its_way() -> None:
    with pytest.raises(ValueError, match="unknown fault exposed_card"):
        simulate(1, faults=["exposed_card"], dispense="hand")


def deaf_to(*keys: Key | Ruling) -> Any:
    """Return an engine that takes these keys and rulings for nothing, and does not say so."""

    def step(state: Any, event: Event) -> Any:
        said = event.key if isinstance(event, KeyPressed) else event.ruling if isinstance(event, Ruled) else None
        return (state, ()) if said in keys else ENGINE.step(state, event)

    return replace(ENGINE, step=step)


@pytest.mark.parametrize(
    ("kind", "deaf"),
    [
        ("exposed_card", (Key.EXPOSED,)),
        ("exposed_lies", (Key.EXPOSED,)),
        ("faced_lies", (Key.FACED,)),
        ("retrieved", (Key.RETRIEVE, Ruling.RETRIEVE)),
        ("half_mucked", (Key.RETRIEVE,)),
    ],
)
def test_an_engine_that_is_deaf_to_it_holds_for_nothing(kind: str, deaf: tuple[Key | Ruling, ...]) -> None:
    findings = Findings()
    with contextlib.suppress(Standstill):
        simulate(24, "2-10", seed=12, faults=[kind], findings=findings, engine=deaf_to(*deaf))
    assert findings.false != []


@pytest.mark.parametrize("kind", ["exposed_lies", "off_table_lies", "faced_lies"])
def test_an_engine_that_lets_a_card_out_before_the_dead_one_is_aside_is_found_P1(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(faults_told, "HEARD_S", (2.5, 3.0))  # the dealer takes time to lay it aside

    def waits_for_nothing(state: Any, event: Event) -> Any:
        state, commands = ENGINE.step(state, event)
        if isinstance(event, KeyPressed) and event.key in REASONS and state.holds:
            state, commands = ENGINE.step(replace(state, holds=()), Tick(event.at_ns))
        return state, commands

    findings = Findings()
    with contextlib.suppress(Standstill):
        simulate(20, "2-6", seed=9, faults=[kind], findings=findings, engine=replace(ENGINE, step=waits_for_nothing))
    assert any("is dead and not aside" in line for line in findings.unlawful)
