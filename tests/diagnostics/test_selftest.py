"""The whole table, guided: every part in turn, and what cannot be had is not called right."""

import asyncio
from typing import Any

import pytest

from dealerbox.diagnostics import clock, selftest
from dealerbox.diagnostics.borrowed import NotAllowed
from dealerbox.diagnostics.verdict import Nobody, Step, Verdict
from dealerbox.ports import DeviceGone


async def at_once(seconds: float) -> None:
    """Let no time pass."""


CLOCKS = clock.Clocks(wait=at_once, battery_s=lambda: None, synced=lambda: True)


@pytest.fixture
def guided(table, device, steps_of, monkeypatch) -> Any:
    """`guided(refused)`: a self-test without a person at a small table; `refused` borrows nothing."""

    def play(refused: bool = False) -> list[Step]:
        table.devices(
            device("shuffler", "shuffler-v1", port="/dev/shuffler"),
            device("left", "feig", port="/dev/left", zones={1: "seat:1"}),
            device("panel", "panel-pins"),
            device("button", "button-pins", seats={1: 4, 2: 12}),
        )
        if refused:

            def none(config, name, **more):
                raise NotAllowed("take the table first")

            monkeypatch.setattr("dealerbox.diagnostics.selftest.borrowed", none)
        monkeypatch.setattr("dealerbox.diagnostics.journal.WRITES", 3)

        def no_pins() -> Any:
            raise DeviceGone("pins: no GPIO chip here")

        table.config.state_dir.mkdir()
        return steps_of(lambda: selftest.guided(table.config, Nobody(), pin_factory=no_pins, clocks=CLOCKS))

    return play


def test_every_part_is_there_and_without_a_person_nothing_that_needs_one_is_right(guided) -> None:
    steps = guided()
    parts = {step.code.partition("-")[0] for step in steps}
    assert parts == {"clock", "watchdog", "journal", "link", "panel", "button", "reader", "shuffler"}
    needs_hands = [
        step for step in steps if step.code in ("reader-empty", "shuffler-feed", "panel-rest", "button-rest")
    ]
    assert {step.verdict for step in needs_hands} == {Verdict.UNTESTED}
    assert {step.about for step in steps if step.code == "link-exchanges"} == {"shuffler", "left"}


def test_where_the_table_is_not_had_each_part_says_so(guided) -> None:
    said = {step.code: step for step in guided(refused=True) if step.found == "take the table first"}
    assert set(said) == {"link-exchanges", "panel-rest", "button-rest", "reader-answers", "shuffler-answers"}
    assert {step.verdict for step in said.values()} == {Verdict.UNTESTED}


def test_unattended_without_a_station_wires_are_asked_and_nothing_moves(table, device, steps_of) -> None:
    table.devices(device("shuffler", "shuffler-v1", port="/dev/shuffler"))
    path = str(table.config.socket)
    steps = steps_of(lambda: selftest.unattended(path, table.config, CLOCKS))
    verdicts = {(step.code, step.about): step.verdict for step in steps}
    assert verdicts["station-answers", ""] is Verdict.FAILED
    assert verdicts["link-exchanges", "shuffler"] is Verdict.PASSED
    assert table.twins["shuffler"].state.record.cmd_id == 0
    assert table.twins["shuffler"].state.record.session == 0


def test_a_loan_that_ends_ends_the_test_of_what_was_lent(table, device, steps_of, monkeypatch) -> None:
    """A station that was started anew has its shuffler back: nothing more may be asked of it."""
    table.devices(device("shuffler", "shuffler-v1", port="/dev/shuffler"))
    over = asyncio.Event()

    class Ends(Nobody):
        def progress(self, what: str, part: float) -> None:
            if what == "asking":
                over.set()

    async def ended(loan) -> None:
        await over.wait()
        raise DeviceGone("the station has ended, and the loan with it")

    monkeypatch.setattr("dealerbox.diagnostics.borrowed.Loan.ended", ended)
    with pytest.raises(DeviceGone, match="the loan with it"):
        steps_of(lambda: selftest.guided(table.config, Ends(), clocks=CLOCKS))
