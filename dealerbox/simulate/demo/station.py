"""The real daemon as a child process: started, asked like a person asks the panel, stopped, buried."""

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections import deque
from typing import Final

import msgspec

from dealerbox.config import Config
from dealerbox.model.view import View
from dealerbox.ports import DealerboxError
from dealerbox.simulate.demo.daemon import until_evening
from dealerbox.simulate.demo.pins import FarPins, pair
from dealerbox.station.asked import Answer
from dealerbox.station.condition import DeviceHealth

START_S: Final = 20.0
"""Longest time from exec to an answer at the control socket."""
STOP_S: Final = 4.0
"""Longest time from SIGTERM to the end; a daemon promises two."""
_STATUS: Final = b'{"ask":"status"}\n'
_HEALTH: Final = b'{"ask":"health"}\n'


class StationDied(DealerboxError):
    """The daemon ended unasked; with what it said."""


class ChildStation:
    """The daemon over `config`, its pins wired to `pins`."""

    def __init__(self, config: Config, pins: FarPins) -> None:
        self._config, self._pins = config, pins
        self._process: asyncio.subprocess.Process | None = None
        self._said: deque[str] = deque(maxlen=20)
        self._reading: asyncio.Task[None] | None = None
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._asking = asyncio.Lock()
        self.spawned = asyncio.Event()
        """There is a process, whatever it answers; not set once it is killed."""
        self._later_s = until_evening(time.time())

    async def start(self) -> None:
        """Start it and return when it answers. StationDied when it does not."""
        near, far = pair()
        try:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                *("-m", "dealerbox.simulate.demo.daemon", str(far.fileno()), str(self._later_s)),
                *("--config", str(self._config.file)),
                pass_fds=(far.fileno(),),
                stdin=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
                env={name: value for name, value in os.environ.items() if name != "NOTIFY_SOCKET"},
                start_new_session=True,  # Ctrl-C is for the demo: it ends the daemon in its own time
            )
        finally:
            far.close()
        self.spawned.set()
        self._pins.attach(near)
        self._reading = asyncio.create_task(self._listen(self._process))
        try:
            async with asyncio.timeout(START_S):
                while not await self._connect():
                    if self._process.returncode is not None:
                        raise await self._dead(self._process, self._reading)
                    await asyncio.sleep(0.05)
        except TimeoutError as error:
            await self.kill()
            raise StationDied(f"the daemon did not answer within {START_S:.0f} s of its start") from error

    async def view(self) -> View:
        """Return what the panel shows now. StationDied when nobody answers any more."""
        return msgspec.json.decode(await self._answer(_STATUS), type=View)

    async def health(self) -> tuple[DeviceHealth, ...]:
        """Return how its devices are. StationDied when nobody answers any more."""
        return msgspec.json.decode(await self._answer(_HEALTH), type=Answer).devices

    async def _answer(self, question: bytes) -> bytes:
        asked = self._process, self._reading
        async with self._asking:
            answer = b""
            if self._line:
                reader, writer = self._line
                with contextlib.suppress(ConnectionError):
                    writer.write(question)
                    answer = await reader.readline()
        if not answer:  # whoever was asked: another may be at work by now
            raise await self._dead(*asked)
        return answer

    async def died(self) -> DealerboxError:
        """Wait until it ends; return what there is to say of it."""
        if self._process:
            await self._process.wait()
        return await self._dead(self._process, self._reading)

    async def stop(self) -> int:
        """SIGTERM; return its exit code. One that does not end in time is killed: StationDied."""
        if self._process is None or self._process.returncode is not None:
            return self._process.returncode or 0 if self._process else 0
        self._process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(STOP_S):
                code = await self._process.wait()
        except TimeoutError as error:
            await self.kill()
            raise StationDied(f"the daemon did not end within {STOP_S:.0f} s of SIGTERM; it was killed") from error
        await self._bury()
        return code

    async def kill(self) -> None:
        """Kill it where it stands, as a power cut would."""
        if self._process and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
        await self._bury()

    async def _connect(self) -> bool:
        with contextlib.suppress(OSError):
            self._line = await asyncio.open_unix_connection(self._config.socket)
            return True
        return False

    async def _bury(self) -> None:
        self.spawned.clear()
        self._pins.detach()
        if self._line:
            self._line[1].close()
            self._line = None
        if self._reading:
            await self._reading

    async def _dead(
        self, process: asyncio.subprocess.Process | None, reading: asyncio.Task[None] | None
    ) -> DealerboxError:
        """Return the error that tells how a daemon ended. One that goes on is not waited for longer than STOP_S."""
        code = None
        if process:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(STOP_S):
                    code = await process.wait()
        if reading and code is not None:
            await reading
        how = "does not answer" if code is None else f"ended by itself with exit code {code}"
        if code is not None and code < 0:
            how = f"was killed by {signal.Signals(-code).name}"
        said = "\n  ".join(self._said) or "nothing"
        return StationDied(f"the daemon {how}; on its standard error it said:\n  {said}")

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        if process.stderr:
            async for line in process.stderr:
                self._said.append(line.decode(errors="replace").rstrip())
