"""The cable of a simulated device, as the device has it: it comes and goes, and can be bad."""

import asyncio
from random import Random

from dealerbox.ports import DeviceGone, Line


class Cable:
    """Satisfies `Line` for a twin, and never ends: what is said while nothing is plugged in is lost.

    Each byte is lost with probability `rate`, both ways.
    """

    def __init__(self, rng: Random, rate: float = 0.0) -> None:
        self.broken = False
        """Nothing gets through, and the near end does not notice."""
        self._rng, self._rate = rng, rate
        self._line: Line | None = None
        self._plugged = asyncio.Event()

    def plug(self, line: Line) -> None:
        """Plug it in at the near end, in place of whatever was."""
        self._line = line
        self._plugged.set()

    async def read(self) -> bytes:
        """Return what comes through, at least a byte."""
        while True:
            if self._line is None:
                self._plugged.clear()
                await self._plugged.wait()
                continue
            line = self._line
            try:
                data = self._through(await line.read())
            except DeviceGone:
                self._line = None if self._line is line else self._line
                continue
            if data:
                return data

    def write(self, data: bytes) -> None:
        """Send what gets through."""
        data = self._through(data)
        if self._line is None or not data:
            return
        try:
            self._line.write(data)
        except DeviceGone:
            self._line = None

    def close(self) -> None:
        """Pull it out."""
        if self._line is not None:
            self._line.close()

    def _through(self, data: bytes) -> bytes:
        if self.broken:
            return b""
        if not self._rate or self._rng.random() >= self._rate * len(data):
            return data
        lost = self._rng.randrange(len(data))
        return data[:lost] + data[lost + 1 :]
