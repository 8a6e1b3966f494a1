"""What station and shuffler hold to be true of the machine (firmware-protocols/shuffler/v1)."""

from enum import IntFlag, StrEnum

import msgspec


class Cap(IntFlag):
    """Capabilities, as the bits of IDENT.caps (PROTOCOL.md section 7)."""

    GATE = 1 << 0
    NVM = 1 << 1
    PRESENT_AHEAD = 1 << 2
    PULSES = 1 << 3
    SLOT_SENSOR = 1 << 4
    OUTLET_SENSOR = 1 << 5
    OWN_COUNT = 1 << 6
    COUNT_KEEPS_ORDER = 1 << 7
    SHUFFLE = 1 << 8
    STUB_SHUFFLE = 1 << 9
    RETURN = 1 << 10
    RETRACT = 1 << 11
    DOOR_SENSOR = 1 << 12
    FACE_SENSOR = 1 << 13
    CUT = 1 << 14


class Cycle(StrEnum):
    """A cycle of the whole machine."""

    SHUFFLE = "shuffle"
    COUNT = "count"
    RETURN = "return"


class Result(StrEnum):
    """How a command or cycle ended (PROTOCOL.md, codes 30..39)."""

    DONE = "done"
    WRONG_NUMBER = "wrong_number"
    INTERRUPTED = "interrupted"
    NO_FEED = "no_feed"
    DOUBLE_FEED = "double_feed"
    JAM = "jam"
    UNCERTAIN = "uncertain"
    REFUSED = "refused"


class Scope(StrEnum):
    """Which cards a cycle is about."""

    DECK = "deck"
    STUB = "stub"


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """What the host must never forget about its shuffler (PROTOCOL.md section 5, "Durable").

    The engine's state carries it, so that it is as durable as the journal; the driver
    starts from it and tells every change by an event.
    """

    session: int = 0
    serial: int = 0
    """Serial number last met; 0: never met."""
    epoch: int = 0
    """Journal epoch last met; 0: never met."""
    retired: tuple[int, ...] = ()
    """Epochs that ended by a wipe or a swapped board: frames that name them are old."""
    next_id: int = 1
    """Smallest command id never given."""
    pending: int = 0
    """Id of the command given and not settled; 0: none."""
    pending_kind: str = ""
    """Class name of the pending command: Dispense, Release, ..."""
    settled: int = 0
    """Last id known to be final on the device."""
    machine: int = 0
    """Cards in the machine, the one at the exit not counted."""
    exit_id: int = 0
    """Id of the DISPENSE whose card waits behind the gate; 0: none."""
    deal_id: int = 0
    """Id of the SHUFFLE that the open hand spends; 0: none."""
    hold_key: int = 0
    """Key of the newest hold given."""
