"""Questions and answers with one CCID reader over one open line."""

from typing import Final

from msgspec.structs import replace

from dealerbox.ports import DeviceGone, Line, WireError
from dealerbox_drivers.rfid import talk
from dealerbox_drivers.rfid.ccid import wire
from dealerbox_drivers.rfid.ccid.wire import ANSWERS, Answer, Ask, Message, Notice, Outcome

MOST_WAITS: Final = 4
"""Time extensions that one question is given before it counts as unanswered."""


class Timing(talk.Timing, frozen=True, kw_only=True):
    """What a CCID reader needs: no pause, for its messages have ends of their own."""

    pause_ms: int = 0
    rest_ms: int = 40
    """A reader that looks by itself has nothing new sooner, and each look costs the station two threads' turns."""
    charge_ms: int = 5
    """A tag's time to start in a new field (ISO/IEC 14443-3, 5)."""
    relight_ms: int = 120
    """Time that a reader which looks for cards by itself takes to find one once its field is on again."""


class Talk(talk.Talk[Message | Notice]):
    """An answer is taken by slot, number and kind; to come into step is to break off whatever is under way.

    What the reader says unasked is kept beside: `moved` counts the comings and goings of cards.
    """

    def __init__(self, name: str, line: Line, timing: Timing) -> None:
        super().__init__(name, line, wire.Decoder(), timing)
        self.moved = 0
        """Times that the reader told of a card that came or went."""
        self.broken = 0
        """The last hardware error that it told; 0: none."""
        self._seq = 0xFF

    async def said(self, kind: Ask, data: bytes = b"") -> Answer | None:
        """Return what a question is answered with, or None. DeviceGone when the line or the reader is gone."""
        answer = await self.ask(Message(kind, data=data))
        return None if answer is None else Answer(answer[0], answer[1], answer[2:])

    async def mark(self) -> bytes | None:
        self._marks_owed = 0  # each has a number: an older one's answer is not taken for it
        return await super().mark()

    def _encoded(self, question: Message | Notice) -> bytes:
        if isinstance(question, Notice):
            raise TypeError("a notice is no question")
        self._seq = (self._seq + 1) % 256
        return wire.encode(replace(question, seq=self._seq))

    def _answers(self, question: Message | Notice, item: Message | Notice) -> bytes | None:
        """Return status, error and data."""
        if not isinstance(question, Message) or not isinstance(item, Message):
            return None
        if (item.slot, item.seq, item.kind) != (question.slot, self._seq, ANSWERS[Ask(question.kind)]):
            return None
        return item.parameters[:2] + item.data

    async def _answer(self, question: Message | Notice, within_ms: int) -> bytes | None:
        """Wait anew after each time extension, in all no longer than the reader takes for anything."""
        latest_s = self._loop.time() + self._timing.longest_ms / 1000
        for _ in range(1 + MOST_WAITS):
            answer = await super()._answer(question, within_ms)
            if answer is None or answer[0] >> 6 != Outcome.WAIT:
                return answer
            left_ms = round((latest_s - self._loop.time()) * 1000)
            within_ms = min(self._timing.answer_ms * max(1, answer[1]), left_ms)
        return None

    def _came_in(self, item: Message | Notice | WireError | DeviceGone) -> None:
        if isinstance(item, Notice):
            self.moved += item.changed
            self.broken = item.fault or self.broken
        else:
            super()._came_in(item)

    def _new_mark(self) -> Message:
        return Message(Ask.SLOT_STATUS)

    async def _rouse(self) -> None:
        """Let whatever is under way, of this run or one before, be broken off and come in."""
        self._write(self._encoded(Message(Ask.ABORT)))
        await super()._rouse()
        self._items.clear()
