"""Questions and answers with one FEIG reader over one open line."""

import asyncio
from collections import deque

import msgspec

from dealerbox.ports import DeviceGone, Line, WireError
from dealerbox_drivers.listen import decoded
from dealerbox_drivers.rfid.feig import wire
from dealerbox_drivers.rfid.feig.wire import ANY_ADDRESS, Frame


class Timing(msgspec.Struct, frozen=True, kw_only=True):
    """How long things take and how often they are tried."""

    answer_ms: int = 250
    """Longest wait for an answer: an inventory takes some 30 to 50 ms."""
    config_ms: int = 700
    """Longest that a reader takes for anything: to set a configuration block takes 300, to set all of them 600."""
    spoilt_ms: int = 60
    """Longest further wait once bytes came in that make no frame."""
    pause_ms: int = 5
    """Silence before a question: the reader takes no frame that begins sooner (H60301-3e, p. 18)."""
    gap_ms: int = 15
    """Silence that ends a frame: characters are at most 12 ms apart (H60301-3e, p. 18)."""
    settle_ms: int = 5
    """After the multiplexer has switched, before the field is reset."""
    rest_ms: int = 10
    """Between rounds, so that the line and the loop are never full."""
    silent_answers: int = 6
    """Answers missing in a row before the reader counts as gone."""


class Talk:
    """One question at a time; an answer is taken by command and address, and never after its time.

    After a missing answer the two sides may be out of step: what was asked may still be answered.
    Then nothing is asked until the reader has answered a question whose answer serves as a mark.
    """

    def __init__(self, name: str, line: Line, address: int, timing: Timing) -> None:
        self.heard = False
        """A frame or a fault came in."""
        self.faults = 0
        """Frames and answers that could not be used."""
        self.missing = 0
        """Answers that did not come: whatever the reader was told, it may have forgotten since."""
        self._name, self._line, self._address, self._timing = name, line, address, timing
        self._loop = asyncio.get_running_loop()
        self._items: deque[Frame | WireError | DeviceGone] = deque()
        self._waiting: asyncio.Future[None] | None = None
        self._silent = 0
        self._in_step = False
        self._marks_owed = 0
        self._free_at = 0.0
        self._lost: DeviceGone | None = None
        self._listening = asyncio.create_task(self._listen())

    async def close(self) -> None:
        """Stop listening and close the line."""
        self._listening.cancel()
        await asyncio.gather(self._listening, return_exceptions=True)
        self._line.close()

    async def ask(self, question: Frame, within_ms: int) -> bytes | None:
        """Return the answer's payload (status first), or None. DeviceGone when the line or the reader is gone."""
        if not self._in_step and await self.mark() is None:
            return None
        answer = await self._exchange(question, within_ms)
        if answer is None:
            self._in_step = False
        return answer

    async def mark(self) -> bytes | None:
        """Come into step: return what SOFTWARE_VERSION is answered with, everything before it has come in; or None."""
        await asyncio.sleep(self._timing.gap_ms / 1000)
        answer = await self._exchange(Frame(self._address, wire.Command.SOFTWARE_VERSION), self._timing.answer_ms)
        if answer is None:
            self._marks_owed += 1
            return None
        while self._marks_owed:  # this is an older mark: let the later ones come in, lest one be taken for the next
            if await self._answer(wire.Command.SOFTWARE_VERSION, self._timing.config_ms) is None:
                break
            self._marks_owed -= 1
        self._marks_owed = 0
        self._in_step = True
        return answer

    async def _exchange(self, question: Frame, within_ms: int) -> bytes | None:
        pause_s = self._free_at - self._loop.time()
        if pause_s > 0:
            await asyncio.sleep(pause_s)
        if self._lost:
            raise self._lost
        self.faults += len(self._items)
        self._items.clear()
        self._line.write(wire.encode(question))
        answer = await self._answer(question.command, within_ms)
        self._free_at = self._loop.time() + self._timing.pause_ms / 1000
        if answer is not None:
            self._silent = 0
            return answer
        self.missing += 1
        self._silent += 1
        if self._silent >= self._timing.silent_answers:
            raise DeviceGone(f"{self._name}: {self._silent} questions without an answer: check its power and cable")
        return None

    async def _answer(self, command: int, within_ms: int) -> bytes | None:
        until_s = self._loop.time() + within_ms / 1000
        while (item := await self._item(until_s)) is not None:
            if isinstance(item, DeviceGone):
                raise item
            if isinstance(item, WireError):  # most likely the answer, spoilt: no use in waiting long
                until_s = min(until_s, self._loop.time() + self._timing.spoilt_ms / 1000)
            elif item.command == command and item.payload and self._is_from(item.address):
                return item.payload
            self.faults += 1
        return None

    async def _item(self, until_s: float) -> Frame | WireError | DeviceGone | None:
        """Return the next thing that came in; None once that time has come."""
        if self._loop.time() >= until_s:
            return None
        if not self._items:
            self._waiting = self._loop.create_future()
            timer = self._loop.call_at(until_s, self._wake)
            try:
                await self._waiting
            finally:
                timer.cancel()
                self._waiting = None
        return self._items.popleft() if self._items else None

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def _came_in(self, item: Frame | WireError | DeviceGone) -> None:
        self._items.append(item)
        self._wake()

    def _is_from(self, address: int) -> bool:
        return self._address in (ANY_ADDRESS, address)

    async def _listen(self) -> None:
        try:
            async for item in decoded(self._line, wire.Decoder(), self._timing.gap_ms):
                self.heard = True
                self._came_in(item)
        except DeviceGone as gone:
            self._lost = gone
            self._came_in(gone)
