"""The words of shuffler wire 1 (firmware-protocols/shuffler/v1/PROTOCOL.md), each with its number or layout."""

from enum import IntEnum, IntFlag
from struct import Struct
from typing import ClassVar, Final

import msgspec

from dealerbox.model.shuffler import Cap

ANSWER = 0x80
"""An answer's type is its request's type with this bit."""


class Type(IntEnum):
    """What a frame says. Answers carry `type | ANSWER` and a STATUS, but for HELLO (IDENT) and EVENT_ACK (none)."""

    HELLO = 0x01
    QUERY = 0x02
    HEARTBEAT = 0x03
    EVENT_ACK = 0x04
    HOLD = 0x05
    CLEAR_HOLD = 0x06
    ARM = 0x07
    DISPENSE = 0x10
    RELEASE = 0x11
    RETRACT = 0x12
    SHUFFLE = 0x13
    COUNT = 0x14
    RETURN = 0x15
    PLACES = 0x16
    EVENT = 0x40
    IDENT = 0x81


class Flag(IntFlag):
    """Header flags."""

    NONE = 0
    REPEAT = 1
    ANSWER = 2
    EVENT = 4


HOLD: Final = Type.HOLD
PLAIN: Final = Flag.NONE
"""For the frame that nothing may delay: a member of an enum costs Python 3.11 as much as three calls."""


class Code(IntEnum):
    """STATUS.code and STATUS.cmd_result."""

    OK = 0x00
    IN_PROGRESS = 0x01
    REPEAT = 0x02
    NO_SESSION = 0x10
    STALE_SESSION = 0x11
    BAD_EPOCH = 0x12
    BAD_FENCE = 0x13
    BAD_PREV = 0x14
    STALE_ID = 0x15
    NOT_ARMED = 0x16
    DISAGREE = 0x17
    NOT_THAT_HOLD = 0x18
    HOLD_KNOWN = 0x19
    BUSY = 0x1A
    BAD_FRAME = 0x1B
    BAD_VERSION = 0x1C
    HELD = 0x20
    CONTENT = 0x21
    EXIT_FULL = 0x22
    EXIT_EMPTY = 0x23
    WRONG_CARD = 0x24
    NO_TOKEN = 0x25
    EMPTY = 0x26
    OUTLET_FULL = 0x27
    NOT_ASKED = 0x28
    SENSOR_SAYS_NO = 0x29
    UNSUPPORTED = 0x2A
    MOVED = 0x30
    NO_FEED = 0x31
    DOUBLE_FEED = 0x32
    JAM = 0x33
    PASSED = 0x34
    NOT_TAKEN = 0x35
    INTERRUPTED = 0x36
    CYCLE_DONE = 0x37
    WRONG_NUMBER = 0x38
    SET = 0x39


class DeviceState(IntEnum):
    """STATUS.state."""

    LOCKED = 0
    ARMED = 1
    BUSY = 2
    OPEN = 3


class CommandState(IntEnum):
    """STATUS.cmd_state."""

    NONE = 0
    MOVING = 1
    DONE = 2
    NOT_TAKEN = 3
    FAILED = 4
    INTERRUPTED = 5
    UNCERTAIN = 6


class Lock(IntFlag):
    """STATUS.locks: why nothing leaves. BOOT, SESSION and LEASE are soft: they go with ARM."""

    BOOT = 0x001
    SESSION = 0x002
    LEASE = 0x004
    HOLD = 0x008
    UNCERTAIN = 0x010
    CONTENT = 0x020
    WIPED = 0x040
    DOOR = 0x080
    ERROR = 0x100
    SERVICE = 0x200


class Sensor(IntFlag):
    """STATUS.sensors, as read now."""

    BEHIND_GATE = 1
    IN_GATE = 2
    OUTLET = 4
    INFEED = 8
    DOOR_OPEN = 16
    GATE_LOCKED = 32


class EventKind(IntEnum):
    """EVENT.kind."""

    FINAL = 1
    BEHIND_GATE = 2
    GATE_OPEN = 3
    PASSED = 4
    TAKEN = 5
    LOCKED = 6
    DOOR = 7
    UNASKED = 8
    INFEED = 9
    ERROR = 10


class ResetCause(IntEnum):
    """IDENT.reset_cause."""

    POWER = 1
    BROWN_OUT = 2
    WATCHDOG = 3
    SOFTWARE = 4
    PIN = 5


class NvmHealth(IntEnum):
    """IDENT.nvm."""

    CLEAN = 0
    ONE_SLOT_BAD = 1
    FORMATTED = 2


class CycleScope(IntEnum):
    """SHUFFLE.scope and COUNT.scope."""

    DECK = 0
    STUB = 1


MACHINE_UNKNOWN = 0xFF
"""STATUS.machine when the count is unknown (lock CONTENT)."""


class Body(msgspec.Struct, frozen=True):
    """What follows the header. `layout` packs the fields in their order; `flags` names those that are sets of bits."""

    layout: ClassVar[Struct] = Struct("<")
    flags: ClassVar[dict[str, type[IntFlag]]] = {}


class Permit(Body, frozen=True):
    """Opening of every command that moves something or says where things are."""

    epoch: int
    fence: int
    cmd_id: int
    prev_id: int


class Hello(Body, frozen=True):
    layout = Struct("<BBQ")
    proto_min: int
    proto_max: int
    host: int


class Query(Body, frozen=True):
    pass


class Heartbeat(Body, frozen=True):
    layout = Struct("<II")
    boot_id: int
    echo_tick: int


class EventAck(Body, frozen=True):
    layout = Struct("<I")
    event_no: int


class HoldRequest(Body, frozen=True):
    layout = Struct("<IH")
    key: int
    reason: int


class ClearHold(Body, frozen=True):
    layout = Struct("<5I")
    epoch: int
    hold_no: int
    hold_session: int
    hold_key: int
    person: int


class Arm(Body, frozen=True):
    layout = Struct("<3IBI")
    epoch: int
    fence: int
    last_id: int
    machine: int
    exit_id: int


class Dispense(Permit, frozen=True):
    layout = Struct("<4IIBB")
    deal_id: int
    first: int
    dest: int = 0


class Release(Permit, frozen=True):
    layout = Struct("<4IIH")
    card_id: int
    open_ms: int


class Retract(Permit, frozen=True):
    layout = Struct("<4II")
    card_id: int


class Shuffle(Permit, frozen=True):
    layout = Struct("<4IBB")
    expect: int
    scope: int


class Count(Permit, frozen=True):
    layout = Struct("<4IB")
    scope: int


class Return(Permit, frozen=True):
    layout = Struct("<4IBH")
    expect: int
    open_ms: int


class Places(Permit, frozen=True):
    layout = Struct("<4IBIBI")
    machine: int
    exit_id: int
    order: int
    person: int


class Event(Body, frozen=True):
    layout = Struct("<IIBII")
    event_no: int
    tick: int
    kind: int
    cmd_id: int
    arg: int


class Ident(Body, frozen=True, kw_only=True):
    layout = Struct("<BBHIHHQIIIBBIIIHH")
    flags = {"caps": Cap}
    proto: int
    """0: not greeted. `session` above the host's own: STALE_SESSION, else BAD_VERSION."""
    capacity: int
    max_payload: int
    caps: Cap
    vendor: int
    model: int
    serial: int
    firmware: int
    boot_id: int
    boot_count: int
    reset_cause: int
    nvm: int
    epoch: int
    fence: int
    session: int
    dispense_ms: int
    cycle_s: int


class Status(Body, frozen=True, kw_only=True):
    layout = Struct("<BBHIIIIIIBBBBBBIIIIIIIIHBBHHI")
    flags = {"locks": Lock, "sensors": Sensor}
    code: int
    state: int
    locks: Lock
    epoch: int
    fence: int
    boot_id: int
    tick: int
    session: int
    cmd_id: int
    cmd_kind: int
    cmd_state: int
    cmd_result: int
    pulses: int
    machine: int
    order: int
    exit_id: int
    out_total: int
    taken_id: int
    deal_id: int
    token_id: int
    hold_no: int
    hold_session: int
    hold_key: int
    hold_reason: int
    error: int
    spare: int = 0
    sensors: Sensor
    spare2: int = 0
    event_next: int
    """Oldest event not acknowledged; 0: none."""


REQUESTS: dict[int, type[Body]] = {
    Type.HELLO: Hello,
    Type.QUERY: Query,
    Type.HEARTBEAT: Heartbeat,
    Type.EVENT_ACK: EventAck,
    Type.HOLD: HoldRequest,
    Type.CLEAR_HOLD: ClearHold,
    Type.ARM: Arm,
    Type.DISPENSE: Dispense,
    Type.RELEASE: Release,
    Type.RETRACT: Retract,
    Type.SHUFFLE: Shuffle,
    Type.COUNT: Count,
    Type.RETURN: Return,
    Type.PLACES: Places,
}
"""Body of each thing a host may say."""

BODIES: dict[int, type[Body]] = (
    REQUESTS
    | {type_ | ANSWER: Status for type_ in REQUESTS if type_ != Type.EVENT_ACK}
    | {Type.EVENT: Event, Type.IDENT: Ident}
)
"""Body of each type on the wire."""
