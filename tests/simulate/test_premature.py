"""People deal a street too early and say so (1811(2), C6-C8, 1812); an engine that answers wrongly is found."""

import contextlib
from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from dealerbox.model.events import Event, KeyPressed
from dealerbox.model.keys import Key, Ruling
from dealerbox.simulate.faults_premature import ONLY_BURNED, STREETS
from dealerbox.simulate.run import ENGINE, Findings, Standstill, simulate
from dealerbox.simulate.table import EventTable


def played(hands: int, *kinds: str, seed: int = 1, dispense: str = "single", step: Any = None) -> Findings:
    findings = Findings()
    engine = replace(ENGINE, step=step) if step else ENGINE
    with contextlib.suppress(Standstill):
        simulate(hands, "2-8", seed, kinds, findings=findings, dispense=dispense, engine=engine)
    return findings


@pytest.mark.parametrize("kind", STREETS)
def test_it_is_told_in_a_sentence(kind: str) -> None:
    said = STREETS[kind].do.__doc__ or ""
    assert said[:1].isupper()
    assert said.endswith(".")


@pytest.mark.parametrize(
    ("dispense", "kind"),
    [
        *((way, kind) for way in ("single", "group") for kind in STREETS),
        *(("hand", kind) for kind in STREETS if kind != ONLY_BURNED),
    ],
)
def test_it_is_answered_by_its_procedure_and_nothing_is_let_out_meanwhile_1811_2(dispense: str, kind: str) -> None:
    findings = Findings()
    summary = simulate(14, "4-8", seed=9, faults=[kind], dispense=dispense, findings=findings)
    assert summary.faults[kind].held == summary.faults[kind].injected > 1
    assert findings == Findings()


def test_flop_turn_and_river_each_have_their_hands_C6_C7_C8() -> None:
    reasons: Counter[str] = Counter()
    simulate(40, "4-8", seed=2, faults=["premature"], reasons=reasons)
    assert min(reasons[f"premature_{street}"] for street in ("flop", "turn", "river")) > 2


def test_a_burn_that_came_too_early_by_hand_stays_where_it_is_1812(monkeypatch: pytest.MonkeyPatch) -> None:
    pressed: Counter[Key] = Counter()
    press = EventTable.press

    def counted(table: EventTable, key: Key, seat: int = 0, badge: str = "") -> None:
        pressed[key] += 1
        press(table, key, seat, badge)

    monkeypatch.setattr(EventTable, "press", counted)
    assert played(40, "early_burn", dispense="hand") == Findings()
    assert pressed[Key.PREMATURE] > 1
    assert pressed[Key.UNBURN] > 1


def test_the_director_lets_a_street_stand_that_was_acted_on_or_has_it_dealt_anew_1830(monkeypatch) -> None:
    ruled: Counter[Ruling] = Counter()
    rule = EventTable.rule

    def counted(table: EventTable, ruling: Ruling, why: str, **how: Any) -> None:
        ruled[ruling] += 1
        rule(table, ruling, why, **how)

    monkeypatch.setattr(EventTable, "rule", counted)
    assert played(20, "premature_late") == Findings()
    assert ruled[Ruling.STAND] > 1
    assert ruled[Ruling.TO_STUB] > 1


# Engines with one fault each.


def is_said(event: Event, key: Key) -> bool:
    return isinstance(event, KeyPressed) and event.key is key


def deaf(state: Any, event: Event) -> Any:
    """Takes PREMATURE for nothing, and does not say so."""
    return (state, ()) if is_said(event, Key.PREMATURE) else ENGINE.step(state, event)


def holds_for_nothing(state: Any, event: Event) -> Any:
    """Takes NEXT for PREMATURE too."""
    state, commands = ENGINE.step(state, event)
    if not is_said(event, Key.NEXT):
        return state, commands
    state, more = ENGINE.step(replace(state, street_acted=True), KeyPressed(event.at_ns, Key.PREMATURE))
    return state, (*commands, *more)


def takes_nothing_back(state: Any, event: Event) -> Any:
    """Goes on as soon as the card is aside, and never asks for it again."""
    return ENGINE.step(replace(state, waiting=()), event)


def asks_for_no_cut(state: Any, event: Event) -> Any:
    """Deals on from a stub that was shuffled and not cut (C16)."""
    return ENGINE.step(replace(state, cut_owed=False), event)


@pytest.mark.parametrize(
    ("kind", "step", "kept", "said"),
    [
        ("premature", deaf, "missed", "premature_"),
        ("premature_burn", deaf, "unlawful", "the round is not closed"),
        ("premature_late", deaf, "missed", "premature_late"),
        ("undo", holds_for_nothing, "false", "premature_late"),
        ("premature", takes_nothing_back, "unlawful", "not back in the stub"),
        ("premature", asks_for_no_cut, "unlawful", "waits for its cut"),
    ],
)
def test_an_engine_that_does_not_do_as_1811_2_says_is_found_P1(kind: str, step: Any, kept: str, said: str) -> None:
    findings = played(12, kind, step=step)
    assert any(said in line for line in getattr(findings, kept)), findings
