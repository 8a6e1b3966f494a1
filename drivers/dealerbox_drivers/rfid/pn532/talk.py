"""Questions and answers with one PN532 over one open line."""

import asyncio

from dealerbox.ports import Line
from dealerbox_drivers.rfid import talk
from dealerbox_drivers.rfid.pn532 import chip, wire
from dealerbox_drivers.rfid.pn532.wire import CHIP, HOST, Frame, Sign


class Timing(talk.Timing, frozen=True, kw_only=True):
    """What a PN532 needs: an ACK comes within 15 ms (UM0701-02, 6.2.2.2), over a USB adapter later."""

    sign_ms: int = 100
    pause_ms: int = 1
    silent_answers: int = 10
    wake_ms: int = 6
    """Between the wake-up and the first question."""
    charge_ms: int = 5
    """A tag's time to start in a new field (ISO/IEC 14443-3, 5)."""


class Talk(talk.Talk[Frame | Sign]):
    """An answer is taken by its code; the mark is a line test with a number of its own.

    Coming into step breaks off what the chip does, wakes it and puts it in order: that harms none
    which was awake, and one that has lost its power answers nothing else.
    """

    def __init__(self, name: str, line: Line, timing: Timing) -> None:
        super().__init__(name, line, wire.Decoder(), timing)
        self._wake_ms = timing.wake_ms
        self._number = 0

    async def command(self, payload: bytes) -> bytes | None:
        """Return the answer, its code first, or None. DeviceGone when the line or the chip is gone."""
        return await self.ask(Frame(HOST, payload))

    def _encoded(self, question: Frame | Sign) -> bytes:
        return wire.encode(question)

    def _answers(self, question: Frame | Sign, item: Frame | Sign) -> bytes | None:
        if isinstance(item, Sign) or isinstance(question, Sign) or item.sender != CHIP:
            return None
        return item.payload if chip.is_answer(item.payload, question.payload) else None

    def _is_sign(self, item: object) -> bool:
        return item is Sign.ACK

    def _new_mark(self) -> Frame:
        self._number += 1
        return Frame(HOST, chip.line_test(self._number))

    async def _rouse(self) -> None:
        self._write(wire.encode(Sign.ACK))  # a chip that is told at once after it was broken off may not hear
        await super()._rouse()
        self._write(wire.WAKE_UP)
        await asyncio.sleep(self._wake_ms / 1000)
        await self._exchange(Frame(HOST, chip.NORMAL_MODE), self._timing.answer_ms)
