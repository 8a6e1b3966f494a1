"""Listening to a line through a decoder for which silence has a meaning."""

import asyncio
from collections.abc import AsyncIterator
from typing import Generic, Protocol, TypeVar

from dealerbox.ports import Line, WireError

Message = TypeVar("Message")


class Gapped(Protocol, Generic[Message]):
    """A decoder that is told when the line falls silent in the middle of something."""

    def feed(self, data: bytes) -> list[Message | WireError]: ...
    def gap(self) -> list[Message | WireError]: ...


async def decoded(line: Line, decoder: Gapped[Message], gap_ms: float) -> AsyncIterator[Message | WireError]:
    """Yield what comes in, for ever; `gap_ms` of silence after any byte ends what was begun. DeviceGone as the line."""
    begun = False
    reading: asyncio.Task[bytes] | None = None
    try:
        while True:
            reading = reading or asyncio.create_task(_read(line))
            done, _ = await asyncio.wait({reading}, timeout=gap_ms / 1000 if begun else None)
            begun = bool(done)
            if done:
                data, reading = reading.result(), None
                items = decoder.feed(data)
            else:
                items = decoder.gap()
            for item in items:
                yield item
    finally:
        if reading is not None:
            reading.cancel()


async def _read(line: Line) -> bytes:
    return await line.read()
