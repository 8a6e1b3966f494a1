"""Lawful hands from a second reading of the page, and the engine under them (P1, P2, P7)."""

import ast
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from bench.lawful import variations
from bench.lawful.counted import ELSEWHERE, never, readings, unexplained, unread
from bench.lawful.proof import Engine, prove
from bench.lawful.variations import FAULTS, NOT_YET, VARIATIONS, chosen
from dealerbox.engine.step import step
from dealerbox.model.commands import Hold, Notice, Release
from dealerbox.model.events import CardsSeen
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import BOARD, BURN, EXIT

DRIVER = {"proof.py", "counted.py", "__main__.py"}
NEEDS = {
    "misdeal_muck": ("folds",),
    "retrieve": ("folds",),
    "dead_card_back": ("folds",),
    "crossing": ("folds",),
    "early": ("folds",),
}
NEEDS |= {
    "too_many_flop": ("hand",),
    "round_open": ("manual",),
    "exposed_group": ("group",),
    "unburn": ("hand",),
    "find": ("folds", "burn_in_muck", "retrieve"),
    "unburn_other": ("hand", "unburn"),
    "rabbit": ("folds", "early"),
    "overdue": ("breaks",),
    "change": ("breaks",),
}


def played(hands: int, only: frozenset[str], engine=Engine):
    return prove(hands, "test", chosen(only), engine)


def seen_at_work(name: str):
    """Hands with this in them: a few, or as many more as it takes to find its moment."""
    only = frozenset({name, *NEEDS.get(name, ())})
    report = played(24, only)
    return report if report.done[name] else played(120, only)


@pytest.mark.parametrize("name", sorted(VARIATIONS.keys() - NOT_YET))
def test_lawful_hands_with_this_variation_alone_raise_nothing_that_the_page_does_not_ask_for(name) -> None:
    report = seen_at_work(name)
    assert dict(report.found) == {}
    assert report.done[name] > 0


@pytest.mark.parametrize("name", sorted(FAULTS.keys() - NOT_YET))
def test_this_irregularity_is_told_by_its_reason_and_nothing_is_let_out_meanwhile_P1(name) -> None:
    report = seen_at_work(name)
    assert dict(report.found) == {}
    assert report.done[name] > 0


def test_every_procedure_can_be_done_by_hand_too_C4() -> None:
    names = {"hand", "folds", "premature_flop", "premature_both", "premature_burn", "too_many_flop", "exposed"}
    report = played(90, frozenset({*names, "exposed_flop", "off_table"}))
    assert dict(report.found) == {}
    assert all(report.done[name] for name in names)


def test_lawful_hands_with_all_that_may_happen_in_them_raise_nothing_P2() -> None:
    report = prove(150, "all", chosen())
    assert (dict(report.found), report.hands) == ({}, 150)


def test_a_silent_card_among_those_that_are_shown_or_half_mucked_raises_nothing_H6_H10() -> None:
    names = {"single", "folds", "unidentified", "half_muck", "retrieve", "find"}
    report = prove(40, "silent", chosen(frozenset(names)))
    assert dict(report.found) == {}
    assert all(report.done[name] for name in names)


def test_a_cut_that_comes_due_while_one_card_of_two_lies_in_the_muck_is_answered_first_H6_C16() -> None:
    report = prove(40, "b", chosen(frozenset({"single", "door", "half_muck"})))
    assert dict(report.found) == {}
    assert report.done["half_muck"] > 0


@pytest.mark.parametrize("other", ["no_feed", "not_released"])
def test_with_a_silent_card_out_what_else_befalls_a_card_is_told_as_the_page_has_it_H10(other) -> None:
    names = {"single", "unidentified", other}
    report = prove(60, "unidentified", chosen(frozenset(names)))
    assert dict(report.found) == {}
    assert all(report.done[name] for name in names)


def test_the_same_hands_with_faults_raise_what_the_page_names_P1() -> None:
    assert dict(prove(150, "all", chosen(faults=True)).found) == {}


def test_same_seed_same_events() -> None:
    first, second = (prove(20, "same", chosen()) for _ in range(2))
    assert (first.events, first.done) == (second.events, second.done)


def test_the_list_of_what_is_not_done_yet_names_variations() -> None:
    assert VARIATIONS.keys() | FAULTS.keys() >= NOT_YET
    with pytest.raises(ValueError, match="no variation dancing"):
        chosen(frozenset({"dancing"}))


def test_every_reading_is_met_by_some_variation_or_said_to_be_met_elsewhere() -> None:
    everything = Counter(dict.fromkeys((*VARIATIONS, *FAULTS), 1))
    assert [number for number in unread(readings(everything, 1)) if number not in ELSEWHERE] == []
    nothing = Counter[str]()
    assert ELSEWHERE.keys() <= {*never(nothing), *unread(nothing)}


def test_what_hands_meet_is_counted_and_what_they_never_meet_is_named() -> None:
    report = played(12, frozenset({"folds", "misdeal"}))
    assert report.met["key misdeal"] == report.met["told misdeal"] == report.done["misdeal"] > 0
    assert "told dead_card_back" in unexplained(report.met)
    assert "told time_over" not in unexplained(report.met)


def test_the_generator_reads_no_line_of_law_or_engine() -> None:
    for path in Path(variations.__file__).parent.glob("*.py"):
        if path.name in DRIVER:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            for name in names:
                ours = name.startswith(("dealerbox.model", "bench.lawful"))
                assert ours or name.split(".")[0] in sys.stdlib_module_names, f"{path.name} imports {name}"


def test_a_log_of_a_finding_is_one_that_replay_reads(tmp_path) -> None:
    report = played(5, frozenset({"folds"}), lambda: Engine(forgets_the_burn))
    assert report.found
    report.write(tmp_path)
    log = next(tmp_path.glob("*.jsonl"))
    done = subprocess.run(
        [sys.executable, "-m", "dealerbox", "replay", log], capture_output=True, text=True, check=True
    )
    assert len(done.stdout.splitlines()) == len(log.read_text().splitlines())
    assert json.loads(log.read_text().splitlines()[0])["event"]["event"] == "Started"


# Engines with one fault each: the proof bites.


def forgets_the_burn(state, event):
    if isinstance(event, CardsSeen) and event.zone == BURN:
        event = replace(event, zone=BOARD)
    return step(state, event)


def holds_for_nothing(state, event):
    state, commands = step(state, event)
    if isinstance(event, CardsSeen) and event.zone == BOARD:
        commands += (Hold(key=99, reason=Reason.RECOUNT, clause="1804A(1)"),)
    return state, commands


def says_no_hold(state, event):
    state, commands = step(state, event)
    return state, tuple(c for c in commands if not isinstance(c, Hold))


def ends_every_hold_at_once(state, event):
    state, commands = step(state, event)
    return replace(state, holds=()), commands


def warns_of_everything(state, event):
    state, commands = step(state, event)
    if isinstance(event, CardsSeen) and event.zone == EXIT:
        commands += (Notice(Reason.CARD_STRAYED, "1812"),)
    return state, commands


def lets_nothing_out(state, event):
    state, commands = step(state, event)
    return state, tuple(c for c in commands if not isinstance(c, Release))


@pytest.mark.parametrize(
    ("engine", "only", "kind"),
    [
        (forgets_the_burn, "folds", "false_alarm"),
        (holds_for_nothing, "folds", "false_alarm"),
        (says_no_hold, "misplaced", "miss"),
        (ends_every_hold_at_once, "button_moved", "freed"),
        (warns_of_everything, "folds", "false_alarm"),
        (lets_nothing_out, "folds", "dead_end"),
    ],
)
def test_a_broken_engine_is_found(engine, only, kind) -> None:
    report = played(12, frozenset({only}), lambda: Engine(engine))
    assert {said.split(":")[0] for said in report.found} == {kind}
