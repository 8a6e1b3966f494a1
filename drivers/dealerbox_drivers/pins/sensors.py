"""How the dealer button's position is sensed: a contact (reed or Hall) at each seat, wired one of three ways.

A contact connects its input to ground while the button's magnet lies on it. Directly, each
seat takes a pin; a matrix takes rows + columns pins for rows x columns seats; an I2C
expander takes none of its own.
"""

from collections.abc import Iterator
from typing import Annotated, Final

from msgspec import Meta, field

from dealerbox.model.zones import MAX_SEATS
from dealerbox_drivers.pins.layout import Pin
from dealerbox_drivers.settings import Settings

Seat = Annotated[int, Meta(ge=1, le=MAX_SEATS)]

OUTPUTS_ONLY: Final = (7, 15)
"""GPA7 and GPB7: as inputs they can corrupt the bus (MCP23017 data sheet DS20001952D, 2022)."""


class ButtonSettings(Settings, frozen=True, kw_only=True):
    """What every wiring has."""

    settle_ms: Annotated[int, Meta(ge=50, le=5000)] = 300
    """How long the button lies still before its place is told."""
    poll_ms: Annotated[int, Meta(ge=10, le=500)] = 50
    """How often the contacts are read."""


class DirectSettings(ButtonSettings, frozen=True, kw_only=True):
    """A pin for each seat."""

    seats: dict[Seat, Pin]

    def pins(self) -> dict[str, int]:
        return {f"seats.{seat}": pin for seat, pin in self.seats.items()}

    def sensed(self) -> tuple[int, ...]:
        return tuple(self.seats)

    def faults(self) -> tuple[tuple[str, str], ...]:
        return () if self.seats else (("seats", "no seat has a contact; allowed: seat = pin, at least two"),)


class MatrixSettings(ButtonSettings, frozen=True, kw_only=True):
    """Rows x columns: a seat's contact connects its row with its column.

    One or two buttons on the table are told truly; of three, a contact that is open may seem closed.
    """

    rows: tuple[Pin, ...]
    columns: tuple[Pin, ...]
    seats: tuple[Seat, ...] = ()
    """Seats row by row; (): 1, 2, 3, ..."""
    row_ms: Annotated[int, Meta(ge=0, le=20)] = 1
    """How long a row is driven before its columns are read: long wires charge slowly."""

    def pins(self) -> dict[str, int]:
        rows = {f"rows.{place}": pin for place, pin in enumerate(self.rows)}
        return {**rows, **{f"columns.{place}": pin for place, pin in enumerate(self.columns)}}

    def crossings(self) -> dict[int, tuple[int, int]]:
        """Return seat -> (place of its row, place of its column)."""
        width = len(self.columns)
        seats = self.seats or tuple(range(1, min(MAX_SEATS, len(self.rows) * width) + 1))
        return {seat: divmod(place, width) for place, seat in enumerate(seats)}

    def sensed(self) -> tuple[int, ...]:
        return tuple(self.crossings()) if self.columns else ()

    def faults(self) -> tuple[tuple[str, str], ...]:
        return tuple(self._faults())

    def _faults(self) -> Iterator[tuple[str, str]]:
        if not self.rows or not self.columns:
            yield "", "a matrix has rows and columns; allowed: one pin each, at least"
        elif len(self.seats) > len(self.rows) * len(self.columns):
            most = len(self.rows) * len(self.columns)
            yield "seats", f"{len(self.seats)} seats; allowed: {most}, rows times columns"
        if len(set(self.seats)) < len(self.seats):
            yield "seats", "names a seat twice; allowed: every seat once"


def _fourteen() -> dict[Seat, int]:
    usable = [place for place in range(16) if place not in OUTPUTS_ONLY]
    return dict(enumerate(usable, 1))


class ExpanderSettings(ButtonSettings, frozen=True, kw_only=True):
    """An MCP23017 on I2C: fourteen inputs, GPA0..GPA6 (0..6) and GPB0..GPB6 (8..14)."""

    bus: Annotated[str, Meta(min_length=1, description="the path of an I2C bus, such as /dev/i2c-1")] = "/dev/i2c-1"
    address: Annotated[int, Meta(ge=0x20, le=0x27, description="0x20..0x27")] = 0x20
    seats: dict[Seat, Annotated[int, Meta(ge=0, le=15)]] = field(default_factory=dict)
    """Seat -> input; empty: seats 1..14 in order."""

    def inputs(self) -> dict[int, int]:
        """Return seat -> input."""
        return dict(self.seats or _fourteen())

    def sensed(self) -> tuple[int, ...]:
        return tuple(self.inputs())

    def faults(self) -> tuple[tuple[str, str], ...]:
        twice = [seat for seat, place in self.seats.items() if list(self.seats.values()).count(place) > 1]
        return (
            *(
                (f"seats.{seat}", f"input {place} is an output only; allowed: 0..6, 8..14")
                for seat, place in self.seats.items()
                if place in OUTPUTS_ONLY
            ),
            *((f"seats.{seat}", "its input is another seat's too; allowed: every input once") for seat in twice),
        )
