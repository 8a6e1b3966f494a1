"""The line of the shuffler's twin: answers in order after their delay, events until they are acknowledged."""

import asyncio
from collections import deque

import msgspec

from dealerbox.ports import DeviceGone, Line
from dealerbox_drivers.shuffler import messages as m
from dealerbox_drivers.shuffler import wire
from dealerbox_drivers.shuffler.messages import Flag, Type

RING = 16


class TwinLink:
    """What the device sends, in one life. Events go out once there is a session to send them under."""

    def __init__(self, line: Line, answer_ms: int, event_ms: int) -> None:
        self.line = line
        self.silent = False
        """Nothing is sent: a broken wire, seen from the host."""
        self.session = 0
        """The greeted session; 0: none yet."""
        self._answer_ms = answer_ms
        self._event_ms = event_ms
        self._answers: deque[bytes] = deque()
        self._events: deque[m.Event] = deque(maxlen=RING)
        self._event_no = 0
        self._repeat: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()

    def answer(self, request: wire.Frame | wire.RefusedFrame, body: m.Body) -> None:
        """Answer a request after the device's delay."""
        if isinstance(body, m.Status):
            body = msgspec.structs.replace(body, event_next=self._events[0].event_no if self._events else 0)
        frame = wire.Frame(request.type | m.ANSWER, Flag.ANSWER, request.seq, request.session, body)
        self._answers.append(wire.encode(frame))
        self._loop.call_later(self._answer_ms / 1000, self._answer_next)

    def event(self, kind: int, cmd_id: int, arg: int, tick: int) -> None:
        """Tell something; the oldest of sixteen untold things is dropped."""
        self._event_no += 1
        self._events.append(m.Event(self._event_no, tick, kind, cmd_id, arg))
        if len(self._events) == 1:
            self._send_event()

    def greet(self, session: int) -> None:
        """A host is there: it hears what happened so far."""
        self.session = session
        self._send_event()

    def acknowledge(self, event_no: int) -> None:
        """Drop the event of this number and all before it; the next one goes out at once."""
        before = len(self._events)
        while self._events and self._events[0].event_no <= event_no:
            self._events.popleft()
        if len(self._events) < before:
            self._send_event()

    def cut(self) -> None:
        """The power is gone: nothing more is sent."""
        self.session = 0
        self._answers.clear()
        self._events.clear()
        self._send_event()

    def _answer_next(self) -> None:
        if self._answers:
            self._write(self._answers.popleft())

    def _send_event(self) -> None:
        if self._repeat:
            self._repeat.cancel()
            self._repeat = None
        if self._events and self.session:
            self._write(wire.encode(wire.Frame(Type.EVENT, Flag.EVENT, 0, self.session, self._events[0])))
            self._repeat = self._loop.call_later(self._event_ms / 1000, self._send_event)

    def _write(self, data: bytes) -> None:
        if self.silent:
            return
        try:
            self.line.write(data)
        except DeviceGone:
            return  # the reader of the same line hears of it
