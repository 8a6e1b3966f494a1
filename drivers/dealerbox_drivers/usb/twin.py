"""A bus in software, as pyusb sees it: devices are plugged in, claimed, halted and pulled out behind its backend.

Each device has a far side, which is a Line: a twin reads there what the host writes, and what it writes
comes in as packets. On threads (`Thread`) a transfer waits as libusb does; in virtual time, where no
thread may wait, the workers that `workers` makes wait in its place.
"""

import asyncio
import errno
import threading
from array import array
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, TypeVar

import usb.backend
import usb.core

from dealerbox_drivers.usb.twin_device import CCID_CLASS, IN, VENDOR_CLASS, Plugged
from dealerbox_drivers.usb.twin_worker import Patient, Waits

__all__ = ["CCID_CLASS", "VENDOR_CLASS", "Plugged", "TwinBus"]

Result = TypeVar("Result")


class TwinBus(usb.backend.IBackend):  # type: ignore[misc]  # pyusb ships no types, so its class is Any, which strict bars as a base
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

    def workers(self, _: str) -> Patient:
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


def _failure(number: int) -> usb.core.USBError:
    return usb.core.USBError(errno.errorcode[number], None, number)
