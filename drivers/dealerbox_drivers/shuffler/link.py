"""The host's end of a shuffler line: one request at a time, repeated until it is answered; HOLD goes past it."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from dealerbox.ports import DeviceGone, Line, WireError
from dealerbox_drivers.shuffler.messages import ANSWER, PLAIN, Body, Flag, Type
from dealerbox_drivers.shuffler.wire import Decoder, Frame, encode
from dealerbox_drivers.traffic import Traffic

ANSWER_S: Final = 0.2
"""A STATUS is 8 ms on the wire, memory 10, a USB latency timer 16, a stalled host some 50 (PROTOCOL.md section 8)."""
TRIES: Final = 3
GREETINGS: Final = 15
"""Tries of the first request over a line: its opening may have reset the board, which then takes a while to start."""


class Link:
    """Frames over a line."""

    def __init__(self, name: str, line: Line, session: int) -> None:
        self.session = session
        self.traffic = Traffic()
        self._loop = asyncio.get_running_loop()
        self._name = name
        self._line = line
        self._seq = 0
        self._asked: tuple[int, int] | None = None
        """Answer's type and seq of the request that is out."""
        self._answer: asyncio.Event = asyncio.Event()
        self._interrupted = False
        self._heard = False
        """Something was answered over this line."""

    async def frames(self) -> AsyncIterator[Frame | WireError]:
        """Yield what the device says, and what makes no frame, for ever. DeviceGone when the line is gone."""
        decoder = Decoder()
        while True:
            for item in decoder.feed(await self._line.read()):
                yield item

    def say(self, type_: Type, body: Body) -> None:
        """Send at once, ahead of any request that is out, and await nothing."""
        self._seq = (self._seq + 1) & 0xFF
        self._line.write(encode(Frame(type_, PLAIN, self._seq, self.session, body)))

    async def ask(self, type_: Type, body: Body) -> bool:
        """Send a request and wait for its answer, which `is_answer` must have been shown; the same bytes each try.

        False: `interrupt` came first. DeviceGone when three tries of 200 ms bring none; the first request of
        a line is given fifteen.
        """
        self._seq = seq = (self._seq + 1) & 0xFF
        self._asked = (type_ | ANSWER, seq)
        self._interrupted = False
        self._answer.clear()
        tries = TRIES if self._heard else GREETINGS
        for repeat in range(tries):
            flags = Flag.REPEAT if repeat else PLAIN
            self._line.write(encode(Frame(type_, flags, seq, self.session, body)))
            asked_s = self._loop.time()
            try:
                async with asyncio.timeout(ANSWER_S):
                    await self._answer.wait()
            except TimeoutError:
                self.traffic.missing += 1
                continue
            self._asked = None
            if repeat:
                self.traffic.resyncs += 1
            elif not self._interrupted:
                self.traffic.trips_s.append(self._loop.time() - asked_s)
            return not self._interrupted
        raise DeviceGone(
            f"{self._name}: no answer to {type_.name} in {tries} tries of {ANSWER_S * 1000:.0f} ms: "
            "check the machine's power and cable"
        )

    def is_answer(self, frame: Frame) -> bool:
        """Tell whether `frame` answers the request that is out. It pairs by seq for timing only."""
        return self._asked == (frame.type, frame.seq)

    def answered(self) -> None:
        """End the wait of `ask`."""
        self._heard = True
        self._answer.set()

    def interrupt(self) -> None:
        """End the wait of `ask`, if one is out: its request is not repeated any more."""
        if self._asked is not None:
            self._interrupted = True
            self._answer.set()

    def close(self) -> None:
        """Close the line: `frames` raises DeviceGone."""
        self._line.close()
