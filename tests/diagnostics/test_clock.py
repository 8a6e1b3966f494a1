"""The clocks: each that is wrong is told, and one that there is not is never called right."""

import asyncio
from types import SimpleNamespace

import pytest

from dealerbox.diagnostics.clock import Clocks, clock
from dealerbox.diagnostics.verdict import Verdict

NOW_S = 1_796_000_000


def found(*, wall_s=NOW_S, runs=1.0, battery=0, synced=True) -> dict:
    world = SimpleNamespace(passed_s=0.0)

    async def wait(seconds: float) -> None:
        world.passed_s += seconds

    clocks = Clocks(
        wall_ns=lambda: round((wall_s + world.passed_s * runs) * 1e9),
        boottime_ns=lambda: round(world.passed_s * 1e9) + 7,
        battery_s=lambda: None if battery is None else round(wall_s + battery + world.passed_s),
        synced=lambda: synced,
        wait=wait,
    )

    async def run() -> dict:
        return {step.code: step.verdict async for step in clock(clocks)}

    return asyncio.run(run())


def test_right_clocks_pass() -> None:
    assert set(found().values()) == {Verdict.PASSED}


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"wall_s": 1_000_000_000}, "clock-wall"),
        ({"runs": 1.02}, "clock-steady"),
        ({"battery": 90}, "clock-battery"),
        ({"synced": False}, "clock-synced"),
    ],
)
def test_a_clock_that_is_wrong_is_told_by_its_step_alone(wrong, code) -> None:
    verdicts = found(**wrong)
    assert verdicts.pop(code) is Verdict.FAILED
    assert set(verdicts.values()) == {Verdict.PASSED}


def test_a_clock_with_a_battery_that_there_is_not_is_not_called_right() -> None:
    assert found(battery=None)["clock-battery"] is Verdict.UNTESTED
