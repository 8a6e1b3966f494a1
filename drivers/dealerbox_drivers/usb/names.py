"""How the config names a USB device: `usb:1-1.4` by its socket, `usb:072f:2200[:SERIAL]` by what is plugged in.

A socket is written as the kernel does (/sys/bus/usb/devices): bus, then a port for each hub on the way.
No module of pyusb is needed here: the config is checked without it.
"""

import re
from pathlib import Path
from typing import Final

import msgspec

from dealerbox.ports import ConfigError

PREFIX: Final = "usb:"
SYSFS: Final = Path("/sys/bus/usb/devices")
_SOCKET: Final = re.compile(r"[1-9]\d*-[1-9]\d*(\.[1-9]\d*)*")
_MODEL: Final = re.compile(r"([0-9a-fA-F]{4}):([0-9a-fA-F]{4})(?::(.+))?")


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


def _said(device: Path, key: str) -> str:
    try:
        return (device / key).read_text("utf-8").strip()
    except OSError:
        return ""
