"""Every driver that a config may name, a line each; a driver's code is imported when it is asked for."""

from enum import StrEnum
from importlib import import_module
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from dealerbox_drivers.display.settings import DisplaySettings
from dealerbox_drivers.pins.layout import CompactSettings, PanelSettings
from dealerbox_drivers.pins.sensors import DirectSettings, ExpanderSettings, MatrixSettings
from dealerbox_drivers.rfid.settings import (
    Acr122Settings,
    Acr1552Settings,
    FeigSettings,
    MetratecSettings,
    Pn532Settings,
    R321Settings,
    TagButtonSettings,
)
from dealerbox_drivers.settings import Port, Settings


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


class ReshuffledSettings(Settings, frozen=True, kw_only=True):
    """A shuffler that speaks the ReShuffled text protocol (firmware-protocols/reshuffled)."""

    port: Port
    baud: Annotated[int, Meta(ge=1200, le=1_000_000)]
    """As its board was built."""
    shuffle_s: Annotated[int, Meta(ge=5, le=600)] = 60
    """How long a shuffle takes at the most: the machine does not tell when it is done."""

    def ports(self) -> tuple[str, ...]:
        return (self.port,)


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
    deals: bool = True
    """A shuffler that lets out one card at a time, and knows it."""

    def load(self) -> Any:
        """Import the driver and return what makes its device; ImportError names what is not installed."""
        return getattr(import_module(self.module), self.device)


_ALL: Final = (
    Driver(
        name="shuffler-v1",
        role=Role.SHUFFLER,
        module="dealerbox_drivers.shuffler.device",
        device="shuffler_v1",
        settings=ShufflerSettings,
    ),
    Driver(
        name="reshuffled",
        role=Role.SHUFFLER,
        module="dealerbox_drivers.reshuffled.device",
        device="reshuffled",
        settings=ReshuffledSettings,
        deals=False,
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
        name="metratec",
        role=Role.READER,
        module="dealerbox_drivers.rfid.metratec.device",
        device="MetratecReader",
        settings=MetratecSettings,
        max_tags=60,
        air=("iso15693",),
    ),
    Driver(
        name="r321",
        role=Role.READER,
        module="dealerbox_drivers.rfid.r321.device",
        device="R321Reader",
        settings=R321Settings,
        max_tags=25,
        air=("iso15693",),
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
    Driver(
        name="button-tag",
        role=Role.BUTTON,
        module="dealerbox_drivers.rfid.button",
        device="tag_button",
        settings=TagButtonSettings,
    ),
)

DRIVERS: Final = {driver.name: driver for driver in _ALL}
