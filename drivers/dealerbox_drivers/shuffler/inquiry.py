"""Asking a shuffler who it is so that nothing comes of it: no session, no fence, no hold is another afterwards.

QUERY is answered always, and changes nothing (PROTOCOL.md section 3). A HELLO of session 0 for protocols 0 to 0 is
refused by every machine, as stale or for want of a common version, and refused it changes nothing (section 4): but
its answer, IDENT, names the machine.
"""

import asyncio
from collections.abc import Iterator
from typing import Final

import msgspec

from dealerbox.ports import Line
from dealerbox_drivers.shuffler.device import named
from dealerbox_drivers.shuffler.messages import Body, Flag, Hello, Ident, Query, Status, Type
from dealerbox_drivers.shuffler.wire import Decoder, Frame, encode

ANSWER_S: Final = 0.3
"""A STATUS is 8 ms on the wire, memory 10, a USB latency timer 16, a stalled host some 50 (section 8)."""
NOBODY: Final = Hello(0, 0, 0)
"""A greeting that no machine takes."""


class Known(msgspec.Struct, frozen=True):
    """A machine that answered."""

    identity: str
    firmware: str


async def inquired(line: Line, tries: int) -> Known | None:
    """Return who answers on this line, None when nobody does. DeviceGone as the line."""
    decoder = Decoder()
    for number in range(1, tries + 1):
        if await _answer(line, decoder, Type.QUERY, Query(), Status, number):
            break
    else:
        return None
    for number in range(1, tries + 1):
        ident = await _answer(line, decoder, Type.HELLO, NOBODY, Ident, number)
        if isinstance(ident, Ident):
            return Known(*named(ident))
    return Known("shuffler", "")


async def _answer(line: Line, decoder: Decoder, kind: Type, body: Body, wanted: type[Body], number: int) -> Body | None:
    """Ask under session 0, and return the body of that kind which comes in time."""
    line.write(b"\0" + encode(Frame(kind, Flag.NONE, number, 0, body)))
    try:
        async with asyncio.timeout(ANSWER_S):
            while True:
                for found in _bodies(decoder, await line.read()):
                    if isinstance(found, wanted):
                        return found
    except TimeoutError:
        return None


def _bodies(decoder: Decoder, data: bytes) -> Iterator[Body]:
    return (item.body for item in decoder.feed(data) if isinstance(item, Frame))
