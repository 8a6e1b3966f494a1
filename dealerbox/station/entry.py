"""What the journal keeps of one step, and the event log's lines: `{"seq","event","commands"}`."""

from typing import Final

import msgspec

from dealerbox.model.commands import AnyCommand, Command
from dealerbox.model.events import AnyEvent, Event


class Entry(msgspec.Struct, frozen=True):
    """One event and what the engine decided about it."""

    event: AnyEvent
    commands: tuple[AnyCommand, ...]
    seq: int = 0
    """Its place in the log; 0 where the record around it says so."""


class _Written(msgspec.Struct, frozen=True):
    event: Event
    commands: tuple[Command, ...]


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Entry)


def encode(event: Event, commands: tuple[Command, ...]) -> bytes:
    """Return the payload of a step's record: one JSON object."""
    return _ENCODER.encode(_Written(event, commands))


def decode(payload: bytes) -> Entry:
    """Return the entry of a record's payload or of an event log's line. msgspec.DecodeError."""
    return _DECODER.decode(payload)
