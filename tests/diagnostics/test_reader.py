"""The readers over their twins: a deaf one, a silent one, a bleeding neighbour, a forgotten card are each caught."""

import re
from typing import Any

import pytest

from dealerbox.diagnostics.reader import readers
from dealerbox.diagnostics.verdict import Nobody, Step, Verdict
from dealerbox.station.virtual import virtual_clock
from dealerbox_drivers.felt import BOX

LEFT, MIDDLE = "/dev/left", "/dev/middle"
ZONES = ("seat:1", "seat:2", "board", "exit")


@pytest.fixture
def person(table, reads) -> Any:
    """Carries cards about as he is told."""
    cards = table.felt.at(BOX)

    def does(what: str) -> None:
        for uid in cards:
            if table.felt.place_of(uid) != BOX:
                table.felt.put(uid, BOX)
        if what.startswith("Lay one card on each"):
            for uid, zone in zip(cards[1:], what.partition(": ")[2].rstrip(".").split(", "), strict=False):
                table.felt.put(uid, "outlet" if zone == "exit" else zone)
        elif found := re.match(r"Lay one card on (\S+),", what):
            table.felt.put(cards[0], "outlet" if found[1] == "exit" else found[1])

    return reads(does)


@pytest.fixture
def walk(table, device, steps_of, person, monkeypatch) -> Any:
    """`walk(of, **settings of the first reader)`: what comes of the walk over four zones of two readers."""
    monkeypatch.setattr("dealerbox.diagnostics.reader.LOOKS", 12)

    def play(*of: str, bleeding=None, **settings) -> list[Step]:
        table.devices(
            device("left", "feig", port=LEFT, zones={1: "seat:1", 2: "seat:2"}, **settings),
            device("middle", "feig", port=MIDDLE, zones={1: "board", 2: "exit"}),
        )
        return steps_of(lambda: readers(table.loans(), person, of, clock=virtual_clock, bleeding=bleeding))

    return play


def failed(steps: list[Step]) -> set[tuple[str, str]]:
    return {(step.code, step.about) for step in steps if step.verdict is Verdict.FAILED}


def test_readers_without_a_fault_pass_every_step_and_no_tag_is_shown(walk, table, person) -> None:
    steps = walk()
    assert {step.verdict for step in steps} == {Verdict.PASSED}
    assert {(step.code, step.about) for step in steps} == {
        (f"reader-{code}", zone) for code in ("empty", "rate", "time", "bleeds", "gone", "together") for zone in ZONES
    }
    words = " ".join([*(step.found for step in steps), *person.asked, *person.shown])
    assert not any(uid in words for uid in table.felt.at(BOX))
    assert any("seat:1 1" in shown for shown in person.shown)


def test_one_zone_is_tested_against_each_neighbour(walk) -> None:
    steps = walk("seat:2")
    assert {step.about for step in steps} == {"seat:2"}
    assert {step.verdict for step in steps} == {Verdict.PASSED}


def test_a_neighbour_that_bleeds_is_named_with_who_reads_it(walk, table) -> None:
    table.near.bleeds["seat:2"] = ("board",)
    bleeding: dict = {}
    steps = walk("seat:2", bleeding=bleeding)
    assert failed(steps) == {("reader-bleeds", "board"), ("reader-together", "seat:2")}
    (bled,) = [step for step in steps if step.about == "board"]
    assert bled.found == "it is read at seat:2 in 100% of its looks too"
    assert bleeding["board"].keys() == {"board", "seat:2"}


def test_a_deaf_antenna_fails_with_what_the_reader_says(walk, table) -> None:
    table.spoils[LEFT] = lambda twin: twin.deaf.update({"seat:2": 0x84})
    steps = walk("seat:1", "seat:2")
    assert failed(steps) == {(f"reader-{code}", "seat:2") for code in ("empty", "rate", "together")}
    assert "status 84" in next(step.found for step in steps if step.code == "reader-rate" and step.about == "seat:2")


def test_an_antenna_that_sees_nothing_is_caught_by_its_reference_tag(walk, table) -> None:
    fixed = {1: "E00401500000AA01", 2: "E00401500000AA02"}
    table.near.fixed = {"seat:1": fixed[1]}
    steps = walk("seat:1", "seat:2", references=fixed)
    assert ("reader-reference", "seat:2") in failed(steps)
    assert ("reader-reference", "seat:1") not in failed(steps)


def test_a_silent_reader_fails_and_the_others_are_tested_all_the_same(walk, table) -> None:
    table.spoils[LEFT] = lambda twin: setattr(twin, "silent", True)
    steps = walk()
    assert failed(steps) == {("reader-answers", "left")}
    assert {step.about for step in steps if step.verdict is Verdict.PASSED} == {"board", "exit"}


def test_a_card_that_was_forgotten_is_read_where_none_should_lie(walk, table) -> None:
    table.near.fixed = {"board": "E00401500000AA09"}
    assert ("reader-empty", "board") in failed(walk())


def test_where_nobody_clears_the_table_nothing_is_called_right(table, device, steps_of) -> None:
    table.devices(device("left", "feig", port=LEFT, zones={1: "seat:1"}))
    (step,) = steps_of(lambda: readers(table.loans(), Nobody(), clock=virtual_clock))
    assert step.verdict is Verdict.UNTESTED
