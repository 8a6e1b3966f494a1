"""1821: at a simulated table with an action clock players are warned before their time is over, and nobody is held."""

import io
import json
from collections import Counter

import pytest

from dealerbox.model.reasons import Reason
from dealerbox.simulate.run import simulate

LIMIT_S, WARNING_S = 20, 5


@pytest.fixture(scope="module")
def evening():
    log = io.StringIO()
    reasons = Counter[str]()
    summary = simulate(25, "4-8", seed=3, log=log, action_clock_s=LIMIT_S, reasons=reasons)
    assert set(reasons) <= {Reason.NOT_EMPTY}, "a machine is looked into before the first deck goes in (S2)"
    return summary, [json.loads(line) for line in log.getvalue().splitlines()]


def test_the_hands_are_lawful_and_no_notice_holds_one(evening) -> None:
    """P2."""
    summary, _ = evening
    assert (summary.unlawful_releases, summary.missed, summary.false_holds) == (0, 0, 0)


def test_who_runs_out_of_time_was_warned_as_long_before_as_the_house_says(evening) -> None:
    warned_ns, warnings, over = 0, 0, 0
    for line in evening[1]:
        at_ns = line["event"]["at_ns"]
        for command in line["commands"]:
            if command.get("reason") == Reason.TIME_DUE:
                warned_ns, warnings = at_ns, warnings + 1
            elif command.get("reason") == Reason.TIME_OVER:
                assert at_ns - warned_ns == WARNING_S * 1_000_000_000
                over += 1
    assert warnings > over > 0
