"""Lawful play is never held, nothing leaves that may not, and the same seed plays the same evening."""

import io
from collections import Counter
from typing import Any

import pytest

from dealerbox.simulate.run import Findings, simulate


def test_lawful_hands_are_dealt_without_a_hold() -> None:
    findings, reasons = Findings(), Counter[str]()
    summary = simulate(30, "2-10", seed=3, findings=findings, reasons=reasons)
    assert summary.hands == 30
    assert summary.cards_released > 150
    assert findings == Findings()
    assert set(reasons) <= {"not_empty"}, "a machine is looked into before the first deck goes in (S2)"


def test_the_same_seed_gives_the_same_log_byte_for_byte() -> None:
    logs = []
    for seed in (5, 5, 6):
        log = io.StringIO()
        simulate(4, "2-10", seed=seed, log=log)
        logs.append(log.getvalue())
    assert logs[0] == logs[1] != logs[2]
    assert logs[0].startswith('{"seq":1,"event":{"event":"Started"')


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"seats": "1-4"}, "between 2 and 10"),
        ({"seats": "many"}, "a number, or two like 2-10"),
        ({"faults": ["gremlins"]}, "unknown fault gremlins"),
        ({"level": "dreams"}, "unknown level 'dreams'"),
    ],
)
def test_what_is_unknown_is_named(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        simulate(1, **changes)
