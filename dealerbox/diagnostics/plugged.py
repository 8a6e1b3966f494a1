"""What is plugged in: serial ports by the sockets that they hang on, USB devices by their models."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from dealerbox_drivers.registry import DRIVERS
from dealerbox_drivers.usb.names import PREFIX, SYSFS

BY_PATH: Final = Path("/dev/serial/by-path")
"""Where udev names each serial port by its socket: the name stays when devices are plugged in anew."""


class Model(msgspec.Struct, frozen=True):
    """A USB device that some driver knows."""

    port: str
    """usb:BUS-PORT."""
    driver: str
    vendor: int
    product: int


def by_path(port: str, folder: Path = BY_PATH) -> str:
    """Return the name that a serial port has by its socket; '' where udev gives it none, or it is not there."""
    there = Path(port)
    if not there.exists():
        return ""
    return next((name for name in serial_ports(folder) if Path(name).resolve() == there.resolve()), "")


def serial_ports(folder: Path = BY_PATH) -> list[str]:
    """Return every serial port that hangs on a socket, by its name, a port of two names once."""
    found: dict[Path, str] = {}
    for link in sorted(folder.iterdir()) if folder.is_dir() else ():
        found.setdefault(link.resolve(), str(link))
    return list(found.values())


def usb_models(sysfs: Path = SYSFS) -> Iterator[Model]:
    """Yield every USB device that a driver knows by vendor and product."""
    drivers = driver_of_model()
    for device in sorted(sysfs.iterdir()) if sysfs.is_dir() else ():
        model = _number(device / "idVendor"), _number(device / "idProduct")
        if model in drivers:
            yield Model(f"{PREFIX}{device.name}", drivers[model], *model)


def driver_of_model() -> dict[tuple[int, int], str]:
    """Return (vendor, product) -> the driver that knows it."""
    kinds = {driver.name: getattr(driver.settings, "usb", None) for driver in DRIVERS.values()}
    return {model: name for name, kind in kinds.items() if kind for model in kind.models}


def _number(file: Path) -> int:
    try:
        return int(file.read_text("ascii"), 16)
    except (OSError, ValueError):
        return 0
