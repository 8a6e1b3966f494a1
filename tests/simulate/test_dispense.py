"""Evenings dealt in groups and by hand (1809, C4), judged; and engines that let such a table down are found."""

import pytest
from msgspec.structs import replace

from dealerbox.engine.step import step
from dealerbox.model.commands import Hold
from dealerbox.model.events import CardsGone, CardsSeen
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import Dispense
from dealerbox.model.zones import EXIT
from dealerbox.simulate.faults import KINDS
from dealerbox.simulate.faults_by_hand import BY_HAND, kinds_of
from dealerbox.simulate.faults_of_clocks import CLOCKS
from dealerbox.simulate.faults_premature import STREETS
from dealerbox.simulate.faults_told import TOLD
from dealerbox.simulate.run import ENGINE, Findings, Standstill, simulate


def played(way, hands, faults=(), decide=step, seed=7, level="events", shuffler="twin"):
    findings = Findings()
    engine = replace(ENGINE, step=decide)
    try:
        simulate(hands, "2-10", seed, faults, level, engine=engine, findings=findings, shuffler=shuffler, dispense=way)
    except Standstill as standstill:
        findings.puzzled.append(str(standstill))
    return findings


def found(findings):
    return [*findings.unlawful, *findings.missed, *findings.false, *findings.puzzled, *findings.unfaithful]


@pytest.mark.parametrize("way", ["group", "hand"])
def test_lawful_hands_dealt_so_end_without_a_finding(way) -> None:
    assert found(played(way, 25)) == []


@pytest.mark.parametrize("way", ["group", "hand"])
def test_what_goes_wrong_is_told_and_put_right(way) -> None:
    assert found(played(way, 45, ["all"])) == []


@pytest.mark.parametrize("way", ["group", "hand"])
def test_the_same_over_the_wires(way) -> None:
    assert found(played(way, 2, level="wires")) == []


def test_people_over_the_wires_wait_for_their_key_to_be_taken_and_for_the_lamp_before_they_go_on() -> None:
    findings = Findings()
    faults = ["other_burn", "wrong_seat"]
    simulate(3, "2-4", 1, faults, level="wires", findings=findings, dispense="hand")
    assert found(findings) == []


@pytest.mark.parametrize("faults", [(), ("third_card", "wrong_zone"), ("foreign_card",)])
def test_the_same_with_a_machine_that_only_shuffles(faults) -> None:
    assert found(played("hand", 2, faults, level="wires", shuffler="reshuffled")) == []


def test_a_machine_that_only_shuffles_lets_out_no_card() -> None:
    with pytest.raises(ValueError, match="'reshuffled' deals no card: ask for dispense hand"):
        played("single", 1, level="wires", shuffler="reshuffled")


def test_what_asks_for_a_machine_cannot_happen_by_hand() -> None:
    assert kinds_of(Dispense.GROUP) == kinds_of(Dispense.SINGLE) == (*KINDS, *CLOCKS, *TOLD, *STREETS)
    assert set(BY_HAND) < set(kinds_of(Dispense.HAND))
    with pytest.raises(ValueError, match="unknown fault manual; known: "):
        simulate(1, faults=["manual"], dispense="hand")


# Engines with one fault each.


def says_nothing_of_a_third_card(state, event):
    state, commands = step(state, event)
    held = tuple(h for h in state.holds if h.reason is not Reason.TOO_MANY_CARDS)
    told = tuple(c for c in commands if not (isinstance(c, Hold) and c.reason is Reason.TOO_MANY_CARDS))
    return replace(state, holds=held), told


def takes_a_card_for_dealt_once_it_left_the_exit(state, event):
    state, commands = step(state, event)
    if isinstance(event, CardsGone) and event.zone == EXIT and state.released is not None:
        state, more = step(state, CardsSeen(event.at_ns, state.released.step.zone, (state.released.token,)))
        commands += more
    return state, commands


def holds_the_second_of_each_group(state, event):
    before = state.along
    state, commands = step(state, event)
    if state.along and not before:
        commands += (Hold(key=state.memory.hold_key + 1, reason=Reason.CARD_STRAYED, clause="1804B(10)"),)
    return state, commands


@pytest.mark.parametrize(
    ("way", "faults", "decide", "kind"),
    [
        ("hand", ["third_card"], says_nothing_of_a_third_card, "missed"),
        ("group", [], takes_a_card_for_dealt_once_it_left_the_exit, "unlawful"),
        ("group", [], holds_the_second_of_each_group, "false"),
    ],
)
def test_an_engine_that_lets_such_a_table_down_is_found(way, faults, decide, kind) -> None:
    assert getattr(played(way, 12, faults, decide), kind)
