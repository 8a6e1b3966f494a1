"""A device's own driver, alone, over whatever line it is given."""

from typing import Any, Final

import msgspec

from dealerbox.model.shuffler import Memory
from dealerbox.ports import Clock, DealerboxError, Device, OpenLine
from dealerbox_drivers.registry import DRIVERS, Driver, Role
from dealerbox_drivers.rfid.field import Field

WIRED: Final = (Role.SHUFFLER, Role.READER)
"""What speaks over a wire of bytes; pins are levels."""


class NoWire(DealerboxError):
    """A device without a wire of bytes was named, or a driver that is not known."""


def wired(name: str) -> Driver:
    """Return the driver of that name. NoWire when it is not known or has no wire of bytes."""
    known = sorted(each.name for each in DRIVERS.values() if each.role in WIRED)
    driver = DRIVERS.get(name)
    if driver is None:
        raise NoWire(f"driver {name} is not known to this Dealerbox; known with a wire: {', '.join(known)}")
    if driver.role not in WIRED:
        raise NoWire(f"driver {name} has no wire of bytes: it reads and sets pins; with one: {', '.join(known)}")
    return driver


def settings_of(driver: Driver, said: dict[str, Any]) -> Any:
    """Return a driver's settings out of built-in values. msgspec.ValidationError."""
    return msgspec.convert(said, driver.settings, strict=False)


def driven(driver: Driver, name: str, settings: Any, open_line: OpenLine, clock: Clock) -> Device:
    """Make the device. A shuffler is met by a host that remembers nothing, and so gives it no permit."""
    made: Device
    if driver.role is Role.SHUFFLER:
        made = driver.load()(name, open_line, clock, Memory(session=1), settings)
    else:
        field = Field() if settings.field else None
        made = driver.load()(name, open_line, clock, settings, field)
    return made
