"""What a driver looks for on USB, and how the config names it: by its socket, or by model and serial number.

A socket is written as the kernel does (/sys/bus/usb/devices): bus, then a port for each hub on the way.
No module of pyusb is needed here: the config is checked without it.
"""

import re
from pathlib import Path
from typing import Final

import msgspec

from dealerbox.ports import ConfigError

PREFIX: Final = "usb:"
BULK: Final = 2
INTERRUPT: Final = 3
"""Types of endpoints (USB 2.0, 9.6.6)."""
SYSFS: Final = Path("/sys/bus/usb/devices")
_SOCKET: Final = re.compile(r"[1-9]\d*-[1-9]\d*(\.[1-9]\d*)*")
_MODEL: Final = re.compile(r"([0-9a-fA-F]{4}):([0-9a-fA-F]{4})(?::(.+))?")


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """What a driver looks for: which models it knows, and which interface of theirs it speaks to."""

    models: tuple[tuple[int, int], ...]
    """Vendor and product of each."""
    interface_class: int | None = None
    """bInterfaceClass; None: the first interface that has both endpoints."""
    transfer: int = BULK
    """Type of the two endpoints that carry the frames: BULK or INTERRUPT (HID reports)."""


class UsbName(msgspec.Struct, frozen=True):
    """A device by its socket, or by its model and, if told, its serial number."""

    text: str
    """As the config has it."""
    socket: str = ""
    vendor: int = 0
    product: int = 0
    serial: str = ""


def is_usb(port: str) -> bool:
    """Tell whether the port of a config is a USB device and no serial line."""
    return port.startswith(PREFIX)


def usb_name(port: str) -> UsbName:
    """Return what `port` names; ConfigError says what it may be."""
    rest = port.removeprefix(PREFIX)
    if is_usb(port) and _SOCKET.fullmatch(rest):
        return UsbName(port, socket=rest)
    if is_usb(port) and (found := _MODEL.fullmatch(rest)):
        return UsbName(port, vendor=int(found[1], 16), product=int(found[2], 16), serial=found[3] or "")
    raise ConfigError(f"{port!r} is no USB device; allowed: usb:BUS-PORT.PORT or usb:VENDOR:PRODUCT[:SERIAL]")


def is_plugged(port: str, sysfs: Path = SYSFS) -> bool:
    """Tell whether a device of that name is there now, as far as the kernel tells everybody."""
    name = usb_name(port)
    if name.socket:
        return (sysfs / name.socket).exists()
    wanted = (f"{name.vendor:04x}", f"{name.product:04x}")
    return any(
        (_said(device, "idVendor"), _said(device, "idProduct")) == wanted
        and name.serial in ("", _said(device, "serial"))
        for device in (sysfs.iterdir() if sysfs.is_dir() else ())
    )


def name_faults(port: str) -> tuple[tuple[str, str], ...]:
    """Return (key, sentence) for a port that begins as a USB device's and names none."""
    try:
        usb_name(port)
    except ConfigError as error:
        return (("port", str(error)),)
    return ()


def _said(device: Path, key: str) -> str:
    try:
        return (device / key).read_text("utf-8").strip()
    except OSError:
        return ""
