"""What a display's own table of the config can be asked."""

from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from dealerbox_drivers.settings import Settings


class Chip(StrEnum):
    """What drives the glass: 128 x 64 dots, eight pages of 128 bytes."""

    SSD1306 = "ssd1306"
    SSD1309 = "ssd1309"
    SH1106 = "sh1106"


class DisplaySettings(Settings, frozen=True, kw_only=True):
    """A display of 128 x 64 dots on I2C."""

    bus: Annotated[str, Meta(min_length=1, description="the path of an I2C bus, such as /dev/i2c-1")] = "/dev/i2c-1"
    address: Annotated[int, Meta(ge=0x3C, le=0x3D, description="0x3C, 0x3D")] = 0x3C
    chip: Chip = Chip.SSD1306
    upside_down: bool = False
    """Whether it is mounted upside down."""
    brightness: Annotated[int, Meta(ge=0, le=255)] = 160
    alive_ms: Annotated[int, Meta(ge=200, le=10_000)] = 2000
    """How often it is asked whether it is still there."""
    again_s: Annotated[int, Meta(ge=5, le=3600)] = 30
    """How often it is set up and drawn anew: one that lost its power for a moment says nothing of it."""
