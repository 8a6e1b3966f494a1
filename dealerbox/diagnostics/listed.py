"""The devices that a table's file names, how the station finds them, and what is plugged in beside them."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from dealerbox.config.values import Config
from dealerbox.diagnostics.plugged import BY_PATH, by_path, serial_ports, usb_models
from dealerbox.station.condition import DeviceHealth
from dealerbox_drivers.usb.names import SYSFS, is_usb, usb_name


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """One device of a table, or what is plugged in and no device of it."""

    name: str
    """'': the file does not name it."""
    driver: str
    """'': not known."""
    port: str
    """Where the file says that it is; '' for what has no port."""
    path: str = ""
    """The name that this port has by its socket, where udev gives it one."""
    there: bool
    """Its port is there now."""
    condition: str = ""
    """As the station finds it: opening, working, lost, wrong, lent; '' while no station runs."""
    identity: str = ""
    """What it says that it is; '' while no station runs, or a hand is open."""
    firmware: str = ""
    why: str = ""
    """Why it is lost or wrong now, or was at last."""
    losses: int = 0
    """How often it was lost since the station's start."""

    def fails(self) -> bool:
        """Tell whether a technician has something to do here."""
        return not self.there or self.condition in ("lost", "wrong")

    def hides(self) -> bool:
        """Tell whether it has said what it is, and that is not told now."""
        return self.condition == "working" and bool(self.port) and not self.identity

    def wanders(self) -> bool:
        """Tell whether its port is named so that it may be another's after a re-plug."""
        return bool(self.name and self.path) and Path(self.port).parent == Path("/dev")


def listed(config: Config, health: Iterable[DeviceHealth], folder: Path = BY_PATH) -> list[Listed]:
    """Return the devices of the file, in its order, each with what the station said of it (nobody: '')."""
    found = {device.name: device for device in health}
    told = []
    for device in config.devices:
        port = getattr(device.settings, "port", "")
        said = found.get(device.name)
        told.append(
            Listed(
                name=device.name,
                driver=device.driver.name,
                port=port,
                path=by_path(port, folder) if port and not is_usb(port) else "",
                there=not device.settings.absent(),
                condition=said.condition.value if said else "",
                identity=said.identity if said else "",
                firmware=said.firmware if said else "",
                why=(said.why or said.last) if said else "",
                losses=said.losses if said else 0,
            )
        )
    return told


def unnamed(config: Config, folder: Path = BY_PATH, sysfs: Path = SYSFS) -> list[Listed]:
    """Return what is plugged in and no device of the file: serial ports, and USB devices that a driver knows."""
    ports = [getattr(device.settings, "port", "") for device in config.devices]
    serial = {Path(port).resolve() for port in ports if port and not is_usb(port)}
    named = {(name.socket, name.vendor, name.product) for name in map(usb_name, filter(is_usb, ports))}
    sockets, models = {name[0] for name in named}, {name[1:] for name in named}
    return [
        *(
            Listed(name="", driver="", port=port, path=port, there=True)
            for port in serial_ports(folder)
            if Path(port).resolve() not in serial
        ),
        *(
            Listed(name="", driver=one.driver, port=one.port, there=True)
            for one in usb_models(sysfs)
            if usb_name(one.port).socket not in sockets and (one.vendor, one.product) not in models
        ),
    ]
