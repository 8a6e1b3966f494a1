"""The daemon as a child process: one that died while it was asked is told of, whoever is at work by then."""

import asyncio
from typing import Any

import pytest

from dealerbox.simulate.demo.station import ChildStation, StationDied
from dealerbox.station.virtual import virtual_run


class Process:
    """A process that has ended with a code, or never ends."""

    def __init__(self, code: int | None) -> None:
        self.returncode = code

    async def wait(self) -> int:
        if self.returncode is None:
            await asyncio.Event().wait()
        return self.returncode or 0


class Line:
    """A line that ends while somebody reads it; by then another daemon has been started."""

    def __init__(self, station: Any) -> None:
        self._station = station

    def write(self, data: bytes) -> None: ...

    async def readline(self) -> bytes:
        self._station._process = Process(None)
        self._station._reading = asyncio.create_task(asyncio.Event().wait())
        return b""


def test_one_that_was_killed_while_it_was_asked_is_told_of_though_another_runs() -> None:
    async def main() -> None:
        make: Any = ChildStation
        station = make(None, None)  # nothing is started
        station._process = Process(-9)
        line = Line(station)
        station._line = line, line
        with pytest.raises(StationDied, match="was killed by SIGKILL"):
            await station.view()
        station._reading.cancel()

    virtual_run(main(), limit_s=10)
