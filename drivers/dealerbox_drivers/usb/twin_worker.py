"""Transfers that wait in virtual time, where no thread may."""

import asyncio
from collections.abc import Callable
from typing import Final, Protocol, TypeVar

Result = TypeVar("Result")

TRANSFER_S: Final = 0.000_2
"""What a transfer takes at least."""


class Clocked(Protocol):
    """What a worker must know of the bus whose transfers it waits for."""

    loop: asyncio.AbstractEventLoop

    def done(self, work: Callable[[], Result], *, time_is_up: bool) -> Result: ...
    async def wait(self, until_s: float) -> None: ...


class Waits(Exception):
    """A transfer would wait, at most `ms`: said to a worker in virtual time."""

    def __init__(self, ms: int) -> None:
        super().__init__(f"waits {ms} ms")
        self.ms = ms


class Patient:
    """A worker for virtual time: it waits where a transfer would (satisfies `Worker`)."""

    def __init__(self, bus: Clocked) -> None:
        self._bus = bus

    async def __call__(self, work: Callable[[], Result]) -> Result:
        until_s = 0.0
        await asyncio.sleep(TRANSFER_S)
        while True:
            now_s = self._bus.loop.time()
            try:
                return self._bus.done(work, time_is_up=0 < until_s <= now_s)
            except Waits as waits:
                until_s = until_s or now_s + waits.ms / 1000
                await self._bus.wait(until_s)

    def end(self, last: Callable[[], None]) -> None:
        last()
