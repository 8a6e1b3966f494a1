"""What the config says of readers, a struct for each driver."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Annotated, ClassVar, Final, Literal

import msgspec
from msgspec import Meta

from dealerbox.model.zones import FIXED, MAX_SEATS, STUB, Zone
from dealerbox_drivers.pins.sensors import ButtonSettings
from dealerbox_drivers.settings import Port, Settings
from dealerbox_drivers.usb.names import INTERRUPT, Kind, is_usb, name_faults

_ZONES: Final = [zone for zone in FIXED if zone != STUB]

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
HUMAN_INTERFACE: Final = 0x03
"""The USB class of keyboards, mice and what else sends reports."""


class ReaderSettings(Settings, frozen=True, kw_only=True):
    """What every reader has."""

    port: Port
    field: str = ""
    """Readers with the same word look one at a time: their antennas are neighbours. '': none is."""

    @abstractmethod
    def antennas(self) -> Mapping[int, str]:
        """Channel -> zone; 0 alone: it has one antenna."""

    def references_at(self) -> Mapping[int, str]:
        """Channel -> tag that is fixed at its antenna; a look that misses it does not count."""
        return {}

    def watched(self) -> tuple[Zone, ...]:
        return tuple(map(Zone, self.antennas().values()))

    def fixed(self) -> dict[Zone, str]:
        zones = self.antennas()
        return {Zone(zones[channel]): uid for channel, uid in self.references_at().items()}

    def ports(self) -> tuple[str, ...]:
        return (self.port,)


class AntennaSettings(ReaderSettings, frozen=True, kw_only=True):
    """A reader of many tags on a serial line or on USB, with antennas that it uses one at a time."""

    usb: ClassVar[Kind]
    last: ClassVar[int]
    """Its channels are 1..last."""
    zones: dict[Annotated[int, Meta(ge=0, le=8)], Watched]
    """Channel of its antennas -> zone; 0 alone: it has one antenna."""
    references: dict[Annotated[int, Meta(ge=0, le=8)], Fixed] = msgspec.field(default_factory=dict)
    """Channel -> tag that is fixed at its antenna; a look that misses it does not count."""

    def antennas(self) -> Mapping[int, str]:
        return self.zones

    def references_at(self) -> Mapping[int, str]:
        return self.references

    def faults(self) -> tuple[tuple[str, str], ...]:
        if not self.zones:
            return (("zones", "no zone; allowed: channel = zone, at least one"),)
        if 0 in self.zones and len(self.zones) > 1:
            return (
                ("zones.0", f"channel 0 is a reader without multiplexer; allowed: 0 alone, or channels 1..{self.last}"),
            )
        if is_usb(self.port) and (faults := name_faults(self.port)):
            return faults
        return (
            *(
                (f"zones.{channel}", f"it has no antenna {channel}; allowed: 0 alone, or 1..{self.last}")
                for channel in self.zones
                if channel > self.last
            ),
            *(
                (f"references.{channel}", f"no zone has channel {channel}; allowed: {', '.join(map(str, self.zones))}")
                for channel in self.references
                if channel not in self.zones
            ),
        )


class FeigSettings(AntennaSettings, frozen=True, kw_only=True):
    """A FEIG OBID reader, alone or behind its antenna multiplexer."""

    usb: ClassVar = Kind(models=((0x0AB1, 0x0002), (0x0AB1, 0x0004)))
    last: ClassVar = 8
    baud: Annotated[int, Meta(ge=4800, le=230_400)] = 38_400
    parity: Annotated[str, Meta(pattern="^[NEO]$", description="N, E, O")] = "E"
    address: Annotated[int, Meta(ge=0, le=255)] = 255
    """Bus address; 255: any."""


class R321Settings(AntennaSettings, frozen=True, kw_only=True):
    """An AnyID R321: up to six antennas of its own."""

    usb: ClassVar = Kind(models=((0x0505, 0x5050),), interface_class=HUMAN_INTERFACE, transfer=INTERRUPT)
    last: ClassVar = 6
    baud: Literal[9600, 38400, 115200] = 115_200
    address: Annotated[int, Meta(ge=0, le=0xFFFF)] = 0xFFFF
    """65535: any."""

    @property
    def in_reports(self) -> bool:
        """Its frames come in HID reports."""
        return is_usb(self.port)


class OneZoneSettings(ReaderSettings, frozen=True, kw_only=True):
    """A reader with one antenna."""

    zone: Watched

    def antennas(self) -> Mapping[int, str]:
        return {0: self.zone}


class SerialZoneSettings(OneZoneSettings, frozen=True, kw_only=True):
    """... on a serial line, which reads more than one tag."""

    reference: Fixed | Literal[""] = ""
    """Tag that is fixed at its antenna; a look that misses it does not count. It is one of those read. '': none."""

    def references_at(self) -> Mapping[int, str]:
        return {0: self.reference} if self.reference else {}


class Pn532Settings(SerialZoneSettings, frozen=True, kw_only=True):
    """A PN532: at most two cards."""

    baud: Annotated[int, Meta(ge=9600, le=1_288_000)] = 115_200


class MetratecSettings(SerialZoneSettings, frozen=True, kw_only=True):
    """A metraTec reader that speaks the ASCII protocol."""

    baud: Annotated[int, Meta(ge=9600, le=115_200)] = 115_200


class CcidSettings(OneZoneSettings, frozen=True, kw_only=True):
    """A reader on USB that shows one card: what its models have in common."""

    port: Annotated[str, Meta(pattern="^usb:", description="a USB device: usb:BUS-PORT, usb:VENDOR:PRODUCT[:SERIAL]")]

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


class TagButtonSettings(ButtonSettings, frozen=True, kw_only=True):
    """A tag in the dealer's button, read by the readers of the seats."""

    tags: tuple[Fixed, ...]
    """Its tags: one, or one on each side."""
    settle_ms: Annotated[int, Meta(ge=50, le=5000)] = 1500
    """How long it is read at one seat: while it is moved, two may read it."""

    def sensed(self) -> tuple[int, ...]:
        """Every seat: that each has a reader is asked for anyway."""
        return tuple(range(1, MAX_SEATS + 1))

    def carried(self) -> tuple[str, ...]:
        return self.tags

    def faults(self) -> tuple[tuple[str, str], ...]:
        return () if self.tags else (("tags", "no tag; allowed: the number of the button's tag, at least one"),)
