"""A host without opinions: it says what a question tells it to, and keeps what the device answers."""

import asyncio
from typing import Final

import msgspec

from dealerbox.ports import DealerboxError, Line
from dealerbox_drivers.shuffler import messages as m
from dealerbox_drivers.shuffler import wire
from dealerbox_drivers.shuffler.messages import Code, Flag, Type

ANSWER_S: Final = 0.2
"""The page's deadline for any answer."""
HOST: Final = 0xC0F0_0000
_TYPES: Final = {body: kind for kind, body in m.REQUESTS.items()}


class Unmet(DealerboxError):
    """The device did not do what the page says; the text says what, and what it did."""


class NotAsked(DealerboxError):
    """The question could not be put to this device as it stands."""


class Asker:
    """One line to one device. `run` must be running while questions are put."""

    def __init__(self, line: Line) -> None:
        self.session = 0
        self.events: list[m.Event] = []
        self.acknowledging = True
        self.next_id = 1
        self.said: m.Body = m.Query()
        self._line = line
        self._seq = 0
        self._heard: asyncio.Queue[wire.Frame | wire.RefusedFrame] = asyncio.Queue()

    async def run(self) -> None:
        """Listen until cancelled. DeviceGone when the line is gone."""
        decoder = wire.Decoder()
        while True:
            for item in decoder.feed(await self._line.read()):
                if isinstance(item, wire.Frame | wire.RefusedFrame):
                    self._hear(item)

    def _hear(self, frame: wire.Frame | wire.RefusedFrame) -> None:
        if isinstance(frame, wire.RefusedFrame) or not isinstance(frame.body, m.Event):
            self._heard.put_nowait(frame)
            return
        self.events.append(frame.body)
        if self.acknowledging:
            self.acknowledge(frame.body.event_no)

    def acknowledge(self, event_no: int) -> None:
        """Say that this event and all before it were heard."""
        self.send(wire.encode(wire.Frame(Type.EVENT_ACK, Flag.NONE, 0, self.session, m.EventAck(event_no))))

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._line.write(data)

    def frame(self, body: m.Body, *, session: int | None = None, version: int = 1, kind: int = 0) -> bytes:
        """Return a request as bytes, under a new seq."""
        self._seq = (self._seq + 1) % 256
        used = self.session if session is None else session
        return wire.encode(wire.Frame(kind or _TYPES[type(body)], Flag.NONE, self._seq, used, body, version))

    async def heard(self, what: str) -> wire.Frame | wire.RefusedFrame:
        """Return the next answer, or what came in its place; Unmet when none comes in time."""
        try:
            async with asyncio.timeout(ANSWER_S):
                return await self._heard.get()
        except TimeoutError:
            raise Unmet(f"no answer to {what} within {ANSWER_S * 1000:.0f} ms") from None

    async def hears_nothing(self, what: str) -> None:
        """Wait out the deadline; Unmet when something is answered."""
        await asyncio.sleep(ANSWER_S)
        if not self._heard.empty():
            raise Unmet(f"{what} was answered, with type {self._heard.get_nowait().type:02X}; it wants no answer")

    async def answer_to(self, body: m.Body, *, session: int | None = None, version: int = 1, kind: int = 0) -> m.Body:
        """Send a request and return its answer's body; the header must pair."""
        while not self._heard.empty():
            self._heard.get_nowait()
        self.said = body
        asked = kind or _TYPES[type(body)]
        self.send(self.frame(body, session=session, version=version, kind=kind))
        found = await self.heard(type(body).__name__)
        if isinstance(found, wire.RefusedFrame):
            raise Unmet(f"{type(body).__name__} was answered with what is no answer: {found}")
        used = self.session if session is None else session
        expect("type, flags, seq and session of the answer", _head(found), (asked | 0x80, 2, self._seq, used))
        return found.body

    async def status(self, body: m.Body, *, session: int | None = None, version: int = 1, kind: int = 0) -> m.Status:
        """Send a request that a STATUS answers."""
        found = await self.answer_to(body, session=session, version=version, kind=kind)
        if not isinstance(found, m.Status):
            raise Unmet(f"{type(body).__name__} was answered with {type(found).__name__}; STATUS is wanted")
        return found

    async def query(self) -> m.Status:
        return await self.status(m.Query())

    async def hello(self, session: int, least: int = 1, most: int = 1) -> m.Ident:
        """Greet; the session is kept whatever is answered."""
        found = await self.answer_to(m.Hello(least, most, HOST), session=session)
        if not isinstance(found, m.Ident):
            raise Unmet(f"HELLO was answered with {type(found).__name__}; IDENT is wanted")
        return found

    async def greet(self) -> m.Ident:
        """Greet as a new start of the host."""
        stored = (await self.query()).session
        self.session = stored + 1
        return await self.hello(self.session)

    async def beat(self) -> m.Status:
        """Heartbeat with the newest tick."""
        found = await self.query()
        return await self.status(m.Heartbeat(found.boot_id, found.tick))

    async def arm(self, **wrong: int) -> m.Status:
        """Heartbeat, then ARM with the device's own numbers, or with wrong ones."""
        s = await self.beat()
        said = m.Arm(s.epoch, s.fence, s.cmd_id, s.machine, s.exit_id)
        return await self.status(msgspec.structs.replace(said, **wrong))

    async def hold(self) -> m.Status:
        """HOLD with a key that is new in this session."""
        s = await self.query()
        key = s.hold_key + 1 if s.hold_session == self.session else 1
        return await self.status(m.HoldRequest(key, 0))

    async def clear(self) -> m.Status:
        """End the hold that is latched, by its number."""
        s = await self.query()
        return await self.status(m.ClearHold(s.epoch, s.hold_no, s.hold_session, s.hold_key, 0))

    async def command(self, kind: type[m.Permit], **fields: int) -> m.Status:
        """A command under the newest numbers and a new id."""
        s = await self.query()
        self.next_id = max(self.next_id, s.cmd_id + 1)
        numbers = {"epoch": s.epoch, "fence": s.fence, "cmd_id": self.next_id, "prev_id": s.cmd_id}
        self.next_id += 1
        return await self.status(kind(**(numbers | fields)))

    async def final(self, limit_s: float = 120.0) -> m.Status:
        """Wait until nothing moves; heartbeats go on."""
        loop = asyncio.get_running_loop()
        end_s = loop.time() + limit_s
        while loop.time() < end_s:
            if (s := await self.beat()).cmd_state != m.CommandState.MOVING:
                return s
            await asyncio.sleep(0.05)
        raise Unmet(f"a command still moves after {limit_s:.0f} s")

    async def done(self, kind: type[m.Permit], **fields: int) -> m.Status:
        """A command that must be taken, to its end."""
        s = await self.command(kind, **fields)
        expect(f"code of a {kind.__name__.upper()} with every number right", Code(s.code), Code.OK)
        return await self.final()


def _head(frame: wire.Frame) -> tuple[int, int, int, int]:
    return int(frame.type), int(frame.flags), frame.seq, frame.session


def expect(what: str, found: object, wanted: object) -> None:
    """Unmet unless both are equal."""
    if found != wanted:
        raise Unmet(f"{what}: {_word(found)}; the page wants {_word(wanted)}")


def expect_that(what: str, so: bool) -> None:
    """Unmet unless it is so."""
    if not so:
        raise Unmet(f"not so: {what}")


def _word(value: object) -> str:
    if isinstance(value, Code | m.CommandState | m.DeviceState):
        return f"{value.name} ({int(value):02X})"
    return str(value)
