"""The devices that a table's file names, and how the station finds them."""

from collections.abc import Iterable

import msgspec

from dealerbox.config.values import Config
from dealerbox.station.health import DeviceHealth


class Listed(msgspec.Struct, frozen=True):
    """One device of a table."""

    name: str
    driver: str
    port: str
    """Where the file says that it is; '' for what has no port."""
    there: bool
    """Its port is there now."""
    condition: str
    """As the station finds it: opening, working, lost, wrong; '' while no station runs."""
    why: str = ""
    """The last error, of one that is lost or wrong."""

    def fails(self) -> bool:
        """Tell whether a technician has something to do here."""
        return not self.there or self.condition in ("lost", "wrong")


def listed(config: Config, health: Iterable[DeviceHealth]) -> list[Listed]:
    """Return the devices of the file, in its order, each with what the station said of it (nobody: '')."""
    found = {device.name: device for device in health}
    return [
        Listed(
            name=device.name,
            driver=device.driver.name,
            port=getattr(device.settings, "port", ""),
            there=not device.settings.absent(),
            condition=found[device.name].condition.value if device.name in found else "",
            why=found[device.name].why if device.name in found else "",
        )
        for device in config.devices
    ]
