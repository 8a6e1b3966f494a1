"""A wire: a good one passes, a lossy or late one fails with its figures, and a pin has none."""

from random import Random

import pytest

from dealerbox.diagnostics.link import link
from dealerbox.diagnostics.verdict import Nobody, Step, Verdict
from dealerbox_drivers.memory_line import Delayed, Lossy

PORT = "/dev/a"


@pytest.fixture
def linked(table, device, steps_of):
    """`linked(driver, wire)`: the steps over a line that is led through `wire`."""

    def play(driver: str, wire=lambda line: line, **settings) -> list[Step]:
        zones = {"zones": {1: "seat:1", 2: "seat:2"}} if driver == "feig" else {}
        table.devices(device("it", driver, port=PORT, **zones))
        table.wires[PORT] = wire
        return steps_of(lambda: link(table.loan("it"), Nobody(), 100))

    return play


@pytest.mark.parametrize("driver", ["feig", "shuffler-v1"])
def test_a_good_wire_passes(linked, driver) -> None:
    exchanges, delay = linked(driver)
    assert (exchanges.verdict, delay.verdict) == (Verdict.PASSED, Verdict.PASSED)
    assert exchanges.figures["exchanges"] >= 100
    assert len(delay.values) >= 100


@pytest.mark.parametrize("driver", ["feig", "shuffler-v1"])
def test_a_wire_that_loses_bytes_fails_with_how_many(linked, driver) -> None:
    exchanges, _ = linked(driver, lambda line: Lossy(line, Random(3), 0.002))
    assert exchanges.verdict is Verdict.FAILED
    assert exchanges.figures["bad"] > 0


@pytest.mark.parametrize("driver", ["feig", "shuffler-v1"])
def test_a_late_wire_fails_by_its_delay(linked, driver) -> None:
    exchanges, delay = linked(driver, lambda line: Delayed(line, 60))
    assert (exchanges.verdict, delay.verdict) == (Verdict.PASSED, Verdict.FAILED)
    assert delay.figures["p50_ms"] > 100


def test_a_wire_with_nobody_at_its_end_fails(linked) -> None:
    class Mute:
        def __init__(self, line) -> None:
            self._line = line

        async def read(self) -> bytes:
            return await self._line.read()

        def write(self, data: bytes) -> None:
            pass

        def close(self) -> None:
            self._line.close()

    (step,) = linked("feig", Mute)
    assert (step.code, step.verdict) == ("link-exchanges", Verdict.FAILED)
    assert "no answer: check the reader's power" in step.found


def test_what_has_no_line_cannot_be_tested(table, config, steps_of) -> None:
    table.config = config
    (step,) = steps_of(lambda: link(table.loan("panel"), Nobody()))
    assert step.verdict is Verdict.UNTESTED
    assert step.found == "no questions are answered over it"
