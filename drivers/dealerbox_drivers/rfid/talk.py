"""Questions and answers with one reader over one open line, whatever its family."""

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from typing import Final, Generic, TypeVar

import msgspec

from dealerbox.ports import DeviceGone, Line, WireError
from dealerbox_drivers.listen import Gapped, heard
from dealerbox_drivers.traffic import Traffic

Message = TypeVar("Message")


LATEST_S: Final = 0.02
"""Longest that a question is taken to have been on its way; a pile of tags takes a reader longer than that."""


class Timing(msgspec.Struct, frozen=True, kw_only=True):
    """How long things take and how often they are tried."""

    answer_ms: int = 250
    """Longest wait for an answer: an inventory takes some 30 to 50 ms."""
    longest_ms: int = 700
    """Longest that a reader takes for anything."""
    spoilt_ms: int = 60
    """Longest further wait once bytes came in that make no frame."""
    sign_ms: int = 0
    """Longest wait for the sign that a question was heard; 0: this family gives none."""
    pause_ms: int = 5
    """Silence between an answer and the next question."""
    apart_ms: int = 0
    """From one question to the next as the reader hears them, at least."""
    gap_ms: int = 15
    """Silence that ends a frame."""
    rest_ms: int = 0
    """Between rounds, beyond what the page asks for between two questions."""
    silent_answers: int = 6
    """Answers missing in a row before the reader counts as gone."""


class Talk(ABC, Generic[Message]):
    """One question at a time; an answer is known by what it says, and never taken after its time.

    After a missing answer the two sides may be out of step: what was asked may still be answered.
    Then nothing is asked until the reader has answered a question whose answer serves as a mark.
    """

    def __init__(self, name: str, line: Line, decoder: Gapped[Message], timing: Timing) -> None:
        self.heard = False
        """A frame or a fault came in."""
        self.faults = 0
        """Frames and answers that could not be used."""
        self.missing = 0
        """Answers that did not come: whatever the reader was told, it may have forgotten since."""
        self.traffic = Traffic()
        self._name, self._line, self._decoder, self._timing = name, line, decoder, timing
        self._loop = asyncio.get_running_loop()
        self._items: deque[Message | WireError | DeviceGone] = deque()
        self._waiting: asyncio.Future[None] | None = None
        self._silent = 0
        self._in_step = False
        self._met = False
        """It was in step once."""
        self._marks_owed = 0
        self._free_at = self._until_s = self._latest_s = 0.0
        self._quickest_s: dict[bytes, float] = {}
        """Where questions must be apart: the shortest time from each to its answer."""
        self._lost: DeviceGone | None = None
        self._listening = asyncio.create_task(self._listen())

    @abstractmethod
    def _encoded(self, question: Message) -> bytes:
        """Return a question's bytes."""

    @abstractmethod
    def _answers(self, question: Message, item: Message) -> bytes | None:
        """Return what `item` says if it is the answer to `question`."""

    @abstractmethod
    def _new_mark(self) -> Message:
        """Return a question that changes nothing and that every reader of the family answers."""

    def _is_sign(self, item: object) -> bool:
        """Tell whether `item` says that a question was heard and its answer will come."""
        return False

    async def _rouse(self) -> None:
        """Do what a reader needs before it can be asked anything."""
        await asyncio.sleep(self._timing.gap_ms / 1000)

    async def close(self) -> None:
        """Stop listening and close the line."""
        self._listening.cancel()
        await asyncio.gather(self._listening, return_exceptions=True)
        self._line.close()

    async def ask(self, question: Message, within_ms: int = 0) -> bytes | None:
        """Return what the answer says, or None. DeviceGone when the line or the reader is gone.

        `within_ms` 0: as long as an answer takes.
        """
        if not self._in_step and await self.mark() is None:
            return None
        answer = await self._exchange(question, within_ms or self._timing.answer_ms)
        if answer is None:
            self._in_step = False
        return answer

    async def mark(self) -> bytes | None:
        """Come into step: return what the mark is answered with, everything before it has come in; or None."""
        self.traffic.resyncs += self._met
        await self._rouse()
        question = self._new_mark()
        answer = await self._exchange(question, self._timing.answer_ms)
        if answer is None:
            self._marks_owed += 1
            return None
        while self._marks_owed:  # this may be an older mark: let the later ones come in, lest one be taken for the next
            if await self._answer(question, self._timing.longest_ms) is None:
                break
            self._marks_owed -= 1
        self._marks_owed = 0
        self._in_step = self._met = True
        return answer

    async def _exchange(self, question: Message, within_ms: int) -> bytes | None:
        pause_s = self._free_at - self._loop.time()
        if pause_s > 0:
            await asyncio.sleep(pause_s)
        self.faults += len(self._items)
        self._items.clear()
        data = self._encoded(question)
        self._write(data)
        asked_s = self._loop.time()
        answer = await self._answer(question, within_ms)
        now_s = self._loop.time()
        apart_s = self._timing.apart_ms / 1000
        if apart_s and answer is not None:
            apart_s += self._late_s(data, now_s - asked_s)
        self._free_at = max(asked_s + apart_s, now_s + self._timing.pause_ms / 1000)
        if answer is not None:
            self._silent = 0
            self.traffic.answered(now_s - asked_s)
            return answer
        self.missing += 1
        self.traffic.missing += 1
        self._silent += 1
        if self._silent >= self._timing.silent_answers:
            raise DeviceGone(f"{self._name}: {self._silent} questions without an answer: check its power and cable")
        return None

    def _late_s(self, question: bytes, took_s: float) -> float:
        """Return how much longer than at its quickest an answer took: the question may have been heard so late."""
        quickest_s = self._quickest_s[question] = min(took_s, self._quickest_s.get(question, took_s))
        return min(took_s - quickest_s, LATEST_S)

    def _write(self, data: bytes) -> None:
        if self._lost:
            raise self._lost
        self._line.write(data)

    async def _answer(self, question: Message, within_ms: int) -> bytes | None:
        now_s = self._loop.time()
        self._latest_s = self._until_s = now_s + within_ms / 1000
        if self._timing.sign_ms:
            self._until_s = min(self._latest_s, now_s + self._timing.sign_ms / 1000)
        while (item := await self._item()) is not None:
            if isinstance(item, DeviceGone):
                raise item
            if isinstance(item, WireError):  # most likely the answer, spoilt: no use in waiting long
                self._until_s = min(self._until_s, self._loop.time() + self._timing.spoilt_ms / 1000)
            elif self._is_sign(item):
                self._until_s = self._latest_s
                continue
            elif (answer := self._answers(question, item)) is not None:
                return answer
            self.faults += 1
        return None

    async def _item(self) -> Message | WireError | DeviceGone | None:
        """Return the next thing that came in; None once the time of the answer is over."""
        if self._loop.time() >= self._until_s:
            return None
        if not self._items:
            self._waiting = self._loop.create_future()
            self._timer = self._loop.call_at(self._until_s, self._wake)
            try:
                await self._waiting
            finally:
                self._timer.cancel()
                self._waiting = None
        return self._items.popleft() if self._items else None

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def _came_in(self, item: Message | WireError | DeviceGone) -> None:
        if self._waiting is not None and not self._waiting.done() and self._is_sign(item):
            self._until_s = self._latest_s  # its answer is still to come: nobody need wake for the sign
            self._timer.cancel()
            self._timer = self._loop.call_at(self._until_s, self._wake)
            return
        self._items.append(item)
        self._wake()

    async def _listen(self) -> None:
        try:
            while True:
                for item in await heard(self._line, self._decoder, self._timing.gap_ms):
                    self.heard = True
                    self._came_in(item)
        except DeviceGone as gone:
            self._lost = gone
            self._came_in(gone)
