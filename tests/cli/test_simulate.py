"""`dealerbox simulate`: one line of JSON at the end, 0 when nothing was wrong, 1 when something was."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dealerbox.model.setup import Dispense
from dealerbox.simulate import run
from dealerbox.simulate.faults_by_hand import kinds_of
from dealerbox.simulate.run import Standstill, Summary

KEYS = [
    "level", "hands", "cards_released", "holds", "unlawful_releases", "missed", "false_holds",
    "faults", "seed", "virtual_s", "wall_s",
]  # fmt: skip


def test_a_simulation_ends_with_one_line_of_json(dealerbox: Any) -> None:
    answer = dealerbox("simulate", "--hands", "2", "--seats", "3", "--seed", "5")
    assert (answer.code, answer.err) == (0, "")
    *words, line = answer.out.splitlines()
    summary = msgspec.json.decode(line)
    assert list(summary) == KEYS
    assert (summary["hands"], summary["seed"]) == (2, 5)
    looked_into = f"{summary['holds']} holds: not_empty {summary['holds']}"  # the machine that was switched on (S2)
    assert words == [f"2 hands, {summary['cards_released']} cards let out, {looked_into}"]


def test_json_is_the_line_alone(dealerbox: Any) -> None:
    answer = dealerbox("simulate", "--hands", "1", "--seats", "2", "--json")
    assert list(msgspec.json.decode(answer.out)) == KEYS


def test_a_fault_is_told_with_how_often_it_was_injected_and_told(dealerbox: Any) -> None:
    answer = dealerbox("simulate", "--hands", "2", "--seats", "3", "--fault", "wrong_seat")
    assert answer.code == 0
    assert " holds: not_empty 2, wrong_seat " in answer.out.splitlines()[0]
    assert re.match(r"fault wrong_seat: \d done, \d told by a hold, a refusal or a notice", answer.out.splitlines()[1])


def test_of_faults_not_done_the_names_are_enough(dealerbox: Any) -> None:
    answer = dealerbox("simulate", "--hands", "1", "--seats", "3", "--fault", "all")
    faults = [line for line in answer.out.splitlines() if line.startswith("fault ")]
    (undone,) = (line for line in answer.out.splitlines() if line.startswith("not done in so few hands: "))
    assert len(faults) + len(undone.split(", ")) == len(kinds_of(Dispense.SINGLE))
    assert not any(" 0 done" in line for line in faults)


def test_a_simulated_night_replays_as_it_was_decided(dealerbox: Any, tmp_path: Path) -> None:
    log = f"{tmp_path}/night.jsonl"
    assert dealerbox("simulate", "--hands", "1", "--seats", "2", "--log", log).code == 0
    answer = dealerbox("replay", "--expect", log)
    assert answer.code == 0
    assert answer.err.startswith(f"{log}: equal: ")


BAD = [
    (("--fault", "wrong_sit"), "unknown fault wrong_sit; known: "),
    (("--seats", "1"), "seats '1': between 2 and 10"),
    (("--seats", "6-3"), "seats '6-3': the least comes first, as in 3-6"),
    (("--fault", ""), "--fault names nothing: leave it out, or name a kind, or all"),
    (("--seats", "many"), "seats 'many': a number, or two like 2-10"),
    (("--hands", "0"), "Invalid value for '--hands': 0 is not in the range x>=1."),
    (("--level", "bytes"), "Invalid value for '--level': 'bytes' is not one of 'wires', 'events'."),
]


@pytest.mark.parametrize(("options", "sentence"), BAD)
def test_an_option_that_makes_no_sense_is_a_matter_of_usage(
    dealerbox: Any, options: tuple[str, ...], sentence: str
) -> None:
    answer = dealerbox("simulate", *options)
    assert answer.code == 2
    assert f"Error: {sentence}" in answer.err


def test_a_log_that_cannot_be_written_is_one_sentence_and_66(dealerbox: Any, tmp_path: Path) -> None:
    answer = dealerbox("simulate", "--log", f"{tmp_path}/no/night.jsonl")
    assert answer == (66, "", f"{tmp_path}/no/night.jsonl: no such file or directory; check the path\n")


WRONG = ["unlawful_releases", "missed", "false_holds"]


@pytest.mark.parametrize("wrong", WRONG)
def test_whatever_was_wrong_is_shown_and_1(dealerbox: Any, monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    def played(*_: Any, findings: run.Findings, **__: Any) -> Summary:
        findings.missed.append("evening 1:1, a card too many")
        counts = {**dict.fromkeys(WRONG, 0), wrong: 1}
        return Summary(
            level="events", hands=1, cards_released=4, holds=0, faults={}, seed=1, virtual_s=1, wall_s=1, **counts
        )

    monkeypatch.setattr(run, "simulate", played)
    answer = dealerbox("simulate")
    assert answer.code == 1
    assert "missed: evening 1:1, a card too many" in answer.out


def test_a_standstill_is_told_and_1(dealerbox: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def played(*_: Any, **__: Any) -> Summary:
        raise Standstill("evening 1:1 stands still")

    monkeypatch.setattr(run, "simulate", played)
    assert dealerbox("simulate") == (1, "", "evening 1:1 stands still\n")
