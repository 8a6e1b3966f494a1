from collections.abc import Callable
from typing import Any

import pytest

from dealerbox.ports import Line
from dealerbox.station.virtual import virtual_clock, virtual_run


@pytest.fixture
def run() -> Callable[..., Any]:
    """`run(coroutine, limit_s=...)`: in virtual time, on a fresh loop."""
    return virtual_run


class Cut:
    """Carries so many bytes, both ways together; the cable is pulled out before the next."""

    def __init__(self, line: Line, most: int = 1_000_000) -> None:
        self.carried = self.cut_ns = 0
        """Bytes that went through, and when it was pulled out."""
        self._line, self._most = line, most

    def _through(self, data: bytes) -> bytes:
        data = data[: self._most - self.carried]
        self.carried += len(data)
        if self.carried == self._most:
            self.cut_ns = self.cut_ns or virtual_clock()
        return data

    async def read(self) -> bytes:
        data = self._through(await self._line.read())
        if self.cut_ns:
            self._line.close()
        return data or await self._line.read()

    def write(self, data: bytes) -> None:
        self._line.write(self._through(data))
        if self.cut_ns:
            self._line.close()

    def close(self) -> None:
        self._line.close()


@pytest.fixture
def cut_line() -> type[Cut]:
    """`cut_line(line, most)`: a line whose cable is pulled out after so many bytes."""
    return Cut
