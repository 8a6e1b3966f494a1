"""A level 0 shuffler: it shuffles when asked, and everything else about it is somebody's word."""

import asyncio
from collections import deque
from typing import Any, Final

from dealerbox.model import commands, events
from dealerbox.model.shuffler import Cap, Cycle, Memory, Result
from dealerbox.ports import Clock, DeviceGone, Emit, Line, OpenLine
from dealerbox_drivers.reshuffled.wire import Decoder, Message, Trouble, encode
from dealerbox_drivers.traffic import Traffic

CAPS: Final = Cap.SHUFFLE
"""All that such a machine can prove itself able to."""
ANSWER_S: Final = 0.5
TRIES: Final = 3
EPOCH: Final = 1
"""It has no memory, so none that could be wiped. Not 0, which is never met."""


class Reshuffled:
    """A `Device` (firmware-protocols/reshuffled/PROTOCOL.md): Shuffle and Places; every other permit is void.

    It deals no card: a second one would be out before anybody knew. Opened anew its content is
    unproved: ShufflerMet(agreed=False, why="content") until Places, a person's word. A Shuffle is
    over after `shuffle_s`, for the machine does not tell; what the board prints meanwhile makes it
    interrupted. Holds need nothing: it does nothing unasked.
    """

    def __init__(
        self,
        name: str,
        open_line: OpenLine,
        clock: Clock,
        memory: Memory,
        shuffle_s: float = 60.0,
    ) -> None:
        self.name = name
        self.faults = 0
        """Frames that came in and could not be used."""
        self.traffic = Traffic()
        self._open_line, self._clock = open_line, clock
        self._memory, self._shuffle_s = memory, shuffle_s
        self._last_id = max(memory.settled, memory.pending)
        self._machine = -1
        self._waiting: deque[commands.Permit] = deque()
        self._stir = asyncio.Event()
        self._answers: asyncio.Queue[str] = asyncio.Queue()
        self._troubled = asyncio.Event()
        self._running = False
        self._owed = (memory.pending, memory.pending_kind)

    async def run(self, emit: Emit) -> None:
        """Begin, say what is not proved, serve until cancelled. DeviceGone when the line or the answer is."""
        line = await self._open_line()
        self.traffic.opened += 1
        listening = asyncio.create_task(self._listen(line))
        serving = asyncio.create_task(self._serve(line, emit))
        try:
            done, _ = await asyncio.wait((listening, serving), return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            self._running = False
            for task in (listening, serving):
                task.cancel()
            await asyncio.gather(listening, serving, return_exceptions=True)
            line.close()

    def obey(self, command: commands.Command) -> None:
        """Queue a permit. Nothing else is for a machine that can neither be held nor asked."""
        if isinstance(command, commands.Permit):
            self._waiting.append(command)
            self._stir.set()

    async def _listen(self, line: Line) -> None:
        decoder = Decoder()
        while True:
            for item in decoder.feed(await line.read()):
                match item:
                    case Message(data="OK"):
                        self._answers.put_nowait("")
                    case Message(data=data) if data[0] == "E":
                        self._answers.put_nowait(data)
                        self._troubled.set()
                    case Trouble():
                        self._troubled.set()
                    case _:
                        self.faults += 1

    async def _serve(self, line: Line, emit: Emit) -> None:
        refused = await self._ask(line, "IN")
        if refused:
            raise DeviceGone(f"{self.name}: the shuffler answers {refused} to IN: switch it off and on")
        self._machine = -1
        self.traffic.met("ReShuffled board", "")
        self._end_owed(emit)
        self._met(emit, "content")
        while True:
            while self._waiting:
                await self._carry_out(line, emit, self._waiting.popleft())
            self._stir.clear()
            await self._stir.wait()

    def _end_owed(self, emit: Emit) -> None:
        """End what was given before the line went, or before this process: nobody knows what became of it."""
        number, kind = self._owed
        self._owed = (0, "")
        if not number:
            return
        if kind == "Shuffle":
            emit(events.CycleEnded(self._clock(), number, Cycle.SHUFFLE, Result.INTERRUPTED, 0))
        else:
            emit(events.CommandVoid(self._clock(), number, "restarted"))

    async def _carry_out(self, line: Line, emit: Emit, permit: commands.Permit) -> None:
        self._last_id = max(self._last_id, permit.id)
        self._owed = (permit.id, type(permit).__name__)
        match permit:
            case commands.Shuffle() if self._machine == permit.expect:
                await self._shuffle(line, emit, permit)
            case commands.Shuffle():
                self._void(emit, permit, "content")
            case commands.Places(exit_id=0):
                self._machine = permit.machine
                self._owed = (0, "")
                emit(events.PlacesSet(self._clock(), permit.id))
                self._met(emit, "")
            case _:
                self._void(emit, permit, "unsupported")

    async def _shuffle(self, line: Line, emit: Emit, permit: commands.Shuffle) -> None:
        self._troubled.clear()
        refused = await self._ask(line, "SH")
        if not refused:
            try:
                async with asyncio.timeout(self._shuffle_s):
                    await self._troubled.wait()
            except TimeoutError:
                self._owed = (0, "")
                emit(events.CycleEnded(self._clock(), permit.id, Cycle.SHUFFLE, Result.DONE, self._machine))
                return
        self._owed = (0, "")
        self._machine = -1
        emit(events.CycleEnded(self._clock(), permit.id, Cycle.SHUFFLE, Result.INTERRUPTED, 0))
        emit(events.ShufflerLocked(self._clock(), "error"))
        self._met(emit, "error")

    def _void(self, emit: Emit, permit: commands.Permit, why: str) -> None:
        self._owed = (0, "")
        emit(events.CommandVoid(self._clock(), permit.id, why))

    async def _ask(self, line: Line, data: str) -> str:
        """Say what may be done twice, and return '' for OK, else the refusal. DeviceGone without an answer."""
        while not self._answers.empty():
            self._answers.get_nowait()
        for before in range(TRIES):
            line.write(encode(data))
            asked_s = asyncio.get_running_loop().time()
            try:
                async with asyncio.timeout(ANSWER_S):
                    answer = await self._answers.get()
            except TimeoutError:
                self.traffic.missing += 1
                continue
            self.traffic.answered(asyncio.get_running_loop().time() - asked_s)
            await asyncio.sleep(before * ANSWER_S)  # answers have no number: a late one must not pass for the next
            return answer
        raise DeviceGone(
            f"{self.name}: no answer to {data} in {TRIES} tries of {ANSWER_S * 1000:.0f} ms: "
            "check the machine's power and cable"
        )

    def _met(self, emit: Emit, why: str) -> None:
        emit(
            events.ShufflerMet(
                at_ns=self._clock(),
                serial=0,
                epoch=EPOCH,
                last_id=self._last_id,
                machine=self._machine,
                exit_id=0,
                token_id=0,
                deal_id=0,
                caps=CAPS,
                agreed=not why,
                why=why,
                session=self._memory.session,
            )
        )


def reshuffled(name: str, open_line: OpenLine, clock: Clock, memory: Memory, settings: Any) -> Reshuffled:
    """Make the device that a config's table describes (`registry.ReshuffledSettings`)."""
    return Reshuffled(name, open_line, clock, memory, settings.shuffle_s)
