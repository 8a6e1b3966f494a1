"""A device on the bus in software, and its far side."""

import asyncio
import threading
from collections import deque
from typing import Final, Protocol

from dealerbox.ports import DeviceGone
from dealerbox_drivers.memory_line import Inbox

CCID_CLASS: Final = 0x0B
VENDOR_CLASS: Final = 0xFF
IN, OUT, NOTICE = 0x82, 0x02, 0x81
BULK, INTERRUPT = 2, 3


class Bus(Protocol):
    """What a device must know of the bus that it is plugged into."""

    loop: asyncio.AbstractEventLoop
    changed: threading.Condition

    def pull(self, device: "Plugged") -> None: ...
    def tell(self) -> None: ...


class Plugged:
    """A device at a socket. Its public attributes are its faults; satisfies `Line` for a twin: its far side."""

    def __init__(
        self,
        bus: Bus,
        model: tuple[int, int],
        socket: str,
        *,
        serial: str = "",
        interface_class: int = VENDOR_CLASS,
        transfer: int = BULK,
        notices: bool = False,
        packet: int = 64,
    ) -> None:
        self.model, self.socket, self.serial = model, socket, serial
        self.interface_class, self.transfer, self.packet = interface_class, transfer, packet
        self.endpoints = [(IN, transfer), (OUT, transfer), *[(NOTICE, INTERRUPT)] * notices]
        self.address = 0
        """Given anew at every plugging in; 0: it is pulled out."""
        self.kernel_driver = False
        """A driver of the kernel has the interface until it is detached."""
        self.kernel_returns = False
        """... and takes it again at once."""
        self.taken = False
        """Another process has the interface."""
        self.configured = 1
        self.halts = 0
        """Transfers that find the endpoint halted."""
        self.sticky = False
        """No clearing of a halt helps."""
        self.floods = 0
        """Reads that find more than a packet."""
        self.asleep = False
        """Takes nothing and gives nothing: every transfer waits for its time-out."""
        self.zero_ends = True
        """Ends an answer of whole packets with an empty one, as it should."""
        self.claimed_by: int | None = None
        self.written: list[bytes] = []
        """Every transfer that the host wrote, the empty ones too."""
        self.coming: dict[int, deque[bytes]] = {IN: deque(), NOTICE: deque()}
        self._bus = bus
        self._inbox = Inbox()

    async def read(self) -> bytes:
        return await self._inbox.take()

    def write(self, data: bytes) -> None:
        """Let bytes come in at the host, cut into packets."""
        self._put(IN, data)

    def notify(self, data: bytes) -> None:
        """Let the device say something unasked."""
        self._put(NOTICE, data)

    def close(self) -> None:
        """Pull it out."""
        self._bus.pull(self)

    def take(self, data: bytes) -> None:
        """Take what the host wrote; called on a worker's thread."""
        self.written.append(data)
        if data:
            self._bus.loop.call_soon_threadsafe(self._inbox.put, data)

    def _put(self, endpoint: int, data: bytes) -> None:
        if not self.address:
            raise DeviceGone(f"{self.socket}: it is pulled out")
        packets = [data[at : at + self.packet] for at in range(0, len(data), self.packet)]
        if self.zero_ends and endpoint == IN and self.transfer == BULK and len(data) % self.packet == 0:
            packets.append(b"")
        with self._bus.changed:
            self.coming[endpoint].extend(packets)
        self._bus.tell()
