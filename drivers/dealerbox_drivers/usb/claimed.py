"""One USB device, found and claimed through pyusb. Every call here blocks, none longer than it is told."""

import contextlib
import errno
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NoReturn

import usb.core
import usb.util

from dealerbox.ports import DeviceGone, DeviceWrong
from dealerbox_drivers.holders import holders
from dealerbox_drivers.usb.names import BULK, INTERRUPT, Kind, UsbName

UNSUPPORTED: Final = NotImplementedError
"""What pyusb raises where the system, or the backend in use, has no such call: nothing here is left to be written."""
USBFS: Final = Path("/dev/bus/usb")
PULLED: Final = "the device is gone: check its plug, its cable and its power"
WHAT_TO_DO: Final = {
    errno.EACCES: "not allowed: install systemd/60-dealerbox.rules and add this user to its group (dialout)",
    errno.EPERM: "not allowed: install systemd/60-dealerbox.rules and add this user to its group (dialout)",
    errno.ENODEV: PULLED,
    errno.EIO: PULLED,
    errno.ENOENT: PULLED,
}


class Stalled(DeviceGone):
    """An endpoint has halted (EPIPE): nothing more goes through it before its halt is cleared."""


class Overflowed(DeviceGone):
    """The device sent more than was asked for (EOVERFLOW): what came was thrown away."""


class Claimed:
    """A device that is ours alone until `close`. DeviceGone, whichever way it is lost."""

    def __init__(self, name: str, device: Any, interface: Any, transfer: int) -> None:
        self.name = name
        self._device, self._interface = device, interface
        self._detached = False
        self._in = _endpoint(interface, usb.util.ENDPOINT_IN, transfer)
        self._out = _endpoint(interface, usb.util.ENDPOINT_OUT, transfer)
        self._notices = _endpoint(interface, usb.util.ENDPOINT_IN, INTERRUPT) if transfer == BULK else None
        self.ends_with_zero = transfer == BULK
        """A message of whole packets is ended by an empty one."""

    @property
    def has_notices(self) -> bool:
        """Tell whether the device has an endpoint for what it says unasked."""
        return self._notices is not None

    @property
    def packet(self) -> int:
        """Most bytes of one packet that goes out."""
        return int(self._out.wMaxPacketSize)

    def claim(self) -> None:
        """Take the interface away from the kernel's driver, if one has it, and for this process."""
        number = self._interface.bInterfaceNumber
        with _told(self.name, self._device):
            self._detached = self._has_kernel_driver(number)
            if self._detached:
                self._device.detach_kernel_driver(number)
            usb.util.claim_interface(self._device, self._interface)

    def _has_kernel_driver(self, number: int) -> bool:
        """Tell whether the kernel's driver has the interface; where that cannot be asked, the claim will tell."""
        try:
            return bool(self._device.is_kernel_driver_active(number))
        except UNSUPPORTED:
            return False
        except usb.core.USBError as error:
            if error.errno is not None:
                raise
            return False

    def read(self, within_ms: int) -> bytes | None:
        """Return one packet (empty: an empty one came), None when none came in time.

        One packet and no more is asked for: a longer read would end only by a short packet, which
        some devices leave out, and what had come by then would count as a time-out.
        """
        return self._read(self._in, within_ms)

    def notice(self, within_ms: int) -> bytes | None:
        """Return what the device says unasked, None when it says nothing in time."""
        return self._read(self._notices, within_ms)

    def write(self, data: bytes, within_ms: int) -> None:
        """Send one message. DeviceGone when it is not taken in time."""
        with _told(self.name, self._device):
            try:
                taken = self._device.write(self._out, data, within_ms)
            except usb.core.USBTimeoutError:
                taken = -1
        if taken != len(data):
            raise DeviceGone(f"{self.name}: the device takes no more bytes: check its power, plug it in anew")

    def clear_halts(self) -> None:
        """Let halted endpoints go on."""
        with _told(self.name, self._device):
            for endpoint in filter(None, (self._in, self._out, self._notices)):
                self._device.clear_halt(endpoint)

    def reset(self) -> None:
        """Reset the device. It comes back as another: close this one and look for it anew."""
        with _told(self.name, self._device):
            self._device.reset()

    def close(self) -> None:
        """Give everything back, and the interface to the kernel's driver; whatever fails, the handle is closed."""
        with contextlib.suppress(usb.core.USBError, UNSUPPORTED):  # the device may be gone already
            usb.util.release_interface(self._device, self._interface)
        if self._detached:
            with contextlib.suppress(usb.core.USBError, UNSUPPORTED):
                self._device.attach_kernel_driver(self._interface.bInterfaceNumber)
        with contextlib.suppress(usb.core.USBError):
            usb.util.dispose_resources(self._device)

    def _read(self, endpoint: Any, within_ms: int) -> bytes | None:
        with _told(self.name, self._device):
            try:
                return bytes(self._device.read(endpoint, endpoint.wMaxPacketSize, within_ms))
            except usb.core.USBTimeoutError:
                return None


def claimed(name: UsbName, kind: Kind, backend: Any = None) -> Claimed:
    """Find the one device of that name, and claim it.

    DeviceGone when there is none or another has it, DeviceWrong when it is no such device, or when the name fits two.
    """
    device = _found(name, kind, backend)
    try:
        with _told(name.text, device):
            configuration = _configuration(device)
        interface = _interface(configuration, kind)
        if interface is None:
            raise DeviceWrong(f"{name.text}: has no interface that this driver speaks to; plug the right reader in")
    except BaseException:
        with contextlib.suppress(usb.core.USBError):
            usb.util.dispose_resources(device)
        raise
    mine = Claimed(name.text, device, interface, kind.transfer)
    try:
        mine.claim()
    except BaseException:
        mine.close()
        raise
    return mine


def socket_of(device: Any) -> str:
    """Return where a pyusb device is plugged in, as the kernel writes it."""
    return f"{device.bus}-{'.'.join(map(str, device.port_numbers or ()))}"


def _found(name: UsbName, kind: Kind, backend: Any) -> Any:
    try:
        devices = list(usb.core.find(find_all=True, backend=backend))
    except usb.core.NoBackendError as error:
        raise DeviceGone(f"{name.text}: libusb is missing: install Debian's libusb-1.0-0") from error
    except usb.core.USBError as error:
        raise DeviceGone(f"{name.text}: the USB devices cannot be listed ({error})") from error
    here = [device for device in devices if _fits(device, name)]
    if not here:
        raise DeviceGone(f"{name.text}: there is no such device: plug it in, or correct `port`")
    if len(here) > 1:
        sockets = " and ".join(f"usb:{socket_of(device)}" for device in here)
        raise DeviceWrong(f"{name.text}: names {len(here)} devices, at {sockets}: name the one by its socket")
    (device,) = here
    if (device.idVendor, device.idProduct) not in kind.models:
        known = ", ".join(f"{vendor:04x}:{product:04x}" for vendor, product in kind.models)
        raise DeviceWrong(
            f"{name.text}: {device.idVendor:04x}:{device.idProduct:04x} is plugged in there; this driver knows {known}"
        )
    return device


def _fits(device: Any, name: UsbName) -> bool:
    if name.socket:
        return socket_of(device) == name.socket
    if (device.idVendor, device.idProduct) != (name.vendor, name.product):
        return False
    return not name.serial or _serial(device) == name.serial


def _serial(device: Any) -> str:
    try:
        return str(device.serial_number or "")
    except (usb.core.USBError, ValueError, UNSUPPORTED):  # it may not be asked, or has none
        return ""
    finally:
        with contextlib.suppress(usb.core.USBError):
            usb.util.dispose_resources(device)


def _configuration(device: Any) -> Any:
    """Return the configuration that is set; set the first where none is. To set it anew would reset the device."""
    try:
        return device.get_active_configuration()
    except usb.core.USBError as error:
        if error.errno is not None:
            raise
    device.set_configuration()
    return device.get_active_configuration()


def _interface(configuration: Any, kind: Kind) -> Any:
    for interface in configuration:
        if kind.interface_class not in (None, interface.bInterfaceClass):
            continue
        if all(_endpoint(interface, way, kind.transfer) for way in (usb.util.ENDPOINT_IN, usb.util.ENDPOINT_OUT)):
            return interface
    return None


def _endpoint(interface: Any, direction: int, transfer: int) -> Any:
    return usb.util.find_descriptor(
        interface,
        custom_match=lambda each: (
            usb.util.endpoint_direction(each.bEndpointAddress) == direction
            and usb.util.endpoint_type(each.bmAttributes) == transfer
        ),
    )


@contextlib.contextmanager
def _told(name: str, device: Any) -> Iterator[None]:
    """Turn what pyusb raises into what a driver's user does about it."""
    try:
        yield
    except usb.core.USBTimeoutError as error:
        raise DeviceGone(f"{name}: {PULLED} ({error})") from error
    except usb.core.USBError as error:
        _raise(name, device, error)


_KINDS: Final[dict[int, Callable[[str], DeviceGone]]] = {errno.EPIPE: Stalled, errno.EOVERFLOW: Overflowed}


def _raise(name: str, device: Any, error: usb.core.USBError) -> NoReturn:
    number = error.errno or 0
    if number == errno.EBUSY:
        node = USBFS / f"{device.bus or 0:03d}" / f"{device.address or 0:03d}"
        who = ", ".join(holders(str(node))) or "pcscd, or the kernel's pn533"
        raise DeviceGone(f"{name}: another program has the device: {who}; stop it and keep it from starting") from error
    advice = WHAT_TO_DO.get(number, "the device fails: plug it in anew")
    raise _KINDS.get(number, DeviceGone)(f"{name}: {advice} ({error})") from error
