"""A journal in memory for simulation: durable after a virtual delay, or at once."""

import asyncio
import hashlib
from collections.abc import Callable


class MemoryJournal:
    """Keeps nothing but a running hash, unless `keep` takes the payloads (satisfies `ports.Journal`).

    `delay_ms` None: durable before `append` returns (no loop needed); else after that time of the running loop.
    """

    def __init__(
        self,
        durable: Callable[[int], None],
        *,
        delay_ms: float | None = None,
        keep: Callable[[int, bytes], None] | None = None,
    ) -> None:
        self._durable, self._delay_ms, self._keep = durable, delay_ms, keep
        self._seq = 0
        self._hash = hashlib.sha256()

    @property
    def digest(self) -> str:
        """Hash of all payloads so far, hex: equal for equal runs."""
        return self._hash.hexdigest()

    def append(self, payload: bytes) -> int:
        self._seq += 1
        self._hash.update(len(payload).to_bytes(4, "little") + payload)
        if self._keep:
            self._keep(self._seq, payload)
        if self._delay_ms is None:
            self._durable(self._seq)
        else:
            asyncio.get_running_loop().call_later(self._delay_ms / 1000, self._durable, self._seq)
        return self._seq

    def lives(self) -> bool:
        """True: there is no thread that could die."""
        return True

    def close(self) -> None:
        """Nothing to write."""
