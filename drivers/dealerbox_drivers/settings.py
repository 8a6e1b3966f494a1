"""What every device's own table of the config can be asked, whatever its driver."""

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from dealerbox.model.zones import Zone
from dealerbox_drivers.usb.names import is_plugged, is_usb

Port = Annotated[str, Meta(min_length=1, description="the path of a serial port, such as /dev/serial/by-path/...")]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """A device's own table of the config, without `driver`."""

    def watched(self) -> tuple[Zone, ...]:
        """Zones that this device reads."""
        return ()

    def fixed(self) -> dict[Zone, str]:
        """Zones in which a tag is fixed at the antenna, and that tag."""
        return {}

    def carried(self) -> tuple[str, ...]:
        """Tags that readers read for this device: they are no cards."""
        return ()

    def ports(self) -> tuple[str, ...]:
        """Device nodes that it opens."""
        return ()

    def absent(self) -> tuple[tuple[str, str], ...]:
        """Those of its ports that are not there now, each with the command that lists what is."""
        return tuple(
            (port, "lsusb -t" if is_usb(port) else "ls -l /dev/serial/by-path")
            for port in self.ports()
            if not (is_plugged(port) if is_usb(port) else Path(port).exists())
        )

    def pins(self) -> dict[str, int]:
        """Pins of the header that it takes: key of its table -> GPIO number."""
        return {}

    def sensed(self) -> tuple[int, ...]:
        """Seats at which it senses the dealer's button."""
        return ()

    def needs(self) -> tuple[str, ...]:
        """Roles of other devices without which it is of no use."""
        return ()

    def faults(self) -> tuple[tuple[str, str], ...]:
        """What is wrong beyond types: (key, sentence); key '' is the whole table."""
        return ()
