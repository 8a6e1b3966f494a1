"""What the rooms below the station must look like to it: small protocols, satisfied by shape."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from dealerbox.model.commands import Command
from dealerbox.model.events import Event

Clock = Callable[[], int]
"""Nanoseconds of CLOCK_BOOTTIME (virtual time in simulation)."""

Emit = Callable[[Event], None]
"""Takes an event in the loop's own thread; never blocks, never raises."""


class DealerboxError(Exception):
    """Base of every error that this project raises."""


class ConfigError(DealerboxError):
    """A file of the configuration cannot be used: refuse to start, exit 78 (EX_CONFIG)."""


class DeviceGone(DealerboxError):
    """A device or its line is gone: close, and reopen with back-off."""


class DeviceWrong(DealerboxError):
    """What answers is not the device that the config asks for: say so, retry slowly, never use it."""


class WireError(DealerboxError):
    """Bytes that make no frame: a value that decoders return and devices count."""


class JournalError(DealerboxError):
    """The journal cannot be read or written: hold and stop; exit 74 (EX_IOERR)."""


class NotAllowed(DealerboxError):
    """What was asked for may not be done by this person, here or now; exit 77 (EX_NOPERM)."""


class NotInstalled(DealerboxError):
    """What a command needs is not on this machine; exit 69 (EX_UNAVAILABLE)."""


class Line(Protocol):
    """A pipe of bytes to one device."""

    async def read(self) -> bytes:
        """Return the next bytes, at least one. DeviceGone when the line is gone.

        May be cancelled at any moment: what it has not returned is still there.
        """

    def write(self, data: bytes) -> None:
        """Send at once what the line takes, keep the rest; never blocks. DeviceGone when it is gone or undrained."""

    def close(self) -> None:
        """Close; a reader waiting in `read` gets DeviceGone. Twice is once."""


OpenLine = Callable[[], Awaitable[Line]]
"""Open the line anew. DeviceGone when there is nothing to open."""


class Device(Protocol):
    """A thing on the table."""

    name: str

    async def run(self, emit: Emit) -> None:
        """Open and serve until cancelled; `emit` each thing sensed.

        DeviceGone when it is gone, DeviceWrong when another thing answers in its place.
        """

    def obey(self, command: Command) -> None:
        """Act on a command at once, or ignore one meant for another device. Never blocks, never raises."""


class Journal(Protocol):
    """Where everything is remembered."""

    def append(self, payload: bytes) -> int:
        """Queue one record, return its sequence number at once; the callback given at opening tells of durability."""

    def close(self) -> None:
        """Write what is queued, sync, and close."""
