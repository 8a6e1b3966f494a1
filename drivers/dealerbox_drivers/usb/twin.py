"""A bus in software, as pyusb sees it: devices are plugged in, claimed, halted and pulled out behind its backend.

Each device has a far side, which is a Line: a twin reads there what the host writes, and what it writes
comes in as packets. On threads (`Thread`) a transfer waits as libusb does; in virtual time, where no
thread may wait, the workers that `workers` makes wait in its place.
"""

import asyncio
import errno
import threading
from array import array
from collections import deque
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final, TypeVar

import usb.backend
import usb.core

from dealerbox.ports import DeviceGone
from dealerbox_drivers.memory_line import Inbox

Result = TypeVar("Result")

TRANSFER_S: Final = 0.000_2
"""What a transfer takes at least."""
CCID_CLASS: Final = 0x0B
VENDOR_CLASS: Final = 0xFF
IN, OUT, NOTICE = 0x82, 0x02, 0x81
BULK, INTERRUPT = 2, 3


class Plugged:
    """A device at a socket. Its public attributes are its faults; satisfies `Line` for a twin: its far side."""

    def __init__(
        self,
        bus: "TwinBus",
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


class Waits(Exception):
    """A transfer would wait, at most `ms`: said to a worker in virtual time."""

    def __init__(self, ms: int) -> None:
        super().__init__(f"waits {ms} ms")
        self.ms = ms


class TwinBus(usb.backend.IBackend):  # type: ignore[misc]  # pyusb has no stubs
    """A pyusb backend over devices in memory, made in a running loop. Counts what is opened and claimed."""

    def __init__(self, *, threads: bool = False) -> None:
        """`threads`: transfers wait on the thread that calls them; else the workers of `workers` do."""
        self.calls: list[str] = []
        """Every call that changes something, in order, without transfers."""
        self.opened = self.claimed = 0
        """Handles and interfaces not yet given back."""
        self.fail_at = 0
        """The call (of those counted in `calls`) that fails with EIO; 0: none."""
        self.loop = asyncio.get_running_loop()
        self.changed = threading.Condition()
        self._threads = threads
        self._devices: list[Plugged] = []
        self._addresses = 0
        self._time_is_up = False
        self._waiting: list[asyncio.Future[None]] = []

    def plug(self, model: tuple[int, int], socket: str, **how: Any) -> Plugged:
        """Plug a new device in."""
        device = Plugged(self, model, socket, **how)
        self.plug_again(device)
        return device

    def plug_again(self, device: Plugged, socket: str = "") -> None:
        """Plug in one that was pulled out: it gets an address of its own, and nobody has claimed it."""
        self._addresses += 1
        with self.changed:
            device.address, device.claimed_by = self._addresses, None
            device.socket = socket or device.socket
            for packets in device.coming.values():
                packets.clear()
            self._devices.append(device)
        self.tell()

    def pull(self, device: Plugged) -> None:
        """Pull one out, at once and at any moment."""
        with self.changed:
            device.address = 0
            if device in self._devices:
                self._devices.remove(device)
        self.tell()

    def tell(self) -> None:
        """Wake every transfer that waits."""
        with self.changed:
            self.changed.notify_all()
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)
        self._waiting.clear()

    def workers(self, _: str) -> "Patient":
        """Return a worker that waits in virtual time."""
        return Patient(self)

    async def wait(self, until_s: float) -> None:
        """Wait until something changes, or for that time."""
        news: asyncio.Future[None] = self.loop.create_future()
        self._waiting.append(news)
        timer = self.loop.call_at(until_s, self.tell)
        try:
            await news
        finally:
            timer.cancel()

    def done(self, work: Callable[[], Result], *, time_is_up: bool) -> Result:
        """Do a worker's piece of work; raise Waits where it would wait and its time is not up."""
        self._time_is_up = time_is_up
        try:
            return work()
        finally:
            self._time_is_up = False

    # What pyusb asks of a backend.

    def enumerate_devices(self) -> list[Plugged]:
        return list(self._devices)

    def get_parent(self, dev: Plugged) -> None:
        return None

    def get_device_descriptor(self, dev: Plugged) -> SimpleNamespace:
        bus, _, ports = dev.socket.partition("-")
        port_numbers = tuple(map(int, ports.split(".")))
        return SimpleNamespace(
            bLength=18,
            bDescriptorType=1,
            bcdUSB=0x0200,
            bDeviceClass=0,
            bDeviceSubClass=0,
            bDeviceProtocol=0,
            bMaxPacketSize0=8,
            idVendor=dev.model[0],
            idProduct=dev.model[1],
            bcdDevice=0x0100,
            iManufacturer=0,
            iProduct=0,
            iSerialNumber=3 if dev.serial else 0,
            bNumConfigurations=1,
            address=dev.address,
            bus=int(bus),
            port_number=port_numbers[-1],
            port_numbers=port_numbers,
            speed=2,
        )

    def get_configuration_descriptor(self, dev: Plugged, config: int) -> SimpleNamespace:
        return SimpleNamespace(
            bLength=9,
            bDescriptorType=2,
            wTotalLength=9 + 9 + 7 * len(dev.endpoints),
            bNumInterfaces=1,
            bConfigurationValue=1,
            iConfiguration=0,
            bmAttributes=0x80,
            bMaxPower=100,
            extra_descriptors=b"",
        )

    def get_interface_descriptor(self, dev: Plugged, intf: int, alt: int, config: int) -> SimpleNamespace:
        if intf or alt:
            raise IndexError("one interface, one setting")
        return SimpleNamespace(
            bLength=9,
            bDescriptorType=4,
            bInterfaceNumber=0,
            bAlternateSetting=0,
            bNumEndpoints=len(dev.endpoints),
            bInterfaceClass=dev.interface_class,
            bInterfaceSubClass=0,
            bInterfaceProtocol=0,
            iInterface=0,
            extra_descriptors=b"",
        )

    def get_endpoint_descriptor(self, dev: Plugged, ep: int, intf: int, alt: int, config: int) -> SimpleNamespace:
        address, kind = dev.endpoints[ep]
        return SimpleNamespace(
            bLength=7,
            bDescriptorType=5,
            bEndpointAddress=address,
            bmAttributes=kind,
            wMaxPacketSize=dev.packet,
            bInterval=10,
            bRefresh=0,
            bSynchAddress=0,
            extra_descriptors=b"",
        )

    def open_device(self, dev: Plugged) -> SimpleNamespace:
        handle = SimpleNamespace(device=dev, address=dev.address)
        self._called("open", handle)
        self.opened += 1
        return handle

    def close_device(self, dev_handle: SimpleNamespace) -> None:
        self.calls.append("close")
        self.opened -= 1

    def get_configuration(self, dev_handle: SimpleNamespace) -> int:
        return int(self._there(dev_handle).configured)

    def set_configuration(self, dev_handle: SimpleNamespace, config_value: int) -> None:
        self._called("set_configuration", dev_handle).configured = config_value

    def claim_interface(self, dev_handle: SimpleNamespace, intf: int) -> None:
        device = self._called("claim", dev_handle)
        if device.kernel_driver or device.taken or device.claimed_by not in (None, id(dev_handle)):
            raise _failure(errno.EBUSY)
        device.claimed_by = id(dev_handle)
        self.claimed += 1

    def release_interface(self, dev_handle: SimpleNamespace, intf: int) -> None:
        self.calls.append("release")
        self.claimed -= 1
        dev_handle.device.claimed_by = None
        self._there(dev_handle)

    def is_kernel_driver_active(self, dev_handle: SimpleNamespace, intf: int) -> bool:
        return self._called("is_kernel_driver_active", dev_handle).kernel_driver

    def detach_kernel_driver(self, dev_handle: SimpleNamespace, intf: int) -> None:
        device = self._called("detach", dev_handle)
        device.kernel_driver = device.kernel_returns

    def attach_kernel_driver(self, dev_handle: SimpleNamespace, intf: int) -> None:
        self._called("attach", dev_handle).kernel_driver = True

    def clear_halt(self, dev_handle: SimpleNamespace, ep: int) -> None:
        device = self._called("clear_halt", dev_handle)
        device.halts = device.halts if device.sticky else 0

    def reset_device(self, dev_handle: SimpleNamespace) -> None:
        device = self._called("reset", dev_handle)
        self.pull(device)
        self.plug_again(device)

    def ctrl_transfer(
        self, dev_handle: SimpleNamespace, request_type: int, request: int, value: int, index: int, data: Any, ms: int
    ) -> int:
        """Answer for the strings alone: the languages, and the serial number."""
        text = array("B", b"\x04\x03\x09\x04")
        if value & 0xFF:
            serial = self._there(dev_handle).serial.encode("utf-16-le")
            text = array("B", bytes((len(serial) + 2, 3)) + serial)
        data[: len(text)] = text
        return len(text)

    def bulk_write(self, dev_handle: SimpleNamespace, ep: int, intf: int, data: Any, timeout: int) -> int:
        device = self._transfer(dev_handle, lambda each: not each.asleep, timeout)
        device.take(data.tobytes())
        return len(data)

    def bulk_read(self, dev_handle: SimpleNamespace, ep: int, intf: int, buff: Any, timeout: int) -> int:
        coming = dev_handle.device.coming[ep]
        device = self._transfer(dev_handle, lambda each: bool(coming) and not each.asleep, timeout)
        if len(buff) % device.packet or (ep == IN and device.floods):
            device.floods = max(0, device.floods - 1)
            coming.popleft()
            raise _failure(errno.EOVERFLOW)
        with self.changed:
            data = coming.popleft()
        buff[: len(data)] = array("B", data)
        return len(data)

    intr_write = bulk_write
    intr_read = bulk_read

    def _transfer(self, handle: SimpleNamespace, ready: Callable[[Plugged], bool], timeout: int) -> Plugged:
        """Wait until the device is ready for a transfer, or fail as it fails."""
        device = self._there(handle)
        self._wait(lambda: device.halts > 0 or device.address != handle.address or ready(device), timeout)
        self._there(handle)
        if device.halts:
            device.halts -= not device.sticky
            raise _failure(errno.EPIPE)
        if not ready(device):
            raise usb.core.USBTimeoutError("Operation timed out", -7, errno.ETIMEDOUT)
        return device

    def _wait(self, true: Callable[[], bool], timeout: int) -> None:
        if self._threads:
            with self.changed:
                self.changed.wait_for(true, timeout / 1000)
        elif not true() and not self._time_is_up:
            raise Waits(timeout)

    def _called(self, what: str, handle: SimpleNamespace) -> Plugged:
        self.calls.append(what)
        if len(self.calls) == self.fail_at:
            raise _failure(errno.EIO)
        return self._there(handle)

    def _there(self, handle: SimpleNamespace) -> Plugged:
        device: Plugged = handle.device
        if not device.address or device.address != handle.address:
            raise _failure(errno.ENODEV)
        return device


class Patient:
    """A worker for virtual time: it waits where a transfer would (satisfies `Worker`)."""

    def __init__(self, bus: TwinBus) -> None:
        self._bus = bus

    async def __call__(self, work: Callable[[], Result]) -> Result:
        until_s = 0.0
        await asyncio.sleep(TRANSFER_S)
        while True:
            now_s = self._bus.loop.time()
            try:
                return self._bus.done(work, time_is_up=0 < until_s <= now_s)
            except Waits as waits:
                until_s = until_s or now_s + waits.ms / 1000
                await self._bus.wait(until_s)

    def end(self, last: Callable[[], None]) -> None:
        last()


def _failure(number: int) -> usb.core.USBError:
    return usb.core.USBError(errno.errorcode[number], None, number)
