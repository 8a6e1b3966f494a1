"""Every driver that a config may name, a line each; a driver's code is imported when it is asked for."""

from enum import StrEnum
from importlib import import_module
from typing import Annotated, Any, ClassVar, Final, Literal

import msgspec
from msgspec import Meta

from dealerbox.model.zones import FIXED, MAX_SEATS, STUB, Zone
from dealerbox_drivers.display.settings import DisplaySettings
from dealerbox_drivers.pins.layout import CompactSettings, PanelSettings
from dealerbox_drivers.pins.sensors import DirectSettings, ExpanderSettings, MatrixSettings
from dealerbox_drivers.settings import Settings
from dealerbox_drivers.usb.names import Kind, is_usb, name_faults

_ZONES: Final = [zone for zone in FIXED if zone != STUB]

Port = Annotated[str, Meta(min_length=1, description="the path of a serial port, such as /dev/serial/by-path/...")]
Watched = Annotated[
    str,
    Meta(
        pattern=f"^({'|'.join(_ZONES)}|seat:([1-9]|1[0-9]|20))$",
        description=f"{', '.join(_ZONES)}, seat:1..seat:{MAX_SEATS}",
    ),
]

Fixed = Annotated[
    str,
    Meta(
        pattern="^([0-9A-F]{8}|[0-9A-F]{14}|[0-9A-F]{16}|[0-9A-F]{20})$",
        description="a tag's number in upper-case hex, most significant byte first",
    ),
]


CHIP_CARDS: Final = 0x0B
"""The USB class of chip card readers."""


class Role(StrEnum):
    """What a thing on the table is for."""

    SHUFFLER = "shuffler"
    READER = "reader"
    BUTTON = "button"
    PANEL = "panel"
    DISPLAY = "display"


class ShufflerSettings(Settings, frozen=True, kw_only=True):
    """A shuffler that speaks firmware-protocols/shuffler/v1."""

    port: Port
    baud: Annotated[int, Meta(ge=9600, le=1_000_000)] = 115_200
    serial: Annotated[int, Meta(ge=0)] = 0
    """The machine that must answer; 0: any, and from then on the one first met."""

    def ports(self) -> tuple[str, ...]:
        return (self.port,)


class ReaderSettings(Settings, frozen=True, kw_only=True):
    """What every reader has."""

    field: str = ""
    """Readers with the same word look one at a time: their antennas are neighbours. '': none is."""


class FeigSettings(ReaderSettings, frozen=True, kw_only=True):
    """A FEIG OBID reader on a serial line or on USB, alone or behind its antenna multiplexer."""

    usb: ClassVar = Kind(models=((0x0AB1, 0x0002), (0x0AB1, 0x0004)))
    port: Port
    baud: Annotated[int, Meta(ge=4800, le=230_400)] = 38_400
    parity: Annotated[str, Meta(pattern="^[NEO]$", description="N, E, O")] = "E"
    address: Annotated[int, Meta(ge=0, le=255)] = 255
    """Bus address; 255: any."""
    zones: dict[Annotated[int, Meta(ge=0, le=8)], Watched]
    """Multiplexer channel 1..8 -> zone; 0 alone: one antenna, no multiplexer."""
    references: dict[Annotated[int, Meta(ge=0, le=8)], Fixed] = msgspec.field(default_factory=dict)
    """Channel -> tag that is fixed at its antenna; a look that misses it does not count."""

    def watched(self) -> tuple[Zone, ...]:
        return tuple(map(Zone, self.zones.values()))

    def ports(self) -> tuple[str, ...]:
        return (self.port,)

    def faults(self) -> tuple[tuple[str, str], ...]:
        if not self.zones:
            return (("zones", "no zone; allowed: channel = zone, at least one"),)
        if 0 in self.zones and len(self.zones) > 1:
            return (("zones.0", "channel 0 is a reader without multiplexer; allowed: 0 alone, or channels 1..8"),)
        if is_usb(self.port) and (faults := name_faults(self.port)):
            return faults
        return tuple(
            (f"references.{channel}", f"no zone has channel {channel}; allowed: {', '.join(map(str, self.zones))}")
            for channel in self.references
            if channel not in self.zones
        )

    def fixed(self) -> dict[Zone, str]:
        return {Zone(self.zones[channel]): uid for channel, uid in self.references.items()}


class Pn532Settings(ReaderSettings, frozen=True, kw_only=True):
    """A PN532 on a serial line: one antenna, at most two cards."""

    port: Port
    baud: Annotated[int, Meta(ge=9600, le=1_288_000)] = 115_200
    zone: Watched
    reference: Fixed | Literal[""] = ""
    """Tag that is fixed at its antenna; a look that misses it does not count. It is one of the two. '': none."""

    def watched(self) -> tuple[Zone, ...]:
        return (Zone(self.zone),)

    def ports(self) -> tuple[str, ...]:
        return (self.port,)

    def fixed(self) -> dict[Zone, str]:
        return {Zone(self.zone): self.reference} if self.reference else {}


class CcidSettings(ReaderSettings, frozen=True, kw_only=True):
    """A reader on USB that shows one card: what its models have in common."""

    port: Annotated[str, Meta(pattern="^usb:", description="a USB device: usb:BUS-PORT, usb:VENDOR:PRODUCT[:SERIAL]")]
    zone: Watched

    def watched(self) -> tuple[Zone, ...]:
        return (Zone(self.zone),)

    def ports(self) -> tuple[str, ...]:
        return (self.port,)

    def faults(self) -> tuple[tuple[str, str], ...]:
        return name_faults(self.port)


class Acr122Settings(CcidSettings, frozen=True, kw_only=True):
    """An ACS ACR122U, or a touchatag."""

    usb: ClassVar = Kind(models=((0x072F, 0x2200), (0x072F, 0x90CC)), interface_class=CHIP_CARDS)


class Acr1552Settings(CcidSettings, frozen=True, kw_only=True):
    """An ACS ACR1552U."""

    usb: ClassVar = Kind(models=((0x072F, 0x2303), (0x072F, 0x2308)), interface_class=CHIP_CARDS)
    last_first: bool = True
    """It gives ISO15693 uids least significant byte first."""


class Driver(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the registry."""

    name: str
    role: Role
    module: str
    device: str
    """What in `module` makes a `Device`: a class, or a function."""
    settings: type[Settings]
    max_tags: int = 0
    """Most tags that one read of one antenna tells apart."""
    air: tuple[str, ...] = ()

    def load(self) -> Any:
        """Import the driver and return what makes its device; ImportError names what is not installed."""
        return getattr(import_module(self.module), self.device)


_ALL: Final = (
    Driver(
        name="shuffler-v1",
        role=Role.SHUFFLER,
        module="dealerbox_drivers.shuffler.device",
        device="Shuffler",
        settings=ShufflerSettings,
    ),
    Driver(
        name="feig",
        role=Role.READER,
        module="dealerbox_drivers.rfid.feig.device",
        device="FeigReader",
        settings=FeigSettings,
        max_tags=60,
        air=("iso15693", "iso14443a"),
    ),
    Driver(
        name="pn532",
        role=Role.READER,
        module="dealerbox_drivers.rfid.pn532.device",
        device="Pn532Reader",
        settings=Pn532Settings,
        max_tags=2,
        air=("iso14443a",),
    ),
    Driver(
        name="acr122u",
        role=Role.READER,
        module="dealerbox_drivers.rfid.ccid.device",
        device="Acr122Reader",
        settings=Acr122Settings,
        max_tags=1,
        air=("iso14443a",),
    ),
    Driver(
        name="acr1552u",
        role=Role.READER,
        module="dealerbox_drivers.rfid.ccid.device",
        device="Acr1552Reader",
        settings=Acr1552Settings,
        max_tags=1,
        air=("iso15693", "iso14443a"),
    ),
    Driver(
        name="panel-pins",
        role=Role.PANEL,
        module="dealerbox_drivers.pins.panel",
        device="Panel",
        settings=PanelSettings,
    ),
    Driver(
        name="panel-compact",
        role=Role.PANEL,
        module="dealerbox_drivers.pins.panel",
        device="Panel",
        settings=CompactSettings,
    ),
    Driver(
        name="display-oled",
        role=Role.DISPLAY,
        module="dealerbox_drivers.display.oled",
        device="Display",
        settings=DisplaySettings,
    ),
    Driver(
        name="button-pins",
        role=Role.BUTTON,
        module="dealerbox_drivers.pins.button",
        device="direct_button",
        settings=DirectSettings,
    ),
    Driver(
        name="button-matrix",
        role=Role.BUTTON,
        module="dealerbox_drivers.pins.button",
        device="matrix_button",
        settings=MatrixSettings,
    ),
    Driver(
        name="button-i2c",
        role=Role.BUTTON,
        module="dealerbox_drivers.pins.button",
        device="expander_button",
        settings=ExpanderSettings,
    ),
)

DRIVERS: Final = {driver.name: driver for driver in _ALL}
