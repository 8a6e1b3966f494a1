"""The station's side of a card shuffler on its line (firmware-protocols/shuffler/v1/PROTOCOL.md)."""

import asyncio
import contextlib
from typing import Any, Final

from dealerbox.model.commands import Clear, Command, Hold, Permit
from dealerbox.model.shuffler import Memory
from dealerbox.ports import Clock, DeviceGone, Emit, OpenLine
from dealerbox_drivers.shuffler.agenda import Agenda
from dealerbox_drivers.shuffler.host import Host
from dealerbox_drivers.shuffler.link import Link
from dealerbox_drivers.shuffler.messages import HOLD, Event, EventAck, Ident, Sensor, Status, Type
from dealerbox_drivers.shuffler.wire import Frame
from dealerbox_drivers.traffic import Traffic

HOLD_REPEAT_S: Final = 0.05
"""Two answers' time, and four tries before a heartbeat would miss one."""


class Shuffler:
    """A `Device`: permits go out under the machine's own fence; what has become of each is told by events.

    After every STATUS that counts, in this order: the end of the command that was owed
    (CardUp, CardPassed, CardNotTaken, CardRetracted, CycleEnded, PlacesSet, CommandVoid or
    Misfed, one for each id; a machine without a gate gives CardUp(id) and CardPassed(id, id)
    for a Dispense and takes no Release); DoorClosed, ShufflerLocked; HoldFound;
    ShufflerMet, after each greeting and each PlacesSet and whenever `agreed` or `why` has
    changed. Nothing is owed when ShufflerMet is told.

    `memory.session` must be durable before `run`. A machine that has met a later session (the
    journal was lost, or is older) is greeted under its own + 1, told in ShufflerMet.session.
    Under that session nothing but PLACES can be given, which is a permit and so durable
    after that event: the next process starts above it, or is refused and goes higher still.

    `identity`: the serial number that must answer, 0: any. `host_id`: any number, for the
    machine's log. A permit that cannot be given as things stand is void with the word of
    ShufflerMet.why; it waits while the machine is away or not yet armed, and an outward
    one is void as soon as a hold stands.
    """

    def __init__(
        self, name: str, open_line: OpenLine, clock: Clock, memory: Memory, identity: int = 0, host_id: int = 0
    ) -> None:
        self.name = name
        self.faults = 0
        """Frames that came in and could not be used."""
        self.traffic = Traffic()
        self._open_line = open_line
        self._clock = clock
        self._host = Host(name, memory, identity)
        self._agenda = Agenda(name, self._host, host_id)
        self._link: Link | None = None
        self._hold_timer: asyncio.TimerHandle | None = None
        self._stir = asyncio.Event()
        self._emit: Emit | None = None
        self._telling = False

    def pins(self) -> dict[str, str]:
        """Return the machine's sensors as its newest STATUS has them: on, off. {} before the first."""
        status = self._host.newest
        return {} if status is None else {_words(one): "on" if one in status.sensors else "off" for one in Sensor}

    async def run(self, emit: Emit) -> None:
        """Greet, settle, arm and serve until cancelled.

        DeviceGone when the line is lost, three tries bring no answer, or a command does not end;
        DeviceWrong when another machine answers, or one that cannot be used.
        """
        self._emit = emit
        link = self._link = Link(self.name, await self._open_line(), self._host.session)
        link.traffic = self.traffic
        self.traffic.opened += 1
        self._agenda.begin()
        tasks = [asyncio.create_task(self._listen(link)), asyncio.create_task(self._serve(link))]
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
            link.close()

    def obey(self, command: Command) -> None:
        """Hold at once, ahead of everything that waits; queue permits; let the latch go on Clear."""
        match command:
            case Hold():
                self._host.holds.give(command)
                self._agenda.drop_outward(self._clock())
                self._say_hold()
                if self._link is not None:
                    self._link.interrupt()
            case Clear():
                self._host.holds.clear(command)
            case Permit():
                self._agenda.add(command, self._clock())
            case _:
                return
        self._stir.set()
        self._tell()

    async def _listen(self, link: Link) -> None:
        async for item in link.frames():
            if isinstance(item, Frame):
                self._take(link, item)
            else:
                self.faults += 1

    def _take(self, link: Link, frame: Frame) -> None:
        is_answer = link.is_answer(frame)
        self.traffic.frames += 1
        match frame.body:
            case Ident() if is_answer:
                self.traffic.met(*named(frame.body))
                self._host.take_ident(frame.body)
            case Status():
                self._host.take_status(frame.body, self._clock())
                if self._hold_timer is None:
                    self._say_hold()
            case Event():
                link.say(Type.EVENT_ACK, EventAck(frame.body.event_no))
                self._agenda.look()
        link.session = self._host.session
        if is_answer:
            link.answered()
        self._stir.set()
        self._tell()

    async def _serve(self, link: Link) -> None:
        while True:
            self._stir.clear()
            request = self._agenda.next(self._clock())
            self._tell()
            if request is not None:
                await link.ask(*request)
                continue
            wait_s = (self._agenda.heartbeat_ns - self._clock()) / 1e9
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, wait_s)):
                    await self._stir.wait()

    def _say_hold(self) -> None:
        """Say HOLD now if the machine does not have it, and again until it has."""
        self._stop_hold_timer()
        request = self._host.hold_request()
        if self._link is None or request is None:
            return
        try:
            self._link.say(HOLD, request)
        except DeviceGone:
            self._link.close()  # whoever reads it is told
            return
        self._hold_timer = asyncio.get_running_loop().call_later(HOLD_REPEAT_S, self._say_hold)

    def _stop_hold_timer(self) -> None:
        if self._hold_timer is not None:
            self._hold_timer.cancel()
            self._hold_timer = None

    def _tell(self) -> None:
        """Emit what is untold, in order. What is emitted may be answered by `obey` before this returns."""
        if self._emit is None or self._telling:
            return
        self._telling = True
        try:
            while self._host.told:
                self._emit(self._host.told.popleft())
        finally:
            self._telling = False


def _words(sensor: Sensor) -> str:
    return (sensor.name or "").lower().replace("_", " ")


def named(ident: Ident) -> tuple[str, str]:
    """Return identity and firmware of a machine as a person reads them."""
    return f"shuffler {ident.serial:X}, vendor {ident.vendor:04X}, model {ident.model:04X}", f"{ident.firmware:08X}"


def shuffler_v1(name: str, open_line: OpenLine, clock: Clock, memory: Memory, settings: Any) -> Shuffler:
    """Make the device that a config's table describes (`registry.ShufflerSettings`)."""
    return Shuffler(name, open_line, clock, memory, settings.serial)
