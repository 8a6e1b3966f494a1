"""The journal of the `wires` level: records that become durable a moment later, and what a death leaves of them."""

import asyncio
from collections import deque
from collections.abc import Callable
from random import Random
from typing import Final

STALLS: Final = 0.02
"""How often a sync takes far longer than others, as SD cards do."""

APART_S: Final = 1e-6
"""Between two records' becoming durable: a loop promises no order to what is due at the same moment."""


class CrashJournal:
    """Satisfies `ports.Journal`, and outlives the daemon that writes it. All times are of the running loop."""

    def __init__(self, rng: Random) -> None:
        self.records: list[bytes] = []
        """Every payload, durable or not; record n is the n-th."""
        self.durable = 0
        """The newest record that is on the disk."""
        self._rng = rng
        self._told: Callable[[int], None] = _nobody
        self._coming: deque[asyncio.TimerHandle] = deque()
        self._at_s = 0.0
        self._next = asyncio.Event()

    async def written(self) -> None:
        """Wait for the next record."""
        self._next.clear()
        await self._next.wait()

    def open(self, durable: Callable[[int], None]) -> None:
        """Serve a daemon from its start on."""
        self._told = durable

    def append(self, payload: bytes) -> int:
        """Take a record; it is durable after 1 to 4 ms, now and then 50."""
        self.records.append(payload)
        self._next.set()
        loop = asyncio.get_running_loop()
        sync_s = self._rng.uniform(0.001, 0.004) if self._rng.random() > STALLS else self._rng.uniform(0.01, 0.05)
        self._at_s = max(self._at_s + APART_S, loop.time() + sync_s)
        self._coming.append(loop.call_at(self._at_s, self._synced, len(self.records)))
        return len(self.records)

    def close(self) -> None:
        """End a daemon in good order: everything is written."""
        self._forget()
        self.durable = len(self.records)

    def cut(self, keep: int | None = None) -> int:
        """Kill the daemon: some of what was not durable yet is there, the rest never was. Return how many are lost.

        `keep`: how many of those are there, as far as there are so many; None: chance decides.
        """
        self._forget()
        most = len(self.records)
        self.durable = self._rng.randint(self.durable, most) if keep is None else min(self.durable + keep, most)
        lost = len(self.records) - self.durable
        del self.records[self.durable :]
        return lost

    def _synced(self, seq: int) -> None:
        self._coming.popleft()
        self.durable = seq
        self._told(seq)

    def _forget(self) -> None:
        self._told = _nobody
        while self._coming:
            self._coming.popleft().cancel()


def _nobody(_seq: int) -> None:
    """Tell nobody."""
