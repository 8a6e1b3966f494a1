"""Turns of readers whose antennas are neighbours: one field is on at a time."""

import asyncio


class Field:
    """What readers in reach of each other share: who holds it may have its field on.

    Whoever waits longest is next. A field that is on beside another spoils what both read, or
    wakes a tag that then answers for the wrong zone.
    """

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def taken(self, within_ms: int) -> bool:
        """Wait for the turn that long; return whether it came. What was taken is given back by `free`."""
        try:
            async with asyncio.timeout(within_ms / 1000):
                await self._turn.acquire()
        except TimeoutError:
            return False
        return True

    def free(self) -> None:
        """Let the next have its turn."""
        self._turn.release()
