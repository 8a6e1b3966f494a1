"""How a device is, as the station finds it: a value, for whoever is told."""

from enum import StrEnum

import msgspec


class Condition(StrEnum):
    """How a device is."""

    OPENING = "opening"
    """Nothing heard yet since the start."""
    WORKING = "working"
    LOST = "lost"
    WRONG = "wrong"
    LENT = "lent"
    """A technician has its line; lost to the table."""


class DeviceHealth(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a device is, and why."""

    name: str
    condition: Condition
    why: str = ""
    last: str = ""
    """Why it was last lost or wrong in this run of the station; '' it never was."""
    losses: int = 0
    """How often it was, in this run."""
    port: str = ""
    """Where the config says that it is; '' it has no port (put in by the station)."""
    identity: str = ""
    """What it says that it is; '' while a hand is open (put in by the station)."""
    firmware: str = ""
