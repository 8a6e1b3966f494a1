"""A USB device as a Line: packets in, messages out, each endpoint served by a worker of its own."""

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from dealerbox.ports import DeviceGone
from dealerbox_drivers.memory_line import MOST_UNREAD, Inbox
from dealerbox_drivers.usb.claimed import Claimed, Overflowed, Stalled, claimed
from dealerbox_drivers.usb.names import Kind, UsbName, usb_name
from dealerbox_drivers.usb.worker import Thread, Worker, Workers

READ_MS: Final = 250
"""Longest that one transfer waits; a line that is closed ends no later."""
WRITE_MS: Final = 500
"""Longest that a device may take to take one message."""
MOST_UNSENT: Final = 65_536
"""Bytes kept for a device that does not take them; one more and it counts as gone."""
OPEN_S: Final = 3.0
"""Longest wait for a device to be found and claimed, or for the line before it to be closed."""
RESET_S: Final = 60.0
"""Between two resets of the same device: more often would hide that it is broken."""


class UsbLine:
    """A claimed device's endpoints as a Line: never blocks, keeps at most 64 KiB either way.

    `read` returns packets, those of the interrupt endpoint among them, each whole; `write` sends one
    message. An endpoint that halts is asked once more, then its halt is cleared, then the device is
    reset; the line ends with that, and whoever opens it anew finds it again.
    """

    def __init__(self, device: Claimed, workers: Workers, may_reset: Callable[[], bool]) -> None:
        self.name = device.name
        self.overflows = 0
        """Packets thrown away because the device sent more than one holds."""
        self.stalls = 0
        """Transfers that met a halted endpoint."""
        self.closed = asyncio.Event()
        """Set once the device is given back."""
        self._device, self._may_reset = device, may_reset
        self._inbox = Inbox()
        self._unsent: deque[bytes] = deque()
        self._news = asyncio.Event()
        self._room = asyncio.Event()
        self._open, self._resetting = True, False
        self._loop = asyncio.get_running_loop()
        reads = [device.read] + [device.notice] * device.has_notices
        names = [f"{self.name} {what}" for what in ("out", "in", "notices")[: 1 + len(reads)]]
        self._workers = [workers(name) for name in names]
        self._at_work = len(self._workers)
        self._leaving = threading.Lock()
        work = [self._send(self._workers[0])]
        work += [self._receive(*each) for each in zip(self._workers[1:], reads, strict=True)]
        self._tasks = [asyncio.create_task(each, name=name) for name, each in zip(names, work, strict=True)]
        for task in self._tasks:
            task.add_done_callback(self._died)

    async def read(self) -> bytes:
        data = await self._inbox.take()
        self._room.set()
        return data

    def write(self, data: bytes) -> None:
        if not self._open:
            raise DeviceGone(f"{self.name}: the line is closed")
        self._unsent.append(bytes(data))
        self._news.set()
        unsent = sum(map(len, self._unsent))
        if unsent > MOST_UNSENT:
            why = f"{self.name}: the device takes no more bytes ({unsent} unsent): check its power and cable"
            self._end(why)
            raise DeviceGone(why)

    def close(self) -> None:
        self._end(f"{self.name}: the line is closed", forget=True)

    async def _receive(self, worker: Worker, read: Callable[[int], bytes | None]) -> None:
        halts = 0
        while self._open:
            try:
                data = await worker(partial(read, READ_MS))
            except Overflowed:
                self.overflows += 1
            except Stalled as stall:
                halts += 1
                await self._clear(worker, halts, stall)
            else:
                halts = 0 if data else halts
                if data:
                    self._inbox.put(data)
            while self._open and len(self._inbox) >= MOST_UNREAD:
                self._room.clear()
                await self._room.wait()

    async def _send(self, worker: Worker) -> None:
        halts = 0
        while self._open:
            if not self._unsent:
                self._news.clear()
                await self._news.wait()
                continue
            data = self._unsent[0]
            try:
                await worker(partial(self._device.write, data, WRITE_MS))
                if self._device.ends_with_zero and len(data) % self._device.packet == 0:
                    await worker(partial(self._device.write, b"", WRITE_MS))
            except Stalled as stall:
                halts += 1
                await self._clear(worker, halts, stall)
            else:
                halts = 0
                if self._unsent:
                    self._unsent.popleft()

    async def _clear(self, worker: Worker, halts: int, stall: Stalled) -> None:
        """Take the next step against a halted endpoint. DeviceGone after the last."""
        self.stalls += 1
        if halts == 1:
            return
        if halts == 2:
            await worker(self._device.clear_halts)
            return
        if self._resetting:  # by another endpoint: the line ends with it
            await self.closed.wait()
        self._resetting = self._may_reset()
        if not self._resetting:
            raise DeviceGone(f"{self.name}: its endpoints stay halted though it was reset: plug it in anew") from stall
        await worker(self._device.reset)
        raise DeviceGone(f"{self.name}: its endpoints stayed halted and it was reset") from stall

    def _died(self, task: asyncio.Task[None]) -> None:
        """End the line with its first task; what no device does is a fault of ours and is told as one."""
        if task.cancelled():
            self._end(f"{task.get_name()}: was stopped")
            return
        error = task.exception()
        if error is None:
            return
        self._end(str(error))
        if not isinstance(error, DeviceGone):
            self._loop.call_exception_handler({"message": f"in {task.get_name()}", "exception": error})

    def _end(self, why: str, *, forget: bool = False) -> None:
        self._inbox.end(why, forget=forget)
        if not self._open:
            return
        self._open = False
        self._unsent.clear()
        self._news.set()
        self._room.set()
        for task in self._tasks:
            task.cancel()
        for worker in self._workers:
            worker.end(self._leave)

    def _leave(self) -> None:
        """Be called by each worker once it has done its last; the last of them gives the device back."""
        with self._leaving:
            self._at_work -= 1
            if self._at_work:
                return
        self._device.close()
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(self.closed.set)


class UsbPort:
    """A USB device and how it is opened; called, it opens (an `OpenLine`).

    It is looked for at every opening: after a loss it has another address. The line before must be closed first.
    """

    def __init__(self, name: UsbName, kind: Kind, backend: Any = None, workers: Workers = Thread) -> None:
        """`backend`: pyusb's; None: libusb."""
        self._name, self._kind, self._backend, self._workers = name, kind, backend, workers
        self._before: UsbLine | None = None
        self._reset_s = -RESET_S

    async def __call__(self) -> UsbLine:
        """Open the device anew, for this process alone. DeviceGone with what to do when it cannot be had."""
        try:
            async with asyncio.timeout(OPEN_S):
                if self._before is not None:
                    await self._before.closed.wait()
                device = await self._claim()
        except TimeoutError as error:
            raise DeviceGone(f"{self._name.text}: cannot be opened within {OPEN_S} s: plug it in anew") from error
        self._before = UsbLine(device, self._workers, self._may_reset)
        return self._before

    async def _claim(self) -> Claimed:
        """Claim the device off the loop; one that is claimed too late is given back."""
        worker = self._workers(f"{self._name.text} opening")
        late: list[Claimed] = []

        def claim() -> Claimed:
            device = claimed(self._name, self._kind, self._backend)
            late.append(device)
            return device

        try:
            device = await worker(claim)
            late.clear()
        finally:
            worker.end(partial(_give_back, late))
        return device

    def _may_reset(self) -> bool:
        now_s = asyncio.get_running_loop().time()
        if now_s - self._reset_s < RESET_S:
            return False
        self._reset_s = now_s
        return True


def _give_back(devices: list[Claimed]) -> None:
    for device in devices:
        device.close()


def open_usb(port: str, kind: Kind, backend: Any = None, workers: Workers = Thread) -> UsbPort:
    """Return what opens the device that `port` names; ConfigError where it names none."""
    return UsbPort(usb_name(port), kind, backend, workers)
