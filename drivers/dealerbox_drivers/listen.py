"""Listening to a line through a decoder for which silence has a meaning."""

import asyncio
from collections.abc import AsyncIterator
from typing import Generic, Protocol, TypeVar

from dealerbox.ports import Line, WireError

Message = TypeVar("Message")


class Gapped(Protocol, Generic[Message]):
    """A decoder that is told when the line falls silent in the middle of something."""

    @property
    def begun(self) -> bool: ...
    def feed(self, data: bytes) -> list[Message | WireError]: ...
    def gap(self) -> list[Message | WireError]: ...


async def decoded(line: Line, decoder: Gapped[Message], gap_ms: float) -> AsyncIterator[Message | WireError]:
    """Yield what comes in, for ever; `gap_ms` of silence ends what was begun. DeviceGone as the line."""
    while True:
        for item in await heard(line, decoder, gap_ms):
            yield item


async def heard(line: Line, decoder: Gapped[Message], gap_ms: float) -> list[Message | WireError]:
    """Return what the next bytes complete, or the next silence ends. DeviceGone as the line."""
    if not decoder.begun:
        return decoder.feed(await line.read())
    try:
        async with asyncio.timeout(gap_ms / 1000):
            data = await line.read()
    except TimeoutError:
        return decoder.gap()
    return decoder.feed(data)
