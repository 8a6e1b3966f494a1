"""What a state of the model is made of: small tuples of numbers."""

from enum import IntEnum, IntFlag
from typing import Any, Final, NamedTuple

import msgspec


class Kind(IntEnum):
    """Commands that have an id."""

    DISPENSE = 0
    RELEASE = 1
    RETRACT = 2
    SHUFFLE = 3
    COUNT = 4
    RETURN = 5
    PLACES = 6


OUTWARD: Final = frozenset({Kind.DISPENSE, Kind.RELEASE})
OF_ONE_CARD: Final = frozenset({Kind.DISPENSE, Kind.RELEASE, Kind.RETRACT})


class End(IntEnum):
    """cmd_state of STATUS."""

    NONE = 0
    MOVING = 1
    DONE = 2
    NOT_TAKEN = 3
    FAILED = 4
    INTERRUPTED = 5
    UNCERTAIN = 6


class Lock(IntFlag):
    """The locks that no ARM takes away. BOOT, SESSION and LEASE are `armed` being false."""

    HOLD = 1
    UNCERTAIN = 2
    CONTENT = 4
    WIPED = 8
    ERROR = 16


HARD: Final = Lock.UNCERTAIN | Lock.WIPED | Lock.ERROR
UNKNOWN: Final = -1
"""`machine` under CONTENT."""


class Motion(IntEnum):
    """How far a command has come. A step is between two places where the power may go."""

    IDLE = 0
    WRITTEN = 1
    OPEN = 2
    IN_GATE = 3
    LOCKED = 4
    ENTERED = 5
    MOVED_NONE = 6
    MOVED_ONE = 7
    MOVED_TWO = 8


class Permit(NamedTuple):
    """A command's frame. `a` and `b`: deal and first; the card; the number expected; machine and exit."""

    tag: int
    session: int
    kind: int
    id: int
    epoch: int
    fence: int
    era: int
    """How many restrictions its host knew of. No part of the frame: it tells an old permit where the fence does not."""
    prev: int
    a: int
    b: int


HELLO: Final = 0
"""(HELLO, session)"""
HOLD: Final = 1
"""(HOLD, session, key)"""
CLEAR: Final = 2
"""(CLEAR, session, epoch, hold) with hold = (number, session, key)"""
ARM: Final = 3
"""(ARM, session, epoch, fence, last id, machine, exit)"""
COMMAND: Final = 4
"""A `Permit`."""
Frame = tuple[Any, ...]
Hold = tuple[int, int, int]
"""Number, session, key."""
NO_HOLD: Final[Hold] = (0, 0, 0)


class Device(NamedTuple):
    """The machine. All up to `hold` is in its memory; STATUS is all up to `armed`, and whether something moves."""

    epoch: int = 1
    fence: int = 1
    era: int = 1
    """Restrictions so far: the fence, where each raises it."""
    session: int = 0
    cmd_id: int = 0
    kind: int = 0
    end: int = End.NONE
    locks: int = 0
    machine: int = 0
    exit_id: int = 0
    deal: int = 0
    token: int = 0
    hold: Hold = NO_HOLD
    greeted: bool = False
    armed: bool = False
    motion: int = Motion.IDLE
    command: Permit | None = None
    hseen: tuple[int, int] = (0, 0)


class Status(NamedTuple):
    """What the host reads."""

    epoch: int
    fence: int
    era: int
    session: int
    cmd_id: int
    kind: int
    end: int
    locks: int
    machine: int
    exit_id: int
    deal: int
    token: int
    hold: Hold
    greeted: bool
    armed: bool
    moving: bool


def status_of(device: Device) -> Status:
    """Return the STATUS that a device would send now."""
    return Status(*device[:15], device.motion != Motion.IDLE)


class Standing(IntEnum):
    """The host's own hold."""

    NONE = 0
    UNRECORDED = 1
    RECORDED = 2


class Host(NamedTuple):
    """The station. `seen` and an unrecorded hold or permit die with the process; the rest is in the journal."""

    session: int = 1
    epoch: int = 0
    seen: tuple[int, int] = (0, 0)
    """Epoch and fence of the newest STATUS read."""
    pending: Permit | None = None
    recorded: bool = True
    """The pending command is in the journal."""
    settled: int = 0
    top: int = 0
    """The greatest id given."""
    machine: int = 0
    exit_id: int = 0
    standing: int = Standing.NONE
    hold: tuple[int, int] = (0, 0)
    """Session and key of the hold that stands."""
    ended: Hold = NO_HOLD
    """The device's hold that a person has ended."""
    key: int = 0


class World(NamedTuple):
    """Where the cards are, and what nobody in the story knows: what is checked is checked against this."""

    machine: int
    behind: int = 0
    """Behind the gate; the rest lies on the table."""
    outlet: bool = False
    owed: bool = False
    """A HOLD was latched, and no host that knew it has cleared it."""
    given: int = 0
    """The greatest id that is in any journal, also a lost one."""
    closed: int = 0
    """All ids up to this are settled or void: no card may leave under one."""
    out_id: int = 0
    out: int = 0
    """Cards that left under `out_id`."""
    spent: int = 0
    """A bit for each shuffle that has opened a hand."""
    shuffles: int = 1
    unseen: bool = False
    """Two cards came under one pulse: the device's record is wrong, and only the exit reader can tell."""


class Faults(NamedTuple):
    """How often each may still happen."""

    host: int = 0
    device: int = 0
    hold: int = 0
    lease: int = 0
    misfeed: int = 0
    cycle: int = 0
    wipe: int = 0
    loss: int = 0
    hand: int = 0


class Rules(msgspec.Struct, frozen=True):
    """What the page asks for; each may be left out, to see what breaks then."""

    release_has_id: bool = True
    hold_is_latched: bool = True
    session_raises_fence: bool = True
    lock_raises_fence: bool = True
    clear_has_number: bool = True
    one_card_at_exit: bool = True
    device_writes_first: bool = True
    host_writes_first: bool = True
    token_spent_first: bool = True
    error_locks: bool = True
    exit_reader_asked: bool = True
    wipe_is_told: bool = True
    unasked_sensor_locks: bool = True
    stranger_is_held: bool = True
    """A host whose journal is lost has a HOLD latched before PLACES."""
    known_hold_greets_anew: bool = True
    """A host whose HOLD is known and gone there, though it never cleared it, takes a later session."""
    clear_raises_fence: bool = True
    refusal_takes_id: bool = True


class Setting(msgspec.Struct, frozen=True):
    """One configuration: the machine, what may go wrong, how far it goes."""

    name: str
    ids: int = 2
    """Ids that ordinary commands may have; PLACES is never short of one."""
    faults: Faults = Faults()
    gate: bool = True
    nvm: bool = True
    present_ahead: bool = True
    in_flight: int = 1
    """STATUS that the line may hold, each deliverable any number of times. Frames to the device have no bound."""
    cards: int = 3
    keeps_dead: bool = False
    """Frames that nobody will ever obey stay on the line: for one small configuration, to see that they do nothing."""
    rules: Rules = Rules()


class Broken(Exception):
    """An invariant does not hold; its text says which."""


class State(NamedTuple):
    """The whole."""

    host: Host
    device: Device
    world: World
    up: tuple[Frame, ...]
    """Frames to the device that were sent and may still be obeyed. None is ever used up: a line may repeat."""
    down: tuple[Status, ...]
    left: Faults
