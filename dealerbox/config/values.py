"""What a config comes to: frozen values, and what it must know of the drivers, which are passed in."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import msgspec

from dealerbox.config.deck import Deck
from dealerbox.model.setup import House, Setup
from dealerbox.model.zones import FIXED, Zone, seat


class Settings(Protocol):
    """What a device's own table says, as its driver's struct: zones, ports and pins it takes, and what is wrong."""

    def watched(self) -> tuple[Zone, ...]:
        """Zones that this device reads."""

    def fixed(self) -> Mapping[Zone, str]:
        """Zones in which a tag is fixed at the antenna, and that tag."""

    def carried(self) -> tuple[str, ...]:
        """Tags that readers read for this device: they are no cards."""

    def ports(self) -> tuple[str, ...]:
        """Device nodes that it opens."""

    def absent(self) -> tuple[tuple[str, str], ...]:
        """Those of its ports that are not there now, each with the command that lists what is."""

    def pins(self) -> Mapping[str, int]:
        """Keys of the table and the BCM pins that they claim."""

    def sensed(self) -> tuple[int, ...]:
        """Seats at which it senses the dealer's button."""

    def needs(self) -> tuple[str, ...]:
        """Roles of other devices without which it is of no use."""

    def faults(self) -> tuple[tuple[str, str], ...]:
        """What is wrong beyond types: (key, sentence); key '' is the whole table."""


class DriverKind(Protocol):
    """What the config must know of a driver."""

    @property
    def name(self) -> str:
        """The name in `driver = "..."`."""

    @property
    def role(self) -> str:
        """shuffler, reader, button, panel or display."""

    @property
    def settings(self) -> type[Any]:
        """A struct that satisfies `Settings`."""

    @property
    def max_tags(self) -> int:
        """Most tags one read of one antenna can tell apart; 0 where it is no reader."""

    @property
    def deals(self) -> bool:
        """A shuffler that lets out one card at a time, and knows it."""

    @property
    def air(self) -> tuple[str, ...]:
        """Technologies of tags it reads."""


class DeviceConfig(msgspec.Struct, frozen=True):
    """A thing on the table: `[devices.NAME]`."""

    name: str
    driver: DriverKind
    settings: Any
    """The driver's own struct."""


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a station is told before it starts."""

    file: str
    table: str
    time_zone: str
    seats: tuple[int, ...]
    state_dir: Path
    runtime_dir: Path
    socket: Path
    watchers: str
    """System group that may ask for the status; '': the station's own."""
    technicians: str
    """System group that may take the table for service between hands; '': the station's own user alone."""
    directors: str
    """System group that may rule (1830(2)); '': the station's own user alone."""
    house: House
    house_file: str
    decks: tuple[Deck, ...]
    deck_files: tuple[str, ...]
    devices: tuple[DeviceConfig, ...]
    sha256: str
    """Of station.toml, the house file and the deck files but for their sealed faces, in this order, hex."""

    records: int = 0
    """Records of the journal for which room is reserved before the table opens: an evening's."""
    head_file: Path | None = None
    """Where the journal's head is kept, on another medium than the journal; None: nowhere."""

    def readers(self) -> tuple[Zone, ...]:
        """Return the zones that a reader watches: seats ascending, then the rest."""
        watched = {zone for device in self.devices for zone in device.settings.watched()}
        order = (*(seat(number) for number in range(1, self.house.max_seats + 1)), *FIXED)
        return tuple(zone for zone in order if zone in watched)

    def setup(self) -> Setup:
        """Return what the engine must know of this table."""
        return Setup(
            table=self.table,
            seats=self.seats,
            house=self.house,
            decks=tuple(deck.info() for deck in self.decks),
            readers=self.readers(),
        )
