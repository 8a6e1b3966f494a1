"""Asking for a ReShuffled board so that nothing comes of it: what is no frame is answered with text (PROTOCOL.md)."""

import asyncio
from typing import Final

from dealerbox.ports import Line
from dealerbox_drivers.reshuffled.wire import Decoder, Message, Trouble

ANSWER_S: Final = 0.3
NO_FRAME: Final = b":Q#0\n"
"""No command is called Q, and its check is another: the board says `Fehler` or `Error`, and does nothing."""


async def inquired(line: Line, tries: int) -> bool:
    """Tell whether such a board answers on this line. DeviceGone as the line."""
    decoder = Decoder()
    for _ in range(tries):
        line.write(NO_FRAME)
        try:
            async with asyncio.timeout(ANSWER_S):
                while True:
                    if is_board(decoder, await line.read()):
                        return True
        except TimeoutError:
            continue
    return False


def is_board(decoder: Decoder, data: bytes) -> bool:
    """Tell whether these bytes are what such a board says, and nobody else."""
    return any(isinstance(item, Message | Trouble) for item in decoder.feed(data))
