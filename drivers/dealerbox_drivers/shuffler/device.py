"""The station's side of a card shuffler (PROTOCOL.md sections 4 to 8)."""

import asyncio
import contextlib
from collections import deque
from typing import Final

import msgspec

from dealerbox.model import commands, events
from dealerbox.model.commands import Clear, Command, Hold
from dealerbox.model.shuffler import Cap, Memory
from dealerbox.ports import Clock, DeviceGone, DeviceWrong, Emit, OpenLine
from dealerbox_drivers.shuffler.holds import Holds
from dealerbox_drivers.shuffler.host import Owed, in_machine, is_armable, is_old, judge, obstacle, remembered, rise
from dealerbox_drivers.shuffler.link import Link
from dealerbox_drivers.shuffler.messages import (
    Body,
    Code,
    DeviceState,
    Event,
    EventAck,
    Heartbeat,
    Hello,
    Ident,
    Lock,
    Query,
    Status,
    Type,
)
from dealerbox_drivers.shuffler.permits import OUTWARD, arm_of, body_of, final_ms
from dealerbox_drivers.shuffler.wire import Frame

PROTOCOL: Final = 1
HEARTBEAT_S: Final = 0.25
"""The lease is 1000 ms: three may be lost."""
HOLD_REPEAT_S: Final = 0.05
"""Two answers' time, and four tries before a heartbeat would miss one."""
MOST_GREETINGS: Final = 5
"""HELLOs without a STATUS that counts; and tries of a permit or ARM that is neither taken nor refused for good."""

Request = tuple[Type, Body]


class Shuffler:
    """A `Device`: permits go out under the device's own fence, and what has become of each is told by events.

    What is told, and in which order, after every STATUS that counts: the end of the command
    that was owed (CardUp, CardPassed, CardNotTaken, CardRetracted, CycleEnded, PlacesSet,
    CommandVoid or Misfed, one for each id; CardUp and CardPassed(id, id) for a machine
    without a gate, which takes no Release); ShufflerLocked or DoorClosed; HoldFound; then
    ShufflerMet, after each greeting and whenever `agreed` or `why` has changed, and after
    each PlacesSet. Nothing is owed when ShufflerMet is told.

    `memory.session` must be durable before `run`. A device that has met a later session (a lost
    or older journal) is greeted under its own + 1, told in ShufflerMet.session: nothing
    but PLACES, a permit and so durable after that event, can then be given under it, so the
    next process either starts above it or is refused and goes higher still.

    `identity`: the serial number that must answer, 0 for any. `host_id`: any number, for the
    device's log. A permit that cannot be given as things stand gets CommandVoid with the
    word of ShufflerMet.why; it stays queued while the machine is away or not yet armed.
    """

    def __init__(
        self, name: str, open_line: OpenLine, clock: Clock, memory: Memory, identity: int = 0, host_id: int = 0
    ) -> None:
        self.name = name
        self.faults = 0
        """Frames that came in and could not be used, on lines that are closed."""
        self._open_line = open_line
        self._clock = clock
        self._memory = memory
        self._identity = identity
        self._host_id = host_id
        self._session = memory.session
        self._session_known = False
        """A STATUS has shown this session: a HOLD under it is newer than any before."""
        self._record, self._owed = remembered(memory)
        self._holds = Holds(memory.hold_key)
        self._waiting: deque[commands.Permit] = deque()
        self._epoch = memory.epoch
        self._retired = set(memory.retired)
        self._ident: Ident | None = None
        self._newest: Status | None = None
        self._newest_seen = False
        self._locks = Lock(0)
        self._unproved = False
        """A machine without a door sensor was alone: its content counts as unknown."""
        self._link: Link | None = None
        self._greeted = False
        self._greetings = 0
        self._look = False
        self._standing: str | None = None
        """`why` of the last ShufflerMet; None: not told since the last greeting."""
        self._sent: Request | None = None
        """The owed command's frame."""
        self._again = False
        self._asked: Request | None = None
        """The last ARM, CLEAR_HOLD or permit: the same again only after the next heartbeat."""
        self._asked_before: Request | None = None
        self._tries = 0
        self._deadline_s: float | None = None
        self._heartbeat_s = 0.0
        self._hold_timer: asyncio.TimerHandle | None = None
        self._stir = asyncio.Event()
        self._emit: Emit | None = None
        self._untold: deque[events.Event] = deque()
        self._telling = False

    async def run(self, emit: Emit) -> None:
        """Greet, settle, arm and serve until cancelled. DeviceGone, DeviceWrong as `ports.Device` says."""
        self._emit = emit
        line = await self._open_line()
        link = self._link = Link(self.name, line, self._session)
        self._greet_again()
        self._greetings = 0
        self._heartbeat_s = 0.0
        tasks = [asyncio.create_task(self._listen(link)), asyncio.create_task(self._ask(link))]
        try:
            self._say_hold()
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            self._link = None
            self._stop_hold_timer()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.faults += link.faults
            link.close()

    def obey(self, command: Command) -> None:
        """Hold at once, ahead of everything; queue permits; Clear lets the latch go. Never blocks, never raises."""
        match command:
            case Hold():
                self._holds.give(command)
                self._drop_outward()
                self._say_hold()
                if self._link is not None:
                    self._link.interrupt()
            case Clear():
                self._holds.clear(command)
            case commands.Permit():
                self._record = msgspec.structs.replace(self._record, given=max(self._record.given, command.id))
                self._waiting.append(command)
                if self._holds.standing is not None:
                    self._drop_outward()
            case _:
                return
        self._stir.set()
        self._tell()

    # What comes in.

    async def _listen(self, link: Link) -> None:
        async for frame in link.frames():
            self._take(link, frame)
            self._tell()

    def _take(self, link: Link, frame: Frame) -> None:
        is_answer = link.is_answer(frame)
        match frame.body:
            case Ident() as ident if is_answer:
                self._take_ident(link, ident)
            case Status() as status:
                self._take_status(status)
            case Event() as event:
                link.say(Type.EVENT_ACK, EventAck(event.event_no))
                self._look = True
                self._stir.set()
        if is_answer:
            link.answered()

    def _take_ident(self, link: Link, ident: Ident) -> None:
        if ident.proto == 0 and self._session < ident.session < 0xFFFFFFFF:
            self._session = link.session = ident.session + 1
            self._session_known = False
            self._estrange("session")
            return
        self._check_identity(ident)
        if ident.session != self._session or ident.epoch in self._retired:
            return
        newest = self._newest
        if ident.epoch != self._epoch:
            self._retired |= {self._epoch} - {0}
            self._epoch = ident.epoch
            self._newest = None
        elif newest is not None and ident.boot_id != newest.boot_id and ident.fence < newest.fence:
            self._newest = None
            self._estrange("behind")
        if self._memory.serial not in (0, ident.serial):
            self._estrange("serial")
        self._ident = ident
        self._greeted = self._look = True

    def _check_identity(self, ident: Ident) -> None:
        if ident.proto != PROTOCOL:
            raise DeviceWrong(f"{self.name}: the shuffler does not speak protocol {PROTOCOL}: update its firmware")
        if self._identity not in (0, ident.serial):
            raise DeviceWrong(
                f"{self.name}: shuffler {ident.serial:X} answers where {self._identity:X} is configured: "
                "connect the right machine or correct its serial number in the config"
            )
        if ident.caps & Cap.FACE_SENSOR:
            raise DeviceWrong(
                f"{self.name}: shuffler {ident.serial:X} has a face sensor: use one that cannot see faces"
            )

    def _take_status(self, status: Status) -> None:
        ident = self._ident
        if not self._greeted or ident is None or status.epoch in self._retired:
            return
        is_ours = status.session == self._session and status.epoch == ident.epoch
        if is_ours and is_old(status, self._newest):
            return
        if status.boot_id != ident.boot_id or status.code in (Code.NO_SESSION, Code.STALE_SESSION):
            self._greet_again()
        elif is_ours:
            self._session_known = True
            self._greetings = 0
            self._newest = status
            self._weigh(status, ident)
        self._stir.set()

    def _weigh(self, status: Status, ident: Ident) -> None:
        """Settle what is owed, and tell what has changed."""
        at_ns = self._clock()
        first, risen = not self._newest_seen, status.locks & ~self._locks
        door_closed = bool(self._locks & ~status.locks & Lock.DOOR)
        self._newest_seen, self._locks = True, status.locks
        if not ident.caps & Cap.DOOR_SENSOR and risen & (Lock.BOOT | Lock.LEASE):
            self._unproved = True
        proved = self._proved(status)
        verdict = judge(self._record, self._owed, proved, at_ns, Cap(ident.caps))
        self._record, self._again = verdict.record, verdict.again
        if verdict.owed is None and self._owed is not None:
            self._owed = self._sent = self._deadline_s = None
        placed = any(isinstance(event, events.PlacesSet) for event in verdict.told)
        self._untold.extend(verdict.told)
        if placed:
            self._unproved = False
            proved = status
        misfed = any(isinstance(event, events.Misfed) for event in verdict.told)
        self._untold.extend(rise(Lock(0) if first else risen, misfed, door_closed, at_ns))
        if self._holds.finds(status, self._session):
            self._untold.append(events.HoldFound(at_ns, status.hold_session, status.hold_key, status.hold_reason))
        if verdict.resting and self._owed is None:
            self._meet(proved, ident, placed, at_ns)
        self._say_hold()

    def _meet(self, status: Status, ident: Ident, placed: bool, at_ns: int) -> None:
        """Tell how both records stand, if that is news."""
        why = obstacle(self._record, status.locks)
        if why == self._standing and not placed:
            return
        self._standing = why
        met = events.ShufflerMet(
            at_ns,
            serial=ident.serial,
            epoch=status.epoch,
            last_id=status.cmd_id,
            machine=-1 if status.locks & Lock.CONTENT else in_machine(status),
            exit_id=status.exit_id,
            token_id=status.token_id,
            deal_id=status.deal_id,
            caps=ident.caps,
            agreed=not why,
            why=why,
            session=self._session,
        )
        self._untold.append(met)

    def _proved(self, status: Status) -> Status:
        """Return `status` as the host must take it: a machine that may have been opened unseen has unknown content."""
        if not self._unproved:
            return status
        return msgspec.structs.replace(status, locks=status.locks | Lock.CONTENT)

    def _estrange(self, why: str) -> None:
        if not self._record.strange:
            self._record = msgspec.structs.replace(self._record, strange=why)

    def _greet_again(self) -> None:
        """Nothing is known of the device until HELLO is answered."""
        self._greeted = self._newest_seen = False
        self._ident = self._standing = self._asked = None
        self._locks = Lock(0)
        self._stir.set()

    # What goes out.

    async def _ask(self, link: Link) -> None:
        """One request at a time, the most pressing first; between them, wait for news or the heartbeat."""
        loop = asyncio.get_running_loop()
        while True:
            self._stir.clear()
            if self._deadline_s is not None and loop.time() > self._deadline_s:
                raise DeviceGone(f"{self.name}: a command has not ended in its time: check the machine, then its power")
            request = self._urgent(loop.time()) or self._next()
            self._tell()
            if request is not None:
                await link.ask(*request)
                self._tell()
                continue
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(self._heartbeat_s):
                    await self._stir.wait()

    def _urgent(self, now_s: float) -> Request | None:
        """Return what must be asked whatever is owed: who is there, how it stands, that the host lives."""
        if not self._greeted:
            self._greetings += 1
            if self._greetings > MOST_GREETINGS:
                raise DeviceGone(
                    f"{self.name}: {MOST_GREETINGS} greetings without a usable answer: restart the machine"
                )
            return Type.HELLO, Hello(PROTOCOL, PROTOCOL, self._host_id)
        newest = self._newest
        if newest is None or not self._newest_seen or self._look:
            self._look = False
            return Type.QUERY, Query()
        if now_s >= self._heartbeat_s:
            self._heartbeat_s = now_s + HEARTBEAT_S
            self._asked = None
            return Type.HEARTBEAT, Heartbeat(newest.boot_id, newest.tick)
        return None

    def _next(self) -> Request | None:
        """Return the next thing that changes something; the same thing again only after a heartbeat."""
        status = self._newest
        assert status is not None
        latching = self._holds.request(status, self._session) is not None
        if latching or status.state in (DeviceState.BUSY, DeviceState.OPEN):
            return None
        if self._owed is not None:
            return self._once(self._sent) if self._again else None
        release = self._holds.release(status, self._session)
        if release is not None:
            return self._once((Type.CLEAR_HOLD, release))
        self._drop_hopeless(status)
        if self._waiting and isinstance(self._waiting[0], commands.Places):
            return self._give(self._waiting.popleft(), status)
        if status.state != DeviceState.ARMED:
            if is_armable(self._record, status):
                return self._once(arm_of(self._record.machine, status))
            return None
        return self._give(self._waiting.popleft(), status) if self._waiting else None

    def _once(self, request: Request | None) -> Request | None:
        """Return `request` unless it was just made; one that is never taken means that the records differ after all."""
        if request is None or request == self._asked:
            return None
        same = self._asked_before is not None and self._asked_before[0] is request[0]
        self._tries = self._tries + 1 if same else 0
        self._asked = self._asked_before = request
        if self._tries > MOST_GREETINGS * 4:
            self._tries = 0
            self._estrange("refused")
            self._look = True
        return request

    def _drop_hopeless(self, status: Status) -> None:
        """Void the permits that cannot be given as things stand."""
        locks = self._proved(status).locks
        word = obstacle(self._record, locks)
        for permit in tuple(self._waiting):
            held = isinstance(permit, OUTWARD) and self._holds.stops_outward(status)
            counts = isinstance(permit, commands.Count) and word == "content"
            if isinstance(permit, commands.Places) or counts or not (held or word):
                continue
            self._waiting.remove(permit)
            self._untold.append(events.CommandVoid(self._clock(), permit.id, "held" if held else word))

    def _give(self, permit: commands.Permit, status: Status) -> Request | None:
        """Owe `permit` from now on and return its frame."""
        request = body_of(permit, status)
        ident = self._ident
        if request is None or ident is None:
            self._untold.append(events.CommandVoid(self._clock(), permit.id, "no such command"))
            return None
        kind = type(permit).__name__
        self._owed = Owed(permit.id, kind, status.epoch, status.fence)
        self._sent = self._asked = self._asked_before = request
        self._tries = 0
        self._deadline_s = asyncio.get_running_loop().time() + final_ms(kind, ident) / 1000
        return request

    def _drop_outward(self) -> None:
        """Void what would let a card out and has not been sent."""
        for permit in tuple(self._waiting):
            if isinstance(permit, OUTWARD):
                self._waiting.remove(permit)
                self._untold.append(events.CommandVoid(self._clock(), permit.id, "held"))

    def _say_hold(self) -> None:
        """Send HOLD until a STATUS shows it latched; not before the session is known to the device."""
        self._stop_hold_timer()
        link = self._link
        request = self._holds.request(self._newest if self._session_known else None, self._session)
        if link is None or request is None or not self._session_known:
            return
        with contextlib.suppress(DeviceGone):  # the listener is told of it by the line itself
            link.say(Type.HOLD, request)
        self._hold_timer = asyncio.get_running_loop().call_later(HOLD_REPEAT_S, self._say_hold)

    def _stop_hold_timer(self) -> None:
        if self._hold_timer is not None:
            self._hold_timer.cancel()
            self._hold_timer = None

    def _tell(self) -> None:
        """Emit what has not been told, in order; what an event brings about waits its turn."""
        if self._telling or self._emit is None:
            return
        self._telling = True
        try:
            while self._untold:
                self._emit(self._untold.popleft())
        finally:
            self._telling = False
